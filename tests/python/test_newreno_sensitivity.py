"""The alternatives whose worth is measured: settings or policies, none of them the default."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from math import nan

import pandas as pd
import pytest

from ackclock.studies.common.sensitivity import DEFAULTS, sets_of
from ackclock.studies.newreno.levels import BACKGROUND, BURSTY, EMULATION, UDP, Selection
from ackclock.studies.newreno.parts import OWN_SETS
from ackclock.studies.newreno.predictions import flows_table
from ackclock.studies.newreno.result import Request
from ackclock.studies.newreno.sensitivity import (
    ALTERNATIVES,
    COLUMNS,
    ERRORS,
    markdown,
    row_of,
)
from ackclock.studies.newreno.settings import STUDY, part_scenarios, study_scenario
from newreno_runs import PAYLOADS, example_runs

SOME = Selection(parts=(BURSTY, BACKGROUND, UDP, EMULATION))


def told(*sets: str) -> tuple[dict[str, str], Iterator[dict]]:
    """What is set, and the plan of every point, each compiled when it is asked for."""
    request = Request(sets, SOME)
    values = {each.key: each.value for each in STUDY.settings(study_scenario(request))}
    scenarios = part_scenarios(request).values()
    return values, (point.compile().plan for its in scenarios for point in its.points())


@pytest.fixture(scope="module")
def default() -> tuple[dict[str, str], list[dict]]:
    values, plans = told()
    return values, list(plans)


@pytest.mark.parametrize("setting", ALTERNATIVES)
def test_an_alternative_changes_what_it_names_and_the_runs(setting: str, default: tuple) -> None:
    sets = sets_of(setting)
    values, plans = told(*sets)
    changed = {name: each for name, each in values.items() if each != default[0][name]}
    assert sorted(f"{key}={value}" for key, value in changed.items()) == sorted(sets)
    assert any(plan != its for plan, its in zip_longest(plans, default[1]))


def test_an_alternative_is_one_for_every_part() -> None:
    of_parts = {each.partition("=")[0] for sets in OWN_SETS.values() for each in sets}
    assert not of_parts & {
        each.partition("=")[0] for setting in ALTERNATIVES for each in sets_of(setting)
    }


def test_no_alternative_is_there_twice() -> None:
    assert len(set(ALTERNATIVES)) == len(ALTERNATIVES)


def test_a_row_has_errors_and_how_many_claims_hold() -> None:
    row = dict(zip(COLUMNS[1:], row_of(flows_table(example_runs(), PAYLOADS)), strict=True))
    assert row["claims_hold"] == 12
    assert row["testbed_ratio"] == pytest.approx(1.02)
    assert row["advantage"] == pytest.approx(25)
    assert all(row[name] > 0 for name in ERRORS)
    assert row["background"] == pytest.approx(100 - 100 / 1.02, abs=0.1)


def test_the_page_of_conventions_gets_a_row_a_setting() -> None:
    numbers = [1.25] * len(ERRORS)
    rows = [(DEFAULTS, *numbers, 1.234, 30.0, 11), ("a=b", nan, *numbers[1:], 1, 2, 3)]
    lines = markdown(pd.DataFrame(rows, columns=list(COLUMNS))).splitlines()
    assert len(lines) == 4
    assert lines[2].startswith("| *defaults* | 1.2 |")
    assert lines[2].endswith("| 1.23 | 30.0 | 11 |")
    assert lines[3].startswith("| `a=b` | nan |")
