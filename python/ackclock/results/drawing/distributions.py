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
        """Draw the distribution of delays, or of a metric over flows or runs.

        Values that differ in neither series nor facet are pooled; the foot of the figure states the
        pooled factors. RTTs and waiting times are from the recorded replications.

        Args:
            of: kind of values: "queue" (waiting times of packets at a link), "rtt" (RTTs that
                senders measured), "pages", "files", "flows" or "runs".
            y: metric of flows or runs; by default the first that the scenario lists.
            series: column with one line per level: a factor, "flow", "group" or "link".
            facet: column with one panel per level; as ``series``.
            flows: names of the flows; by default all.
            link: name of the link of waiting times; by default the bottleneck.
            complementary: draw the share above each value on a logarithmic axis, to show the tail.
            x_scale: "linear" or "log"; "auto" is "log" for delays.
            title: shown above the figure.

        Raises:
            InputError: a name is unknown, two names cannot be combined, nothing was recorded, or a
                value cannot be drawn on a logarithmic scale.
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
        """Draw boxes of a metric over runs or flows, or of delays, by level of a factor.

        Values that differ in neither x nor series are pooled; the foot of the figure states the
        pooled factors.

        Args:
            x: column with one box per level: a factor, "flow", "group" or "link"; by default the
                first factor.
            y: metric of flows or runs; by default the first that the scenario lists.
            series: column with one colour per level; as ``x``.
            of: kind of values: "runs", "flows", or delays as in ``cdf``.
            flows: names of the flows; by default all.
            link: name of the link of waiting times; by default the bottleneck.
            y_scale: "linear" or "log".
            title: shown above the figure.

        Raises:
            InputError: as in ``cdf``.
        """
        factors = [name for name in self._results.factors if name != series]
        across = x or next(iter(factors), None)
        by = tuple(name for name in (across, series) if name is not None)
        its = samples(self._results, Wanted(of, y, by, flows, link))
        known(y_scale, SCALES, "a scale of y")
        # The waiting time of many packets is 0, which a logarithmic axis cannot show.
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
        """Draw the empirical distribution of the delays of pages in the recorded runs.

        Values that differ in other factors are pooled; the foot of the figure states these factors.

        Args:
            factor: column of a factor with one line per level; by default one line for all runs.
            clock: start of the delay: "open" (the first SYN), "request" (the first request), or
                "no_setup" (all handshakes are left out).
            files: draw the files of ftp clients instead of the pages of web clients.
            x_scale: "linear" or "log".
            title: shown above the figure.

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
