"""Runs become tables: means with intervals, and what a larger initial window changes."""

from __future__ import annotations

import pandas as pd

from ackclock.stats import compare_levels, grouped_intervals, grouped_trends
from ackclock.studies.rfc2415.levels import POINT, RED, REVERSE, SCENARIO, TABLES

CONFIDENCE = 0.95
DELAY, WEB_POWER, FTP_POWER = "page_delay_s", "web_power", "ftp_power"
METRICS = (
    "utilisation_pct",
    "drop_pct",
    "goodput_mb",
    DELAY,
    "new_goodput_mb",
    "new_page_delay_s",
    "ftp_goodput_mb",
    "file_delay_s",
    WEB_POWER,
    FTP_POWER,
)
"""Metrics whose means are reported; see ``metrics``. Those of pages are by the chosen clock."""
BY_HTTP = ["http", *SCENARIO]


def with_clock(runs: pd.DataFrame, clock: str) -> pd.DataFrame:
    """The runs with ``DELAY``, ``new_page_delay_s`` and ``WEB_POWER`` by a clock of pages."""
    return runs.assign(
        **{
            DELAY: runs[f"page_delay_{clock}_s"],
            "new_page_delay_s": runs[f"new_page_delay_{clock}_s"],
            WEB_POWER: runs[f"web_power_{clock}"],
        }
    )


def results_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Means over the replications of each point, with 95 % intervals.

    Args:
        runs: one row a run; columns of ``Point`` and ``METRICS``.

    Returns:
        Columns of ``Point``, n; for each of ``METRICS`` its mean and, with the endings _lo and _hi,
        the ends of its interval. Points in the order of ``runs``. What a point does not have, such
        as a file delay without ftps, is nan; so are the ends of intervals if n is 1.
    """
    intervals = {name: grouped_intervals(runs, POINT, name, CONFIDENCE) for name in METRICS}
    first = intervals[DELAY]
    columns = {"n": first["n"]}
    for name, table in intervals.items():
        columns |= {name: table["mean"], f"{name}_lo": table["lo"], f"{name}_hi": table["hi"]}
    return pd.concat([first[POINT], pd.DataFrame(columns)], axis=1)


def changes_table(runs: pd.DataFrame) -> pd.DataFrame:
    """What each larger initial window changes, relative to IW 1, pair by pair of replications.

    Args:
        runs: as for ``results_table``; those of the part ``TABLES`` are used.

    Returns:
        A row for each scenario, version of HTTP and IW above 1: columns http, webs, ftps, iw;
        decrease_pct = 100 (1 - delay(IW) / delay(1)) of the mean delays, decrease_pct_lo and _hi;
        power_gain_pct of the web clients' network power in the same way. Empty without IW 1 and
        another.
    """
    table = runs[runs["part"] == TABLES] if len(runs) else runs
    if not len(table) or not {1} < set(table["iw"]):
        return pd.DataFrame()
    parts = []
    for metric, name, sign in ((DELAY, "decrease_pct", -100), (WEB_POWER, "power_gain_pct", 100)):
        found = compare_levels(table, metric, "iw", 1, BY_HTTP, confidence=CONFIDENCE)
        ends = ["relative_lo", "relative_hi"][:: 1 if sign > 0 else -1]
        values = {
            name: sign * found["relative"],
            f"{name}_lo": sign * found[ends[0]],
            f"{name}_hi": sign * found[ends[1]],
        }
        parts.append(pd.DataFrame(values))
    return pd.concat([found[[*BY_HTTP, "iw"]], *parts], axis=1)


def ftp_trends(runs: pd.DataFrame, http: str) -> pd.DataFrame:
    """How the ftps' network power moves with the initial window.

    Args:
        runs: as for ``results_table``; those of ``TABLES`` with ftps are used.
        http: version of HTTP.

    Returns:
        Columns webs, ftps; slope (MB/s per segment), lo, hi, n, left_out of a straight line.
    """
    table = runs[(runs["part"] == TABLES) & (runs["http"] == http) & (runs["ftps"] > 0)]
    return grouped_trends(table, SCENARIO, "iw", FTP_POWER, confidence=CONFIDENCE)


def reverse_changes(runs: pd.DataFrame) -> pd.DataFrame:
    """What reverse traffic changes of the page delay, pair by pair of replications.

    Args:
        runs: as for ``results_table``.

    Returns:
        A row for each point that was run with and without: columns webs, ftps, iw; mean,
        baseline_mean (without), difference (s), lo, hi. Empty where nothing can be compared.
    """
    usual, other = _drop_tail(runs), runs[runs["part"] == REVERSE]
    return _compared(usual, other, "variant", [*SCENARIO, "iw"])


def red_changes(runs: pd.DataFrame) -> pd.DataFrame:
    """By how much RED lowers the page delay against drop-tail at IW 1, pair by pair.

    Args:
        runs: as for ``results_table``.

    Returns:
        A row for each point of the part ``RED`` whose scenario has drop-tail at IW 1: columns webs,
        ftps, red (variant and IW, "red, IW 1"); delay_s (drop-tail's), decrease_pct (of that),
        decrease_pct_lo and _hi. Empty where nothing can be compared.
    """
    usual, other = _drop_tail(runs), runs[runs["part"] == RED]
    usual = usual[usual["iw"] == 1].assign(red="")
    other = other.assign(red=other["variant"] + ", IW " + other["iw"].astype(str))
    found = _compared(usual, other, "red", SCENARIO)
    if found.empty:
        return found
    return found[[*SCENARIO, "red"]].assign(
        delay_s=found["baseline_mean"],
        decrease_pct=-100 * found["relative"],
        decrease_pct_lo=-100 * found["relative_hi"],
        decrease_pct_hi=-100 * found["relative_lo"],
    )


def _drop_tail(runs: pd.DataFrame) -> pd.DataFrame:
    """The RFC's own scenarios with HTTP/1.0."""
    return runs[(runs["part"] == TABLES) & (runs["http"] == "1.0")]


def _compared(
    usual: pd.DataFrame, other: pd.DataFrame, factor: str, points: list[str]
) -> pd.DataFrame:
    """The page delays of other runs against the usual ones, at the points that both have."""
    both = set(map(tuple, usual[points].to_numpy())) & set(map(tuple, other[points].to_numpy()))
    if not both:
        return pd.DataFrame()
    table = pd.concat([usual, other])
    table = table[[tuple(point) in both for point in table[points].to_numpy()]]
    return compare_levels(table, DELAY, factor, "", points, confidence=CONFIDENCE)
