"""The alternatives whose worth is measured: settings or policies, none of them the default."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

import pandas as pd
import pytest

from abr_web_runs import BOUNDS, example_runs
from ackclock.studies.abr_web.levels import TABLE2, Selection
from ackclock.studies.abr_web.result import Request
from ackclock.studies.abr_web.sensitivity import ALTERNATIVES, COLUMNS, markdown, row_of
from ackclock.studies.abr_web.settings import STUDY, study_scenario
from ackclock.studies.common.sensitivity import DEFAULTS, sets_of

SOME = Selection(parts=(TABLE2,))


def told(*sets: str) -> tuple[dict[str, str], Iterator[dict]]:
    """What is set, and the plan of every point, each compiled when it is asked for."""
    its = study_scenario(Request(sets, SOME))
    values = {each.key: each.value for each in STUDY.settings(its)}
    return values, (point.compile().plan for point in its.points()[:2])


@pytest.fixture(scope="module")
def default() -> tuple[dict[str, str], list[dict]]:
    values, plans = told()
    return values, list(plans)


@pytest.mark.parametrize("setting", ALTERNATIVES)
def test_an_alternative_changes_what_it_names_and_the_runs(setting: str, default: tuple) -> None:
    sets = sets_of(setting)
    values, plans = told(*sets)
    changed = {name: each for name, each in values.items() if each != default[0][name]}
    assert sorted(changed) == sorted(each.partition("=")[0] for each in sets)
    assert any(plan != its for plan, its in zip_longest(plans, default[1]))


def test_no_alternative_is_there_twice() -> None:
    assert len(set(ALTERNATIVES)) == len(ALTERNATIVES)


def test_a_row_has_distances_and_how_many_claims_hold() -> None:
    runs = example_runs(selection=SOME)
    row = dict(zip(COLUMNS[1:], row_of(runs, BOUNDS), strict=True))
    assert row["claims_hold"] == 4
    assert [row[f"max_queue_{servers}"] for servers in (1, 5, 10, 15)] == [
        3000,
        15_000,
        19_000,
        17_000,
    ]
    assert row["efficiency_15_pct"] == pytest.approx(90)
    assert row["response_5_s"] == pytest.approx(0.2)
    assert 0 < row["throughput_pct"] < 20
    assert 1 < row["queue_factor"] < 2


def test_the_page_of_conventions_gets_a_row_a_setting() -> None:
    numbers = [4.25, 3.24, 1.256, 0.9, 3000.4, 1, 2, 3, 90.04, 0.25, 4]
    table = pd.DataFrame([(DEFAULTS, *numbers), ("a=b", *numbers)], columns=list(COLUMNS))
    lines = markdown(table).splitlines()
    assert len(lines) == 4
    assert lines[2] == (
        "| *defaults* | 4.2 | 3.2 | 1.26 | 0.90 | 3000 | 1 | 2 | 3 | 90.0 | 0.25 | 4 |"
    )
    assert lines[3].startswith("| `a=b` | 4.2 |")
