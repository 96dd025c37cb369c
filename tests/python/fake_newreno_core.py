"""A core that answers at once for foreground flows; what it returns depends on plan and seed."""

from __future__ import annotations

import numpy as np

from fake_core import Columns, FakeCore, Tables, integers, packet_links, random_of, same, tables

_SENT = 100_000
_DURATION_S = 750


def columns_of(plan: dict, seed: int) -> Tables:
    """As the core returns them: flows, links and foreground; other tables without columns."""
    random = random_of(plan, seed)
    foreground = [at for at, flow in enumerate(plan["flows"]) if flow["foreground"]]
    p = 0.01 + 0.01 * random.random(len(foreground))
    lost = p * (1 + random.random(len(foreground)))
    return tables(
        flows=_flows(plan, foreground, p),
        links=packet_links(random),
        foreground={
            "flow": integers(*foreground),
            "segments_lost": (lost * _SENT).astype(np.uint64),
            "loss_events": (p * _SENT).astype(np.uint64),
        },
    )


core = FakeCore(columns_of)


def _flows(plan: dict, foreground: list[int], p: np.ndarray) -> Columns:
    """Throughput of a measured flow by the square root of p, at a round-trip time of 100 ms."""
    number = len(plan["flows"])
    delivered = np.full(number, 10**6)
    smss = plan["tcps"][plan["flows"][0]["sender_tcp"]]["smss_bytes"]
    delivered[foreground] = (smss * np.sqrt(1.3 / p) / 0.1 * _DURATION_S).astype(int)
    return {
        "flow": np.arange(number, dtype=np.uint64),
        "delivered_bytes": delivered.astype(np.uint64),
        **same(
            number,
            segments_sent=_SENT,
            segments_retransmitted=2000,
            timeouts=200,
            fast_retransmits=1000,
            rtt_samples=5000,
            first_timeouts=100,
        ),
        "rtt_mean_s": np.full(number, 0.1),
        "first_rto_mean_s": np.full(number, 0.35),
        "cwnd_limited_s": np.full(number, 1.0),
        "rwnd_limited_s": np.full(number, 0.0),
        "app_limited_s": np.full(number, 0.0),
    }
