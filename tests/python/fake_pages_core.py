"""A core that answers at once for web and ftp clients; what it returns depends on plan and seed."""

from __future__ import annotations

import numpy as np

from fake_core import Columns, FakeCore, Tables, packet_links, random_of, same, tables

PAGES = 5


def columns_of(plan: dict, seed: int) -> Tables:
    """As the core returns them: flows, links and transfers; other tables without columns."""
    random = random_of(plan, seed)
    return tables(
        flows=_flows(plan, random),
        links=packet_links(random),
        transfers=_transfers(plan, random),
    )


core = FakeCore(columns_of)


def _flows(plan: dict, random: np.random.Generator) -> Columns:
    number = len(plan["flows"])
    sent = {"segments_sent": 100, "segments_retransmitted": 5}
    return {
        "flow": np.arange(number, dtype=np.uint64),
        "delivered_bytes": random.integers(10**6, 2 * 10**6, number).astype(np.uint64),
        **same(number, **sent, timeouts=2, fast_retransmits=3),
    }


def _transfers(plan: dict, random: np.random.Generator) -> Columns:
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
