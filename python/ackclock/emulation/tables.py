"""The tables of a run in the form of the core, from the reports of driver and nodes.

Values that a kernel does not report are nan: retransmission time-outs before Linux 6.7, and fast
retransmits of flows whose senders share a node. Bytes received equal bytes delivered. The largest
cwnd is the largest in the samples. The duration of a time-out is the RTO of the sample before it.
The counts of several connections are added.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import nan
from typing import Any

import numpy as np

from ackclock.emulation.connection_samples import Sample

_PS_PER_NS = 1000
_S_PER_US = 1e-6
_S_PER_NS = 1e-9
_BITS = 8.0
_FETCHED = ("transfers", "responses")
_BY_LINKS = ("ports", "queue_delays", "flow_queue_delays", "classes", "vcs", "queue", "goodput")
_BY_LINK_BINS = ("queue_delay_bins", "flow_queue_delay_bins")
# A kernel does not report events of single segments and packets.
_ONE_BY_ONE = ("rtts", "rtt_bins", "segments", "rtt", "states", "packets")
_EMPTY = (*_BY_LINKS, *_BY_LINK_BINS, *_FETCHED, "foreground", *_ONE_BY_ONE)
_NOTHING = {
    **dict.fromkeys(("written", "writes", "delivered", "first_timeouts", "first_rto_us"), 0),
    "info": {},
}
_RECOVERIES = ("TCPRenoRecovery", "TCPSackRecovery")


def tables_of(
    plan: Mapping[str, Any], described: Mapping[str, Any], paced: Collection[int] = ()
) -> dict[str, dict[str, Any]]:
    """Return the tables by name; see ``crates/lab/src/columns.rs``.

    Args:
        plan: plan of the run.
        described: report of the supervisor.
        paced: flows whose segments the kernel paces.
    """
    tables: dict[str, dict[str, Any]] = {name: {} for name in (*_EMPTY, "cwnd", "acr", "transport")}
    for name, table in described["driver"]["tables"].items():
        tables[name] = {column: np.array(values) for column, values in table.items()}
    rows = [_Flow(plan, described["nodes"], number) for number in range(len(plan["flows"]))]
    tables["flows"] = _flow_table(rows)
    for name in _FETCHED:
        tables[name] = _joined([row.fetched.get(name, {}) for row in rows])
    tables["cwnd"] = _cwnd_table(plan, rows)
    if plan["probes"].get("transport_bin_ps") is not None:
        tables["transport"] = _transport_table(rows, paced)
    return tables


class _Flow:
    """The reports of the two nodes of a flow."""

    def __init__(self, plan: Mapping[str, Any], nodes: Mapping[str, Any], number: int) -> None:
        flow, key = plan["flows"][number], str(number)
        sender, receiver = nodes[str(flow["sender"])], nodes[str(flow["receiver"])]
        self.number = number
        self.sent, self.got = sender["after"]["sources"][key], receiver["after"]["sinks"][key]
        before, got_before = sender["before"], receiver["before"]
        self.sent_before = before["sources"][key] if before else _NOTHING
        self.got_before = got_before["sinks"][key] if got_before else _NOTHING
        samples = [Sample(*each) for each in sender["sources"][key]["samples"]]
        warm_up_ns = plan["warm_up_ps"] // _PS_PER_NS
        self.samples = samples
        self.measured = [each for each in samples if each.time >= warm_up_ns]
        self.fetched = receiver["sinks"][key]["fetched"]
        self.is_tcp = _is_tcp(plan, number)
        self.recoveries = _recoveries(plan, sender) if self.is_tcp else 0

    def added(self, name: str) -> float:
        """Return the increase of a counter of the connections after the warm-up."""
        after = self.sent["info"]
        if after and name not in after:
            return nan
        return after.get(name, 0) - self.sent_before["info"].get(name, 0)

    def wrote(self, name: str) -> int:
        """Return the sender's written bytes, or its writes, after the warm-up."""
        return self.sent[name] - self.sent_before[name]

    def delivered(self) -> int:
        """Return the bytes delivered after the warm-up."""
        return self.got["delivered"] - self.got_before["delivered"]

    def backlog(self) -> int:
        """Return bytes written but not delivered at the end of the warm-up; 0 for datagrams."""
        left = self.sent_before["written"] - self.got_before["delivered"]
        return left if self.is_tcp else 0

    def rtts_us(self) -> list[int]:
        """Return the smoothed RTTs of the samples after the warm-up, us."""
        return [sample.rtt for sample in self.measured if sample.rtt]

    def first_rto_s(self) -> float:
        """Return the mean duration of the first time-outs of each series after the warm-up, s."""
        if not self.is_tcp:
            return nan
        count, sum_us = (
            self.sent[name] - self.sent_before[name] for name in ("first_timeouts", "first_rto_us")
        )
        return sum_us / count * 1e-6 if count else nan


def _is_tcp(plan: Mapping[str, Any], flow: int) -> bool:
    return plan["workloads"][plan["flows"][flow]["workload"]]["kind"] != "datagrams"


