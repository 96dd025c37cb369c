"""Parts and points of the study."""

from __future__ import annotations

from typing import NamedTuple

ROUNDS, PAGES = "rounds", "pages"
WINDOWS = (3, 4, 10)
SEGMENTS = (10, 30, 100, 300)
SLOW, FAST = 1_500_000, 10_000_000
RATES = (SLOW, FAST)
OBJECTS = (8_000, 32_000, 128_000)


class Transfer(NamedTuple):
    """A transfer on an idle path: its initial window, and how many segments it has."""

    initial_window: int
    segments: int


class Page(NamedTuple):
    """Web pages: initial window of the servers, rate of the link, size of an object."""

    initial_window: int
    rate_bit_s: int
    object_bytes: int
