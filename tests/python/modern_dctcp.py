"""The study of DCTCP under test."""

from ackclock.studies.dctcp import metrics as m
from ackclock.studies.dctcp import model
from ackclock.studies.dctcp.levels import (
    CONVERGENCE,
    DCTCP,
    INCAST,
    MANY,
    OSCILLATION,
    PORT,
    TCP,
    THRESHOLD,
)
from modern_cases import Break, Example


def _query(point):
    waits = (point.flavor == TCP and point.senders >= 10) or point.senders == 40
    return {m.QUERY: 0.3 if waits else 0.0085, m.SLOW: 0.5 if waits else 0.0, "drop_share": 0.1}


def _row(part, point):
    if part == PORT:
        long = 400.0 if point.flavor == TCP else 20.0
        return {m.MEDIAN: long, m.HIGHEST: 466.0, m.GOODPUT: 0.95e9, "drop_share": 0.0}
    if part == OSCILLATION:
        given = model.amplitude_packets(*point)
        return {
            m.HIGHEST: model.highest_packets(*point[1:]),
            m.AMPLITUDE: 0.8 * given if point == MANY else given,
            m.PERIOD: model.period_s(*point),
            m.UTILISATION: 1.0,
        }
    if part == THRESHOLD:
        return {m.UTILISATION: 0.96 if point.threshold_packets == 4 else 0.9999, m.MEDIAN: 10.0}
    if part == INCAST:
        return _query(point)
    steady = point.flavor == DCTCP
    return {m.LEAST_JAIN: 0.995, m.JAIN: 0.999, m.VARIATION: 0.04 if steady else 0.2}


def _is_dctcp(point):
    return point.flavor == DCTCP


def _is_thin(point):
    return point != MANY


EXAMPLE = Example(
    name="dctcp",
    small={"parts": (OSCILLATION, THRESHOLD), "senders": (2,), "thresholds": (40, 65)},
    command=f"--parts {OSCILLATION},{THRESHOLD} --senders 2 --thresholds 40,65",
    files=tuple(
        f"{part}-{what}" for part in (OSCILLATION, THRESHOLD) for what in ("results", "runs")
    ),
    other={"parts": (OSCILLATION,), "senders": (2,), "thresholds": (40, 65)},
    gone=(f"{THRESHOLD}-results", f"{THRESHOLD}-runs"),
    row=_row,
    breaks=(
        Break("queue-near-threshold", PORT, m.MEDIAN, 2.5, lambda its: its == (DCTCP, 20)),
        Break("queue-of-tcp", PORT, m.MEDIAN, 0.4, lambda its: its == (TCP, 2)),
        Break("same-throughput", PORT, m.GOODPUT, 1.02, lambda its: its == (TCP, 20)),
        Break("longest-queue", OSCILLATION, m.HIGHEST, 1.2, _is_thin),
        Break("amplitude", OSCILLATION, m.AMPLITUDE, 1.2, _is_thin),
        Break("period", OSCILLATION, m.PERIOD, 0.8, _is_thin),
        Break("many-flows-vary-less", OSCILLATION, m.AMPLITUDE, 1.5, lambda its: its == MANY),
        Break(
            "threshold-for-full-use", THRESHOLD, m.UTILISATION, 0.98, lambda its: its == (16, 12)
        ),
        Break("threshold-for-full-use", THRESHOLD, m.UTILISATION, 1.04, lambda its: its == (4, 12)),
        Break("incast-of-tcp", INCAST, m.SLOW, 0.01, lambda its: its == (TCP, 0.3, 15)),
        Break("incast-of-dctcp", INCAST, m.QUERY, 2, lambda its: its == (DCTCP, 0.3, 20)),
        Break("incast-of-many", INCAST, m.SLOW, 0.01, lambda its: its == (DCTCP, 0.3, 40)),
        Break("fair", CONVERGENCE, m.LEAST_JAIN, 0.97, _is_dctcp),
        Break("steadier-than-tcp", CONVERGENCE, m.VARIATION, 4, _is_dctcp),
    ),
)
