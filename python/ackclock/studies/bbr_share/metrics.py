"""One run in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.studies.machinery.measures import between, metrics, share_of

if TYPE_CHECKING:
    from ackclock.scenario import Facts

SHARE, LEAST_RTT = "bbr_share", "least_rtt_s"
_OTHERS = ("utilisation", "retransmitted_share", "mean_queue")
OF_BESIDE = (SHARE, *_OTHERS)
OF_ALONE = (LEAST_RTT, *_OTHERS)
_CYCLE_S = 11.0
"""Ten seconds until an estimate is too old, and the time of a PROBE_RTT."""


def beside(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What BBR gets of all that is delivered, from the start on."""
    return {SHARE: share_of(columns, facts, "bbr"), **metrics(columns, facts, *_OTHERS)}


def alone(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The least RTT that a BBR flow goes by, mean over the flows and over three times."""
    last = float(columns["rtt"]["time_s"].max())
    ends = [last - number * _CYCLE_S for number in range(3)]
    flows = range(len(facts.flow_names))
    least = [_least_rtt(columns, end, flow) for end in ends for flow in flows]
    return {LEAST_RTT: float(np.nanmean(least)), **metrics(columns, facts, *_OTHERS)}


def _least_rtt(columns: Columns, end_s: float, flow: int) -> float:
    """The least RTT that a flow measures in a cycle that ends then, s; nan if it measures none."""
    its = between(columns, "rtt", end_s - _CYCLE_S, end_s, flow=flow)["rtt_s"]
    return float(its.min()) if its.size else float("nan")
