"""Traces of mahimahi: a millisecond in each line, at which a packet may leave.

Source: Netravali et al. (2015), "Mahimahi: Accurate Record-and-Replay for HTTP". Equal lines are
several opportunities at one time. The trace begins anew after its last time stamp.
"""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from ackclock.scenario.csv_file import Problems, lines_of
from ackclock.scenario.files import FileError

MOST_LINES = 10**7
MOST_MS = 10**9
PS_PER_MS = 10**9


class Trace(NamedTuple):
    """Opportunities to deliver.

    Attributes:
        times: milliseconds at which there are some, and how many; in order.
        period: after which the trace begins anew, ms.
    """

    times: tuple[tuple[int, int], ...]
    period: int

    @property
    def opportunities(self) -> int:
        """How many there are in a period."""
        return sum(count for _, count in self.times)

    def mean_rate(self, size: int) -> int:
        """Of opportunities of so many bytes, bit/s, rounded."""
        return round(self.opportunities * size * 8 * 1000 / self.period)

    def rates(self, size: int) -> list[tuple[int, int]]:
        """The trace as a rate: ms at which another one begins, and bit/s.

        The bytes of an opportunity flow evenly through the millisecond that ends with it.
        """
        counts: dict[int, int] = {}
        for at, count in self.times:
            start = at - 1 if at else self.period - 1
            counts[start] = counts.get(start, 0) + count
        edges = sorted({0, *counts, *(at + 1 for at in counts if at + 1 < self.period)})
        steps = ((at, counts.get(at, 0) * size * 8 * 1000) for at in edges)
        return [next(same) for _, same in groupby(steps, key=lambda step: step[1])]


def parse_trace(name: str, text: str) -> Trace:
    """The trace that a file holds.

    Args:
        name: of the file, for messages.
        text: of the file.

    Raises:
        FileError: with everything that is wrong, the first lines of it.
    """
    problems = Problems(name)
    stamps: list[int] = []
    for number, (at, line) in enumerate(lines_of(text), start=1):
        if number > MOST_LINES:
            problems.add(f"there are more than {MOST_LINES} lines; write fewer", at)
            break
        if not line.isascii() or not line.isdigit() or int(line[:11]) > MOST_MS:
            problems.add(f"{line[:20]} is not a whole number of milliseconds; write it like 17", at)
        elif stamps and int(line) < stamps[-1]:
            problems.add(f"{line} is before {stamps[-1]}, the line above; write them in order", at)
        else:
            stamps.append(int(line))
    if not problems and not stamps:
        raise FileError([f"{name} is empty; write a millisecond in each line, such as 1"])
    if not problems and stamps[-1] == 0:
        problems.add("the last time stamp is 0; it must be above 0")
    problems.check()
    times = tuple((at, len(list(same))) for at, same in groupby(stamps))
    return Trace(times, stamps[-1])
