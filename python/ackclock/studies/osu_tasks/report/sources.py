"""Tasks 5, 6 and 7: bursty sources, large windows, a fast retransmit that waits."""

from __future__ import annotations

from itertools import product

import pandas as pd
from matplotlib.figure import Figure as MatplotlibFigure

from ackclock.plots.effects import main_effects
from ackclock.plots.steps import MOST_STEPS, steps
from ackclock.plots.style import GREY, SIMULATED, new_figure, series_look, styled
from ackclock.plurals import counted, listed
from ackclock.report.blocks import (
    Drawing,
    Figure,
    Row,
    Table,
    drawing,
    heading,
    number,
    number_heading,
    row_heading,
)
from ackclock.report.numbers import fixed, grouped, interval, signed
from ackclock.stats import compare_levels
from ackclock.studies.machinery.experiment import Experiment, Task
from ackclock.studies.machinery.figures import axis
from ackclock.studies.machinery.running import PartRuns, Trace
from ackclock.studies.machinery.tables import Column
from ackclock.studies.machinery.words import seed_words
from ackclock.studies.osu_tasks.levels import ANALYSED_METRICS, EFFICIENCY, FAIRNESS, WINDOWS

_KILO = 1000
_HEIGHT_IN = 3.3
_FIRST_FLOW = 0
_POLICIES = {
    "tail": "tail drop",
    "ppd": "PPD",
    "epd": "EPD",
    "selective_drop": "Selective Drop",
    "fba": "FBA",
}
_IN_RTT = {"buffer_rtt": "Buffer (RTT)"}
_DIFFERENCE = {"difference": SIMULATED}


def bursty(its: Experiment) -> Task:
    """The section of task 5."""
    traffics, rtts = its.levels("traffic"), its.levels("buffer_rtt")
    return Task(
        question=(
            "Do TCPs, drop policies and buffers have the same effects with bursty traffic as with "
            "persistent traffic?"
        ),
        experiment=(
            "On a GEO path, the web traffic of ATM Forum 98-0876 is compared with sources of "
            f"endless data: {len(its.levels('tcp_flavor'))} TCPs, {its.listed('drop_policy')}, "
            f"buffers of {its.listed('buffer_rtt', '{:g}')} RTT, {its.replicated}."
        ),
        figures=(
            its.figure(
                "bursty-effects",
                "Main effects with persistent and with WWW traffic: the mean over all "
                "combinations with a level minus the mean over all combinations of that traffic. "
                "Bars: 90\u00a0% intervals.",
                [
                    its.effects(f"Effect on {metric}", "traffic", _IN_RTT, metric=metric)
                    for metric in ANALYSED_METRICS
                ],
                bars="",
            ),
            its.figure(
                "bursty-means",
                f"Efficiency against the buffer: {' and '.join(traffics)} traffic.",
                [
                    its.means(
                        EFFICIENCY,
                        its.results[its.results["traffic"] == traffic],
                        x=axis("buffer_rtt", rtts, "Buffer (RTT)", "{:g}".format),
                        series="tcp_flavor",
                        facet="drop_policy",
                        of=traffic,
                    )
                    for traffic in traffics
                ],
            ),
            its.allocation_figure(
                "Share of the variation that each factor explains, with WWW and with persistent "
                "traffic."
            ),
        ),
        answer=[
            *_flavors(its),
            *its.explained(EFFICIENCY, "tcp_flavor", "buffer_rtt", "drop_policy"),
        ],
        tables=(
            *its.tables(
                "bursty-{}",
                "by traffic and buffer",
                {"drop_policy": "Drop policy", "tcp_flavor": "TCP"},
                [
                    Column("", f"{rtt:g} RTT", traffic, {"traffic": traffic, "buffer_rtt": rtt})
                    for traffic, rtt in product(traffics, rtts)
                ],
            ),
            its.allocation_table(),
        ),
    )


def _flavors(its: Experiment) -> list[str]:
    """The order of the flavors by traffic."""
    effects = its.made.effects
    if effects.empty:
        return []
    found = []
    flavors = effects[(effects["metric"] == EFFICIENCY) & (effects["factor"] == "tcp_flavor")]
    for traffic, rows in flavors.groupby("traffic", sort=False):
        described = ", ".join(
            f"{row.level} {signed(row.effect, 3)}"
            for row in rows.sort_values("effect", ascending=False).itertuples(index=False)
        )
        found.append(
            f"{traffic[0].upper()}{traffic[1:]}: effects of the TCP flavor on efficiency, highest "
            f"first: {described}."
        )
    return found


