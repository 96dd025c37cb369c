"""The alternatives whose worth is measured: settings or policies, none of them the default."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from math import nan
from pathlib import Path

import pandas as pd
import pytest

from ackclock.studies.rfc2415.levels import TABLES, Selection
from ackclock.studies.rfc2415.result import Request
from ackclock.studies.rfc2415.sensitivity import (
    ALTERNATIVES,
    CLOCK,
    COLUMNS,
    DEFAULTS,
    markdown,
    sets_of,
    tables_of,
)
from ackclock.studies.rfc2415.settings import STUDY, study_scenario
from rfc2415_runs import example_runs

TABLES_ONLY = Selection(parts=(TABLES,))


def told(*sets: str) -> tuple[dict[str, str], Iterator[dict]]:
    """What is set, and the plan of every point, each compiled when it is asked for."""
    scenario = study_scenario(Request(sets, TABLES_ONLY))
    values = {each.key: each.value for each in STUDY.settings(scenario)}
    return values, (point.compile().plan for point in scenario.points())


@pytest.fixture(scope="module")
def default() -> tuple[dict[str, str], list[dict]]:
    values, plans = told()
    return values, list(plans)


@pytest.mark.parametrize("setting", ALTERNATIVES)
def test_an_alternative_changes_what_it_names_and_the_runs(setting: str, default: tuple) -> None:
    sets = sets_of(setting)
    values, plans = told(*sets)
    changed = {name: each for name, each in values.items() if each != default[0][name]}
    # A list of tables is no setting with a value, but may be set.
    listed = [each for each in sets if each.partition("=")[0] in values]
    assert sorted(f"{key}={value}" for key, value in changed.items()) == sorted(listed)
    assert any(plan != its for plan, its in zip_longest(plans, default[1]))


def test_no_alternative_is_there_twice() -> None:
    assert len(set(ALTERNATIVES)) == len(ALTERNATIVES)


def test_the_distances_and_how_many_claims_hold() -> None:
    runs = example_runs()
    *errors, claims = tables_of(runs, "no_setup")
    assert claims == 13
    assert len(errors) == 5
    slower = runs.assign(page_delay_open_s=runs["page_delay_open_s"] * 10)
    assert tables_of(slower, "open")[0] > errors[0]


def test_the_page_of_conventions_gets_a_row_a_setting() -> None:
    rows = [(DEFAULTS, 12.34, 1.0, 2.0, 3.0, 0.456, 11), ("a=b", nan, 1.0, 2.0, 3.0, 4.0, 5)]
    lines = markdown(pd.DataFrame(rows, columns=list(COLUMNS))).splitlines()
    assert len(lines) == 4
    assert lines[2] == "| *defaults* | 12.3 | 1.0 | 2.0 | 3.0 | 0.46 | 11 |"
    assert lines[3].startswith("| `a=b` | nan |")


def test_the_page_shows_what_was_measured() -> None:
    docs = Path(__file__).parents[2] / "docs"
    table = pd.read_csv(docs / "validation" / "rfc2415" / "sensitivity.csv")
    settings = [each for each in table["setting"] if not each.startswith(CLOCK)]
    assert settings == [DEFAULTS, *ALTERNATIVES]
    page = (docs / "conventions.md").read_text(encoding="utf-8")
    shown = page.partition("<!-- sensitivity of rfc2415 -->\n")[2].partition("\n\n")[0]
    assert shown.rstrip("\n") + "\n" == markdown(table)
