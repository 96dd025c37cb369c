"""The alternatives whose worth is measured: settings or policies, none of them the default."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from math import nan
from pathlib import Path

import pandas as pd
import pytest

from ackclock.studies.machinery.reproduce import concluded
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.sensitivity import DEFAULTS
from ackclock.studies.machinery.settings import main_scenario
from ackclock.studies.rfc2415.analysis import by_the_chosen_clock
from ackclock.studies.rfc2415.sensitivity import SENSITIVITY
from ackclock.studies.rfc2415.study import STUDY
from rfc2415_runs import example_runs, made

ALTERNATIVES = SENSITIVITY.alternatives[1:]
SETTINGS = [each for each in ALTERNATIVES if not each.setting.startswith("--")]
COLUMNS = [
    "setting",
    "delay_http10_pct",
    "delay_http11_pct",
    "decrease",
    "utilisation",
    "drops",
    "claims_hold",
]


def told(request: Request) -> tuple[dict[str, str], Iterator[dict]]:
    """What is set, and the plan of every point, each compiled when it is asked for."""
    its = main_scenario(request)
    values = {each.key: each.value for each in STUDY.main_part.file.settings(its)}
    return values, (point.compile().plan for point in its.points())


@pytest.fixture(scope="module")
def default() -> tuple[dict[str, str], list[dict]]:
    values, plans = told(Request(STUDY))
    return values, list(plans)


@pytest.mark.parametrize("alternative", SETTINGS, ids=lambda each: each.setting)
def test_an_alternative_changes_what_it_names_and_the_runs(alternative, default: tuple) -> None:
    request = alternative.request(STUDY, 1, 1)
    values, plans = told(request)
    changed = {name: each for name, each in values.items() if each != default[0][name]}
    # A list of tables is no setting with a value, but may be set.
    listed = [each for each in request.sets if each.partition("=")[0] in values]
    assert sorted(f"{key}={value}" for key, value in changed.items()) == sorted(listed)
    assert any(plan != its for plan, its in zip_longest(plans, default[1]))


def test_the_other_clocks_of_pages_are_alternatives() -> None:
    clocks = [each for each in ALTERNATIVES if each not in SETTINGS]
    found = [each.request(STUDY, 1, 1).option("page-clock") for each in clocks]
    assert found == ["request", "open"]


def test_no_alternative_is_there_twice() -> None:
    assert len(set(ALTERNATIVES)) == len(ALTERNATIVES)


def test_the_distances_and_how_many_claims_hold() -> None:
    runs = example_runs()
    (row,) = SENSITIVITY.rows(concluded(made(runs))).itertuples()
    assert row.claims_hold == 13
    assert row._fields[1:] == tuple(COLUMNS[1:])
    slower = runs.assign(page_delay_open_s=runs["page_delay_open_s"] * 10)
    request = Request(STUDY, options={"page-clock": "open"})
    timed = by_the_chosen_clock(slower, request, main_scenario(request))
    (other,) = SENSITIVITY.rows(concluded(made(timed))).itertuples()
    assert other.delay_http10_pct > row.delay_http10_pct


def test_the_page_of_conventions_gets_a_row_a_setting() -> None:
    rows = [(DEFAULTS, 12.34, 1.0, 2.0, 3.0, 0.456, 11), ("a=b", nan, 1.0, 2.0, 3.0, 4.0, 5)]
    lines = SENSITIVITY.markdown(pd.DataFrame(rows, columns=COLUMNS)).splitlines()
    assert len(lines) == 4
    assert lines[2] == "| *defaults* | 12.3 | 1.0 | 2.0 | 3.0 | 0.46 | 11 |"
    assert lines[3].startswith("| `a=b` | nan |")


def test_the_page_shows_what_was_measured() -> None:
    docs = Path(__file__).parents[2] / "docs"
    table = pd.read_csv(docs / "validation" / "rfc2415" / "sensitivity.csv")
    assert list(table["setting"]) == [each.setting for each in SENSITIVITY.alternatives]
    page = (docs / "conventions.md").read_text(encoding="utf-8")
    shown = page.partition("<!-- sensitivity of rfc2415 -->\n")[2].partition("\n\n")[0]
    assert shown.rstrip("\n") + "\n" == SENSITIVITY.markdown(table)
