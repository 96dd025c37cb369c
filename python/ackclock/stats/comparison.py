"""Comparison of the levels of a factor with a baseline, by common random numbers.

If a replication has the same random numbers at every level, their common effect cancels in the
differences of pairs. The interval is then narrower than that of independent runs.

Sources: R. Jain, The Art of Computer Systems Performance Analysis (1991), section 13.4.1, and
A. M. Law, W. D. Kelton, Simulation Modeling and Analysis (3rd ed., 2000), sections 10.2.1 and 11.2,
for the paired t interval; the latter, section 9.7, for Bonferroni's simultaneous intervals;
S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian J. of Statistics 6,
1979, for the corrected p values. Relative differences: ``ackclock.stats.ratios``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from math import isfinite, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ackclock.stats.factorial_design import column_problems, finite_numbers, level_text, rows_text
from ackclock.stats.intervals import check_confidence, mean_interval, two_sided_t
from ackclock.stats.ratios import paired_values, ratio_interval


class PairedComparison(NamedTuple):
    """The result of a paired comparison; n, p and relative numbers have no unit.

    Attributes:
        n: number of pairs.
        baseline_mean: mean over the pairs at the baseline.
        mean: mean over the pairs at the other level.
        difference: mean - baseline_mean.
        lo: lower end of the difference's interval.
        hi: upper end.
        relative: difference / baseline_mean; 0.1 is 10 % above the baseline.
        relative_lo: lower end of its interval.
        relative_hi: upper end.
        p: p value of the two-sided paired t test of no difference.
    """

    n: int
    baseline_mean: float
    mean: float
    difference: float
    lo: float
    hi: float
    relative: float
    relative_lo: float
    relative_hi: float
    p: float


_RESULT = {
    *("baseline", "combinations", "left_out", "simultaneous_lo", "simultaneous_hi", "p_holm"),
    *PairedComparison._fields,
}


_Cell = dict[Hashable, Any]  # by replication
_Cells = dict[tuple[int, int], _Cell]  # by combination of the other factors, and level


class _Pairs(NamedTuple):
    """The pairs behind one row of a table; levels and combinations by order of appearance."""

    level: int
    combination: int
    combinations: int  # that each value is averaged over
    values: np.ndarray  # shape (n, 2): at the level, at the baseline
    left_out: int


def paired_comparison(
    values: ArrayLike, baseline: ArrayLike, confidence: float = 0.95
) -> PairedComparison:
    """Compare paired values: the mean difference and the ratio of the means, with intervals.

    Args:
        values: shape (n,), one value per replication, any unit.
        baseline: shape (n,), the value of the same replication at the baseline, in that unit.
        confidence: level of both intervals, two-sided, for example 0.95.

    If all differences are equal, the interval has width 0, and p is 0 (or 1 if all differences are
    0). With fewer than two pairs, intervals and p are nan; without pairs, all numbers are nan. The
    relative interval is also nan if the baseline's mean does not differ significantly from 0.

    Raises:
        ValueError: the arrays are not one-dimensional or not of one length, or ``confidence`` is
            outside (0, 1).

    Source: Jain 1991, section 13.4.1; Fieller 1954 for the ratio.
    """
    after, before = paired_values(values, baseline)
    n = after.size
    differences = after - before
    # One difference is the origin, so that equal differences have a deviation of exactly 0.
    origin = differences[0] if n else nan
    deviations = differences - origin
    interval = mean_interval(deviations, confidence)
    return PairedComparison(
        n,
        float(before.mean()) if n else nan,
        float(after.mean()) if n else nan,
        *(float(origin + end) for end in interval[:3]),
        *ratio_interval(differences, before, confidence)[:3],
        _p_value(float(origin + interval.mean), deviations),
    )


def holm(p_values: ArrayLike) -> np.ndarray:
    """Correct p values for their number by Holm's method.

    Args:
        p_values: shape (m,); nan stands for a missing test: it stays nan and does not count.

    Returns:
        Shape (m,), in the same order: the largest of (m - i) p_(i) over the i-th smallest and all
        before it (i from 0), at most 1. Valid for any dependence between the tests.

    Source: Holm 1979.
    """
    raw = np.asarray(p_values, dtype=float)
    corrected = np.full(raw.shape, nan)
    tests = np.flatnonzero(~np.isnan(raw))
    ascending = tests[np.argsort(raw[tests], kind="stable")]
    stepped = raw[ascending] * np.arange(tests.size, 0, -1)
    corrected[ascending] = np.minimum(np.maximum.accumulate(stepped), 1)
    return corrected


def compare_levels(
    frame: pd.DataFrame,
    metric: str,
    factor: str,
    baseline: Hashable,
    others: Sequence[str] = (),
    *,
    replication: str = "replication",
    pooled: bool = False,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Compare every level of a factor with a baseline level, pair by pair of replications.

    Args:
        frame: one row per run.
        metric: name of the numeric column to compare, in any unit.
        factor: name of the column that holds the levels.
        baseline: level to compare the others with.
        others: names of the columns of the other factors.
        replication: name of the column that identifies runs with the same random numbers.
        pooled: average each replication over the combinations of the other factors first, instead
            of comparing within each combination. (The differences of one replication in several
            combinations are not independent, so they count as one pair.)
        confidence: two-sided level, for example 0.95, of each interval lo..hi, and of all
            intervals simultaneous_lo..simultaneous_hi together.

    Returns:
        One row per combination of the other factors and level that occur together (pooled: per
        level), both in order of first appearance, with the columns

        - those of ``others`` (not if pooled), then ``factor`` (the level), baseline, and (if
          pooled) combinations: the number of combinations in each average;
        - n, number of pairs; left_out, number of replications at one of the two levels without a
          pair of finite values (if pooled: without one in every combination that has pairs);
        - baseline_mean, mean, difference, lo, hi: in the unit of the metric;
        - simultaneous_lo, simultaneous_hi: the difference's wider interval by Bonferroni: all
          such intervals of the table hold together with the requested confidence;
        - relative, relative_lo, relative_hi: difference / baseline_mean and its interval;
        - p, of the paired t test; p_holm, corrected for the number of tests in the table.

        Numbers that ``paired_comparison`` cannot compute are nan and do not count as a test. Holm's
        correction is sharper than Bonferroni's: p_holm may be below 1 - confidence although the
        simultaneous interval contains 0.

    Raises:
        ValueError: with all problems: a column is unknown, named twice or has a name that the
            result uses; a run has no level or occurs twice; the baseline is not a level, or is the
            only one; there is no pair; ``confidence`` is outside (0, 1).

    Source: Jain 1991, section 13.4.1; Law, Kelton 2000, sections 9.7 and 10.2.1; Holm 1979.
    """
    check_confidence(confidence)
    if problems := _problems(frame, metric, factor, baseline, list(others), replication):
        raise ValueError("\n".join(problems))
    level, levels = pd.factorize(frame[factor])
    combination, first = _combinations(frame, list(others))
    values = finite_numbers(frame[metric])
    cells: _Cells = defaultdict(dict)
    for *cell, run, value in zip(combination, level, frame[replication], values, strict=True):
        cells[tuple(cell)][run] = value
    base = _position(baseline, levels)
    pairs = list(_pooled(cells, base) if pooled else _within(cells, base))
    rows = [paired_comparison(*each.values.T, confidence) for each in pairs]
    if not any(row.n for row in rows):
        raise ValueError(
            f"no replication has a value of {metric!r} both at {factor} = {level_text(baseline)} "
            "and at another level: there is no pair to compare"
        )
    where = first[[each.combination for each in pairs]]
    columns = {} if pooled else {name: frame[name].array[where] for name in others}
    columns[factor] = levels.take([each.level for each in pairs])
    columns["baseline"] = levels.take([base] * len(pairs))
    if pooled:
        columns["combinations"] = [each.combinations for each in pairs]
    columns["n"] = [row.n for row in rows]
    columns["left_out"] = [each.left_out for each in pairs]
    return pd.DataFrame(columns | _numbers(rows, confidence))


