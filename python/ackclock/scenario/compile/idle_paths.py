"""What is known of a path before any run: how long it takes when nothing else uses it."""

from __future__ import annotations

from ackclock.scenario.compile.facts import IdlePath
from ackclock.scenario.compile.network import PS_PER_S, Flow, Line, Network
from ackclock.scenario.compile.packet_sizes import HEADER_BYTES


def idle_paths(network: Network) -> dict[str, IdlePath]:
    """``Facts.idle_paths`` of a network of packets; the flows of a group have paths alike."""
    found = {}
    for its in network.groups:
        path = _idle_path(network, its[0]) if its.group.is_tcp else None
        if path is not None:
            found[its.group.written.name] = path
    return found


def _idle_path(network: Network, flow: Flow) -> IdlePath | None:
    """Of a flow; none because of ``UNKNOWN_PATH``."""
    way, back = ([network.lines[number] for number in links] for links in (flow.way, flow.back))
    if not way or any(map(_is_unknown, (*way, *back))):
        return None
    return IdlePath(
        rtt_s=network.base_rtt(flow) / PS_PER_S,
        delay_s=sum(line.delay for line in way) / PS_PER_S,
        rate_bit_s=min(line.rate for line in way),
        # What the receiver announces bounds a segment, too.
        segment_bytes=min(flow.group.sender_tcp.smss, flow.group.receiver_tcp.smss),
        header_bytes=HEADER_BYTES,
    )


def _is_unknown(line: Line) -> bool:
    """Whether a link has no rate and no delay that are known."""
    shapes = getattr(line.queue, "rate", None) is not None
    return bool(line.change) or line.spread > 0 or shapes
