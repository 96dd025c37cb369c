"""Figures of means: lines with intervals, differences from a baseline, a heat map."""

from __future__ import annotations

from typing import Any

from ackclock.errors import InputError
from ackclock.plots.axes import AUTO, LINEAR, LOG, SYMLOG
from ackclock.plots.differences import differences
from ackclock.plots.heatmap import heat_map
from ackclock.plots.means import Scales, means
from ackclock.plots.sourced import SourcedFigure
from ackclock.plurals import listed
from ackclock.results.drawing.base import CONFIDENCE, Drawing
from ackclock.results.names import known
from ackclock.results.no_value import no_value
from ackclock.results.summaries import averages, is_share
from ackclock.scenario.figure_checks import no_logarithm

SCALES = (LINEAR, LOG)
X_SCALES = (AUTO, LINEAR, LOG, SYMLOG)


class MeansDrawing(Drawing):
    """Figures of means."""

    def lines(
        self,
        x: str | None = None,
        y: str | None = None,
        series: str | None = None,
        facet: str | None = None,
        x_scale: str = AUTO,
        y_scale: str = LINEAR,
        *,
        title: str = "",
        confidence: float = CONFIDENCE,
    ) -> SourcedFigure:
        """Draw means with their intervals against a factor.

        Values that differ in none of x, series and facet are averaged; the foot of the figure
        states the factors.

        Args:
            x: column of the factor along the axis; by default the first.
            y: metric; by default the first that the scenario lists.
            series: column of the factor with one line per level.
            facet: column of the factor with one panel per level.
            x_scale: "linear", "log" or "symlog" (logarithmic, but also shows 0); "auto" is
                "symlog" if one level is 0 and the others span a decade, else "linear".
            y_scale: "linear" or "log".
            title: shown above the figure.
            confidence: level of the two-sided intervals, for example 0.95.

        Raises:
            InputError: a name is unknown or given twice, the metric has no value, or a value cannot
                be drawn on a logarithmic scale.
        """
        its = self._results
        axis, metric, used = self._names(x, y, series=series, facet=facet)
        known(x_scale, X_SCALES, "a scale of x")
        known(y_scale, SCALES, "a scale of y")
        table = averages(its.metrics, used, metric, confidence)
        if reason := no_value(its, metric, table["mean"]):
            raise InputError(reason)
        problems = {
            axis: no_logarithm(x_scale, table[axis], instead=SYMLOG),
            metric: no_logarithm(y_scale, table["mean"], instead=LINEAR),
        }
        if any(problems.values()):
            raise InputError(f"{name}: {reason}" for name, reason in problems.items() if reason)
        source = its.source(confidence, table["n"].tolist(), table)
        return means(
            table,
            x=axis,
            y=metric,
            y_unit=its.unit_of(metric),
            series=series,
            facet=facet,
            scales=Scales(x_scale, y_scale),
            share=is_share(metric),
            title=title,
            source=source + self._rest(used, its.metrics, "averaged over"),
        )

    def heatmap(
        self,
        x: str | None = None,
        y: str | None = None,
        series: str | None = None,
        *,
        y_scale: str = LINEAR,
        title: str = "",
    ) -> SourcedFigure:
        """Draw means of a metric over two factors, one cell per combination of levels.

        The other factors are averaged over, and the foot of the figure states it.

        Args:
            x: column of the factor along the axis; by default the first with several levels that
                is not ``series``.
            y: metric; by default the first that the scenario lists.
            series: column of the factor with one row per level; by default the next.
            y_scale: scale of the colours, "linear" or "log".
            title: shown above the figure.

        Raises:
            InputError: a name is unknown or given twice, there are fewer than two factors, the
                metric has no value, or a value cannot be drawn on a logarithmic scale.
        """
        its = self._results
        varied = [name for name in its.factors if its.metrics[name].nunique() > 1]
        free = iter([name for name in varied if name not in (x, series)])
        across, rows = x or next(free, None), series or next(free, None)
        if across is None or rows is None:
            some = f"only {varied[0]}" if varied else "none"
            raise InputError(
                f"a heat map needs two factors with several levels, and there is {some}; add one to"
                " [sweep.factors]"
            )
        across, metric, used = self._names(across, y, series=rows)
        known(y_scale, SCALES, "a scale of colours")
        table = averages(its.metrics, used, metric, CONFIDENCE)
        if reason := no_value(its, metric, table["mean"]):
            raise InputError(reason)
        if reason := no_logarithm(y_scale, table["mean"], instead=LINEAR):
            raise InputError(f"{metric}: {reason}")
        source = its.source(None, table["n"].tolist())
        averaged = self._rest(used, its.metrics, "averaged over")
        return heat_map(
            table,
            x=across,
            y=rows,
            metric=metric,
            unit=its.unit_of(metric),
            scale=y_scale,
            title=title,
            source=f"{source} · means over the replications{averaged}",
        )

    def comparison(
        self,
        factor: str,
        baseline: Any = None,
        metric: str = "goodput_bit_s",
        *,
        pooled: bool = False,
        confidence: float = CONFIDENCE,
    ) -> SourcedFigure:
        """Draw differences from a baseline with their intervals; see ``Results.compare``.

        A thick bar is the paired interval of one difference. The thin bars are the simultaneous
        intervals, which all hold together with the given confidence.
        """
        its = self._results
        table = its.compare(factor, baseline, metric, pooled=pooled, confidence=confidence)
        others = [] if pooled else [name for name in its.factors if name != factor]
        others = [name for name in others if its.metrics[name].nunique() > 1]
        source = its.source(confidence, table["n"].tolist())
        source += " · paired differences; thin: simultaneous intervals"
        return differences(
            table,
            metric=metric,
            unit=its.unit_of(metric),
            factor=factor,
            others=others,
            source=source,
        )

    def _names(
        self, x: str | None, y: str | None, **more: str | None
    ) -> tuple[str, str, list[str]]:
        """Return the factor of the axis, the metric, and all factors that the figure separates.

        Raises:
            InputError: there is no such metric or factor, or a factor is named twice.
        """
        its = self._results
        if not its.factors:
            raise InputError("there is no factor to draw against: the scenario has no [sweep]")
        axis = its.factors[0] if x is None else x
        metric = known(its.shown_metrics[0] if y is None else y, its.measured, "a metric")
        used = [name for name in (axis, *more.values()) if name is not None]
        for name in used:
            known(name, its.factors, "a factor")
        if len(set(used)) < len(used):
            which = listed(["x", *more])
            raise InputError(f"{', '.join(used)}: name different factors for {which}")
        return axis, metric, used
