"""Which metrics can have no value in a scenario, as its plan shows before any run.

A run may still have none: a page whose last byte never arrives has no delay.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from math import inf
from typing import Any, NamedTuple

from ackclock.scenario.compile.facts import (
    CALLS,
    FILES,
    LOAD,
    MOST_FLOWS_KEPT,
    PROBE_BYTES,
    SIZE_CLASSES,
    UNKNOWN_PATH,
    VIDEO,
    WEB,
    Compiled,
)
from ackclock.scenario.compile.members import distinct
from ackclock.scenario.metric_names import RESPONSES, SLOWDOWNS, VIDEO_NAMES, completion_names
from ackclock.scenario.plan import written_links

_DATAGRAMS = ("cbr", "on_off")
_COMPLETING = ("www_batches", "datagrams")
"""Kinds of a plan other than bulk whose flows may have delivered all that they ever send."""
_FETCHING = ("pages", "arrivals")
"""Kinds of a plan whose clients fetch objects over new connections."""
_ONE_OBJECT = ({"objects": 1},)
"""The stages of a flow that arrives."""
_COMPLETIONS = {name: " ".join(completion_names(name)) for name in SIZE_CLASSES}
_SLOWDOWNS = " ".join(SLOWDOWNS)
_INSTEAD = {
    "goodput_bit_s": "throughput_bit_s efficiency utilisation offered_load mean_acr_bit_s"
    " source_rate_bit_s mcr_share mcr_share_mean foreground_goodput_bit_s max_cwnd_bytes"
    " cwnd_limited rwnd_limited app_limited completion_s power video_rate_bit_s",
    "jain_fairness": "max_min_fairness abr_fairness excess_fairness excess_fairness_proportional",
    "drops": "cells_lost early_drops",
    "drop_share": "eligible_lost_share",
    "losses": "drops drop_share",
    "max_queue": "abr_max_queue_cells",
    "mean_queue": "abr_mean_queue_cells",
    "mean_queue_delay_s": "abr_mean_queue_delay_s queue_delay_p50_s queue_delay_p95_s"
    " queue_delay_p99_s queue_delay_max_s",
    "rtt_s": "rtt_p50_s rtt_p95_s rtt_p99_s rtt_max_s max_queue mean_queue mean_queue_delay_s"
    " file_delay_s page_delay_s page_delay_no_setup_s response_s responsiveness_rpm"
    " response_p95_s response_p99_s start_up_delay_s",
    "completion_s": f"{' '.join(_COMPLETIONS.values())} {_SLOWDOWNS}",
}
"""Metrics, and those to which each comes nearest where they have no value."""
_OF_A_BOTTLENECK = (
    "utilisation drops early_drops drop_share max_queue mean_queue mean_queue_delay_s"
)
_PERCENTILES = "queue_delay_p50_s queue_delay_p95_s queue_delay_p99_s queue_delay_max_s"
_RTTS = "rtt_p50_s rtt_p95_s rtt_p99_s rtt_max_s"
_NEAREST = {name: near for near, names in _INSTEAD.items() for name in names.split()}


class _Need(NamedTuple):
    """What metrics need to have a value.

    Attributes:
        metrics: their names, with spaces between.
        met: whether a plan has it.
        reason: why they have none if it has not.
    """

    metrics: str
    met: Callable[[Compiled], bool]
    reason: str


def nearest_with_value(metric: str, valued: Collection[str]) -> str | None:
    """The closest substitute for a metric that has no value here; none if there is none."""
    near = _NEAREST.get(metric)
    while near is not None and near not in valued:
        near = _NEAREST.get(near)
    return near


def reason_for_none(metric: str, compiled: Compiled) -> str:
    """Why a metric has a value in no run of a plan; empty if it may have one."""
    return next(
        (
            need.reason
            for need in _NEEDS
            if metric in need.metrics.split() and not need.met(compiled)
        ),
        "",
    )


def _has_one_bottleneck(compiled: Compiled) -> bool:
    return compiled.facts.bottleneck_link is not None


def _measures_delays(compiled: Compiled) -> bool:
    return "queue_delays_of" in compiled.plan


def _measures_flows(compiled: Compiled) -> bool:
    kinds = compiled.facts.flow_workloads
    return any(kinds[flow] not in _DATAGRAMS for flow in compiled.plan.get("delays_of_flows", ()))


def _has_capacity(compiled: Compiled) -> bool:
    return compiled.facts.payload_capacity_bit_s > 0


def _ends(compiled: Compiled) -> bool:
    """Whether every flow has only so much to send."""
    return all(its["kind"] != "bulk" or its["bytes"] for its in compiled.plan["workloads"])


def _completes(compiled: Compiled) -> bool:
    """Whether all of a flow can have arrived; between two pages it has, and nothing is over."""
    return any(
        its["bytes"] if its["kind"] == "bulk" else its["kind"] in _COMPLETING
        for its in compiled.plan["workloads"]
    )


def _has_flow(compiled: Compiled) -> bool:
    return bool(compiled.facts.flow_names)


def _has_tcp(compiled: Compiled) -> bool:
    return any(kind not in _DATAGRAMS for kind in compiled.facts.workloads)


def _carries(*kinds: str) -> Callable[[Compiled], bool]:
    return lambda compiled: not set(kinds).isdisjoint(compiled.facts.workloads)


def _has_foreground(compiled: Compiled) -> bool:
    return True in compiled.facts.foreground


def _has_cells(compiled: Compiled) -> bool:
    return any(link["kind"] != "packets" for link in written_links(compiled.plan))


def _has_abr(compiled: Compiled) -> bool:
    return any(
        service["name"] == "abr"
        for link in compiled.plan["links"]
        for service in link.get("services", ())
    )


def _has_sources(compiled: Compiled) -> bool:
    return any(link.get("sources") for link in compiled.plan["links"])


def _has_mcr(compiled: Compiled) -> bool:
    return any(compiled.facts.vc_mcr_bit_s)


def _delivers(least: float, most: float) -> Callable[[Compiled], bool]:
    """Whether a transfer may deliver so many bytes: more than the least, no more than the most."""

    def met(compiled: Compiled) -> bool:
        sizes = [each for its in compiled.plan["workloads"] for each in _transfer_bytes(its)]
        return any(low <= most and high > least for low, high in sizes)

    return met


def _transfer_bytes(workload: dict[str, Any]) -> Iterator[tuple[float, float]]:
    """The least and the most bytes of transfers of a workload; nothing if none ends."""
    if workload["kind"] == "bulk" and workload["bytes"]:
        yield workload["bytes"], workload["bytes"]
    if workload["kind"] not in _FETCHING:
        return
    sizes = workload["sizes"]
    low, high = 1, inf
    if "bytes" in sizes:
        listed = sizes["bytes"] if sizes["law"] != "fixed" else [sizes["bytes"]]
        low, high = min(listed), max(listed)
    for stage in workload.get("stages", _ONE_OBJECT):
        yield stage["objects"] * low, stage["objects"] * high


def _knows_a_path(compiled: Compiled) -> bool:
    """Whether a transfer that ends, of any kind, has a path that is known."""
    facts, plan = compiled.facts, compiled.plan
    ends = [any(True for _ in _transfer_bytes(its)) for its in plan["workloads"]]
    return any(
        ends[flows["workload"]] and group in facts.idle_paths
        for flows, group in zip(plan["flows"], distinct(facts.flow_groups), strict=True)
    )


def _has_probe(compiled: Compiled) -> bool:
    """Whether an answer may be small enough to be a probe of responsiveness."""
    pages = [its for its in compiled.plan["workloads"] if its["kind"] in _FETCHING]
    return any(low <= PROBE_BYTES for its in pages for low, _ in _transfer_bytes(its))


def _has_idle_path(compiled: Compiled) -> bool:
    return bool(compiled.facts.idle_paths)


def _size_needs() -> Iterator[_Need]:
    """That a transfer may be of the class."""
    least = 0.0
    for name, most in SIZE_CLASSES.items():
        reason = f"no transfer that ends has a {name} size"
        yield _Need(_COMPLETIONS[name], _delivers(least, most), reason)
        least = most


_NEEDS = (
    _Need(
        f"{_OF_A_BOTTLENECK} {_PERCENTILES}",
        _has_one_bottleneck,
        "there is no single bottleneck",
    ),
    _Need(
        _PERCENTILES,
        _measures_delays,
        "`queue_delays` is false, or a host's network card is the bottleneck",
    ),
    _Need(
        "efficiency max_min_fairness offered_load",
        _has_capacity,
        "there is no single bottleneck that all flows cross",
    ),
    _Need("offered_load", _ends, "a flow has data without end, and the load is infinite"),
    _Need("completion_s", _completes, "no flow ends"),
    _Need(
        f"rtt_s {_RTTS} cwnd_limited rwnd_limited app_limited",
        _has_tcp,
        "no flow is of TCP",
    ),
    _Need(
        _RTTS,
        _measures_flows,
        f"`queue_delays` is false, or no TCP flow is foreground among more than {MOST_FLOWS_KEPT}",
    ),
    *_size_needs(),
    _Need(_SLOWDOWNS, _delivers(0, inf), "no transfer ends"),
    _Need(_SLOWDOWNS, _knows_a_path, UNKNOWN_PATH),
    _Need("power", _has_capacity, "there is no single bottleneck that all flows cross"),
    _Need("power", _has_tcp, "no flow is of TCP"),
    _Need("power", _has_idle_path, UNKNOWN_PATH),
    _Need("responsiveness_rpm", _carries(*LOAD), "no flow is a bulk transfer"),
    _Need(
        "responsiveness_rpm",
        _has_probe,
        f"no client fetches pages or files of {PROBE_BYTES:,} B at most",
    ),
    _Need("max_cwnd_bytes", _has_flow, "there is no flow"),
    _Need("page_delay_s page_delay_no_setup_s", _carries(*WEB), "no flow fetches pages"),
    _Need("file_delay_s", _carries(*FILES), "no flow fetches files: ftp, arrivals or a trace"),
    _Need(" ".join(RESPONSES), _carries(*CALLS), "no flow requests batches of files, or calls"),
    _Need(" ".join(VIDEO_NAMES), _carries(*VIDEO), "no flow plays video"),
    _Need("foreground_goodput_bit_s", _has_foreground, "no flow is foreground"),
    _Need("cells_lost", _has_cells, "there are no cells in a network of packets"),
    _Need(
        "abr_max_queue_cells abr_mean_queue_cells abr_mean_queue_delay_s"
        " mean_acr_bit_s abr_fairness",
        _has_abr,
        "there is no ABR VC",
    ),
    _Need("source_rate_bit_s", _has_sources, "there is no source of cells"),
    _Need(
        "mcr_share mcr_share_mean excess_fairness excess_fairness_proportional eligible_lost_share",
        _has_mcr,
        "there is no GFR VC whose MCR is above 0",
    ),
)
CONDITIONAL = frozenset(metric for need in _NEEDS for metric in need.metrics.split())
"""The metrics that may have no value."""
OF_A_BOTTLENECK = frozenset(_OF_A_BOTTLENECK.split())
"""Those that have one wherever there is a single bottleneck."""
