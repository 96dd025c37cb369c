"""Statistics of results: intervals, fairness and the analysis of factorial experiments.

Analysis of a CSV file, with its tables for a terminal, is in ``ackclock.stats.anova_csv``.
"""

from ackclock.stats.factorial import Effect, FactorialAnalysis, analyse
from ackclock.stats.fairness import efficiency, fairness_index, max_min_shares
from ackclock.stats.intervals import Interval, grouped_intervals, mean_interval

__all__ = [
    "Effect",
    "FactorialAnalysis",
    "Interval",
    "analyse",
    "efficiency",
    "fairness_index",
    "grouped_intervals",
    "max_min_shares",
    "mean_interval",
]