def _p_value(difference: float, deviations: np.ndarray) -> float:
    """Two-sided p of the t test that a mean of normal values is 0."""
    n = deviations.size
    if n < 2:
        return nan
    error = float(deviations.std(ddof=1)) / sqrt(n)
    if error == 0:
        return float(difference == 0)
    # Imported here, because it is slow; scipy.stats, with t.cdf, is even slower.
    from scipy.special import stdtr

    return float(2 * stdtr(n - 1, -abs(difference) / error))


def _numbers(rows: list[PairedComparison], confidence: float) -> dict[str, np.ndarray]:
    """Return the columns after n, including those corrected for the number of tests."""
    numbers = dict(zip(PairedComparison._fields, np.array(rows, dtype=float).T, strict=True))
    freedom = numbers.pop("n") - 1
    p = numbers.pop("p")
    tests = max(int(np.isfinite(p).sum()), 1)
    wider = two_sided_t(1 - (1 - confidence) / tests, freedom) / two_sided_t(confidence, freedom)
    half_width = wider * (numbers["hi"] - numbers["lo"]) / 2
    relative = {name: numbers.pop(name) for name in ("relative", "relative_lo", "relative_hi")}
    numbers["simultaneous_lo"] = numbers["difference"] - half_width
    numbers["simultaneous_hi"] = numbers["difference"] + half_width
    return numbers | relative | {"p": p, "p_holm": holm(p)}


