"""The tables of the grid: every cell, the floors that the tests hold, and the page about it."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from defaults_grid.cells import FLAVORS, Cell, Measured
from defaults_grid.reasons import GOOD, MOST_TIMEOUTS, NOT_RUN, REASONS, is_low, reason

FLOORS = Path(__file__).with_name("floors.csv")
AXES = ("rate", "delay", "flows")
MARGIN = 0.03
"""How far a floor lies below what was measured."""


class Floor(NamedTuple):
    """What the tests hold of a cell."""

    least: float
    reason: str
    """Why the cell is low; empty if it is not."""


def read_floors(path: Path = FLOORS) -> dict[Cell, Floor]:
    """The floors, by cell. A field is a number, and behind it the reason if the cell is low."""
    found = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for flavor in FLAVORS:
                least, _, why = row[flavor].partition(" ")
                cell = Cell(row["rate"], row["delay"], int(row["flows"]), flavor)
                found[cell] = Floor(float(least), why)
    return found


def write_floors(found: Mapping[Cell, Measured], path: Path = FLOORS) -> None:
    """Floors from what was measured, a row for all flavors."""
    rows: dict[tuple[str, str, int], dict[str, str]] = {}
    for cell, measured in found.items():
        least = max(0, int(100 * (measured.utilisation - MARGIN))) / 100
        field = f"{least:.2f} {reason(cell, measured)}".rstrip()
        rows.setdefault((cell.rate, cell.delay, cell.flows), {})[cell.flavor] = field
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([*AXES, *FLAVORS])
        table.writerows([*axes, *(row[flavor] for flavor in FLAVORS)] for axes, row in rows.items())


def write_cells(found: Mapping[Cell, Measured | None], path: Path) -> None:
    """Every cell in a row of its own; what was not run has a reason, and no numbers."""
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        head = ["measured_s", "utilisation", "timeouts", "fast_retransmits", "retransmissions"]
        table.writerow([*AXES, "flavor", *head, "drop_share", "reason"])
        for cell, measured in found.items():
            axes = [cell.rate, cell.delay, cell.flows, cell.flavor]
            if measured is None:
                table.writerow([*axes, *[""] * 6, NOT_RUN])
                continue
            counts = [measured.timeouts, measured.fast_retransmits, measured.resent]
            numbers = [f"{measured.utilisation:.4f}", *(f"{each:.2f}" for each in counts)]
            drops = f"{measured.drops:.5f}"
            why = reason(cell, measured)
            table.writerow([*axes, measured.phase_s, *numbers, drops, why])


def unexplained(found: Mapping[Cell, Measured | None]) -> list[Cell]:
    """Low cells without a reason."""
    run = {cell: measured for cell, measured in found.items() if measured is not None}
    return [cell for cell, each in run.items() if is_low(each) and not reason(cell, each)]


def page(found: Mapping[Cell, Measured | None], command: str) -> str:
    """What `make validate-defaults` writes of it."""
    names = [each.name for each in REASONS]
    lines = [
        "# All defaults, over a grid of paths",
        "",
        "Each cell of the grid is a dumbbell with all defaults except rate, delay, number "
        'of flows and flavor. The transfers are endless, and the queue is "1 rtt". Warm-up',
        "and measured part have the same length: 4 s, or 50 round trips if that is longer. "
        "They are shorter where a cell would have too many packets, but never shorter than",
        "50 round trips. This command makes the grid:",
        "",
        "```sh",
        command,
        "```",
        "",
        f"A cell is good if its bottleneck is busy at least {100 * GOOD:.0f} % of the time "
        f"and the flows have at most {MOST_TIMEOUTS} time-outs each, on average, in the "
        "measured part. The",
        "command derives a reason for every other cell from the cell's numbers. A cell "
        "without a reason is a fault, and the command exits with code 1. The tests",
        "check minimum values for the cells that run fast "
        "([floors.csv](../../tests/python/defaults_grid/floors.csv)). All: "
        "[grid.csv](defaults/grid.csv).",
        "",
        "| flavor | cells | good | least busy | "
        + " | ".join(f"`{name}`" for name in names)
        + f" | `{NOT_RUN}` |",
        "|---|" + "---:|" * (len(names) + 4),
    ]
    for flavor in FLAVORS:
        cells = [(cell, each) for cell, each in found.items() if cell.flavor == flavor]
        run = [(cell, each) for cell, each in cells if each is not None]
        why = Counter(reason(cell, each) for cell, each in run if is_low(each))
        good = sum(not is_low(each) for _, each in run)
        least = min(each.utilisation for _, each in run)
        counts = [
            len(cells),
            good,
            f"{least:.2f}",
            *(why[name] for name in names),
            len(cells) - len(run),
        ]
        lines.append(f"| `{flavor}` | " + " | ".join(map(str, counts)) + " |")
    lines += ["", "| reason | what it means |", "|---|---|"]
    lines += [f"| `{each.name}` | {each.meaning} |" for each in REASONS]
    lines += [
        f"| `{NOT_RUN}` | Not run: 50 round trips, twice, are more packets than a cell may have. |"
    ]
    return "\n".join(lines) + "\n"
