"""One run in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.stats.fairness import fairness_index
from ackclock.studies.machinery.measures import between, bottleneck_queue, metrics

if TYPE_CHECKING:
    from ackclock.scenario import Facts

MEDIAN, HIGHEST, AMPLITUDE = "median_queue_packets", "highest_queue_packets", "amplitude_packets"
PERIOD, UTILISATION, GOODPUT = "period_s", "utilisation", "goodput_bit_s"
QUERY, SLOW = "query_s", "slow_share"
JAIN, LEAST_JAIN, VARIATION = "jain_fairness", "least_jain", "variation_share"
OF_PORT = (MEDIAN, HIGHEST, GOODPUT, "drop_share")
OF_OSCILLATION = (HIGHEST, AMPLITUDE, PERIOD, UTILISATION)
OF_THRESHOLD = (UTILISATION, MEDIAN)
OF_INCAST = (QUERY, SLOW, "drop_share")
OF_CONVERGENCE = (LEAST_JAIN, JAIN, VARIATION)
SLOW_S = 0.018
"""A query takes 8 ms at the rate of the port; with the shorter time-out it takes 10 ms more."""
_STEPS, _FLOWS = 9, 5
_STEADY = slice(20, 90)
"""Per cent of a step in which its flows are compared."""
_SAMPLES = 7
"""Parts of this time in which the variation is measured."""


def _queue(columns: Columns, facts: Facts) -> dict[str, Number]:
    """Percentiles over time of the packets that wait at the port."""
    end_s = float(columns["queue"]["time_s"].max()) + 1e-9
    waiting = bottleneck_queue(columns, facts, end_s - facts.duration_s, end_s)["max_length"]
    low, median, high = np.percentile(waiting, (1, 50, 99))
    return {MEDIAN: float(median), HIGHEST: float(high), AMPLITUDE: float(high - low)}


def port(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The queue of a port, and what its flows deliver together."""
    return {**_queue(columns, facts), **metrics(columns, facts, GOODPUT, UTILISATION, "drop_share")}


def oscillation(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The sawtooth of the queue, and the mean time from one reduction of a window to the next."""
    end_s = float(columns["queue"]["time_s"].max())
    flows, cuts = len(facts.flow_names), 0
    for flow in range(flows):
        its = between(columns, "cwnd", end_s - facts.duration_s, end_s, flow=flow)
        cuts += int(np.count_nonzero(np.diff(its["cwnd_bytes"].astype(np.int64)) < 0))
    return {**port(columns, facts), PERIOD: facts.duration_s * flows / cuts}


def query(columns: Columns, facts: Facts) -> dict[str, Number]:
    """How long a query takes: from the first request to the last byte of all answers."""
    its = columns["transfers"]
    answers = its["stage"] == 1
    pages, at = np.unique(its["page"][answers], return_inverse=True)
    begins, ends = np.full(pages.size, np.inf), np.zeros(pages.size)
    np.minimum.at(begins, at, its["established_s"][answers])
    np.maximum.at(ends, at, its["completed_s"][answers])
    took = ends - begins
    return {
        QUERY: float(took.mean()),
        SLOW: float((took > SLOW_S).mean()),
        **metrics(columns, facts, "drop_share"),
    }


def convergence(columns: Columns, facts: Facts) -> dict[str, Number]:
    """Fairness among the flows of each step with several, and how much a flow's rate varies."""
    its = columns["goodput"]
    rates = its["delivered_bytes"].reshape(_FLOWS, _STEPS, -1).astype(float)
    width = rates.shape[2] // 100
    steady = rates[:, :, _STEADY.start * width : _STEADY.stop * width]
    fairness, variation = [], []
    for step in range(_STEPS):
        there = list(range(max(0, step - _FLOWS + 1), min(step, _FLOWS - 1) + 1))
        if len(there) == 1:
            continue
        samples = steady[there, step].reshape(len(there), _SAMPLES, -1).sum(axis=2)
        means = samples.mean(axis=1)
        fairness.append(fairness_index(means, np.ones_like(means)))
        sends = means > 0  # a flow that got more than its share may have left already
        variation.append(float((samples[sends].std(axis=1) / means[sends]).mean()))
    return {
        LEAST_JAIN: float(min(fairness)),
        JAIN: float(np.mean(fairness)),
        VARIATION: float(np.mean(variation)),
    }
