"""Analysis of a full factorial experiment: the variation by factor and by pair of factors.

Source: R. Jain, The Art of Computer Systems Performance Analysis (1991), chapters 21 to 23. The
response is modelled as the overall mean, plus a main effect for each factor's level, plus a
first-order interaction for each pair of levels, plus an error:

    y = mu + A + B + C + ... + AB + AC + BC + ... + e

Deviations: there may be any number of factors. Interactions of three or more factors are never
estimated individually. Without replication they are pooled into the error, as in ATM Forum
98-0876. With replication they are the model's lack of fit. They then stay separate from the
error, unless you request to pool them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import nan, prod, sqrt
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from ackclock.stats.factorial_design import design_problems, finite_numbers
from ackclock.stats.intervals import Interval, two_sided_t

INDIVIDUAL_VALUES = "individual values"
OVERALL_MEAN = "overall mean"
TOTAL_VARIATION = "total variation"
HIGHER_ORDER = "higher-order interactions"
ERROR = "error"


class Effect(NamedTuple):
    """A main effect, in the unit of the response, and the ends of its confidence interval."""

    effect: float
    lo: float
    hi: float


@dataclass(frozen=True, eq=False)
class FactorialAnalysis:
    """The analysis of one response over a full factorial design.

    Attributes:
        factors: names of the factors, in the order given.
        n: number of analysed values.
        replications: number of values per cell (a cell is one combination of levels).
        grand_mean: mean of all values, in the unit of the response.
        total_sum_of_squares: squared deviations from the grand mean, in that unit squared.
        allocation: columns component, sum_of_squares, degrees_of_freedom, percent. Rows: individual
            values, overall mean, total variation; each factor; each pair, written "a:b";
            higher-order interactions if they are separate from the error; error. Percent is the
            share of the total variation: nan in the first two rows, and in all rows if no value
            varies.
        effects: columns factor, level, effect, lo, hi; levels in order of first appearance.
        interactions: columns factor_a, level_a, factor_b, level_b, effect, lo, hi.
        error: the error term behind every interval: "pure" or "pooled".
        standard_error: s_e of one value, in the unit of the response; nan without degrees of
            freedom.
        degrees_of_freedom: degrees of freedom of the error, d_e; 0 if the model has as many terms
            as values.
        confidence: level of every interval, two-sided, for example 0.90.
        t_quantile: the quantile of Student's t that the intervals use; nan if d_e is 0.

    With d_e = 0 no interval can be computed: every lo and hi is nan.
    """

    factors: tuple[str, ...]
    n: int
    replications: int
    grand_mean: float
    total_sum_of_squares: float
    allocation: pd.DataFrame = field(repr=False)
    effects: pd.DataFrame = field(repr=False)
    interactions: pd.DataFrame = field(repr=False)
    error: Literal["pure", "pooled"]
    standard_error: float
    degrees_of_freedom: int
    confidence: float
    t_quantile: float

    def percent(self, *factors: str) -> float:
        """Return the share of a factor or a pair (in any order) in the total variation, percent."""
        names = {":".join(factors), ":".join(reversed(factors))}
        found = self.allocation.loc[self.allocation["component"].isin(names), "percent"]
        if found.empty:
            raise KeyError(f"no component {' or '.join(sorted(names))} in this analysis")
        return float(found.iloc[0])

    def effect(self, factor: str, level: Hashable) -> Effect:
        """Return the main effect of one level of a factor, with its interval."""
        table = self.effects
        found = table[(table["factor"] == factor) & (table["level"] == level)]
        if found.empty:
            raise KeyError(f"no level {level!r} of factor {factor!r} in this analysis")
        return Effect(*(float(found.iloc[0][name]) for name in Effect._fields))

    def grand_mean_interval(self) -> Interval:
        """Return the grand mean and its interval, from the deviation s_e / sqrt(n)."""
        half_width = self.t_quantile * self.standard_error / sqrt(self.n)
        return Interval(
            self.grand_mean, self.grand_mean - half_width, self.grand_mean + half_width, self.n
        )


class _Term(NamedTuple):
    """A main effect (one axis) or an interaction (two axes) for every combination of levels."""

    axes: tuple[int, ...]
    effects: np.ndarray  # shape: the number of levels along each of the axes
    degrees_of_freedom: int
    sum_of_squares: float


def analyse(
    frame: pd.DataFrame,
    response: str,
    factors: Sequence[str],
    confidence: float = 0.90,
    *,
    error: Literal["auto", "pure", "pooled"] = "auto",
    t_quantile: float | None = None,
) -> FactorialAnalysis:
    """Analyse a full factorial experiment with any number of factors and levels.

    Args:
        frame: one row per run; every combination of levels equally often, in any order.
        response: name of the numeric column to explain, in any unit.
        factors: names of the columns that hold the levels.
        confidence: level of every interval, two-sided, for example 0.90.
        error: error term of the intervals. "pure": the variation within cells, with
            d_e = cells * (replications - 1). "pooled": the same together with all interactions of
            three or more factors, d_e = N - 1 - sum(n_A - 1) - sum((n_A - 1)(n_B - 1)). "auto":
            "pure" with replication; "pooled" without, because there is no variation within cells.
        t_quantile: quantile to use instead of the exact one, to reproduce a printed table.

    The deviation behind an interval is s_e sqrt((n_A - 1) / N) for the main effects of a factor
    with n_A levels, and s_e sqrt((n_A - 1)(n_B - 1) / N) for an interaction: N counts all values,
    with their replications.

    The analysis assumes that errors are independent from run to run. If the runs of a replication
    share their random numbers, the common effect of a replication on all cells counts as error
    here, so the intervals of effects and interactions are wider than necessary.

    Raises:
        ValueError: the design is not a full balanced factorial (the message lists all problems
            with the missing or uneven combinations), ``confidence`` is outside (0, 1), or "pure"
            is requested without replication.

    Source: Jain 1991, chapters 21 to 23.
    """
    if problems := design_problems(frame, response, factors):
        raise ValueError("\n".join(problems))
    values, levels = _cells(frame, response, factors)
    replications = values.shape[-1]
    if error not in ("auto", "pure", "pooled"):
        raise ValueError(f'error must be "auto", "pure" or "pooled", not {error!r}')
    if error == "pure" and replications == 1:
        raise ValueError('error="pure" needs replication: every cell holds a single value')
    if error == "auto":
        error = "pure" if replications > 1 else "pooled"

    # Effects do not depend on the origin. One of the values as origin keeps rounding errors small,
    # and makes the effects of a constant response exactly 0.
    origin = values.flat[0]
    deviations = values - origin
    mean = float(deviations.mean())
    terms = _terms(deviations)
    rest = _rest(deviations, terms, error)
    degrees_of_freedom, sum_of_squares = rest[ERROR]
    standard_error = sqrt(sum_of_squares / degrees_of_freedom) if degrees_of_freedom else nan
    quantile = two_sided_t(confidence, degrees_of_freedom)
    if t_quantile is not None and degrees_of_freedom:
        quantile = t_quantile
    scale = quantile * standard_error / sqrt(values.size)  # of an interval, per sqrt(d.f.)
    return FactorialAnalysis(
        factors=tuple(factors),
        n=values.size,
        replications=replications,
        grand_mean=float(origin + mean),
        total_sum_of_squares=float(np.square(deviations - mean).sum()),
        allocation=_allocation(values, deviations - mean, factors, terms, rest),
        effects=_effects(factors, levels, terms, scale),
        interactions=_interactions(factors, levels, terms, scale),
        error=error,
        standard_error=standard_error,
        degrees_of_freedom=degrees_of_freedom,
        confidence=confidence,
        t_quantile=quantile,
    )


def _cells(
    frame: pd.DataFrame, response: str, factors: Sequence[str]
) -> tuple[np.ndarray, list[pd.Index]]:
    """Return values, shape (levels of each factor..., replications), and levels by factor."""
    coded = [pd.factorize(frame[name]) for name in factors]
    levels = [pd.Index(uniques) for _, uniques in coded]
    shape = tuple(len(each) for each in levels)
    cell = np.ravel_multi_index(tuple(codes for codes, _ in coded), shape)
    ordered = finite_numbers(frame[response]).to_numpy()[np.argsort(cell, kind="stable")]
    return ordered.reshape(*shape, -1), levels


def _terms(deviations: np.ndarray) -> list[_Term]:
    """Return all main effects, then all first-order interactions."""
    shape = deviations.shape[:-1]
    cell_means = deviations.mean(axis=-1)
    mean = cell_means.mean()

    def margin(*axes: int) -> np.ndarray:
        return cell_means.mean(axis=tuple(set(range(len(shape))) - set(axes)))

    def term(axes: tuple[int, ...], effects: np.ndarray) -> _Term:
        values_per_level = deviations.size / effects.size
        freedom = prod(shape[axis] - 1 for axis in axes)
        return _Term(axes, effects, freedom, float(values_per_level * np.square(effects).sum()))

    main = [margin(axis) - mean for axis in range(len(shape))]
    pairs = combinations(range(len(shape)), 2)
    return [term((axis,), effects) for axis, effects in enumerate(main)] + [
        term((a, b), margin(a, b) - mean - main[a][:, np.newaxis] - main[b]) for a, b in pairs
    ]


def _rest(
    deviations: np.ndarray, terms: list[_Term], error: Literal["pure", "pooled"]
) -> dict[str, tuple[int, float]]:
    """Return the variation not in the terms: (degrees of freedom, sum of squares) by component."""
    cells, replications = prod(deviations.shape[:-1]), deviations.shape[-1]
    cell_means = deviations.mean(axis=-1)
    fitted = np.full_like(cell_means, cell_means.mean())
    for term in terms:
        others = set(range(fitted.ndim)) - set(term.axes)
        fitted += np.expand_dims(term.effects, tuple(others))
    higher_freedom = cells - 1 - sum(term.degrees_of_freedom for term in terms)
    # Without a degree of freedom the model fits exactly: the remainder is a rounding error.
    higher = replications * float(np.square(cell_means - fitted).sum()) if higher_freedom else 0.0
    within_freedom = cells * (replications - 1)
    within = float(np.square(deviations - cell_means[..., np.newaxis]).sum())
    if error == "pooled":
        return {ERROR: (higher_freedom + within_freedom, higher + within)}
    apart = {HIGHER_ORDER: (higher_freedom, higher)} if higher_freedom else {}
    return apart | {ERROR: (within_freedom, within)}


def _allocation(
    values: np.ndarray,
    deviations: np.ndarray,
    factors: Sequence[str],
    terms: list[_Term],
    rest: dict[str, tuple[int, float]],
) -> pd.DataFrame:
    total = float(np.square(deviations).sum())
    rows = [
        (INDIVIDUAL_VALUES, float(np.square(values).sum()), values.size, nan),
        (OVERALL_MEAN, float(values.size * np.square(values.mean())), 1, nan),
    ]
    explained = [(TOTAL_VARIATION, total, values.size - 1)]
    explained += [
        (
            ":".join(factors[axis] for axis in term.axes),
            term.sum_of_squares,
            term.degrees_of_freedom,
        )
        for term in terms
    ]
    explained += [(name, squares, freedom) for name, (freedom, squares) in rest.items()]
    rows += [
        (name, squares, freedom, 100 * (squares / total) if total else nan)
        for name, squares, freedom in explained
    ]
    columns = ["component", "sum_of_squares", "degrees_of_freedom", "percent"]
    return pd.DataFrame(rows, columns=columns)


def _effects(
    factors: Sequence[str], levels: list[pd.Index], terms: list[_Term], scale: float
) -> pd.DataFrame:
    rows = []
    for term in terms:
        if len(term.axes) == 1:
            axis = term.axes[0]
            half_width = scale * sqrt(term.degrees_of_freedom)
            for level, effect in zip(levels[axis], term.effects.tolist(), strict=True):
                rows.append((factors[axis], level, effect, half_width))
    return _with_intervals(["factor", "level"], rows)


def _interactions(
    factors: Sequence[str], levels: list[pd.Index], terms: list[_Term], scale: float
) -> pd.DataFrame:
    rows = []
    for term in terms:
        if len(term.axes) == 2:
            a, b = term.axes
            half_width = scale * sqrt(term.degrees_of_freedom)
            pairs = product(levels[a], levels[b])
            effects = term.effects.ravel().tolist()
            for (level_a, level_b), effect in zip(pairs, effects, strict=True):
                rows.append((factors[a], level_a, factors[b], level_b, effect, half_width))
    return _with_intervals(["factor_a", "level_a", "factor_b", "level_b"], rows)


def _with_intervals(names: list[str], rows: list[tuple]) -> pd.DataFrame:
    """Return rows that end in an effect and its half-width as a table with lo and hi."""
    # As objects, because whole levels would become fractions in a column with fractions.
    table = pd.DataFrame(rows, columns=[*names, "effect", "half_width"], dtype=object)
    table = table.astype({"effect": float, "half_width": float})
    half_width = table.pop("half_width")
    return table.assign(lo=table["effect"] - half_width, hi=table["effect"] + half_width)
