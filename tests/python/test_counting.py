"""What counts as received, and which part of a transmission lies within the measured time."""

import pytest

from ackclock import _core
from ackclock.results.metrics import measure
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json

FULL = """
duration = "300 ms"
[workload]
kind = "cbr"
rate = "20 Mbit/s"
packet_size = "1000 B"
[topology]
"""
CELLS = 'trunk = { rate = "10 Mbit/s", delay = "1 ms" }\n'
NETWORKS = {
    "dumbbell": 'bottleneck = { rate = "10 Mbit/s", delay = "1 ms" }\n',
    "atm_dumbbell": CELLS + 'port = { buffer = "500 cells", policy = "tail" }\n',
    "atm_clients": CELLS + 'service = "ubr"\n',
    "atm_network": """
hosts = ["a", "b"]
switches = ["s"]
service = "ubr"
links = [
    { between = ["a", "s"], rate = "155 Mbit/s", delay = "1 ms" },
    { between = ["s", "b"], rate = "10 Mbit/s", delay = "1 ms" },
]
[[flows]]
from = "a"
to = "b"
""",
}


def measured(text, *sets):
    """Metrics and columns of one run."""
    compiled = load(text, sets).points()[0].compile()
    columns = _core.run(canonical_json(compiled.plan), 1)
    return measure(columns, compiled.facts), columns, compiled.facts


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize("warm_up", ["100 ms", "123.456 ms", "77.777777 ms", "299.99 ms"])
def test_a_line_that_never_rests_is_busy_all_of_the_time(kind, warm_up):
    """Whatever is being sent when the measured time begins and ends."""
    text = f'{FULL}kind = "{kind}"\n{NETWORKS[kind]}'
    row, _, _ = measured(text, f"warm_up={warm_up}")
    assert row["utilisation"] == 1


HOLES = """
duration = "120 ms"
warm_up = "60 ms"
[topology]
kind = "dumbbell"
pairs = 3
bottleneck = { rate = "10 Mbit/s", delay = "10 ms", queue = { limit = "10 packets" } }
[tcp]
flavor = "reno"
initial_window = 100
receive_buffer = "1 MiB"
[workload]
start_spread = "1 ms"
"""


def test_holes_are_not_received():
    """Three initial windows of 100 segments come at once, and most of them find the queue full."""
    row, columns, facts = measured(HOLES, "warm_up=0 s")
    flows = columns["flows"]
    assert flows["highest_received_bytes"].sum() * 8 / facts.duration_s > 10e6
    packet = 8 * 1500 / facts.duration_s / 10e6
    assert 0 < row["efficiency"] <= 1 + packet
    assert 0 < row["goodput_bit_s"] <= row["throughput_bit_s"]


def test_what_came_before_the_end_of_the_warm_up_is_not_counted():
    """A gap is filled after the warm-up: what lay behind it was delivered, but came before."""
    sets = ("duration=600 ms", "tcp.flavor=sack_rfc6675", "tcp.initial_window=20")
    early = 0
    for warm_up in range(40, 300, 20):
        row, columns, facts = measured(HOLES, *sets, f"warm_up={warm_up} ms")
        flows = columns["flows"]
        early += flows["delivered_early_bytes"].sum()
        packet = 8 * 1500 / facts.duration_s / 10e6
        assert row["goodput_bit_s"] <= facts.payload_capacity_bit_s * (1 + packet)
        assert row["efficiency"] <= 1 + packet
        assert (flows["delivered_early_bytes"] <= flows["delivered_bytes"]).all()
    assert early > 0


def most_received(text, sets, end_ms):
    """What was received beyond the bottleneck's capacity, at most of several warm-ups, bytes."""
    most = 0
    for warm_up in range(20, end_ms, 7):
        row, columns, facts = measured(text, *sets, f"warm_up={warm_up} ms")
        assert 0 <= row["efficiency"] <= 1
        assert 0 <= row["utilisation"] <= 1
        came = columns["flows"]["received_bytes"].sum()
        most = max(most, came - facts.payload_capacity_bit_s * facts.duration_s / 8)
    return most


def test_at_most_a_packet_comes_before_its_time():
    text = f'{FULL}kind = "dumbbell"\n{NETWORKS["dumbbell"]}'
    assert 0 < most_received(text, (), 290) <= 1000


def test_what_jitter_holds_back_comes_later_and_efficiency_stays_a_share():
    """At most what the bottleneck sends within the jitter."""
    text = f'{FULL}kind = "dumbbell"\n{NETWORKS["dumbbell"]}'
    jitter = 'topology.bottleneck.impairments=[{ kind = "jitter", spread = "20 ms" }]'
    assert 3 * 1000 < most_received(text, [jitter], 290) <= 10e6 * 20e-3 / 8 + 1000


def test_frames_whose_cells_alternate_are_half_sent_together():
    """At most a frame of each flow comes before its time."""
    text = f'{FULL}kind = "atm_clients"\nservers = 3\n{NETWORKS["atm_clients"]}'
    sets = ("workload.packet_size=9000 B", "topology.clients_per_server=1")
    assert 9000 < most_received(text, sets, 290) <= 3 * 9000


def test_a_datagram_that_is_duplicated_counts_once():
    text = f'{FULL}kind = "dumbbell"\n{NETWORKS["dumbbell"]}'
    doubling = 'topology.bottleneck.impairments=[{ kind = "duplicate", probability = 1 }]'
    plain, _, _ = measured(text)
    row, columns, _ = measured(text, doubling)
    assert columns["links"]["packets_duplicated"][0] > 300
    assert row["goodput_bit_s"] == plain["goodput_bit_s"]
    assert 0.95 < row["efficiency"] <= 1
