"""The compiled core, as this package calls it."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from ackclock import __version__, _core
from ackclock.scenario.plan import SCHEMA, canonical_json
from ackclock.scenario.settings import apply
from ackclock.studies.ubr_web.compile import CORE_FLAVORS, compile_plan
from ackclock.studies.ubr_web.levels import Point, Selection
from ackclock.studies.ubr_web.parameters import Parameters

PARAMETERS = apply(Parameters, ["pairs=5", "duration=3 s", "workload.start_spread=1 s"])
POINT = Point("WAN", "SD", "SACK", 0.5)
WATCHED = {"queue_bin_ps": 10**11, "cwnd_of": [0, 4]}


def run(point=POINT, seed=1, probes=None):
    return _core.run(canonical_json(compile_plan(PARAMETERS, point, probes)), seed)


def same(one, other):
    return (
        all(np.array_equal(one[name], other[name]) for name in one) and one.keys() == other.keys()
    )


def test_core_and_package_belong_together():
    cargo = tomllib.loads((Path(__file__).parents[2] / "Cargo.toml").read_text())
    assert __version__ == cargo["workspace"]["package"]["version"]
    assert _core.schema() == SCHEMA


def test_the_core_knows_every_flavor_of_the_study():
    names = {name for name, _ in _core.flavors()}
    assert {*CORE_FLAVORS.values(), "newreno", "newreno_hoe"} <= names


@pytest.mark.parametrize("point", Selection(buffers_rtt=(0.5,)).points(), ids=str)
def test_every_point_runs(point):
    columns = run(point)
    flows, ports = columns["flows"], columns["ports"]
    assert len(flows["pair"]) == 5
    assert flows["scheduled_bytes"].sum() > 0
    assert (flows["received_bytes"] <= flows["scheduled_bytes"]).all()
    assert (flows["delivered_bytes"] <= flows["received_bytes"]).all()
    assert (ports["max_queue_cells"] <= PARAMETERS.switch.buffer_cells(point.link, 0.5)).all()
    assert not any(len(values) for name in ("queue", "cwnd") for values in columns[name].values())


def test_plan_and_seed_decide_the_run():
    assert same(run()["flows"], run()["flows"])
    assert not same(run()["flows"], run(seed=2)["flows"])


def test_watching_changes_nothing():
    watched = run(probes=WATCHED)
    for table in ("flows", "ports"):
        assert same(watched[table], run()[table])
    assert set(watched["cwnd"]["pair"]) <= {0, 4}
    assert len(watched["queue"]["time_s"]) == 2 * 30


def test_the_traffic_of_a_seed_is_the_same_at_every_point():
    points = [POINT, POINT._replace(tcp_flavor="Vanilla"), POINT._replace(drop_policy="EPD")]
    requests = [run(point)["flows"]["requests"] for point in points]
    assert all(np.array_equal(requests[0], other) for other in requests)


@pytest.mark.parametrize("plan", ["", "{}", '{"schema": 99}', "[1]"])
def test_a_bad_plan_is_refused(plan):
    with pytest.raises(ValueError, match=r"\S"):
        _core.run(plan, 1)


@pytest.mark.parametrize(
    ("keys", "value", "says"),
    [
        (("clock", "tick_ps"), 2**63, "at most 1e18 ps"),
        (("topology", "trunk", "delay_ps"), 2**63, "at most 1e18 ps"),
        (("tcp", "receive_buffer_bytes"), 2**40, "below 4 GiB"),
        (("clock", "tick_ps"), 0, "must be positive"),
        (("clock", "tock_ps"), 1, "unknown field"),
        (("tcp", "flavor"), "tahoe_2", "no TCP flavor"),
        (("topology", "forward", "policy", "name"), "red", "red"),
    ],
)
def test_the_core_names_what_it_cannot_run(keys, value, says):
    plan = compile_plan(PARAMETERS, POINT)
    place = plan
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    with pytest.raises(ValueError, match=says):
        _core.run(canonical_json(plan), 1)
