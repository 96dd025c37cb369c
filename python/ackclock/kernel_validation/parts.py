"""The subjects of the comparison: scenario files, their points, and the reported values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ackclock.emulation.congestion_controls import has_congestion_control
from ackclock.emulation.tcp_settings import settings
from ackclock.errors import InputError
from ackclock.scenario import Scenario, load

FOLDER = Path(__file__).parent
RATIO, SHARE = "ratio", "share"
_PS = 1e12
_SHOWN = 6
_PACKET_BITS = 1500 * 8


@dataclass(frozen=True)
class Kind:
    """What a part compares.

    Attributes:
        page: on which it stands.
        title: of its section.
        what: ``RATIO``: the kernel's throughput over the simulated one; ``SHARE``: what the first
            of two flows gets of both.
        limit: how far the ratio may be from 1, or the two shares apart, at any point.
        median: how far they may be apart in the median of the points of a TCP; none: no limit.
        quick: duration of a run that shows that it works and no more.
        quick_points: the points of such runs, as ``parts`` takes them; all if none.
    """

    page: str
    title: str
    what: str
    limit: float
    median: float | None = None
    quick: str = "10 s"
    quick_points: tuple[str, ...] = ()


PARTS = {
    "losses": Kind("emulation", "random losses", RATIO, 0.1),
    "grid": Kind("emulation", "nine paths", RATIO, 0.1),
    "single": Kind(
        "kernel",
        "single flows",
        RATIO,
        0.1,
        median=0.05,
        quick_points=("10 Mbit/s 10 ms", "30 Mbit/s 30 ms", "100 Mbit/s 100 ms"),
    ),
    "pairs": Kind(
        "kernel",
        "two flows",
        SHARE,
        0.1,
        quick="20 s",
        quick_points=("0.5 BDP", "2 BDP", "8 BDP"),
    ),
}
"""The parts by the names of their scenario files in this package, without .toml."""
PAGES = tuple(dict.fromkeys(kind.page for kind in PARTS.values()))
TCPS = {
    "newreno": "NewReno",
    "sack_rfc6675": "SACK",
    "cubic": "CUBIC",
    "reno_sack": "Reno",
    "bbr": "BBR",
}
"""What the pages call a flavor, and the profile of the kernel that is nearest to it."""


def tcp_name(tcp: str) -> str:
    """What the pages call a flavor, or two: "BBR/CUBIC"."""
    return "/".join(TCPS[each] for each in tcp.split("/"))


@dataclass(frozen=True)
class Place:
    """A point of a part.

    Attributes:
        part: one of ``PARTS``.
        number: of the point in the sweep of its scenario.
        levels: of the point, by column.
        tcp: one of ``TCPS``; of two flows both, with "/" between.
        rate_bit_s: of the bottleneck.
        rtt_s: propagation delay there and back, without the times that sending takes.
        buffer_packets: of the bottleneck.
        bdp: the same in bandwidth-delay products.
        loss: share of the packets with data that is lost.
        congestion: the kernel's congestion controls.
        missing: those that this kernel does not have.
    """

    part: str
    number: int
    levels: Mapping[str, Any]
    tcp: str
    rate_bit_s: float
    rtt_s: float
    buffer_packets: int
    bdp: float
    loss: float
    congestion: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def available(self) -> bool:
        """Whether this kernel has its congestion controls."""
        return not self.missing

    @property
    def name(self) -> str:
        """As in "grid: CUBIC, 10 Mbit/s, 50 ms, buffer of 83 packets, loss 0.1 %"."""
        return point_name(self)


def point_name(row: Any) -> str:
    """The name of a point.

    Args:
        row: with the attributes of a ``Place`` that describe it.
    """
    last = f"{row.bdp:g} BDP" if PARTS[row.part].what == SHARE else f"loss {row.loss * 100:g} %"
    return (
        f"{row.part}: {tcp_name(row.tcp)}, {row.rate_bit_s / 1e6:g} Mbit/s, {row.rtt_s * 1e3:g} ms,"
        f" buffer of {row.buffer_packets} packets, {last}"
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


def parts(
    sets: Sequence[str],
    wanted: Sequence[str],
    *,
    duration: str | None = None,
    quick: bool = False,
    names: Sequence[str] = tuple(PARTS),
) -> list[Part]:
    """The parts with the requested points, without empty ones.

    Args:
        sets: pairs key=value that change all scenarios.
        wanted: texts; a point is meant if all words of one of them are in its name. All if none.
        duration: of each run, instead of what the scenarios say.
        quick: runs of the parts' short durations, and without other wishes only some of the points.
        names: of the parts.

    Raises:
        InputError: the scenarios cannot be changed so, or a text means no point.
    """
    found = []
    for name in names:
        kind = PARTS[name]
        lasts = kind.quick if quick else duration
        changed = [*sets, *([f'duration="{lasts}"'] if lasts else [])]
        scenario = load(FOLDER / f"{name}.toml", changed)
        places = [_place(name, point) for point in scenario.points()]
        if quick and not wanted:
            places = [place for place in places if is_meant(place.name, kind.quick_points)]
        found.append(Part(name, scenario, tuple(changed), tuple(places)))
    all_names = [place.name for part in found for place in part.places]
    nothing = [text for text in wanted if not any(is_meant(name, [text]) for name in all_names)]
    if nothing:
        raise InputError(
            f'--points "{text}": means none of the {len(all_names)} points; names of some:'
            f" {'; '.join(all_names[:: max(len(all_names) // _SHOWN, 1)])}"
            for text in nothing
        )
    chosen = [
        Part(
            part.name,
            part.scenario,
            part.sets,
            tuple(place for place in part.places if is_meant(place.name, wanted)),
        )
        for part in found
    ]
    return [part for part in chosen if part.places]


def is_meant(name: str, wanted: Sequence[str]) -> bool:
    """Whether all words of one of some texts are in the name of a point; also if there is none."""
    here = _words(name)
    return not wanted or any(all(word in here for word in _words(text)) for text in wanted)


def _words(text: str) -> list[str]:
    """Numbers stay with their units: "1 %" is one word, so that it is not in "0.1 %"."""
    text = text.lower().replace(",", " ").replace(":", " ")
    for unit in ("mbit/s", "ms", "packets", "bdp", "%"):
        text = text.replace(f" {unit}", unit)
    return text.split()


def _place(part: str, point: Any) -> Place:
    """A point as the page describes it."""
    plan = point.compile().plan
    scenario = point.scenario
    link = scenario.topology.bottleneck
    rtt_s = 2 * float(link.delay + 2 * scenario.topology.access.delay) / _PS
    senders = [plan["tcps"][flow["sender_tcp"]] for flow in plan["flows"]]
    congestion = tuple(dict.fromkeys(settings(tcp).congestion for tcp in senders))
    losses = [float(each.loss) for each in link.impairments if each.kind == "bernoulli"]
    packets = int(link.queue.limit.number)
    # The file's own number is the exact one; a buffer is whole packets.
    in_pipe = scenario.variables.get("bdp") if PARTS[part].what == SHARE else None
    bdp = packets / (float(link.rate) * rtt_s / _PACKET_BITS) if in_pipe is None else in_pipe
    return Place(
        part=part,
        number=point.number,
        levels=point.levels,
        tcp="/".join(tcp["flavor"] for tcp in senders),
        rate_bit_s=float(link.rate),
        rtt_s=rtt_s,
        buffer_packets=packets,
        bdp=float(bdp),
        loss=sum(losses),
        congestion=congestion,
        missing=tuple(name for name in congestion if not has_congestion_control(name)),
    )
