"""Runs of the lab: the numbers are those of ``ackclock run``; latest wins; nobody waits in vain."""

import threading
import time
from itertools import pairwise
from types import SimpleNamespace

import httpx
import numpy as np
import pytest

import ackclock
from ackclock import _core
from ackclock.lab import frame
from ackclock.lab.runs import live_run
from ackclock.lab.runs.numbers import metric
from ackclock.lab.slots import Slots, Turn
from lab_server import LONG, SMALL, running
from teaching_set import SCENARIOS

ALL = ["cwnd", "rtt", "queue", "goodput", "states", "drops", "delays", "completions"]
SOON_S = 0.1
"""Of processor time."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("yours")
    (folder / "small.toml").write_text(SMALL)
    with running(folder) as lab:
        yield lab


@pytest.fixture
def slot(request):
    """A slot that no other test uses."""
    return request.node.name[:64]


def run(server, **body):
    """The head of the last frame, and its arrays."""
    return server.frames("run", {"order": 1, **body})[-1]


def values(head):
    return {each["name"]: each["value"] for each in head["metrics"]}


def series(head, arrays, panel, name, flow=0):
    """Times and values of a curve."""
    (its,) = (each for each in head["panels"] if each["id"] == panel)
    (curve,) = (each for each in its["series"] if (each["name"], each["flow"]) == (name, flow))
    return arrays[curve["x"]], arrays[curve["y"]]


@pytest.mark.parametrize(("point", "replication"), [(0, 0), (4, 1)])
def test_the_numbers_are_those_of_the_command(server, slot, tmp_path, point, replication):
    sets = ["duration=24 s", "topology.bottleneck.rate=5 Mbit/s"]
    results = ackclock.run(SCENARIOS["red"], tmp_path / "red", sets=sets, replications=2)
    its = results.metrics
    wanted = {**results.campaign.design.points[point].levels, "replication": replication}
    for name, level in wanted.items():
        its = its[its[name] == level]
    (row,) = its.to_dict("records")
    state = {"scenario": "red", "sets": sets, "point": point, "replication": replication}
    head, _ = run(server, slot=slot, show=ALL, **state)
    found = values(head)
    assert len(found) > 60
    for name, value in found.items():
        if value is None:
            assert not np.isfinite(row[name])
        else:
            assert value == row[name], name
    assert [each["name"] for each in head["metrics"] if each["shown"]] == [
        "mean_queue",
        "utilisation",
        "drop_share",
    ]


def test_flows_have_their_own_numbers(server, slot, tmp_path):
    head, _ = run(server, slot=slot, source=SMALL)
    text = ackclock.run(SMALL, tmp_path / "runs").flows
    for at, each in enumerate(head["flow_metrics"]):
        assert each["flow"] == at
        row = text.iloc[at]
        for value in each["values"]:
            if value["value"] is not None:
                assert value["value"] == row[value["name"]]


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_every_scenario_that_is_shipped_has_a_picture(server, slot, name):
    frames = server.frames("run", {"scenario": name, "order": 1, "slot": slot, "show": ALL})
    assert [head["done"] for head, _ in frames] == sorted(head["done"] for head, _ in frames)
    head, arrays = frames[-1]
    assert head["done"] == 1
    assert head["simulated_s"] == head["duration_s"]
    shown = {panel["id"] for panel in head["panels"] if panel["series"]}
    assert "queue" in shown
    if head["flows"]:
        assert "goodput" in shown
    for panel in head["panels"]:
        assert panel["unit"] in ("bytes", "s", "packets", "cells", "bit/s")
        for curve in panel["series"]:
            x, y = arrays[curve["x"]], arrays[curve["y"]]
            assert len(x) == len(y)
            assert (np.diff(x) >= 0).all()
            assert np.isfinite(y).all()


def test_a_run_that_takes_longer_grows(server, slot):
    sets = ["topology.bottleneck.rate=100 Mbit/s", "duration=120 s"]
    body = {"source": LONG, "sets": sets, "slot": slot}
    frames = server.frames("run", {"order": 5, "show": ALL, **body})
    assert len(frames) > 3
    assert {head["order"] for head, _ in frames} == {5}
    done = [head["done"] for head, _ in frames]
    assert done == sorted(set(done))
    assert done[0] < 0.5
    assert [("metrics" in head) for head, _ in frames] == [False] * (len(frames) - 1) + [True]
    last_x, last_y = series(*frames[-1], "goodput", "goodput")
    for head, arrays in frames[:-1]:
        x, y = series(head, arrays, "goodput", "goodput")
        assert x[-1] <= head["simulated_s"] < head["duration_s"]
        assert (last_x[: len(x)] == x).all()
        assert (last_y[: len(y)] == y).all()


def test_a_window_shows_what_lies_in_it(server, slot):
    state = {"source": SMALL, "slot": slot, "width": 4000}
    whole, arrays = run(server, **state)
    x, y = series(whole, arrays, "cwnd", "cwnd")
    head, arrays = run(server, window=[1.0, 1.5], **state)
    assert head["window"] == [1.0, 1.5]
    near_x, near_y = series(head, arrays, "cwnd", "cwnd")
    assert near_x.dtype == np.float64
    assert near_x[0] < 1.0 < near_x[1]
    assert near_x[-2] <= 1.5 < near_x[-1]
    inside = (x >= 1.0) & (x <= 1.5)
    assert inside.sum() == len(near_x) - 2
    assert (near_y[1:-1] == y[inside]).all()
    assert values(head) == values(whole)


def test_flows_and_links_are_chosen_by_name(server, slot):
    many = {"source": SMALL, "sets": ["topology.pairs=20", "duration=1 s"], "slot": slot}
    head, _ = run(server, **many)
    assert [flow["name"] for flow in head["flows"]] == [f"flow {at}" for at in range(1, 5)]
    assert head["notes"] == ["4 of 20 flows are drawn"]
    head, arrays = run(server, flows=["flow 20", "flow 7"], link="r2 -> r1", **many)
    assert [flow["number"] for flow in head["flows"]] == [6, 19]
    assert head["notes"] == []
    assert head["link"]["name"] == "r2 -> r1"
    assert series(head, arrays, "queue", "queue", None)[1].max() < 20


def test_flows_and_links_that_are_not_there_are_told_and_others_drawn(server, slot):
    asked = {"flows": ["flow 2", "flow_20"], "link": "r1->r2", "order": 2}
    head, arrays = run(server, source=SMALL, slot=slot, **asked)
    assert [flow["name"] for flow in head["flows"]] == ["flow 2"]
    assert head["link"]["name"] == "r1 -> r2"
    assert head["notes"] == [
        'there is no flow "flow_20"; did you mean "flow 2"?',
        'there is no link "r1->r2"; did you mean "r1 -> r2"?',
    ]
    assert series(head, arrays, "queue", "queue", None)[0].size
    head, _ = run(server, source=SMALL, slot=slot, flows=["elsewhere"], order=3)
    assert [flow["name"] for flow in head["flows"]] == ["flow 1", "flow 2"]


def test_many_flows_have_wider_bins(server, slot):
    sets = ["topology.pairs=2000", "topology.bottleneck.rate=1 Mbit/s", "duration=600 s"]
    head, arrays = run(server, source=SMALL, sets=sets, slot=slot, show=["goodput", "queue"])
    x, _ = series(head, arrays, "goodput", "goodput")
    assert np.diff(x)[0] == 10
    assert len(series(head, arrays, "queue", "queue", None)[0]) > 1000


def test_states_and_marks_stand_where_they_were(server, slot):
    lossy = {"sets": ["topology.bottleneck.queue.limit=4 packets"], "show": ALL, "slot": slot}
    head, arrays = run(server, source=SMALL, **lossy)
    marks = {(each["kind"], each["flow"]): arrays[each["x"]] for each in head["marks"]}
    its = {
        each["flow"]: {v["name"]: v["value"] for v in each["values"]}
        for each in head["flow_metrics"]
    }
    for flow in (0, 1):
        assert len(marks["fast retransmit", flow]) == its[flow]["fast_retransmits"]
        (strip,) = (each for each in head["strips"] if each["flow"] == flow)
        states = arrays[strip["state"]]
        words = [states.words[number] for number in states.numbers]
        assert words[0] == "slow start"
        assert "recovery" in words
        assert all(one != other for one, other in pairwise(words))
    drops = sum(len(times) for (kind, _), times in marks.items() if kind == "drop")
    assert drops == values(head)["drops"]


def test_what_cannot_be_run_gets_a_sentence(server, slot):
    def said(**body):
        return server.messages("run", {"source": SMALL, "slot": slot, **body})

    assert "25 million segments take about" in said(
        sets=["duration=30 s", "topology.bottleneck.rate=10 Gbit/s"]
    )
    assert "point 3: there is only point 0" in said(point=3)
    assert "show: colour is unknown" in said(show=["colour"])
    assert "write it like" in said(sets=["topology.bottleneck.rate=5"])
    wrong = server.post("run", {"source": SMALL + "x = 1\n", "slot": slot}, 422)["problems"]
    assert wrong[0]["line"] == SMALL.count("\n") + 1
    assert wrong[0]["key"].endswith("x")
    unknown = server.messages("run", {"scenario": "bufferblot", "slot": slot}, 404)
    assert unknown == 'there is no scenario "bufferblot"; did you mean "bufferbloat"?'


def test_only_the_point_that_is_run_is_looked_at(server, slot, monkeypatch):
    from ackclock.scenario import points

    settled = []
    settle = points.settle
    monkeypatch.setattr(points, "settle", lambda *args: settled.append(1) or settle(*args))
    levels = ", ".join(f'"{rate} Mbit/s"' for rate in range(1, 501))
    sweep = f'[sweep.factors]\n"topology.bottleneck.rate" = [{levels}]\n'
    head, _ = run(server, source=SMALL + sweep, point=19, slot=slot)
    assert head["link"]["rate_bit_s"] == 20_000_000
    assert len(settled) <= 3


def test_an_older_order_gets_nothing(server, slot):
    def status(order):
        body = {"source": SMALL, "slot": slot, "order": order}
        return server.client.post("/api/run", json=body).status_code

    assert [status(order) for order in (7, 6, 7, 8, 1)] == [200, 204, 200, 200, 204]
    assert server.client.post(
        "/api/run", json={"source": SMALL, "slot": f"{slot}+", "order": 1}
    ).status_code == 200  # fmt: skip


@pytest.fixture
def runs(monkeypatch):
    """All runs of the core that were begun, and when their last slices ended, in processor time."""
    begun, made = [], _core.Run

    class Run:
        def __init__(self, plan, seed):
            self.its, self.last_s = made(plan, seed), 0.0
            begun.append(self)

        def advance(self, *times):
            try:
                return self.its.advance(*times)
            finally:
                self.last_s = time.process_time()

        def __getattr__(self, name):
            return getattr(self.its, name)

    monkeypatch.setattr(live_run, "_core", SimpleNamespace(Run=Run))
    return begun


def begins(server, body):
    """An answer whose first frame is there."""
    request = server.client.build_request("POST", "/api/run", json=body)
    response = server.client.send(request, stream=True)
    assert response.status_code == 200
    return response


def test_a_newer_order_stops_the_older_one_at_once(server, slot, runs):
    older = begins(server, {"source": LONG, "slot": slot, "order": 1})
    began_s = time.process_time()
    newer = server.frames("run", {"source": SMALL, "slot": slot, "order": 2})
    assert newer[-1][0]["done"] == 1
    heads = [head for head, _ in frame.read(older.read())]
    assert heads
    assert max(head["done"] for head in heads) < 1
    assert runs[0].last_s - began_s < SOON_S
    with pytest.raises(ValueError, match="over"):
        runs[0].advance(0.001)


def test_a_closed_connection_stops_its_run_at_once(server, slot, runs):
    response = begins(server, {"source": LONG, "slot": slot, "order": 1})
    response.close()
    closed_s = time.process_time()
    time.sleep(3 * SOON_S)
    assert runs[0].last_s - closed_s < SOON_S
    with pytest.raises(ValueError, match="over"):
        runs[0].advance(0.001)


def test_two_slots_run_beside_each_other(server, slot):
    with httpx.Client(base_url=server.client.base_url, headers=server.client.headers) as other:
        long = {"source": LONG, "slot": slot, "order": 1}
        older = begins(server, long)
        body = {"source": SMALL, "slot": f"{slot}, B", "order": 1}
        assert other.post("/api/run", json=body).status_code == 200
        older.close()


def test_a_run_that_takes_too_long_is_stopped(server, slot, monkeypatch):
    monkeypatch.setattr(live_run, "MOST_WALL_S", 0.3)
    began = time.monotonic()
    frames = server.frames("run", {"source": LONG, "slot": slot, "order": 1})
    assert time.monotonic() - began < 3
    head = frames[-1][0]
    assert head["done"] < 1
    assert head["notes"][-1] == "the run was stopped after 0.3 s; make it as a job"


def test_a_run_that_was_made_is_not_made_again_for_another_width(server, slot, runs):
    for width in (900, 500):
        body = {"source": SMALL, "sets": ["seed=77"], "slot": slot, "width": width, "order": 1}
        assert server.frames("run", body)[-1][0]["done"] == 1
    assert len(runs) == 1


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(live_run, "_MOST_KEPT_ROWS", 25)
    kept = live_run.Kept()

    class Recording:
        seed = 1

        def __init__(self, plan):
            self.plan = plan

    tables = {"queue": {"time_s": np.zeros(10)}}
    for plan in "abc":
        kept.put(Recording(plan), tables)
    assert [kept.get(Recording(plan)) is not None for plan in "abc"] == [False, True, True]


def test_a_turn_that_is_over_before_its_run_begins_stops_it():
    slots = Slots()
    older = slots.turn("A", 1)
    newer = slots.turn("A", 2)
    assert older.is_over
    assert not newer.is_over
    assert slots.turn("A", 1) is None
    assert slots.turn("B", 1) is not None

    class Run:
        stopped = 0

        def stop(self):
            self.stopped += 1

    run = Run()
    older.holds(run)
    assert run.stopped == 1


def test_turns_may_end_in_any_thread():
    class Run:
        stopped = 0

        def stop(self):
            self.stopped += 1

    for _ in range(200):
        turn, run = Turn(1), Run()
        threads = [
            threading.Thread(target=turn.end),
            threading.Thread(target=turn.holds, args=(run,)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert run.stopped == 1


def test_a_picture_ends_where_nothing_happens_any_more(server, slot):
    """A transfer of 0.1 MB in a run of 60 s, with bins of goodput of 0.2 s."""
    sets = ["workload.size=100 kB", "duration=60 s"]
    state = {"source": SMALL, "sets": sets, "slot": slot}
    head, arrays = run(server, **state)
    x, _ = series(head, arrays, "cwnd", "cwnd")
    assert head["window"][0] == 0
    assert x[-1] < head["window"][1] < x[-1] + 0.25
    assert not head["is_chosen"]
    assert any("nothing happens from" in note for note in head["notes"])
    head, _ = run(server, window=[0, 60], **state)
    assert head["window"] == [0, 60]
    assert head["is_chosen"]
    assert not any("nothing happens from" in note for note in head["notes"])


@pytest.mark.parametrize(
    ("value", "text"), [(1, "1 segment"), (2, "2 segments"), (16740, "16,740 segments")]
)
def test_a_count_is_read_as_one_says_it(value, text):
    assert metric("segments_sent", "segments", value)["text"] == text


def test_a_queue_holds_what_its_network_carries(server, slot):
    head, _ = run(server, source=SMALL, slot=slot)
    units = {each["name"]: each["unit"] for each in head["metrics"]}
    assert units["max_queue"] == "packets"
