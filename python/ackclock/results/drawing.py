"""``Results.plot``: figures of results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from ackclock.errors import InputError
from ackclock.plots.axes import AUTO, LINEAR, LOG, SYMLOG
from ackclock.plots.differences import differences
from ackclock.plots.distributions import distributions
from ackclock.plots.means import Scales, means
from ackclock.plots.quantities import level_texts, quantity, sentence, words
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.windows import Panel, windows
from ackclock.results.cells import BACK
from ackclock.results.frames import REPLICATION
from ackclock.results.names import known
from ackclock.results.no_value import no_value
from ackclock.results.pages import CLOCKS
from ackclock.results.records import delay_column
from ackclock.results.summaries import averages, is_share
from ackclock.scenario.compile.facts import FILES, WEB
from ackclock.scenario.figures import no_logarithm

if TYPE_CHECKING:
    from ackclock.results.results import Point, Results

_CONFIDENCE = 0.95
_MOST_FLOWS = 8
SCALES = (LINEAR, LOG)
X_SCALES = (AUTO, LINEAR, LOG, SYMLOG)


class Plots:
    """Figures of results. Each says at its foot, and in its file's metadata, what produced it.

    Args:
        results: of a campaign.
    """

    def __init__(self, results: Results) -> None:
        self._results = results

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
        return self.lines(
            its.x, its.y, its.series, its.facet, its.x_scale, its.y_scale, title=its.title
        )

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
        confidence: float = _CONFIDENCE,
    ) -> SourcedFigure:
        """Means with their intervals against a factor.

        What differs in none of x, series and facet is averaged over, and the foot says so.

        Args:
            x: column of the factor along the axis; by default the first.
            y: metric; by default the first that the scenario wants to be shown.
            series: column of the factor with a line a level.
            facet: column of the factor with a panel a level.
            x_scale: "linear", "log" or "symlog" (logarithmic with a place for 0); "auto" is
                "symlog" if the levels are 0 and others that span a decade, else "linear".
            y_scale: "linear" or "log".
            title: above all.
            confidence: of the intervals.

        Raises:
            InputError: a name is unknown or stands twice, the metric has no value, or a logarithmic
                scale has no place for one.
        """
        its = self._results
        if not its.factors:
            raise InputError("there is no factor to draw against: the scenario has no [sweep]")
        axis = its.factors[0] if x is None else x
        metric = known(its.shown_metrics[0] if y is None else y, its.measured, "a metric")
        used = [name for name in (axis, series, facet) if name is not None]
        for name in used:
            known(name, its.factors, "a factor")
        if len(set(used)) < len(used):
            raise InputError(f"{', '.join(used)}: name different factors for x, series and facet")
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
        rest = [name for name in its.factors if name not in used]
        rest = [name for name in rest if its.metrics[name].nunique() > 1]
        source = its.source(confidence, table["n"].tolist(), table)
        if rest:
            source += f" · averaged over {', '.join(words(quantity(name).name) for name in rest)}"
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
            source=source,
        )

    def traces(
        self,
        flows: Sequence[str] | None = None,
        *,
        vcs: Sequence[str] | None = None,
        point: Point | Sequence[Point] = None,
        replication: int = 0,
        link: str | None = None,
        from_s: float | None = None,
        to_s: float | None = None,
        title: str = "",
    ) -> SourcedFigure:
        """Congestion windows, rates of senders and VCs, and the queue of a link on one time axis.

        Above each panel stand the levels of its point and the replication.

        Args:
            flows: their names; by default the first whose cwnd or rates were recorded.
            vcs: names of ABR VCs; by default the first that were recorded and go with the data.
            point: as in ``Results.trace``; or several, for a panel each.
            replication: number of the replication.
            link: name of the link; by default the bottleneck.
            from_s: where the time axis begins; by default at 0.
            to_s: where it ends; by default at the end of the run.
            title: above all.

        Raises:
            InputError: a name is unknown, there is no such run, nothing was recorded in it, or the
                times are no part of it.
        """
        its = self._results
        several = isinstance(point, list | tuple)
        points = [its.point(each) for each in (point if several else [point])]
        wanted = _Wanted(flows, vcs, link)
        for each in points:
            its.records.check_run(each, replication)
        panels = [self._panel(each, wanted, replication) for each in points]
        if all(panel.empty for panel in panels):
            removed = (its.records.removed(each, replication) for each in points)
            raise InputError(
                next(filter(None, removed), "")
                or its.records.nothing_over_time(points, replication)
            )
        times = [its.records.times(each) for each in points]
        span = _span(from_s, to_s, max(time.end_s for time in times))
        seed = its.campaign.design.seed(points[0], replication)
        source = its.source(None, [1]).replace("n = 1", f"replication {replication}: {seed}")
        return windows(
            [panel.between(*span) for panel in panels],
            start_s=span[0],
            end_s=span[1],
            warm_up_s=max(time.warm_up_s for time in times),
            title=title,
            source=source,
        )

    def pages(
        self,
        factor: str | None = None,
        *,
        clock: str = CLOCKS[0],
        files: bool = False,
        x_scale: str = "log",
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
        its = self._results
        known(clock, CLOCKS, "a clock of pages")
        known(x_scale, SCALES, "a scale")
        if factor is not None:
            known(factor, its.factors, "a factor")
        rows = its.pages[its.pages["workload"].isin(FILES if files else WEB)]
        if rows.empty:
            raise InputError(f"no {'file' if files else 'page'} was completed in a recorded run")
        column = delay_column(clock)
        groups = rows.groupby(factor, sort=False) if factor else [(None, rows)]
        rest = [name for name in its.factors if name != factor and rows[name].nunique() > 1]
        counts = [group.groupby([REPLICATION]).ngroups for _, group in groups]
        source = its.source(None, counts)
        if rest:
            source += f" · taken together: {', '.join(words(quantity(name).name) for name in rest)}"
        return distributions(
            {level: group[column].to_numpy() for level, group in groups},
            x=column.replace("page", "file") if files else column,
            of="files" if files else "pages",
            factor=factor,
            x_scale=x_scale,
            title=title,
            source=source,
        )

    def comparison(
        self,
        factor: str,
        baseline: Any = None,
        metric: str = "goodput_bit_s",
        *,
        pooled: bool = False,
        confidence: float = _CONFIDENCE,
    ) -> SourcedFigure:
        """Differences from a baseline with their intervals; see ``Results.compare``.

        Thick: the paired interval of one difference; thin: wide enough that all of them hold
        together with the confidence.
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

    def _panel(self, point: int, wanted: _Wanted, replication: int) -> Panel:
        its, records = self._results, self._results.records
        levels = its.campaign.design.points[point].levels
        parts = [
            f"{quantity(column).name}: {text}"
            for column, level in levels.items()
            for text in level_texts(column, [level])
        ]
        name = sentence("; ".join([*parts, f"replication {replication}"]))
        acr, link, queue = {}, "", pd.DataFrame()
        cwnd, senders = self._senders(point, wanted.flows, replication)
        if wanted.vcs is not None:
            acr = {vc: records.acr(vc, point, replication) for vc in wanted.vcs}
        elif records.has("acr", point, replication):
            table = records.table("acr", point, replication)
            data = [vc for vc in table["vc"].cat.categories if not vc.endswith(BACK)]
            acr = _by_name(table[table["vc"].isin(data)], "vc")
        facts = records.facts(point)
        # Without a bottleneck a link must be named, unless there is something else to see.
        other = cwnd or senders or acr
        described = wanted.link or not other or facts["bottleneck_link"] is not None
        if wanted.link is not None or (described and records.has("queue", point, replication)):
            link, queue = records.queue(wanted.link, point, replication)
        return Panel(
            name,
            cwnd,
            queue,
            its.unit_of("max_queue"),
            records.seconds_of_one(link, point) if link else None,
            acr,
            link if acr else "",
            senders,
        )

    def _senders(
        self, point: int, flows: Sequence[str] | None, replication: int
    ) -> tuple[dict[str, pd.DataFrame], dict[str, pd.DataFrame]]:
        """Windows of some flows, and how their senders stood, if that was recorded."""
        records = self._results.records
        has_cwnd, has_senders = (
            records.has(table, point, replication) for table in ("cwnd", "transport")
        )
        if flows is None:
            cwnd, senders = (
                _by_name(records.table(table, point, replication), "flow") if is_there else {}
                for table, is_there in (("cwnd", has_cwnd), ("transport", has_senders))
            )
            return cwnd, senders
        senders = (
            {flow: records.transport(flow, point, replication) for flow in flows}
            if has_senders
            else {}
        )
        if has_senders and not has_cwnd:
            return {}, senders
        return {flow: records.flow(flow, point, replication).cwnd for flow in flows}, senders


def _span(from_s: float | None, to_s: float | None, end_s: float) -> tuple[float, float]:
    """Where a time axis begins and ends, s.

    Raises:
        InputError: not in this order, or not within the run.
    """
    start, end = 0.0 if from_s is None else from_s, end_s if to_s is None else to_s
    if 0 <= start < end <= end_s:
        return start, end
    raise InputError(
        f"from {start:g} s to {end:g} s is no part of a run of {end_s:g} s; give for example from"
        f" {end_s / 4:g} s to {end_s / 2:g} s"
    )


class _Wanted(NamedTuple):
    """What a figure over time is asked to show; nothing where the first are meant.

    Attributes:
        flows: names of flows.
        vcs: names of VCs.
        link: name of a link.
    """

    flows: Sequence[str] | None
    vcs: Sequence[str] | None
    link: str | None


def _by_name(table: pd.DataFrame, column: str) -> dict[str, pd.DataFrame]:
    """The rows of the first things in a table, by their names."""
    groups = table.groupby(column, observed=True)
    return {str(name): rows for name, rows in islice(groups, _MOST_FLOWS)}
