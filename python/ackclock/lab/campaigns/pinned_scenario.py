"""A scenario at one point of its sweep, and with another factor in place of the sweep.

The factors stay, each with the one level that it has at the point: an expression may name them, and
so do the columns of results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ackclock.scenario import Point
from ackclock.scenario.keys import show
from ackclock.scenario.toml_text import inline

_SWEEP = "sweep"
_FIGURES = "figures=[]"
"""Figures speak of levels that are there no more."""


def pinned(
    point: Point, sets: Sequence[str], factor: Mapping[str, Any] | None = None
) -> tuple[str, ...]:
    """Texts ``key=value`` that leave one point of a sweep, or one for each level of a new factor.

    Args:
        point: which.
        sets: that have changed the scenario already.
        factor: the levels of the new one by its name, as in ``[sweep.factors]``.
    """
    factors = {**_levels(point), **(factor or {})}
    if not factors:
        return tuple(sets)
    kept = [pair for pair in sets if table_of(pair) not in (_SWEEP, "figures")]
    return (*kept, _FIGURES, f"{_SWEEP}={inline({'factors': factors})}")


def table_of(pair: str) -> str:
    """The first part of the key in a text ``key=value``: "tcp" of "tcp.flavor=reno"."""
    return pair.partition("=")[0].strip().partition(".")[0].partition("[")[0]


def _levels(point: Point) -> dict[str, Any]:
    """The factors of a point, each with its level there, as in ``[sweep.factors]``."""
    found: dict[str, Any] = {}
    for factor, level in zip(point.factors, point.combination, strict=True):
        if factor.path is None:
            values = {show(path): raw for path, raw in level.values.items()}
            found[factor.name] = {str(level.name): values}
        else:
            found[factor.name] = [level.values[factor.path]]
    return found
