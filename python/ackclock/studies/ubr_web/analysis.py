"""Runs become tables in the columns and words of the published ones, and stand beside them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from ackclock.stats.factorial import ERROR, INDIVIDUAL_VALUES, OVERALL_MEAN, TOTAL_VARIATION
from ackclock.studies.machinery import analysis
from ackclock.studies.machinery.analysis import Analyses
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.running import Runs
from ackclock.studies.ubr_web.levels import LINKS, POINT, POINTS, RUNS
from ackclock.studies.ubr_web.metrics import STARVED

METRICS = ("efficiency", "fairness")
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
_NOT_EXPLAINED = [_ROW_NAMES[row] for row in (INDIVIDUAL_VALUES, OVERALL_MEAN, TOTAL_VARIATION)]
_MEANS = [*METRICS, "n", *(f"{metric}_{end}" for metric in METRICS for end in ("lo", "hi"))]


def published(name: str) -> pd.DataFrame:
    """A table of the paper, for example "results"; its columns are those of this study's own."""
    return pd.read_csv(Path(__file__).parent / "published" / f"{name}.csv")


def tables(made: Runs, evidence: object) -> Mapping[str, pd.DataFrame]:
    """The tables that are written; those of the analysis are empty if no link was analysed."""
    results, found = made.of(RUNS, "results"), analyses(made)
    return {
        "results": results[[*POINT, *_MEANS]].merge(_starved(made.frame), on=POINT),
        "runs": made.frame,
        "comparison": comparison(results),
        "allocation": allocation_table(found),
        "main_effects": main_effects_table(found),
    }


def _starved(runs: pd.DataFrame) -> pd.DataFrame:
    """Servers of which not one byte arrived: the mean over the runs, and most in one run."""
    found = runs.groupby(POINT, sort=False)[STARVED].agg(["mean", "max"]).reset_index()
    return found.rename(columns={"mean": STARVED, "max": f"{STARVED}_most"})


def comparison(results: pd.DataFrame) -> pd.DataFrame:
    """Results beside those printed; all efficiencies of a link come before its fairness values.

    Args:
        results: see ``machinery.analysis.means_table``.
    """
    printed = published("results").melt(POINT, list(METRICS), "metric", "published")
    by_link = printed.sort_values("link", kind="stable", key=lambda its: its.map(LINKS.index))
    return analysis.comparison_table(results, by_link, POINT)


def analyses(made: Runs) -> Analyses:
    """The analysis of variation of each link of which all points have both metrics."""
    found = made.parts[RUNS].analyses
    run = made.of(RUNS, "results").groupby("link").size()
    return {
        (link, metric): each
        for (link, metric), each in found.items()
        if run[link] * len(LINKS) == len(POINTS) and all((link, its) in found for its in METRICS)
    }


def errors(compared: pd.DataFrame) -> pd.DataFrame:
    """Distances from the published results.

    Returns:
        A row a link; columns efficiency_error, efficiency_bias, fairness_error, fairness_bias: the
        means of abs(simulated - published), and of simulated - published.
    """
    grouped = compared.assign(error=compared["delta"].abs()).groupby(["link", "metric"], sort=False)
    table = grouped.agg(error=("error", "mean"), bias=("delta", "mean")).unstack("metric")
    table.columns = [f"{metric}_{what}" for what, metric in table.columns]
    columns = [f"{metric}_{what}" for metric in METRICS for what in ("error", "bias")]
    return table.loc[compared["link"].unique(), columns]


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
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


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


def resolution(link: str, factor: str, metric: str) -> float:
    """Half the width of the intervals that the paper prints for the effects of a factor.

    Of all that is in print, claims see these widths alone: what the paper can tell apart.
    """
    table = published("main_effects")
    row = table[(table["link"] == link) & (table["factor"] == factor)].iloc[0]
    return float(row[f"ci_high_{metric}"] - row[f"ci_low_{metric}"]) / 2


def compared(result: StudyResult, link: str, metric: str) -> pd.DataFrame:
    """The rows of the comparison that belong to a link and a metric."""
    table = result.tables["comparison"]
    return table[(table["link"] == link) & (table["metric"] == metric)].reset_index(drop=True)


def compared_effects(result: StudyResult, link: str, metric: str) -> pd.DataFrame:
    """Main effects beside those printed.

    Returns:
        Columns factor, level; simulated, simulated_lo, simulated_hi; published, published_lo,
        published_hi (90 %).
    """
    columns = {f"effect_{metric}": "", f"ci_low_{metric}": "_lo", f"ci_high_{metric}": "_hi"}

    def values(source: str, table: pd.DataFrame) -> pd.DataFrame:
        rows = table[table["link"] == link].set_index(["factor", "level"])[list(columns)]
        return rows.set_axis([source + end for end in columns.values()], axis=1)

    simulated = values("simulated", result.tables["main_effects"])
    return simulated.join(values("published", published("main_effects"))).reset_index()


def compared_allocation(result: StudyResult, link: str, metric: str) -> pd.DataFrame:
    """Allocation of variation beside that printed.

    Returns:
        Columns component, simulated, published (shares in percent), simulated_ss, published_ss
        (sums of squares). The published tables have no row for the error; here it is what their
        other rows leave of the total.
    """
    columns = {f"pct_{metric}": "", f"ss_{metric}": "_ss"}
    error, total = _ROW_NAMES[ERROR], _ROW_NAMES[TOTAL_VARIATION]

    def values(source: str, table: pd.DataFrame) -> pd.DataFrame:
        rows = table[table["link"] == link].set_index("component")[list(columns)]
        if error not in rows.index:
            rows.loc[error] = rows.loc[total] - rows.drop(index=_NOT_EXPLAINED).sum()
        return rows.set_axis([source + end for end in columns.values()], axis=1)

    simulated = values("simulated", result.tables["allocation"])
    return simulated.join(values("published", published("allocation"))).reset_index()


def explained(allocation: pd.DataFrame) -> pd.DataFrame:
    """The rows of an allocation that share the total variation."""
    return allocation[~allocation["component"].isin(_NOT_EXPLAINED)].reset_index(drop=True)


def _component(name: str) -> str:
    return _ROW_NAMES.get(name) or component_name(*name.split(":"))


def _links(found: Analyses) -> list[str]:
    return list(dict.fromkeys(link for link, _ in found))
