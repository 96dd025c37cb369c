"""The alternatives whose worth is measured, of every study: each differs from the defaults."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from math import isnan, nan
from pathlib import Path
from statistics import fmean

import pandas as pd
import pytest

import abr_web_runs
import newreno_runs
import osu_tasks_runs
import rfc2415_runs
from ackclock.studies import study_of
from ackclock.studies.abr_web.levels import TABLE2
from ackclock.studies.machinery.reproduce import concluded
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Runs
from ackclock.studies.machinery.sensitivity import DEFAULTS, Alternative
from ackclock.studies.machinery.settings import main_scenario, scenarios
from ackclock.studies.newreno.parts import OWN_SETS
from ackclock.studies.newreno.sensitivity import ERRORS
from ackclock.studies.osu_tasks.levels import BURSTY
from ackclock.studies.rfc2415.analysis import by_the_chosen_clock
from study_cases import CLASSIC, made_for

DOCS = Path(__file__).parents[2] / "docs"
NAMES = [case.name for case in CLASSIC]
MEASURED = [name for name in NAMES if (DOCS / "validation" / name / "sensitivity.csv").exists()]
ALTERNATIVES = [
    (name, each)
    for name in NAMES
    for each in study_of(name).sensitivity.alternatives
    if each.setting != DEFAULTS
]

SHOWN_AS = {"0 s": "0 ms", "0.0625": "1/16"}
"""Values that the list of settings writes in another way."""


def described(request: Request) -> tuple[dict[tuple[str, str], str], Iterator[dict]]:
    """What is set, by part and key; the plan of every point, each compiled when it is asked for."""
    found = scenarios(request)
    values = {
        (part, each.key): each.value
        for part, its in found.items()
        for each in request.study.part(part).file.settings(its)
    }
    return values, (point.compile().plan for its in found.values() for point in its.points())


@cache
def default(name: str, parts: tuple[str, ...]) -> tuple[dict[tuple[str, str], str], list[dict]]:
    values, plans = described(Alternative(DEFAULTS, parts).request(study_of(name), 1, 1))
    return values, list(plans)


@pytest.mark.parametrize(("name", "alternative"), ALTERNATIVES, ids=str)
def test_an_alternative_changes_what_it_names_and_the_runs(name, alternative):
    request = alternative.request(study_of(name), 1, 1)
    if not request.sets:
        (option,) = request.options
        assert request.option(option) != Request(request.study).option(option)
        return
    before, plans_before = default(name, alternative.parts)
    values, plans = described(request)
    changed = {key: its for (part, key), its in values.items() if its != before[part, key]}
    pairs = dict(pair.split("=", 1) for pair in request.sets)
    # The list of settings does not look into lists of tables.
    shown = {key: value for key, value in pairs.items() if not value.startswith("[{")}
    assert changed == {key: SHOWN_AS.get(value, value) for key, value in shown.items()}
    assert any(plan != its for plan, its in zip_longest(plans, plans_before))


@pytest.mark.parametrize("name", NAMES)
def test_no_alternative_is_there_twice(name):
    alternatives = study_of(name).sensitivity.alternatives
    assert len(set(alternatives)) == len(alternatives)


@pytest.mark.parametrize("name", MEASURED)
def test_the_page_of_conventions_shows_what_was_measured(name):
    its = study_of(name).sensitivity
    numbers = pd.read_csv(DOCS / "validation" / name / "sensitivity.csv")
    table = numbers.fillna("")
    columns = [column for column in ("part", "setting") if column in table]
    measured = [tuple(row) for row in table[columns].drop_duplicates().to_numpy()]
    every = [(",".join(each.parts), each.setting)[-len(columns) :] for each in its.alternatives]
    assert measured == every
    page = (DOCS / "conventions.md").read_text(encoding="utf-8")
    shown = page.partition(f"<!-- sensitivity of {name} -->\n")[2].partition("\n\n")[0]
    assert shown + "\n" == its.markdown(numbers)


def row_of(name: str, made: Runs) -> dict:
    (row,) = study_of(name).sensitivity.rows(concluded(made)).to_dict("records")
    return row


def abr_web_row():
    return row_of("abr-web", abr_web_runs.made(abr_web_runs.example_runs(parts=(TABLE2,))))


def newreno_row():
    return row_of("newreno", newreno_runs.made(newreno_runs.example_runs()))


def osu_tasks_row(runs=None):
    asked = Alternative(DEFAULTS, (BURSTY.name,)).request(study_of("osu-tasks"), 3, 1)
    its = osu_tasks_runs.example_runs()[BURSTY.name] if runs is None else runs
    return row_of("osu-tasks", made_for(asked, {BURSTY.name: its}))


def rfc2415_row(runs=None):
    its = rfc2415_runs.example_runs() if runs is None else runs
    return row_of("rfc2415", rfc2415_runs.made(its))


def test_a_row_of_abr_web_has_distances_and_queues():
    row = abr_web_row()
    queues = [row[f"max_queue_{servers}"] for servers in (1, 5, 10, 15)]
    assert queues == [3000, 15_000, 19_000, 17_000]
    assert row["efficiency_15_pct"] == pytest.approx(90)
    assert row["response_5_s"] == pytest.approx(0.2)
    assert 0 < row["throughput_pct"] < 20
    assert 1 < row["queue_factor"] < 2


def test_a_row_of_newreno_has_errors():
    row = newreno_row()
    assert row["testbed_ratio"] == pytest.approx(1.02)
    assert row["advantage"] == pytest.approx(25)
    assert all(row[name] > 0 for name in ERRORS)
    # 2 % above the model, and a little else in each of 8 replications.
    each = [abs(100 - 100 / (1.02 + 0.01 * (k - 3.5))) for k in range(8)]
    assert row["background"] == pytest.approx(fmean(each), abs=0.1)


def test_a_row_of_osu_tasks_has_the_means_and_the_conclusions_of_single_runs():
    row = osu_tasks_row()
    assert list(row) == ["efficiency", "fairness", "reached", "missed"]
    efficiency, fairness, reached, missed = row.values()
    assert efficiency == pytest.approx(0.8 + 0.01 * 3.5 / 3)
    assert fairness == pytest.approx(0.9)
    assert (reached, missed) == ("bursty-like-persistent", "")
    turned = osu_tasks_runs.example_runs()[BURSTY.name]
    turned.loc[turned.eval("traffic == 'WWW' and tcp_flavor == 'SACK'"), "efficiency"] -= 0.3
    assert list(osu_tasks_row(turned).values())[2:] == ["", "bursty-like-persistent"]


def test_a_row_of_rfc2415_has_distances_and_how_many_conclusions_single_runs_reach():
    row = rfc2415_row()
    assert row["reached"] == 13
    runs = rfc2415_runs.example_runs()
    congested = runs["part"].eq("tables") & runs["http"].eq("1.0") & runs["iw"].eq(4)
    assert rfc2415_row(runs.assign(drop_pct=runs["drop_pct"] + 2 * congested))["reached"] == 12
    single = runs[runs["replication"] == 0]
    assert isnan(rfc2415_row(single)["reached"])
    slower = runs.assign(page_delay_open_s=runs["page_delay_open_s"] * 10)
    request = Request(study_of("rfc2415"), options={"page-clock": "open"})
    timed = by_the_chosen_clock(slower, request, main_scenario(request))
    assert rfc2415_row(timed)["delay_http10_pct"] > row["delay_http10_pct"]


ROWS = {
    "abr-web": abr_web_row,
    "newreno": newreno_row,
    "osu-tasks": osu_tasks_row,
    "rfc2415": rfc2415_row,
}
_ERRORS = len(ERRORS) - 1


@pytest.mark.parametrize(
    ("name", "numbers", "shown"),
    [
        (
            "abr-web",
            (4.25, 3.24, 1.256, 0.9, 3000.4, 1, 2, 3, 90.04, 0.25),
            "| 4.2 | 3.2 | 1.26 | 0.90 | 3000 | 1 | 2 | 3 | 90.0 | 0.25 |",
        ),
        (
            "newreno",
            (1.25, *[1.25] * _ERRORS, 1.234, 30.0),
            "| 1.2 |" + " 1.2 |" * _ERRORS + " 1.23 | 30.0 |",
        ),
        (
            "newreno",
            (nan, *[1.25] * _ERRORS, 0, 2),
            "| nan |" + " 1.2 |" * _ERRORS + " 0.00 | 2.0 |",
        ),
        ("osu-tasks", (0.81, 0.9, "a", ""), "| 0.810 | 0.900 | none |"),
        ("osu-tasks", (0.8, 0.9, "", "a b"), "| 0.800 | 0.900 | `a`, `b` |"),
        (
            "rfc2415",
            (12.34, nan, 2.0, 3.0, 0.456, 11.04),
            "| 12.3 | nan | 2.0 | 3.0 | 0.46 | 11.0 |",
        ),
    ],
)
def test_the_page_of_conventions_gets_a_row_a_setting(name, numbers, shown):
    part = {"part": "bursty"} if name == "osu-tasks" else {}
    default = ROWS[name]()
    row = dict(zip(default, numbers, strict=True))
    settings = {DEFAULTS: default, "a=b": row}
    table = pd.DataFrame([{**part, "setting": key, **its} for key, its in settings.items()])
    begin = "".join(f"| {each} " for each in part.values())
    _, _, first, second = study_of(name).sensitivity.markdown(table).splitlines()
    assert first.startswith(f"{begin}| *defaults* |")
    assert second == f"{begin}| `a=b` {shown}"


@pytest.mark.parametrize("name", sorted(ROWS.keys() & set(MEASURED)))
def test_what_was_measured_has_the_numbers_of_a_row(name):
    measured = list(pd.read_csv(DOCS / "validation" / name / "sensitivity.csv"))
    assert measured[measured.index("setting") + 1 :] == list(ROWS[name]())


def test_an_alternative_of_newreno_is_one_for_every_part():
    of_parts = {each.partition("=")[0] for sets in OWN_SETS.values() for each in sets}
    alternatives = [alternative for name, alternative in ALTERNATIVES if name == "newreno"]
    keys = {
        pair.partition("=")[0]
        for each in alternatives
        for pair in each.request(study_of("newreno"), 1, 1).sets
    }
    assert keys
    assert not of_parts & keys


def test_every_part_of_osu_tasks_has_its_defaults_first():
    first = {}
    for setting, parts in study_of("osu-tasks").sensitivity.alternatives:
        first.setdefault(parts, setting)
    assert set(first.values()) == {DEFAULTS}


def test_the_other_clocks_of_pages_of_rfc2415_are_alternatives():
    clocks = [each.setting for name, each in ALTERNATIVES if each.setting.startswith("--")]
    assert clocks == ["--page-clock request", "--page-clock open"]
