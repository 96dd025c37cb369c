"""The figures of the report."""

from __future__ import annotations

from ackclock.plots.agreement import agreement
from ackclock.plots.allocation import allocation
from ackclock.plots.effects import main_effects
from ackclock.plots.interaction import interaction
from ackclock.plots.style import SERIES
from ackclock.plots.traces import cwnd_over_time, queue_over_time
from ackclock.report.blocks import Figure, drawing
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.running import Trace
from ackclock.studies.machinery.words import bars, one_run, provenance
from ackclock.studies.ubr_web.analysis import (
    METRICS,
    compared,
    compared_allocation,
    compared_effects,
    explained,
)
from ackclock.studies.ubr_web.levels import TCP_FLAVORS
from ackclock.studies.ubr_web.tables import product_name

FLAVOR_LOOKS = dict(zip(TCP_FLAVORS, SERIES, strict=True))
_TABLES = "The tables give the same numbers."


def agreement_figure(result: StudyResult) -> Figure:
    """All results against the published ones, a drawing a link: each has a range of its own."""
    drawings = []
    for metric in METRICS:
        for link, rows in result.tables["comparison"].groupby("link", sort=False):
            rows = rows[rows["metric"] == metric]
            name = f"{link}: {metric}"
            figure = agreement(rows, group="tcp_flavor", looks=FLAVOR_LOOKS, name=name, shares=True)
            title = f"{link}: simulated against published {metric}"
            text = (
                f"One point for each of {len(rows)} combinations, a marker for each TCP. {_TABLES}"
            )
            drawings.append(drawing(figure, f"agreement-{link}-{metric}", title, text))
    caption = (
        "Simulated against published values, a drawing for each link and metric, each with its "
        "own range. On the grey line both are equal."
    )
    return Figure("agreement", f"{caption}{bars(result)}", provenance(result), drawings)


def interaction_figure(result: StudyResult, link: str) -> Figure:
    """Efficiency and fairness against the buffer."""
    drawings = []
    for metric in METRICS:
        figure = interaction(
            compared(result, link, metric),
            x="buffer_rtt",
            line="tcp_flavor",
            panel="drop_policy",
            looks=FLAVOR_LOOKS,
            x_name="Buffer (RTT)",
            y_name=metric.capitalize(),
            share=True,
        )
        title = f"{link}: {metric} against buffer size"
        text = f"One line for each TCP flavor, one panel for each drop policy. {_TABLES}"
        drawings.append(drawing(figure, f"interaction-{link}-{metric}", title, text))
    caption = (
        f"{link}: efficiency and fairness against the buffer, a panel for each drop policy. "
        "Filled markers and lines are simulated, hollow markers published."
    )
    source = _source(result, link)
    return Figure(f"interaction-{link}", f"{caption}{bars(result)}", source, drawings)


def allocation_figure(result: StudyResult, link: str) -> Figure:
    """What each factor and interaction explains."""
    drawings = []
    for metric in METRICS:
        rows = explained(compared_allocation(result, link, metric))
        rows = rows.assign(component=rows["component"].map(product_name))
        figure = allocation(rows, x_name=f"Share of the variation of {metric} (%)")
        title = f"{link}: allocation of the variation of {metric}"
        text = f"Two bars for each factor and interaction: simulated and published. {_TABLES}"
        drawings.append(drawing(figure, f"allocation-{link}-{metric}", title, text))
    caption = (
        f"{link}: share of the variation of efficiency and of fairness that each factor and each "
        "first-order interaction explains."
    )
    return Figure(f"allocation-{link}", caption, _source(result, link), drawings)


def effects_figure(result: StudyResult, link: str) -> Figure:
    """Main effects with their intervals."""
    drawings = []
    for metric in METRICS:
        rows = compared_effects(result, link, metric)
        figure = main_effects(rows, x_name=f"Effect on {metric}")
        title = f"{link}: main effects on {metric}"
        text = f"For each level its effect and interval, simulated and published. {_TABLES}"
        drawings.append(drawing(figure, f"effects-{link}-{metric}", title, text))
    caption = (
        f"{link}: main effects. The main effect of a level is the mean over all combinations with "
        "this level minus the mean over all combinations. Bars: 90\u00a0% intervals."
    )
    return Figure(f"effects-{link}", caption, _source(result, link), drawings)


def trace_figure(result: StudyResult, trace: Trace) -> Figure | None:
    """Queue and cwnd over time in one run; nothing where nothing was recorded."""
    link, end_s = trace.point.link, trace.end_s
    title = f"{trace.point}; replication 0"
    queue, cwnd = trace.tables["queue"], trace.tables["cwnd"]
    queue = queue[queue["link"] == trace.facts.bottleneck_link]
    drawings = []
    if not queue.empty:
        port = trace.plan["links"][trace.facts.bottleneck_link]["port"]
        levels = {"Buffer": port["buffer_cells"], "threshold R": port["policy"].get("r_cells")}
        levels = {name: cells for name, cells in levels.items() if cells is not None}
        lengths = queue.rename(columns={"max_length": "max_cells"})
        figure = queue_over_time(lengths, end_s=end_s, levels=levels, title=title)
        text = f"The queue in cells, with lines: {', '.join(levels)}."
        drawings.append(drawing(figure, f"queue-{link}", f"{link}: queue over time", text))
    if not cwnd.empty:
        figure = cwnd_over_time(cwnd.rename(columns={"flow": "pair"}), end_s=end_s, title=title)
        text = "For some connections, cwnd as a solid line and ssthresh as a dashed one."
        drawings.append(drawing(figure, f"cwnd-{link}", f"{link}: cwnd over time", text))
    if not drawings:
        return None
    caption = (
        f"{trace.point}: one run over time. Queue: the largest number of cells that waited for the "
        "trunk towards the clients, in each of a thousand parts of the run. Window: cwnd and "
        "ssthresh of the servers' ends of some connections, at each change."
    )
    return Figure(f"trace-{link}", caption, one_run(result), drawings)


def _source(result: StudyResult, link: str) -> str:
    return provenance(result, result.runs[result.runs["link"] == link])
