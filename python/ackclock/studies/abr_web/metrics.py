"""One run in numbers: throughput, the bottleneck's queue, lost cells, response times.

Source: Vandalore et al., section 7, for throughput and queue. A response time is from the moment
at which the client hands its request to TCP to the last byte of the answer; the paper gives none.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isfinite, nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.results.metrics import METRICS
from ackclock.studies.machinery.counting import counted_as_published

if TYPE_CHECKING:
    from ackclock.scenario import Facts

QUICK_S = 1.0
"""What still counts as a quick answer."""


def measure(columns: Columns, facts: Facts) -> dict[str, Number]:
    """One run in numbers.

    Args:
        columns: tables "flows" (a row a client), "ports" (a row a line out of a switch), "vcs" and
            "responses", as the core returns them.
        facts: of the point.

    Returns:
        - throughput_bit_s: data that the clients received in order, over the measured time;
          offered_bit_s: data that they asked for in it; efficiency_pct, load_pct: both over the
          most that TCP can get, which is less over ABR by the share of the forward RM cells;
        - max_queue_cells, mean_queue_cells, utilisation_pct: of the bottleneck towards the clients
          (``counted_as_published``); cells_lost: at all ports, for whatever reason;
        - requests, answered: made, and answered by the end; response_median_s, response_p95_s: of
          all that were made, nan if it falls among the unanswered; quick_pct: answered within
          ``QUICK_S``; unanswered_pct;
        - most_waiting_cells: largest number of cells of one circuit that waited in a NIC;
        - timeouts, fast_retransmits, retransmitted_pct: of all servers.
    """
    columns = counted_as_published(columns)
    most, responses = facts.payload_capacity_bit_s, columns["responses"]
    throughput = METRICS["goodput_bit_s"].of(columns, facts)
    offered = float(responses["bytes"].sum()) * 8 / facts.duration_s if responses else 0.0
    return {
        "throughput_bit_s": throughput,
        "offered_bit_s": offered,
        "efficiency_pct": 100 * throughput / most,
        "load_pct": 100 * offered / most,
        "max_queue_cells": METRICS["max_queue"].of(columns, facts),
        "mean_queue_cells": METRICS["mean_queue"].of(columns, facts),
        "utilisation_pct": 100 * METRICS["utilisation"].of(columns, facts),
        "cells_lost": METRICS["cells_lost"].of(columns, facts),
        **_response_times(responses),
        "most_waiting_cells": int(columns["vcs"]["cells_waiting_max"].max()),
        "timeouts": METRICS["timeouts"].of(columns, facts),
        "fast_retransmits": METRICS["fast_retransmits"].of(columns, facts),
        "retransmitted_pct": 100 * METRICS["retransmitted_share"].of(columns, facts),
    }


def _response_times(responses: Mapping[str, np.ndarray]) -> dict[str, Number]:
    times = np.zeros(0)
    if responses:
        times = responses["completed_s"] - responses["requested_s"]
    # One that was not answered took longer than every one that was.
    times = np.where(np.isnan(times), inf, times)
    answered = int(np.isfinite(times).sum())
    row: dict[str, Number] = {"requests": times.size, "answered": answered}
    return row | {
        "unanswered_pct": 100 * (1 - answered / times.size) if times.size else nan,
        "response_median_s": _quantile(times, 0.5),
        "response_p95_s": _quantile(times, 0.95),
        "quick_pct": 100 * float((times <= QUICK_S).mean()) if times.size else nan,
    }


def _quantile(times: np.ndarray, share: float) -> float:
    """The smallest time within which so many were answered; nan if so many were not."""
    if not times.size:
        return nan
    found = float(np.quantile(times, share, method="inverted_cdf"))
    return found if isfinite(found) else nan
