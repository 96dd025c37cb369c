"""``[probes]``: what is recorded beside the totals."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from ackclock.scenario.model.base import Earlier, Renamed
from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import plain, whole
from ackclock.scenario.values.quantities import OFF, DurationOrOff, DurationOrZero

ALL = "all"
_WANTED = 'write "off", "all" or the names of flows, like ["flow 1", "flow 2"]'


def _read(raw: Any) -> str | tuple[str, ...]:
    value = plain(raw)
    if value in (OFF, ALL):
        return value
    names = _names(value)
    if names is None:
        raise ValueError(_WANTED)
    return names


def _names(value: Any) -> tuple[str, ...] | None:
    """What is written as a list of names; none if it is no such list."""
    if not isinstance(value, list | tuple):
        return None
    names = tuple(plain(each) for each in value)
    return names if all(isinstance(name, str) for name in names) else None


FLOWS = Kind(
    accepts='"off" | "all" | list of names of flows',
    example='["flow 1"]',
    read=_read,
    write=lambda value: value if isinstance(value, str) else list(value),
    number=lambda value: value if isinstance(value, str) else list(value),
    schema={"anyOf": [{"enum": [OFF, ALL]}, {"type": "array", "items": {"type": "string"}}]},
)


_WANTED_LINKS = (
    'write false, true for the bottleneck, "all", or names of links, like ["r1 -> r2", "r2 -> r1"]'
)


def _read_links(raw: Any) -> bool | str | tuple[str, ...]:
    value = plain(raw)
    if isinstance(value, bool) or value == ALL:
        return value
    names = _names(value)
    if not names:
        raise ValueError(_WANTED_LINKS)
    return names


LINKS = Kind(
    accepts='true | false | "all" | list of names of links',
    example="true",
    read=_read_links,
    write=lambda value: list(value) if isinstance(value, tuple) else value,
    number=lambda value: list(value) if isinstance(value, tuple) else value,
    schema={
        "anyOf": [
            {"type": "boolean"},
            {"enum": [ALL]},
            {"type": "array", "items": {"type": "string"}, "minItems": 1},
        ]
    },
)


_WANTED_QUEUES = 'write true for all links, or names of links, like ["r1 -> r2"]'


def _read_queues(raw: Any) -> bool | tuple[str, ...]:
    value = plain(raw)
    if value is not True:
        names = _names(value)
        if not names:
            raise ValueError(_WANTED_QUEUES)
        return names
    return True


QUEUES = Kind(
    accepts="true | list of names of links",
    example='["r1 -> r2"]',
    read=_read_queues,
    write=LINKS.write,
    number=LINKS.number,
    unit=LINKS.unit,
    schema={
        "anyOf": [
            {"const": True},
            {"type": "array", "items": {"type": "string"}, "minItems": 1},
        ]
    },
)


class Probes(Renamed):
    """What is recorded over time, in the first replications of each point.

    `cwnd`, `rtt`, `states`, `segments` and `packets` have a row an event. They record from `from`
    until `until`.
    """

    earlier: ClassVar[Mapping[str, Earlier]] = {
        "segments_from": Earlier(("from",), lambda raw: {"from": raw}),
        "segments_until": Earlier(("until",), lambda raw: {"until": raw}),
    }
    queue: DurationOrOff = None
    """Record the longest queue of each link, in bins of this width."""
    queue_links: Annotated[bool | tuple[str, ...], QUEUES] = True
    """Links whose queues are recorded; true selects all."""
    goodput: DurationOrOff = None
    """Record the goodput of each flow, in bins of this width."""
    acr: DurationOrOff = None
    """Record the allowed cell rate (ACR) of each ABR VC, at the end of bins of this width (ATM
    networks).
    """
    cwnd: Annotated[str | tuple[str, ...], FLOWS] = OFF
    """Flows whose cwnd, ssthresh and flight size are recorded at every change."""
    transport: DurationOrOff = None
    """Record the rates, smallest RTT, data in flight and state of TCP senders, once per bin of this
    width.
    """
    delays: Annotated[bool | str | tuple[str, ...], LINKS] = False
    """Record the distributions of RTTs and of the time in the queue: of the bottleneck (true), or
    of these links.
    """
    rtt: Annotated[str | tuple[str, ...], FLOWS] = OFF
    """Flows whose senders' RTTs are recorded one by one, with the smoothed RTT and the RTO."""
    states: Annotated[str | tuple[str, ...], FLOWS] = OFF
    """Flows whose sender states are recorded, for example slow start, recovery or a phase
    of BBR.
    """
    segments: Annotated[str | tuple[str, ...], FLOWS] = OFF
    """Flows whose segments, ACKs and SACK ranges are recorded one by one."""
    packets: Annotated[bool | str | tuple[str, ...], LINKS] = False
    """Links whose packets are recorded one by one; true selects the bottleneck."""
    since: DurationOrZero = Field(default=0, alias="from")
    """Start time of the probes that record single events."""
    until: DurationOrOff = None
    """End time of these probes; "off" is the end of the run."""
    replications: Annotated[int, whole(0, 10**6, 1)] = 1
    """Number of replications of each point that are recorded; pages and files need no probe."""
