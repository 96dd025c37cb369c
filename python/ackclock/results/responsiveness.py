"""Responsiveness of the loaded network, in round trips per minute.

Source: C. Paasch, R. Meyer, S. Cheshire, W. Hawkins, Responsiveness under Working Conditions,
draft-ietf-ippm-responsiveness-06, section "Aggregating the Measurements", for connections without
TLS:

    foreign = 60 / ((TM(tcp_f) + TM(http_f)) / 2)
    loaded  = 60 / http_l
    responsiveness = (foreign + loaded) / 2        times in s

- The load is every bulk flow that has measured an RTT.
- A foreign probe is a connection on which a client of pages or files fetched at most
  ``PROBE_BYTES``, opened under load: between the first opening and the last delivery of bulk
  flows. ``tcp_f`` is the time of its handshake, ``http_f`` the time from its request to the last
  byte of the response, and TM the trimmed mean: the mean without the longest 5 %.
- ``http_l`` is the mean over the flows of the mean RTT that each sender of the load measured. The
  draft also uses the RTT of the stack if a connection of the load cannot carry a request.

Deviations: there is no TLS and no DNS; the mean RTT of the load is not trimmed; the whole measured
time counts, not only its last 4 s; the scenario defines the load, which may be too small to fill
the bottleneck; a probe counts if its page or file was completed.
"""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Metric
from ackclock.results.pages import flows_with
from ackclock.scenario.compile.facts import LOAD, PROBE_BYTES
from ackclock.stats.quantiles import trimmed_mean

if TYPE_CHECKING:
    from ackclock.scenario import Facts

_TRIMMED_PERCENT = 5
_S_PER_MIN = 60


def _responsiveness(columns: Columns, facts: Facts) -> float:
    flows, fetched = columns["flows"], columns["transfers"]
    load = flows_with(facts, LOAD) & ~np.isnan(flows["rtt_mean_s"])
    if not fetched or not load.any():
        return nan
    # A flow may have an RTT sample but no delivery.
    begin, end = flows["opened_s"][load].min(), np.fmax.reduce(flows["last_delivery_s"][load])
    opened, established = fetched["opened_s"], fetched["established_s"]
    probes = (fetched["bytes"] <= PROBE_BYTES) & (opened >= begin) & (opened <= end)
    if not probes.any():
        return nan
    handshake = trimmed_mean((established - opened)[probes], _TRIMMED_PERCENT)
    answer = trimmed_mean((fetched["completed_s"] - established)[probes], _TRIMMED_PERCENT)
    foreign = _S_PER_MIN / ((handshake + answer) / 2)
    loaded = _S_PER_MIN / float(flows["rtt_mean_s"][load].mean())
    return (foreign + loaded) / 2


RESPONSIVENESS_METRICS: dict[str, Metric] = {
    "responsiveness_rpm": Metric(
        "1/min",
        "round trips per minute under load: of new connections for small answers and of bulk"
        " flows, averaged",
        _responsiveness,
        f"unless a page or file of {PROBE_BYTES:,} B at most was fetched beside a bulk flow",
    ),
}
"""Metrics of responsiveness."""
