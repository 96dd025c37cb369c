"""The documentation: commands run, links lead somewhere.

In a block marked ``console`` a line that starts with ``$ `` is typed, the others are what comes
back. Every command there is an ``ackclock`` command and is run, the commands of a block in one
empty folder and in their order. It must end with exit code 0, or with the one that ``$ echo $?``
shows after it. A backslash at the end of a line joins the next. A block marked ``console emulated``
runs in real time, in processes of its own: it is left out where nothing can be emulated, and a
command may end with 1, which tells that this computer was too slow. What is not to be run belongs
into a block of another kind, such as ``sh``. The tutorial is one session from its first line to its
last; test_scenarios.py follows it.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ackclock.cli import main
from emulated import needs_namespaces

ROOT = Path(__file__).parents[2]
PAGES = [path for path in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))] if path.exists()]
TUTORIAL = ROOT / "docs" / "tutorial.md"
SECONDS = 60  # such a command should take less than 5; a busy machine is no failure
FENCE = re.compile(r"^ *```(\S*)[ ]?([^\n]*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
EMULATED = "emulated"
TOO_SLOW = 1
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
                text_of_block = match[3].replace("\\\n", "")
                found.append(pytest.param(text_of_block, match[2] == EMULATED, id=place))
    return found


def commands(block):
    """Pairs of a command and the exit code that is shown, 0 if none is."""
    lines = [line.strip() for line in block.splitlines()]
    found = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line == "$ echo $?":
            found[-1] = (found[-1][0], int(following))
        elif line.startswith("$ "):
            found.append((line.removeprefix("$ "), 0))
    return found


@pytest.mark.parametrize(("block", "emulated"), blocks())
def test_commands_do_what_is_shown(block, emulated, tmp_path, monkeypatch, capsys):
    if emulated:
        needs_namespaces()
    monkeypatch.chdir(tmp_path)
    assert commands(block), "a console block without a command"
    for folder in ("scenarios", "scripts"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for command, expected in commands(block):
        program, *words = shlex.split(command)
        assert program == "ackclock", f"not run here: mark the block sh instead: {command}"
        code, said = apart(words) if emulated else (main(words), "".join(capsys.readouterr()))
        allowed = {expected, TOO_SLOW} if emulated else {expected}
        assert code in allowed, f"{command}\n{said}"


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
