"""Efficiency, fairness and diagnostics of one run."""

import numpy as np
import pytest

from ackclock.scenario.settings import apply
from ackclock.studies.ubr_web.metrics import capacity_bit_s, measure
from ackclock.studies.ubr_web.parameters import Parameters


def columns(scheduled, received):
    pairs = len(scheduled)
    counts = ("segments_sent", "segments_retransmitted", "timeouts", "fast_retransmits")
    return {
        "flows": {
            "requests": np.full(pairs, 5, dtype=np.uint64),
            "scheduled_bytes": np.array(scheduled, dtype=np.uint64),
            "received_bytes": np.array(received, dtype=np.uint64),
            **{
                name: np.full(pairs, value, dtype=np.uint64)
                for name, value in zip(counts, (200, 10, 3, 4), strict=True)
            },
        },
        "ports": {
            "cells_refused": np.array([100, 1]),
            "cells_overflowed": np.array([20, 2]),
            "cells_cut": np.array([3, 4]),
            "frames_offered": np.array([1000, 500]),
            "frames_refused": np.array([50, 0]),
            "frames_cut": np.array([5, 0]),
            "max_queue_cells": np.array([531, 10]),
            "mean_queue_cells": np.array([99.5, 0.25]),
        },
    }


def test_the_capacity_is_what_the_paper_prints():
    capacities = [capacity_bit_s(Parameters(), link) / 1e6 for link in ("WAN", "MEO", "GEO")]
    assert capacities == pytest.approx([37.80, 40.39, 40.39], abs=0.005)


def test_metrics_by_hand():
    # C/8 * 10 s = 47,251,846 bytes; two of the four schedule less than a quarter of it.
    parameters = apply(Parameters, ["pairs=4", "duration=10 s"])
    total = capacity_bit_s(parameters, "WAN") / 8 * 10
    scheduled = [1_000_000, 2_000_000, 40_000_000, 50_000_000]
    rest = (total - 3_000_000) / 2
    received = [1_000_000, 1_000_000, 20_000_000, 10_000_000]
    ratios = np.array([1.0, 0.5, 20_000_000 / rest, 10_000_000 / rest])

    row = measure(columns(scheduled, received), parameters, "WAN")

    assert row["efficiency"] == pytest.approx(32_000_000 / total, rel=1e-12)
    assert row["fairness"] == pytest.approx(ratios.sum() ** 2 / (4 * (ratios**2).sum()), rel=1e-9)
    assert row["offered_load"] == pytest.approx(93_000_000 / total, rel=1e-12)
    assert row["retransmitted_share"] == 0.05
    del row["efficiency"], row["fairness"], row["offered_load"], row["retransmitted_share"]
    assert row == {
        "requests": 20,
        "cells_refused": 100,
        "cells_overflowed": 20,
        "cells_cut": 3,
        "frames_offered": 1000,
        "frames_refused": 50,
        "frames_cut": 5,
        "reverse_cells_lost": 7,
        "max_queue_cells": 531,
        "mean_queue_cells": 99.5,
        "timeouts": 12,
        "fast_retransmits": 16,
    }


def test_a_run_without_any_request():
    nothing = columns([0, 0], [0, 0])
    nothing["flows"]["segments_sent"] = np.zeros(2, dtype=np.uint64)
    row = measure(nothing, Parameters(), "GEO")
    assert (row["efficiency"], row["retransmitted_share"]) == (0, 0)
    assert np.isnan(row["fairness"])
