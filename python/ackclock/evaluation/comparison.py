"""The TCP under test beside each of the others: differences with intervals.

Runs of two TCPs with the same replication have the same arrivals, so their numbers are compared in
pairs. A difference is decided if its 95 % interval excludes 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan, nan
from typing import Any

import pandas as pd

from ackclock.evaluation.points import MORE_IS_BETTER
from ackclock.plots.quantities import level_texts, quantity
from ackclock.stats.intervals import Interval
from ackclock.studies.machinery.estimates import Estimate
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.running import Runs
from ackclock.studies.machinery.study import Part

BETTER, WORSE, OPEN = "better", "worse", "not decided"
VERDICTS = (BETTER, WORSE, OPEN)
COMPARISON = "comparison"
COLUMNS = (
    *("part", "at", "metric", "beside", "tested", "other"),
    *("difference", "lo", "hi", "ratio", "ratio_lo", "ratio_hi", "verdict"),
)


def tables(tested: str, made: Runs, evidence: RunsEvidence) -> dict[str, pd.DataFrame]:
    """The tables of the suite: means and runs of each part, and all comparisons.

    Args:
        tested: the TCP under test.
        made: the runs.
        evidence: their numbers.

    Returns:
        The tables of the parts, and "comparison" with the columns part, at (the levels of the
        point), metric, beside (the other TCP), tested and other (means), difference (tested -
        other), lo, hi (95 %), ratio (tested / other; nan if the other is 0), ratio_lo, ratio_hi,
        verdict (of ``VERDICTS``). A number that a TCP has in no run, such as
        the time to a share that it never reaches, has no comparison.
    """
    rows = [row for each in made.parts.values() for row in _of_part(each.part, tested, evidence)]
    return {**made.tables, COMPARISON: pd.DataFrame(rows, columns=list(COLUMNS))}


def counts(table: pd.DataFrame) -> dict[tuple[str, str], dict[str, int]]:
    """How many numbers of a part are better, worse or not decided, by part and other TCP."""
    groups = table.groupby(["part", "beside"], sort=False)["verdict"]
    return {
        (str(part), str(beside)): {each: int((its == each).sum()) for each in VERDICTS}
        for (part, beside), its in groups
    }


def _of_part(part: Part, tested: str, evidence: RunsEvidence) -> Iterator[tuple[Any, ...]]:
    there = evidence.points(part.name)
    for point in there:
        own = point._replace(tcp=tested)
        if point == own or own not in there:
            continue
        for metric in part.metrics:
            if metric not in MORE_IS_BETTER:
                continue
            one, other = (evidence.at(part.name, metric, each) for each in (own, point))
            if not isnan(one.mean) and not isnan(other.mean):
                yield part.name, _at(point), metric, point.tcp, *_compared(one, other, metric)


def _at(point: Any) -> str:
    """The levels of a point but for its TCP: "load 0.85"."""
    levels = {name: level for name, level in point._asdict().items() if name != "tcp"}
    texts = (
        level
        if isinstance(level, str)
        else f"{quantity(name).name} {level_texts(name, [level])[0]}"
        for name, level in levels.items()
    )
    return ", ".join(texts)


def _compared(one: Estimate, other: Estimate, metric: str) -> tuple[Any, ...]:
    """The columns from ``tested`` on."""
    difference = one - other
    interval = difference.interval()
    larger = (difference > 0).holds
    verdict = OPEN
    if larger is not None and (difference < 0).holds is not None:
        verdict = BETTER if larger == MORE_IS_BETTER[metric] else WORSE
    ratio = (one / other).interval() if other.values.all() else Interval(nan, nan, nan, one.n)
    return one.mean, other.mean, *interval[:3], *ratio[:3], verdict
