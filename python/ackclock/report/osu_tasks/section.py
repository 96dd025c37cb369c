"""What a section says, and how its numbers are put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

from ackclock.plurals import counted
from ackclock.report.blocks import Figure, Table
from ackclock.report.numbers import fixed
from ackclock.stats import grouped_intervals
from ackclock.studies.osu_tasks.analysis import CONFIDENCE
from ackclock.studies.osu_tasks.part import MANY_SOURCES
from ackclock.studies.osu_tasks.result import OsuTasksResult, PartResult

_POLICIES = {
    "tail": "tail drop",
    "ppd": "PPD",
    "epd": "EPD",
    "selective_drop": "Selective Drop",
    "fba": "FBA",
}


@dataclass(frozen=True)
class Section:
    """A task as the page presents it.

    Attributes:
        question: what the task asks.
        experiment: what was simulated, in one sentence with its settings.
        figures: what came of it, as pictures.
        answer: sentences, each computed from the results.
        tables: the numbers.
    """

    question: str
    experiment: str
    figures: Sequence[Figure | None] = ()
    answer: Sequence[str] = ()
    tables: Sequence[Table | None] = field(default_factory=tuple)


def means(part: PartResult, metric: str) -> pd.DataFrame:
    """Means of a metric at each point: the columns of the points, n, mean, lo, hi (95 %)."""
    ends = {metric: "mean", f"{metric}_lo": "lo", f"{metric}_hi": "hi"}
    return part.results[[*part.part.columns, "n", *ends]].rename(columns=ends)


def pooled(part: PartResult, metric: str, by: Sequence[str]) -> pd.DataFrame:
    """Means over all points that share some levels, with intervals over the replications.

    Args:
        part: whose runs.
        metric: a column of them; where it is nan somewhere, the mean is nan.
        by: columns of the levels that are kept apart.

    Returns:
        Columns of ``by``, mean, lo, hi (95 %), n: of the replications that every point has, since
        those with many sources may have fewer.
    """
    common = part.runs.groupby(part.part.columns, sort=False)["replication"].nunique().min()
    runs = part.runs[part.runs["replication"] < common]
    groups = runs.groupby([*by, "replication"], sort=False)[metric]
    # pandas leaves nan out of a mean; a mean over fewer points would be of something else.
    each = groups.mean().where(groups.count() == groups.size()).rename(metric).reset_index()
    return grouped_intervals(each, list(by), metric, CONFIDENCE)


def source(result: OsuTasksResult, part: PartResult) -> str:
    """What produced the numbers of a figure."""
    numbers = part.results["n"].value_counts(sort=False).sort_index(ascending=False)
    shown = " and ".join(
        f"{counted(int(n), 'replication')} of {counted(int(points), 'combination')}"
        for n, points in numbers.items()
    )
    return (
        f"Simulated: {counted(len(part.runs), 'run')}, {shown}, base seed {result.seed}, ackclock "
        f"{result.version}."
    )


def bars(part: PartResult) -> str:
    """What the bars of a figure are; nothing where there are none."""
    return " Bars: 95\u00a0% intervals of the means." if part.results["n"].max() > 1 else ""


def halves(part: PartResult) -> str:
    """What stands in the cells of a table of means."""
    if part.results["n"].max() > 1:
        return "means ± half of their 95\u00a0% intervals"
    return "one run of each combination, so that there is no interval"


def replicated(part: PartResult) -> str:
    """How often each point was run, for the sentence on the experiment."""
    least, most = int(part.results["n"].min()), int(part.results["n"].max())
    if least == most:
        return counted(most, "replication")
    return f"{counted(most, 'replication')}, {least} with {MANY_SOURCES} sources or more"


def policy_of(part: PartResult) -> str:
    """The drop policy of a part that has one for all of its points."""
    return _POLICIES[part.scenario.topology.port.policy]


def levels(part: PartResult, column: str) -> list:
    """The levels of a factor that were run, in their order."""
    return list(part.results[column].unique())


def listed(words: Sequence[str]) -> str:
    """Words in a row: "5, 15 and 50"."""
    *first, last = map(str, words)
    return f"{', '.join(first)} and {last}" if first else last


def with_ends(mean: float, lo: float, hi: float, decimals: int = 3) -> str:
    """A mean with half of its interval in words: "0.981 ± 0.004"; without one, the mean."""
    text = fixed(mean, decimals)
    return f"{text} ± {(hi - lo) / 2:.{decimals}f}" if pd.notna(hi - lo) else text
