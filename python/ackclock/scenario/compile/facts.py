"""The result of compiling a scenario."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

WEB = ("http10", "http11", "http_sessions")
"""Kinds of workloads whose clients fetch pages."""
FILES = ("ftp",)
"""Kinds of workloads whose clients fetch files."""


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
    """

    duration_s: float
    flow_names: tuple[str, ...]
    flow_groups: tuple[str, ...]
    flow_workloads: tuple[str, ...]
    bottleneck_link: int | None
    payload_capacity_bit_s: float
    link_names: tuple[str, ...]
    reverse_link: int | None
    foreground: tuple[bool, ...]
    vc_names: tuple[str, ...] = ()
    vc_mcr_bit_s: tuple[float | None, ...] = ()


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
        return "pages" if {*WEB, *FILES}.intersection(self.facts.flow_workloads) else ""

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
