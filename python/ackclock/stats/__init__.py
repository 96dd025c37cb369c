"""Statistics of results: intervals, comparisons, trends, fairness, factorial experiments.

Analysis of a CSV file, with its tables for a terminal, is in ``ackclock.stats.anova_csv``.
"""

from ackclock.stats.batch_means import BatchMeans, batch_means
from ackclock.stats.comparison import PairedComparison, compare_levels, holm, paired_comparison
from ackclock.stats.factorial import Effect, FactorialAnalysis, analyse
from ackclock.stats.fairness import efficiency, fairness_index, max_min_shares
from ackclock.stats.intervals import Interval, grouped_intervals, mean_interval
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
