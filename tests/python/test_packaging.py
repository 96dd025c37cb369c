"""What says how this version is called, built and cited; and the first command of a newcomer."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from ackclock import __version__
from ackclock.scenario.plan import SCHEMA
from ackclock.scenario.ready_made import FOLDER, ready_made
from teaching_set import ROOT, SCENARIOS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LICENSE = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["license"]
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
DEVELOPERS = [{"name": "The ackclock developers"}]


def test_the_package_has_the_scenarios_of_the_tree():
    assert FOLDER.samefile(ROOT / "scenarios")
    assert set(ready_made()) == set(SCENARIOS)


def test_the_citation_is_of_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0"
    assert (cited["title"], cited["type"]) == ("ackclock", "software")
    assert (cited["version"], cited["license"]) == (__version__, LICENSE)
    assert cited["authors"] == PROJECT["authors"] == DEVELOPERS
    known = {"abstract", "authors", "cff-version", "keywords", "license", "message"}
    assert set(cited) == known | {"title", "type", "version"}


def test_the_project_has_one_license_and_one_oldest_python():
    assert PROJECT["license"] == LICENSE
    oldest = PROJECT["requires-python"].removeprefix(">=")
    pythons = [each for each in PROJECT["classifiers"] if each[-1].isdigit()]
    assert pythons == [f"Programming Language :: Python :: {oldest}"]
    binding = tomllib.loads((ROOT / "crates/py/Cargo.toml").read_text())
    features = binding["dependencies"]["pyo3"]["features"]
    assert f"abi3-py{oldest.replace('.', '')}" in features


def test_the_changelog_begins_with_this_version():
    versions = re.findall(r"^## (\S+)", CHANGES, re.MULTILINE)
    assert versions[0] == __version__
    assert len(versions) == len(set(versions))


def test_the_changelog_counts_what_there_is():
    lessons = [*(ROOT / "python/ackclock/lab/lessons").glob("*.toml")]
    for words in (
        f"{len(SCENARIOS)} ready-made scenarios",
        f"one of {len(lessons)} lessons",
        f"Plans have schema {SCHEMA}:",
    ):
        assert words in CHANGES


def test_the_links_of_the_changelog_lead_to_files():
    places = [each for each in re.findall(r"\]\(([^)]+)\)", CHANGES) if "://" not in each]
    assert places
    assert [each for each in places if not (ROOT / each).exists()] == []


STUDY = '--set topology.pairs=4 --set "duration=2 s" --links WAN --buffers 1'
COMMAND = f"""\
#!{sys.executable}
import sys
from ackclock.cli import main
short = ["--replications", "2", "--set", "warm_up=4 s", "--set", "duration=12 s"]
sys.exit(main(sys.argv[1:] + (short if sys.argv[1] == "run" else [])))
"""
"""The command ackclock, but with short runs."""


@pytest.fixture
def said(tmp_path):
    """What the recipe of `make run` prints with short runs; nothing is installed."""
    command = tmp_path / "bin" / "ackclock"
    command.parent.mkdir()
    command.write_text(COMMAND)
    command.chmod(0o755)
    make = ["make", "--no-print-directory", "--old-file", ".venv/.core", "run"]
    variables = [f"BIN={command.parent}", f"OUT={tmp_path / 'out'}", f"ARGS={STUDY}"]
    # A make around the tests must not give this one its own options.
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    env |= {"PYTHONPATH": str(ROOT / "python"), "COLUMNS": "160"}
    env.pop("MFLAGS", None)
    done = subprocess.run([*make, *variables], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_make_run_shows_two_answers_and_ends_with_where_they_are(said, tmp_path):
    study, comparison = said.split("\n2 of 2: ")
    assert study.startswith("1 of 2: ")
    assert "Mean absolute error against the published results" in study
    assert "conclusions" in study
    assert "EPD Vanilla" not in study
    for limit in ("17 packets", "533 packets"):
        assert f"\n  {limit} " in comparison
    *places, following = said.splitlines()[-4:]
    for line in places:
        assert Path(line.rpartition(" ")[2]).stat().st_size > 5000
    assert following.endswith("ackclock lab")
    assert len(said.splitlines()) < 40
