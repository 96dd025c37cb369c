"""The documentation: commands run, links lead somewhere.

A block marked ``console`` is a session as ``consoles`` describes it. Every command there is an
``ackclock`` command and is run, the commands of a block in one empty folder and in their order. It
must end as is shown, and print what is shown; nothing is compared if nothing is shown. With
ACKCLOCK_UPDATE=1 in the environment (`make docs-outputs`) the pages show what is printed now. A
block marked ``console emulated`` runs in real time, in processes of its own: it is left out where
nothing can be emulated, what it prints is not compared, and a command may end with 1, which tells
that this computer was too slow. What is not to be run belongs into a block of another kind, such as
``sh``. A block such as ``python my_tcp.py`` is a file, which all sessions of its page find in their
folder. The tutorial is one session from its first line to its last; test_scenarios.py follows it.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

from ackclock.cli import main
from consoles import PROGRESS, UPDATE, anew, same, typed
from emulated import needs_namespaces

ROOT = Path(__file__).parents[2]
PAGES = [path for path in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))] if path.exists()]
TUTORIAL = ROOT / "docs" / "tutorial.md"
SECONDS = 60  # such a command should take less than 5; a busy machine is no failure
FENCE = re.compile(r"^ *```(\S*)[ ]?([^\n]*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
EMULATED = "emulated"
TOO_SLOW = 1
HOW = "If that is right, `make docs-outputs` puts it into the pages."
LINK = re.compile(r"\]\(([^()\s]+)\)")


def blocks():
    found = []
    for page in PAGES:
        if page == TUTORIAL:
            continue
        text = page.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            if match[1] == "console":
                line = text.count("\n", 0, match.start()) + 1
                place = f"{page.relative_to(ROOT).as_posix()}:{line}"
                found.append(pytest.param(page, match[3], match[2] == EMULATED, id=place))
    return found


@pytest.mark.parametrize(("page", "block", "emulated"), blocks())
def test_commands_do_what_is_shown(page, block, emulated, tmp_path, monkeypatch, capsys):
    if emulated:
        needs_namespaces()
    monkeypatch.chdir(tmp_path)
    for folder in ("scenarios", "scripts"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    write_files(page, tmp_path)
    session = typed(dedent(block))
    assert session, "a console block without a command"
    printed = []
    for each in session:
        program, *words = shlex.split(each.command)
        assert program == "ackclock", f"not run here: mark the block sh instead: {each.command}"
        code, said = apart(words) if emulated else (main(words), printed_by(capsys))
        allowed = {each.code, TOO_SLOW} if emulated else {each.code}
        assert code in allowed, f"{each.command}\n{said}"
        printed.append(said)
        if each.shown and not emulated and not UPDATE:
            assert same("\n".join(each.shown), said), f"$ {each.command}\n{said}\n{HOW}"
    if UPDATE and not emulated:
        write_anew(page, block, printed)


def write_files(page, folder):
    """Write the blocks of a page whose first line names a file, such as ``python my_tcp.py``."""
    for match in FENCE.finditer(page.read_text(encoding="utf-8")):
        if match[2].endswith((".py", ".toml")):
            (folder / match[2]).write_text(match[3], encoding="utf-8")


def printed_by(capsys):
    """What a command has printed: messages before results."""
    out, err = capsys.readouterr()
    return PROGRESS.sub("", err) + out


def write_anew(page, block, printed):
    """Put what is printed now into a page."""
    blanks = block[: len(block) - len(block.lstrip(" "))]
    now = indent(anew(dedent(block), printed), blanks)
    text = page.read_text(encoding="utf-8")
    assert text.count(block) == 1, f"not found once:\n{block}"
    page.write_text(text.replace(block, now), encoding="utf-8")


def apart(words):
    """Exit code of a command in a process of its own, and what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "ackclock", *words], capture_output=True, text=True, timeout=SECONDS
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files(page):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    broken = []
    for target in LINK.findall(text):
        if not re.match(r"[a-z]+:|#", target):
            path = page.parent / target.partition("#")[0]
            if not path.exists():
                broken.append(target)
    assert not broken, f"links to nothing: {', '.join(broken)}"


def test_there_are_pages_and_commands():
    assert PAGES
    assert blocks()


def test_the_reference_shows_what_its_script_measures():
    script = ROOT / "docs/validation/defaults/tables.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    page = (ROOT / "docs/reference/scenario.md").read_text(encoding="utf-8")
    for table in done.stdout.strip().split("\n\n"):
        assert f"|\n{table}\n" in page


def test_the_first_page_stays_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


SESSION = """\
$ ackclock show \\
    lab.results
Title
...
 a   b
 1   2
...
$ ackclock check wrong.toml
one ... is wrong
$ echo $?
2
$ ackclock report lab.results
"""


def test_what_is_shown_is_compared():
    show, check, report = typed(SESSION)
    assert (show.command, show.code) == ("ackclock show     lab.results", 0)
    assert (check.command, check.code, report.shown) == ("ackclock check wrong.toml", 2, [])
    shown = "\n".join(show.shown)
    assert same(shown, "Title\n\n  a  b\n  1  2\n\n foot\n")
    assert not same(shown, "Title\n\n  a  b\n  1  3\n\n foot\n")
    assert not same(shown, "Title\n\n  a  b\n  1  23\n\n foot\n")
    assert not same(shown, "Other\n  a  b\n  1  2\n")


def test_pages_are_written_anew():
    """As much is left out as before, and what is the same stays as it is written."""
    printed = ["New\n\n  a  b\n  1  3  \n\n foot\n", "one thing is wrong\n", "said\n"]
    now = SESSION.replace("Title", "New").replace(" a   b\n 1   2", "  a  b\n  1  3")
    assert anew(SESSION, printed) == now
