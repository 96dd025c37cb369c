"""The compiled core, as this package calls it."""

import tomllib
from copy import deepcopy
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ackclock import __version__, _core
from ackclock.scenario.plan import SCHEMA, canonical_json, written_out
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.settings import main_scenario, scenario_of
from ackclock.studies.ubr_web.levels import POINTS, Point
from ackclock.studies.ubr_web.metrics import measure
from ackclock.studies.ubr_web.study import STUDY

REQUEST = Request(STUDY, ("topology.pairs=5", "duration=3 s", "workload.start_spread=1 s"))
POINT = Point("WAN", "SD", "SACK", 0.5)
HALF = [point for point in POINTS if point.buffer_rtt == 0.5]
WATCHED = ("probes.queue=100 ms", "probes.goodput=1 s", 'probes.cwnd=["flow 1", "flow 5"]')


@cache
def compiled(probes=()):
    points = scenario_of(STUDY.main_part, REQUEST, probes).points()
    return {Point(**point.levels): point.compile() for point in points}


def run(point=POINT, seed=1, probes=()):
    return _core.run(canonical_json(compiled(probes)[point].plan), seed)


def same(one, other):
    return one.keys() == other.keys() and all(
        np.array_equal(one[name], other[name], equal_nan=True) for name in one
    )


def test_core_and_package_belong_together():
    cargo = tomllib.loads((Path(__file__).parents[2] / "Cargo.toml").read_text())
    assert __version__ == cargo["workspace"]["package"]["version"]
    assert _core.schema() == SCHEMA


def test_the_core_knows_every_flavor_of_the_study():
    names = {row[0] for row in _core.flavors()}
    asked = {each.plan["tcps"][0]["flavor"] for each in compiled().values()}
    assert {*asked, "newreno", "newreno_hoe", "newreno_full"} <= names


@pytest.mark.parametrize("point", HALF, ids=str)
def test_every_point_runs(point):
    columns = run(point)
    flows, ports = columns["flows"], columns["ports"]
    assert len(flows["flow"]) == 5
    assert flows["scheduled_bytes"].sum() > 0
    assert (flows["received_bytes"] <= flows["scheduled_bytes"]).all()
    assert (flows["delivered_bytes"] <= flows["received_bytes"]).all()
    buffer = compiled()[point].plan["links"][0]["port"]["buffer_cells"]
    assert list(ports["link"]) == [0, 1]
    assert (ports["max_queue_cells"] <= buffer).all()
    assert not any(columns[name] for name in ("queue", "goodput", "cwnd"))
    row = measure(columns, compiled()[point].facts)
    assert 0 < row["efficiency"] <= min(1, row["offered_load"])
    assert 0 < row["fairness"] <= 1


def test_plan_and_seed_decide_the_run():
    assert same(run()["flows"], run()["flows"])
    assert not same(run()["flows"], run(seed=2)["flows"])


def test_watching_changes_nothing():
    watched = run(probes=WATCHED)
    for table in ("flows", "links", "ports"):
        assert same(watched[table], run()[table])
    assert set(watched["cwnd"]["flow"]) <= {0, 4}
    assert len(watched["queue"]["time_s"]) == 2 * 30
    assert len(watched["goodput"]["time_s"]) == 5 * 3
    goodput = watched["goodput"]["delivered_bytes"].reshape(5, 3).sum(axis=1)
    assert np.array_equal(goodput, watched["flows"]["delivered_bytes"])


def test_losses_of_the_foreground_are_told_and_change_nothing():
    plan = written_out(deepcopy(compiled()[POINT].plan))
    plan["flows"][1]["foreground"] = plan["flows"][3]["foreground"] = True
    columns = _core.run(canonical_json(plan), 1)
    bare = run()
    for table in ("flows", "links", "ports"):
        assert same(columns[table], bare[table])
    told = columns["foreground"]
    assert list(told) == ["flow", "segments_lost", "loss_events"]
    assert told["flow"].tolist() == [1, 3]
    assert (told["segments_lost"] >= told["loss_events"]).all()
    assert told["loss_events"].sum() > 0
    assert bare["foreground"] == {}


def test_senders_tell_their_rtt_and_first_time_outs():
    flows = run()["flows"]
    assert (flows["first_timeouts"] <= flows["timeouts"]).all()
    for mean, number in (("rtt_mean_s", "rtt_samples"), ("first_rto_mean_s", "first_timeouts")):
        assert np.array_equal(np.isnan(flows[mean]), flows[number] == 0)
    # The trunk is 5 ms long, each way.
    assert (flows["rtt_mean_s"] > 0.01).all()


def test_the_traffic_of_a_seed_is_the_same_at_every_point():
    """One batch of each client, and time enough for all its requests to arrive on every path."""
    sets = ("topology.pairs=5", "duration=30 s", "workload.period=60 s")
    points = main_scenario(Request(STUDY, sets)).points()
    flows = [_core.run(canonical_json(each.compile().plan), 1)["flows"] for each in points]
    assert len(flows) == 72
    assert flows[0]["requests"].min() >= 1
    for name in ("requests", "scheduled_bytes"):
        assert all(np.array_equal(flows[0][name], other[name]) for other in flows)


@pytest.mark.parametrize("plan", ["", "{}", '{"schema": 99}', "[1]"])
def test_a_bad_plan_is_refused(plan):
    with pytest.raises(ValueError, match=r"\S"):
        _core.run(plan, 1)


@pytest.mark.parametrize(
    ("keys", "value", "says"),
    [
        (("clock", "tick_ps"), 2**63, "at most 1e18 ps"),
        (("links", 0, "trunk", "delay_ps"), 2**63, "at most 1e18 ps"),
        (("tcps", 0, "receive_buffer_bytes"), 2**40, "below 4 GiB"),
        (("tcps", 0, "restart_window_segments"), 0, "`restart_window_segments` must be positive"),
        (("tcps", 0, "options", "ack_every"), 0, "`ack_every` must be positive"),
        (("tcps", 0, "options", "delayed_ack_ps"), 0, "`delayed_ack_ps` must be positive"),
        (("clock", "tick_ps"), 0, "must be positive"),
        (("clock", "tock_ps"), 1, "unknown field"),
        (("tcps", 0, "flavor"), "tahoe_2", "no TCP flavor"),
        (("links", 1, "port", "policy", "name"), "red", "red"),
        (("flows", 0, "receiver"), 10, "names an unknown node"),
        (("flows", 0, "sender_tcp"), 1, "names an unknown TCP"),
        (("warm_up_ps",), 3 * 10**12, "warm_up_ps"),
    ],
)
def test_the_core_names_what_it_cannot_run(keys, value, says):
    plan = deepcopy(compiled()[POINT].plan)  # the cached one is everybody's
    place = plan
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    with pytest.raises(ValueError, match=says):
        _core.run(canonical_json(plan), 1)
