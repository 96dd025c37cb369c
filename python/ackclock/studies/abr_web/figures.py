"""The figures of the report."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from ackclock.plots.traces import queue_over_time
from ackclock.report.blocks import Figure, drawing
from ackclock.studies.abr_web import drawings
from ackclock.studies.abr_web.levels import SERVICE, TABLE2, named
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.running import Trace
from ackclock.studies.machinery.words import bars, one_run, provenance

_WATCHED_CLIENTS = 3
_TABLES = "The tables give the same numbers."


def queue_figure(result: StudyResult) -> Figure | None:
    """The longest queue against the number of servers."""
    rows = _of(result, "max_queue_cells")
    if rows is None:
        return None
    drawn = drawings.longest_queue(rows, bound_cells=3 * result.evidence.bounds.rtt_cells)
    text = f"A point for each number of servers, simulated and published. {_TABLES}"
    caption = (
        "Maximum queue at the bottleneck against the number of servers; the dashed line is three "
        f"round-trip times in cells of an access link.{bars(result)}"
    )
    shown = [drawing(drawn, "longest-queue-drawing", "Maximum queue", text)]
    return Figure("longest-queue", caption, _source(result, TABLE2), shown)


def efficiency_figure(result: StudyResult) -> Figure | None:
    """Efficiency against the number of servers."""
    rows = _of(result, "efficiency_pct")
    if rows is None:
        return None
    drawn = drawings.efficiency(rows, result.tables["results"][["servers", "load_pct"]])
    text = f"A point for each number of servers, simulated and published, and the load. {_TABLES}"
    most = result.evidence.bounds.most_bit_s / 1e6
    caption = (
        "Efficiency against the number of servers; the dashed line is the requested load in the "
        f"same unit: {most:.1f} Mbit/s are 100 %.{bars(result)}"
    )
    shown = [drawing(drawn, "efficiency-drawing", "Efficiency", text)]
    return Figure("efficiency", caption, _source(result, TABLE2), shown)


def trace_figure(result: StudyResult, trace: Trace) -> Figure:
    """Queue and rates over time in one run."""
    servers, rtt = trace.point.servers, result.evidence.bounds.rtt_cells
    title = f"{named(servers)}; replication 0"
    levels = {"RTT": rtt, "3 RTT": 3 * rtt}
    queue = queue_over_time(_queue(trace), end_s=trace.end_s, levels=levels, title=title)
    rates = drawings.rates_over_time(_acr(trace), trace.end_s, title)
    shown: list[Markup] = [
        drawing(
            queue,
            f"queue-{servers}",
            f"{named(servers)}: queue over time",
            "The queue in cells, with lines at one and three round-trip times.",
        ),
        drawing(
            rates,
            f"acr-{servers}",
            f"{named(servers)}: allowed cell rates over time",
            "ACR of some circuits from server to client, and the mean over all of them.",
        ),
    ]
    caption = (
        f"{named(servers)}: one run over time. Queue: the largest number of cells at the "
        "bottleneck in each of a thousand parts of the run. Rates: allowed cell rate (ACR) of the "
        "circuits that carry the data of some clients, and the mean over all circuits that carry "
        "data, including idle ones."
    )
    return Figure(f"trace-{servers}", caption, one_run(result), shown)


def responses_figure(result: StudyResult) -> Figure | None:
    """Response times by service, a drawing for each number of servers."""
    services = result.tables["services"]
    if services.empty:
        return None
    shown = []
    for servers, rows in services.groupby("servers", sort=False):
        title = f"Response times with {servers} servers"
        text = f"Median and 95 % quantile for each service. {_TABLES}"
        drawn = drawings.response_times(rows)
        shown.append(drawing(drawn, f"responses-{servers}", title, text))
    numbers = ", ".join(map(str, services["servers"].unique()))
    caption = (
        "Response times over each service, from a request to the last byte of its answer; "
        f"{numbers} servers, in this order. A quantile that falls among unanswered requests is "
        f"not shown.{bars(result)}"
    )
    return Figure("response-times", caption, _source(result, SERVICE), shown)


def _of(result: StudyResult, metric: str) -> pd.DataFrame | None:
    table = result.tables["comparison"]
    return None if table.empty else table[table["metric"] == metric]


def _source(result: StudyResult, part: str) -> str:
    return provenance(result, result.parts[part].runs)


def _queue(trace: Trace) -> pd.DataFrame:
    """Of the bottleneck: columns time_s (start of the bin), max_cells."""
    queue = trace.tables["queue"]
    its = queue[queue["link"] == trace.facts.bottleneck_link]
    return its[["time_s", "max_length"]].rename(columns={"max_length": "max_cells"})


def _acr(trace: Trace) -> pd.DataFrame:
    """Of the circuits that carry data: time_s, the ACR of some clients, and the mean over all."""
    acr, names = trace.tables["acr"], trace.facts.flow_names
    # The circuits of all requests come first, then those of all data, in the order of the flows.
    data = acr[(acr["vc"] >= len(names)) & (acr["vc"] < 2 * len(names))]
    by_vc = data.pivot_table(index="time_s", columns="vc", values="acr_bit_s", sort=True)
    # The clients of a server follow each other, so that these are of different servers.
    some = range(0, len(names), -(-len(names) // _WATCHED_CLIENTS))
    described = {names[flow]: by_vc[len(names) + flow] for flow in some}
    return pd.DataFrame({**described, drawings.MEAN: by_vc.mean(axis=1)}).reset_index()
