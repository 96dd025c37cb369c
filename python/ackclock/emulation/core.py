"""Emulated runs with the interface of simulated ones: ``run(plan text, seed) -> tables``.

In addition to the tables of the core, the plan has a table ``emulation`` (``campaign.Options``), so
the options are part of a run's identity. The results also have a table ``emulation``, which
``measuring`` adds to the row.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ackclock.emulation.congestion_controls import Kernel, ThisKernel, problems_of
from ackclock.emulation.launcher import MODULE
from ackclock.emulation.layout import Node, driver_setup, nodes_of, server_port
from ackclock.emulation.tables import tables_of
from ackclock.emulation.tcp_info import chosen
from ackclock.emulation.tcp_settings import Settings, code_problems, settings
from ackclock.emulation.verdict import deadline_ns, least_rtt_ns, verdict
from ackclock.emulation.virtual_time import guest
from ackclock.emulation.virtual_time.kernel import kernel as virtual_kernel
from ackclock.errors import InputError
from ackclock.scenario.plan import canonical_json, written_out

_SPIN_NS = 50_000
_PS_PER_NS = 1000
_HEADERS = 40
_LEAST_PACKET_BYTES = 576
"""Datagram size that every host accepts (RFC 791), bytes."""
_SPIN_BELOW_BPS = 50_000_000


def run(plan_text: str, seed: int) -> dict[str, Any]:
    """Emulate a run.

    Raises:
        InputError: the plan cannot be emulated on this computer.
        RuntimeError: the emulation failed.
    """
    plan = json.loads(plan_text)
    options = plan.pop("emulation")
    problems = emulation_problems(plan)
    if problems:
        raise InputError(problems)
    return emulated(plan, options, seed)


def emulated(
    plan: Mapping[str, Any],
    options: Mapping[str, Any],
    seed: int,
    capture: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Emulate a run of a checked plan.

    Args:
        plan: plan in the form of the core.
        options: fields of ``campaign.Options``.
        seed: seed of the run.
        capture: capture points in the form of ``crates/emu/src/setup.rs``.

    Raises:
        InputError: the plan cannot be emulated on this computer.
        RuntimeError: the emulation failed.
    """
    plan = written_out(plan)
    request = request_for(plan, options, seed, capture)
    described = _staged(request)
    paced = {flow for one in request["told_settings"] if one["paced"] for flow in one["flows"]}
    tables: dict[str, Any] = dict(tables_of(plan, described, paced))
    report = described["driver"]["report"]
    rtt_ns = least_rtt_ns(plan)
    decided, reasons = verdict(report, described["device_drops"], rtt_ns)
    if reasons and report["stolen_s"]:
        reasons.append(
            f"during the run, {report['stolen_s']:.1f} s of processor time that this virtual"
            " machine needed went to others"
        )
    reasons += [
        f"flow {flow}: {one['problem']}"
        for node in described["nodes"].values()
        for flow, one in (*node["sources"].items(), *node["sinks"].items())
        if one["problem"]
    ]
    tables["emulation"] = {
        "verdict": decided,
        "reasons": reasons,
        "kernel": described["kernel"],
        "application": options["application"],
        "ports": options["ports"],
        "settings": _as_set(request, described),
        "configured": described["configured"],
        "inventories": described["inventories"],
        "ticks_per_second": described["ticks_per_second"],
        "kept_awake": described["kept_awake"],
        "device_drops": described["device_drops"],
        "connections": _connections(plan, described),
        "least_rtt_us": rtt_ns / 1000,
        **report,
    }
    return tables


def emulation_problems(plan: Mapping[str, Any]) -> list[str]:
    """Return messages why a plan cannot be emulated; empty if it can."""
    problems = []
    if not sys.platform.startswith("linux"):
        problems.append("emulation needs Linux: packet sockets and namespaces")
    if not plan["flows"]:
        problems.append(
            "workload: there are only sources of cells, and these cannot be emulated; write for"
            ' example [workload] kind = "bulk"'
        )
    return problems + code_problems(plan)


def kernel_problems(
    plan: Mapping[str, Any], options: Mapping[str, Any], groups: Sequence[str]
) -> list[str]:
    """Return messages about kernel features that a plan's TCPs need but that are missing.

    Args:
        plan: as the core reads it.
        options: the fields of ``campaign.Options``.
        groups: group of each flow.
    """
    plan = written_out(plan)
    users = {
        tcp: list(dict.fromkeys(groups[flow] for flow in flows))
        for tcp, flows in _flows_of(plan).items()
    }
    return problems_of(_settings(plan, options), users, kernel_of(options))


