"""All defaults over a grid: each cell holds its floor, and a low one has a reason.

``PYTHONPATH=tests/python python -m defaults_grid --floors`` writes the floors anew; read what has
changed before you keep it. The whole grid is `make validate-defaults`.
"""

from itertools import groupby

import pytest

from defaults_grid.cells import DELAYS, FLAVORS, FLOWS, RATES, measure, quick
from defaults_grid.reasons import GOOD, REASONS, is_low, reason
from defaults_grid.tables import read_floors

CELLS = quick()
FLOORS = read_floors()
PATHS = {
    ", ".join(map(str, axes)): list(cells)
    for axes, cells in groupby(CELLS, lambda cell: (cell.rate, cell.delay, cell.flows))
}


@pytest.mark.parametrize("path", PATHS)
def test_every_flavor_holds_its_floor(path):
    for cell in PATHS[path]:
        found = measure(cell, CELLS[cell])
        assert found.utilisation >= FLOORS[cell].least, f"{cell}: {found}"
        assert not is_low(found) or reason(cell, found), f"low without a reason: {cell}: {found}"


def test_the_floors_are_of_these_cells_and_every_low_one_has_a_reason():
    assert list(FLOORS) == list(CELLS)
    known = {each.name for each in REASONS}
    for cell, floor in FLOORS.items():
        assert floor.reason in known or (floor.reason == "" and floor.least >= GOOD - 0.04), cell


def test_the_ends_of_every_axis_are_there():
    for axis, ends in (("rate", RATES), ("delay", DELAYS), ("flows", FLOWS)):
        assert {getattr(cell, axis) for cell in CELLS} == set(ends)
    assert {cell.flavor for cell in CELLS} == set(FLAVORS)


def test_cubic_needs_no_reason_but_a_crowd():
    """What a first run shows: it fills every path, and has time-outs where flows are too many."""
    for cell, floor in FLOORS.items():
        if cell.flavor == "cubic":
            assert floor.least >= 0.95, cell
            assert floor.reason in ("", "crowd"), cell
