"""Runs become tables: what a larger initial window changes, and numbers beside those of the RFC."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ackclock.scenario import Scenario
from ackclock.stats import compare_levels
from ackclock.studies.machinery.analysis import CONFIDENCE, comparison_table
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Runs
from ackclock.studies.rfc2415.levels import (
    HALF,
    HALF_IWS,
    IWS,
    RED,
    REVERSE,
    SCENARIO,
    SPLIT,
    TABLES,
)

CLOCK = "page-clock"
"""The option that chooses when the clock of a page starts; see ``ackclock.results.pages``."""
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
_PLACE = ["webs", "ftps", "http", "iw"]
_PUBLISHED = Path(__file__).parent / "published"
_MISPRINTED_FTPS = (0, 1, 2)
"""With 32 webs, Table 2 repeats the drop rates of 16 webs: never a target."""


def by_the_chosen_clock(runs: pd.DataFrame, request: Request, its: Scenario) -> pd.DataFrame:
    """The runs with ``DELAY``, ``new_page_delay_s`` and ``WEB_POWER`` by the chosen clock."""
    clock = request.option(CLOCK)
    return runs.assign(
        **{
            DELAY: runs[f"page_delay_{clock}_s"],
            "new_page_delay_s": runs[f"new_page_delay_{clock}_s"],
            WEB_POWER: runs[f"web_power_{clock}"],
        }
    )


def tables(made: Runs, evidence: object) -> Mapping[str, pd.DataFrame]:
    """The tables that are written: means, runs, what IW changes, the RFC's tables beside ours."""
    changes = changes_table(made.of(TABLES))
    return {
        "results": made.results,
        "runs": made.frame,
        "comparison": tables_beside(made.of(TABLES, "results"), changes),
        "changes": changes,
        "half_and_half": half_beside(made.of(HALF, "results")),
    }


def changes_table(runs: pd.DataFrame) -> pd.DataFrame:
    """What each larger initial window changes, relative to IW 1, pair by pair of replications.

    Args:
        runs: those of ``TABLES``.

    Returns:
        A row for each scenario, version of HTTP and IW above 1: columns http, webs, ftps, iw;
        decrease_pct = 100 (1 - delay(IW) / delay(1)) of the mean delays, decrease_pct_lo and _hi;
        power_gain_pct of the web clients' network power in the same way. Empty without IW 1 and
        another.
    """
    if runs.empty or not {1} < set(runs["iw"]):
        return pd.DataFrame()
    by_http = ["http", *SCENARIO]
    delay, power = (
        compare_levels(runs, metric, "iw", 1, by_http, confidence=CONFIDENCE)
        for metric in (DELAY, WEB_POWER)
    )
    return delay[[*by_http, "iw"]].assign(
        **_decrease(delay),
        power_gain_pct=100 * power["relative"],
        power_gain_pct_lo=100 * power["relative_lo"],
        power_gain_pct_hi=100 * power["relative_hi"],
    )


def reverse_changes(made: Runs) -> pd.DataFrame:
    """What reverse traffic changes of the page delay, pair by pair of replications.

    Returns:
        A row for each point that was run with and without: columns webs, ftps, iw; mean,
        baseline_mean (without), difference (s), lo, hi. Empty where nothing can be compared.
    """
    return _compared(_drop_tail(made), made.of(REVERSE), "variant", [*SCENARIO, "iw"])


def red_changes(made: Runs) -> pd.DataFrame:
    """By how much RED lowers the page delay against drop-tail at IW 1, pair by pair.

    Returns:
        A row for each point of the part ``RED`` whose scenario has drop-tail at IW 1: columns webs,
        ftps, red (variant and IW, "red, IW 1"); delay_s (drop-tail's), decrease_pct (of that),
        decrease_pct_lo and _hi. Empty where nothing can be compared.
    """
    usual, other = _drop_tail(made), made.of(RED)
    if usual.empty or other.empty:
        return pd.DataFrame()
    usual = usual[usual["iw"] == 1].assign(red="")
    other = other.assign(red=other["variant"] + ", IW " + other["iw"].astype(str))
    found = _compared(usual, other, "red", SCENARIO)
    if found.empty:
        return found
    return found[[*SCENARIO, "red"]].assign(delay_s=found["baseline_mean"], **_decrease(found))


def _drop_tail(made: Runs) -> pd.DataFrame:
    """The RFC's own scenarios with HTTP/1.0."""
    runs = made.of(TABLES)
    return runs if runs.empty else runs[runs["http"] == "1.0"]


def _compared(
    usual: pd.DataFrame, other: pd.DataFrame, factor: str, points: list[str]
) -> pd.DataFrame:
    """The page delays of other runs against the usual ones, at the points that both have."""
    if usual.empty or other.empty:
        return pd.DataFrame()
    both = set(map(tuple, usual[points].to_numpy())) & set(map(tuple, other[points].to_numpy()))
    if not both:
        return pd.DataFrame()
    table = pd.concat([usual, other])
    table = table[[tuple(point) in both for point in table[points].to_numpy()]]
    return compare_levels(table, DELAY, factor, "", points, confidence=CONFIDENCE)


