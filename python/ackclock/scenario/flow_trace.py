"""A trace of flows as a table: when each begins, and how large it is.

A CSV file with the columns ``start_s,bytes`` has a row for each flow, in the order of the starts.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from ackclock.scenario.csv_file import CsvFile, number_of
from ackclock.scenario.units import TIME

MOST_BYTES = 2**40
_PS_PER_S = 10**12
_EXAMPLES = {"start_s": "0.25", "bytes": "14600"}
_WANTED = "expected start_s,bytes"
_EMPTY = "write start_s,bytes and below it lines like 0.25,14600"


class ListedFlows(NamedTuple):
    """Flows in the order of their starts.

    Attributes:
        start_ps: of each flow, from the start of the trace.
        bytes: that each flow delivers.
    """

    start_ps: tuple[int, ...]
    bytes: tuple[int, ...]


def parse_flows(name: str, text: str) -> ListedFlows:
    """The trace that a CSV file holds; arguments and errors are those of ``CsvFile``."""
    file = CsvFile(name, text, _EXAMPLES, _EMPTY, _header_problem)
    starts: list[int] = []
    sizes: list[int] = []
    last, written = 0, "0"
    for at, cells in file.rows():
        start, size = _start_ps(cells["start_s"]), _bytes(cells["bytes"])
        if start is None:
            reason = f"is not a time from 0 to {TIME.maximum // _PS_PER_S} s; write it like 0.25"
            file.problems.add(f"{cells['start_s'] or 'nothing'} {reason}", at, "start_s")
        elif start < last:
            reason = f"is before {written}, the value above; sort the rows by start_s"
            file.problems.add(f"{cells['start_s']} {reason}", at, "start_s")
        else:
            last, written = start, cells["start_s"]
            starts.append(start)
        if size is None:
            reason = f"is not a whole number from 1 to {MOST_BYTES}; write it like 14600"
            file.problems.add(f"{cells['bytes'] or 'nothing'} {reason}", at, "bytes")
        else:
            sizes.append(size)
    file.problems.check()
    return ListedFlows(tuple(starts), tuple(sizes))


def _header_problem(columns: list[str]) -> str:
    missing = [name for name in _EXAMPLES if name not in columns]
    if not missing and len(columns) == len(_EXAMPLES):
        return ""
    return "".join(f"column {name} is missing, " for name in missing) + _WANTED


def _start_ps(cell: str) -> int | None:
    number = number_of(cell)
    if number is None or not 0 <= number <= TIME.maximum // _PS_PER_S:
        return None
    return round(Decimal(number) * _PS_PER_S)


def _bytes(cell: str) -> int | None:
    number = number_of(cell)
    if number is None or not 1 <= number <= MOST_BYTES or number != int(number):
        return None
    return int(number)
