"""One run in numbers: of each measured flow what the formulas take, and what they are to give.

Source: Parvez et al., section IV-A. Throughput is data delivered in order in the measured time; the
loss event rate p is loss events over segments sent; the round-trip time R is the sender's.
"""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.results.metrics import METRICS
from ackclock.studies.newreno.levels import FLOWS

if TYPE_CHECKING:
    from ackclock.scenario import Facts

FLOW_METRICS = (
    "throughput_bit_s",
    "delivered_bytes",
    "segments_sent",
    "segments_lost",
    "loss_events",
    "rtt_s",
    "first_rto_s",
    "timeouts",
    "fast_retransmits",
)
"""What is reported about a measured flow, each after the name of the flow: "newreno_rtt_s"."""


def measure(columns: Columns, facts: Facts) -> dict[str, Number]:
    """One run in numbers.

    Args:
        columns: tables "flows", "links" and "foreground", as the core returns them.
        facts: of the point.

    Returns:
        - utilisation_pct, drop_pct, mean_queue_packets: of the (first) bottleneck;
          background_bit_s: data that all other flows delivered;
        - for newreno and reno, where there is such a flow: throughput_bit_s, delivered_bytes,
          segments_sent, segments_lost and loss_events among them, rtt_s (mean), first_rto_s (mean
          first time-out of a series; nan without one), timeouts, fast_retransmits. Of several
          flows in a group: the mean throughput, sums of counts, means over all samples.
    """
    groups = np.array(facts.flow_groups)
    delivered = columns["flows"]["delivered_bytes"].astype(float) * (8 / facts.duration_s)
    row: dict[str, Number] = {
        "utilisation_pct": 100 * METRICS["utilisation"].of(columns, facts),
        "drop_pct": 100 * METRICS["drop_share"].of(columns, facts),
        "mean_queue_packets": METRICS["mean_queue"].of(columns, facts),
        "background_bit_s": float(delivered[~np.array(facts.foreground)].sum()),
    }
    for flow in FLOWS:
        its = groups == flow
        if its.any():
            described = _of_flow(columns, its, float(delivered[its].mean()))
            row |= {f"{flow}_{name}": described[name] for name in FLOW_METRICS}
    return row


def _of_flow(columns: Columns, its: np.ndarray, throughput: float) -> dict[str, Number]:
    flows, foreground = columns["flows"], columns["foreground"]
    lost = np.isin(foreground["flow"], np.flatnonzero(its))
    counts = {
        name: int(flows[name][its].sum())
        for name in ("delivered_bytes", "segments_sent", "timeouts", "fast_retransmits")
    }
    losses = {name: int(foreground[name][lost].sum()) for name in ("segments_lost", "loss_events")}
    return {
        "throughput_bit_s": throughput,
        "rtt_s": _mean(flows["rtt_mean_s"][its], flows["rtt_samples"][its]),
        "first_rto_s": _mean(flows["first_rto_mean_s"][its], flows["first_timeouts"][its]),
        **counts,
        **losses,
    }


def _mean(means: np.ndarray, numbers: np.ndarray) -> float:
    """The mean over all samples, of the means of each flow."""
    there = numbers > 0
    if not there.any():
        return nan
    return float(np.average(means[there], weights=numbers[there]))
