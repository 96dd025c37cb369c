"""The alternatives whose worth is measured, of every study: each differs from the defaults."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pandas as pd
import pytest

from ackclock.studies import study_of
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.sensitivity import DEFAULTS, Alternative
from ackclock.studies.machinery.settings import scenarios
from study_cases import CASES

DOCS = Path(__file__).parents[2] / "docs"
NAMES = [case.name for case in CASES]
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
