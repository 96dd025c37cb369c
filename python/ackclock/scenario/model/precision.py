"""How often a point is run, and the metrics that are named for it."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from ackclock.scenario.metric_names import METRIC_NAMES
from ackclock.scenario.model.base import Table
from ackclock.scenario.values.plain import choice, listed, share, whole

MOST_REPLICATIONS = 10**6
METRIC = choice(METRIC_NAMES, "name of a metric")
Metrics = Annotated[tuple[str, ...], listed(METRIC, '["goodput_bit_s", "jain_fairness"]')]


class Precision(Table):
    """Instead of `replications`: a point is run until the intervals are narrow enough."""

    target: Annotated[Fraction, share('"5 %"', zero=False, one=False)]
    """Half-width of the interval as a share of the mean that every metric here must reach."""
    metrics: Metrics
    """The metrics that are meant."""
    confidence: Annotated[Fraction, share("0.95", zero=False, one=False)] = Fraction(95, 100)
    """Confidence of the intervals."""
    minimum: Annotated[int, whole(2, MOST_REPLICATIONS, 5)] = 5
    """Replications of every point at least."""
    maximum: Annotated[int, whole(2, MOST_REPLICATIONS, 100)] = 100
    """Replications of a point at most."""
