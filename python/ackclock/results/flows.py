"""The values of single flows.

A flow whose client fetches pages or files uses many connections; its totals are their sums.

Source: N. Parvez, A. Mahanti, C. Williamson, An Analytic Throughput Model for TCP NewReno, section
II-B, for loss events.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.clients import of_clients
from ackclock.results.completions import FLOW_COMPLETIONS, flow_completions
from ackclock.results.delays import FLOW_DELAYS, flow_delays
from ackclock.results.limits import FLOW_LIMITS, shares
from ackclock.results.metric import Columns, FlowMetric
from ackclock.results.rates import goodputs, throughputs
from ackclock.scenario.compile.facts import kept_flows

if TYPE_CHECKING:
    from ackclock.scenario import Facts

FLOW_METRICS: dict[str, FlowMetric] = {
    "goodput_bit_s": FlowMetric("bit/s", "delivered in order"),
    "throughput_bit_s": FlowMetric("bit/s", "received, in order or not, each byte once"),
    "requests": FlowMetric("1", "writes of the sender's application; of pages or files: responses"),
    "segments_sent": FlowMetric("segments", "data segments sent, with those sent again"),
    "segments_retransmitted": FlowMetric("segments", "of these, sent again"),
    "timeouts": FlowMetric("1", "time-outs of the sender"),
    "fast_retransmits": FlowMetric("1", "fast retransmits of the sender"),
    **FLOW_COMPLETIONS,
    "pages": FlowMetric("1", "pages completed"),
    "page_delay_s": FlowMetric(
        "s", "from the first SYN to the last byte of a page, median; nan without one"
    ),
    "files": FlowMetric("1", "files completed: of ftp, arrivals or a trace"),
    "file_delay_s": FlowMetric(
        "s", "from the SYN to the last byte of a file, median; nan without one"
    ),
    "rtt_s": FlowMetric("s", "RTT that the sender measured, mean; nan without a sample"),
    **FLOW_DELAYS,
    "first_rto_s": FlowMetric(
        "s",
        "time-out that the sender had waited, mean of the first of each series; nan without one",
    ),
    "max_cwnd_bytes": FlowMetric("bytes", "largest cwnd, not inflated by a fast recovery"),
    **FLOW_LIMITS,
    "segments_lost": FlowMetric(
        "segments",
        "data segments that a queue or an impairment lost; nan unless foreground",
    ),
    "loss_events": FlowMetric("1", "loss events that these make up; nan unless foreground"),
    "loss_event_rate": FlowMetric(
        "1", "loss events over segments sent; nan unless foreground", share=True
    ),
    "loss_rate": FlowMetric(
        "1", "segments lost over segments sent; nan unless foreground", share=True
    ),
}
"""The metrics of single flows, by name."""
_COUNTED = tuple(FLOW_METRICS)[2:7]
_LOSSES = ("segments_lost", "loss_events")
_LOSS_RATES = {"loss_event_rate": "loss_events", "loss_rate": "segments_lost"}
"""Rates per segment sent, with the numerator of each."""


def flow_columns(columns: Columns, facts: Facts) -> dict[str, np.ndarray]:
    """Return the columns of ``FLOW_METRICS``, shape (kept flows,); see ``kept_flows``."""
    flows = columns["flows"]
    kept = kept_flows(facts.foreground, len(facts.flow_names))
    of_all = {
        "goodput_bit_s": goodputs(columns, facts),
        "throughput_bit_s": throughputs(columns, facts),
        **{name: flows[name] for name in _COUNTED},
        **flow_completions(columns, facts),
        **of_clients(columns, facts),
        "rtt_s": flows["rtt_mean_s"],
        **flow_delays(columns, facts),
        "first_rto_s": flows["first_rto_mean_s"],
        "max_cwnd_bytes": flows["max_cwnd_bytes"],
        **shares(flows),
    }
    described = {name: values[kept] for name, values in of_all.items()}
    return described | _losses(columns["foreground"], described["segments_sent"])


def _losses(foreground: Mapping[str, np.ndarray], sent: np.ndarray) -> dict[str, np.ndarray]:
    """Return losses and loss events of the kept flows, and their rates per segment sent."""
    unknown = np.full(sent.shape, nan)
    if not foreground:
        return dict.fromkeys((*_LOSSES, *_LOSS_RATES), unknown)
    rates = {
        rate: np.divide(foreground[of], sent, out=unknown.copy(), where=sent > 0)
        for rate, of in _LOSS_RATES.items()
    }
    return {name: foreground[name] for name in _LOSSES} | rates
