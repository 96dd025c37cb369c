"""A core that answers at once for ATM networks; what it returns depends on plan and seed."""

from __future__ import annotations

import json

import numpy as np

CORE = "fake_abr_core:run"
calls: list[tuple[dict, int]] = []
"""Plan and seed of each run that was made, in the order in which they began."""
refusal = ""
"""If there is one, the core refuses every plan with it."""
_PS_PER_S = 10**12


def run(text: str, seed: int) -> dict[str, dict[str, np.ndarray]]:
    plan = json.loads(text)
    calls.append((plan, seed))
    if refusal:
        raise ValueError(refusal)
    return columns_of(plan, seed)


def columns_of(plan: dict, seed: int) -> dict[str, dict[str, np.ndarray]]:
    """As the core returns them: more clients bring longer queues; over UBR cells are lost."""
    random = np.random.default_rng([seed, len(json.dumps(plan, sort_keys=True)) % 1000])
    (link,) = plan["links"]
    clients, end_s = len(plan["flows"]), plan["duration_ps"] / _PS_PER_S
    over_abr = link["services"][link["flow_services"][0]]["name"] == "abr"
    lines = [at for at, line in enumerate(link["lines"]) if line["port"] is not None]
    probes = plan["probes"]
    return {
        "flows": _flows(clients, end_s, random),
        "links": {"link": np.zeros(0, dtype=np.uint64)},
        "ports": _ports(lines, clients, over_abr, random),
        "classes": {
            "port": np.array(lines, dtype=np.uint64),
            "service": np.full(len(lines), 1 if over_abr else 2, dtype=np.uint64),
            "cells_lost": np.full(len(lines), 0 if over_abr else 100, dtype=np.uint64),
        },
        "vcs": {
            "vc": np.arange(2 * clients, dtype=np.uint64),
            "cells_waiting_max": random.integers(1, 1000, 2 * clients).astype(np.uint64),
        },
        "responses": _responses(clients, end_s, random),
        "transfers": {},
        "foreground": {},
        "queue": _queue(lines, end_s, probes["queue_bin_ps"], random),
        "acr": _acr(2 * clients, end_s, probes["acr_bin_ps"], random),
        "goodput": {},
        "cwnd": {},
    }


def _flows(clients: int, end_s: float, random: np.random.Generator) -> dict[str, np.ndarray]:
    whole = min(480_000 * clients, 34_000_000) / clients * end_s / 8
    delivered = (whole * random.uniform(0.95, 1.0, clients)).astype(np.uint64)
    same = {
        "segments_sent": 1000,
        "segments_retransmitted": 20,
        "timeouts": 2,
        "fast_retransmits": 0,
    }
    return {
        "flow": np.arange(clients, dtype=np.uint64),
        "delivered_bytes": delivered,
        "received_bytes": delivered,
        "delivered_early_bytes": 0 * delivered,
        "highest_received_bytes": delivered,
        **{name: np.full(clients, value, dtype=np.uint64) for name, value in same.items()},
    }


def _ports(
    lines: list[int], clients: int, over_abr: bool, random: np.random.Generator
) -> dict[str, np.ndarray]:
    number = len(lines)
    longest = np.ones(number, dtype=np.uint64)
    longest[0] = min(clients, 90) * 200 + random.integers(0, 1000)
    lost = 0 if over_abr else 100
    return {
        "link": np.array(lines, dtype=np.uint64),
        "max_queue_cells": longest,
        "mean_queue_cells": longest / 10,
        "utilisation": np.full(number, 0.5),
        "carried_share": np.full(number, 0.5),
        **{
            name: np.full(number, lost, dtype=np.uint64)
            for name in ("cells_refused", "cells_overflowed", "cells_cut")
        },
    }


def _responses(clients: int, end_s: float, random: np.random.Generator) -> dict[str, np.ndarray]:
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
) -> dict[str, np.ndarray]:
    if bin_ps is None:
        return {}
    times = np.arange(0, end_s, bin_ps / _PS_PER_S)
    return {
        "link": np.repeat(lines, times.size).astype(np.uint64),
        "time_s": np.tile(times, len(lines)),
        "max_length": random.integers(0, 9000, times.size * len(lines)).astype(np.uint64),
    }


def _acr(
    circuits: int, end_s: float, bin_ps: int | None, random: np.random.Generator
) -> dict[str, np.ndarray]:
    if bin_ps is None:
        return {}
    times = np.arange(0, end_s, bin_ps / _PS_PER_S)
    return {
        "vc": np.repeat(np.arange(circuits), times.size).astype(np.uint64),
        "time_s": np.tile(times, circuits),
        "acr_bit_s": random.uniform(1e5, 4e7, times.size * circuits),
    }
