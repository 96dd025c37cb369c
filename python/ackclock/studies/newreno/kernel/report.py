"""Table III with the kernel's TCP: its section of the page."""

from __future__ import annotations

from math import isfinite
from typing import Any

import pandas as pd
from matplotlib.figure import Figure as Drawing

from ackclock.plots.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    VERMILLION,
    Series,
    new_figure,
    styled,
)
from ackclock.report.blocks import (
    Block,
    Bullets,
    Cell,
    Definitions,
    Figure,
    Heading,
    Notice,
    Row,
    Section,
    Table,
    Text,
    drawing,
    heading,
    number,
    number_heading,
    published,
    row_heading,
    section,
)
from ackclock.report.numbers import MISSING, fixed, half_width, interval, signed
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.newreno.drawings import points
from ackclock.studies.newreno.kernel.conventions import (
    ACKS,
    EACH_ACKED,
    KERNEL,
    LINUX,
    MAIN,
    NAMES,
    PRINTED,
    SEGMENTS,
    STUDY_OWN,
)
from ackclock.studies.newreno.kernel.tables import (
    ASIDE,
    COUNTS,
    STEPS,
    THROUGHPUT,
    KernelResult,
)
from ackclock.studies.newreno.kernel.words import PER_S, causes, conclusions, how

_MBIT = 1e6
_HEIGHT_IN = 4.4
_LOOKS = {
    PRINTED: Series(VERMILLION, "D", "none"),
    KERNEL: Series(BLACK, "o", "-"),
    ACKS: Series(BLUE, "^", (0, (5, 1.5))),
    STUDY_OWN: Series(GREY, "s", (0, (1.5, 1.2))),
    SEGMENTS: Series(GREEN, "v", (0, (5, 1.5, 1, 1.5))),
    LINUX: Series(GREEN, "P", "none"),
}
_TEXT = (
    "The same transfers are made by this computer's kernel TCP at both ends, in real time, "
    "through the network of this study. They are also simulated under two conventions. (a): cwnd "
    "grows per ACK and a time-out waits at least 1 s, as the paper's sender is usually described. "
    "(b): cwnd grows by the acknowledged data and RTOmin is 200 ms, as in Linux. All transfers "
    "except the paper's have the same list of losses, by the positions of data segments."
)


def kernel_section(result: StudyResult) -> list[Section]:
    """The section, if the kernel was asked for."""
    kernel = result.made.further
    if kernel is None:
        return []
    blocks = [
        Notice(kernel.banner) if kernel.banner else None,
        Text(how(kernel)),
        _figure(result, kernel),
        _beside_table(kernel),
        _steps_table(kernel),
        Heading("Results"),
        Bullets(conclusions(kernel.beside, kernel.steps)),
        Heading("Causes of the differences"),
        Definitions(causes(kernel.beside, kernel.steps)),
        *_differences(kernel),
    ]
    return [section("kernel", "Emulated network: the kernel's TCP", _TEXT, *blocks)]


def _differences(kernel: KernelResult) -> list[Block]:
    if not kernel.differences:
        return []
    opening = "Where the kernel differs from the scenario:"
    return [Text(opening), Bullets(kernel.differences)]


def _figure(result: StudyResult, kernel: KernelResult) -> Figure:
    title = "Table III: throughput of paper, kernel and simulations"
    drawn = drawing(
        _throughputs(kernel.beside),
        "figure-kernel",
        title,
        "Throughput against the imposed loss; values in kernel.csv.",
    )
    caption = "Throughput of Table III against the imposed loss."
    if kernel.beside[f"{THROUGHPUT}_lo"].notna().any():
        caption += " Bars: 95\u00a0% intervals."
    if not kernel.beside["counted"].all():
        caption += " A cross marks an emulated point that is invalid."
    simulated = len(kernel.runs) - (kernel.runs["system"] == KERNEL).sum()
    source = (
        f"Emulated: {len(kernel.runs) - simulated} runs on Linux {kernel.release}. Simulated: "
        f"{simulated} runs. Base seed {result.seed}, ackclock {result.version}."
    )
    return Figure("kernel-figure", caption, source, [drawn])


