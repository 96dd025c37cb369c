"""The factors of the study and their levels (98-0876, Tables 2 and 3, sections 5.1 and 5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import product
from typing import Any, NamedTuple

LINKS = ("WAN", "MEO", "GEO")
DROP_POLICIES = ("EPD", "SD")
TCP_FLAVORS = ("Vanilla", "Reno", "NewReno", "SACK")
BUFFERS_RTT = (0.5, 1.0, 2.0)
FACTORS = ("tcp_flavor", "buffer_rtt", "drop_policy")
"""Columns of the factors that are analysed on each link."""


class Point(NamedTuple):
    """One combination of levels."""

    link: str
    drop_policy: str
    tcp_flavor: str
    buffer_rtt: float

    def __str__(self) -> str:
        return f"{self.link} {self.drop_policy} {self.tcp_flavor} {self.buffer_rtt:g} RTT"


@dataclass(frozen=True)
class Selection:
    """The levels that are run, each in the order of the published tables."""

    links: tuple[str, ...] = LINKS
    drop_policies: tuple[str, ...] = DROP_POLICIES
    tcp_flavors: tuple[str, ...] = TCP_FLAVORS
    buffers_rtt: tuple[float, ...] = BUFFERS_RTT

    def points(self) -> list[Point]:
        """All combinations, in the order of the published tables."""
        levels = (self.links, self.drop_policies, self.tcp_flavors, self.buffers_rtt)
        return [Point(*combination) for combination in product(*levels)]

    @property
    def complete(self) -> bool:
        """Whether every link that is run has its full factorial, which the analysis needs."""
        return self == Selection(links=self.links)


def choose(option: str, available: Iterable[Any], wanted: Sequence[str]) -> tuple[tuple, list[str]]:
    """The levels that an option names, in the order of the published tables.

    Args:
        option: the option's name, for messages.
        available: all levels; a number matches however it is written.
        wanted: levels as typed, each perhaps several with commas between; none means all.

    Returns:
        The levels, and one message for each name that is no level.
    """
    levels = {_spelling(level): level for level in available}
    names = [name.strip() for text in wanted for name in text.split(",")]
    unknown = [name for name in names if _spelling(name) not in levels]
    problems = []
    for name in dict.fromkeys(unknown):
        folded = {level.casefold(): level for level in levels}
        close = get_close_matches(name.casefold(), folded, n=1)
        hint = f"; did you mean {folded[close[0]]}?" if close else ""
        problems.append(f"{option} {name}: choose from {', '.join(levels)}{hint}")
    chosen = {_spelling(name) for name in names} or set(levels)
    return tuple(level for text, level in levels.items() if text in chosen), problems


def _spelling(level: str | float) -> str:
    try:
        return f"{float(level):g}"
    except ValueError:
        return str(level)