def _decrease(found: pd.DataFrame) -> dict[str, pd.Series]:
    """A relative change as a decrease in %, with the ends of its interval the right way round."""
    ends = {"": "relative", "_lo": "relative_hi", "_hi": "relative_lo"}
    return {f"decrease_pct{end}": -100 * found[column] for end, column in ends.items()}


def tables_beside(results: pd.DataFrame, changes: pd.DataFrame) -> pd.DataFrame:
    """Tables 1 to 5 beside the results.

    Args:
        results: the means of ``TABLES``.
        changes: see ``changes_table``.

    Returns:
        The columns of ``published_tables``, then simulated, lo, hi (95 %), delta = simulated -
        published, misprinted (true or empty); the rows that were run.
    """
    if results.empty:
        return pd.DataFrame()
    if not changes.empty:
        results = results.merge(changes, how="left", on=_PLACE)
    both = comparison_table(results, published_tables(), _PLACE)
    return both.assign(misprinted=is_misprinted(both).map({True: "true", False: ""}))


def half_beside(results: pd.DataFrame) -> pd.DataFrame:
    """Table 6 beside the results.

    Args:
        results: the means of ``HALF``.

    Returns:
        The columns of ``published_half_and_half``, then simulated, lo, hi, delta.
    """
    if results.empty:
        return pd.DataFrame()
    split = results[results["variant"] == SPLIT]
    new = {
        f"{metric}{end}": split[f"new_{metric}{end}"]
        for metric in ("goodput_mb", DELAY)
        for end in ("", "_lo", "_hi")
    }
    both = pd.concat([results, split.assign(iw=max(HALF_IWS), **new)])
    return comparison_table(both, published_half_and_half(), ["webs", "variant", "iw"])


def published_tables() -> pd.DataFrame:
    """Tables 1 to 5.

    Returns:
        Columns table (its number), webs, ftps, http, iw, metric, published. Metrics: page_delay_s
        (IW 1), decrease_pct (IW 2 to 4), utilisation_pct, drop_pct, ftp_power.
    """
    delays = {("page_delay_s", 1): "iw1_median_s"}
    delays |= {("decrease_pct", iw): f"iw{iw}_pct_decrease" for iw in IWS[1:]}
    link = {
        (metric, iw): f"{metric}_iw{iw}" for iw in IWS for metric in ("utilisation_pct", "drop_pct")
    }
    power = {("ftp_power", iw): f"power_iw{iw}" for iw in IWS}
    rows = [
        (table, row["webs"], row["ftps"], http, iw, metric, row[column])
        for table, http, name, columns in (
            (1, "1.0", "page_delay_http10", delays),
            (2, "1.0", "utilisation_drops", link),
            (3, "1.0", "ftp_power_http10", power),
            (4, "1.1", "page_delay_http11", delays),
            (5, "1.1", "ftp_power_http11", power),
        )
        for row in _printed(name)
        for (metric, iw), column in columns.items()
    ]
    return pd.DataFrame(rows, columns=["table", *_PLACE, "metric", "published"])


def published_half_and_half() -> pd.DataFrame:
    """Table 6.

    Returns:
        Columns webs (all clients), variant (empty, or ``SPLIT``), iw (of the clients that the row
        is about), metric, published. Metrics: goodput_mb, page_delay_s, utilisation_pct, drop_pct;
        the last two, of a split, stand with the smaller IW.
    """
    columns = {
        "goodput_mb": "goodput_mb",
        "page_delay_s": "delay_s",
        "utilisation_pct": "utilisation_pct",
        "drop_pct": "drop_pct",
    }
    rows = []
    for row in _printed("half_and_half"):
        clients = [int(number) for number in str(row["webs"]).split("/")]
        variant = SPLIT if len(clients) > 1 else ""
        rows += [
            (sum(clients), variant, iw, metric, row[f"iw{iw}_{column}"])
            for iw in HALF_IWS
            for metric, column in columns.items()
        ]
    table = pd.DataFrame(rows, columns=["webs", "variant", "iw", "metric", "published"])
    return table.dropna(ignore_index=True)


def is_misprinted(table: pd.DataFrame) -> pd.Series:
    """Whether each row of ``published_tables`` is known to be wrong in print."""
    return (
        (table["metric"] == "drop_pct")
        & (table["webs"] == 32)
        & table["ftps"].isin(_MISPRINTED_FTPS)
    )


def _printed(name: str) -> Sequence[Mapping[str, float]]:
    return pd.read_csv(_PUBLISHED / f"{name}.csv").to_dict("records")


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


def errors_line(result: StudyResult) -> str:
    """The distances from the published tables in words; nothing of what was not run."""
    texts = (
        "page delay at IW 1, HTTP/1.0: {:.1f} %",
        "HTTP/1.1: {:.1f} %",
        "decrease {:.1f} points",
        "utilisation {:.1f} points",
        "drops {:.2f} points",
    )
    found = zip(texts, errors(result.tables["comparison"]), strict=True)
    known = [text.format(value) for text, value in found if value == value]
    return f"Mean absolute difference from the published: {'; '.join(known)}."
