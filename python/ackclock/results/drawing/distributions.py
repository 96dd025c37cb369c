"""Figures of distributions: as lines, and as boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ackclock.errors import InputError
from ackclock.plots.axes import AUTO, LINEAR, LOG
from ackclock.plots.boxes import Box, boxes
from ackclock.plots.distributions import distributions
from ackclock.plots.sourced import SourcedFigure
from ackclock.results.delay_samples import UNTIL
from ackclock.results.drawing.base import Drawing
from ackclock.results.drawing.means import SCALES
from ackclock.results.drawing.samples import Samples, Wanted, samples
from ackclock.results.names import known
from ackclock.results.pages import CLOCKS
from ackclock.scenario.figure_checks import no_logarithm
from ackclock.scenario.model.figures import FILES, OF_METRICS, PAGES, QUEUE, RUNS


class DistributionDrawing(Drawing):
    """Figures of distributions."""

    def cdf(
        self,
        of: str = QUEUE,
        y: str | None = None,
        series: str | None = None,
        facet: str | None = None,
        *,
        flows: Sequence[str] | None = None,
        link: str | None = None,
        complementary: bool = False,
        x_scale: str = AUTO,
        title: str = "",
    ) -> SourcedFigure:
        """Distribution of delays, or of a metric over flows or runs.

        What differs in neither series nor facet is taken together, and the foot says so. RTTs and
        waiting times are those of the recorded replications.

        Args:
            of: what has a value each: "queue" (packets that waited at a link), "rtt" (RTTs that
                senders measured), "pages", "files", "flows" or "runs".
            y: metric of flows or runs; by default the first that the scenario wants to be shown.
            series: with a line a level: column of a factor, or "flow", "group" or "link".
            facet: the same, with a panel a level.
            flows: names of the flows; by default all.
            link: name of the link of waiting times; by default the bottleneck.
            complementary: draw the share above each value, on a logarithmic axis: the tails.
            x_scale: "linear" or "log"; "auto" is "log" for delays.
            title: above all.

        Raises:
            InputError: a name is unknown, names do not go together, nothing was recorded, or a
                logarithmic scale has no place for a value.
        """
        by = tuple(name for name in (facet, series) if name is not None)
        its = samples(self._results, Wanted(of, y, by, flows, link))
        return self._cdf(
            its,
            series,
            facet,
            x_scale=known(x_scale, (AUTO, *SCALES), "a scale of x"),
            complementary=complementary,
            title=title,
        )

    def box(
        self,
        x: str | None = None,
        y: str | None = None,
        series: str | None = None,
        *,
        of: str = RUNS,
        flows: Sequence[str] | None = None,
        link: str | None = None,
        y_scale: str = LINEAR,
        title: str = "",
    ) -> SourcedFigure:
        """Boxes of a metric over runs or flows, or of delays, by level of a factor.

        What differs in neither x nor series is taken together, and the foot says so.

        Args:
            x: with a box a level: column of a factor, or "flow", "group" or "link"; by default the
                first factor.
            y: metric of flows or runs; by default the first that the scenario wants to be shown.
            series: the same, with a colour a level.
            of: what has a value each: "runs", "flows", or delays as in ``cdf``.
            flows: names of the flows; by default all.
            link: name of the link of waiting times; by default the bottleneck.
            y_scale: "linear" or "log".
            title: above all.

        Raises:
            InputError: as in ``cdf``.
        """
        factors = [name for name in self._results.factors if name != series]
        across = x or next(iter(factors), None)
        by = tuple(name for name in (across, series) if name is not None)
        its = samples(self._results, Wanted(of, y, by, flows, link))
        known(y_scale, SCALES, "a scale of y")
        # Many packets wait for nothing, which a box of a logarithmic axis leaves below it.
        values = () if of == QUEUE else its.frame[UNTIL]
        if reason := no_logarithm(y_scale, values, instead=LINEAR):
            raise InputError(f"{its.column}: {reason}")
        return boxes(
            {
                Box(levels[0] if across else None, levels[-1] if series else None): values
                for levels, values in its.split(by).items()
            },
            y=its.column,
            y_unit=its.unit,
            x=across,
            series=series,
            y_scale=y_scale,
            share=its.share,
            title=title,
            source=self._foot(its, by),
        )

    def pages(
        self,
        factor: str | None = None,
        *,
        clock: str = CLOCKS[0],
        files: bool = False,
        x_scale: str = LOG,
        title: str = "",
    ) -> SourcedFigure:
        """Empirical distribution of the delays of pages in the recorded runs.

        What differs in the other factors is taken together, and the foot says so.

        Args:
            factor: its column, with a line a level; by default one line.
            clock: when the delay begins: "open" (with the first SYN), "request" (with the first
                request), or "no_setup" (all handshakes are left out).
            files: of the files of ftp clients instead of the pages of web clients.
            x_scale: "linear" or "log".
            title: above all.

        Raises:
            InputError: a name is unknown, or no such pages were recorded.
        """
        known(clock, CLOCKS, "a clock of pages")
        known(x_scale, SCALES, "a scale")
        by = (factor,) if factor else ()
        its = samples(self._results, Wanted(FILES if files else PAGES, by=by, clock=clock))
        return self._cdf(its, factor, None, x_scale=x_scale, complementary=False, title=title)

    def _cdf(
        self,
        its: Samples,
        series: str | None,
        facet: str | None,
        *,
        x_scale: str,
        complementary: bool,
        title: str,
    ) -> SourcedFigure:
        by = tuple(name for name in (facet, series) if name is not None)
        scale = (LOG if its.of not in OF_METRICS else LINEAR) if x_scale == AUTO else x_scale

        def key(levels: tuple[Any, ...]) -> Any:
            level = levels[-1] if series else None
            return (levels[0], level) if facet else level

        return distributions(
            {key(levels): values for levels, values in its.split(by).items()},
            x=its.column,
            x_unit=its.unit,
            of=its.of,
            factor=series,
            facet=facet,
            x_scale=scale,
            complementary=complementary,
            title=title,
            source=self._foot(its, by),
        )

    def _foot(self, its: Samples, by: Sequence[str]) -> str:
        source = self._results.source(None, its.replications(by))
        return source + its.note + self._rest(by, its.frame, "taken together")