def kernel_of(options: Mapping[str, Any]) -> Kernel:
    """Return the kernel whose TCP the runs have.

    Args:
        options: the fields of ``campaign.Options``.

    Raises:
        InputError: there is no kernel for virtual time.
    """
    return virtual_kernel() if _is_virtual(options) else ThisKernel()


def _is_virtual(options: Mapping[str, Any]) -> bool:
    return bool(options.get("virtual_time"))


def _settings(plan: Mapping[str, Any], options: Mapping[str, Any]) -> list[Settings]:
    """Return the kernel's settings for each TCP of a plan."""
    return [settings(tcp, options["profile"], options["congestion"]) for tcp in plan["tcps"]]


def _flows_of(plan: Mapping[str, Any]) -> dict[int, list[int]]:
    """Return the flows that use each TCP of a plan at an end; datagrams use none."""
    found: dict[int, list[int]] = {number: [] for number in range(len(plan["tcps"]))}
    for number, flow in enumerate(plan["flows"]):
        if plan["workloads"][flow["workload"]]["kind"] != "datagrams":
            for tcp in sorted({flow["sender_tcp"], flow["receiver_tcp"]}):
                found[tcp].append(number)
    return found


def request_for(
    plan: Mapping[str, Any],
    options: Mapping[str, Any],
    seed: int,
    capture: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the request to the launcher; ``supervisor.run`` and ``agent.serve`` read it.

    Raises:
        InputError: one kernel cannot have all TCPs of a host.
    """
    plan = written_out(plan)
    text = canonical_json(plan)
    made = _settings(plan, options)
    nodes = nodes_of(plan)
    orders = [_order(plan, node, nodes, made, options) for node in nodes]
    users = _flows_of(plan)
    packet_bytes = max([_LEAST_PACKET_BYTES, *(order["mtu"] for order in orders)])
    rates = [link["rate_bps"] for link in plan["links"] if link["kind"] == "packets"]
    slowest = min(rates, default=0)
    spin_ns = _SPIN_NS if options["spin"] and slowest < _SPIN_BELOW_BPS else 0
    setup = driver_setup(
        plan,
        nodes,
        packet_bytes,
        deadline_ns(plan),
        spin_ns,
        options["ports"],
        few_wakes=_is_virtual(options),
    )
    setup["capture"] = capture
    return {
        "unprivileged": options["unprivileged"],
        "virtual_time": _is_virtual(options),
        "ports": options["ports"],
        "nodes": orders,
        "duration_s": plan["duration_ps"] / 1e12,
        "driver": {
            "plan": text,
            "seed": seed,
            "setup": json.dumps(setup),
            "scheduling": options["scheduling"],
        },
        "told_settings": [
            {
                "profile": one.profile,
                "congestion": one.congestion,
                "differences": one.differences,
                "flavor": one.flavor,
                "paced": one.paced,
                "flows": users[number],
            }
            for number, one in enumerate(made)
        ],
    }


def _order(
    plan: Mapping[str, Any],
    node: Node,
    nodes: list[Node],
    made: list[Settings],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the configuration of a node."""
    sources, sinks = (_ends(plan, node, nodes, made, options, *roles) for roles in _ROLES)
    its = _of_host(plan, node, made)
    longest = max((end["packet_bytes"] for end in (*sources, *sinks)), default=0)
    # The length of TCP segments does not change, even if datagrams are longer.
    route = its.route if longest <= its.mtu else its.route | {"advmss": str(its.mtu - _HEADERS)}
    return {
        "number": node.number,
        "ports": options["ports"],
        "index": node.index,
        "address": node.address,
        "gateway": node.ethernet_text(2),
        "mtu": max(its.mtu, longest),
        "sysctls": its.sysctls,
        "route": route,
        "sources": sources,
        "sinks": sinks,
        "warm_up_ns": plan["warm_up_ps"] // _PS_PER_NS,
        "duration_ns": plan["duration_ps"] // _PS_PER_NS,
        "sample_ns": options["sample_ns"],
    }


_HTTP = {"pages": "1.0", "arrivals": "1.0", "www_batches": "1.1", "video": "1.1"}
"""HTTP versions: one request per connection, or many."""
_ROLES = (("sender", "receiver"), ("receiver", "sender"))


def _ends(
    plan: Mapping[str, Any],
    node: Node,
    nodes: list[Node],
    made: list[Settings],
    options: Mapping[str, Any],
    role: str,
    other: str,
) -> list[dict[str, Any]]:
    """Return the flows with a node as sender or receiver, for ``agent.Run``."""
    address = {each.number: each.address for each in nodes}
    ends = []
    for number, flow in enumerate(plan["flows"]):
        if flow[role] == node.number:
            workload = plan["workloads"][flow["workload"]]
            is_endless = workload["kind"] == "bulk" and workload["bytes"] is None
            ends.append(
                {
                    "flow": number,
                    "address": address[flow[other]],
                    "port": server_port(number),
                    "socket": made[flow[f"{role}_tcp"]].of_socket(),
                    "application": options["application"] if is_endless else "plain",
                    "http": _HTTP.get(workload["kind"]),
                    "packet_bytes": workload.get("packet_bytes", 0),
                }
            )
    return ends


def _of_host(plan: Mapping[str, Any], node: Node, made: list[Settings]) -> Settings:
    """Return the TCP settings that all sockets of a host share; datagrams have none.

    Raises:
        InputError: the TCPs of its flows cannot share a host.
    """
    tcps: dict[bool, dict[int, int]] = {True: {}, False: {}}
    for number, flow in enumerate(plan["flows"]):
        is_used = plan["workloads"][flow["workload"]]["kind"] != "datagrams"
        for role in ("sender", "receiver"):
            if flow[role] == node.number:
                tcps[is_used].setdefault(flow[f"{role}_tcp"], number)
    used = list((tcps[True] or tcps[False]).items())
    (number, flow), others = used[0], used[1:] if tcps[True] else []
    first = made[number]
    for number, another in others:
        other = made[number]
        if unlike := _unlike(first.of_host(), other.of_host()):
            raise InputError(
                f"node {node.number}: flows {flow} and {another}, counted from 0, have flavors"
                f" {first.flavor} and {other.flavor} and share this host; each socket has its own"
                " congestion control, but one kernel cannot be set to both in"
                f" {', '.join(unlike)}; leave out topology.hosts, so that each flow has hosts of"
                " its own, or give all groups the same tcp"
            )
    return first


def _unlike(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the names of settings that differ between hosts: sysctls, route options, mtu."""
    names = []
    for key, value in one.items():
        if isinstance(value, Mapping):
            both = dict.fromkeys((*value, *other[key]))
            names += [name for name in both if value.get(name) != other[key].get(name)]
        elif value != other[key]:
            names.append(key)
    return names


def _as_set(request: Mapping[str, Any], described: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return each TCP's settings in the kernel, at the host of its first sender."""
    found = []
    for its in request["told_settings"]:
        sender = next(
            (
                node
                for flow in its["flows"]
                for node in request["nodes"]
                if any(end["flow"] == flow for end in node["sources"])
            ),
            None,
        )
        more = {} if sender is None else described["set_up"][str(sender["number"])]
        route = {} if sender is None else {"route": sender["route"]}
        found.append({**its, **more, **route})
    return found


def _connections(plan: Mapping[str, Any], described: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the kernel's last report on each flow's connection, with its congestion control."""
    found = []
    for number, flow in enumerate(plan["flows"]):
        standing = described["nodes"][str(flow["sender"])]["after"]["sources"][str(number)]
        named = {"congestion": standing["congestion"]} if standing.get("congestion") else {}
        found.append(chosen(standing["info"]) | named)
    return found


def _staged(request: Mapping[str, Any]) -> dict[str, Any]:
    """Run the launcher and return the report of the supervisor.

    Raises:
        RuntimeError: the supervisor reports a problem, or has died.
    """
    if request["virtual_time"]:
        return guest.run("emulate", request, nodes=len(request["nodes"]))
    return _launched(request)


def _launched(request: Mapping[str, Any]) -> dict[str, Any]:
    """Run the launcher in real time and return the report of the supervisor.

    Raises:
        RuntimeError: the supervisor reports a problem, or has died.
    """
    made = subprocess.run(
        [sys.executable, "-m", MODULE, str(os.getpid())],
        input=json.dumps(request).encode(),
        capture_output=True,
        # Only the command handles Ctrl-C.
        start_new_session=True,
        check=False,
    )
    try:
        answer = json.loads(made.stdout)
    except ValueError:
        said = made.stderr.decode(errors="replace").strip().splitlines()
        why = said[-1] if said else made.returncode
        raise RuntimeError(f"the emulation ended unexpectedly ({why})") from None
    if "problem" in answer:
        raise RuntimeError(answer["problem"])
    return answer["result"]
