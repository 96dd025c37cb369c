"""Simulated beside published, and how far apart they are."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from ackclock.studies.rfc2415 import published
from ackclock.studies.rfc2415.levels import HALF, SPLIT, TABLES

POINT = ["webs", "ftps", "http", "iw"]


class Errors(NamedTuple):
    """Distances from the published tables; nan where nothing of a table was run.

    Attributes:
        delay_http10_pct: mean absolute relative error of the page delay at IW 1, Table 1, %.
        delay_http11_pct: the same for Table 4.
        decrease: mean absolute difference of the decreases, Tables 1 and 4, points.
        utilisation: mean absolute difference, Table 2, points.
        drops: mean absolute difference without the misprinted rows, Table 2, points.
    """

    delay_http10_pct: float
    delay_http11_pct: float
    decrease: float
    utilisation: float
    drops: float


def comparison_table(results: pd.DataFrame, changes: pd.DataFrame) -> pd.DataFrame:
    """Tables 1 to 5 beside the results.

    Args:
        results: see ``analysis.results_table``.
        changes: see ``analysis.changes_table``.

    Returns:
        The columns of ``published.tables``, then simulated, lo, hi (95 %), delta = simulated -
        published, misprinted (true or empty); the rows that were run.
    """
    means = results[results["part"] == TABLES]
    if means.empty:
        return pd.DataFrame()
    long = [_values(means, name) for name in ("page_delay_s", "utilisation_pct", "drop_pct")]
    long.append(_values(means, "ftp_power"))
    if not changes.empty:
        long.append(_values(changes, "decrease_pct"))
    both = published.tables().merge(pd.concat(long), on=[*POINT, "metric"])
    wrong = published.is_misprinted(both).map({True: "true", False: ""})
    return _with_delta(both).assign(misprinted=wrong)


def half_table(results: pd.DataFrame) -> pd.DataFrame:
    """Table 6 beside the results.

    Args:
        results: see ``analysis.results_table``.

    Returns:
        The columns of ``published.half_and_half``, then simulated, lo, hi, delta.
    """
    means = results[results["part"] == HALF]
    if means.empty:
        return pd.DataFrame()
    keys = ["webs", "variant", "iw"]
    split = means[means["variant"] == SPLIT]
    of_new = split.assign(iw=3)
    long = [
        _values(means, name, keys)
        for name in ("goodput_mb", "page_delay_s", "utilisation_pct", "drop_pct")
    ]
    long += [
        _values(of_new, f"new_{name}", keys).assign(metric=name)
        for name in ("goodput_mb", "page_delay_s")
    ]
    return _with_delta(published.half_and_half().merge(pd.concat(long), on=[*keys, "metric"]))


def errors(comparison: pd.DataFrame) -> Errors:
    """The distances; the misprinted rows count in none."""
    if comparison.empty:
        return Errors(*[float("nan")] * len(Errors._fields))
    right = comparison[comparison["misprinted"] == ""]
    distance = right["delta"].abs()
    relative = 100 * distance / right["published"]

    def mean(values: pd.Series, metric: str, *numbers: int) -> float:
        return float(values[(right["metric"] == metric) & right["table"].isin(numbers)].mean())

    return Errors(
        mean(relative, "page_delay_s", 1),
        mean(relative, "page_delay_s", 4),
        mean(distance, "decrease_pct", 1, 4),
        mean(distance, "utilisation_pct", 2),
        mean(distance, "drop_pct", 2),
    )


def _values(table: pd.DataFrame, name: str, keys: list[str] | None = None) -> pd.DataFrame:
    """A metric with its interval, in rows of one number."""
    ends = {name: "simulated", f"{name}_lo": "lo", f"{name}_hi": "hi"}
    return table[[*(keys or POINT), *ends]].rename(columns=ends).assign(metric=name)


def _with_delta(both: pd.DataFrame) -> pd.DataFrame:
    return both.assign(delta=both["simulated"] - both["published"])
