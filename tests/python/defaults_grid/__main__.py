"""Measure the grid: ``python -m defaults_grid --out docs/validation/defaults``.

Writes FOLDER/grid.csv, and FOLDER.md about it; exit code 1 if a cell is low without a reason.
``--floors`` measures the cells that the tests hold instead, and writes their floors anew.
"""

import argparse
import sys
import time
from pathlib import Path

from defaults_grid.cells import PACKETS, Cell, Measured, grid, measure, quick
from defaults_grid.tables import page, unexplained, write_cells, write_floors


def main() -> int:
    """Exit code 0 if every low cell has its reason."""
    parser = argparse.ArgumentParser(prog="defaults_grid", description=__doc__)
    parser.add_argument("--packets", type=float, default=PACKETS, help="of a cell at most")
    parser.add_argument("--out", type=Path, help="folder of grid.csv")
    parser.add_argument("--floors", action="store_true", help="write the floors of the tests anew")
    given = parser.parse_args()
    if given.floors:
        floors = {cell: measure(cell, phase_s) for cell, phase_s in quick().items()}
        write_floors(floors)
        return _told(floors)
    if given.out is None:
        parser.error("--out: name the folder of grid.csv, as in --out out/defaults")
    found = _measured({cell: cell.phase_s(given.packets) for cell in grid()})
    given.out.mkdir(parents=True, exist_ok=True)
    write_cells(found, given.out / "grid.csv")
    command = "make validate-defaults" + (
        f" PACKETS={given.packets:g}" if given.packets != PACKETS else ""
    )
    given.out.with_suffix(".md").write_text(page(found, command), encoding="utf-8")
    return _told(found)


def _measured(phases: dict[Cell, float | None]) -> dict[Cell, Measured | None]:
    """Every cell that has a length, and how far it is from time to time."""
    began = told = time.monotonic()
    found: dict[Cell, Measured | None] = {}
    for number, (cell, phase_s) in enumerate(phases.items()):
        found[cell] = None if phase_s is None else measure(cell, phase_s)
        if time.monotonic() - told > 20:
            told = time.monotonic()
            print(f"{number + 1} of {len(phases)} cells in {told - began:.0f} s", flush=True)
    print(f"{len(phases)} cells in {time.monotonic() - began:.0f} s")
    return found


def _told(found: dict[Cell, Measured | None]) -> int:
    """Name the low cells without a reason; the exit code."""
    missing = unexplained(found)
    for cell in missing:
        print(f"low without a reason: {cell}: {found[cell]}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
