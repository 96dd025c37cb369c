"""Efficiency, fairness and diagnostics of one run, beside another way to compute them.

The definitions are those of 98-0876, section 6: efficiency is the sum of x_i over C, fairness is
(sum of x_i/e_i)^2 / (n sum of (x_i/e_i)^2), with x_i the throughput of connection i, C what the
trunk carries of TCP data when all frames are full, and e_i the max-min fair share of C for what
server i has to send.
"""

from math import ceil, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.settings import main_scenario
from ackclock.studies.ubr_web.levels import Point
from ackclock.studies.ubr_web.metrics import measure
from ackclock.studies.ubr_web.study import STUDY

TRUNK_BIT_S = 45e6
SMSS = {"WAN": 1024, "MEO": 9180, "GEO": 9180}


def facts(link, *sets):
    points = main_scenario(Request(STUDY, sets)).points()
    return next(
        each.compile().facts
        for each in points
        if Point(**each.levels) == Point(link, "EPD", "Reno", 1.0)
    )


FACTS = facts("WAN", "topology.pairs=4", "duration=10 s")


def capacity(link, trunk_bit_s=TRUNK_BIT_S):
    """C: of 424 bits a cell, the data in a frame with 20 + 20 + 8 + 8 bytes around it."""
    cells = ceil((SMSS[link] + 20 + 20 + 8 + 8) / 48)
    return trunk_bit_s * 8 * SMSS[link] / (424 * cells)


def shares(demands, total):
    """Max-min fair shares, filled up little by little: each round gives all that want the same."""
    given_, left = [0.0] * len(demands), total
    wanting = [i for i, demand in enumerate(demands) if demand > 0]
    while wanting and left > 0:
        step = min(left / len(wanting), min(demands[i] - given_[i] for i in wanting))
        for i in wanting:
            given_[i] += step
        left -= step * len(wanting)
        still = [i for i in wanting if demands[i] - given_[i] > 1e-9 * demands[i]]
        if len(still) == len(wanting):
            break
        wanting = still
    return given_


def fairness(throughputs, expected):
    ratios = [x / e for x, e in zip(throughputs, expected, strict=True) if e > 0]
    return sum(ratios) ** 2 / (len(ratios) * sum(ratio**2 for ratio in ratios))


def columns(scheduled, received):
    pairs = len(scheduled)
    counts = ("segments_sent", "segments_retransmitted", "timeouts", "fast_retransmits")
    return {
        "flows": {
            "requests": np.full(pairs, 5, dtype=np.uint64),
            "scheduled_bytes": np.array(scheduled, dtype=np.uint64),
            "highest_received_bytes": np.array(received, dtype=np.uint64),
            "backlog_bytes": np.zeros(pairs, dtype=np.uint64),
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
            "carried_share": np.array([0.9, 0.1]),
            "max_queue_cells": np.array([531, 10]),
            "mean_queue_cells": np.array([99.5, 0.25]),
        },
    }


@pytest.mark.parametrize(("link", "printed"), [("WAN", 37.80), ("MEO", 40.39), ("GEO", 40.39)])
def test_the_capacity_is_what_the_paper_prints(link, printed):
    found = facts(link).payload_capacity_bit_s
    assert found == pytest.approx(capacity(link), rel=1e-12)
    assert found / 1e6 == pytest.approx(printed, abs=0.005)


def test_the_capacity_follows_the_trunk():
    found = facts("GEO", "topology.trunk.rate=10 Mbit/s").payload_capacity_bit_s
    assert found == pytest.approx(capacity("GEO", 10e6), rel=1e-12)


def test_metrics_by_hand():
    # C/8 * 10 s = 47,251,846 bytes; two of the four schedule less than a quarter of it.
    total = capacity("WAN") / 8 * 10
    scheduled = [1_000_000, 2_000_000, 40_000_000, 50_000_000]
    rest = (total - 3_000_000) / 2
    received = [1_000_000, 1_000_000, 20_000_000, 10_000_000]
    ratios = np.array([1.0, 0.5, 20_000_000 / rest, 10_000_000 / rest])

    row = measure(columns(scheduled, received), FACTS)

    assert row.pop("efficiency") == pytest.approx(32_000_000 / total, rel=1e-12)
    assert row.pop("fairness") == pytest.approx(
        ratios.sum() ** 2 / (4 * (ratios**2).sum()), rel=1e-9
    )
    assert row.pop("offered_load") == pytest.approx(93_000_000 / total, rel=1e-12)
    assert row.pop("retransmitted_share") == 0.05
    assert row == {
        "requests": 20,
        "starved_servers": 0,
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


BYTES = st.integers(1, 100_000_000)


@given(st.lists(st.tuples(BYTES, st.floats(0, 1)), min_size=4, max_size=4))
def test_metrics_beside_another_way_to_compute_them(flows):
    scheduled = [size for size, _ in flows]
    received = [int(size * share) for size, share in flows]
    rates = [8 * size / 10 for size in received]
    demands = [8 * size / 10 for size in scheduled]

    row = measure(columns(scheduled, received), FACTS)

    assert row["efficiency"] == pytest.approx(min(1, sum(rates) / capacity("WAN")), rel=1e-9)
    assert row["offered_load"] == pytest.approx(sum(demands) / capacity("WAN"), rel=1e-9)
    assert row["starved_servers"] == received.count(0)
    if any(received):
        expected = fairness(rates, shares(demands, capacity("WAN")))
        assert row["fairness"] == pytest.approx(expected, rel=1e-6)
        assert row["fairness"] <= 1 + 1e-12
    else:
        assert isnan(row["fairness"])


def test_a_server_that_scheduled_nothing_is_left_out():
    some = measure(columns([5_000_000, 1_000_000, 0, 0], [4_000_000, 200_000, 0, 0]), FACTS)
    assert some["fairness"] == pytest.approx(fairness([0.8, 0.2], [1, 1]))


def test_a_server_is_starved_if_not_one_byte_arrived():
    its = columns([1_000_000] * 4, [900_000, 0, 1, 0])
    # What came out of order counts, though it was not delivered.
    its["flows"]["delivered_bytes"] = np.zeros(4, dtype=np.uint64)
    row = measure(its, FACTS)
    assert row["starved_servers"] == 2
    assert row["fairness"] <= 1 - 2 / 4


def test_the_warm_up_is_no_part_of_the_time():
    short = facts("WAN", "topology.pairs=4", "duration=12 s", "warm_up=2 s")
    again = columns([1_000_000] * 4, [900_000] * 4)
    assert measure(again, short) == measure(again, FACTS)


def test_a_run_without_any_request():
    nothing = columns([0, 0], [0, 0])
    nothing["flows"]["segments_sent"] = np.zeros(2, dtype=np.uint64)
    row = measure(nothing, facts("GEO"))
    assert (row["efficiency"], row["retransmitted_share"]) == (0, 0)
    assert isnan(row["fairness"])


def test_a_row_holds_plain_numbers():
    row = measure(columns([1_000_000] * 4, [900_000] * 4), FACTS)
    assert {type(value) for value in row.values()} == {int, float}
