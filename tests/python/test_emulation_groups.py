"""Groups of flows with TCPs of their own: how hosts and sockets are set, and what is refused."""

import json
import socket
import struct
from dataclasses import asdict

import numpy as np
import pytest

from ackclock.campaign import Campaign
from ackclock.cli import main
from ackclock.emulation import congestion_controls, sock_diag, tcp_info, tcp_settings
from ackclock.emulation.campaign import Options
from ackclock.emulation.connection_samples import Record
from ackclock.emulation.core import _as_set, kernel_problems, request_for
from ackclock.emulation.measuring import measure
from ackclock.emulation.tables import tables_of
from ackclock.errors import InputError
from ackclock.scenario import load
from emulated import TEXT, needs_namespaces
from scenario_calls import written

GROUPS = (
    TEXT
    + """
[[flows]]
name = "one"

[[flows]]
name = "two"
tcp = { flavor = "cubic" }
"""
)


def compiled(*sets: str, text: str = GROUPS):
    (point,) = load(text, sets).points()
    return written(point.compile())


def asked(*sets: str, **options) -> dict:
    return request_for(compiled(*sets).plan, asdict(Options(**options)), 1)


def of_flow(request: dict, flow: int, key: str = "congestion") -> set:
    """What the sockets of both ends of a flow have."""
    ends = [end for node in request["nodes"] for end in (*node["sources"], *node["sinks"])]
    found = [end["socket"][key] for end in ends if end["flow"] == flow]
    assert len(found) == 2
    return set(found)


def test_each_group_has_its_congestion_control_and_its_hosts():
    request = asked('tcp.flavor="newreno"')
    assert (of_flow(request, 0), of_flow(request, 1)) == ({"reno"}, {"cubic"})
    sack = {
        source["flow"]: node["sysctls"]["tcp_sack"]
        for node in request["nodes"]
        for source in node["sources"]
    }
    assert sack == {0: "0", 1: "1"}


def test_what_is_asked_for_all_is_for_all():
    assert of_flow(asked(congestion="bbr"), 0) == of_flow(asked(congestion="bbr"), 1) == {"bbr"}
    request = asked(profile="cubic")
    assert of_flow(request, 0) == of_flow(request, 1) == {"cubic"}
    differences = [each["differences"] for each in asked(congestion="bbr")["told_settings"]]
    assert all(any("the kernel runs bbr" in each for each in one) for one in differences)


def test_sockets_of_one_host_may_differ_and_its_settings_may_not():
    with pytest.raises(InputError, match="flavors newreno and cubic and share this host") as told:
        asked("topology.hosts=1")
    assert "tcp_sack" in told.value.messages[0]
    assert "tcp_rmem" not in told.value.messages[0]
    request = asked("topology.hosts=1", 'tcp.flavor="cubic"', 'flows[1].tcp.flavor="vegas"')
    assert (of_flow(request, 0), of_flow(request, 1)) == ({"cubic"}, {"vegas"})
    assert len(request["nodes"]) == 2


