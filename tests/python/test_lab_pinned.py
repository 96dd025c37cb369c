"""A point of a sweep by itself makes the runs that it makes in the sweep."""

import tomllib
from decimal import Decimal
from pathlib import Path

import pytest

from ackclock import scenario
from ackclock.lab.campaigns.pinned_scenario import pinned
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.toml_text import inline
from emulated import TEXT

ROOT = Path(__file__).parents[2]
FILES = sorted(
    [*ROOT.glob("scenarios/*.toml"), *ROOT.glob("python/ackclock/studies/**/*.toml")],
    key=lambda path: path.name,
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_pinned_point_has_the_plan_of_the_point(path):
    whole = scenario.load(path)
    points = whole.points()
    for point in {0: points[0], len(points) - 1: points[-1]}.values():
        alone = scenario.load(path, pinned(point, whole.sets)).points()
        assert len(alone) == 1
        assert len(alone[0].levels) == len(point.levels)
        assert canonical_json(alone[0].compile().plan) == canonical_json(point.compile().plan)


def test_a_pinned_point_keeps_what_was_set_but_the_sweep():
    path = ROOT / "scenarios" / "red.toml"
    sets = ("tcp.delayed_ack=off", "seed=7", "figures=[]")
    point = scenario.load(path, sets).points()[1]
    found = pinned(point, sets)
    assert found[:2] == sets[:2]
    assert sum(pair.startswith("figures") for pair in found) == 1
    assert scenario.load(path, found).points()[0].compile().plan == point.compile().plan


def test_a_scenario_without_a_sweep_stays_as_it_is():
    (only,) = scenario.load(TEXT).points()
    assert pinned(only, ("seed=2",)) == ("seed=2",)


def test_values_are_written_as_they_were():
    value = {"a.b": [Decimal("0.50"), 3, True, 'a "quoted"\\ text'], "empty": {}}
    assert tomllib.loads(f"v = {inline(value)}", parse_float=Decimal)["v"] == value
