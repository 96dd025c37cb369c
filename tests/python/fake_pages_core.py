"""A core that answers at once for web and ftp clients; what it returns depends on plan and seed."""

from __future__ import annotations

import json

import numpy as np

CORE = "fake_pages_core:run"
calls: list[tuple[dict, int]] = []
"""Plan and seed of each run that was made, in the order in which they began."""
refusal = ""
"""If there is one, the core refuses every plan with it."""
PAGES = 5


def run(text: str, seed: int) -> dict[str, dict[str, np.ndarray]]:
    plan = json.loads(text)
    calls.append((plan, seed))
    if refusal:
        raise ValueError(refusal)
    return columns_of(plan, seed)


def columns_of(plan: dict, seed: int) -> dict[str, dict[str, np.ndarray]]:
    """As the core returns them: flows, links and transfers; other tables without columns."""
    random = np.random.default_rng([seed, len(json.dumps(plan, sort_keys=True)) % 1000])
    return {
        "flows": _flows(plan, random),
        "links": _links(random),
        "transfers": _transfers(plan, random),
        "ports": {"link": np.zeros(0, dtype=np.uint64)},
        "queue": {},
        "goodput": {},
        "cwnd": {},
    }


def _flows(plan: dict, random: np.random.Generator) -> dict[str, np.ndarray]:
    number = len(plan["flows"])
    same = {"segments_sent": 100, "segments_retransmitted": 5, "timeouts": 2, "fast_retransmits": 3}
    return {
        "flow": np.arange(number, dtype=np.uint64),
        "delivered_bytes": random.integers(10**6, 2 * 10**6, number).astype(np.uint64),
        **{name: np.full(number, value, dtype=np.uint64) for name, value in same.items()},
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


def _transfers(plan: dict, random: np.random.Generator) -> dict[str, np.ndarray]:
    """A few pages of each flow, faster with a larger initial window."""
    rows = []
    for flow, its in enumerate(plan["flows"]):
        stages = plan["workloads"][its["workload"]]["stages"]
        window = plan["tcps"][its["sender_tcp"]]["initial_window_segments"]
        connection, now = 0, 0.0
        for page in range(PAGES):
            for stage, each in enumerate(stages):
                spent = 0.0
                for _ in range(each["connections"]):
                    took = random.uniform(0.4, 0.5) / window**0.3
                    rows.append((flow, page, stage, connection, 5000, now, now + 0.1, now + took))
                    connection, spent = connection + 1, max(spent, took)
                now += spent
            now += 2.0
    names = ("flow", "page", "stage", "connection", "bytes", "opened_s", "established_s")
    columns = zip(*rows, strict=True)
    table = dict(zip((*names, "completed_s"), map(np.array, columns), strict=True))
    for name in names[:5]:
        table[name] = table[name].astype(np.uint64)
    return table
