"""Comparison of the levels of a factor with a baseline, replication by replication."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ackclock.lab.campaigns.summaries import ENDS, described, metric_of, number
from ackclock.plots.quantities import level_texts, sentence
from ackclock.plurals import counted
from ackclock.results import Results
from ackclock.results.comparisons import comparison_table, ends_of, levels_of
from ackclock.results.grids import MISSING, percent_column, ratio_column
from ackclock.results.results import CONFIDENCE

_MOST_SENTENCES = 4


def compared(
    results: Results, by: str, baseline: Any, metric: str, *, pooled: bool = False
) -> dict[str, Any]:
    """Return the means of the levels of a factor, and their paired differences from a baseline.

    Args:
        results: results of a campaign.
        by: column of the factor.
        baseline: level; by default the first.
        metric: metric to compare.
        pooled: average over the other factors, instead of comparing within each combination.

    Returns:
        metric; by; baseline, a text; rows: level and levels (of the other factors), texts; mean,
        with n; pairs; difference and ratio, with their intervals; p, corrected for the number of
        rows. Those four are none in the rows of the baseline; p is none where nothing varies.
        sentence: the result in a sentence.

    Raises:
        InputError: as ``Results.compare``.
    """
    table, base = comparison_table(
        results, by, baseline, metric, pooled=pooled, confidence=CONFIDENCE
    )
    unit, against = results.unit_of(metric), level_texts(by, [base])[0]
    means = described(metric, table, unit)
    differences = described(
        metric, ends_of(table, "difference"), unit, sign="+", beside=table["mean"].tolist()
    )
    others = [name for name in levels_of(table) if name != by]
    texts = {name: level_texts(name, table[name].tolist()) for name in (*others, by)}
    relative = percent_column("", ends_of(table, "relative")).texts
    ratio = ends_of(table, "relative") + 1
    ratios = ratio_column("", ratio).texts
    rows = []
    for at, row in enumerate(table.to_dict("records")):
        is_base = pd.isna(row["pairs"])
        shown = {**{end: number(ratio[end][at]) for end in ENDS}, "text": ratios[at]}
        tested = row["difference_hi"] > row["difference_lo"]
        rows.append(
            {
                "level": texts[by][at],
                "levels": [texts[name][at] for name in others],
                "mean": means[at],
                "n": means[at]["n"],
                "pairs": None if is_base else int(row["pairs"]),
                "difference": None if is_base else differences[at],
                "ratio": None if is_base else shown,
                "relative": None if is_base or relative[at] == MISSING else f"{relative[at]} %",
                "p": number(row["p_holm"]) if tested else None,
            }
        )
    its = metric_of(results, metric)
    return {
        "metric": its,
        "by": by,
        "baseline": against,
        "rows": rows,
        "sentence": _sentence(its["label"], against, rows),
    }


def _sentence(metric: str, against: str, rows: list[dict[str, Any]]) -> str:
    """Return the result as a sentence."""
    one_place = len({tuple(row["levels"]) for row in rows}) == 1
    found = [row for row in rows if row["difference"]]
    said = [_found(metric, against, row, one_place=one_place) for row in found[:_MOST_SENTENCES]]
    more = len(found) - _MOST_SENTENCES
    return " ".join(said) + (f" {counted(more, 'more row')} below." if more > 0 else "")


def _found(metric: str, against: str, row: dict[str, Any], *, one_place: bool) -> str:
    its, pairs = row["difference"], counted(row["pairs"], "pair")
    levels = [*([] if one_place else row["levels"]), row["level"]]
    where = sentence(", ".join(levels))
    if its["mean"] is None:
        return f"{where}: {metric} has no value in some runs."
    if its["lo"] is None:
        return f"{where}: {metric} {its['text']} against {against}; one pair has no interval."
    if its["lo"] == its["hi"]:
        same = "the same in all pairs"
        return f"{where}: {metric} {its['text']} against {against}, {same} ({pairs})."
    if its["lo"] <= 0 <= its["hi"]:
        return (
            f"{where}: no difference in {metric} from {against} shows ({its['text']}, {pairs},"
            " 95 % interval)."
        )
    return f"{where}: {metric} {its['text']} against {against} ({pairs}, 95 % interval)."