def windows(its: Experiment) -> Task:
    """The section of task 6."""
    smss = its.scenario.tcp.smss
    columns = (
        Column("max_cwnd_bytes", "Largest cwnd (bytes)", decimals=0),
        Column(EFFICIENCY, "Efficiency", decimals=4),
        Column(FAIRNESS, "Fairness"),
        Column("utilisation", "Utilisation"),
        Column("timeouts", "Time-outs", decimals=1),
        Column("retransmitted_share", "Retransmitted (share)", decimals=4),
    )
    return Task(
        question=(
            "TCPs that compute cwnd in integers add SMSS × SMSS / cwnd, which is 0 beyond SMSS² "
            f"({grouped(smss**2)} bytes here). Does cwnd stop growing there, does one larger step "
            "every N ACKs help, and how does this change efficiency?"
        ),
        experiment=(
            f"{its.listed('sources')} SACK sources with segments of {smss} bytes on a GEO path of "
            f"{its.rate}; congestion avoidance adds SMSS × SMSS / cwnd rounded down to whole "
            f"bytes, or N times that once every N ACKs, or the exact fraction, {its.replicated}."
        ),
        figures=(
            _over_time(its, smss**2),
            its.figure(
                "windows-means",
                "The largest cwnd of any source and the efficiency, by arithmetic. While no "
                "segment is lost, a larger window gives a larger throughput.",
                [
                    its.means(
                        metric,
                        x="arithmetic",
                        series=axis(
                            "sources", its.levels("sources"), text=lambda n: counted(n, "source")
                        ),
                        y_name=name,
                        joined=False,
                        **how,
                    )
                    for metric, name, how in (
                        ("max_cwnd_bytes", "Largest cwnd (kB)", {"unit": _KILO, "most": None}),
                        (EFFICIENCY, "Efficiency", {}),
                    )
                ],
            ),
        ),
        answer=[
            f"{counted(sources, 'source')}, largest cwnd: {'; '.join(_largest(rows))}."
            for sources, rows in its.results.groupby("sources", sort=False)
        ],
        tables=(
            its.table(
                "windows-table",
                "By arithmetic: {}. The largest cwnd is that of any source in the measured part of "
                "a run.",
                {"sources": "Sources", "arithmetic": "Arithmetic"},
                columns,
            ),
        ),
    )


def _largest(rows: pd.DataFrame) -> list[str]:
    return [
        f"{row.arithmetic}: {grouped(row.max_cwnd_bytes)} bytes (efficiency "
        f"{fixed(row.efficiency, 4)})"
        for row in rows.itertuples(index=False)
    ]


def _over_time(its: Experiment, bound: int) -> Figure | None:
    traces = [each for each in its.result.traces if each.part == WINDOWS.name]
    drawings = []
    for sources in dict.fromkeys(each.point.sources for each in traces):
        of_them = {each.point.arithmetic: each for each in traces if each.point.sources == sources}
        described = counted(sources, "source")
        text = f"A line for each arithmetic, and a line at {grouped(bound)} bytes."
        drawn = windows_by_variant(of_them, bound, f"{described}; replication 0")
        title = f"cwnd over time, {described}"
        drawings.append(drawing(drawn, f"windows-{sources}", title, text))
    return its.figure(
        "windows-figure",
        "cwnd of the first source over time, one run of each arithmetic; the dashed line is "
        f"SMSS² = {grouped(bound)} bytes.",
        drawings,
        bars="",
        source=f"Simulated: replication 0 of each combination, seed "
        f"{seed_words(its.result)['first']}, ackclock {its.result.version}.",
    )