def test_a_missing_congestion_control_is_told_with_group_and_kernel(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(congestion_controls, "has_congestion_control", lambda name: name != "cubic")
    monkeypatch.setattr(congestion_controls, "available", lambda: ["reno", "bbr"])
    its = compiled()
    (problem,) = kernel_problems(its.plan, asdict(Options()), its.facts.flow_groups)
    for words in ('group "two"', 'flavor "cubic"', "here has reno, bbr", "--cc"):
        assert words in problem
    assert not kernel_problems(its.plan, asdict(Options(congestion="reno")), its.facts.flow_groups)
    first = kernel_problems(its.plan, asdict(Options(profile="cubic")), its.facts.flow_groups)[0]
    assert 'group "one"' in first
    file = tmp_path / "groups.toml"
    file.write_text(GROUPS)
    assert main(["emulate", str(file)]) == 2
    assert 'group "two": flavor "cubic" needs' in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["groups.toml"]


def test_this_kernel_has_reno_and_nothing_made_up():
    if not hasattr(socket, "TCP_CONGESTION"):
        pytest.skip("this is not Linux")
    assert congestion_controls.has_congestion_control("reno")
    assert not congestion_controls.has_congestion_control("made-up")
    assert "reno" in congestion_controls.available()


def tcp_of(flavor: str, **options) -> dict:
    tcp = compiled(f'tcp.flavor="{flavor}"', text=TEXT).plan["tcps"][0]
    return tcp | {"options": tcp["options"] | options}


def test_a_flavor_with_rack_is_the_kernel_as_it_is():
    rack = {"loss_detection": "rack", "tlp": True, "f_rto": True}
    reno = tcp_settings.settings(tcp_of("sack_rfc6675", **rack, dsack=True))
    assert (reno.profile, reno.congestion) == ("reno", "reno")
    assert not {"tcp_frto", "tcp_early_retrans", "tcp_autocorking"} & set(reno.sysctls)
    assert not any("RACK" in each for each in reno.differences)
    without = tcp_settings.settings(tcp_of("cubic", **rack | {"tlp": False, "f_rto": False}))
    assert (without.sysctls["tcp_frto"], without.sysctls["tcp_early_retrans"]) == ("0", "0")
    older = tcp_settings.settings(tcp_of("cubic", loss_detection="rfc6675"))
    assert any("RACK" in each for each in older.differences)


def test_pacing_is_asked_for_where_the_scenario_has_it_and_bbr_paces_anyway():
    rate = tcp_settings.settings(tcp_of("cubic", pacing="rate"))
    assert rate.paced
    assert rate.of_socket()["paced"]
    off = tcp_settings.settings(tcp_of("cubic", pacing="off"))
    assert not off.paced
    bbr = tcp_settings.settings(tcp_of("cubic", pacing="off"), congestion="bbr")
    assert bbr.paced
    assert not bbr.of_socket()["paced"]
    assert any("bbr paces" in each for each in bbr.differences)


def info_of(pacing: int, cwnd: int) -> dict[str, int]:
    return {"bbr_pacing_gain": pacing, "bbr_cwnd_gain": cwnd}


def test_the_gains_of_bbr_tell_its_state():
    words = {(739, 739): "startup", (88, 739): "drain", (320, 512): "probe_bw"}
    words |= {(192, 512): "probe_bw", (256, 512): "probe_bw", (256, 256): "probe_rtt"}
    for (pacing, cwnd), state in words.items():
        assert tcp_info.state_of(info_of(pacing, cwnd)) == state
    assert tcp_info.state_of({}) is None


def test_the_report_of_bbr_is_read():
    told = tcp_info.parsed_bbr(struct.pack("<IIIII", 5, 1, 20_000, 320, 512))
    assert told == {"bbr_bw": (1 << 32) + 5, "bbr_min_rtt": 20_000, **info_of(320, 512)}
    assert tcp_info.parsed_bbr(b"") == {}


def attribute(kind: int, value: bytes) -> bytes:
    size = 4 + len(value)
    return struct.pack("=HH", size, kind) + value + bytes(-size % 4)


def test_a_dump_names_congestion_control_and_what_bbr_reports():
    of_bbr = struct.pack("<IIIII", 7, 0, 9, 256, 512)
    message = struct.pack("=BBBB", 2, 1, 0, 0) + struct.pack("!HH", 10, 5201) + bytes(44 + 20)
    content = message + attribute(4, b"bbr\0") + attribute(16, of_bbr) + attribute(2, bytes(104))
    found = sock_diag._connection(content)
    assert (found.local, found.remote, found.congestion) == (10, 5201, "bbr")
    assert found.info["bbr_bw"] == 7
    assert found.info["snd_cwnd"] == 0


def test_samples_become_the_table_of_the_simulated_run():
    record = Record()
    names = ("snd_mss", "snd_ssthresh", "snd_cwnd", "rtt", "rto")
    info = dict.fromkeys(names, 1000) | {"unacked": 10, "sacked": 2, "lost": 1, "retrans": 1}
    record.note(10**8, 0, info | {"pacing_rate": 250, "delivery_rate": 125, "min_rtt": 20_000})
    record.note(2 * 10**8, 0, info | info_of(88, 739) | {"min_rtt": (1 << 32) - 1})
    plan = compiled(text=TEXT).plan
    plan["probes"] = plan["probes"] | {"transport_bin_ps": 10**11}
    standing = {"written": 0, "writes": 0, "delivered": 0, "first_timeouts": 0, "first_rto_us": 0}
    end = standing | {"opened": None, "last": None, "info": {}}
    flow = plan["flows"][0]
    node = {"before": None, "after": {"sources": {"0": end}, "sinks": {"0": end}, "counters": {}}}
    node |= {"sources": {"0": {"samples": record.samples}}, "sinks": {"0": {"fetched": {}}}}
    described = {
        "driver": {"tables": {}},
        "nodes": {str(flow["sender"]): node, str(flow["receiver"]): node},
    }
    table = tables_of(plan, described, paced=[0])["transport"]
    assert list(table) == [
        "flow", "connection", "time_s", "pacing_rate_bit_s", "delivery_rate_bit_s", "min_rtt_s",
        "in_flight_bytes", "state",
    ]  # fmt: skip
    np.testing.assert_allclose(table["time_s"], [0.1, 0.2])
    np.testing.assert_allclose(table["pacing_rate_bit_s"], [2000, np.nan])
    np.testing.assert_allclose(table["delivery_rate_bit_s"], [1000, np.nan])
    np.testing.assert_allclose(table["min_rtt_s"], [0.02, np.nan])
    assert table["in_flight_bytes"].tolist() == [8000, 8000]
    assert table["state"] == [None, "drain"]
    unpaced = tables_of(plan, described)["transport"]
    assert np.isnan(unpaced["pacing_rate_bit_s"]).all()
    assert tables_of(compiled(text=TEXT).plan, described)["transport"] == {}


def test_a_row_tells_what_each_group_ran(monkeypatch):
    import ackclock.emulation.measuring as measuring

    monkeypatch.setattr(measuring, "measured", lambda tables, facts: {"tables": sorted(tables)})
    its = compiled()
    request = request_for(its.plan, asdict(Options()), 1)
    numbers = [str(node["number"]) for node in request["nodes"]]
    set_up = {number: {"sysctls": {"tcp_sack": number}, "refused": {}} for number in numbers}
    told = _as_set(json.loads(json.dumps(request)), {"set_up": set_up})
    row = measure({"flows": {}, "emulation": {"verdict": "valid", "settings": told}}, its.facts)
    assert row["tables"] == ["flows"]
    said = [(s["groups"], s["flavor"], s["congestion"]) for s in row["emulation"]["settings"]]
    assert said == [(["one"], "newreno", "reno"), (["two"], "cubic", "cubic")]
    senders = [str(flow["sender"]) for flow in its.plan["flows"]]
    assert [s["sysctls"]["tcp_sack"] for s in row["emulation"]["settings"]] == senders


def test_two_groups_run_beside_each_other(tmp_path, capsys):
    needs_namespaces()
    file = tmp_path / "groups.toml"
    file.write_text(GROUPS)
    sets = ["--set", 'tcp.flavor="sack_rfc6675"', "topology.bottleneck.delay=5 ms"]
    assert main(["emulate", str(file), "--unprivileged", "--duration", "2 s", *sets]) in (0, 1)
    said = capsys.readouterr()
    assert 'group "two": flavor cubic, in the kernel cubic' in said.out + said.err
    (run,) = Campaign.open(tmp_path / "groups.emulated").runs
    told = run.row["emulation"]
    assert [each["congestion"] for each in told["connections"]] == ["reno", "cubic"]
    assert [each["groups"] for each in told["settings"]] == [["one"], ["two"]]
    assert told["settings"][0]["sysctls"]["tcp_frto"] == "0"
    assert told["settings"][1]["sysctls"].get("tcp_frto") != "0"
    assert all(rate > 1e5 for rate in run.row["flows"]["goodput_bit_s"])
