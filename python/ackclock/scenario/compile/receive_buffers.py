"""Receive buffers that are tuned automatically: how large they are at first, and at most.

Source: Linux, net/ipv4/tcp.c (``tcp_rmem``: 128 KiB at first, half of which is window, and 6 MiB at
most) and net/ipv4/tcp_input.c (``tcp_grow_window``). How a buffer grows in between is in
crates/tcp/src/receiver.rs.

Deviation: where ``PATHS`` times the longest path of the scenario needs more than Linux' 6 MiB, that
is the largest buffer, so that the receive window limits no flow by default. The capacity of a path
is the rate of its narrowest link times its two-way propagation delay and the delay of its queues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NamedTuple

from ackclock.scenario.compile.atm.dumbbell import CELL_BITS, base_rtt, buffer_cells
from ackclock.scenario.compile.atm.network import CellNetwork
from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.network import (
    PS_PER_S,
    Network,
    bandwidth_delay_bytes,
    limits,
)
from ackclock.scenario.model.tcp import MOST_BUFFER, MOST_UNSCALED
from ackclock.scenario.model.topology import AtmDumbbell

LEAST_MOST = 6 * 2**20
"""tcp_rmem[2], bytes."""
PATHS = 4
"""cwnd may be twice what a path holds at the end of a slow start, and recoveries inflate it."""
INITIAL_WINDOWS = 2
"""A first flight and the next one fit before anything has been read."""


class AutoBuffer(NamedTuple):
    """The receive buffer that "auto" stands for.

    Attributes:
        initial: bytes at first.
        most: bytes that it may grow to.
    """

    initial: int
    most: int


def auto_buffer(found: Iterable[Group], longest_path: Fraction) -> AutoBuffer:
    """The buffer of all TCPs of a scenario that have "auto".

    Args:
        found: the groups of flows.
        longest_path: the most that a path holds, bytes.
    """
    tcps = [tcp for group in found for tcp in (group.sender_tcp, group.receiver_tcp)]
    first_flight = max((tcp.initial_window * tcp.smss for tcp in tcps), default=0)
    initial = max(MOST_UNSCALED, INITIAL_WINDOWS * first_flight)
    most = min(max(LEAST_MOST, int(PATHS * longest_path)), MOST_BUFFER)
    return AutoBuffer(min(initial, most), most)


def longest_path(network: Network, held: Callable[[int], Fraction]) -> Fraction:
    """The most that a path of a network holds, bytes; the flows of a group have paths alike.

    Args:
        network: whose paths.
        held: how much may wait for a link, by its number, bytes.
    """
    longest = Fraction(0)
    for flow in (its[0] for its in network.groups):
        rates = [network.lines[number].rate for number in flow.way]
        seconds = Fraction(network.base_rtt(flow) + network.rtt_spread(flow), PS_PER_S)
        for number in (*flow.way, *flow.back):
            seconds += 8 * held(number) / network.lines[number].rate
        longest = max(longest, min(rates, default=0) * seconds / 8)
    return longest


def longest_of_packets(network: Network) -> Fraction:
    """``longest_path`` of a network of packets; a queue that never drops counts as empty."""

    def held(number: int) -> Fraction:
        line, crossing = network.lines[number], network.crossings[number]
        if line.queue is None:
            return Fraction(0)
        packets, size = limits(line, crossing)
        return Fraction(size or 0 if packets is None else packets * crossing.largest_packet)

    return longest_path(network, held)


def longest_of_cells(cells: CellNetwork) -> Fraction:
    """``longest_path`` of an ATM network; a buffer without limit counts as empty."""
    switch = cells.topology.switch

    def held(number: int) -> Fraction:
        if cells.network.lines[number].start < cells.hosts:
            return Fraction(0)
        buffers = (switch.abr_buffer, switch.ubr_buffer)
        most = max(cells.buffer_cells(number, buffer) or 0 for buffer in buffers)
        return Fraction(most * CELL_BITS, 8)

    return longest_path(cells.network, held)


def longest_of_dumbbell(topology: AtmDumbbell) -> Fraction:
    """What the path of an ``atm_dumbbell`` holds, bytes."""
    product = bandwidth_delay_bytes(topology.trunk.rate, base_rtt(topology))
    return product + Fraction(2 * buffer_cells(topology) * CELL_BITS, 8)
