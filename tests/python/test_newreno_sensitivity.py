"""The alternatives whose worth is measured: settings or policies, none of them the default."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from math import nan
from pathlib import Path

import pandas as pd
import pytest

from ackclock.studies.machinery.reproduce import concluded
from ackclock.studies.machinery.sensitivity import DEFAULTS, Alternative
from ackclock.studies.machinery.settings import main_scenario, scenarios
from ackclock.studies.newreno.levels import BACKGROUND, BURSTY, EMULATION, UDP
from ackclock.studies.newreno.parts import FILE, OWN_SETS
from ackclock.studies.newreno.sensitivity import ERRORS, SENSITIVITY
from ackclock.studies.newreno.study import STUDY
from newreno_runs import example_runs, made

SOME = (BURSTY, BACKGROUND, UDP, EMULATION)
ALTERNATIVES = [each.setting for each in SENSITIVITY.alternatives if each.setting != DEFAULTS]
DOCS = Path(__file__).parents[2] / "docs"


def sets_of(setting: str) -> tuple[str, ...]:
    return Alternative(setting).request(STUDY, 1, 1).sets


def told(setting: str) -> tuple[dict[str, str], Iterator[dict]]:
    """What is set, and the plan of every point, each compiled when it is asked for."""
    request = Alternative(setting, SOME).request(STUDY, 1, 1)
    values = {each.key: each.value for each in FILE.settings(main_scenario(request))}
    points = (point for its in scenarios(request).values() for point in its.points())
    return values, (point.compile().plan for point in points)


@pytest.fixture(scope="module")
def default() -> tuple[dict[str, str], list[dict]]:
    values, plans = told(DEFAULTS)
    return values, list(plans)


@pytest.mark.parametrize("setting", ALTERNATIVES)
def test_an_alternative_changes_what_it_names_and_the_runs(setting: str, default: tuple) -> None:
    sets = sets_of(setting)
    values, plans = told(setting)
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
    row = SENSITIVITY.rows(concluded(made(example_runs()))).iloc[0]
    assert row["claims_hold"] == 12
    assert row["testbed_ratio"] == pytest.approx(1.02)
    assert row["advantage"] == pytest.approx(25)
    assert all(row[name] > 0 for name in ERRORS)
    assert row["background"] == pytest.approx(100 - 100 / 1.02, abs=0.1)


def test_the_page_of_conventions_gets_a_row_a_setting() -> None:
    numbers = [1.25] * len(ERRORS)
    rows = [(DEFAULTS, *numbers, 1.234, 30.0, 11), ("a=b", nan, *numbers[1:], 0, 2, 0)]
    columns = ["setting", *ERRORS, "testbed_ratio", "advantage", "claims_hold"]
    lines = SENSITIVITY.markdown(pd.DataFrame(rows, columns=columns)).splitlines()
    assert len(lines) == 4
    assert lines[2].startswith("| *defaults* | 1.2 |")
    assert lines[2].endswith("| 1.23 | 30.0 | 11 |")
    assert lines[3].startswith("| `a=b` | nan |")
    assert lines[3].endswith("| 0.00 | 2.0 | 0 |")


def test_the_page_of_conventions_has_what_was_measured() -> None:
    measured = pd.read_csv(DOCS / "validation" / "newreno" / "sensitivity.csv")
    row = SENSITIVITY.rows(concluded(made(example_runs(1))))
    assert list(measured) == ["setting", *row]
    text = (DOCS / "conventions.md").read_text()
    assert f"<!-- sensitivity of newreno -->\n{SENSITIVITY.markdown(measured)}" in text
