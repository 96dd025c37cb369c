"""A core that answers at once for web clients over UBR."""

from __future__ import annotations

import numpy as np

from fake_core import (
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

_DROPS = ("refused", "overflowed", "cut")


def columns_of(plan: dict, seed: int) -> Tables:
    """As the core returns them: SACK carries more."""
    random = random_of({key: value for key, value in plan.items() if key != "probes"}, seed)
    probes = plan["probes"]
    return tables(
        flows=_flows(plan, random),
        links=rows(dict.fromkeys(("link", "packets_lost", "packets_marked"), ())),
        ports=_ports(random),
        queue=_queue() if probes["queue_bin_ps"] else {},
        cwnd=_cwnd(probes["cwnd_of"]),
    )


core = FakeCore(columns_of)


def _flows(plan: dict, random: np.random.Generator) -> Columns:
    number = len(plan["flows"])
    scheduled = random.integers(1_000_000, 8_000_000, number).astype(np.uint64)
    share = 0.9 if plan["tcps"][0]["flavor"] == "sack" else 0.8
    return {
        "flow": np.arange(number, dtype=np.uint64),
        "scheduled_bytes": scheduled,
        **delivered_in_order((scheduled * share).astype(np.uint64)),
        **same(
            number,
            requests=50,
            segments_sent=1000,
            segments_retransmitted=25,
            timeouts=2,
            fast_retransmits=3,
            rtt_samples=400,
            first_timeouts=2,
            max_cwnd_bytes=65_536,
            backlog_bytes=0,
        ),
        "rtt_mean_s": np.full(number, 0.08),
        "first_rto_mean_s": np.full(number, 1.0),
        "cwnd_limited_s": np.full(number, 1.0),
        "rwnd_limited_s": np.full(number, 0.0),
        "app_limited_s": np.full(number, 0.0),
        "opened_s": np.zeros(number),
        "last_delivery_s": np.full(number, 1.0),
    }


def _ports(random: np.random.Generator) -> Columns:
    offered = (random.integers(10_000, 20_000), 5000)
    return {
        **rows(
            {
                "link": (0, 1),
                "cells_offered": offered,
                "cells_carried": offered,
                **{f"cells_{name}": (7, 1) for name in _DROPS},
                **{f"frames_{name}": (9, 0) for name in ("offered", "delivered", *_DROPS[::2])},
                "max_queue_cells": (500, 3),
            }
        ),
        "utilisation": np.array([0.5, 0.25]),
        "carried_share": np.array([0.5, 0.25]),
        "mean_queue_cells": np.array([123.25, 0.5]),
    }


def _queue() -> Columns:
    return {
        "link": integers(0, 0, 1, 1),
        "time_s": np.array([0.0, 0.1, 0.0, 0.1]),
        "max_length": integers(20, 500, 3, 0),
    }


def _cwnd(flows: list[int]) -> Columns:
    return cwnds(
        flows,
        np.array([0.1, 0.2]),
        cwnd_bytes=(1024, 2048),
        ssthresh_bytes=(56_250, 56_250),
        flight_size_bytes=(0, 0),
    )
