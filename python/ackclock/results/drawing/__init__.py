"""``Results.plot``: figures of results.

| module | figures |
|---|---|
| ``means`` | ``lines``, ``comparison``, ``heatmap`` |
| ``distributions`` | ``cdf``, ``box``, ``pages`` |
| ``over_time`` | ``traces``, ``sequence`` |
| ``samples`` | the values of which a distribution is drawn |
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
    """Figures of results. Each says at its foot, and in its file's metadata, what produced it.

    Args:
        results: of a campaign.
    """

    @property
    def names(self) -> list[str]:
        """The figures that the scenario describes."""
        return list(self._results.figures)

    def figure(self, name: str | None = None) -> SourcedFigure:
        """A figure that the scenario describes in [[figures]].

        Args:
            name: its name; not needed if there is one.

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
        """A figure of any kind that a scenario may describe.

        Args:
            its: its keys; the methods of the kinds say what holds without one.
            title: above all.
            confidence: of the intervals, if it shows some.

        Raises:
            InputError: as the method of its kind.
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
