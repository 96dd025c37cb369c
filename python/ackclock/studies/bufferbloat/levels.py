"""Parts and points of the study."""

from __future__ import annotations

from typing import NamedTuple

RRUL, SPARSE, PIE, RED = "rrul", "sparse", "pie", "red"
QUEUES = ("drop_tail", "codel", "pie", "fq_codel", "cake")
BULKS = (1, 2, 4, 8, 16, 32)
LOADS = ("5 TCP", "50 TCP", "5 TCP and 2 UDP")
SENDERS = (5, 20, 50, 100)
REDS = FIXED, ADAPTIVE = ("fixed", "adaptive")


class Rrul(NamedTuple):
    """Load in both directions: the queues."""

    queue: str


class Sparse(NamedTuple):
    """A sparse flow beside so many transfers."""

    bulks: int


class Pie(NamedTuple):
    """PIE under a load."""

    load: str


class Red(NamedTuple):
    """RED with so many flows, adaptive or not."""

    senders: int
    red: str
