"""A flow of Vegas keeps two to four packets in the queue, whatever the path and the buffer."""

import pytest

from ackclock import _core
from ackclock.results.metrics import METRICS
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json

SCENARIO = """
title = "Vegas"
duration = "60 s"
warm_up = "20 s"
[topology]
kind = "dumbbell"
pairs = {pairs}
access = {{ rate = "10 Gbit/s", delay = "1 ms" }}
[topology.bottleneck]
rate = "{rate}"
delay = "{delay}"
queue = {{ limit = "{limit}" }}
[tcp]
flavor = "{flavor}"
[workload]
kind = "bulk"
"""


def metrics(flavor, pairs=1, rate="10 Mbit/s", delay="18 ms", limit="200 packets"):
    text = SCENARIO.format(flavor=flavor, pairs=pairs, rate=rate, delay=delay, limit=limit)
    (point,) = load(text).points()
    made = point.compile()
    columns = _core.run(canonical_json(made.plan), 1)
    return {
        name: METRICS[name].of(columns, made.facts)
        for name in ("mean_queue", "utilisation", "drops")
    }


@pytest.mark.parametrize(
    ("rate", "delay", "limit"),
    [
        ("10 Mbit/s", "18 ms", "200 packets"),
        ("50 Mbit/s", "8 ms", "1000 packets"),
        ("2 Mbit/s", "48 ms", "50 packets"),
    ],
)
def test_a_flow_keeps_two_to_four_packets_in_the_queue(rate, delay, limit):
    vegas = metrics("vegas", rate=rate, delay=delay, limit=limit)
    # An ACK of two segments lets out two, of which the second waits for the first: half a packet
    # on average, which the smallest RTT of a round trip does not see.
    assert 2 <= vegas["mean_queue"] <= 4.5
    assert vegas["utilisation"] > 0.999
    assert vegas["drops"] == 0


def test_several_flows_keep_a_shorter_queue_than_cubic():
    """A flow that begins later takes others' packets for a part of its path, and keeps more."""
    vegas, cubic = metrics("vegas", pairs=4), metrics("cubic", pairs=4)
    assert 4 * 2 <= vegas["mean_queue"] < cubic["mean_queue"] / 3
    assert vegas["drops"] == 0 < cubic["drops"]
