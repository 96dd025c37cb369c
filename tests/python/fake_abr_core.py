"""A core that answers at once for ATM networks; what it returns depends on plan and seed."""

from __future__ import annotations

import numpy as np

from fake_core import (
    PS_PER_S,
    Columns,
    FakeCore,
    Tables,
    delivered_in_order,
    integers,
    random_of,
    same,
    tables,
)


def columns_of(plan: dict, seed: int) -> Tables:
    """As the core returns them: more clients bring longer queues; over UBR cells are lost."""
    random = random_of(plan, seed)
    (link,) = plan["links"]
    clients, end_s = len(plan["flows"]), plan["duration_ps"] / PS_PER_S
    over_abr = link["services"][link["flow_services"][0]]["name"] == "abr"
    lines = [at for at, line in enumerate(link["lines"]) if line["port"] is not None]
    probes = plan["probes"]
    lost = 0 if over_abr else 100
    return tables(
        flows=_flows(clients, end_s, random),
        ports=_ports(lines, clients, lost, random),
        classes={
            "port": integers(*lines),
            **same(len(lines), service=1 if over_abr else 2, cells_lost=lost),
        },
        vcs={
            "vc": np.arange(2 * clients, dtype=np.uint64),
            "cells_waiting_max": random.integers(1, 1000, 2 * clients).astype(np.uint64),
        },
        responses=_responses(clients, end_s, random),
        queue=_queue(lines, end_s, probes["queue_bin_ps"], random),
        acr=_acr(2 * clients, end_s, probes["acr_bin_ps"], random),
    )


core = FakeCore(columns_of)


def _flows(clients: int, end_s: float, random: np.random.Generator) -> Columns:
    whole = min(480_000 * clients, 34_000_000) / clients * end_s / 8
    delivered = (whole * random.uniform(0.95, 1.0, clients)).astype(np.uint64)
    sent = {"segments_sent": 1000, "segments_retransmitted": 20}
    return {
        "flow": np.arange(clients, dtype=np.uint64),
        **delivered_in_order(delivered),
        **same(clients, **sent, timeouts=2, fast_retransmits=0),
    }


def _ports(lines: list[int], clients: int, lost: int, random: np.random.Generator) -> Columns:
    number = len(lines)
    longest = np.ones(number, dtype=np.uint64)
    longest[0] = min(clients, 90) * 200 + random.integers(0, 1000)
    return {
        "link": integers(*lines),
        "max_queue_cells": longest,
        "mean_queue_cells": longest / 10,
        "utilisation": np.full(number, 0.5),
        "carried_share": np.full(number, 0.5),
        **same(number, cells_refused=lost, cells_overflowed=lost, cells_cut=lost),
    }


def _responses(clients: int, end_s: float, random: np.random.Generator) -> Columns:
    """Ten requests a client; of more than 90 clients the last one gets no answer."""
    flow = np.repeat(np.arange(clients), 10)
    requested = np.tile(np.linspace(0, 0.9, 10) * end_s, clients)
    taken = random.uniform(0.05, 3.0, flow.size)
    if clients > 90:
        taken[9::10] = np.nan
    return {
        "flow": flow.astype(np.uint64),
        "batch": np.tile(np.arange(10), clients).astype(np.uint64),
        "request": np.zeros(flow.size, dtype=np.uint64),
        "bytes": np.full(flow.size, int(480_000 * end_s / 80), dtype=np.uint64),
        "requested_s": requested,
        "completed_s": requested + taken,
    }


def _queue(
    lines: list[int], end_s: float, bin_ps: int | None, random: np.random.Generator
) -> Columns:
    if bin_ps is None:
        return {}
    times = np.arange(0, end_s, bin_ps / PS_PER_S)
    return {
        "link": np.repeat(lines, times.size).astype(np.uint64),
        "time_s": np.tile(times, len(lines)),
        "max_length": random.integers(0, 9000, times.size * len(lines)).astype(np.uint64),
    }


def _acr(circuits: int, end_s: float, bin_ps: int | None, random: np.random.Generator) -> Columns:
    if bin_ps is None:
        return {}
    times = np.arange(0, end_s, bin_ps / PS_PER_S)
    return {
        "vc": np.repeat(np.arange(circuits), times.size).astype(np.uint64),
        "time_s": np.tile(times, circuits),
        "acr_bit_s": random.uniform(1e5, 4e7, times.size * circuits),
    }
