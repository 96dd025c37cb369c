"""The subjects of the comparison: two scenario files, their points, and the reported values."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ackclock.emulation.settings import settings
from ackclock.errors import InputError
from ackclock.scenario import Scenario, load

FOLDER = Path(__file__).parent
PARTS = ("losses", "grid")
"""Names of the scenario files of this package, without .toml."""
TCPS = {"newreno": "NewReno", "sack_rfc6675": "SACK", "cubic": "CUBIC"}
"""What the page calls a flavor, and the profile of the kernel that is nearest to it."""
_PS = 1e12
_SHOWN = 6


@dataclass(frozen=True)
class Place:
    """A point of a part.

    Attributes:
        part: one of ``PARTS``.
        number: of the point in the sweep of its scenario.
        levels: of the point, by column.
        tcp: one of ``TCPS``.
        rate_bit_s: of the bottleneck.
        rtt_s: propagation delay there and back, without the times that sending takes.
        buffer_packets: of the bottleneck.
        loss: share of the packets with data that is lost.
        congestion: the kernel's congestion control.
        available: whether this kernel has it.
    """

    part: str
    number: int
    levels: Mapping[str, Any]
    tcp: str
    rate_bit_s: float
    rtt_s: float
    buffer_packets: int
    loss: float
    congestion: str
    available: bool

    @property
    def name(self) -> str:
        """As in "grid: CUBIC, 10 Mbit/s, 50 ms, buffer of 83 packets, loss 0.1 %"."""
        return (
            f"{self.part}: {TCPS[self.tcp]}, {self.rate_bit_s / 1e6:g} Mbit/s, {self.rtt_s * 1e3:g}"
            f" ms, buffer of {self.buffer_packets} packets, loss {self.loss * 100:g} %"
        )


@dataclass(frozen=True)
class Part:
    """A scenario, and its requested points.

    Attributes:
        name: one of ``PARTS``.
        scenario: as ``load`` returns it.
        sets: the pairs key=value that changed the file.
        places: its points.
    """

    name: str
    scenario: Scenario
    sets: tuple[str, ...]
    places: tuple[Place, ...]

    def points(self) -> list[Any]:
        """The points of the sweep that can be run: the kernel has their congestion control."""
        wanted = {place.number for place in self.places if place.available}
        return [point for point in self.scenario.points() if point.number in wanted]


def parts(sets: Sequence[str], wanted: Sequence[str]) -> list[Part]:
    """The parts with the requested points, without empty ones.

    Args:
        sets: pairs key=value that change both scenarios.
        wanted: texts; a point is meant if all words of one of them are in its name. All if none.

    Raises:
        InputError: the scenarios cannot be changed so, or a text means no point.
    """
    found = []
    for name in PARTS:
        scenario = load(FOLDER / f"{name}.toml", sets)
        places = tuple(_place(name, point) for point in scenario.points())
        found.append(Part(name, scenario, tuple(sets), places))
    names = [place.name for part in found for place in part.places]
    nothing = [text for text in wanted if not any(_is_meant(name, [text]) for name in names)]
    if nothing:
        raise InputError(
            f'--points "{text}": means none of the {len(names)} points; names of some:'
            f" {'; '.join(names[:: len(names) // _SHOWN])}"
            for text in nothing
        )
    chosen = [
        Part(
            part.name,
            part.scenario,
            part.sets,
            tuple(place for place in part.places if _is_meant(place.name, wanted)),
        )
        for part in found
    ]
    return [part for part in chosen if part.places]


def _is_meant(name: str, wanted: Sequence[str]) -> bool:
    here = _words(name)
    return not wanted or any(all(word in here for word in _words(text)) for text in wanted)


def _words(text: str) -> list[str]:
    """Numbers stay with their units: "1 %" is one word, so that it is not in "0.1 %"."""
    text = text.lower().replace(",", " ").replace(":", " ")
    for unit in ("mbit/s", "ms", "packets", "%"):
        text = text.replace(f" {unit}", unit)
    return text.split()


def _place(part: str, point: Any) -> Place:
    """A point as the page describes it."""
    plan = point.compile().plan
    scenario = point.scenario
    link = scenario.topology.bottleneck
    one_way_ps = link.delay + 2 * scenario.topology.access.delay
    its = settings(plan["tcps"][0])
    return Place(
        part=part,
        number=point.number,
        levels=point.levels,
        tcp=scenario.tcp.flavor,
        rate_bit_s=float(link.rate),
        rtt_s=2 * float(one_way_ps) / _PS,
        buffer_packets=int(link.queue.limit.number),
        loss=float(link.impairments[0].loss),
        congestion=its.congestion,
        available=has_congestion_control(its.congestion),
    )


def has_congestion_control(name: str) -> bool:
    """Whether this kernel has a congestion control; it is loaded if it is a module."""
    if not hasattr(socket, "TCP_CONGESTION"):
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tried:
        try:
            tried.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, name.encode())
        except PermissionError:
            # It is there, and not for everybody; in a namespace of one's own it is allowed.
            return True
        except OSError:
            return False
    return True
