"""Estimate p, q, R and RTO from results of runs, and p from counts of loss indications.

Source: 003, section II-B (losses of one window are one loss event), IV-A (p is loss events over
segments sent), IV-B Eq. 30 (q from the overall loss rate), Table II (RTO is the average duration of
the first time-out of a series), section V (p from counted fast recoveries and time-outs).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ackclock.models.window import q_from_loss_rate

_WHOLE = ("segments_sent", "segments_lost", "loss_events")
_TIMES = ("rtt_s", "first_rto_s")


class FlowEstimate(NamedTuple):
    """The parameters of the models for flows, shape (flows,).

    Attributes:
        p: loss event rate; nan for a flow without sent segments.
        loss_rate: segments lost over segments sent.
        losses_per_event: segments lost per loss event, m; nan without a loss event.
        q: segment loss rate within a loss event, by Eq. 30; 0 if each event lost one segment, 1 if
            an event lost at least the window of Eq. 14, nan without a loss event.
        rtt_s: average round-trip time at the sender, s; nan without a sample.
        rto_s: average first time-out, s; nan without one, for which the models use 3 R.
    """

    p: np.ndarray
    loss_rate: np.ndarray
    losses_per_event: np.ndarray
    q: np.ndarray
    rtt_s: np.ndarray
    rto_s: np.ndarray


def estimate_flows(flows: Mapping[str, Any]) -> FlowEstimate:
    """Return the parameters of flows from their measured columns.

    Args:
        flows: columns segments_sent, segments_lost, loss_events (numbers) and rtt_s, first_rto_s
            (s, or nan), shape (flows,): those of ``Results.flows`` for foreground flows.

    Raises:
        ValueError: a column is missing or negative, or a flow has more events than losses.
    """
    missing = [name for name in (*_WHOLE, *_TIMES) if name not in flows]
    if missing:
        raise ValueError(
            f"{', '.join(missing)}: no such column; mark the flows whose losses are to be counted "
            "with foreground = true"
        )
    sent, lost, events = (np.asarray(flows[name], dtype=float) for name in _WHOLE)
    if np.any(lost < events) or np.any(events < 0) or np.any(sent < lost):
        raise ValueError("loss_events may be at most segments_lost, and these segments_sent")
    with np.errstate(invalid="ignore", divide="ignore"):
        p, rate, per_event = events / sent, lost / sent, lost / events
    q = np.full_like(p, np.nan)
    lossy = (p > 0) & (p < 1)
    q[lossy] = q_from_loss_rate(p[lossy], rate[lossy], clip=True).q
    times = (np.asarray(flows[name], dtype=float) for name in _TIMES)
    return FlowEstimate(p, rate, per_event, q, *times)


def loss_indication_rate(
    timeouts: ArrayLike, fast_recoveries: ArrayLike, data_bytes: ArrayLike, smss_bytes: ArrayLike
) -> np.ndarray:
    """Return p from a sender's counters, (FR + TO) / (bytes / SMSS), in their broadcast shape.

    Args:
        timeouts: number of time-outs, TO.
        fast_recoveries: number of fast recoveries, FR.
        data_bytes: sent data, bytes.
        smss_bytes: data in a segment, bytes.

    Raises:
        ValueError: a number is negative, or ``data_bytes`` is 0.

    Source: 003, section V; 5,034,696 bytes give the loss event rates of its Table IV.
    """
    given = [
        np.asarray(each, dtype=float)
        for each in (timeouts, fast_recoveries, data_bytes, smss_bytes)
    ]
    if any(np.any(~(each >= 0)) for each in given) or np.any(given[2] * given[3] == 0):
        raise ValueError("counts must be 0 or more, and bytes and the segment size above 0")
    return (given[0] + given[1]) / (given[2] / given[3])