@styled
def windows_by_variant(traces: dict[str, Trace], bound_bytes: int, title: str) -> MatplotlibFigure:
    """Windows over time, a line a variant, with the window beyond which integers add nothing.

    Args:
        traces: by the name of the variant; the first flow of each is drawn.
        bound_bytes: where the bound is.
        title: above the axes.
    """
    figure = new_figure(_HEIGHT_IN)
    ax = figure.add_subplot()
    end_s = max(each.end_s for each in traces.values())
    for place, (name, trace) in enumerate(traces.items()):
        look, cwnd = series_look(place), trace.tables["cwnd"]
        cwnd = cwnd[cwnd["flow"] == _FIRST_FLOW]
        times, values = steps(cwnd, "cwnd_bytes", end_s=trace.end_s, scale=_KILO, most=MOST_STEPS)
        ax.step(times, values, where="post", color=look.color, ls=look.dash, lw=1.0, label=name)
    ax.axhline(bound_bytes / _KILO, color=GREY, lw=0.9, ls=(0, (4, 2)), zorder=1, label="SMSS²")
    ax.set_xlim(0, end_s)
    ax.set_ylim(bottom=0)
    ax.set_title(title, loc="left")
    ax.set_xlabel("Time (s)")
    ax.set_ylabel("cwnd (kB)")
    ax.yaxis.set_major_formatter("{x:,.0f}")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def retransmit(its: Experiment) -> Task:
    """The section of task 7."""
    waits = its.levels("wait")
    columns = [
        Column(metric, f"{wait:g} SRTT" if wait else "no wait", above, {"wait": wait}, unit, digits)
        for metric, above, unit, digits in (
            (EFFICIENCY, "Efficiency", 1, 3),
            (FAIRNESS, "Fairness", 1, 3),
            ("timeouts", "Time-outs", 1, 0),
            ("retransmitted_share", "Retransmitted (%)", 0.01, 2),
        )
        for wait in waits
    ]
    changes = {metric: differences(its.made, metric) for metric in ANALYSED_METRICS}
    changes = {metric: table for metric, table in changes.items() if len(table)}
    return Task(
        question=(
            "SACK helps only if its retransmissions are not lost in the same congestion. Does it "
            "help to wait half a round-trip time before the fast retransmit?"
        ),
        experiment=(
            f"{its.listed('sources')} SACK sources with endless data on a GEO path of {its.rate} "
            f"with {_POLICIES[its.scenario.topology.port.policy]}, buffers of "
            f"{its.listed('buffer_rtt', '{:g}')} RTT; the fast retransmit is sent at the third "
            f"duplicate ACK, or {listed([f'{wait:g}' for wait in waits if wait])} SRTT later, "
            f"{its.replicated}."
        ),
        figures=(
            its.figure(
                "retransmit-figure",
                "Efficiency and fairness with the wait minus those without it, in runs with the "
                "same random numbers. At 0 the wait has no effect.",
                [_changes_drawing(metric, table) for metric, table in changes.items()],
                bars="95\u00a0% intervals of the mean of paired differences",
            ),
        ),
        answer=[each for metric, table in changes.items() for each in _changed(metric, table)],
        tables=(
            its.table(
                "retransmit-means",
                "By the wait: {}.",
                {"sources": "Sources", "buffer": "Buffer"},
                columns,
                its.results.assign(buffer=its.results["buffer_rtt"].map("{:g} RTT".format)),
            ),
            _differences_table(changes),
        ),
    )


def differences(its: PartRuns, metric: str) -> pd.DataFrame:
    """What the wait changes, replication against replication; empty without another level.

    Returns:
        As ``ackclock.stats.compare_levels`` gives it, with 95 % intervals, and a column level: the
        buffer, and the wait if there are several, in words.
    """
    waits = list(its.results["wait"].unique())
    if len(waits) < 2 or its.runs[metric].isna().all():
        return pd.DataFrame()
    table = compare_levels(its.runs, metric, "wait", waits[0], ["sources", "buffer_rtt"])
    level = table["buffer_rtt"].map("{:g} RTT".format)
    if len(waits) > 2:
        level += table["wait"].map(", wait {:g} SRTT".format)
    return table.assign(level=level)


def _changes_drawing(metric: str, table: pd.DataFrame) -> Drawing:
    frame = table.assign(
        factor=table["sources"].map("{} sources".format),
        difference_lo=table["lo"],
        difference_hi=table["hi"],
    )
    drawn = main_effects(frame, x_name=f"Change of {metric} by waiting", sources=_DIFFERENCE)
    title = f"Effect of waiting on {metric}"
    text = "For each buffer and number of sources the difference, and a line at no difference."
    return drawing(drawn, f"retransmit-{metric}", title, text)


def _changed(metric: str, table: pd.DataFrame) -> list[str]:
    """How often the wait changes a metric, and by how much at most."""
    found, known = [], table.dropna(subset=["lo", "hi"])
    if len(known):
        better, worse = int((known["lo"] > 0).sum()), int((known["hi"] < 0).sum())
        found.append(
            f"Change of {metric} at {len(known)} combinations of sources and buffer: "
            f"{len(known) - better - worse} with an interval that contains 0, {better} above, "
            f"{worse} below."
        )
    size = table["difference"].abs()
    if size.notna().any():
        row = table.loc[size.idxmax()]
        change = f"{signed(row['difference'], 4)} {interval(row['lo'], row['hi'], 4)}".rstrip()
        found.append(
            f"Largest change of {metric}: {change} with {int(row['sources'])} sources and a buffer "
            f"of {row['buffer_rtt']:g} RTT."
        )
    return found


def _differences_table(changes: dict[str, pd.DataFrame]) -> Table | None:
    if not changes:
        return None
    rows: list[Row] = []
    for same in zip(*(table.to_dict("records") for table in changes.values()), strict=True):
        cells = [
            number(signed(row["difference"], 4), interval(row["lo"], row["hi"], 4)) for row in same
        ]
        rows.append([row_heading(f"{same[0]['sources']} sources, {same[0]['level']}"), *cells])
    head = [[heading("Combination"), *(number_heading(each.capitalize()) for each in changes)]]
    caption = "Paired differences by the wait, with 95\u00a0% intervals."
    return Table("retransmit-differences", caption, head, [rows])
