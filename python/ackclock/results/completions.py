"""The metrics of finite transfers: completion times by size, and relative to an idle path.

A transfer is a bulk flow with a finite size, a file of an ftp client, a flow of `arrivals` or
`trace`, or a connection over which a web client fetches a page or a part of a page. A transfer
counts if it was completed after the warm-up. A transfer of a client counts only if its page was
also opened after the warm-up. The completion time is the time from the SYN to the last byte.

The *ideal* completion time is the shortest time that TCP needs on the idle path if no window
limits it. It is the sum of one round trip for the handshake, half a round trip for the request of
a client, the propagation delay of the data, and the transmission of all packets on the narrowest
link. It leaves out the serialization on other links, and that of the SYN and of the request. It
also leaves out slow start. The slowdown of a lone transfer is above 1 for these reasons. A
*slowdown* is a completion time divided by the ideal one.

Sources: M. Alizadeh et al., pFabric: Minimal Near-Optimal Datacenter Transport, SIGCOMM 2013,
section 5.4, for the classes of sizes; B. Montazeri et al., Homa: A Receiver-Driven Low-Latency
Transport Protocol Using Network Priorities, SIGCOMM 2018, for the slowdown. Deviation: their
slowdown is relative to a packet-switched transport without a handshake.
"""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ackclock.results.metric import Columns, FlowMetric, Metric
from ackclock.results.pages import flows_with, medians_by_flow
from ackclock.results.rates import to_send
from ackclock.scenario.compile.facts import ENDLESS, FILES, SIZE_CLASSES, UNKNOWN_PATH, WEB
from ackclock.stats.quantiles import percentile_of

if TYPE_CHECKING:
    from ackclock.scenario import Facts

_BITS = 8


class Completions(NamedTuple):
    """The completed transfers of a run.

    Attributes:
        flow: shape (transfers,), the number of the flow of each transfer.
        by_class: shape (transfers,), the numbers of the transfers, by class and completion time.
        ends: shape (classes,), the end of each class in ``by_class``.
        time_s: shape (transfers,), completion time, in the order of ``flow``.
        slowdown: shape (transfers,), ``time_s`` over the ideal time; nan where that is unknown.
        slowdowns: the known values of ``slowdown``, ascending.
        of_flow_s: shape (flows,), time from the opening to the last delivery of each flow; nan if
            the flow is not complete. The flow may have begun in the warm-up.
    """

    flow: np.ndarray
    by_class: np.ndarray
    ends: np.ndarray
    time_s: np.ndarray
    slowdown: np.ndarray
    slowdowns: np.ndarray
    of_flow_s: np.ndarray

    def of_class(self, name: str) -> np.ndarray:
        """Completion times of a class of ``SIZE_CLASSES``, ascending."""
        at = _CLASSES.index(name)
        begin = self.ends[at - 1] if at else 0
        return self.time_s[self.by_class[begin : self.ends[at]]]


def completions_of(columns: Columns, facts: Facts) -> Completions:
    """The completed transfers of a run.

    Args:
        columns: tables "flows" and "transfers", as the core returns them.
        facts: facts of the point.
    """
    of_flow_s = _of_flows_s(columns, facts)
    flow, size, time_s = _transfers(columns, facts, of_flow_s)
    classes = np.searchsorted(tuple(SIZE_CLASSES.values()), size)
    slowdown = time_s / _ideal_s(flow, size, facts)
    known = slowdown[~np.isnan(slowdown)]
    return Completions(
        flow,
        np.lexsort((time_s, classes)),
        np.cumsum(np.bincount(classes, minlength=len(SIZE_CLASSES))),
        time_s,
        slowdown,
        np.sort(known),
        of_flow_s,
    )


def flow_completions(columns: Columns, facts: Facts) -> dict[str, np.ndarray]:
    """The columns of ``FLOW_COMPLETIONS``, shape (flows,) each."""
    its = _completions(columns, facts)
    known = ~np.isnan(its.slowdown)
    slowdown = medians_by_flow(its.flow[known], its.slowdown[known], len(facts.flow_names))
    return {"completion_s": its.of_flow_s, "slowdown_p50": slowdown}


def _of_flows_s(columns: Columns, facts: Facts) -> np.ndarray:
    """``Completions.of_flow_s``."""
    flows = columns["flows"]
    wanted = to_send(flows)
    complete = (wanted > 0) & (flows["delivered_bytes"] == wanted)
    # Between two pages or calls all data are delivered too, but the flow is not complete.
    complete &= ~flows_with(facts, (*WEB, *FILES, *ENDLESS))
    return np.where(complete, flows["last_delivery_s"] - flows["opened_s"], nan)


