"""Transfers of a real kernel through emulated paths, without privilege.

Whatever else this machine does makes packets late, so tolerances are wide, and nothing is said of
verdicts but that there is one.
"""

import json
import os
import shutil

import pytest

from ackclock.emulation import core
from ackclock.emulation.campaign import Options, emulate
from ackclock.emulation.idle_prevention import in_a_virtual_machine
from ackclock.results.results import Results
from ackclock.scenario import load
from emulated import TEXT, needs_namespaces

CELLS = """
[topology]
kind = "atm_dumbbell"
pairs = 2
trunk = { rate = "10 Mbit/s", delay = "10 ms" }
access = { rate = "155.52 Mbit/s", delay = "1 ms" }
port = { policy = "epd", buffer = "2000 cells" }

[tcp]
flavor = "newreno"
receive_buffer = "32 kB"

[workload]
kind = "bulk"
"""


@pytest.fixture(autouse=True)
def _namespaces():
    needs_namespaces()


def emulated(*sets: str, **options) -> dict:
    from dataclasses import asdict

    (point,) = load(TEXT, sets).points()
    plan = point.compile().plan | {"emulation": asdict(Options(unprivileged=True, **options))}
    return core.run(json.dumps(plan), 1)


def test_a_transfer_fills_what_its_window_allows():
    tables = emulated()
    told = tables["emulation"]
    assert told["verdict"] in ("valid", "degraded", "invalid")
    assert told["device_drops"] == told["refused"] == told["strange"] == 0
    # The path is 48 ms there and back, and packets of full size take 1.2 ms and twice 0.12 ms.
    (connection,) = told["connections"]
    assert 48_000 <= connection["min_rtt"] <= 75_000
    # 32 kB a round trip of at least 50 ms.
    goodput = tables["flows"]["delivered_bytes"][0] * 8 / 3
    assert 1.5e6 <= goodput <= 5.3e6
    assert tables["flows"]["segments_retransmitted"][0] <= 5


def test_a_loss_that_was_ordered_is_the_only_one():
    # All that are late are not lost: the kernel may send again what it need not.
    script = '[{kind = "scripted", lost = [20, 21, 60]}]'
    tables = emulated(f"topology.bottleneck.impairments={script}", 'tcp.flavor="sack"')
    assert tables["links"]["packets_lost"].sum() == 3
    assert tables["links"]["packets_dropped"].sum() == 0
    assert tables["flows"]["segments_retransmitted"][0] >= 3
    assert tables["flows"]["delivered_bytes"][0] > 200_000


def test_a_link_that_changes_and_fq_codel_are_there_too():
    steps = 'topology.bottleneck.schedule=[{ at = "0 s", rate = "1 Mbit/s" }]'
    tables = emulated(steps, 'topology.bottleneck.queue={ kind = "fq_codel" }')
    goodput = tables["flows"]["delivered_bytes"][0] * 8 / 3
    # The link has 10 Mbit/s without its schedule, which the window would fill by a half.
    assert 0.3e6 <= goodput <= 1e6


def test_a_file_arrives_whole_and_the_connection_closes():
    tables = emulated('workload.size="300 kB"', 'topology.bottleneck.queue={limit="10 packets"}')
    flows = tables["flows"]
    assert flows["delivered_bytes"][0] == flows["scheduled_bytes"][0] == 300_000
    assert 0 < flows["opened_s"][0] < flows["last_delivery_s"][0] < 3


def test_totals_leave_out_the_warm_up():
    tables = emulated('warm_up="1 s"')
    carried = tables["links"]["bytes_sent"][0]
    delivered = tables["flows"]["delivered_bytes"][0]
    assert delivered == pytest.approx(carried, rel=0.2)
    assert tables["flows"]["scheduled_bytes"][0] == 0
    assert tables["flows"]["backlog_bytes"][0] > 1 << 60


@pytest.mark.parametrize("profile", ["newreno-classic", "reno-sack", "cubic", "bbr"])
def test_a_profile_is_what_the_kernel_runs(profile):
    from pathlib import Path

    available = Path("/proc/sys/net/ipv4/tcp_available_congestion_control").read_text().split()
    if profile in ("cubic", "bbr") and profile not in available:
        pytest.skip(f"this kernel has no {profile}")
    told = emulated('duration="500 ms"', profile=profile)["emulation"]
    assert told["settings"][0]["profile"] == profile
    assert told["configured"]["sysctls"]["tcp_sack"] == str(int(profile != "newreno-classic"))
    assert told["kept_awake"] == in_a_virtual_machine()
    (both,) = told["inventories"]
    assert both["nodes"] == [0, 1]
    assert both["sysctls"]["tcp_sack"] == told["configured"]["sysctls"]["tcp_sack"]
    assert any("rto_min" in route for route in both["routes"])
    assert not any(both["offloads"].values())
    assert not any("flow" in reason for reason in told["reasons"]), "no connection failed"


@pytest.mark.skipif(
    not os.access(os.path.join("/dev", "net", "tun"), os.R_OK | os.W_OK),
    reason="this user may not open TUN devices",
)
def test_tun_devices_carry_as_well():
    tables = emulated('duration="1 s"', ports="tun")
    told = tables["emulation"]
    assert told["too_long"] == told["device_drops"] == told["strange"] == 0
    assert tables["flows"]["delivered_bytes"][0] > 50_000


def test_a_capture_tells_what_is_lost(tmp_path):
    from ackclock.emulation.capture import capture

    script = 'topology.bottleneck.impairments=[{kind = "scripted", lost = [20, 30]}]'
    (point,) = load(TEXT, ['duration="1 s"', script]).points()
    file = tmp_path / "packets.pcapng"
    made = capture(point, ["server 1", "end of r1 -> r2"], file, Options(unprivileged=True))
    server, line = made.passed
    assert (server.lost, line.lost) == (2, 0)
    assert server.retransmissions >= 2
    assert server.packets > line.packets > 30
    assert b"lost by the list of losses (scripted): r1 -> r2" in file.read_bytes()
    assert list(tmp_path.iterdir()) == [file]


def test_cells_carry_other_programs_packets_too():
    from dataclasses import asdict

    text = TEXT.partition("[topology]")[0] + CELLS
    (point,) = load(text, ['duration="1 s"']).points()
    plan = point.compile().plan | {"emulation": asdict(Options(unprivileged=True))}
    tables = core.run(json.dumps(plan), 1)
    assert tables["ports"]["frames_delivered"].sum() > 20
    assert (tables["flows"]["delivered_bytes"] > 10_000).all()


@pytest.mark.skipif(shutil.which("iperf3") is None, reason="iperf3 is not installed")
def test_iperf3_makes_transfers_without_end():
    tables = emulated(application="iperf3")
    delivered = tables["flows"]["delivered_bytes"][0]
    carried = tables["links"]["bytes_sent"][0]
    assert not any("iperf3" in reason for reason in tables["emulation"]["reasons"])
    assert 0.7 * carried < delivered < carried


def test_an_emulated_campaign_is_read_like_a_simulated_one(tmp_path):
    scenario = load(TEXT, ['duration="500 ms"'])
    options = Options(unprivileged=True)
    summary = emulate(scenario, tmp_path, options)
    assert (summary.done, summary.made) == (1, 1)
    assert Results.open(tmp_path).grid() is not None
    assert emulate(scenario, tmp_path, options).made == 0, "it is there"
    assert emulate(scenario, tmp_path, Options(unprivileged=True, profile="cubic")).made == 1
