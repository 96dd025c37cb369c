"""The time to send the content of a queue, on a link with a constant rate."""

from __future__ import annotations

from typing import Any

from ackclock.scenario.compile.facts import Compiled
from ackclock.scenario.compile.packet_sizes import HEADER_BYTES
from ackclock.scenario.plan import written_link

_PS_PER_S = 10**12


def seconds_of_one(compiled: Compiled, link: int) -> float | None:
    """How long a link takes to send one of what its queue holds: a cell, or a full packet.

    Args:
        compiled: the plan of a point.
        link: number of the link, as in ``Facts.link_names``.

    Returns:
        Seconds; none of packets that are not all of one size when they are full, or of a link that
        may carry ACKs alone, or whose rate may change.
    """
    links = compiled.plan["links"]
    if links[0]["kind"] == "atm":
        return float(links[0]["lines"][link]["cell_time_ps"] / _PS_PER_S)
    if links[0]["kind"] == "cells":
        return float(links[0]["trunk"]["cell_time_ps"] / _PS_PER_S)
    sizes = {_full_packet(compiled.plan, flow) for flow in compiled.plan["flows"]}
    its = written_link(compiled.plan, link)
    if its is None or link != compiled.facts.bottleneck_link or len(sizes) != 1 or "varies" in its:
        return None
    return 8 * float(*sizes) / its["rate_bps"]


def _full_packet(plan: dict[str, Any], flow: dict[str, Any]) -> int:
    """The largest packet of a flow's data, bytes."""
    workload = plan["workloads"][flow["workload"]]
    if workload["kind"] == "datagrams":
        return int(workload["packet_bytes"])
    return int(plan["tcps"][flow["sender_tcp"]]["smss_bytes"]) + HEADER_BYTES
