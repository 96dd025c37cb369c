"""Where lines and strips of a picture end: with what was recorded, or with the flow."""

from pathlib import Path

import numpy as np
import pytest

from ackclock.lab.runs.panels import drawing, panels
from ackclock.lab.runs.picture_request import PictureRequest
from ackclock.lab.runs.recording import recording
from ackclock.lab.runs.simulation import simulated
from ackclock.lab.settings import Settings
from ackclock.lab.slots import Turn
from ackclock.lab.states.state import State

SHOW = ["cwnd", "rtt", "queue", "goodput", "states"]
CONSTANT = "receive_window"
"""Its window is as large as it may be from 0.2 s on, until 20 s."""


def drawn(scenario, come_s=20.0, probes=None):
    """The head of a picture, and its arrays, of a run that has come to a time."""
    its, tables = recorded(scenario, come_s, probes)
    return drawing(tables, its, come_s)


def recorded(scenario, come_s, probes=None, sets=()):
    """What is drawn of a run that has come to a time, and what it has recorded."""
    state = State.read({"scenario": scenario, "sets": list(sets)})
    one = state.load_point(Settings(Path(), "", 0, 1))
    its = recording(one, state, PictureRequest.read({"show": SHOW, "width": 900}), probes)
    return its, simulated(its, Turn(), come_s)


def untils(head, panel):
    """When the curves of a panel hold no more, by name."""
    (its,) = (each for each in head["panels"] if each["id"] == panel)
    return {each["name"]: each["until"] for each in its["series"]}


def last(its, name):
    """When a curve of the first panel changes for the last time."""
    (curve,) = (each for each in its.head["panels"][0]["series"] if each["name"] == name)
    return its.arrays[curve["x"]][-1]


@pytest.mark.parametrize("come_s", [20.0, 7.5])
def test_a_constant_window_goes_on_to_where_the_run_has_come(come_s):
    its = drawn(CONSTANT, come_s)
    assert last(its, "cwnd") < 1
    of_cwnd = untils(its.head, "cwnd")
    assert of_cwnd == dict.fromkeys(("cwnd", "flight size", "ssthresh"), come_s)
    assert its.head["strips"][0]["until"] == come_s
    assert untils(its.head, "rtt") == {"RTT": None, "smoothed RTT": None}


def test_bins_are_drawn_to_their_ends():
    head = drawn(CONSTANT, 7.55).head
    # Bins of 10 ms, and of twice 100 ms; there are complete ones only.
    assert untils(head, "queue") == {"queue": pytest.approx(7.55)}
    assert untils(head, "goodput") == {"goodput": pytest.approx(7.4)}


@pytest.mark.parametrize(
    ("duration_s", "words"), [(20, "200 ms"), (29.5, "200 ms"), (59.5, "500 ms"), (61, "1 s")]
)
def test_goodput_is_drawn_in_60_bins_at_least(duration_s, words):
    """Not in many more. They are means of those that were recorded; the last may be shorter."""
    its, tables = recorded(CONSTANT, duration_s, sets=[f"duration={duration_s} s"])
    (goodput,) = (each for each in panels(tables, its)[0] if each.id == "goodput")
    (curve,) = goodput.curves
    assert goodput.title == f"Goodput over {words}"
    assert curve.until == duration_s
    widths = np.diff([*curve.x, duration_s])
    assert widths[:-1] == pytest.approx(widths[0])
    assert 60 <= len(widths) < 150
    delivered = tables["goodput"]["delivered_bytes"].sum()
    assert (curve.y * widths).sum() == pytest.approx(8 * delivered)


def test_a_flow_that_has_ended_ends_with_its_last_event():
    its = drawn("slow_start", 10.0)
    end = last(its, "flight size")
    assert end < 1
    untils_of_all = [*untils(its.head, "cwnd").values(), its.head["strips"][0]["until"]]
    assert untils_of_all == pytest.approx([end] * 4)


def test_lines_end_where_the_recording_does():
    probes = {"cwnd": ["flow"], "states": ["flow"], "queue": "10 ms", "until": "3 s"}
    head = drawn(CONSTANT, 20.0, probes).head
    assert set(untils(head, "cwnd").values()) == {3.0}
    assert head["strips"][0]["until"] == 3.0
    # A queue is recorded all the time.
    assert untils(head, "queue") == {"queue": 20.0}
