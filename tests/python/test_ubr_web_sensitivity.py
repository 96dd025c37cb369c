"""The alternatives whose worth is measured: each is a setting, and none is the default."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pandas as pd
import pytest

from ackclock.studies.machinery.sensitivity import DEFAULTS, Alternative
from ackclock.studies.machinery.settings import main_scenario
from ackclock.studies.ubr_web.sensitivity import SENSITIVITY
from ackclock.studies.ubr_web.study import STUDY

ALTERNATIVES = [each.setting for each in SENSITIVITY.alternatives[1:]]


def changed(setting: str) -> tuple[dict[str, str], Iterator[dict]]:
    """What is set, and the plan of every point, each compiled when it is asked for."""
    scenario = main_scenario(Alternative(setting).request(STUDY, replications=1, seed=1))
    values = {each.key: each.value for each in STUDY.main_part.file.settings(scenario)}
    return values, (point.compile().plan for point in scenario.points())


@pytest.fixture(scope="module")
def default() -> tuple[dict[str, str], list[dict]]:
    values, plans = changed(DEFAULTS)
    return values, list(plans)


@pytest.mark.parametrize("setting", ALTERNATIVES)
def test_an_alternative_changes_one_setting_and_the_runs(setting: str, default: tuple) -> None:
    key, _, value = setting.partition("=")
    values, plans = changed(setting)
    assert {name for name, each in values.items() if each != default[0][name]} == {key}
    assert values[key] == value
    assert any(plan != its for plan, its in zip_longest(plans, default[1]))


def test_no_alternative_is_there_twice() -> None:
    assert len(set(ALTERNATIVES)) == len(ALTERNATIVES)


def test_the_page_shows_what_was_measured() -> None:
    docs = Path(__file__).parents[2] / "docs"
    table = pd.read_csv(docs / "validation" / "ubr-web" / "sensitivity.csv")
    assert tuple(table["setting"].unique()) == (DEFAULTS, *ALTERNATIVES)
    page = (docs / "conventions.md").read_text(encoding="utf-8")
    shown = page.partition("<!-- sensitivity of ubr-web -->\n")[2].partition("\n\n")[0]
    assert shown + "\n" == SENSITIVITY.markdown(table)
