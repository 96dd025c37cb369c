"""The tables of ubr-web.md."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from alternatives import ALL

from ackclock.studies.ubr_web.analysis import METRICS, errors, published
from tables.claims import claims
from tables.markdown import read, setting_text, table


def distances(folder: Path) -> str:
    """Mean absolute distances from the published tables, and the mean distances with signs."""
    rows = [
        (
            link,
            *(f"{row[f'{name}_error']:.3f} ({row[f'{name}_bias']:+.3f})" for name in METRICS),
        )
        for link, row in errors(read(folder, "comparison")).iterrows()
    ]
    return table(("link", *METRICS), rows)


def clocks(folder: Path) -> str:
    """What the spread of the hosts' clocks changes: distances over all cells, starved servers."""
    found = read(folder, "alternatives")
    rows = []
    for label, its in found.groupby("label", sort=False):
        by_group = its.set_index(["group", "metric"])
        wan, every = by_group.loc[("WAN", ALL)], by_group.loc[(ALL, ALL)]
        errors_of = (by_group.loc[("WAN", metric)]["error"] for metric in METRICS)
        rows.append(
            (
                str(label),
                *(f"{each:.4f}" for each in errors_of),
                f"{every['error']:.4f}",
                f"{every['rms']:.4f}",
                f"{every['distance']:.3f}",
                f"{every['inside']:.0f} of {every['n']:.0f}",
                f"{wan['starved']:.1f}",
                f"{wan['starved_most']:.0f}",
            )
        )
    return table(
        (
            "clocks within",
            *(f"WAN {metric}" for metric in METRICS),
            "all cells",
            "root mean square",
            "in half-widths",
            "inside",
            "starved servers",
            "most in a run",
        ),
        rows,
    )


def attempts(folder: Path) -> str:
    """Cells at 2 RTT under settings that were tried; each pair is EPD and Selective Drop."""
    found = read(folder, "attempts")
    cells = {
        "WAN SACK fairness": ("WAN", "SACK", "fairness"),
        "WAN SACK efficiency": ("WAN", "SACK", "efficiency"),
        "GEO NewReno efficiency": ("GEO", "NewReno", "efficiency"),
        "GEO Vanilla efficiency": ("GEO", "Vanilla", "efficiency"),
    }
    rows = [("*printed*", *(_pair(published("results"), *cell) for cell in cells.values()))]
    for setting, its in found.groupby("setting", sort=False):
        rows.append((setting_text(setting), *(_pair(its, *cell) for cell in cells.values())))
    return table(("setting", *cells), rows)


def _pair(results: pd.DataFrame, link: str, flavor: str, metric: str) -> str:
    here = results[(results["link"] == link) & (results["tcp_flavor"] == flavor)]
    values = here[here["buffer_rtt"] == 2].set_index("drop_policy")[metric]
    return f"{values['EPD']:.3f}, {values['SD']:.3f}"


TABLES = {"distances": distances, "clocks": clocks, "claims": claims, "attempts": attempts}
