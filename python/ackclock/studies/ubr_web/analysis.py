"""Runs become tables: means with intervals, comparison with print, analysis of variation."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ackclock.stats import FactorialAnalysis, analyse, grouped_intervals
from ackclock.stats.factorial import ERROR, INDIVIDUAL_VALUES, OVERALL_MEAN, TOTAL_VARIATION
from ackclock.studies.ubr_web.levels import FACTORS, Point

METRICS = ("efficiency", "fairness")
POINT = list(Point._fields)
CONFIDENCE = 0.95
"""Of the intervals of means over replications."""
EFFECT_CONFIDENCE = 0.90
"""Of the intervals of main effects, as in the paper."""

FACTOR_NAMES = {
    "tcp_flavor": "TCP Flavor",
    "buffer_rtt": "Buffer Size",
    "drop_policy": "Drop Policy",
}
"""The words of the published tables."""
_ROW_NAMES = {
    INDIVIDUAL_VALUES: "Individual Values",
    OVERALL_MEAN: "Overall Mean",
    TOTAL_VARIATION: "Total Variation",
    ERROR: "Error",
}

Analyses = dict[tuple[str, str], FactorialAnalysis]
"""The analysis of variation of each link and metric."""


def published(name: str) -> pd.DataFrame:
    """A table of the paper, for example "results"; its columns are those of this study's own."""
    return pd.read_csv(Path(__file__).parent / "published" / f"{name}.csv")


def results_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Means over the replications of each point, with 95 % intervals.

    Args:
        runs: one row a run; columns of ``Point``, efficiency and fairness.

    Returns:
        Columns of ``Point``, efficiency, fairness, n, efficiency_lo, efficiency_hi, fairness_lo,
        fairness_hi; points in the order of ``runs``. Ends of intervals are nan if n is 1.
    """
    table = runs[POINT].drop_duplicates().reset_index(drop=True)
    intervals = {
        metric: grouped_intervals(runs, POINT, metric, CONFIDENCE).set_index(POINT)
        for metric in METRICS
    }
    for metric in METRICS:
        table[metric] = intervals[metric]["mean"].to_numpy()
    table["n"] = intervals["efficiency"]["n"].to_numpy()
    for metric in METRICS:
        for end in ("lo", "hi"):
            table[f"{metric}_{end}"] = intervals[metric][end].to_numpy()
    return table


def comparison_table(results: pd.DataFrame) -> pd.DataFrame:
    """Each result beside the published one.

    Returns:
        Columns of ``Point``, metric, published, simulated, lo, hi (95 %), delta = simulated -
        published; all efficiencies of a link come before its fairness values.
    """
    both = results.merge(published("results"), on=POINT, suffixes=("", "_published"))
    parts = [
        both[POINT].assign(
            metric=metric,
            published=both[f"{metric}_published"],
            simulated=both[metric],
            lo=both[f"{metric}_lo"],
            hi=both[f"{metric}_hi"],
            delta=both[metric] - both[f"{metric}_published"],
        )
        for metric in METRICS
    ]
    table = pd.concat(parts)
    order = pd.Categorical(table["link"], categories=list(results["link"].unique()))
    return table.iloc[order.argsort(kind="stable")].reset_index(drop=True)


def mean_absolute_errors(comparison: pd.DataFrame) -> pd.DataFrame:
    """Mean of |delta| for each link (rows) and metric (columns)."""
    errors = comparison.assign(error=comparison["delta"].abs())
    means = errors.groupby(["link", "metric"], sort=False)["error"].mean().unstack()
    return means[list(METRICS)].reindex(comparison["link"].unique())


def analyses(results: pd.DataFrame) -> Analyses:
    """The analysis of variation of the means, as in the paper: one value a cell, 90 % intervals.

    Args:
        results: the full factorial of each link in it; see ``results_table``. A link where a
            metric is nan is left out.
    """
    return {
        (link, metric): analyse(rows, metric, FACTORS, EFFECT_CONFIDENCE)
        for link, rows in results.groupby("link", sort=False)
        for metric in METRICS
        if rows[list(METRICS)].notna().all(axis=None)
    }


def allocation_table(found: Analyses) -> pd.DataFrame:
    """The allocation of variation, in the columns and words of the published tables."""
    parts = []
    for link in _links(found):
        components = found[link, "efficiency"].allocation["component"]
        part = pd.DataFrame({"link": link, "component": components.map(_component)})
        for name, source in (("ss", "sum_of_squares"), ("pct", "percent")):
            for metric in METRICS:
                part[f"{name}_{metric}"] = found[link, metric].allocation[source]
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def main_effects_table(found: Analyses) -> pd.DataFrame:
    """The main effects with their intervals, in the columns and words of the published tables."""
    rows = []
    for link in _links(found):
        effects = {m: found[link, m].effects for m in METRICS}
        for index, first in effects["efficiency"].iterrows():
            row = {
                "link": link,
                "factor": FACTOR_NAMES[first["factor"]],
                "level": level_name(first["factor"], first["level"]),
            }
            row |= {f"effect_{m}": effects[m].at[index, "effect"] for m in METRICS}
            for m in METRICS:
                row |= {f"ci_low_{m}": effects[m].at[index, "lo"]}
                row |= {f"ci_high_{m}": effects[m].at[index, "hi"]}
            rows.append(row)
    return pd.DataFrame(rows)


def level_name(factor: str, level: str | float) -> str:
    """A level in the words of the published tables: "SACK", "0.5 RTT"."""
    return f"{level:g} RTT" if factor == "buffer_rtt" else str(level)


def component_name(*factors: str) -> str:
    """A factor or an interaction in the words of the published tables."""
    return "-".join(FACTOR_NAMES[factor] for factor in factors)


def _component(name: str) -> str:
    return _ROW_NAMES.get(name) or component_name(*name.split(":"))


def _links(found: Analyses) -> list[str]:
    return list(dict.fromkeys(link for link, _ in found))
