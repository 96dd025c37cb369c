"""Contradictions in the cell sources of an ATM network."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from ackclock.scenario.compile.atm.capacity import mean_rate
from ackclock.scenario.compile.atm.dumbbell import CELL_BITS
from ackclock.scenario.compile.atm.network import ByCells, CellNetwork
from ackclock.scenario.compile.graph import Nodes, end_problems
from ackclock.scenario.compile.network import PS_PER_S
from ackclock.scenario.keys import Path
from ackclock.scenario.model.atm import CellSource, OnOffCells, VideoCells
from ackclock.scenario.model.topology import AtmNetwork
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import RATE, TIME, show


def source_problems(
    topology: ByCells, path: Path, table: CellSource, duration: int
) -> Iterator[Problem]:
    """What is wrong with a source whatever the network is."""
    yield from _key_problems(topology, path, table)
    yield from _time_problems(path, table, duration)


def _key_problems(topology: ByCells, path: Path, table: CellSource) -> Iterator[Problem]:
    """Keys of a source that belong to another topology, and the ends of one in a network."""
    if isinstance(topology, AtmNetwork):
        if "direction" in table.model_fields_set:
            yield Problem(
                (*path, "direction"),
                'has no meaning with topology.kind = "atm_network"; write from and to',
            )
        if table.count:
            hosts = Nodes(topology.hosts, "topology.hosts", topology.switches)
            yield from end_problems(path, table, hosts)
        return
    for key, attribute in (("from", "source"), ("to", "target")):
        if attribute in table.model_fields_set:
            yield Problem(
                (*path, key),
                'has no meaning with topology.kind = "atm_clients", where each source has hosts '
                'of its own; write direction = "data" or "reverse"',
            )


def _time_problems(path: Path, table: CellSource, duration: int) -> Iterator[Problem]:
    """Times at which a source never sends."""
    end = f'duration = "{show(duration, TIME)}"'
    if table.start >= duration:
        yield Problem(
            (*path, "start"), f'is not before the end of the run, {end}; write for example "0 s"'
        )
    elif table.stop is not None and table.stop <= table.start:
        yield Problem(
            (*path, "stop"),
            f'is not after start = "{show(table.start, TIME)}"; write "never" or a later time',
        )
    rate = getattr(table, "rate", None)
    if isinstance(table, OnOffCells) and rate:
        cell = ceil(Fraction(CELL_BITS * PS_PER_S, rate))
        if table.on < cell:
            least = show(cell, TIME)
            yield Problem(
                (*path, "on"),
                f'ends before one cell is sent, which takes "{least}"; write "{least}" or more',
            )


def rate_problems(cells: CellNetwork) -> Iterator[Problem]:
    """Sources that make cells faster than their host can send them."""
    for source in cells.sources:
        rate = getattr(source.table, "rate", None)
        line = cells.link_rate(source.sender)
        most = show(line, RATE)
        if rate is not None and rate > line:
            yield Problem(
                (*source.path, "rate"),
                f'is above the rate of the link of its host, "{most}"; write "{most}" or less',
            )
        elif isinstance(source.table, VideoCells) and (mean_rate(source) or 0) > line:
            yield Problem(
                (*source.path, "frame_time"),
                f'makes more cells than the link of its host can send, "{most}"; write a longer '
                "time, or smaller frames",
            )
