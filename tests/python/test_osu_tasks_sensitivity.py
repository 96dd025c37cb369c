"""The alternatives whose worth is measured: settings of their parts, none of them the default."""

from __future__ import annotations

import pandas as pd
import pytest

from ackclock.studies.machinery.reproduce import concluded
from ackclock.studies.machinery.running import chosen_points
from ackclock.studies.machinery.sensitivity import DEFAULTS, Alternative
from ackclock.studies.osu_tasks.levels import BURSTY
from ackclock.studies.osu_tasks.sensitivity import SENSITIVITY
from ackclock.studies.osu_tasks.study import STUDY
from osu_tasks_runs import example_runs
from study_cases import made_for

ALTERNATIVES = SENSITIVITY.alternatives
COLUMNS = ("part", "setting", "efficiency", "fairness", "holding", "failing")
SOME = 12


def plans(alternative):
    """Of some of the points of a part, which have different policies."""
    (points,) = chosen_points(alternative.request(STUDY, 1, 1)).values()
    some = list(points.values())[:: max(len(points) // SOME, 1)]
    return [point.compile().plan for point in some]


@pytest.mark.parametrize(
    "alternative", [each for each in ALTERNATIVES if each.setting != DEFAULTS], ids=str
)
def test_an_alternative_changes_the_runs(alternative):
    assert plans(alternative) != plans(alternative._replace(setting=DEFAULTS))


def test_every_part_has_its_defaults_first_and_nothing_twice():
    assert len(set(ALTERNATIVES)) == len(ALTERNATIVES)
    first = {}
    for setting, parts in ALTERNATIVES:
        first.setdefault(parts, setting)
    assert set(first.values()) == {DEFAULTS}


def row_of(runs):
    asked = Alternative(DEFAULTS, (BURSTY.name,)).request(STUDY, 3, 1)
    (row,) = SENSITIVITY.rows(concluded(made_for(asked, {BURSTY.name: runs}))).to_dict("records")
    assert tuple(row) == COLUMNS[2:]
    return tuple(row.values())


def test_a_row_has_the_means_and_the_claims():
    runs = example_runs()[BURSTY.name]
    efficiency, fairness, holding, failing = row_of(runs)
    assert efficiency == pytest.approx(0.8 + 0.01 * 3.5 / 3)
    assert fairness == pytest.approx(0.9)
    assert (holding, failing) == ("bursty-like-persistent", "")
    turned = runs.copy()
    turned.loc[turned.eval("traffic == 'WWW' and tcp_flavor == 'SACK'"), "efficiency"] -= 0.3
    assert row_of(turned)[2:] == ("", "bursty-like-persistent")


def test_the_page_of_conventions_gets_a_row_a_setting():
    rows = [("bursty", DEFAULTS, 0.81, 0.9, "a", ""), ("bursty", "a=b", 0.8, 0.9, "", "a b")]
    lines = SENSITIVITY.markdown(pd.DataFrame(rows, columns=list(COLUMNS))).splitlines()
    assert lines[2:] == [
        "| bursty | *defaults* | 0.810 | 0.900 | none |",
        "| bursty | `a=b` | 0.800 | 0.900 | `a`, `b` |",
    ]
