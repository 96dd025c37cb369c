"""Segments and packets of a window: those of the whole run that lie in it."""

import numpy as np
import pytest

import ackclock
from ackclock import _core
from ackclock.lab.runs import simulation
from lab_server import LONG, SMALL, running

LOSSY = ["topology.bottleneck.queue.limit=6 packets"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("yours")) as lab:
        yield lab


def detail(server, what, **body):
    """The head and the columns, words as a list."""
    body = {"source": SMALL, "sets": LOSSY, **body}
    ((head, arrays),) = server.frames(f"detail/{what}", body)
    words = {
        name: [values.words[number] for number in values.numbers]
        for name, values in arrays.items()
        if hasattr(values, "words")
    }
    return head, {**arrays, **words}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The rows that ``ackclock run`` records of the whole run."""
    sets = [*LOSSY, 'probes.segments=["flow 2"]']
    folder = tmp_path_factory.mktemp("runs") / "runs"
    return ackclock.run(SMALL, folder, sets=sets).segments("flow 2")


def test_segments_are_those_of_the_run(server, recorded):
    head, its = detail(server, "segments", flow="flow 2", **{"from": 0, "to": 4})
    assert head["window"] == [0, 4]
    assert head["smss_bytes"] == 1460
    assert (head["connection"], head["connections"], head["in_window"]) == (0, 1, [0])
    assert len(its["time_s"]) == len(recorded)
    for name in ("time_s", "low", "high", "sent_again", "lost"):
        assert (its[name] == recorded[name].to_numpy()).all(), name
    assert its["kind"] == list(recorded["kind"])


def test_a_window_has_the_rows_that_lie_in_it(server, recorded):
    rows = recorded[recorded["time_s"].between(1.0, 1.25, inclusive="left")]
    assert 50 < len(rows) < len(recorded)
    _, its = detail(server, "segments", flow="flow 2", **{"from": 1.0, "to": 1.25})
    assert (its["time_s"] == rows["time_s"].to_numpy()).all()
    # What becomes of a segment that is under way at the end is known, too.
    assert (its["lost"] == rows["lost"].to_numpy()).all()


def test_segments_tell_why_they_were_sent_again(server):
    _, its = detail(server, "segments", **{"from": 0, "to": 4})
    again = its["sent_again"] == 1
    assert again.any()
    reasons = {reason for reason, is_again in zip(its["reason"], again, strict=True) if is_again}
    assert reasons
    assert "" not in reasons


def test_a_client_has_many_connections(server):
    state = {"scenario": "web_browsing", "source": None, "sets": [], "flow": "web 1"}
    window = {"from": 20, "to": 60}
    head, _ = detail(server, "segments", **state, **window)
    assert head["connections"] > 3
    assert head["connection"] in head["in_window"]
    other = head["in_window"][-1]
    head, its = detail(server, "segments", connection=other, **state, **window)
    assert head["connection"] == other
    assert len(its["time_s"]) > 3


def test_packets_take_their_links_one_after_the_other(server):
    head, its = detail(server, "packets", **{"from": 1, "to": 1.5})
    links = [link["name"] for link in head["links"]]
    assert {"r1 -> r2", "r2 -> r1", "server 1 -> r1", "r2 -> client 1"} <= set(links)
    assert [flow["name"] for flow in head["flows"]] == ["flow 1", "flow 2"]
    left, arrived = its["left_s"], its["arrived_s"]
    assert (its["offered_s"] >= 1).all()
    assert (its["offered_s"] < 1.5).all()
    is_lost = np.array([word != "" for word in its["lost"]])
    assert is_lost.any()
    assert np.isnan(arrived[is_lost]).all()
    assert (arrived[~is_lost] >= left[~is_lost]).all()  # access links have no delay
    assert (left[~is_lost] > its["offered_s"][~is_lost]).all()
    at = links.index("r1 -> r2")
    there = (its["link"] == at) & ~is_lost
    delays = arrived[there] - left[there]
    assert delays == pytest.approx(0.02)
    on_the_way = set(its["packet"][its["link"] == links.index("server 1 -> r1")])
    assert on_the_way & set(its["packet"][its["link"] == at])


def test_packets_of_named_links(server):
    head, its = detail(server, "packets", links=["r1 -> r2"], **{"from": 1, "to": 1.5})
    assert [link["name"] for link in head["links"]] == ["r1 -> r2"]
    assert head["links"][0]["rate_bit_s"] == 10_000_000
    assert set(its["link"]) == {0}
    head, its = detail(server, "packets", flows=["flow 2"], **{"from": 1, "to": 1.5})
    assert "server 1 -> r1" not in [link["name"] for link in head["links"]]


def test_what_cannot_be_shown_gets_a_sentence(server):
    def said(what, **body):
        return server.messages(f"detail/{what}", {"source": SMALL, **body})

    assert said("segments", to=4, most=10).endswith("rows, more than 10; zoom in")
    assert "there is no such flow" in said("segments", flow="flow 9")
    assert "there is no such link" in said("packets", links=["nowhere"])
    assert "the run lasts 4 s" in said("segments", **{"from": 5, "to": 6})
    assert "from, to: expected two times" in said("segments", **{"from": 2, "to": 1})
    assert "most: expected a whole number" in said("segments", most=10**9)
    assert "cells" in server.messages("detail/packets", {"scenario": "atm_ubr"})
    assert "no TCP flow" in server.messages("detail/segments", {"scenario": "erica_parking_lot"})
    assert "UDP" in server.messages("detail/segments", {"scenario": "fq_codel", "flow": "call"})


def test_a_window_at_the_beginning_of_a_large_run_is_at_hand(server):
    sets = ["duration=30 s", "topology.bottleneck.rate=10 Gbit/s"]
    head, its = detail(server, "segments", sets=sets, **{"from": 0, "to": 0.2})
    assert head["duration_s"] == 30
    assert len(its["time_s"]) > 100
    late = {"source": SMALL, "sets": sets, "from": 29, "to": 29.1}
    assert "million segments" in server.messages("detail/segments", late)


def test_a_window_that_is_not_reached_is_given_up(server, monkeypatch):
    monkeypatch.setattr(simulation, "MOST_WALL_S", 0.3)
    monkeypatch.setattr(simulation, "_SLICE_S", 0.05)
    late = {"source": LONG, "from": 140, "to": 140.01}
    assert "takes longer than 0.3 s" in server.messages("detail/segments", late)


def test_who_turns_away_stops_the_run(server, monkeypatch):
    begun, made = [], _core.Run

    class Core:
        @staticmethod
        def Run(plan, seed):  # noqa: N802
            begun.append(made(plan, seed))
            return begun[-1]

    monkeypatch.setattr(simulation, "_core", Core)
    body = {"source": LONG, "from": 140, "to": 140.01}
    with pytest.raises(Exception, match="timed out"):
        server.client.post("/api/detail/segments", json=body, timeout=0.5)
    # A thread that simulates is there again at once.
    assert detail(server, "segments")[0]["kind"] == "segments"
    with pytest.raises(ValueError, match="over"):
        begun[0].advance(0.001)
