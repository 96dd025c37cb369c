"""How often a point is run, and the metrics that are named for it."""

from fractions import Fraction
from typing import Annotated

from ackclock.scenario.metric_names import METRIC_NAMES
from ackclock.scenario.model.base import Table
from ackclock.scenario.values.plain import choice, listed, share, whole

MOST_REPLICATIONS = 10**6
METRIC = choice(METRIC_NAMES, "name of a metric")
Metrics = Annotated[tuple[str, ...], listed(METRIC, '["goodput_bit_s", "jain_fairness"]')]


class Precision(Table):
    """Use instead of `replications`: each point is run until its intervals are narrow enough."""

    target: Annotated[Fraction, share('"5 %"', zero=False, one=False)]
    """Largest half-width of the confidence interval of each of these metrics, as a share of the
    mean.
    """
    metrics: Metrics
    """Metrics whose intervals must reach the target."""
    confidence: Annotated[Fraction, share("0.95", zero=False, one=False)] = Fraction(95, 100)
    """Confidence level of the intervals."""
    minimum: Annotated[int, whole(2, MOST_REPLICATIONS, 5)] = 5
    """Smallest number of replications of a point."""
    maximum: Annotated[int, whole(2, MOST_REPLICATIONS, 100)] = 100
    """Largest number of replications of a point."""
