"""A core that answers at once for ATM dumbbells; what it returns depends on plan and seed."""

from __future__ import annotations

from math import exp

import numpy as np

from fake_core import (
    PS_PER_S,
    Columns,
    FakeCore,
    Tables,
    cwnds,
    delivered_in_order,
    integers,
    random_of,
    rows,
    same,
    tables,
)

SCALE_CELLS = 25_000
"""Efficiency is 1 - exp(-buffer / this), nearly: 98 % at 97 800 cells, half a GEO RTT."""
_ENDLESS = 2**61


def columns_of(plan: dict, seed: int) -> Tables:
    """As the core returns them: a larger buffer carries more and loses less."""
    random = random_of(plan, seed % 2**32)
    trunk = plan["links"][0]
    sources, end_s = len(plan["flows"]), plan["duration_ps"] / PS_PER_S
    measured_s = end_s - plan.get("warm_up_ps", 0) / PS_PER_S
    share = 1 - exp(-trunk["port"]["buffer_cells"] / SCALE_CELLS) + random.normal(0, 1e-4)
    # What the trunk carries of segments of 9180 B, in 193 cells; others are near enough.
    payload_bit_s = 149.76e6 * 9180 / (193 * 53)
    each = np.full(sources, share * payload_bit_s / 8 * measured_s / sources)
    return tables(
        flows=_flows(each.astype(np.uint64)),
        ports=_ports(share),
        queue=_queue(end_s, plan["probes"]["queue_bin_ps"]),
        cwnd=_cwnd(plan["probes"]["cwnd_of"], end_s),
    )


core = FakeCore(columns_of)


def _flows(delivered: np.ndarray) -> Columns:
    return {
        **delivered_in_order(delivered),
        **same(
            delivered.size,
            segments_sent=1000,
            segments_retransmitted=20,
            timeouts=2,
            fast_retransmits=3,
            scheduled_bytes=_ENDLESS,
            backlog_bytes=0,
            max_cwnd_bytes=262_145,
        ),
    }


def _ports(share: float) -> Columns:
    counts = {
        "cells_refused": 70,
        "cells_overflowed": 20,
        "cells_cut": 10,
        "frames_offered": 1000,
        "frames_refused": 7,
        "frames_cut": 3,
        "max_queue_cells": 500,
    }
    return {
        "link": integers(0, 1),
        "utilisation": np.array([share, 0.1]),
        "carried_share": np.array([share, 0.1]),
        "mean_queue_cells": np.array([100.0, 0.0]),
        **rows({name: (value, 0) for name, value in counts.items()}),
    }


def _queue(end_s: float, bin_ps: int | None) -> Columns:
    if bin_ps is None:
        return {}
    times = np.arange(0, end_s, end_s / 10)
    return {
        "link": np.repeat(integers(0, 1), times.size),
        "time_s": np.tile(times, 2),
        "max_length": np.repeat(integers(500, 2), times.size),
    }


def _cwnd(flows: list[int], end_s: float) -> Columns:
    names = ("cwnd_bytes", "ssthresh_bytes", "flight_size_bytes")
    return cwnds(flows, np.linspace(0, end_s, 5), **dict.fromkeys(names, 5 * (512,)))