@styled
def _throughputs(beside: pd.DataFrame) -> Drawing:
    """Throughput of paper, kernel and four conventions against the imposed loss."""
    figure = new_figure(_HEIGHT_IN)
    ax = figure.add_subplot()
    for system in (*MAIN, LINUX):
        its, look = beside[beside["system"] == system], _LOOKS[system]
        zorder = 4 if system == KERNEL else 3
        points(ax, its, "imposed_loss_pct", look, NAMES[system], zorder=zorder)
    wrong = beside[(beside["system"] == KERNEL) & ~beside["counted"]]
    if len(wrong):
        ax.plot(
            wrong["imposed_loss_pct"],
            wrong[THROUGHPUT] / _MBIT,
            color=BLACK,
            marker="x",
            ls="none",
            ms=9,
            label="invalid",
        )
    ax.set_xlabel("Imposed loss (%)")
    ax.set_ylabel("Throughput (Mbit/s)")
    ax.set_ylim(bottom=0)
    # Names are long: two beside one another are wider than the figure.
    figure.legend(loc="outside lower center", handlelength=2.4)
    return figure


def _beside_table(kernel: KernelResult) -> Table:
    """A row an imposed loss and a system."""
    numbers = (
        "Throughput (Mbit/s)",
        "of the paper's",
        "of the kernel's",
        f"Time-outs in {PER_S} s",
        f"Fast recoveries in {PER_S} s",
        "R (ms)",
        "p (%)",
        "ACKs a segment",
    )
    head = [heading("Imposed loss"), heading("TCP"), *map(number_heading, numbers)]
    groups = []
    for loss, its in kernel.beside.groupby("imposed_loss_pct", sort=False):
        rows = [_system(row) for row in its.itertuples(index=False)]
        groups.append([[row_heading(f"{loss:g} %", rows=len(rows)), *rows[0]], *rows[1:]])
    caption = (
        "Table III beside the kernel and the simulation under each convention. Throughput counts "
        "from the opening of the connection, so the study's own is slightly above that in the "
        "table above, which counts the whole run. Ratios to the kernel are for the same losses. "
        f"{NAMES[LINUX]}: other differences of Linux for which a setting exists; "
        f"{NAMES[EACH_ACKED]}: effect of delayed ACKs."
    )
    return Table("kernel-table", caption, [head], groups)


def _system(row: Any) -> Row:
    lo, hi = (getattr(row, f"{THROUGHPUT}{end}") / _MBIT for end in ("_lo", "_hi"))
    cell = published if row.system == PRINTED else number
    name = NAMES[row.system]
    bad = row.system == KERNEL and row.verdict != "valid"
    return [
        Cell(name, row.verdict if bad else "", scope="row", kind="changed" if bad else ""),
        cell(fixed(getattr(row, THROUGHPUT) / _MBIT), half_width(lo, hi)),
        number("" if row.system == PRINTED else fixed(row.of_paper, 2)),
        number("" if row.system == KERNEL else fixed(row.of_kernel, 2), _ratio_ends(row)),
        *(cell(fixed(getattr(row, name) * PER_S / row.transfer_s, 0)) for name in COUNTS),
        cell(fixed(1e3 * row.rtt_s, 2)),
        cell(fixed(100 * row.p, 2)),
        number(fixed(row.acks_per_segment, 2) if isfinite(row.acks_per_segment) else ""),
    ]


def _ratio_ends(row: Any) -> str:
    """The interval of a ratio to the kernel, where there are several replications."""
    if row.system == KERNEL or not isfinite(row.of_kernel_hi - row.of_kernel_lo):
        return ""
    return f"({fixed(row.of_kernel_lo, 2)}, {fixed(row.of_kernel_hi, 2)})"


def _steps_table(kernel: KernelResult) -> Table:
    """A row a change on the way from the paper to the kernel, a column an imposed loss."""
    steps = kernel.steps
    losses = list(steps["imposed_loss_pct"].unique())
    head = [
        heading("Change"),
        *(number_heading(f"{loss:g} %") for loss in losses),
        number_heading("mean"),
    ]
    groups = []
    for its in ([*STEPS], [ASIDE]):
        rows: list[Row] = []
        for step in its:
            of = steps[(steps["before"] == step.before) & (steps["after"] == step.after)]
            cells = [
                number(
                    signed(row.change_pct, 1) if row.counted else MISSING,
                    interval(row.change_pct_lo, row.change_pct_hi, 1) if row.counted else "",
                )
                for row in of.itertuples(index=False)
            ]
            believed = of.loc[of["counted"], "change_pct"]
            rows.append([row_heading(step.change), *cells, number(signed(believed.mean(), 1))])
        groups.append(rows)
    caption = (
        "From the paper to the kernel: change of the throughput (%) by each step, at each imposed "
        "loss. Steps between two simulations, or to the kernel, have the same losses."
    )
    return Table("kernel-steps", caption, [head], groups)
