"""A core that answers at once for ATM dumbbells; what it returns depends on plan and seed."""

from __future__ import annotations

import json
from math import exp

import numpy as np

CORE = "fake_osu_core:run"
calls: list[tuple[dict, int]] = []
"""Plan and seed of each run that was made, in the order in which they began."""
refusal = ""
"""If there is one, the core refuses every plan with it."""
SCALE_CELLS = 25_000
"""Efficiency is 1 - exp(-buffer / this), nearly: 98 % at 97 800 cells, half a GEO RTT."""
_PS_PER_S = 10**12
_ENDLESS = 2**61


def run(text: str, seed: int) -> dict[str, dict[str, np.ndarray]]:
    plan = json.loads(text)
    calls.append((plan, seed))
    if refusal:
        raise ValueError(refusal)
    return columns_of(plan, seed)


def columns_of(plan: dict, seed: int) -> dict[str, dict[str, np.ndarray]]:
    """As the core returns them: a larger buffer carries more and loses less."""
    random = np.random.default_rng([seed % 2**32, len(json.dumps(plan)) % 1000])
    trunk = plan["links"][0]
    sources, end_s = len(plan["flows"]), plan["duration_ps"] / _PS_PER_S
    measured_s = end_s - plan.get("warm_up_ps", 0) / _PS_PER_S
    share = 1 - exp(-trunk["port"]["buffer_cells"] / SCALE_CELLS) + random.normal(0, 1e-4)
    # What the trunk carries of segments of 9180 B, in 193 cells; others are near enough.
    payload_bit_s = 149.76e6 * 9180 / (193 * 53)
    each = np.full(sources, share * payload_bit_s / 8 * measured_s / sources)
    return {
        "flows": _flows(each.astype(np.uint64)),
        "ports": _ports(share),
        "links": {"link": np.zeros(0, dtype=np.uint64)},
        "transfers": {},
        "foreground": {},
        "queue": _queue(end_s, plan["probes"]["queue_bin_ps"]),
        "cwnd": _cwnd(plan["probes"]["cwnd_of"], end_s),
    }


def _flows(delivered: np.ndarray) -> dict[str, np.ndarray]:
    same = {
        "segments_sent": 1000,
        "segments_retransmitted": 20,
        "timeouts": 2,
        "fast_retransmits": 3,
        "scheduled_bytes": _ENDLESS,
        "backlog_bytes": 0,
        "max_cwnd_bytes": 262_145,
    }
    return {
        "delivered_bytes": delivered,
        "received_bytes": delivered,
        "delivered_early_bytes": 0 * delivered,
        "highest_received_bytes": delivered,
        **{name: np.full(delivered.size, value, dtype=np.uint64) for name, value in same.items()},
    }


def _ports(share: float) -> dict[str, np.ndarray]:
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
        "link": np.array([0, 1], dtype=np.uint64),
        "utilisation": np.array([share, 0.1]),
        "carried_share": np.array([share, 0.1]),
        "mean_queue_cells": np.array([100.0, 0.0]),
        **{name: np.array([value, 0], dtype=np.uint64) for name, value in counts.items()},
    }


def _queue(end_s: float, bin_ps: int | None) -> dict[str, np.ndarray]:
    if bin_ps is None:
        return {}
    times = np.arange(0, end_s, end_s / 10)
    return {
        "link": np.repeat(np.array([0, 1], dtype=np.uint64), times.size),
        "time_s": np.tile(times, 2),
        "max_length": np.repeat(np.array([500, 2], dtype=np.uint64), times.size),
    }


def _cwnd(flows: list[int], end_s: float) -> dict[str, np.ndarray]:
    if not flows:
        return {}
    times = np.linspace(0, end_s, 5)
    return {
        "flow": np.repeat(np.array(flows, dtype=np.uint64), times.size),
        "connection": np.zeros(len(flows) * times.size, dtype=np.uint64),
        "time_s": np.tile(times, len(flows)),
        **{
            name: np.full(len(flows) * times.size, 512, dtype=np.uint64)
            for name in ("cwnd_bytes", "ssthresh_bytes", "flight_size_bytes")
        },
    }
