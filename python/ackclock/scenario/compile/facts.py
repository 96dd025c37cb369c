"""The result of compiling a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import inf
from typing import Any, NamedTuple

from ackclock.scenario.compile.members import distinct, from_json, to_json

WEB = ("http10", "http11", "http_sessions")
"""Kinds of workloads whose clients fetch pages."""
FILES = ("ftp", "arrivals", "trace")
"""Kinds of workloads whose clients fetch files, each on its own connection."""
CALLS = ("www_batches", "rpc")
"""Kinds of workloads whose clients wait for responses on one connection."""
VIDEO = ("video",)
"""Kinds of workloads whose clients play video."""
ENDLESS = ("rpc", *VIDEO)
"""Kinds of workloads whose clients make requests over one connection as long as the run lasts."""
MOST_FLOWS_KEPT = 64
"""With more flows than these and no foreground flow, a run's row has no numbers of single flows: it
would be as long as a trace. What each flow delivers is then told by the probe `goodput`."""
LOAD = ("bulk",)
"""Kinds of workloads whose senders send as fast as they may."""
SIZE_CLASSES = {"small": 10**5, "medium": 10**7, "large": inf}
"""Classes of transfers by what they deliver, and the most bytes of each; a class begins above the
one before it.

Source: M. Alizadeh et al., pFabric: Minimal Near-Optimal Datacenter Transport, SIGCOMM 2013,
section 5.4.
"""
PROBE_BYTES = 1460
"""The largest answer that is a probe of responsiveness: one segment of an Ethernet packet."""


UNKNOWN_PATH = (
    "no idle path is known: it changes, its delay is drawn, a queue has a rate of its own, or it"
    " leads over an ATM network"
)
"""Why a plan has no ``IdlePath``, in words."""


def has_kept_flows(foreground: Sequence[bool], flows: int) -> bool:
    """Whether flows are reported one by one; see ``kept_flows``."""
    return flows <= MOST_FLOWS_KEPT or True in foreground


def kept_flows(foreground: Sequence[bool], flows: int) -> list[int]:
    """Numbers of the flows that are reported one by one: the foreground, or all without one.

    Args:
        foreground: of each flow, whether it is measured apart; empty if unknown, as in a
            campaign of an earlier version.
        flows: how many there are.
    """
    marked = [number for number, is_marked in enumerate(foreground) if is_marked]
    return marked or list(range(flows))


def flows_with_delays(foreground: Sequence[bool]) -> list[int]:
    """Numbers of the flows whose delays are measured: all if they are few, else the foreground.

    Args:
        foreground: of each flow, whether it is measured apart.
    """
    if len(foreground) > MOST_FLOWS_KEPT and True not in foreground:
        return []
    few = len(foreground) <= MOST_FLOWS_KEPT
    return [number for number, is_marked in enumerate(foreground) if few or is_marked]


class IdlePath(NamedTuple):
    """The path of a flow when nothing else uses it.

    Attributes:
        rtt_s: two-way propagation delay.
        delay_s: propagation delay in the direction of the data.
        rate_bit_s: of the narrowest link in that direction.
        segment_bytes: data of a full segment.
        header_bytes: of each segment, IP included.
    """

    rtt_s: float
    delay_s: float
    rate_bit_s: float
    segment_bytes: int
    header_bytes: int


class Playback(NamedTuple):
    """What the metrics of a player of video need to know.

    Attributes:
        chunk_s: playing time of a chunk.
        start_up_s: playing time that the player needs to start, and to continue after a stall.
        ladder_bit_s: bit rate of each rung.
    """

    chunk_s: float
    start_up_s: float
    ladder_bit_s: tuple[int, ...]


@dataclass(frozen=True)
class Facts:
    """What the results need to know of a plan, and cannot see in its numbers.

    Attributes:
        duration_s: measured time: the duration without the warm-up.
        flow_names: of each flow.
        flow_groups: name of the group of each flow.
        flow_workloads: kind of the workload of each flow, as a scenario names it: "http10".
        bottleneck_link: number of the link whose queue and utilisation are reported: the bottleneck
            in the direction of the data; none if the flows share no narrowest link.
        payload_capacity_bit_s: TCP payload that the bottleneck carries when all packets are
            full-sized (of datagrams, all of it); nan if there is not one bottleneck that every
            flow crosses.
        link_names: of each link, "r1 -> r2". The lines of an ATM network are its links here.
        reverse_link: number of the link that carries the ACKs the other way, if there is one.
        foreground: of each flow, whether it is measured separately.
        vc_names: of each VC of an ATM network, by its number; of other networks none.
        vc_mcr_bit_s: MCR of each VC, of whole cells; none of one that is no GFR VC; empty if there
            is no GFR VC.
        idle_paths: of the flows of each group, by its name; none of a group of datagrams, and none
            because of ``UNKNOWN_PATH``.
        bulk_bytes: what each bulk flow of a group sends, by its name; none of a group without end.
        playbacks: of the players of a group of video flows, by its name.
        warm_up_s: time before the measured time.
    """

    duration_s: float
    flow_names: Sequence[str]
    flow_groups: Sequence[str]
    flow_workloads: Sequence[str]
    bottleneck_link: int | None
    payload_capacity_bit_s: float
    link_names: Sequence[str]
    reverse_link: int | None
    foreground: Sequence[bool]
    vc_names: tuple[str, ...] = ()
    vc_mcr_bit_s: tuple[float | None, ...] = ()
    idle_paths: Mapping[str, IdlePath] = field(default_factory=dict)
    bulk_bytes: Mapping[str, int] = field(default_factory=dict)
    playbacks: Mapping[str, Playback] = field(default_factory=dict)
    warm_up_s: float = 0.0

    @property
    def workloads(self) -> set[str]:
        """Kinds of workloads that flows have."""
        return set(distinct(self.flow_workloads))

    def to_json(self) -> dict[str, Any]:
        """As JSON; ``facts_by_name`` reads it."""
        held = {each.name: getattr(self, each.name) for each in fields(self)}
        return held | {name: to_json(held[name]) for name in _LISTED}


_LISTED = ("flow_names", "flow_groups", "flow_workloads", "foreground", "link_names")
"""Facts of each flow or link."""


def facts_by_name(held: Mapping[str, Any]) -> dict[str, Any]:
    """Facts from JSON, also from that of earlier versions, which had fewer."""
    return {**held, **{name: from_json(held[name]) for name in _LISTED if name in held}}


@dataclass(frozen=True)
class Compiled:
    """The plan of the runs of one point.

    Attributes:
        plan: what the core reads.
        facts: what the results need to know of it.
    """

    plan: dict[str, Any]
    facts: Facts

    @property
    def keeps(self) -> str:
        """What a recorded run keeps besides what its probes record: "pages" if a flow fetches some.

        Pages and files have no probe: every run returns their times.
        """
        return "pages" if {*WEB, *FILES}.intersection(self.facts.workloads) else ""

    def without_probes(self) -> dict[str, Any]:
        """The plan with nothing recorded over time; the totals of its runs are the same."""
        return {**self.plan, "probes": NO_PROBES}


NO_PROBES = {
    "queue_bin_ps": None,
    "goodput_bin_ps": None,
    "cwnd_of": [],
    "acr_bin_ps": None,
    "transport_bin_ps": None,
}
