"""The list of all studies, and how the numbers in it are kept."""

from __future__ import annotations

import csv
import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

from ackclock.cli import main
from ackclock.studies import STUDIES
from ackclock.studies.machinery import listing

VALIDATION = Path(__file__).parents[2] / "docs/validation"
CLAIMS = (
    "id,holds,p,reached,evidence\na,true,0.01,,x\nb,true,0.02,,x\nc,,,,x\nd,exploratory,0.1,,x\n"
)


@pytest.fixture
def keep():
    """The script, with its folder found as if it were run."""
    sys.path.insert(0, str(VALIDATION))
    yield import_module("keep")
    sys.path.remove(str(VALIDATION))


def test_all_studies_are_listed_with_question_and_verdicts(capsys):
    assert main(["reproduce", "--list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == list(STUDIES)
    assert all(row["question"] and row["source"] for row in rows)


def test_the_verdicts_are_those_of_the_pages():
    words = {"true", "false", "undecided", "exploratory"}
    for row in listing.rows():
        if row.replications:
            with (VALIDATION / row.name / "claims.csv").open(newline="") as file:
                found = [each["holds"] for each in csv.DictReader(file)]
            assert row.verdicts == {word: found.count(word) for word in words}


def test_the_list_on_a_terminal_has_every_study(capsys):
    assert main(["reproduce", "--list"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in STUDIES)
    assert "Time is that of one replication on one processor." in text


def test_without_a_study_the_command_shows_its_help(capsys):
    assert main(["reproduce"]) == 0
    assert "Usage:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("verdicts", "text"),
    [
        ((5, 0, 0, 0), "5 hold, 10 replications"),
        ((1, 2, 1, 3), "1 holds, 2 fail, 1 is undecided and 3 are exploratory, 10 replications"),
    ],
)
def test_verdicts_in_words(verdicts, text):
    names = ("true", "false", "undecided", "exploratory")
    row = listing.Row("a", "q", "s", 10, 600.0, dict(zip(names, verdicts, strict=True)))
    assert row.found == text
    assert row.time == "1 min"


def test_what_was_not_measured_is_said_to_be_so():
    row = listing.Row("a", "q", "s", None, 0.0, {})
    assert row.found == row.time == "not measured"


def test_kept_numbers_come_from_claims_and_journals(keep, tmp_path):
    (tmp_path / "claims.csv").write_text(CLAIMS)
    for part, runs in {"one": [(0, 1.5), (1, 2.5)], "two": [(0, 3.0)]}.items():
        lines = [json.dumps({"journal": 1})]
        lines += [json.dumps({"run": "x", "replication": n, "duration_s": s}) for n, s in runs]
        (tmp_path / part).mkdir()
        (tmp_path / part / "journal.jsonl").write_text("\n".join(lines))
    assert keep.measured("abr-web", tmp_path) == {
        "study": "abr-web",
        "replications": "2",
        "processor_s": "7",
        "true": "2",
        "false": "0",
        "undecided": "0",
        "exploratory": "1",
    }


def test_a_line_takes_the_place_of_the_earlier_one(keep, tmp_path, monkeypatch):
    path = tmp_path / "measured.csv"
    path.write_text(f"{','.join(keep.COLUMNS)}\nabr-web,1,1,1,1,1,1\nubr-web,2,2,2,2,2,2\n")
    monkeypatch.setattr(keep, "MEASURED", path)
    keep.write_line(dict(zip(keep.COLUMNS, ["abr-web", *"345678"], strict=True)))
    assert path.read_text().splitlines()[1:] == ["ubr-web,2,2,2,2,2,2", "abr-web,3,4,5,6,7,8"]
