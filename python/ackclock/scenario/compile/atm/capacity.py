"""The capacity of an ATM network's bottleneck for the flows' data."""

from __future__ import annotations

from fractions import Fraction

from ackclock.scenario.compile.atm.dumbbell import CELL_BITS, CELL_PAYLOAD_BYTES, frame_cells
from ackclock.scenario.compile.atm.network import PRIORITIES, CellNetwork, Source, category
from ackclock.scenario.compile.network import PS_PER_S
from ackclock.scenario.compile.packet_sizes import counted_bytes, data_packet
from ackclock.scenario.model.atm import ABR, UBR, ConstantCells, OnOffCells, VideoCells

_TRAILER_BYTES = 8
"""Of AAL5, at the end of a frame of video."""
_PADDING_CELLS = Fraction(1, 2)
"""What is empty of its last cell, on average."""


def capacity_of_cells(cells: CellNetwork, measured: tuple[int, int]) -> float:
    """What the results count of what the bottleneck carries when all frames are full, bit/s.

    Of ABR a cell in Nrm is a forward RM cell. What sources of a higher priority take on average
    is left out (Vandalore et al. (1998), section 6: the mean ABR capacity); of UBR and GFR what is
    guaranteed to them is left in any case.

    Args:
        cells: the network.
        measured: from when to when the results count, ps.

    Returns:
        nan without a bottleneck that all flows cross, without a flow, if sources of a higher
        priority leave nothing, or if one of them takes what it can get.
    """
    network = cells.network
    if network.bottleneck is None or not network.shared or not network.flows:
        return float("nan")
    shares = []
    for group in {flow.group.written.name: flow.group for flow in network.flows}.values():
        service = cells.service(group)
        left = _left_for(category(service), cells, measured)
        payload = Fraction(8 * counted_bytes(group), CELL_BITS * frame_cells(data_packet(group)))
        nrm = cells.topology.abr.nrm
        shares.append(left * payload * (Fraction(nrm - 1, nrm) if service == ABR else 1))
    capacity = max(shares)
    return float(capacity) if capacity > 0 else float("nan")


def _left_for(service: str, cells: CellNetwork, measured: tuple[int, int]) -> Fraction:
    """The bottleneck's rate without sources of a higher priority, bit/s; 0 if unknown.

    UBR has at least its guaranteed share of the line.
    """
    bottleneck = cells.network.bottleneck
    assert bottleneck is not None
    left = Fraction(cells.network.lines[bottleneck].rate)
    least = left * cells.topology.switch.ubr_share if service == UBR else Fraction(0)
    for source in cells.sources:
        higher = PRIORITIES.index(source.table.service) < PRIORITIES.index(service)
        if not higher or bottleneck not in source.way:
            continue
        rate = mean_rate(source)
        if rate is None:
            return least
        left -= rate * _share_of_time(source, measured)
    return max(left, least)


def mean_rate(source: Source) -> Fraction | None:
    """Mean rate of a source between its start and its stop, bit/s; none if it has none."""
    table = source.table
    if isinstance(table, ConstantCells):
        return Fraction(table.rate)
    if isinstance(table, OnOffCells):
        return Fraction(table.rate * table.on, table.on + table.off)
    if isinstance(table, VideoCells):
        sizes = {"I": table.i_frame, "P": table.p_frame, "B": table.b_frame}
        frame = Fraction(sum(sizes[letter] for letter in table.gop), len(table.gop))
        cells = (frame + _TRAILER_BYTES) / CELL_PAYLOAD_BYTES + _PADDING_CELLS
        return cells * CELL_BITS * PS_PER_S / table.frame_time
    return None


def _share_of_time(source: Source, measured: tuple[int, int]) -> Fraction:
    """How much of the measured time a source is there."""
    begin, end = measured
    stop = end if source.table.stop is None else min(end, source.table.stop)
    return Fraction(max(0, stop - max(begin, source.table.start)), end - begin)
