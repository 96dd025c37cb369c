"""Estimate of a run's cost before it is made."""

from __future__ import annotations

from collections import defaultdict
from math import inf
from typing import NamedTuple

from ackclock.lab.settings import (
    LIVE_SEGMENTS,
    MOST_FLOWS,
    MOST_JOB_SEGMENTS,
    MOST_SEGMENTS,
    MOST_SIMULATED_S,
)
from ackclock.scenario import Scenario
from ackclock.scenario.compile.atm.dumbbell import CELL_BITS
from ackclock.scenario.compile.atm.network import cell_network
from ackclock.scenario.compile.compiler import network_of
from ackclock.scenario.compile.groups import Group, groups
from ackclock.scenario.compile.network import PS_PER_S, Line, Network
from ackclock.scenario.compile.packet_sizes import data_packet
from ackclock.scenario.model.topology import AtmClients, AtmDumbbell, AtmNetwork
from ackclock.scenario.model.workload import Arrivals, Bulk, Datagrams
from ackclock.scenario.units import TIME, show

LIVE, PREVIEW, JOB, REFUSED = "live", "preview", "job", "refused"
_HOP_S = 0.11e-6
"""Approximate processor time of a segment or its ACK on one link, with probes, s."""
_CELLS = 3.0
"""Factor of this time in an ATM network."""
_CELL_PAYLOAD_BITS = 384


class Cost(NamedTuple):
    """The cost of a run.

    Attributes:
        segments: number of segments or datagrams, if the flows fill their links.
        estimate_s: estimate of the processor time, s.
        verdict: "live", "preview", "job" or "refused".
        sentence: consequence of the verdict; empty if it is "live".
    """

    segments: int
    estimate_s: float
    verdict: str
    sentence: str


def cost_of(scenario: Scenario, until_s: float = inf) -> Cost:
    """Return the cost of a run of a point, for a scenario without conflicts.

    Args:
        scenario: scenario at the point.
        until_s: end of the simulation, s.
    """
    found = groups(scenario)
    flows = sum(group.count for group in found)
    duration_s = min(scenario.duration / PS_PER_S, until_s)
    segments, hops = _segments(scenario, found, duration_s)
    estimate_s = segments * hops * _HOP_S
    verdict, sentence = _verdict(segments, flows, duration_s, estimate_s)
    return Cost(round(segments), estimate_s, verdict, sentence)


def _verdict(segments: float, flows: int, duration_s: float, estimate_s: float) -> tuple[str, str]:
    about = f"{_millions(segments)} segments take about {_seconds(estimate_s)}"
    if flows > MOST_FLOWS:
        return REFUSED, f"{flows} flows are more than {MOST_FLOWS}; use `ackclock run`"
    if segments > MOST_JOB_SEGMENTS:
        return REFUSED, f"{about}; shorten it, or use `ackclock run`"
    if duration_s > MOST_SIMULATED_S:
        longest = show(int(MOST_SIMULATED_S) * PS_PER_S, TIME)
        return JOB, f"the run is longer than {longest}; shorten it, or make it as a job"
    if segments > MOST_SEGMENTS:
        return JOB, f"{about}; lower the rate or the duration, or make the run as a job"
    if segments > LIVE_SEGMENTS:
        return PREVIEW, f"{about}; the picture grows"
    return LIVE, ""


def _segments(scenario: Scenario, found: list[Group], duration_s: float) -> tuple[float, float]:
    """Return the largest number of segments, and the number of links of each with its ACK."""
    topology = scenario.topology
    if isinstance(topology, AtmDumbbell):
        wanted = sum(_demand(group, duration_s) * group.count for group in found)
        packet = min(map(data_packet, found), default=1500)
        carried = _by_cells(topology.trunk.rate) * duration_s / (8 * packet)
        return min(wanted, carried), 6 * _CELLS
    if isinstance(topology, AtmClients | AtmNetwork):
        network = cell_network(topology, found).network
        return _of_network(network, scenario, duration_s, by_cells=True)
    return _of_network(network_of(topology, found), scenario, duration_s, by_cells=False)


def _of_network(
    network: Network, scenario: Scenario, duration_s: float, *, by_cells: bool
) -> tuple[float, float]:
    """Return the capacity of the flows' narrowest links, or their demand if it is smaller."""
    wanted: dict[int, float] = defaultdict(float)
    packets: dict[int, int] = {}
    # Of hosts that are alike the link of the first stands for those of all.
    links: dict[int, int] = {}
    hops = 0
    for its in network.groups:
        rates = [_rate(network.lines[link], scenario.duration) for link in its.way]
        at = min(range(len(rates)), key=rates.__getitem__)
        narrowest = its.way[at]
        ends = {0: its.sender, len(rates) - 1: its.receiver}
        links[narrowest] = max(links.get(narrowest, 1), ends[at].count if at in ends else 1)
        wanted[narrowest] += _demand(its.group, duration_s) * its.times
        packet = data_packet(its.group)
        packets[narrowest] = min(packet, packets.get(narrowest, packet))
        hops += (len(its.way) + len(its.back)) * its.times
    segments = 0.0
    for link, segments_wanted in wanted.items():
        rate = links[link] * _rate(network.lines[link], scenario.duration)
        carried = (_by_cells(rate) if by_cells else rate) * duration_s / (8 * packets[link])
        segments += min(segments_wanted, carried)
    mean = hops / max(1, len(network.flows))
    return segments, mean * (_CELLS if by_cells else 1)


def _rate(line: Line, until: int) -> float:
    return float(line.rate if line.change is None else line.change.mean_rate(line.rate, until))


def _by_cells(rate: float) -> float:
    """Return the rate of packets that a rate of cells can carry, bit/s."""
    return rate * _CELL_PAYLOAD_BITS / CELL_BITS


def _demand(group: Group, duration_s: float) -> float:
    """Return the number of segments or datagrams of a flow; infinite if unknown."""
    workload = group.workload
    if isinstance(workload, Datagrams):
        return workload.rate * duration_s / (8 * workload.packet_size)
    if isinstance(workload, Arrivals):
        segments = workload.offered * duration_s / (8 * group.sender_tcp.smss)
        return segments / group.count
    if isinstance(workload, Bulk) and workload.size is not None:
        return workload.size / group.sender_tcp.smss
    return inf


def _millions(segments: float) -> str:
    return f"{segments / 1e6:.3g} million" if segments < 1e9 else f"{segments / 1e9:.3g} billion"


def _seconds(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
