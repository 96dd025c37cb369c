"""A core that answers at once: columns that depend on plan and seed alone."""

from __future__ import annotations

import json

import numpy as np

CORE = "fake_core:run"
calls: list[tuple[dict, int]] = []
"""Plan and seed of each run that was made, in the order in which they began."""
refusal = ""
"""If there is one, the core refuses every plan with it."""

_DROPS = ("refused", "overflowed", "cut")


def run(text: str, seed: int) -> dict[str, dict[str, np.ndarray]]:
    plan = json.loads(text)
    calls.append((plan, seed))
    if refusal:
        raise ValueError(refusal)
    return columns_of(plan, seed)


def made() -> int:
    """Runs without probes."""
    return sum(plan["probes"]["queue_bin_ps"] is None for plan, _ in calls)


def columns_of(plan: dict, seed: int) -> dict[str, dict[str, np.ndarray]]:
    """As the core returns them: all tables, those of probes that are off without columns."""
    decides = {key: value for key, value in plan.items() if key != "probes"}
    random = np.random.default_rng([seed, len(json.dumps(decides, sort_keys=True)) % 1000])
    probes = plan["probes"]
    return {
        "flows": _flows(plan, random),
        "links": {name: _integers() for name in ("link", "packets_lost", "packets_marked")},
        "ports": _ports(random),
        "queue": _queue() if probes["queue_bin_ps"] else {},
        "goodput": {},
        "cwnd": _cwnd(probes["cwnd_of"]) if probes["cwnd_of"] else {},
        "transfers": {},
        "foreground": {},
    }


def _integers(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.uint64)


def _flows(plan: dict, random: np.random.Generator) -> dict[str, np.ndarray]:
    number = len(plan["flows"])
    scheduled = random.integers(1_000_000, 8_000_000, number).astype(np.uint64)
    share = 0.9 if plan["tcps"][0]["flavor"] == "sack" else 0.8
    received = (scheduled * share).astype(np.uint64)
    same = {
        "requests": 50,
        "segments_sent": 1000,
        "segments_retransmitted": 25,
        "timeouts": 2,
        "fast_retransmits": 3,
        "rtt_samples": 400,
        "first_timeouts": 2,
        "max_cwnd_bytes": 65_536,
    }
    return {
        "flow": np.arange(number, dtype=np.uint64),
        "scheduled_bytes": scheduled,
        "received_bytes": received,
        "delivered_bytes": received,
        "delivered_early_bytes": np.zeros(number, dtype=np.uint64),
        "highest_received_bytes": received,
        **{name: np.full(number, value, dtype=np.uint64) for name, value in same.items()},
        "rtt_mean_s": np.full(number, 0.08),
        "first_rto_mean_s": np.full(number, 1.0),
        "cwnd_limited_s": np.full(number, 1.0),
        "rwnd_limited_s": np.full(number, 0.0),
        "app_limited_s": np.full(number, 0.0),
        "backlog_bytes": np.zeros(number, dtype=np.uint64),
        "opened_s": np.zeros(number),
        "last_delivery_s": np.full(number, 1.0),
    }


def _ports(random: np.random.Generator) -> dict[str, np.ndarray]:
    offered = _integers(random.integers(10_000, 20_000), 5000)
    return {
        "link": _integers(0, 1),
        "cells_offered": offered,
        "cells_carried": offered,
        **{f"cells_{name}": _integers(7, 1) for name in _DROPS},
        **{f"frames_{name}": _integers(9, 0) for name in ("offered", "delivered", *_DROPS[::2])},
        "max_queue_cells": _integers(500, 3),
        "utilisation": np.array([0.5, 0.25]),
        "carried_share": np.array([0.5, 0.25]),
        "mean_queue_cells": np.array([123.25, 0.5]),
    }


def _queue() -> dict[str, np.ndarray]:
    return {
        "link": _integers(0, 0, 1, 1),
        "time_s": np.array([0.0, 0.1, 0.0, 0.1]),
        "max_length": _integers(20, 500, 3, 0),
    }


def _cwnd(flows: list[int]) -> dict[str, np.ndarray]:
    number = len(flows)
    return {
        "flow": np.repeat(_integers(*flows), 2),
        "connection": np.zeros(2 * number, dtype=np.uint64),
        "time_s": np.tile([0.1, 0.2], number),
        "cwnd_bytes": np.tile(_integers(1024, 2048), number),
        "ssthresh_bytes": np.full(2 * number, 56_250, dtype=np.uint64),
        "flight_size_bytes": np.zeros(2 * number, dtype=np.uint64),
    }