def _combinations(frame: pd.DataFrame, others: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return each run's combination of the other factors, and the position of its first run."""
    if not others:
        return np.zeros(len(frame), dtype=int), np.zeros(1, dtype=int)
    groups = frame.groupby(others, sort=False, dropna=False, observed=True)
    number = groups.ngroup().to_numpy()
    return number, np.unique(number, return_index=True)[1]


def _position(level: Hashable, levels: pd.Index) -> int | None:
    return next((position for position, each in enumerate(levels) if each == level), None)


def _pairs(values: _Cell, baseline: _Cell) -> _Cell:
    """Return (value, baseline) of the replications with a value in both cells."""
    return {
        replication: (value, baseline[replication])
        for replication, value in values.items()
        if isfinite(value) and isfinite(baseline.get(replication, nan))
    }


def _within(cells: _Cells, base: int) -> Iterator[_Pairs]:
    """Pairs within each combination of the other factors."""
    for combination, level in sorted(cells):
        if level != base:
            values, baseline = cells[combination, level], cells.get((combination, base), {})
            pairs = _pairs(values, baseline)
            left_out = len(values.keys() | baseline.keys()) - len(pairs)
            yield _Pairs(level, combination, 1, _array(pairs.values()), left_out)


def _pooled(cells: _Cells, base: int) -> Iterator[_Pairs]:
    """Pairs of means over the combinations of the other factors."""
    for level in sorted({level for _, level in cells} - {base}):
        inside = [cell for (_, each), cell in cells.items() if each in (level, base)]
        seen = set().union(*inside)
        paired = [
            _pairs(cell, cells.get((combination, base), {}))
            for (combination, each), cell in cells.items()
            if each == level
        ]
        paired = [pairs for pairs in paired if pairs]
        # A mean over fewer combinations is not comparable.
        whole = [r for r in (paired[0] if paired else ()) if all(r in pairs for pairs in paired)]
        means = [np.mean([pairs[r] for pairs in paired], axis=0) for r in whole]
        yield _Pairs(level, 0, len(paired), _array(means), len(seen) - len(whole))


def _array(pairs: Iterable[ArrayLike]) -> np.ndarray:
    return np.array(list(pairs), dtype=float).reshape(-1, 2)


def _problems(
    frame: pd.DataFrame,
    metric: str,
    factor: str,
    baseline: Hashable,
    others: list[str],
    replication: str,
) -> list[str]:
    names, given = [metric, factor, *others, replication], [factor, *others]
    if problems := column_problems(frame, names, _RESULT, given):
        return problems
    for name in (factor, replication):
        if (blank := frame[name].isna()).any():
            problems.append(f"{name!r} is missing in {rows_text(frame.index[blank])}")
    keys = [*others, factor, replication]
    if (again := frame.duplicated(keys)).any():
        problems.append(
            f"more than one run of the same {', '.join(keys)}, for example in "
            f"{rows_text(frame.index[again])}: are all other factors named?"
        )
    levels = pd.factorize(frame[factor])[1]
    if _position(baseline, levels) is None:
        texts = ", ".join(level_text(level) for level in levels)
        problems.append(f"{factor!r} has no level {baseline!r}; its levels are {texts}")
    elif len(levels) == 1:
        problems.append(
            f"{factor!r} has a single level, {level_text(baseline)}: nothing to compare"
        )
    return problems
