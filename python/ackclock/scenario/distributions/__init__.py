"""Distributions of sizes: those that ackclock brings, and those that a user has in a CSV file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ackclock.scenario.distributions.table import Distribution, parse

__all__ = ["SHIPPED", "Distribution", "parse", "shipped"]

SHIPPED = ("mah_http", "web_search", "data_mining", "campus", "campus_10mb")
"""Names of those that ackclock brings; each is a file in this folder, with its source."""


@cache
def shipped(name: str) -> Distribution:
    """A distribution that ackclock brings.

    Args:
        name: one of ``SHIPPED``.
    """
    path = Path(__file__).parent / f"{name}.csv"
    return parse(path.name, path.read_text(encoding="utf-8"))
