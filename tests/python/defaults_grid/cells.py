"""The cells of the grid, and a run of one: a dumbbell with all defaults but what the cell says."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from ackclock import _core
from ackclock.results.metrics import METRICS
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json

FLAVORS = tuple(row[0] for row in _core.flavors())
RATES = {
    "56 kbit/s": 56_000,
    "1 Mbit/s": 10**6,
    "10 Mbit/s": 10**7,
    "100 Mbit/s": 10**8,
    "1 Gbit/s": 10**9,
    "10 Gbit/s": 10**10,
    "100 Gbit/s": 10**11,
}
DELAYS = {"10 us": 1e-5, "1 ms": 1e-3, "20 ms": 0.02, "100 ms": 0.1, "1 s": 1.0}
"""One way; there is no other delay, so that the round trip takes twice as long."""
FLOWS = (1, 10, 100, 1000)
PACKET_BITS = 12_000
PACKETS = 2_000_000
"""What a cell may take, at most."""
QUICK_PACKETS = 200_000
"""The same of the cells that the tests run."""
EXTREMES = (
    ("56 kbit/s", "10 us", 1000),
    ("10 Mbit/s", "20 ms", 1000),
    ("100 Mbit/s", "100 ms", 1000),
    ("1 Gbit/s", "20 ms", 1),
    ("10 Gbit/s", "1 ms", 1),
    ("100 Gbit/s", "1 ms", 1),
)
"""What the tests run beside them, for the ends of the axes."""
LEAST_S, ROUND_TRIPS = 4, 50
"""How long the warm-up is, and again what is measured: so many seconds and so many round trips."""
LEAST_QUEUE = 4
"""Packets that a queue of "1 rtt" holds at least."""
TEXT = """
[topology]
kind = "dumbbell"
bottleneck = { queue = { limit = "1 rtt" } }
"""


@dataclass(frozen=True, order=True)
class Cell:
    """A point of the grid, in the words of a scenario file."""

    rate: str
    delay: str
    flows: int
    flavor: str

    def __str__(self) -> str:
        return f"{self.rate}, {self.delay}, {self.flows} x {self.flavor}"

    @property
    def packets_s(self) -> float:
        """What the bottleneck sends."""
        return RATES[self.rate] / PACKET_BITS

    @property
    def round_trip_s(self) -> float:
        """Without queues."""
        return 2 * DELAYS[self.delay]

    @property
    def path(self) -> float:
        """Packets that the way there and back holds, without its queue."""
        return self.packets_s * self.round_trip_s

    @property
    def share(self) -> float:
        """Packets that a flow may have in the path and in the queue."""
        return (self.path + max(self.path, LEAST_QUEUE)) / self.flows

    def phase_s(self, packets: float = PACKETS) -> float | None:
        """How long the warm-up is, and again what is measured; none if that is too short.

        Less than `LEAST_S` where it would be too many packets, never less than `ROUND_TRIPS`.
        """
        least = ROUND_TRIPS * self.round_trip_s
        affordable = packets / self.packets_s / 2
        return None if affordable < least else round(min(max(LEAST_S, least), affordable), 3)


@dataclass(frozen=True)
class Measured:
    """What a run of a cell came to, in the measured part."""

    phase_s: float
    utilisation: float
    timeouts: float
    """Of a flow, in the mean."""
    fast_retransmits: float
    resent: float
    """Segments of a flow, in the mean."""
    drops: float
    """Share of the packets that came to the bottleneck."""


def grid() -> list[Cell]:
    """Every cell."""
    return [Cell(*axes) for axes in product(RATES, DELAYS, FLOWS, FLAVORS)]


def quick() -> dict[Cell, float]:
    """The cells that the tests run, and their phases: the ends of all axes, and what is cheap."""
    whole = {cell: cell.phase_s() for cell in grid()}
    return {
        cell: phase_s
        for cell, phase_s in whole.items()
        if (cell.rate, cell.delay, cell.flows) in EXTREMES
        or (cell.flows < max(FLOWS) and phase_s and phase_s == cell.phase_s(QUICK_PACKETS))
    }


def measure(cell: Cell, phase_s: float) -> Measured:
    """Run a cell."""
    sets = [
        f"duration={round(2000 * phase_s)} ms",
        f"warm_up={round(1000 * phase_s)} ms",
        f"topology.pairs={cell.flows}",
        f"topology.bottleneck.rate={cell.rate}",
        f"topology.bottleneck.delay={cell.delay}",
        f"tcp.flavor={cell.flavor}",
    ]
    compiled = load(TEXT, sets).points()[0].compile()
    columns = _core.run(canonical_json(compiled.plan), 1)
    flows, links = columns["flows"], columns["links"]
    offered = int(links["packets_offered"][0])
    return Measured(
        phase_s,
        METRICS["utilisation"].of(columns, compiled.facts),
        float(flows["timeouts"].mean()),
        float(flows["fast_retransmits"].mean()),
        float(flows["segments_retransmitted"].mean()),
        int(links["packets_dropped"][0]) / max(1, offered),
    )
