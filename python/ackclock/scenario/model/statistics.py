"""How often a point is run, and what is drawn of the results."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from ackclock.scenario.metric_names import METRIC_NAMES
from ackclock.scenario.model.base import Table
from ackclock.scenario.values.plain import Text, choice, listed, share, whole, word

MOST_REPLICATIONS = 10**6
METRIC = choice(METRIC_NAMES, "name of a metric")
Metrics = Annotated[tuple[str, ...], listed(METRIC, '["goodput_bit_s", "jain_fairness"]')]


def _column_problem(text: str) -> str | None:
    return None if text.strip() else "the name of a column is wanted"


def _file_problem(text: str) -> str | None:
    plain = text.replace("_", "").replace("-", "").replace(".", "")
    if plain.isascii() and plain.isalnum() and text[0] not in ".-" and len(text) <= 100:
        return None
    return "must be a plain file name: letters, digits, and _ - . between them"


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


class Figure(Table):
    """A figure of the results."""

    name: Annotated[str, word("goodput", _file_problem, r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$")] = ""
    """Name of its file, without the ending; made of the columns if it is not given."""
    title: Text = ""
    """Its heading."""
    x: Annotated[str, word("tcp_flavor", _column_problem)]
    """Column of the factor along the x axis."""
    y: Annotated[str, METRIC]
    """Metric along the y axis."""
    series: Annotated[str | None, word("tcp_flavor", _column_problem)] = None
    """Column of the factor with a line for each level."""
    facet: Annotated[str | None, word("tcp_flavor", _column_problem)] = None
    """Column of the factor with a picture for each level."""
    x_scale: Annotated[str, choice(["auto", "linear", "log", "symlog"])] = "auto"
    """Scale of the x axis: "symlog" has a place for 0, "auto" takes it where levels need one."""
    y_scale: Annotated[str, choice(["linear", "log"])] = "linear"
    """Scale of the y axis."""

    @property
    def file_name(self) -> str:
        """Name of the figure's file, without the ending."""
        parts = [self.y, self.x, *(each for each in (self.series, self.facet) if each)]
        return self.name or "-".join(parts)
