"""Made-up runs of the study of NewReno's throughput, in which every claim holds."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np
import pandas as pd

from ackclock.models import newreno, q_from_loss_rate
from ackclock.studies.machinery.running import Runs
from ackclock.studies.newreno import published
from ackclock.studies.newreno.levels import (
    BACKGROUND,
    BERNOULLI,
    BURSTY,
    EMULATION,
    FLOWS,
    FREQUENT,
    FULL,
    IMPATIENT,
    LOSS_EVENT_RATES,
    NAMES,
    NEWRENO,
    RED,
    RUN_PARTS,
    VARIANTS,
    Point,
    points_of,
)
from ackclock.studies.newreno.metrics import FLOW_METRICS
from ackclock.studies.newreno.study import STUDY
from study_cases import made_of

PAYLOAD = 948
PAYLOADS = {part: 1448 if part == EMULATION else PAYLOAD for part in RUN_PARTS}
SENT = 10**9


def _measured(point: Point) -> tuple[str, ...]:
    """The flows that the runs of a point measure."""
    return (NEWRENO,) if point.curve.part in (BURSTY, VARIANTS, EMULATION) else FLOWS


def example_runs(replications: int = 8, parts: Sequence[str] = NAMES) -> pd.DataFrame:
    """A row a run; what differs between replications has mean 0."""
    middle = (replications - 1) / 2

    def noise(place: int, k: int) -> float:
        """Most of it is the same everywhere, since replications have the same random traffic."""
        return 0.01 * (k - middle) + 0.0002 * ((k + place) % replications - middle)

    return pd.DataFrame(
        [
            _row(point, k, [noise(place + flow, k) for flow in range(len(FLOWS))])
            for part in parts
            for place, point in enumerate(points_of(part))
            for k in range(replications)
        ]
    )


def made(runs: pd.DataFrame) -> Runs:
    """Such runs as those of the study."""
    return made_of(STUDY, dict(tuple(runs.groupby("part", sort=False))) if len(runs) else {})


def of(table: pd.DataFrame, **levels: object) -> pd.DataFrame:
    """The rows with these values."""
    return table[(table[list(levels)] == pd.Series(levels)).all(axis=1)]


def one(table: pd.DataFrame, **levels: object) -> tuple:
    """The one row with them."""
    (row,) = of(table, **levels).itertuples(index=False)
    return row


def _row(point: Point, replication: int, noise: Sequence[float]) -> dict[str, object]:
    row: dict[str, object] = {
        **point._asdict(),
        "replication": replication,
        "seed": 100 + replication,
        "utilisation_pct": 99.0,
        "drop_pct": 5.0,
        "mean_queue_packets": 100.0,
        "background_bit_s": 1e7,
    }
    for flow, its_noise in zip(FLOWS, noise, strict=True):
        its = _flow(point, flow, its_noise) if flow in _measured(point) else {}
        row |= {f"{flow}_{name}": its.get(name, nan) for name in FLOW_METRICS}
    return row


def _flow(point: Point, flow: str, noise: float) -> dict[str, float]:
    """2 % above what NewReno's model says; Reno below that."""
    p, loss_rate, rtt_s = _losses(point)
    q = float(q_from_loss_rate(p, loss_rate).q) if point.part in (BURSTY, VARIANTS) else p
    model = newreno(p, rtt_s, q=q, smss_bytes=PAYLOADS[point.part]).throughput_bit_s
    throughput = float(model) * (1.02 + noise) * _share(point, flow)
    if point.part == EMULATION:
        printed = published.emulation().set_index("imposed_loss_pct").loc[point.x]
        throughput = 8 * printed["bytes"] / printed["duration_s"] * (1.02 + noise)
    return {
        "throughput_bit_s": throughput,
        "delivered_bytes": round(SENT * PAYLOADS[point.part] * (1 - loss_rate)),
        "segments_sent": SENT,
        "segments_lost": round(SENT * loss_rate),
        "loss_events": round(SENT * p),
        "rtt_s": rtt_s,
        "first_rto_s": 4 * rtt_s,
        "timeouts": round(SENT * p / 10),
        "fast_retransmits": round(SENT * p * 0.9),
    }


def _losses(point: Point) -> tuple[float, float, float]:
    """Loss event rate, loss rate, round-trip time."""
    if point.part in (BURSTY, VARIANTS):
        p = LOSS_EVENT_RATES[point.variant.rpartition(", ")[2]]
        return p, p * point.x, 0.08
    if point.part in (BERNOULLI, EMULATION):
        return point.x / 100 * 0.9, point.x / 100, 0.08
    p = 0.02 + point.x / 10_000
    return p, 1.5 * p, 0.15


def _share(point: Point, flow: str) -> float:
    if point.part == VARIANTS:
        if point.variant.startswith(FULL):
            return 0.9
        return 1.0 + np.sign(point.x - 27) * 0.1 * point.variant.startswith(IMPATIENT)
    if point.part == BURSTY:
        # What the model says rises from one to two losses at the higher rate.
        return 1 - 0.01 * (point.x - 1) / (1 if point.variant == FREQUENT else 3)
    if flow == NEWRENO:
        return 1.0
    if point.part == BERNOULLI:
        return 0.95 if point.x <= 2 else 0.7
    return 0.95 if (point.part, point.queue) == (BACKGROUND, RED) else 0.8
