"""One run in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.studies.machinery.measures import goodput_of, metrics, of_group

if TYPE_CHECKING:
    from ackclock.scenario import Facts

PRAGUE, CUBIC, RATIO, WINDOWS = "prague_bit_s", "cubic_bit_s", "rate_ratio", "window_ratio"
L_MEAN, L_P99, C_MEAN, C_P99 = (
    "prague_wait_s",
    "prague_wait_p99_s",
    "cubic_wait_s",
    "cubic_wait_p99_s",
)
UTILISATION, SENT_AGAIN, CUBIC_SHARE = "utilisation", "prague_sent_again_share", "cubic_share"
RATE = "goodput_bit_s"
OF_PAIR = (PRAGUE, CUBIC, RATIO, WINDOWS, L_MEAN, L_P99, C_MEAN, UTILISATION)
OF_QUEUES = (RATIO, L_MEAN, L_P99, C_MEAN, C_P99, UTILISATION)
OF_LAW = (RATE,)
OF_DEAF = (CUBIC_SHARE, C_MEAN, UTILISATION)


def _wait(columns: Columns, facts: Facts, group: str, name: str) -> float:
    """A column of the waiting times of the packets of a group with one flow."""
    waits = columns["flow_queue_delays"]
    (flow,) = np.flatnonzero(of_group(facts, group))
    its = (waits["flow"] == flow) & (waits["link"] == facts.bottleneck_link)
    (value,) = waits[name][its]
    return float(value)


def pair(columns: Columns, facts: Facts) -> dict[str, Number]:
    """How Prague and CUBIC share a link, and how long the packets of each wait."""
    prague, cubic = (goodput_of(columns, facts, group) for group in ("prague", "cubic"))
    rtts_s = columns["flows"]["rtt_mean_s"]
    (of_prague,), (of_cubic,) = (rtts_s[of_group(facts, each)] for each in ("prague", "cubic"))
    again, sent = (
        columns["flows"][name][of_group(facts, "prague")].sum()
        for name in ("segments_retransmitted", "segments_sent")
    )
    return {
        PRAGUE: prague,
        CUBIC: cubic,
        RATIO: prague / cubic,
        WINDOWS: float(prague * of_prague / (cubic * of_cubic)),
        L_MEAN: _wait(columns, facts, "prague", "mean_s"),
        L_P99: _wait(columns, facts, "prague", "p99_s"),
        C_MEAN: _wait(columns, facts, "cubic", "mean_s"),
        C_P99: _wait(columns, facts, "cubic", "p99_s"),
        SENT_AGAIN: float(again / sent),
        **metrics(columns, facts, UTILISATION),
    }


def law(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The rate of a flow."""
    return metrics(columns, facts, RATE)


def deaf(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What CUBIC gets of the rate of the link beside a flow that ignores marks."""
    return {
        CUBIC_SHARE: goodput_of(columns, facts, "cubic") / facts.payload_capacity_bit_s,
        C_MEAN: _wait(columns, facts, "cubic", "mean_s"),
        **metrics(columns, facts, UTILISATION),
    }
