"""Drawings of a report that several studies have: means, main effects, allocation of variation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any

import pandas as pd

from ackclock.plots.effects import main_effects
from ackclock.plots.panels import Axis, panels
from ackclock.plots.shares import Paint, shares
from ackclock.plots.style import Series, series_look
from ackclock.report.blocks import Drawing, drawing
from ackclock.stats.factorial import ERROR as _ERROR
from ackclock.studies.machinery.levels import spelling
from ackclock.studies.machinery.running import PartRuns
from ackclock.studies.machinery.tables import ERROR

INTERACTIONS = "First-order interactions"


def axis(
    column: str, levels: Iterable[Any], name: str = "", text: Callable[[Any], str] = str
) -> Axis:
    """A factor along an axis, with a line each, or with a panel each.

    Args:
        column: of the factor.
        levels: in their order.
        name: with unit; empty where the levels speak for themselves.
        text: of a level.
    """
    return Axis(column, name, {level: text(level) for level in levels})


def means_drawing(
    id: str,
    title: str,
    description: str,
    results: pd.DataFrame,
    metric: str,
    *,
    unit: float = 1,
    x: Axis | str,
    series: Axis | str,
    facet: Axis | str | None = None,
    looks: Mapping[Any, Series] | None = None,
    y_name: str = "",
    **how: Any,
) -> Drawing:
    """Means with their intervals; see ``ackclock.plots.panels``.

    Args:
        id: unique in the page.
        title: short name.
        description: what it shows.
        results: see ``analysis.means_table``.
        metric: whose means.
        unit: in which they are shown.
        x: factor along the axis; of a column alone, all levels that the results have.
        series: factor with a line each, likewise.
        facet: factor with a panel each, likewise.
        looks: of the levels of ``series``; by default those of a series after another.
        y_name: with unit; by default the metric.
        **how: else they are drawn.
    """
    ends = {metric: "mean", f"{metric}_lo": "lo", f"{metric}_hi": "hi"}
    frame = results.rename(columns=ends)
    frame[list(ends.values())] /= unit
    places, lines, beside = (
        axis(each, frame[each].unique()) if isinstance(each, str) else each
        for each in (x, series, facet)
    )
    drawn = panels(
        frame,
        x=places,
        series=lines,
        facet=beside,
        looks=looks or {level: series_look(number) for number, level in enumerate(lines.texts)},
        y_name=y_name or metric.capitalize(),
        **how,
    )
    return drawing(drawn, id, title, description)


def effects_drawing(
    id: str,
    title: str,
    description: str,
    its: PartRuns,
    *,
    where: Mapping[str, Any],
    beside: str,
    looks: Mapping[str, Series],
    names: Mapping[str, str],
    x_name: str,
) -> Drawing | None:
    """Main effects with their intervals; nothing without any.

    Args:
        id: unique in the page.
        title: short name.
        description: what it shows.
        its: the runs of a part.
        where: what the rows of its ``analysis.effects_table`` have in common.
        beside: column whose levels stand beside each other.
        looks: of these levels.
        names: of the factors, in words.
        x_name: what the effect is one on.
    """
    effects, at, found = its.effects, ["factor", "level"], []
    for column, level in where.items():
        effects = effects[effects[column] == level] if len(effects) else effects
    if effects.empty:
        return None
    for name, rows in effects.groupby(beside, sort=False):
        ends = {"effect": name, "lo": f"{name}_lo", "hi": f"{name}_hi"}
        found.append(rows.rename(columns=ends)[[*at, *ends.values()]])
    frame = reduce(lambda one, other: one.merge(other, on=at, sort=False), found)
    words = frame.assign(factor=frame["factor"].map(names), level=frame["level"].map(spelling))
    sources = {name: look for name, look in looks.items() if name in frame}
    return drawing(main_effects(words, x_name=x_name, sources=sources), id, title, description)


def allocation_drawings(
    id: str,
    title: str,
    description: str,
    its: PartRuns,
    names: Mapping[str, str],
    paints: Mapping[str, Paint],
) -> list[Drawing]:
    """The allocation of the variation of each metric of a part: a bar a level.

    Args:
        id: with {} for the metric.
        title: with {} for the metric.
        description: what each shows.
        its: the runs of the part.
        names: of the factors, in words.
        paints: of these, of ``INTERACTIONS`` and of ``ERROR``.
    """
    found = []
    for metric in its.part.analysed.metrics if its.part.analysed else ():
        frame = explained(its, metric, names)
        if len(frame):
            drawn = shares(frame, paints=paints, x_name=f"Share of the variation of {metric} (%)")
            found.append(drawing(drawn, id.format(metric), title.format(metric), description))
    return found


def explained(its: PartRuns, metric: str, names: Mapping[str, str]) -> pd.DataFrame:
    """Shares of the variation of a metric, with all interactions in one.

    Returns:
        Columns row (level of ``Analysed.by``), component (in words), percent; empty where nothing
        was analysed.
    """
    analysed, table = its.part.analysed, its.allocation
    if analysed is None or table.empty:
        return pd.DataFrame()
    words = {name: names[name] for name in analysed.factors} | {_ERROR: ERROR}

    def named(component: str) -> str:
        return words.get(component, INTERACTIONS if ":" in component else "")

    frame = table[table["metric"] == metric].assign(row=table[analysed.by])
    frame = frame.assign(component=frame["component"].map(named))
    frame = frame[frame["component"] != ""]
    return frame.groupby(["row", "component"], sort=False)["percent"].sum().reset_index()
