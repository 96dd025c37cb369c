"""The analysis of variation of a part as frames and tables."""

from __future__ import annotations

from math import nan

import pandas as pd

from ackclock.report.blocks import Table, heading, number, number_heading, row_heading
from ackclock.report.numbers import fixed
from ackclock.report.osu_tasks import looks
from ackclock.stats.factorial import ERROR as _ERROR
from ackclock.studies.osu_tasks.levels import ANALYSED_METRICS
from ackclock.studies.osu_tasks.result import PartResult


def explained(part: PartResult, by: str, metric: str) -> pd.DataFrame:
    """Shares of the variation with all interactions in one: columns row, component, percent.

    Empty where nothing was analysed.
    """
    if part.allocation.empty:
        return pd.DataFrame()
    table = part.allocation[part.allocation["metric"] == metric]
    factors = set(part.part.analysed.factors) if part.part.analysed else set()
    names = table["component"].map(
        lambda component: (
            looks.FACTOR_NAMES[component]
            if component in factors
            else looks.INTERACTIONS
            if ":" in component
            else looks.ERROR
            if component == _ERROR
            else ""
        )
    )
    frame = table.assign(row=table[by], component=names)
    frame = frame[frame["component"] != ""]
    return frame.groupby(["row", "component"], sort=False)["percent"].sum().reset_index()


def effects(part: PartResult, by: str, level: str) -> pd.DataFrame:
    """Columns factor, level, and each metric with _lo and _hi, for ``main_effects``."""
    its = part.effects[part.effects[by] == level] if len(part.effects) else part.effects
    if set(ANALYSED_METRICS) - set(its.get("metric", ())):
        return pd.DataFrame()
    both = None
    for metric in ANALYSED_METRICS:
        ends = {"effect": metric, "lo": f"{metric}_lo", "hi": f"{metric}_hi"}
        table = its[its["metric"] == metric].rename(columns=ends)[
            ["factor", "level", *ends.values()]
        ]
        both = table if both is None else both.merge(table, on=["factor", "level"], sort=False)
    return both.assign(factor=both["factor"].map(looks.FACTOR_NAMES), level=both["level"].map(str))


def allocation_table(part: PartResult, by: str) -> Table | None:
    """Allocation of variation: a row a component, a column a level of ``by`` and metric."""
    table = part.allocation
    if table.empty:
        return None
    columns = list(table[[by, "metric"]].drop_duplicates().itertuples(index=False, name=None))
    groups_of = list(dict.fromkeys(level for level, _ in columns))
    values = table.set_index([by, "metric", "component"])["percent"]
    factors = set(part.part.analysed.factors) if part.part.analysed else set()
    components = [
        name
        for name in table["component"].unique()
        if name == _ERROR or set(name.split(":")) <= factors
    ]
    head = [
        [
            heading("Component", rows=2),
            *(heading(each, columns=sum(lv == each for lv, _ in columns)) for each in groups_of),
        ],
        [number_heading(metric.capitalize()) for _, metric in columns],
    ]
    rows = [
        [
            row_heading(component_name(component)),
            *(number(fixed(values.get((*column, component), nan), 1)) for column in columns),
        ]
        for component in components
    ]
    caption = (
        "Allocation of variation: share of the total sum of squares of the means, %. The error "
        "holds the interactions of three factors and more."
    )
    return Table(f"{part.part.name}-allocation", caption, head, [rows])


def component_name(component: str) -> str:
    """A factor, or two with a sign between them."""
    if component == _ERROR:
        return looks.ERROR
    return " × ".join(looks.FACTOR_NAMES[each] for each in component.split(":"))
