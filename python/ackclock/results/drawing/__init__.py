"""``Results.plot``: figures of results.

| module | figures |
|---|---|
| ``means`` | ``lines``, ``comparison``, ``heatmap`` |
| ``distributions`` | ``cdf``, ``box``, ``pages`` |
| ``over_time`` | ``traces``, ``sequence`` |
| ``samples`` | the values of a distribution |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.errors import InputError
from ackclock.results.drawing.base import CONFIDENCE
from ackclock.results.drawing.distributions import DistributionDrawing
from ackclock.results.drawing.means import MeansDrawing
from ackclock.results.drawing.over_time import TimeDrawing
from ackclock.results.names import known
from ackclock.scenario.model.figures import BOX, CCDF, CDF, HEATMAP

if TYPE_CHECKING:
    from ackclock.plots.sourced import SourcedFigure
    from ackclock.scenario.model.figures import Figure


class Plots(MeansDrawing, DistributionDrawing, TimeDrawing):
    """Figures of results. The foot and the file's metadata of each figure name its source.

    Args:
        results: results of a campaign.
    """

    @property
    def names(self) -> list[str]:
        """Return the names of the figures that the scenario describes."""
        return list(self._results.figures)

    def figure(self, name: str | None = None) -> SourcedFigure:
        """Draw a figure that the scenario describes in [[figures]].

        Args:
            name: name of the figure; may be left out if there is only one.

        Raises:
            InputError: there is no such figure.
        """
        figures = self._results.figures
        if not figures:
            raise InputError("the scenario has no [[figures]]; name x and y instead")
        wanted = self.names[0] if name is None and len(figures) == 1 else name
        its = figures[known(wanted, self.names, "a figure of the scenario")]
        return self.described(its, title=its.title)

    def described(
        self, its: Figure, *, title: str = "", confidence: float = CONFIDENCE
    ) -> SourcedFigure:
        """Draw a figure of any kind that a scenario can describe.

        Args:
            its: keys of the figure; the method of each kind documents the defaults.
            title: shown above the figure.
            confidence: level of the intervals, if the figure shows any, for example 0.95.

        Raises:
            InputError: as the method of the figure's kind.
        """
        if its.kind == BOX:
            return self.box(
                its.x,
                its.y,
                its.series,
                of=its.values_of,
                flows=its.flows,
                link=its.link,
                y_scale=its.y_scale,
                title=title,
            )
        if its.kind == HEATMAP:
            return self.heatmap(its.x, its.y, its.series, y_scale=its.y_scale, title=title)
        if its.kind in (CDF, CCDF):
            return self.cdf(
                its.values_of,
                its.y,
                its.series,
                its.facet,
                flows=its.flows,
                link=its.link,
                complementary=its.kind == CCDF,
                x_scale=its.x_scale,
                title=title,
            )
        return self.lines(
            its.x,
            its.y,
            its.series,
            its.facet,
            its.x_scale,
            its.y_scale,
            title=title,
            confidence=confidence,
        )
