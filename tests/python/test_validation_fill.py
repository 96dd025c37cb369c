"""The script that puts measured tables into the page of conventions."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from ackclock.studies import STUDIES, study_of

ROOT = Path(__file__).parents[2]
FILL = runpy.run_path(str(ROOT / "docs/validation/fill.py"))
MARK = "<!-- sensitivity of some -->\n"
TABLE = "| a |\n|---|\n| 1 |\n"


@pytest.mark.parametrize("there", ["", "| a |\n|---|\n| 0 |\n| 7 |\n"])
def test_only_the_table_behind_the_mark_is_written_anew(there: str) -> None:
    around = f"Before.\n\n{MARK}{{}}\nWhat follows stays.\n\n| b |\n|---|\n| 2 |\n"
    assert FILL["with_table"](around.format(there), "some", TABLE) == around.format(TABLE)


def test_each_study_has_its_mark() -> None:
    page = (ROOT / "docs/conventions.md").read_text(encoding="utf-8")
    for study in filter(lambda name: study_of(name).sensitivity, STUDIES):
        assert page.count(f"<!-- sensitivity of {study} -->\n") == 1, study
