"""The figures of the report: network power of the web clients against the initial window."""

from __future__ import annotations

from math import nan

import pandas as pd

from ackclock.plots.means import means
from ackclock.report.blocks import Drawing, Figure, drawing
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.words import provenance
from ackclock.studies.rfc2415.levels import SCENARIO, TABLES, is_pathological

_FIGURES = {"1.0": (1, 2), "1.1": (3, 4)}
"""Numbers of the RFC's figures, by the version of HTTP."""
_LINES = "A panel for each number of web clients, a line for each number of ftp clients."


def power_figure(result: StudyResult, http: str) -> Figure | None:
    """Network power of all scenarios, and normalised that of the non-pathological ones."""
    if TABLES not in result.parts:
        return None
    its = result.parts[TABLES]
    table = its.results[its.results["http"] == http]
    if table.empty:
        return None
    absolute, relative = _FIGURES[http]
    drawings = [_drawing(http, absolute, _means(table, "web_power"), "network_power", "MB/s")]
    caption = f"HTTP/{http}: network power of the web clients, as Figure {absolute} of the RFC"
    normalised = normalised_power(result.tables["changes"], http)
    if not normalised.empty:
        drawings.append(_drawing(http, relative, normalised, "normalised_network_power", ""))
        caption += f"; normalised, without the pathological scenarios, as in Figure {relative}"
    caption += f". {_LINES}"
    if result.replications > 1:
        caption += " Bars: 95\u00a0% intervals, shown only if they do not include 0."
    source = provenance(result, its.runs[its.runs["http"] == http])
    return Figure(f"power-{absolute}", caption, source, drawings, wide=True)


def _means(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    ends = {metric: "mean", f"{metric}_lo": "lo", f"{metric}_hi": "hi"}
    return table[[*SCENARIO, "iw", *ends]].rename(columns=ends)


def normalised_power(changes: pd.DataFrame, http: str) -> pd.DataFrame:
    """Network power over that of IW 1, of the scenarios that are not pathological.

    Args:
        changes: see ``analysis.changes_table``.
        http: version of HTTP.

    Returns:
        Columns webs, ftps, iw, mean, lo, hi; with an IW of 1 the mean is 1 by definition.
    """
    if changes.empty or not (changes["http"] == http).any():
        return pd.DataFrame()
    gains = _means(changes[changes["http"] == http], "power_gain_pct")
    parts = ["mean", "lo", "hi"]
    gains[parts] = 1 + gains[parts] / 100
    ones = gains[SCENARIO].drop_duplicates().assign(iw=1, mean=1.0, lo=nan, hi=nan)
    table = pd.concat([ones, gains], ignore_index=True)
    return table[[not is_pathological(*each) for each in table[SCENARIO].to_numpy()]]


def _drawing(http: str, figure: int, frame: pd.DataFrame, y: str, unit: str) -> Drawing:
    frame = frame.copy()
    # With few replications an interval may be wide beyond all values, and would hide them.
    frame.loc[(frame["lo"] <= 0) & (frame["hi"] >= 0), ["lo", "hi"]] = nan
    drawn = means(
        frame, x="iw", y=y, y_unit=unit, series="ftps", facet="webs", source=f"HTTP/{http}"
    )
    title = f"HTTP/{http}: {y.replace('_', ' ')} against the initial window"
    return drawing(drawn, f"figure-{figure}", title, _LINES)
