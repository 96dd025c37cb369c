"""Statistics of results: intervals, comparisons, trends, fairness, factorial experiments.

Analysis of a CSV file, with its tables for a terminal, is in ``ackclock.stats.anova_csv``.
Names are imported at their first use, so that an interval does not load pandas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.late_names import late_names

if TYPE_CHECKING:
    from ackclock.stats.batches import BatchMeans, batch_means
    from ackclock.stats.comparison import PairedComparison, compare_levels, holm, paired_comparison
    from ackclock.stats.factorial import Effect, FactorialAnalysis, analyse
    from ackclock.stats.fairness import efficiency, fairness_index, max_min_shares
    from ackclock.stats.intervals import (
        Interval,
        Intervals,
        grouped_intervals,
        intervals_in_order,
        mean_interval,
    )
    from ackclock.stats.precision import more_replications, relative_half_width
    from ackclock.stats.quantiles import QuantileInterval, quantile_interval
    from ackclock.stats.ratios import ratio_interval
    from ackclock.stats.sharing import convergence, windowed_fairness
    from ackclock.stats.trends import Trend, grouped_trends, linear_trend
    from ackclock.stats.warmup import mser5

__all__ = [
    "BatchMeans",
    "Effect",
    "FactorialAnalysis",
    "Interval",
    "Intervals",
    "PairedComparison",
    "QuantileInterval",
    "Trend",
    "analyse",
    "batch_means",
    "compare_levels",
    "convergence",
    "efficiency",
    "fairness_index",
    "grouped_intervals",
    "grouped_trends",
    "holm",
    "intervals_in_order",
    "linear_trend",
    "max_min_shares",
    "mean_interval",
    "more_replications",
    "mser5",
    "paired_comparison",
    "quantile_interval",
    "ratio_interval",
    "relative_half_width",
    "windowed_fairness",
]

_HOMES = {
    "BatchMeans": "batches",
    "Effect": "factorial",
    "FactorialAnalysis": "factorial",
    "Interval": "intervals",
    "Intervals": "intervals",
    "PairedComparison": "comparison",
    "QuantileInterval": "quantiles",
    "Trend": "trends",
    "analyse": "factorial",
    "batch_means": "batches",
    "compare_levels": "comparison",
    "convergence": "sharing",
    "efficiency": "fairness",
    "fairness_index": "fairness",
    "grouped_intervals": "intervals",
    "grouped_trends": "trends",
    "holm": "comparison",
    "intervals_in_order": "intervals",
    "linear_trend": "trends",
    "max_min_shares": "fairness",
    "mean_interval": "intervals",
    "more_replications": "precision",
    "mser5": "warmup",
    "paired_comparison": "comparison",
    "quantile_interval": "quantiles",
    "ratio_interval": "ratios",
    "relative_half_width": "precision",
    "windowed_fairness": "sharing",
}


__getattr__ = late_names(__name__, _HOMES)
