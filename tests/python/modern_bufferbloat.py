"""The study of bufferbloat under test."""

from ackclock.studies.bufferbloat.levels import PIE, RED, RRUL, SPARSE
from ackclock.studies.bufferbloat.metrics import (
    LONGEST,
    MEAN_DELAY,
    MEAN_QUEUE,
    OF_PIE,
    OF_RED,
    OF_RRUL,
    PING,
    PING_MOST,
)
from ackclock.studies.bufferbloat.model import longest_wait_s
from modern_cases import Break, Example

_USE = {"utilisation": 0.98, "drop_share": 0.01}


def _row(part, point):
    if part == RRUL:
        wait = 0.8 if point.queue == "drop_tail" else 0.005
        return dict(zip(OF_RRUL, (wait, 2 * wait, 9e6, 9e6), strict=True))
    if part == SPARSE:
        return {LONGEST: 0.9 * longest_wait_s(point.bulks), **_USE}
    if part == PIE:
        return dict(zip(OF_PIE, (0.02, 0.04, 0.99, 0.05), strict=True))
    return dict(zip(OF_RED, (10.0, 0.98, 0.05), strict=True))


EXAMPLE = Example(
    name="bufferbloat",
    small={"parts": (RRUL, RED), "queues": ("fq_codel",), "senders": (5,)},
    command="--parts rrul,red --queues fq_codel --senders 5",
    files=("rrul-results", "rrul-runs", "red-results", "red-runs"),
    other={"parts": (RRUL,), "queues": ("fq_codel",)},
    gone=("red-results", "red-runs"),
    row=_row,
    breaks=(
        Break("hundreds-to-a-few", RRUL, PING, 0.2, lambda its: its.queue == "drop_tail"),
        Break("hundreds-to-a-few", RRUL, PING, 5, lambda its: its.queue == "fq_codel"),
        Break("hundreds-to-a-few", RRUL, PING_MOST, 5, lambda its: its.queue == "fq_codel"),
        Break("sparse-waits-a-round", SPARSE, LONGEST, 1.2, lambda its: its.bulks == 1),
        Break(
            "sparse-waits-a-round-and-a-packet",
            SPARSE,
            LONGEST,
            1.3,
            lambda its: its.bulks == 32,
            also=("sparse-waits-a-round",),
        ),
        Break("pie-holds-its-reference", PIE, MEAN_DELAY, 2, lambda its: its.load == "50 TCP"),
        Break("pie-holds-its-reference", PIE, MEAN_DELAY, 0.4, lambda its: its.load == "5 TCP"),
        Break(
            "adaptive-red-stays-in-its-band", RED, MEAN_QUEUE, 1.4, lambda its: its.senders == 100
        ),
        Break("adaptive-red-stays-in-its-band", RED, MEAN_QUEUE, 0.7, lambda its: its.senders == 5),
    ),
)
