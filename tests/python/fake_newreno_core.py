"""A core that answers at once for foreground flows; what it returns depends on plan and seed."""

from __future__ import annotations

import json

import numpy as np

CORE = "fake_newreno_core:run"
calls: list[tuple[dict, int]] = []
"""Plan and seed of each run that was made, in the order in which they began."""
refusal = ""
"""If there is one, the core refuses every plan with it."""
_SENT = 100_000
_DURATION_S = 750


def run(text: str, seed: int) -> dict[str, dict[str, np.ndarray]]:
    plan = json.loads(text)
    calls.append((plan, seed))
    if refusal:
        raise ValueError(refusal)
    return columns_of(plan, seed)


def columns_of(plan: dict, seed: int) -> dict[str, dict[str, np.ndarray]]:
    """As the core returns them: flows, links and foreground; other tables without columns."""
    random = np.random.default_rng([seed, len(json.dumps(plan, sort_keys=True)) % 1000])
    foreground = [at for at, flow in enumerate(plan["flows"]) if flow["foreground"]]
    p = 0.01 + 0.01 * random.random(len(foreground))
    lost = p * (1 + random.random(len(foreground)))
    return {
        "flows": _flows(plan, foreground, p),
        "links": _links(random),
        "foreground": {
            "flow": np.array(foreground, dtype=np.uint64),
            "segments_lost": (lost * _SENT).astype(np.uint64),
            "loss_events": (p * _SENT).astype(np.uint64),
        },
        "ports": {"link": np.zeros(0, dtype=np.uint64)},
        "transfers": {},
        "queue": {},
        "goodput": {},
        "cwnd": {},
    }


def _flows(plan: dict, foreground: list[int], p: np.ndarray) -> dict[str, np.ndarray]:
    """Throughput of a measured flow by the square root of p, at a round-trip time of 100 ms."""
    number = len(plan["flows"])
    delivered = np.full(number, 10**6)
    smss = plan["tcps"][plan["flows"][0]["sender_tcp"]]["smss_bytes"]
    delivered[foreground] = (smss * np.sqrt(1.3 / p) / 0.1 * _DURATION_S).astype(int)
    same = {
        "segments_sent": _SENT,
        "segments_retransmitted": 2000,
        "timeouts": 200,
        "fast_retransmits": 1000,
        "rtt_samples": 5000,
        "first_timeouts": 100,
    }
    return {
        "flow": np.arange(number, dtype=np.uint64),
        "delivered_bytes": delivered.astype(np.uint64),
        **{name: np.full(number, value, dtype=np.uint64) for name, value in same.items()},
        "rtt_mean_s": np.full(number, 0.1),
        "first_rto_mean_s": np.full(number, 0.35),
        "cwnd_limited_s": np.full(number, 1.0),
        "rwnd_limited_s": np.full(number, 0.0),
        "app_limited_s": np.full(number, 0.0),
    }


def _links(random: np.random.Generator) -> dict[str, np.ndarray]:
    integers = {
        "link": (0, 1),
        "packets_offered": (1000, 800),
        "packets_dropped": (random.integers(0, 50), 0),
        "packets_dropped_early": (0, 0),
        "max_queue_packets": (25, 3),
    }
    return {
        **{name: np.array(values, dtype=np.uint64) for name, values in integers.items()},
        "utilisation": np.array([random.uniform(0.85, 1.0), 0.1]),
        "mean_queue_packets": np.array([12.5, 0.1]),
    }
