"""Figures of one run over time: windows, rates and queues; the time-sequence diagram."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from ackclock.errors import InputError
from ackclock.plots.quantities import level_texts, quantity, sentence
from ackclock.plots.sequence import Axis, time_sequence
from ackclock.plots.sourced import SourcedFigure
from ackclock.plots.windows import Panel, windows
from ackclock.results.cells import BACK
from ackclock.results.delay_samples import DELAYS, delays_of
from ackclock.results.drawing.base import Drawing
from ackclock.results.names import known
from ackclock.results.rerun import rerun
from ackclock.scenario.model.figures import RTT

if TYPE_CHECKING:
    from ackclock.results.results import Point, Results

_MOST_FLOWS = 8
SEGMENTS = "segments"
"""The table of the segments that a sender sent and received."""


class TimeDrawing(Drawing):
    """Figures of the records of a run."""

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
        """Draw congestion windows, rates of senders and VCs, and a queue on one time axis.

        The heading of each panel gives the levels of its point and the replication.

        Args:
            flows: names of flows; by default the first whose cwnd or rates were recorded.
            vcs: names of ABR VCs; by default the first recorded in the direction of the data.
            point: as in ``Results.trace``; or several points, with one panel per point.
            replication: number of the replication.
            link: name of the link; by default the bottleneck.
            from_s: start of the time axis, s; by default 0.
            to_s: end of the time axis, s; by default the end of the run.
            title: shown above the figure.

        Raises:
            InputError: a name is unknown, there is no such run, nothing was recorded in it, or the
                times are outside the run.
        """
        its = self._results
        several = isinstance(point, list | tuple)
        points = [its.point(each) for each in (point if several else [point])]
        # The percentiles of the RTTs cover the whole run.
        wanted = _Wanted(flows, vcs, link, whole=from_s is None and to_s is None)
        for each in points:
            its.records.check_run(each, replication)
        panels = [self._panel(each, wanted, replication) for each in points]
        if all(panel.empty for panel in panels):
            removed = (its.records.removed(each, replication) for each in points)
            raise InputError(next(filter(None, removed), "") or self._nothing(points, replication))
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

    def sequence(
        self,
        flow: str | None = None,
        *,
        connection: int | None = None,
        point: Point = None,
        replication: int = 0,
        from_s: float | None = None,
        to_s: float | None = None,
        segments: bool = False,
        title: str = "",
    ) -> SourcedFigure:
        """Draw the time-sequence diagram of a connection at its sender, with tcptrace's signs.

        Data are drawn at the time of sending; ACKs, SACKs and the receive window at their arrival.

        Args:
            flow: name of the flow; by default the first with recorded segments.
            connection: number of the connection of the flow, from 0; by default the first with data
                in the drawn time.
            point: as in ``Results.trace``.
            replication: number of the replication.
            from_s: start of the time axis, s; by default 0.
            to_s: end of the time axis, s; by default the end of the run.
            segments: scale the axis in segments of the largest size instead of bytes.
            title: title in the file's metadata; by default it names the flow.

        Raises:
            InputError: a name is unknown, there is no such run, nothing was recorded in it, or the
                times are outside the run.
        """
        its, records = self._results, self._results.records
        number = its.point(point)
        records.check_run(number, replication)
        span = _span(from_s, to_s, records.times(number).end_s)
        names = [flow] if flow else list(records.facts(number)["flow_names"])
        if not records.has(SEGMENTS, number, replication):
            raise InputError(self._no_segments(names[0], number, replication))
        found = ((name, records.segments(name, number, replication)) for name in names)
        chosen, rows = next(((name, rows) for name, rows in found if not rows.empty), ("", None))
        if rows is None:
            raise InputError(self._no_segments(names[0], number, replication))
        at, rows = _connection_of(rows, connection, span, chosen)
        data = rows[rows["kind"] == "data"]
        size = int((data["high"] - data["low"]).max()) if segments and len(data) else None
        which = f"{chosen}, connection {at}" if at or connection is not None else chosen
        seed = its.campaign.design.seed(number, replication)
        source = its.source(None, [1]).replace("n = 1", f"replication {replication}: {seed}")
        return time_sequence(
            rows,
            axis=Axis(*span, size),
            name=f"{which}; {self._run_name(number, replication)}",
            title=title or f"Time-sequence diagram of {which}",
            source=source,
        )

    def _no_segments(self, flow: str, point: int, replication: int) -> str:
        """Return a message why a flow has no diagram, and how to record it."""
        known(flow, self._results.records.facts(point)["flow_names"], "a flow")
        recorded = self._results.records.replications(point, SEGMENTS)
        if recorded and replication not in recorded:
            return (
                f"the segments were not recorded in replication {replication} of point {point}, but"
                f" in {', '.join(map(str, recorded))};"
                " [probes] replications sets the number of recorded replications"
            )
        probes = {"segments": json.dumps([flow])}
        return (
            f"the segments of {flow} were not recorded at point {point}; set [probes] segments ="
            f" {probes['segments']} and {rerun(self._results.campaign, probes)}"
        )

    def _nothing(self, points: Sequence[int], replication: int) -> str:
        """Return a message why nothing over time was recorded, and how to record it."""
        said = self._results.records.nothing_over_time(points, replication)
        again = rerun(self._results.campaign, {"cwnd": "all", "queue": "10 ms"})
        return said.replace("run it again", again)

    def _run_name(self, point: int, replication: int) -> str:
        """The heading of a run: its levels and replication, with "; " where it may be wrapped."""
        parts = [
            f"{quantity(column).name}: {text}"
            for column, level in self._results.campaign.design.points[point].levels.items()
            for text in level_texts(column, [level])
        ]
        return sentence("; ".join([*parts, f"replication {replication}"]))

    def _panel(self, point: int, wanted: _Wanted, replication: int) -> Panel:
        its, records = self._results, self._results.records
        name = self._run_name(point, replication) + wanted.rtt(its, point, replication)
        acr, link, queue = {}, "", pd.DataFrame()
        cwnd, senders = self._senders(point, wanted.flows, replication)
        if wanted.vcs is not None:
            acr = {vc: records.acr(vc, point, replication) for vc in wanted.vcs}
        elif records.has("acr", point, replication):
            table = records.table("acr", point, replication)
            data = [vc for vc in table["vc"].cat.categories if not vc.endswith(BACK)]
            acr = _by_name(table[table["vc"].isin(data)], "vc")
        facts = records.facts(point)
        # Without a bottleneck you must name a link, unless windows or rates can be drawn.
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
        """Return the windows of some flows, and the transport records of their senders, if any."""
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
        if not has_cwnd and (has_senders or records.has("goodput", point, replication)):
            return {}, senders
        return {flow: records.flow(flow, point, replication).cwnd for flow in flows}, senders


def _connection_of(
    rows: pd.DataFrame, connection: int | None, span: tuple[float, float], flow: str
) -> tuple[int, pd.DataFrame]:
    """Return the number and the rows of one connection of a flow.

    Raises:
        InputError: there is no such connection, or it has no rows in this time.
    """
    numbers = sorted(int(each) for each in rows["connection"].unique())
    if connection is not None and connection not in numbers:
        some = f"0 to {numbers[-1]}" if len(numbers) > 1 else "only 0"
        raise InputError(f"connection {connection} of {flow} does not exist; there is {some}")
    seen = rows[(rows["time_s"] >= span[0]) & (rows["time_s"] <= span[1])]
    within = set(seen["connection"])
    wanted = numbers if connection is None else [connection]
    chosen = next((each for each in wanted if each in within), None)
    if chosen is None:
        first, last = rows["time_s"].min(), rows["time_s"].max()
        raise InputError(
            f"{flow} sent and received nothing from {span[0]:g} s to {span[1]:g} s; it did from"
            f" {first:.4g} s to {last:.4g} s"
        )
    return chosen, rows[rows["connection"] == chosen]


def _span(from_s: float | None, to_s: float | None, end_s: float) -> tuple[float, float]:
    """Return start and end of a time axis, s.

    Raises:
        InputError: the start is not before the end, or they are not within the run.
    """
    start, end = 0.0 if from_s is None else from_s, end_s if to_s is None else to_s
    if 0 <= start < end <= end_s:
        return start, end
    raise InputError(
        f"from {start:g} s to {end:g} s is not within a run of {end_s:g} s; give for example from"
        f" {end_s / 4:g} s to {end_s / 2:g} s"
    )


class _Wanted(NamedTuple):
    """Contents of a figure over time; none stands for the first flows, VCs or link.

    Attributes:
        flows: names of flows.
        vcs: names of VCs.
        link: name of a link.
        whole: whether the whole run is drawn.
    """

    flows: Sequence[str] | None
    vcs: Sequence[str] | None
    link: str | None
    whole: bool

    def rtt(self, results: Results, point: int, replication: int) -> str:
        """Return the RTT percentiles of these flows for a heading; empty if they are unknown."""
        if not self.whole or not results.records.has(DELAYS, point, replication):
            return ""
        its = delays_of(results.records, point, replication, RTT, self.flows)
        if not its.total:
            return ""
        percents = {"median": 50, "95 %": 95, "99 %": 99}
        values = {name: its.percentile(percent) for name, percent in percents.items()}
        shown = quantity("rtt_s", values["median"])
        texts = [f"{name} {value / shown.scale:.3g}" for name, value in values.items()]
        return f"; RTT ({shown.unit}): {', '.join(texts)}"


def _by_name(table: pd.DataFrame, column: str) -> dict[str, pd.DataFrame]:
    """Return the rows of the first flows or VCs in a table, by name."""
    groups = table.groupby(column, observed=True)
    return {str(name): rows for name, rows in islice(groups, _MOST_FLOWS)}
