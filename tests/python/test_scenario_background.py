"""Background traffic: sessions of a web client, and UDP at a constant rate or with pauses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.scenario import load
from ackclock.scenario.summary import group_rows, link_rows, tcp_columns
from ackclock.scenario.workload_text import workload_text
from scenario_calls import compiled, refused
from scenario_texts import ATM, DUMBBELL, GRAPH

MS, S = 10**9, 10**12
SESSIONS = DUMBBELL + '[workload]\nkind = "http_sessions"\n'
CBR = DUMBBELL + '[workload]\nkind = "cbr"\n'
ON_OFF = DUMBBELL + '[workload]\nkind = "on_off"\n'
MIXED = DUMBBELL + '[[flows]]\nname = "tcp"\n[[flows]]\nname = "udp"\nworkload = { kind = "cbr" }\n'


def workload(text, *sets):
    (found,) = compiled(text, *sets).plan["workloads"]
    return found


def words(text, *sets):
    return workload_text(load(text, sets).workload)


def test_a_session_is_pages_of_one_object():
    assert workload(SESSIONS) == {
        "kind": "pages",
        "request_bytes": 80,
        "stages": [{"connections": 1, "objects": 1}],
        "sizes": {"law": "pareto", "mean_bytes": 48_000, "shape_ppm": 1_200_000},
        "pause": {"law": "exponential", "mean_ps": 500 * MS},
        "answers_with_ack": True,
        "start_ps": 0,
        "start_spread_ps": 0,
    }


@pytest.mark.parametrize(
    ("written", "key", "value"),
    [
        ("request_size=1 kB", "request_bytes", 1000),
        (
            "mean_size=1 MB",
            "sizes",
            {"law": "pareto", "mean_bytes": 10**6, "shape_ppm": 1_200_000},
        ),
        ("shape=1.5", "sizes", {"law": "pareto", "mean_bytes": 48_000, "shape_ppm": 1_500_000}),
        ("shape== 4 / 3", "sizes", {"law": "pareto", "mean_bytes": 48_000, "shape_ppm": 1_333_333}),
        ("pause=2 s", "pause", {"law": "exponential", "mean_ps": 2 * S}),
        ("pause=0 s", "pause", {"law": "uniform", "min_ps": 0, "max_ps": 0}),
        ("answers_with_ack=false", "answers_with_ack", False),
        ("start=1 s", "start_ps", S),
        ("start_spread=2 s", "start_spread_ps", 2 * S),
    ],
)
def test_every_key_of_a_session_comes_into_the_plan(written, key, value):
    assert workload(SESSIONS, f"workload.{written}") == {**workload(SESSIONS), key: value}


def test_a_constant_rate_never_stops():
    assert workload(CBR) == {
        "kind": "datagrams",
        "rate_bps": 10**6,
        "packet_bytes": 1000,
        "on": None,
        "off": None,
        "start_ps": 0,
        "start_spread_ps": 0,
    }
    sets = ["rate=2 Mbit/s", "packet_size=200 B", "start=1 s", "start_spread=2 s"]
    assert workload(CBR, *(f"workload.{each}" for each in sets)) == {
        "kind": "datagrams",
        "rate_bps": 2 * 10**6,
        "packet_bytes": 200,
        "on": None,
        "off": None,
        "start_ps": S,
        "start_spread_ps": 2 * S,
    }


def test_times_on_and_off_have_one_shape_and_means_of_their_own():
    sets = ["mean_on=1 s", "mean_off=3 s", "shape=1.9", "rate=500 kbit/s"]
    assert workload(ON_OFF, *(f"workload.{each}" for each in sets)) == {
        "kind": "datagrams",
        "rate_bps": 500_000,
        "packet_bytes": 1000,
        "on": {"law": "pareto", "mean_ps": S, "shape_ppm": 1_900_000},
        "off": {"law": "pareto", "mean_ps": 3 * S, "shape_ppm": 1_900_000},
        "start_ps": 0,
        "start_spread_ps": 0,
    }


@pytest.mark.parametrize("kind", ["http_sessions", "cbr", "on_off"])
@pytest.mark.parametrize("text", [ATM, GRAPH])
def test_they_go_with_every_topology(text, kind):
    text = text.replace('[workload]\nkind = "www_batches"\n', "")
    made = compiled(f'{text}\n[workload]\nkind = "{kind}"\n')
    assert set(made.facts.flow_workloads) == {kind}


@pytest.mark.parametrize(
    ("text", "written", "message"),
    [
        (SESSIONS, "shape=1", "expected a number above 1 and at most 100, for example 1.2"),
        (SESSIONS, "shape=100.5", "expected a number above 1 and at most 100, for example 1.2"),
        (ON_OFF, 'shape="1.5"', "expected a number above 1 and at most 100, for example 1.2"),
        (ON_OFF, "shape=true", "expected a number above 1 and at most 100, for example 1.2"),
        (
            ON_OFF,
            "shape=1.0000001",
            "has more than six decimals; expected a number above 1 and at most 100, "
            "for example 1.2",
        ),
        (SESSIONS, "mean_size=0 B", 'must be above 0; write it like "128 B"'),
        (SESSIONS, "start=10 s", 'is not before the end of the run, duration = "10 s"; write '),
        (CBR, "rate=2 Tbit/s", 'unknown unit "Tbit/s"; units of rate are '),
        (CBR, "rate=1001 Gbit/s", 'must be at most "1000 Gbit/s"'),
        (CBR, "packet_size=64 KiB", 'must be at most "65535 B"'),
        (
            CBR,
            "packet_size=27 B",
            'has no room for the headers of IP and UDP; write "28 B" or more',
        ),
        (CBR, "start_spread=11 s", 'is not before the end of the run, duration = "10 s"; write '),
        (ON_OFF, "mean_off=0 s", 'must be above 0; write it like "100 ms"'),
        (
            ON_OFF,
            "mean_on=7999 us",
            'ends before one packet is sent, which takes "8 ms"; write "8 ms" or more',
        ),
    ],
)
def test_a_wrong_value(text, written, message):
    (told,) = refused(text, f"workload.{written}")
    assert told.startswith(f"--set workload.{written}: {message}")


@given(
    rate=st.integers(1, 10**12),
    size=st.integers(28, 65535),
    mean_on=st.integers(1, 10**13),
)
def test_any_source_compiles_or_is_told_how_long_a_packet_takes(rate, size, mean_on):
    sets = [f"rate={rate} bit/s", f"packet_size={size} B", f"mean_on={mean_on} ps"]
    sets = [f"workload.{each}" for each in sets]
    # As the core has it: the mean holds a packet.
    if mean_on * rate >= size * 8 * S:
        assert workload(ON_OFF, *sets)["on"]["mean_ps"] == mean_on
        return
    (told,) = refused(ON_OFF, *sets)
    least = told.partition('write "')[2].partition('"')[0]
    assert workload(ON_OFF, *sets[:2], f"workload.mean_on={least}")


def test_datagrams_have_no_acks():
    made = compiled(MIXED)
    assert made.facts.flow_workloads == ("bulk", "cbr")
    network = {row.name: row.flows for row in link_rows(load(MIXED))}
    assert (network["r1 -> r2"], network["r2 -> r1"]) == ("2", "1")


def test_a_queue_must_hold_a_datagram():
    queue = "topology.bottleneck.queue.limit"
    large = "workload.packet_size=9 kB"
    assert refused(CBR, large, f"{queue}=8 kB") == [
        f'--set {queue}=8 kB: cannot hold one packet, which has 9 kB; write "9 kB" or more'
    ]
    # The TCP of such a flow is not used, so its packets need no room.
    assert compiled(CBR, "tcp.smss=9180 B", f"{queue}=1 kB")
    # What is left of a round trip without a delay is room for one packet.
    at_least = compiled(CBR, large, "topology.bottleneck.delay=0 ms").plan["links"][0]["queue"]
    assert at_least["limit_bytes"] == 4 * 9000


def test_a_port_must_hold_the_frame_of_a_datagram():
    text = ATM.replace('kind = "www_batches"', 'kind = "cbr"\npacket_size = "9 kB"')
    # 9016 bytes with LLC/SNAP header and trailer.
    assert refused(text, "topology.port.buffer=187 cells") == [
        "--set topology.port.buffer=187 cells: cannot hold one frame, which takes 188 cells; "
        'write "188 cells" or more'
    ]
    capacity = compiled(text).facts.payload_capacity_bit_s
    assert capacity == pytest.approx(45e6 * 9000 * 8 / (188 * 424))


def test_of_datagrams_all_counts():
    assert compiled(CBR).facts.payload_capacity_bit_s == 10**7
    # No more than so much can be received, whoever receives it.
    assert compiled(MIXED).facts.payload_capacity_bit_s == 10**7
    assert compiled(MIXED, "flows[1].count=0").facts.payload_capacity_bit_s < 10**7


def test_only_tcp_has_a_cwnd():
    assert compiled(MIXED, "probes.cwnd=all").plan["probes"]["cwnd_of"] == [0]
    assert compiled(MIXED, 'probes.cwnd=["tcp"]').plan["probes"]["cwnd_of"] == [0]
    assert refused(MIXED, 'probes.cwnd=["tcp", "udp"]') == [
        '--set probes.cwnd=["tcp", "udp"] (probes.cwnd[1]): is a UDP flow, which has no cwnd; '
        "remove it"
    ]


def test_explain_says_it_in_words():
    assert words(SESSIONS) == (
        "http_sessions: objects of 48 kB on average (Pareto, shape 1.2), each on a connection of "
        "its own, pause 500 ms on average (exponential), requests of 80 B"
    )
    sets = ("workload.pause=0 s", "workload.start=1 s", "workload.answers_with_ack=false")
    assert words(SESSIONS, *sets) == (
        "http_sessions: objects of 48 kB on average (Pareto, shape 1.2), each on a connection of "
        "its own, no pause, requests of 80 B acknowledged separately, the first at 1 s"
    )
    assert words(CBR) == "cbr: packets of 1 kB at 1 Mbit/s"
    assert words(ON_OFF, "workload.mean_off=2 s", "workload.start_spread=1 s") == (
        "on_off: packets of 1 kB at 1 Mbit/s, on for 500 ms and off for 2 s on average "
        "(Pareto, shape 1.5), the first at 0 ms to 1 s"
    )


def test_explain_tells_who_is_tcp():
    scenario = load(MIXED)
    rows = {row.name: (row.tcp, row.product) for row in group_rows(scenario)}
    assert rows["tcp"] == ("cubic", "50 kB = 33.3 packets")
    assert rows["udp"] == ("UDP", "50 kB = 50 packets")
    assert list(tcp_columns(scenario)) == ["tcp"]
    assert tcp_columns(load(CBR)) == {}
