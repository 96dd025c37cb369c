"""The alternatives whose worth is measured: settings of their parts, none of them the default."""

from __future__ import annotations

import pandas as pd
import pytest

from ackclock.studies.common.sensitivity import DEFAULTS, sets_of
from ackclock.studies.osu_tasks.levels import BURSTY
from ackclock.studies.osu_tasks.parts import PARTS
from ackclock.studies.osu_tasks.result import Request, Selection
from ackclock.studies.osu_tasks.runs import points_of
from ackclock.studies.osu_tasks.sensitivity import ALTERNATIVES, COLUMNS, markdown, row_of
from ackclock.studies.osu_tasks.settings import part_scenarios
from osu_tasks_runs import example_runs

SOME = 12


def plans(part, *sets):
    """Of some of the points of a part, which have different policies."""
    its = part_scenarios(Request(sets, Selection((part,))))[part]
    points = list(points_of(PARTS[part], its).values())
    return [point.compile().plan for point in points[:: max(len(points) // SOME, 1)]]


@pytest.mark.parametrize(
    "alternative", [each for each in ALTERNATIVES if each.setting != DEFAULTS], ids=str
)
def test_an_alternative_changes_the_runs(alternative):
    part = alternative.part
    assert plans(part, *sets_of(alternative.setting)) != plans(part)


def test_every_part_has_its_defaults_first_and_nothing_twice():
    assert len(set(ALTERNATIVES)) == len(ALTERNATIVES)
    first = {}
    for part, setting in ALTERNATIVES:
        first.setdefault(part, setting)
    assert set(first.values()) == {DEFAULTS}


def test_a_row_tells_the_means_and_the_claims():
    runs = example_runs()[BURSTY.name]
    efficiency, fairness, holding, failing = row_of(BURSTY.name, runs)
    assert efficiency == pytest.approx(0.8 + 0.01 * 3.5 / 3)
    assert fairness == pytest.approx(0.9)
    assert (holding, failing) == ("bursty-like-persistent", "")
    turned = runs.copy()
    turned.loc[turned.eval("traffic == 'WWW' and tcp_flavor == 'SACK'"), "efficiency"] -= 0.3
    assert row_of(BURSTY.name, turned)[2:] == ("", "bursty-like-persistent")


def test_the_page_of_conventions_gets_a_row_a_setting():
    rows = [("bursty", DEFAULTS, 0.81, 0.9, "a", ""), ("bursty", "a=b", 0.8, 0.9, "", "a b")]
    lines = markdown(pd.DataFrame(rows, columns=list(COLUMNS))).splitlines()
    assert lines[2:] == [
        "| bursty | *defaults* | 0.810 | 0.900 | none |",
        "| bursty | `a=b` | 0.800 | 0.900 | `a`, `b` |",
    ]