def _recoveries(plan: Mapping[str, Any], sender: Mapping[str, Any]) -> float:
    """Return fast recoveries after the warm-up of a node's only TCP sender; nan for several."""
    after, before = sender["after"], sender["before"]
    if sum(_is_tcp(plan, int(flow)) for flow in after["sources"]) > 1:
        return nan
    counted, was = after["counters"], before["counters"] if before else {}
    return sum(counted[name] - was.get(name, 0) for name in _RECOVERIES if name in counted)


def _seconds(when: int | None) -> float:
    return nan if when is None else when * _S_PER_NS


def _mean_s(times_us: list[int]) -> float:
    return sum(times_us) / len(times_us) * 1e-6 if times_us else nan


def _flow_table(rows: list[_Flow]) -> dict[str, np.ndarray]:
    delivered = [row.delivered() for row in rows]
    # The client opens connections; for pages the client is the receiver.
    opened = [
        row.got["opened"] if row.sent["opened"] is None else row.sent["opened"] for row in rows
    ]
    columns: dict[str, list[Any]] = {
        "flow": [row.number for row in rows],
        "requests": [row.wrote("writes") for row in rows],
        "scheduled_bytes": [row.wrote("written") for row in rows],
        "received_bytes": delivered,
        "delivered_bytes": delivered,
        "delivered_early_bytes": [0] * len(rows),
        "highest_received_bytes": delivered,
        "segments_sent": [row.added("data_segs_out") for row in rows],
        "segments_retransmitted": [row.added("total_retrans") for row in rows],
        "timeouts": [row.added("total_rto") for row in rows],
        "fast_retransmits": [row.recoveries for row in rows],
        "rtt_samples": [len(row.rtts_us()) for row in rows],
        "first_timeouts": [row.added("total_rto_recoveries") for row in rows],
        "rtt_mean_s": [_mean_s(row.rtts_us()) for row in rows],
        "first_rto_mean_s": [row.first_rto_s() for row in rows],
        **_limits(rows),
        "max_cwnd_bytes": [max((each.cwnd for each in row.measured), default=0) for row in rows],
        "backlog_bytes": [row.backlog() for row in rows],
        "opened_s": [_seconds(when) for when in opened],
        "last_delivery_s": [_seconds(row.got["last"]) for row in rows],
    }
    return {name: np.array(values) for name, values in columns.items()}


def _limits(rows: list[_Flow]) -> dict[str, list[float]]:
    """Return the time of each sender's limits, while it had data in flight or to send."""
    columns: dict[str, list[float]] = {f"{name}_limited_s": [] for name in ("cwnd", "rwnd", "app")}
    for row in rows:
        if row.is_tcp:
            names = ("busy_time", "rwnd_limited", "sndbuf_limited")
            busy, window, application = (row.added(name) * _S_PER_US for name in names)
            described = (busy - window - application, window, application)
        else:
            described = (0.0, 0.0, 0.0)
        for column, value in zip(columns.values(), described, strict=True):
            column.append(value)
    return columns


def _joined(tables: list[Mapping[str, list[float]]]) -> dict[str, np.ndarray]:
    """Concatenate tables with the same columns; empty if all tables are empty."""
    rows = [table for table in tables if table]
    names = rows[0] if rows else ()
    return {name: np.concatenate([np.array(table[name]) for table in rows]) for name in names}


def _cwnd_table(plan: Mapping[str, Any], rows: list[_Flow]) -> dict[str, np.ndarray]:
    """Return one row per sample; a simulated run has one row per change."""
    chosen = [row for row in rows if row.number in plan["probes"]["cwnd_of"]]
    if not chosen:
        return {}
    samples = [(row.number, each) for row in chosen for each in row.samples]
    columns = {
        "flow": [flow for flow, _ in samples],
        "connection": [each.connection for _, each in samples],
        "time_s": [each.time * _S_PER_NS for _, each in samples],
        "cwnd_bytes": [each.cwnd for _, each in samples],
        "ssthresh_bytes": [each.ssthresh for _, each in samples],
        "flight_size_bytes": [each.flight for _, each in samples],
    }
    return {
        name: np.array(values, dtype=np.float64 if name == "time_s" else np.uint64)
        for name, values in columns.items()
    }


def _transport_table(rows: list[_Flow], paced: Collection[int]) -> dict[str, Any]:
    """Return one row per sample; a simulated run has one row per bin with an event."""
    samples = [(row.number, each) for row in rows for each in row.samples]
    rates = [each.pacing_rate if flow in paced else 0 for flow, each in samples]
    return {
        "flow": np.array([flow for flow, _ in samples], np.uint64),
        "connection": np.array([each.connection for _, each in samples], np.uint64),
        "time_s": _reals((each.time for _, each in samples), _S_PER_NS),
        "pacing_rate_bit_s": _known(rates, _BITS),
        "delivery_rate_bit_s": _known((each.delivery_rate for _, each in samples), _BITS),
        "min_rtt_s": _known((each.min_rtt for _, each in samples), _S_PER_US),
        "in_flight_bytes": np.array([each.in_flight for _, each in samples], np.uint64),
        "state": [each.state for _, each in samples],
    }


def _reals(values: Iterable[int], unit: float) -> np.ndarray:
    return np.array([value * unit for value in values], np.float64)


def _known(values: Iterable[int], unit: float) -> np.ndarray:
    """Convert values to another unit; 0 stands for an unknown value and becomes nan."""
    return np.array([value * unit if value else nan for value in values], np.float64)
