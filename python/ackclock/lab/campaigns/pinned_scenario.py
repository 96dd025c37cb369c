"""A scenario at one point of its sweep, with an optional new factor instead of the sweep.

The factors remain, each with only its level at the point, because expressions and the columns of
results use their names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ackclock.scenario import Point
from ackclock.scenario.keys import show
from ackclock.scenario.toml_text import inline

_SWEEP = "sweep"
_FIGURES = "figures=[]"
"""Text that removes the figures, because they may name levels that no longer exist."""


def pinned(
    point: Point, sets: Sequence[str], factor: Mapping[str, Any] | None = None
) -> tuple[str, ...]:
    """Return texts ``key=value`` that reduce a sweep to one point, or to a new factor's levels.

    Args:
        point: point to keep.
        sets: texts that have changed the scenario already.
        factor: levels of the new factor by its name, as in ``[sweep.factors]``.
    """
    factors = {**_levels(point), **(factor or {})}
    if not factors:
        return tuple(sets)
    kept = [pair for pair in sets if table_of(pair) not in (_SWEEP, "figures")]
    return (*kept, _FIGURES, f"{_SWEEP}={inline({'factors': factors})}")


def table_of(pair: str) -> str:
    """Return the first part of the key in a text ``key=value``: "tcp" for "tcp.flavor=reno"."""
    return pair.partition("=")[0].strip().partition(".")[0].partition("[")[0]


def _levels(point: Point) -> dict[str, Any]:
    """Return the factors of a point, each with its level, as in ``[sweep.factors]``."""
    found: dict[str, Any] = {}
    for factor, level in zip(point.factors, point.combination, strict=True):
        if factor.path is None:
            values = {show(path): raw for path, raw in level.values.items()}
            found[factor.name] = {str(level.name): values}
        else:
            found[factor.name] = [level.values[factor.path]]
    return found
