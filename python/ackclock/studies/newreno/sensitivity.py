"""What each open convention is worth: errors of the model and Table III with each alternative."""

from __future__ import annotations

import pandas as pd

from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.sensitivity import Sensitivity, alternatives
from ackclock.studies.newreno.levels import (
    BACKGROUND,
    BERNOULLI,
    BOTTLENECKS,
    BUFFER,
    BURSTY,
    DROP_TAIL,
    NEWRENO,
    RED,
    SCALING,
    UDP,
    Curve,
)
from ackclock.studies.newreno.predictions import FULL, PAPER

ERRORS = {
    "bursty": (BURSTY, DROP_TAIL),
    "bernoulli": (BERNOULLI, DROP_TAIL),
    "background": (BACKGROUND, DROP_TAIL),
    "background_red": (BACKGROUND, RED),
    "bottlenecks": (BOTTLENECKS, DROP_TAIL),
    "bottlenecks_red": (BOTTLENECKS, RED),
    "udp": (UDP, DROP_TAIL),
    "scaling": (SCALING, DROP_TAIL),
    "buffer": (BUFFER, DROP_TAIL),
}
"""Columns of mean errors of the Full model for NewReno: part and queue."""


def _rows(result: StudyResult) -> pd.DataFrame:
    """What a variant of the study gives.

    Returns:
        One row: mean error of the Full model by ``ERRORS``, %; testbed_ratio, mean ratio of
        simulated to published throughput in Table III; advantage, the mean one of NewReno over Reno
        beside web sessions and file transfers with drop-tail, %.
    """
    errors = result.tables["errors"]
    errors = errors[
        (errors["flow"] == NEWRENO) & (errors["model"] == FULL) & (errors["inputs"] == PAPER)
    ]
    row: dict[str, float] = {}
    for name, (part, queue) in ERRORS.items():
        its = errors[(errors["part"] == part) & (errors["queue"] == queue)]
        row[name] = float(its["mean_error_pct"].mean())
    row["testbed_ratio"] = float(result.tables["emulation"]["ratio"].mean())
    row["advantage"] = float(result.evidence.mean_advantage(Curve(BACKGROUND)).mean)
    return pd.DataFrame([row])


def _cells(rows: pd.DataFrame) -> list[str]:
    row = rows.iloc[0]
    decimals = {**dict.fromkeys(ERRORS, 1), "testbed_ratio": 2, "advantage": 1}
    return [f"{row[name]:.{digits}f}" for name, digits in decimals.items()]


SENSITIVITY = Sensitivity(
    alternatives(
        "tcp.timestamps=false",
        "tcp.timestamps=false; tcp.recovery_samples=true",
        "tcp.limited_transmit=false",
        "tcp.ssthresh_from=cwnd",
        "tcp.ssthresh_from=flight_size",
        "tcp.partial_ack_timer=first",
        "tcp.deflation=full",
        "tcp.min_rto=1 s",
        "tcp.timers=ticks",
        "tcp.timers=ticks; clock.tick=100 ms",
        "tcp.initial_rto=1 s",
        "tcp.initial_window=1",
        "tcp.initial_window=4",
        "tcp.delayed_ack=100 ms",
        "tcp.smss=1 kB",
        "topology.bottleneck.delay=1 ms",
        "topology.bottleneck.delay=9 ms",
        "topology.access.rate=1 Gbit/s",
        "variables.red_max_p=0.02",
        "variables.red_weight=0.0005",
        "variables.red_gentle=false",
        "variables.red_adaptive=true",
        "variables.request_size=960 B",
        "variables.udp_off=1 s",
        "variables.udp_off=4 s",
        "variables.events_of=data",
        "variables.testbed_min_rto_of=rto; variables.testbed_min_rto=1 s",
        "variables.testbed_delayed_ack=off",
    ),
    rows=_rows,
    headings=(
        "bursty (%)",
        "Bernoulli (%)",
        "background (%)",
        "background, RED (%)",
        "two bottlenecks (%)",
        "two bottlenecks, RED (%)",
        "UDP (%)",
        "scaling (%)",
        "buffer (%)",
        "Table III (ratio)",
        "NewReno above Reno (%)",
    ),
    cells=_cells,
)
