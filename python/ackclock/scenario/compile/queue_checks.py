"""What is wrong with the parameters of a queue, beside what their units say.

The core refuses the same; here the message names the key, its value and a correct one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ackclock.scenario.keys import Path
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import RATE, SIZE, TIME, Dimension, show


class Range(NamedTuple):
    """The least and the most that a parameter may be, in base units; without units, a number."""

    least: int
    most: int | None = None
    dimension: Dimension | None = None

    def text(self, value: int) -> str:
        """A value as a person would write it."""
        return str(value) if self.dimension is None else f'"{show(value, self.dimension)}"'


_QUANTUM = Range(1, 10**6, SIZE)
_FLOWS = Range(1, 2**16)
_LENGTH = Range(0, 2**16 - 1, SIZE)
_RANGES: Mapping[str, Mapping[str, Range]] = {
    "fq_codel": {"flows": _FLOWS, "quantum": _QUANTUM},
    "fq_pie": {"flows": _FLOWS, "quantum": _QUANTUM},
    "fq": {"quantum": _QUANTUM, "initial_quantum": Range(1, 10**9, SIZE)},
    "drr": {"quantum": _QUANTUM},
    "cake": {"rate": Range(512, None, RATE), "overhead": _LENGTH, "mpu": _LENGTH},
    "dualpi2": {"t_update": Range(10**6, None, TIME), "mtu": _QUANTUM},
}
_HOLDS_A_PACKET: Mapping[str, Mapping[str, str]] = {
    "fq_codel": {"memory_limit": "memory_limit"},
    "fq_pie": {"memory_limit": "memory_limit"},
    "cake": {"memory_limit": "memory_limit"},
    "policer": {"burst": "burst", "peak_burst": "peak_rate"},
}
"""Parameters below the largest packet let it never pass; each with the one that switches it on."""
_PEAKS = ("token_bucket", "policer")


def parameter_problems(
    kind: str, values: Mapping[str, Any], table: Path, largest_packet: int | None
) -> Iterator[Problem]:
    """What is wrong with the parameters of a queue.

    Args:
        kind: of the queue.
        values: of its parameters, by their names.
        table: key of the queue.
        largest_packet: bytes; none if nothing crosses the link.
    """
    for name, its in _RANGES.get(kind, {}).items():
        value = values[name]
        if value is not None and value < its.least:
            least = its.text(its.least)
            reason = f"{its.text(value)} is below {least}, the minimum; write {least} or more"
            yield Problem((*table, name), reason)
        elif value is not None and its.most is not None and value > its.most:
            most = its.text(its.most)
            reason = f"{its.text(value)} is above {most}, the maximum; write {most} or less"
            yield Problem((*table, name), reason)
    for name, switch in _HOLDS_A_PACKET.get(kind, {}).items():
        value = values[name]
        is_on = value is not None and values[switch] is not None
        if is_on and largest_packet is not None and value < largest_packet:
            yield Problem((*table, name), too_small(largest_packet))
    if kind in _PEAKS and None not in (values["rate"], values["peak_rate"]):
        rate, peak = (show(values[name], RATE) for name in ("rate", "peak_rate"))
        if values["peak_rate"] < values["rate"]:
            yield Problem(
                (*table, "peak_rate"),
                f'"{peak}" is below rate = "{rate}"; write "{rate}" or more, or lower rate',
            )


def too_small(largest_packet: int) -> str:
    """What to say of a limit in bytes into which the largest packet does not fit."""
    needed = show(largest_packet, SIZE)
    return f'cannot hold one packet, which has {needed}; write "{needed}" or more'
