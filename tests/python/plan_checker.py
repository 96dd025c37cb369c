"""What a plan is: every key, its type and its bounds; nothing else is accepted.

It says again, in other words, what `crates/lab/src/plan/` says, and more: each flow has a path.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from ackclock.scenario.plan import SCHEMA, written_out
from plan_checker_arrivals import CHECKS, check_sizes
from plan_checker_atm import PLAIN_POLICIES, check_network, check_policy
from plan_checker_links import check_queue, check_varies
from plan_checker_values import (
    MOST_PS,
    MOST_U32,
    MOST_U64,
    PPB,
    PPM,
    check_law,
    has_keys,
    number,
)

_MEASURED = ("queue_delays_of", "delays_of_flows")


def check_plan(plan: dict) -> None:
    """Fail if it is no plan."""
    plan = written_out(plan)
    measured, flows = (plan.get(key, []) for key in ("queue_delays_of", "delays_of_flows"))
    has_keys(
        {key: value for key, value in plan.items() if key not in _MEASURED},
        "schema duration_ps warm_up_ps nodes links clock tcps workloads flows probes",
    )
    assert measured == sorted(set(measured))
    assert flows == sorted(set(flows))
    assert all(0 <= flow < len(plan["flows"]) for flow in flows)
    assert plan["schema"] == SCHEMA
    number(plan["duration_ps"], 1, MOST_PS)
    number(plan["warm_up_ps"], 0, plan["duration_ps"] - 1)
    number(plan["nodes"], 2, 5_000_000)
    for link in plan["links"]:
        check_link(link, plan["nodes"])
    check_clock(plan["clock"])
    for tcp in plan["tcps"]:
        check_tcp(tcp, plan["clock"]["tick_ps"])
    for workload in plan["workloads"]:
        check_workload(workload)
    kinds = [link["kind"] for link in plan["links"]]
    sources = [source for link in plan["links"] for source in link.get("sources", ())]
    assert plan["flows"] or sources, "something is sent"
    assert kinds == ["atm"] or "atm" not in kinds, "an ATM network is the only link"
    for flow in plan["flows"]:
        check_flow(flow, plan)
    check_probes(plan)
    no_copies(plan["tcps"])
    no_copies(plan["workloads"])
    part_of = parts_that_reach_each_other(plan)
    for flow in plan["flows"]:
        ends = flow["sender"], flow["receiver"]
        assert part_of[ends[0]] == part_of[ends[1]], f"no path between {ends[0]} and {ends[1]}"


def check_link(link: dict, nodes: int) -> None:
    if link["kind"] == "packets":
        known = "kind from to cost rate_bps delay_ps delay_draw queue impairments"
        has_keys({key: value for key, value in link.items() if key != "varies"}, known)
        if "varies" in link:
            check_varies(link["varies"])
        number(link["from"], 0, nodes - 1)
        number(link["to"], 0, nodes - 1)
        assert link["from"] != link["to"]
        number(link["rate_bps"], 1, 10**14)
        number(link["delay_ps"], 0, MOST_PS)
        if link["delay_draw"] is not None:
            has_keys(link["delay_draw"], "number spread_ps")
            number(link["delay_draw"]["number"], 0, MOST_U32)
            number(link["delay_draw"]["spread_ps"], 1, MOST_PS)
        check_queue(link["queue"])
        for impairment in link["impairments"]:
            check_impairment(impairment)
    elif link["kind"] == "atm":
        check_network(link, nodes)
        return
    else:
        assert link["kind"] == "cells"
        has_keys(link, "kind from_first to_first hosts cost access trunk port")
        number(link["hosts"], 1, MOST_U32)
        for first in ("from_first", "to_first"):
            number(link[first], 0, nodes - link["hosts"])
        for part in ("access", "trunk"):
            has_keys(link[part], "cell_time_ps delay_ps")
            number(link[part]["cell_time_ps"], 1, MOST_PS)
            number(link[part]["delay_ps"], 0, MOST_PS)
        assert link["access"]["cell_time_ps"] <= link["trunk"]["cell_time_ps"]
        check_port(link["port"])
    number(link["cost"], 1, MOST_U32)


def check_impairment(impairment: dict) -> None:
    keys = {
        "bernoulli": "loss_ppb of",
        "gilbert_elliott": "good_to_bad_ppb bad_to_good_ppb loss_good_ppb loss_bad_ppb of",
        "loss_events": "rate_ppb losses of",
        "two_parameter": "event_ppb loss_ppb span_ps of",
        "scripted": "lost",
        "jitter": "spread_ps",
        "duplicate": "ppb",
        "mark": "ppb",
    }[impairment["kind"]]
    has_keys(impairment, f"kind {keys}")
    for name, value in impairment.items():
        if name.endswith("ppb"):
            number(value, 0, PPB)
    if impairment["kind"] == "scripted":
        assert impairment["lost"] == sorted(set(impairment["lost"]))
        for each in impairment["lost"]:
            number(each, 1, MOST_U64)
    for name in ("spread_ps", "span_ps"):
        if name in impairment:
            number(impairment[name], 1, MOST_PS)
    if impairment["kind"] == "loss_events":
        number(impairment["losses"], 1, MOST_U32)
    assert impairment.get("of", "all") in ("all", "data", "new_data", "acks")


def check_port(port: dict) -> None:
    has_keys(port, "buffer_cells policy eom")
    number(port["buffer_cells"], 1, MOST_U32)
    check_policy(port["policy"], port["buffer_cells"])
    assert port["policy"]["name"] in PLAIN_POLICIES
    assert port["eom"] in ("keep", "drop")


def check_clock(clock: dict) -> None:
    has_keys(clock, "tick_ps phase")
    number(clock["tick_ps"], 1, MOST_PS)
    phase = clock["phase"]
    if phase["kind"] == "open":
        has_keys(phase, "kind")
    else:
        has_keys(phase, "kind spread_ps")
        assert phase["kind"] == "uniform"
        number(phase["spread_ps"], 0, MOST_PS)


def _is_tuned(tcp: dict) -> bool:
    """Whether the receive buffer grows, of which a plan tells only then."""
    return "receive_buffer_initial_bytes" in tcp


def check_tcp(tcp: dict, tick_ps: int) -> None:
    has_keys(
        tcp,
        "flavor options smss_bytes initial_window_segments initial_ssthresh_bytes "
        "receive_buffer_bytes window_scale nagle sws_avoidance idle_restart "
        "restart_window_segments historic" + " receive_buffer_initial_bytes" * _is_tuned(tcp),
    )
    assert isinstance(tcp["flavor"], str)
    check_options(tcp["options"], tick_ps)
    number(tcp["smss_bytes"], 1, 65535 - 40)
    number(tcp["initial_window_segments"], 1, MOST_U32)
    number(tcp["initial_ssthresh_bytes"], 1, MOST_U64)
    number(tcp["receive_buffer_bytes"], tcp["smss_bytes"], MOST_U32)
    if _is_tuned(tcp):
        number(tcp["receive_buffer_initial_bytes"], tcp["smss_bytes"], tcp["receive_buffer_bytes"])
    if tcp["window_scale"] is not None:
        number(tcp["window_scale"], 0, 14)
    for name in ["nagle", "sws_avoidance", "idle_restart"]:
        assert isinstance(tcp[name], bool)
    historic = tcp["historic"]
    has_keys(
        historic,
        "handshake_growth handshake_sample additive_constant cwnd_rounding cwnd_ack_batch "
        "retransmit_wait_ppm",
    )
    for name in ["additive_constant", "handshake_growth", "handshake_sample"]:
        assert isinstance(historic[name], bool)
    assert historic["cwnd_rounding"] in ("up", "down", "none")
    number(historic["cwnd_ack_batch"], 1, MOST_U32)
    number(historic["retransmit_wait_ppm"], 0, 4 * PPM)
    if tcp["options"]["growth"] == "bytes":
        assert (historic["cwnd_rounding"], historic["cwnd_ack_batch"]) == ("up", 1)
    if tcp["flavor"] != "sack":
        assert historic["retransmit_wait_ppm"] == 0
    if tcp["restart_window_segments"] is not None:
        number(tcp["restart_window_segments"], 1, MOST_U32)


def check_options(options: dict, tick_ps: int) -> None:
    flags = (
        "sack dsack timestamps ecn l4s abe limited_transmit prr lost_retransmission_detection"
        " tlp f_rto whole_segments cwnd_validation recovery_samples sample_every_ack"
        " careful_fast_retransmit"
    )
    words = {
        "ecn_feedback": ("classic", "dctcp", "accurate"),
        "loss_detection": ("rack", "rfc6675"),
        "tlp_timer": ("rfc8985", "linux"),
        "undo": ("off", "rfc4015", "linux"),
        "slow_start": ("standard", "hystart_plus_plus", "hystart"),
        "pacing": ("off", "rate", "cc"),
        "cubic_arithmetic": ("rfc9438", "linux"),
        "growth": ("acks", "bytes"),
        "ssthresh_from": ("flight_size_bounded", "flight_size", "cwnd", "cwnd_deflated"),
        "ssthresh_rounding": ("bytes", "segments"),
        "deflation": ("full", "partial"),
        "partial_ack_timer": ("first", "every"),
        "timers": ("ticks", "fine"),
        "min_rto_of": ("rto", "variance"),
        "window_probe": ("octet", "ack"),
        "ack_timer": ("per_ack", "free_running"),
    }
    times = "initial_rto_ps min_rto_ps max_rto_ps"
    others = (
        "sack_blocks growth_limit_segments cubic_beta_ppm delayed_ack_ps quick_acks "
        "ack_every quick_ack_bytes unpaced_segments ledbat_target_ps"
    )
    has_keys(options, " ".join([flags, *words, times, others]))
    for name in flags.split():
        assert isinstance(options[name], bool)
    for name, known in words.items():
        assert options[name] in known
    for name in times.split():
        number(options[name], 1, MOST_PS)
        if options["timers"] == "ticks":
            number(options[name] // tick_ps, 1, 2**31)
            assert options[name] % tick_ps == 0
    assert max(options["min_rto_ps"], options["initial_rto_ps"]) <= options["max_rto_ps"]
    number(options["sack_blocks"], 1, 4)
    number(options["cubic_beta_ppm"], 1, 10**6 - 1)
    number(options["quick_acks"], 0, MOST_U32)
    number(options["quick_ack_bytes"], 0, MOST_U32)
    number(options["ack_every"], 1, MOST_U32)
    number(options["unpaced_segments"], 0, MOST_U32)
    number(options["ledbat_target_ps"], 1, MOST_PS)
    for name in ("growth_limit_segments", "delayed_ack_ps"):
        if options[name] is not None:
            number(options[name], 1, MOST_PS)


def check_workload(workload: dict) -> None:
    if workload["kind"] == "bulk":
        has_keys(workload, "kind bytes start_ps start_spread_ps")
        if workload["bytes"] is not None:
            number(workload["bytes"], 1, 2**60)
        number(workload["start_ps"], 0, MOST_PS)
        number(workload["start_spread_ps"], 0, MOST_PS)
        return
    if workload["kind"] == "pages":
        check_pages(workload)
        return
    if workload["kind"] in CHECKS:
        CHECKS[workload["kind"]](workload)
        return
    if workload["kind"] == "datagrams":
        check_datagrams(workload)
        return
    assert workload["kind"] == "www_batches"
    has_keys(
        workload,
        "kind request_bytes period_ps period_from start_spread_ps requests gap_min_ps gap_max_ps "
        "file_index class_ppm first_is_class_0 first_alone",
    )
    number(workload["request_bytes"], 1, MOST_U32)
    number(workload["period_ps"], 1, MOST_PS)
    assert workload["period_from"] in ("first_request", "last_request")
    number(workload["gap_min_ps"], 0, workload["gap_max_ps"])
    number(workload["gap_max_ps"], 0, MOST_PS)
    assert len(workload["class_ppm"]) == 5
    assert sum(workload["class_ppm"]) == 10**6
    for name in ("first_is_class_0", "first_alone"):
        assert isinstance(workload[name], bool)
    for law in ("requests", "file_index"):
        assert workload[law] in ("poisson_truncated", "poisson_clamped", "uniform", "five")


def check_pages(workload: dict) -> None:
    has_keys(
        workload,
        "kind request_bytes answers_with_ack stages sizes pause start_ps start_spread_ps",
    )
    assert isinstance(workload["answers_with_ack"], bool)
    number(workload["request_bytes"], 1, MOST_U32)
    assert workload["stages"]
    for stage in workload["stages"]:
        has_keys(stage, "connections objects")
        number(stage["connections"], 1, 1000)
        number(stage["objects"], 1, 1000)
    check_law(workload["pause"])
    for name in ("start_ps", "start_spread_ps"):
        number(workload[name], 0, MOST_PS)
    check_sizes(workload["sizes"])


def check_datagrams(workload: dict) -> None:
    has_keys(workload, "kind rate_bps packet_bytes on off start_ps start_spread_ps")
    number(workload["rate_bps"], 1, 10**14)
    number(workload["packet_bytes"], 28, 65535)
    assert (workload["on"] is None) == (workload["off"] is None)
    for name in ("on", "off"):
        if workload[name] is not None:
            check_law(workload[name])
    for name in ("start_ps", "start_spread_ps"):
        number(workload[name], 0, MOST_PS)


def check_flow(flow: dict, plan: dict) -> None:
    known = "sender receiver sender_tcp receiver_tcp workload foreground"
    has_keys({key: value for key, value in flow.items() if key != "dscp"}, known)
    number(flow.get("dscp", 1), 1, 63)
    assert isinstance(flow["foreground"], bool)
    assert flow["sender"] != flow["receiver"]
    for end in ("sender", "receiver"):
        number(flow[end], 0, plan["nodes"] - 1)
        number(flow[f"{end}_tcp"], 0, len(plan["tcps"]) - 1)
    number(flow["workload"], 0, len(plan["workloads"]) - 1)


def check_probes(plan: dict) -> None:
    probes, flows, links = plan["probes"], len(plan["flows"]), len(plan["links"])
    first = plan["links"][0]
    queues = len(first["lines"]) if first["kind"] == "atm" else links
    of_flows = ("cwnd_of", "rtt_of", "states_of", "segments_of")
    optional = {"delays", *of_flows[1:], "queue_of", "packets_of", "from_ps", "until_ps"}
    rest = {key: value for key, value in probes.items() if key not in optional}
    has_keys(rest, "queue_bin_ps goodput_bin_ps cwnd_of acr_bin_ps transport_bin_ps")
    assert probes.get("delays", True) is True
    things_of = {**dict.fromkeys(of_flows, flows), "queue_of": queues, "packets_of": links}
    for name, things in things_of.items():
        numbers = probes.get(name, [])
        assert numbers == sorted(set(numbers))
        assert numbers or probes.get(name) is None or name not in optional
        assert all(0 <= each < things for each in numbers)
    number(probes.get("from_ps", 1), 1, MOST_PS)
    number(probes.get("until_ps", MOST_PS), probes.get("from_ps", 0) + 1, MOST_PS)
    assert "queue_of" not in probes or probes["queue_bin_ps"]
    for name in ("queue_bin_ps", "goodput_bin_ps", "acr_bin_ps", "transport_bin_ps"):
        if probes[name] is not None:
            number(probes[name], 1, MOST_PS)


def parts_that_reach_each_other(plan: dict) -> np.ndarray:
    """For each node the number of its part: from any node of it a packet gets to any other."""
    edges: list[tuple[int, int]] = []
    points = plan["nodes"]
    for link in plan["links"]:
        if link["kind"] == "packets":
            edges.append((link["from"], link["to"]))
        elif link["kind"] == "atm":
            places = [*range(link["first"], link["first"] + link["hosts"])]
            places += range(points, points + link["switches"])
            edges += [(places[line["from"]], places[line["to"]]) for line in link["lines"]]
            points += link["switches"]
        else:
            edges += [(link["from_first"] + host, points) for host in range(link["hosts"])]
            edges += [(points, link["to_first"] + host) for host in range(link["hosts"])]
            points += 1
    starts, ends = zip(*edges, strict=True)
    graph = csr_array((np.ones(len(edges)), (starts, ends)), shape=(points, points))
    return connected_components(graph, connection="strong")[1]


def no_copies(values: list) -> None:
    assert all(value not in values[:at] for at, value in enumerate(values))
