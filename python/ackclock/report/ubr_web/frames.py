"""Simulated and published values side by side, for tables and figures."""

from __future__ import annotations

import pandas as pd

from ackclock.studies.ubr_web.analysis import published
from ackclock.studies.ubr_web.result import UbrWebResult

ERROR = "Error"
TOTAL = "Total Variation"
_NOT_EXPLAINED = ("Individual Values", "Overall Mean", TOTAL)


def compared(result: UbrWebResult, link: str, metric: str) -> pd.DataFrame:
    """The rows of the comparison that belong to a link and a metric."""
    table = result.comparison
    return table[(table["link"] == link) & (table["metric"] == metric)].reset_index(drop=True)


def effects(result: UbrWebResult, link: str, metric: str) -> pd.DataFrame:
    """Main effects.

    Returns:
        Columns factor, level; simulated, simulated_lo, simulated_hi; published, published_lo,
        published_hi (90 %).
    """
    by_level = ["factor", "level"]
    columns = {f"effect_{metric}": "", f"ci_low_{metric}": "_lo", f"ci_high_{metric}": "_hi"}

    def values(source: str, table: pd.DataFrame) -> pd.DataFrame:
        rows = table[table["link"] == link].set_index(by_level)[list(columns)]
        return rows.set_axis([source + end for end in columns.values()], axis=1)

    both = values("simulated", result.main_effects).join(
        values("published", published("main_effects"))
    )
    return both.reset_index()


def allocation(result: UbrWebResult, link: str, metric: str) -> pd.DataFrame:
    """Allocation of variation.

    Returns:
        Columns component, simulated, published (shares in percent), simulated_ss, published_ss
        (sums of squares). The published tables have no row for the error; here it is what their
        other rows leave of the total.
    """
    columns = {f"pct_{metric}": "", f"ss_{metric}": "_ss"}

    def values(source: str, table: pd.DataFrame) -> pd.DataFrame:
        rows = table[table["link"] == link].set_index("component")[list(columns)]
        if ERROR not in rows.index:
            explained = rows.drop(index=list(_NOT_EXPLAINED)).sum()
            rows.loc[ERROR] = rows.loc[TOTAL] - explained
        return rows.set_axis([source + end for end in columns.values()], axis=1)

    both = values("simulated", result.allocation).join(values("published", published("allocation")))
    return both.reset_index()


def explained(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of an allocation that share the total variation."""
    return frame[~frame["component"].isin(_NOT_EXPLAINED)].reset_index(drop=True)


def component_name(component: str) -> str:
    """A component with a sign between the factors of an interaction."""
    return component.replace("-", " × ")
