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
"""The table of what a sender sent and received, segment by segment."""


class TimeDrawing(Drawing):
    """Figures of what probes recorded in a run."""

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
        # Their percentiles are of the whole run.
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
        """Time-sequence diagram of a connection as its sender sees it, with tcptrace's signs.

        Data when it is sent, ACKs, SACKs and the receive window when they arrive.

        Args:
            flow: its name; by default the first of which this was recorded.
            connection: number of the connection of the flow, from 0; by default the first that
                has data in the time that is drawn.
            point: as in ``Results.trace``.
            replication: number of the replication.
            from_s: where the time axis begins; by default at 0.
            to_s: where it ends; by default at the end of the run.
            segments: count segments of the largest size instead of bytes.
            title: of the file; by default it names the flow.

        Raises:
            InputError: a name is unknown, there is no such run, nothing was recorded in it, or the
                times are no part of it.
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
        """Why there is no diagram of a flow, and how to get one."""
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
        """Why there is nothing over time, and how to get it."""
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
        if not has_cwnd and (has_senders or records.has("goodput", point, replication)):
            return {}, senders
        return {flow: records.flow(flow, point, replication).cwnd for flow in flows}, senders


def _connection_of(
    rows: pd.DataFrame, connection: int | None, span: tuple[float, float], flow: str
) -> tuple[int, pd.DataFrame]:
    """Number and rows of one connection of a flow.

    Raises:
        InputError: there is no such connection, or nothing in this time.
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
    """Where a time axis begins and ends, s.

    Raises:
        InputError: not in this order, or not within the run.
    """
    start, end = 0.0 if from_s is None else from_s, end_s if to_s is None else to_s
    if 0 <= start < end <= end_s:
        return start, end
    raise InputError(
        f"from {start:g} s to {end:g} s is not within a run of {end_s:g} s; give for example from"
        f" {end_s / 4:g} s to {end_s / 2:g} s"
    )


class _Wanted(NamedTuple):
    """What a figure over time is asked to show; nothing where the first are meant.

    Attributes:
        flows: names of flows.
        vcs: names of VCs.
        link: name of a link.
        whole: whether all of the run is drawn.
    """

    flows: Sequence[str] | None
    vcs: Sequence[str] | None
    link: str | None
    whole: bool

    def rtt(self, results: Results, point: int, replication: int) -> str:
        """Percentiles of the RTTs of these flows, for a heading; empty if they are not known."""
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
    """The rows of the first things in a table, by their names."""
    groups = table.groupby(column, observed=True)
    return {str(name): rows for name, rows in islice(groups, _MOST_FLOWS)}
