"""The metrics of one run, from the columns that the core returns.

A flow whose client fetches pages or files uses many connections; its totals are their sums.

Sources: ATM Forum 98-0876, section 6, for efficiency and max-min fairness; R. Jain, D. Chiu,
W. Hawe, A Quantitative Measure of Fairness and Discrimination (1984), for the index; N. Parvez,
A. Mahanti, C. Williamson, An Analytic Throughput Model for TCP NewReno, section II-B, for loss
events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.results.cells import CELL_METRICS
from ackclock.results.contracts import CONTRACT_METRICS
from ackclock.results.delays import DELAY_METRICS
from ackclock.results.limits import FLOW_LIMITS, LIMIT_METRICS, shares
from ackclock.results.metric import Columns, FlowMetric, Metric, Number, bottleneck
from ackclock.results.pages import (
    Pages,
    flows_with,
    median_or_nan,
    medians_by_flow,
    pages_of,
)
from ackclock.results.responses import RESPONSE_METRICS
from ackclock.scenario.compile.facts import FILES, WEB
from ackclock.stats.fairness import efficiency, fairness_index, max_min_shares

if TYPE_CHECKING:
    from ackclock.scenario import Facts

MOST_FLOWS_KEPT = 64
"""With more flows than these and no foreground flow, a run's row has no numbers of single flows: it
would be as long as a trace. What each flow delivers is then told by the probe `goodput`."""
# A source without end writes 2**61 bytes at once; the largest finite transfer is 10**15 bytes.
_ENDLESS_BYTES = 2**60


FLOW_METRICS: dict[str, FlowMetric] = {
    "goodput_bit_s": FlowMetric("bit/s", "delivered in order"),
    "throughput_bit_s": FlowMetric("bit/s", "received, in order or not, each byte once"),
    "requests": FlowMetric("1", "writes of the sender's application; of pages or files: responses"),
    "segments_sent": FlowMetric("segments", "data segments sent, with those sent again"),
    "segments_retransmitted": FlowMetric("segments", "of these, sent again"),
    "timeouts": FlowMetric("1", "time-outs of the sender"),
    "fast_retransmits": FlowMetric("1", "fast retransmits of the sender"),
    "completion_s": FlowMetric(
        "s",
        "from opening to the last delivery; nan unless all was delivered, and for pages and files",
    ),
    "pages": FlowMetric("1", "pages completed"),
    "page_delay_s": FlowMetric(
        "s", "from the first SYN to the last byte of a page, median; nan without one"
    ),
    "files": FlowMetric("1", "files of an ftp client completed"),
    "file_delay_s": FlowMetric(
        "s", "from the SYN to the last byte of a file, median; nan without one"
    ),
    "rtt_s": FlowMetric("s", "RTT that the sender measured, mean; nan without a sample"),
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
"""The values of each flow, by name."""
_COUNTED = tuple(FLOW_METRICS)[2:7]
_LOSSES = ("segments_lost", "loss_events")
_LOSS_RATES = {"loss_event_rate": "loss_events", "loss_rate": "segments_lost"}
"""Rates, and what they are of the segments sent."""


def measure(columns: Columns, facts: Facts) -> dict[str, Any]:
    """One run in numbers.

    Args:
        columns: tables "flows", "links", "ports", "queue_delays", "transfers", "foreground",
            "responses", "classes" and "vcs", as the core returns them.
        facts: of the point.

    Returns:
        Every metric of ``METRICS``; and, with a foreground flow or at most ``MOST_FLOWS_KEPT``
        flows, "flows": the columns of ``flow_columns`` as lists, a value a flow.
    """
    # Once for all metrics: it takes longer than any of them.
    columns = {**columns, "pages": pages_of(columns["transfers"])._asdict()}
    row: dict[str, Any] = {name: metric.of(columns, facts) for name, metric in METRICS.items()}
    if any(facts.foreground) or len(facts.flow_names) <= MOST_FLOWS_KEPT:
        its = flow_columns(columns, facts)
        row["flows"] = {name: values.tolist() for name, values in its.items()}
    return row


def kept_flows(foreground: Sequence[bool], flows: int) -> list[int]:
    """Numbers of the flows that are reported one by one: the foreground, or all without one.

    Args:
        foreground: of each flow, whether it is measured apart; empty if unknown, as in a
            campaign of an earlier version.
        flows: how many there are.
    """
    marked = [number for number, is_marked in enumerate(foreground) if is_marked]
    return marked or list(range(flows))


def flow_columns(columns: Columns, facts: Facts) -> dict[str, np.ndarray]:
    """The columns of ``FLOW_METRICS``, shape (kept flows,); see ``kept_flows``."""
    flows = columns["flows"]
    kept = kept_flows(facts.foreground, len(facts.flow_names))
    of_all = {
        "goodput_bit_s": _goodputs(columns, facts),
        "throughput_bit_s": _rates(columns, facts, "received_bytes"),
        **{name: flows[name] for name in _COUNTED},
        "completion_s": _completion_s(columns, facts),
        **_of_clients(columns, facts),
        "rtt_s": flows["rtt_mean_s"],
        "first_rto_s": flows["first_rto_mean_s"],
        "max_cwnd_bytes": flows["max_cwnd_bytes"],
        **shares(flows),
    }
    described = {name: values[kept] for name, values in of_all.items()}
    return described | _losses(columns["foreground"], described["segments_sent"])


def _losses(foreground: Mapping[str, np.ndarray], sent: np.ndarray) -> dict[str, np.ndarray]:
    """What was lost of the kept flows, and in which part of the segments sent."""
    unknown = np.full(sent.shape, nan)
    if not foreground:
        return dict.fromkeys((*_LOSSES, *_LOSS_RATES), unknown)
    rates = {
        rate: np.divide(foreground[of], sent, out=unknown.copy(), where=sent > 0)
        for rate, of in _LOSS_RATES.items()
    }
    return {name: foreground[name] for name in _LOSSES} | rates


def _of_clients(columns: Columns, facts: Facts) -> dict[str, np.ndarray]:
    """Pages and files of each flow, and their median delays."""
    flows = len(facts.flow_names)
    described = {}
    for count, delay, workloads in (
        ("pages", "page_delay_s", WEB),
        ("files", "file_delay_s", FILES),
    ):
        its = _fetched(columns, facts, workloads)
        described[count] = np.bincount(its.flow, minlength=flows)
        described[delay] = medians_by_flow(its.flow, its.delay_s(), flows)
    return described


def _rates(columns: Columns, facts: Facts, name: str) -> np.ndarray:
    """A column of bytes of the flows over the measured time, bit/s."""
    return columns["flows"][name].astype(float) * (8 / facts.duration_s)


def _goodputs(columns: Columns, facts: Facts) -> np.ndarray:
    """What each flow received and was given in order within the measured time, bit/s.

    A gap that is filled after the warm-up hands over what had come before its end, too: that is
    not of the measured time.
    """
    early = _rates(columns, facts, "delivered_early_bytes")
    return _rates(columns, facts, "delivered_bytes") - early


def _goodput(columns: Columns, facts: Facts) -> float:
    return float(_goodputs(columns, facts).sum())


def _foreground_goodput(columns: Columns, facts: Facts) -> float:
    if not any(facts.foreground):
        return nan
    return float(_goodputs(columns, facts)[np.array(facts.foreground)].sum())


def _throughput(columns: Columns, facts: Facts) -> float:
    return float(_rates(columns, facts, "received_bytes").sum())


def _to_send(flows: Mapping[str, np.ndarray]) -> np.ndarray:
    """What each sender had to send, bytes: scheduled since the warm-up, or left over from it."""
    return flows["scheduled_bytes"] + flows["backlog_bytes"]


def _offered(columns: Columns, facts: Facts) -> np.ndarray:
    """What each sender had to send, bit/s; infinite for a source without end."""
    to_send = _to_send(columns["flows"])
    return np.where(to_send >= _ENDLESS_BYTES, inf, to_send * (8 / facts.duration_s))


def _efficiency(columns: Columns, facts: Facts) -> float:
    """A share of what the bottleneck can carry, and so never above 1.

    Data that had left the bottleneck when the warm-up ended comes in the measured time, and may
    fill more than all of it.
    """
    if not facts.payload_capacity_bit_s > 0:
        return nan
    received = _rates(columns, facts, "received_bytes")
    return min(efficiency(received, facts.payload_capacity_bit_s), 1.0)


def _offered_load(columns: Columns, facts: Facts) -> float:
    if not facts.payload_capacity_bit_s > 0:
        return nan
    return float(_offered(columns, facts).sum()) / facts.payload_capacity_bit_s


def _jain_fairness(columns: Columns, facts: Facts) -> float:
    return fairness_index(_goodputs(columns, facts), 1.0)


def _max_min_fairness(columns: Columns, facts: Facts) -> float:
    if not facts.payload_capacity_bit_s > 0:
        return nan
    due = max_min_shares(_offered(columns, facts), facts.payload_capacity_bit_s)
    return fairness_index(_rates(columns, facts, "received_bytes"), due)


def _sum_of_flows(name: str) -> Callable[[Columns, Facts], Number]:
    # nan in an emulated run if the kernel does not report it.
    return lambda columns, facts: columns["flows"][name].sum().item()


def _retransmitted_share(columns: Columns, facts: Facts) -> float:
    flows = columns["flows"]
    sent = flows["segments_sent"].sum().item()
    return flows["segments_retransmitted"].sum().item() / sent if sent else 0.0


def _bottleneck(
    packets: tuple[str, ...], cells: tuple[str, ...]
) -> Callable[[Columns, Facts], Number]:
    """The sum of some columns of the bottleneck, be it a packet link or a cell link."""

    def of(columns: Columns, facts: Facts) -> Number:
        found = bottleneck(columns, facts)
        if found is None:
            return nan
        return sum(found.its[name] for name in (cells if found.of_cells else packets))

    return of


def _on_all_links(name: str) -> Callable[[Columns, Facts], int]:
    return lambda columns, facts: int(columns["links"][name].sum())


def _completion_s(columns: Columns, facts: Facts) -> np.ndarray:
    flows = columns["flows"]
    to_send = _to_send(flows)
    complete = (to_send > 0) & (flows["delivered_bytes"] == to_send)
    # Between two pages all is delivered too, and nothing is over.
    complete &= ~flows_with(facts, (*WEB, *FILES))
    return np.where(complete, flows["last_delivery_s"] - flows["opened_s"], nan)


def _mean_completion(columns: Columns, facts: Facts) -> float:
    times = _completion_s(columns, facts)
    complete = times[~np.isnan(times)]
    return float(complete.mean()) if complete.size else nan


def _completed_flows(columns: Columns, facts: Facts) -> int:
    return int(np.count_nonzero(~np.isnan(_completion_s(columns, facts))))


def _max_cwnd(columns: Columns, facts: Facts) -> Number:
    largest = columns["flows"]["max_cwnd_bytes"]
    return int(largest.max()) if largest.size else nan


def _drop_share(columns: Columns, facts: Facts) -> float:
    dropped, offered = _DROPS(columns, facts), _OFFERED(columns, facts)
    return dropped / offered if offered else 0.0


def _fetched(columns: Columns, facts: Facts, workloads: tuple[str, ...]) -> Pages:
    """The pages of the clients with these workloads."""
    known = columns.get("pages")
    its = pages_of(columns["transfers"]) if known is None else Pages(**known)
    return its.of(flows_with(facts, workloads))


def _count(workloads: tuple[str, ...]) -> Callable[[Columns, Facts], int]:
    return lambda columns, facts: _fetched(columns, facts, workloads).flow.size


def _median_delay(
    workloads: tuple[str, ...], clock: str = "open"
) -> Callable[[Columns, Facts], float]:
    return lambda columns, facts: median_or_nan(_fetched(columns, facts, workloads).delay_s(clock))


_DROPS = _bottleneck(("packets_dropped",), ("frames_refused", "frames_cut"))
_OFFERED = _bottleneck(("packets_offered",), ("frames_offered",))
_NO_BOTTLENECK = "without a single bottleneck"
_NO_PAGE = "if no page was completed"
_NO_CAPACITY = "without a single bottleneck that all flows cross"

METRICS: dict[str, Metric] = {
    "goodput_bit_s": Metric("bit/s", "delivered in order, all flows together", _goodput),
    "throughput_bit_s": Metric(
        "bit/s", "received, in order or not, each byte once, all flows", _throughput
    ),
    "efficiency": Metric(
        "1",
        "throughput over what the bottleneck can carry, 1 at most",
        _efficiency,
        _NO_CAPACITY,
        share=True,
    ),
    "utilisation": Metric(
        "1",
        "busy share of the bottleneck",
        _bottleneck(("utilisation",), ("utilisation",)),
        _NO_BOTTLENECK,
        share=True,
    ),
    "jain_fairness": Metric(
        "1",
        "Jain's index of the flows' goodputs",
        _jain_fairness,
        "if nothing was delivered",
        share=True,
    ),
    "max_min_fairness": Metric(
        "1",
        "Jain's index of throughputs over max-min fair shares",
        _max_min_fairness,
        f"{_NO_CAPACITY}, or if nothing was received",
        share=True,
    ),
    "offered_load": Metric(
        "1", "scheduled data over what the bottleneck can carry", _offered_load, _NO_CAPACITY
    ),
    "requests": Metric(
        "1",
        "writes of all sending applications; of pages and files: responses",
        _sum_of_flows("requests"),
    ),
    "segments_sent": Metric("segments", "sent by all senders", _sum_of_flows("segments_sent")),
    "retransmitted_share": Metric(
        "1", "share of these sent again", _retransmitted_share, share=True
    ),
    "timeouts": Metric("1", "time-outs of all senders", _sum_of_flows("timeouts")),
    "fast_retransmits": Metric(
        "1", "fast retransmits of all senders", _sum_of_flows("fast_retransmits")
    ),
    "drops": Metric(
        "1",
        "packets (or frames) that the bottleneck's queue dropped or its policy refused",
        _DROPS,
        _NO_BOTTLENECK,
    ),
    "early_drops": Metric(
        "1",
        "of these, dropped by active queue management (or refused by the policy)",
        _bottleneck(("packets_dropped_early",), ("frames_refused",)),
        _NO_BOTTLENECK,
    ),
    "drop_share": Metric(
        "1",
        "drops over packets (or frames) that came to the bottleneck",
        _drop_share,
        _NO_BOTTLENECK,
        share=True,
    ),
    "losses": Metric(
        "1", "packets lost by impairments, on any link", _on_all_links("packets_lost")
    ),
    "marks": Metric(
        "1", "packets marked as having met congestion, on any link", _on_all_links("packets_marked")
    ),
    "max_queue": Metric(
        "packets or cells",
        "longest queue of the bottleneck in the whole run",
        _bottleneck(("max_queue_packets",), ("max_queue_cells",)),
        _NO_BOTTLENECK,
    ),
    "mean_queue": Metric(
        "packets or cells",
        "queue of the bottleneck, mean over time",
        _bottleneck(("mean_queue_packets",), ("mean_queue_cells",)),
        _NO_BOTTLENECK,
    ),
    **DELAY_METRICS,
    "completion_s": Metric(
        "s",
        "from opening to last delivery, mean over completed flows",
        _mean_completion,
        "if no flow is complete",
    ),
    "completed_flows": Metric("1", "flows that delivered all they scheduled", _completed_flows),
    "pages": Metric("1", "pages that web clients completed", _count(WEB)),
    "page_delay_s": Metric(
        "s",
        "from a page's first SYN to the last byte of its last object, median over all pages",
        _median_delay(WEB),
        _NO_PAGE,
    ),
    "page_delay_no_setup_s": Metric(
        "s",
        "the same without handshakes: the longest answer of each stage, added up",
        _median_delay(WEB, "no_setup"),
        _NO_PAGE,
    ),
    "files": Metric("1", "files that ftp clients completed", _count(FILES)),
    "file_delay_s": Metric(
        "s",
        "from a file's SYN to its last byte, median over all files",
        _median_delay(FILES),
        "if no file was completed",
    ),
    "foreground_goodput_bit_s": Metric(
        "bit/s",
        "delivered in order, all foreground flows",
        _foreground_goodput,
        "without a foreground flow",
    ),
    **RESPONSE_METRICS,
    **CELL_METRICS,
    **CONTRACT_METRICS,
    "max_cwnd_bytes": Metric(
        "bytes",
        "largest cwnd of any flow, not inflated by a fast recovery",
        _max_cwnd,
        "without a flow",
    ),
    **LIMIT_METRICS,
}
"""All metrics, in the order in which they are shown; names are ``ackclock.scenario``'s."""