def _transfers(
    columns: Columns, facts: Facts, times: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Flow, bytes and completion time of each transfer; shape (transfers,) each.

    Args:
        columns: as the core returns them.
        facts: facts of the point.
        times: ``Completions.of_flow_s``.
    """
    fetched = columns["transfers"]
    # Delivered and not scheduled bytes: a flow may have begun in the warm-up.
    sizes = np.array([facts.bulk_bytes.get(name, 0) for name in facts.flow_groups], dtype=np.int64)
    bulk = np.flatnonzero(~np.isnan(times) & (sizes > 0))
    parts = [(bulk, sizes[bulk], times[bulk])]
    if fetched:
        took = fetched["completed_s"] - fetched["opened_s"]
        parts.append((fetched["flow"].astype(np.int64), fetched["bytes"].astype(np.int64), took))
    flow, size, time_s = (np.concatenate(values) for values in zip(*parts, strict=True))
    return flow, size, time_s


def _ideal_s(flow: np.ndarray, size: np.ndarray, facts: Facts) -> np.ndarray:
    """Ideal completion times of transfers, shape (transfers,); nan where the path is unknown."""
    if not facts.idle_paths or not flow.size:
        return np.full(flow.shape, nan)
    # Paths differ by group, and only clients send a request before the data.
    asks = {*WEB, *FILES}
    kinds = list(zip(facts.flow_groups, facts.flow_workloads, strict=True))
    found = {
        (group, workload): _fixed_and_rate(facts, group, workload in asks)
        for group, workload in set(kinds)
    }
    latency, rate, segment, header = np.array([found[kind] for kind in kinds]).T[:, flow]
    return latency + (size + header * np.ceil(size / segment)) * (_BITS / rate)


def _fixed_and_rate(facts: Facts, group: str, asks: bool) -> tuple[float, float, float, float]:
    """Time of an empty transfer, s; rate, bit/s; data and headers of a segment, bytes."""
    path = facts.idle_paths.get(group)
    if path is None:
        return nan, nan, nan, nan
    request = path.rtt_s - path.delay_s if asks else 0.0
    latency = path.rtt_s + request + path.delay_s
    return latency, path.rate_bit_s, path.segment_bytes, path.header_bytes


def _completions(columns: Columns, facts: Facts) -> Completions:
    known = columns.get("completions")
    return completions_of(columns, facts) if known is None else Completions(**known)


def _mean_completion(columns: Columns, facts: Facts) -> float:
    times = _completions(columns, facts).of_flow_s
    return _mean(times[~np.isnan(times)])


def _completed_flows(columns: Columns, facts: Facts) -> int:
    return int(np.count_nonzero(~np.isnan(_completions(columns, facts).of_flow_s)))


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if values.size else nan


def _count_of(name: str) -> Callable[[Columns, Facts], int]:
    return lambda columns, facts: _completions(columns, facts).of_class(name).size


def _times_of(
    name: str, statistic: Callable[[np.ndarray], float]
) -> Callable[[Columns, Facts], float]:
    return lambda columns, facts: statistic(_completions(columns, facts).of_class(name))


def _slowdown(statistic: Callable[[np.ndarray], float]) -> Callable[[Columns, Facts], float]:
    return lambda columns, facts: statistic(_completions(columns, facts).slowdowns)


_CLASSES = tuple(SIZE_CLASSES)
_MEANT = {
    "small": "at most 100 kB",
    "medium": "more than 100 kB and at most 10 MB",
    "large": "more than 10 MB",
}
"""Description of each class."""
_STATISTICS: dict[str, tuple[str, Callable[[np.ndarray], float]]] = {
    "mean": ("mean", _mean),
    "p50": ("median", lambda ascending: percentile_of(ascending, 50)),
    "p99": ("99th percentile", lambda ascending: percentile_of(ascending, 99)),
}
"""Statistics: suffix of the name, description, and function of ascending values."""
_NO_PATH = f"if no transfer was completed, or if {UNKNOWN_PATH}"


def _class_metrics(name: str) -> dict[str, Metric]:
    """The metrics of one class."""
    size = _MEANT[name]
    counted = f"transfers of {size} that were completed: bulk flows, files, connections of pages"
    return {
        f"completed_{name}": Metric("1", counted, _count_of(name)),
        **{
            f"completion_{name}_{end}_s": Metric(
                "s",
                f"from the SYN to the last byte of a transfer of {size}, {words}",
                _times_of(name, statistic),
                "if none was completed",
            )
            for end, (words, statistic) in _STATISTICS.items()
        },
    }


COMPLETION_METRICS: dict[str, Metric] = {
    "completion_s": Metric(
        "s",
        "from opening to last delivery, mean over completed flows",
        _mean_completion,
        "if no flow is complete",
    ),
    "completed_flows": Metric("1", "flows that delivered all they scheduled", _completed_flows),
    **{metric: its for name in SIZE_CLASSES for metric, its in _class_metrics(name).items()},
    **{
        f"slowdown_{end}": Metric(
            "1",
            f"completion time of a transfer over the least that the idle path allows, {words}",
            _slowdown(statistic),
            _NO_PATH,
        )
        for end, (words, statistic) in _STATISTICS.items()
    },
}
"""Metrics of finite transfers."""
FLOW_COMPLETIONS = {
    "completion_s": FlowMetric(
        "s",
        "from opening to the last delivery; nan unless all was delivered, and for pages, files,"
        " calls and video",
    ),
    "slowdown_p50": FlowMetric(
        "1",
        "completion time of a transfer over the least that the idle path allows, median; nan"
        " without one",
    ),
}
"""The same metrics for single flows."""
