"""CoDel: its law, a link that changes its rate, static links, and the edge of a consumer's network.

Source: K. Nichols, V. Jacobson, Controlling queue delay, ACM Queue 10(5), 2012; RFC 8289.

Conventions: CUBIC; an RTT of 100 ms; a web connection carries 12 kB on average, with a heavy tail;
delays over time are means of tenths of a second; the consumer's buffers are one bandwidth-delay
product, and runs there take 300 s.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from ackclock.studies.codel import model
from ackclock.studies.codel.claims import CLAIMS
from ackclock.studies.codel.levels import (
    BUFFERS,
    EDGE,
    EDGE_RATES,
    FTPS,
    INTERVALS_S,
    LAW,
    NOMINAL,
    QUEUES,
    RATES,
    STATIC,
    STATIC_RATES,
    Edge,
    Law,
    Rates,
    Static,
)
from ackclock.studies.codel.metrics import MEDIAN, OF_EDGE, OF_LAW, OF_RATES, OF_STATIC
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import files_in
from ackclock.studies.machinery.study import Choice, Part, Picture, Study, Watch

_HERE = Path(__file__).parent
_MEASURES = "ackclock.studies.codel.metrics"
_VARIABLES = {
    "buffer_packets": ("whole number", "Packets that may wait."),
    "ftps": ("whole number", "Number of transfers."),
    "rate_bit_s": ("above 0", "Rate of the bottleneck in both directions, bit/s."),
    "interval_s": ("above 0", "Interval of CoDel, s."),
}
_FILES = files_in(_HERE / "scenarios", _VARIABLES)


def _drop(drops: int) -> Callable[[Law], float]:
    return partial(_after, drops)


def _after(drops: int, point: Law) -> float:
    return model.after_first_s(drops, point.interval_s)


STUDY = Study(
    name="codel",
    title="Controlling queue delay",
    source="Nichols and Jacobson, ACM Queue 2012; RFC 8289",
    question="Does CoDel keep delays short on slow, fast and changing links without settings?",
    parts=(
        Part(
            name=RATES,
            file=_FILES[RATES],
            point=Rates,
            measure=f"{_MEASURES}:rates",
            metrics=OF_RATES,
            probed=True,
            title="A link that changes from 100 to 10, 1, 50, 1 and 100 Mbit/s",
            pictures=(
                Picture(MEDIAN, "queue", where={"buffer_packets": NOMINAL}, y_scale="log"),
                Picture("delivered_bytes", "buffer_packets", "queue", x_scale="log"),
            ),
            watch=Watch(
                choose=lambda points: [each for each in points if each.buffer_packets == NOMINAL],
                probes=lambda its: (
                    "probes.queue=500 ms",
                    'probes.cwnd=["ftp 1"]',
                    "probes.packets=false",
                ),
                folder="rates/watched",
                redraws="Figure 7",
            ),
        ),
        Part(
            name=STATIC,
            file=_FILES[STATIC],
            point=Static,
            measure=f"{_MEASURES}:static",
            metrics=OF_STATIC,
            title="Links that do not change",
            pictures=tuple(
                Picture(name, "rate_bit_s", "ftps", x_scale="log", redraws="part of Figure 5")
                for name in ("queue_delay_p50_s", "utilisation")
            ),
        ),
        Part(
            name=EDGE,
            file=_FILES[EDGE],
            point=Edge,
            measure=f"{_MEASURES}:edge",
            metrics=OF_EDGE,
            probed=True,
            title="A consumer's link, down and up",
            pictures=tuple(
                Picture(f"{way}_median_delay_s", "rate_bit_s", "queue", x_scale="log")
                for way in ("down", "up")
            ),
        ),
        Part(
            name=LAW,
            file=_FILES[LAW],
            point=Law,
            measure=f"{_MEASURES}:law",
            metrics=OF_LAW,
            probed=True,
            title="When CoDel drops, counted from the first drop",
            pictures=(Picture(OF_LAW[-1], "interval_s"),),
            model={name: _drop(number) for number, name in enumerate(OF_LAW, start=1)},
        ),
    ),
    levels=(
        Choice("queues", QUEUES, "Run these queues only: drop_tail, codel.", "queue"),
        Choice("buffers", BUFFERS, "Run these buffers only, packets: 10, 830.", "buffer_packets"),
        Choice("ftps", FTPS, "Run these numbers of transfers only: 5, 20.", "ftps"),
        Choice(
            "rates",
            (*EDGE_RATES, *STATIC_RATES),
            "Run these rates only, bit/s: 512e3 to 100e6.",
            "rate_bit_s",
        ),
        Choice("intervals", INTERVALS_S, "Run these intervals only, s: 0.05 to 0.2.", "interval_s"),
    ),
    evidence=RunsEvidence,
    claims=tuple(CLAIMS),
    main=STATIC,
    published=_HERE / "published" / "printed.csv",
)
