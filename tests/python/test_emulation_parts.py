"""What an emulation decides without a kernel: settings, addresses, verdicts, what it refuses."""

import json
from dataclasses import asdict

import pytest

from ackclock.emulation import tcp_info
from ackclock.emulation.campaign import Options
from ackclock.emulation.core import emulation_problems, request_for
from ackclock.emulation.layout import nodes_of
from ackclock.emulation.tcp_settings import settings
from ackclock.emulation.verdict import deadline_ns, least_rtt_ns, verdict
from ackclock.errors import InputError
from ackclock.scenario import load
from ackclock.scenario.plan import written_out
from emulated import TEXT


def plan_of(*sets: str) -> dict:
    (point,) = load(TEXT, sets).points()
    return written_out(point.compile().plan)


def its_settings(*sets: str, **options):
    return settings(plan_of(*sets)["tcps"][0], **options)


@pytest.mark.parametrize(
    ("flavor", "profile"),
    [("newreno", "newreno-classic"), ("sack", "reno-sack"), ("cubic", "cubic")],
)
def test_a_flavor_has_a_nearest_profile(flavor, profile):
    assert its_settings(f'tcp.flavor="{flavor}"').profile == profile


def test_settings_are_those_of_the_scenario():
    its = its_settings("tcp.timestamps=true", 'tcp.smss="1000 B"', 'tcp.delayed_ack="off"')
    assert its.mtu == 1040
    assert its.sysctls["tcp_timestamps"] == "1"
    assert its.sysctls["tcp_sack"] == "0"
    assert its.route["quickack"] == "1"
    assert its.route["window"] == "32000"
    assert its.route["rto_min"] == "1000ms"
    assert not any("ACKs are delayed" in each for each in its.differences)


def test_a_buffer_that_follows_the_paths_is_tuned_by_the_kernel():
    own, tuned = its_settings(), its_settings('tcp.receive_buffer="auto"')
    assert (own.sysctls["tcp_moderate_rcvbuf"], tuned.sysctls["tcp_moderate_rcvbuf"]) == ("0", "1")
    # The third number lies beyond four times what the scenario's path asks for, 6 MiB here.
    assert tuned.sysctls["tcp_rmem"] == f"4096 {128 << 10} {4 * (6 << 20)}"
    assert (own.window, tuned.window) == (32_000, None)
    assert "window" not in tuned.route


def test_what_the_kernel_does_otherwise_is_told():
    sets = (
        'tcp.flavor="reno"',
        'tcp.initial_ssthresh="20 kB"',
        "tcp.historic.handshake_sample=false",
    )
    told = its_settings(*sets).differences
    for what in (
        "partial ACKs",
        "initial slow-start threshold",
        "by acknowledged segments",
        "the ACK of the SYN is a sample",
    ):
        assert any(what in each for each in told), what
    assert not any("ACK of the SYN" in each for each in its_settings().differences)


def test_an_unknown_profile_is_refused():
    with pytest.raises(InputError, match="newreno-classic, reno-sack, reno, cubic, bbr"):
        its_settings(profile="tahoe")


def test_addresses_are_those_of_captures():
    nodes = nodes_of(plan_of("topology.pairs=2"))
    assert [node.address for node in nodes] == [
        "192.0.2.1",
        "198.51.100.1",
        "192.0.2.2",
        "198.51.100.2",
    ]
    assert len({node.ethernet(end) for node in nodes for end in range(3)}) == 12


def test_too_many_hosts_are_refused():
    with pytest.raises(InputError, match="254 hosts: an emulation has 253 at most"):
        nodes_of(plan_of("topology.pairs=127"))


def test_what_cannot_be_emulated_is_told():
    assert emulation_problems(plan_of()) == []
    (problem,) = emulation_problems({"flows": []})
    assert "only sources of cells" in problem


def test_a_request_has_every_flow_twice():
    from dataclasses import asdict

    request = request_for(plan_of("topology.pairs=2"), asdict(Options()), 1)
    sinks = [sink["flow"] for node in request["nodes"] for sink in node["sinks"]]
    sources = [source["flow"] for node in request["nodes"] for source in node["sources"]]
    assert sorted(sinks) == sorted(sources) == [0, 1]


def test_the_deadline_is_a_part_of_the_shortest_round_trip():
    assert least_rtt_ns(plan_of()) == 50_000_000
    assert deadline_ns(plan_of()) == 500_000
    assert deadline_ns(plan_of('topology.bottleneck.delay="1 ms"')) == 200_000


def report(**changed) -> dict:
    held = {"left": 10_000, "misses": 0, "deadline_us": 500.0, "left_late": {"max_us": 100.0}}
    nothing = dict.fromkeys(("refused", "too_long", "unreadable"), 0)
    return held | nothing | changed


@pytest.mark.parametrize(
    ("changed", "drops", "expected"),
    [
        ({}, 0, "valid"),
        ({"misses": 10}, 0, "valid"),
        ({"misses": 11}, 0, "degraded"),
        ({"left_late": {"max_us": 5_001.0}}, 0, "degraded"),
        ({"misses": 101}, 0, "invalid"),
        ({"left_late": {"max_us": 50_001.0}}, 0, "invalid"),
        ({"refused": 1}, 0, "invalid"),
        ({}, 1, "invalid"),
    ],
)
def test_a_verdict_has_its_limits(changed, drops, expected):
    decided, reasons = verdict(report(**changed), drops, 50_000_000)
    assert decided == expected
    assert bool(reasons) == (expected != "valid")


def test_the_kernels_struct_is_read_at_its_places():
    ends = dict(tcp_info._ENDS)
    # Offsets of <linux/tcp.h>: what ends where the next begins.
    assert ends["flags"] == 8
    assert ends["total_retrans"] == 104
    assert ends["segs_in"] == 144
    assert ends["data_segs_out"] == 160
    assert ends["bytes_retrans"] == 216
    assert ends["total_rto_time"] == 248


def test_an_older_kernel_tells_less():
    class Old:
        def getsockopt(self, *_):
            return bytes(range(104))

    told = tcp_info.tcp_info(Old())
    assert "total_retrans" in told
    assert "data_segs_out" not in told


def test_a_link_that_changes_and_a_queue_of_flows_are_those_of_the_simulator():
    queue = 'topology.bottleneck.queue={ kind = "fq_codel" }'
    steps = 'topology.bottleneck.schedule=[{ at = "1 s", rate = "2 Mbit/s", delay = "3 ms" }]'
    plan = plan_of(queue, steps, 'flows=[{ dscp = "EF" }]')
    request = request_for(plan, asdict(Options()), 1)
    emulated = json.loads(request["driver"]["plan"])
    assert emulated == plan
    assert emulated["links"][0]["queue"]["name"] == "fq_codel"
    assert len(emulated["links"][0]["varies"]["how"]["steps"]) == 2
    assert emulated["flows"][0]["dscp"] == 46
    # Lateness is judged by the shortest round trip: two times 3 ms, and four times 1 ms.
    assert least_rtt_ns(plan) == 10_000_000
