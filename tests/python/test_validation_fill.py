"""The script that puts measured tables into the page of conventions."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from ackclock.studies.newreno import sensitivity as newreno
from ackclock.studies.ubr_web import sensitivity as ubr_web

ROOT = Path(__file__).parents[2]
FILL = runpy.run_path(str(ROOT / "docs/validation/fill.py"))
MARK = "<!-- sensitivity of some -->\n"
TABLE = "| a |\n|---|\n| 1 |\n"


@pytest.mark.parametrize("there", ["", "| a |\n|---|\n| 0 |\n| 7 |\n"])
def test_only_the_table_behind_the_mark_is_written_anew(there: str) -> None:
    around = f"Before.\n\n{MARK}{{}}\nWhat follows stays.\n\n| b |\n|---|\n| 2 |\n"
    assert FILL["with_table"](around.format(there), "some", TABLE) == around.format(TABLE)


def test_each_study_has_its_mark_and_what_was_measured_is_on_the_page() -> None:
    page = (ROOT / "docs/conventions.md").read_text(encoding="utf-8")
    for study in FILL["TABLES"]:
        assert page.count(f"<!-- sensitivity of {study} -->\n") == 1, study
    measured = (*ubr_web.ALTERNATIVES, *newreno.ALTERNATIVES)
    assert [each for each in measured if f"`{each}`" not in page] == []
