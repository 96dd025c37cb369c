"""The verdict on an emulated run, from drops outside of the scenario and late packets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VALID, DEGRADED, INVALID = "valid", "degraded", "invalid"
_MISSES = (0.001, 0.01)
_MAXIMUM_OF_RTT = 0.1
_LEAST_DEADLINE_NS = 200_000
_PS_PER_NS = 1000


def least_rtt_ns(plan: Mapping[str, Any]) -> int:
    """Return the shortest two-way propagation delay of a flow, over packet links, ns."""
    edges: dict[int, list[tuple[int, int]]] = {}
    for link in plan["links"]:
        if link["kind"] == "packets":
            edges.setdefault(link["from"], []).append((link["to"], _least_delay(link)))
    ways = [
        _delay(edges, flow["sender"], flow["receiver"])
        + _delay(edges, flow["receiver"], flow["sender"])
        for flow in plan["flows"]
    ]
    return min(ways, default=0) // _PS_PER_NS


def _least_delay(link: Mapping[str, Any]) -> int:
    """Return the shortest one-way delay of a packet link, or of its model, ps."""
    steps = link.get("varies", {}).get("how", {}).get("steps", ())
    return int(min([step["delay_ps"] for step in steps], default=link["delay_ps"]))


def _delay(edges: Mapping[int, list[tuple[int, int]]], start: int, end: int) -> int:
    """Return the smallest delay between two nodes, ps; 0 without a path of packet links."""
    best, left = {start: 0}, [start]
    while left:
        node = left.pop(0)
        for to, delay in edges.get(node, ()):
            if best[node] + delay < best.get(to, 1 << 62):
                best[to] = best[node] + delay
                left.append(to)
    return best.get(end, 0)


def deadline_ns(plan: Mapping[str, Any]) -> int:
    """Return the delay from which a packet is late: 200 us or 1 % of the smallest RTT, ns."""
    return max(_LEAST_DEADLINE_NS, least_rtt_ns(plan) // 100)


def verdict(report: Mapping[str, Any], device_drops: int, rtt_ns: int) -> tuple[str, list[str]]:
    """Return the verdict and its reasons.

    Args:
        report: report of the driver.
        device_drops: number of packets dropped for lack of buffer.
        rtt_ns: smallest RTT of the flows, ns.
    """
    unordered = {
        "packets dropped before the driver read them": device_drops,
        "packets that a device did not accept": report["refused"],
        "packets longer than the devices'": report["too_long"],
        "errors of devices": report["unreadable"],
    }
    invalid = [f"{number} {what}" for what, number in unordered.items() if number]
    left, worst_us = report["left"], report["left_late"]["max_us"]
    share = report["misses"] / left if left else 0.0
    late = f"{share:.2%} of the packets were late by more than {report['deadline_us']:.0f} us"
    if share > _MISSES[1]:
        invalid.append(late)
    rtt_us = rtt_ns / 1000
    behind = f"a packet was {worst_us / 1000:.1f} ms late"
    if rtt_us and worst_us > rtt_us:
        invalid.append(f"{behind}, more than an RTT")
    if invalid:
        return INVALID, invalid
    degraded = [late] if share > _MISSES[0] else []
    if rtt_us and worst_us > _MAXIMUM_OF_RTT * rtt_us:
        degraded.append(f"{behind}, more than {_MAXIMUM_OF_RTT:.0%} of an RTT")
    return (DEGRADED, degraded) if degraded else (VALID, [])
