"""A core that answers at once: columns that depend on plan and seed alone."""

from __future__ import annotations

import json
import threading

import numpy as np


class FakeCore:
    """Counts its runs; can be told to fail at one of them."""

    def __init__(self, fail_at: int | None = None, error: BaseException | None = None) -> None:
        self.calls = 0
        self._fail_at = fail_at
        self._error = error
        self._lock = threading.Lock()

    def run(self, plan: str, seed: int) -> dict[str, dict[str, np.ndarray]]:
        with self._lock:
            self.calls += 1
            if self.calls == self._fail_at:
                raise self._error
        return columns_of(json.loads(plan), seed)


def columns_of(plan: dict, seed: int) -> dict[str, dict[str, np.ndarray]]:
    pairs = plan["pairs"]
    random = np.random.default_rng([seed, len(json.dumps(plan, sort_keys=True)) % 1000])
    scheduled = random.integers(1_000_000, 8_000_000, pairs).astype(np.uint64)
    share = 0.9 if plan["tcp"]["flavor"] == "sack_pipe" else 0.8
    zeros = np.zeros(2, dtype=np.uint64)
    names = ("refused", "overflowed", "cut")
    return {
        "flows": {
            "pair": np.arange(pairs, dtype=np.uint64),
            "requests": np.full(pairs, 50, dtype=np.uint64),
            "scheduled_bytes": scheduled,
            "received_bytes": (scheduled * share).astype(np.uint64),
            "segments_sent": np.full(pairs, 1000, dtype=np.uint64),
            "segments_retransmitted": np.full(pairs, 25, dtype=np.uint64),
            "timeouts": np.full(pairs, 2, dtype=np.uint64),
            "fast_retransmits": np.full(pairs, 3, dtype=np.uint64),
        },
        "ports": {
            **{f"cells_{name}": np.array([7, 1], dtype=np.uint64) for name in names},
            **{f"frames_{name}": zeros for name in ("offered", "refused", "cut")},
            "max_queue_cells": np.array([500, 3], dtype=np.uint64),
            "mean_queue_cells": np.array([123.25, 0.5]),
        },
        "queue": {"port": zeros, "time_s": np.array([0.1, 0.2]), "max_cells": zeros},
        "cwnd": {
            "pair": zeros,
            "time_s": np.array([0.1, 0.2]),
            "cwnd_bytes": np.array([1024, 2048], dtype=np.uint64),
            "ssthresh_bytes": zeros,
            "flight_size_bytes": zeros,
        },
    }
