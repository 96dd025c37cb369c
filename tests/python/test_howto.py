"""The pages docs/howto/add-a-*.md still apply; with ACKCLOCK_HOWTOS=1 they build and pass, too.

``make validate-howtos`` does both. A copy of the tree is made for each page, all with one folder of
compiled crates, so that a page costs what its own crates cost.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from howto_pages import PAGES, ROOT, Page, PageError, apply, read

COPIES = ROOT / "target" / "howtos"
BUILDS = pytest.mark.skipif("ACKCLOCK_HOWTOS" not in os.environ, reason="make validate-howtos")
CHANGING = [path for path in PAGES if read(path).hunks]
STUDY = ROOT / "docs" / "howto" / "add-a-study.md"
"""Python alone, which needs no core to be built: its test runs each time."""


@pytest.mark.parametrize("path", CHANGING, ids=lambda path: path.stem)
def test_a_page_applies(path):
    made = apply(read(path), ROOT)
    assert made
    # Every new module has its file.
    for changed, _, new in read(path).hunks:
        for module in re.findall(r"^(?:pub )?mod (\w+);$", new, re.MULTILINE):
            places = [f"{Path(changed).parent}/{module}{end}" for end in (".rs", "/mod.rs")]
            assert any(place in made or (ROOT / place).exists() for place in places), module


def test_a_page_says_what_does_not_apply(tmp_path):
    (tmp_path / "a.rs").write_text("one\ntwo\none\ntwo\n")
    for old, said in (("two\n", "2 times"), ("three\n", "0 times")):
        with pytest.raises(PageError, match=said):
            apply(Page("page.md", hunks=[("a.rs", old, "new\n")]), tmp_path)
    with pytest.raises(PageError, match="is there already"):
        apply(Page("page.md", files={"a.rs": ""}), tmp_path)
    with pytest.raises(PageError, match=r"there is no b\.rs"):
        apply(Page("page.md", hunks=[("b.rs", "one\n", "")]), tmp_path)
    twice = [("a.rs", "one\ntwo\none\n", "one\nthree\none\n"), ("a.rs", "three\n", "four\n")]
    assert apply(Page("page.md", hunks=twice), tmp_path) == {"a.rs": "one\nfour\none\ntwo\n"}


@BUILDS
@pytest.mark.parametrize(
    "path", [path for path in CHANGING if path != STUDY], ids=lambda path: path.stem
)
def test_what_a_page_makes_builds_and_passes(path):
    page = read(path)
    copy = copied(path.stem)
    for name, text in apply(page, copy).items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text(text, encoding="utf-8")
    environment = {
        **os.environ,
        "CARGO_TARGET_DIR": str(ROOT / "target" / "howtos-target"),
        "INSTA_UPDATE": "always",
        "PYO3_PYTHON": str(ROOT / ".venv" / "bin" / "python"),
        "PYTHONPATH": str(copy / "python"),
    }
    lines = "".join(page.commands).replace("\\\n", " ").splitlines()
    tests = [line for line in lines if "cargo test" in line]
    assert any(" test" in line or "pytest" in line for line in lines), "the page names no test"
    others = [line for line in lines if line not in tests and not line.startswith("make install")]
    build = "cargo build --locked --release -p ackclock-py"
    core = Path(environment["CARGO_TARGET_DIR"]) / "release" / "lib_core.so"
    for line in (*tests, build):
        run(line, copy, environment)
    shutil.copy(core, copy / "python" / "ackclock" / "_core.abi3.so")
    for line in others:
        run(line, copy, environment)


def test_a_study_added_as_the_page_says_runs(tmp_path):
    page = read(STUDY)
    shutil.copytree(
        ROOT / "python",
        tmp_path / "python",
        ignore=shutil.ignore_patterns("__pycache__", "static", "lessons"),
    )
    for name, text in apply(page, tmp_path).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "python")}
    for line in "".join(page.commands).splitlines():
        run(line, tmp_path, environment)
    out = tmp_path / "out" / "rule-of-thumb"
    assert {path.name for path in out.iterdir() if path.is_file()} == {
        "results.csv",
        "runs.csv",
        "claims.csv",
        "report.html",
    }
    verdicts = (out / "claims.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert [line.split(",")[:2] for line in verdicts] == [["full", "true"], ["less", "true"]]
    assert "The rule of thumb for buffers" in (out / "report.html").read_text(encoding="utf-8")


def copied(name: str) -> Path:
    """A copy of what git knows, as it is in the tree."""
    copy = COPIES / name
    shutil.rmtree(copy, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    for each in filter(None, listed.stdout.split("\0")):
        if (ROOT / each).is_file() or (ROOT / each).is_symlink():
            (copy / each).parent.mkdir(parents=True, exist_ok=True)
            # With new times: cargo takes an older file for one that it has compiled already.
            shutil.copy(ROOT / each, copy / each, follow_symlinks=False)
    return copy


def run(line: str, copy: Path, environment: dict) -> None:
    python = str(ROOT / ".venv" / "bin" / "python")
    line = line.replace(".venv/bin/python", python)
    if line.startswith("ackclock "):
        line = f"{python} -m ackclock {line.removeprefix('ackclock ')}"
    done = subprocess.run(
        line, shell=True, cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{line}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
