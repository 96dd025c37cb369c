"""``[probes]``: what is recorded beside the totals."""

from __future__ import annotations

from typing import Annotated, Any

from ackclock.scenario.model.base import Table
from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import plain, whole
from ackclock.scenario.values.quantities import OFF, DurationOrOff, DurationOrZero

ALL = "all"
_WANTED = 'write "off", "all" or the names of flows, like ["flow 1", "flow 2"]'


def _read(raw: Any) -> str | tuple[str, ...]:
    value = plain(raw)
    if value in (OFF, ALL):
        return value
    if isinstance(value, list | tuple):
        names = tuple(plain(each) for each in value)
        if all(isinstance(name, str) for name in names):
            return names
    raise ValueError(_WANTED)


FLOWS = Kind(
    accepts='"off" | "all" | list of names of flows',
    example='["flow 1"]',
    read=_read,
    write=lambda value: value if isinstance(value, str) else list(value),
    number=lambda value: value if isinstance(value, str) else list(value),
    unit=lambda value: None,
    schema={"anyOf": [{"enum": [OFF, ALL]}, {"type": "array", "items": {"type": "string"}}]},
)


_WANTED_LINKS = (
    'write false, true for the bottleneck, "all", or names of links, like ["r1 -> r2", "r2 -> r1"]'
)


def _read_links(raw: Any) -> bool | str | tuple[str, ...]:
    value = plain(raw)
    if isinstance(value, bool) or value == ALL:
        return value
    if isinstance(value, list | tuple):
        names = tuple(plain(each) for each in value)
        if names and all(isinstance(name, str) for name in names):
            return names
    raise ValueError(_WANTED_LINKS)


LINKS = Kind(
    accepts='true | false | "all" | list of names of links',
    example="true",
    read=_read_links,
    write=lambda value: list(value) if isinstance(value, tuple) else value,
    number=lambda value: list(value) if isinstance(value, tuple) else value,
    unit=lambda value: None,
    schema={
        "anyOf": [
            {"type": "boolean"},
            {"enum": [ALL]},
            {"type": "array", "items": {"type": "string"}, "minItems": 1},
        ]
    },
)


class Probes(Table):
    """What is recorded over time, in the first replications of each point."""

    queue: DurationOrOff = None
    """Longest queue of each link in bins of this width."""
    goodput: DurationOrOff = None
    """Goodput of each flow in bins of this width."""
    acr: DurationOrOff = None
    """Allowed cell rate of each ABR VC at the end of bins of this width (ATM networks)."""
    cwnd: Annotated[str | tuple[str, ...], FLOWS] = OFF
    """Flows whose cwnd, ssthresh and flight size are recorded at every change."""
    transport: DurationOrOff = None
    """Rates, smallest RTT, data in flight and state of TCP senders, once in bins of this width."""
    delays: Annotated[bool | str | tuple[str, ...], LINKS] = False
    """Distributions of RTTs and of the time in the queue: of the bottleneck, or of these links."""
    segments: Annotated[str | tuple[str, ...], FLOWS] = OFF
    """Flows whose segments, ACKs and SACK ranges are recorded one by one."""
    segments_from: DurationOrZero = 0
    """From when on segments are recorded."""
    segments_until: DurationOrOff = None
    """Until when; "off": until the end of the run."""
    replications: Annotated[int, whole(0, 10**6, 1)] = 1
    """How many replications of a point are recorded; pages and files need no probe."""
