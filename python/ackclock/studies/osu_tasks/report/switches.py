"""Tasks 1, 2 and 3: policies of switches and of end systems, and how much buffer a switch needs."""

from __future__ import annotations

import pandas as pd

from ackclock.plots.panels import Mark
from ackclock.plots.plane import Key, plane
from ackclock.plurals import listed
from ackclock.report.blocks import Cell, Drawing, Table, drawing, heading, number, number_heading
from ackclock.report.numbers import fixed
from ackclock.studies.machinery.experiment import Experiment, Task
from ackclock.studies.machinery.figures import axis
from ackclock.studies.machinery.tables import Column, in_groups
from ackclock.studies.osu_tasks.levels import (
    ANALYSED_METRICS,
    BUFFERS_RTT,
    EFFICIENCY,
    FBA,
    MOST_SOURCES,
    SD,
)

_TABLES = "The tables give the numbers."
_POINT = ["link", "buffer", "drop_policy", "tcp_flavor"]
"""But for the number of sources."""
_FACTORS = ("drop_policy", "tcp_flavor")
"""Those that the question is about."""
_ENOUGH, _ENOUGH_NAME = 0.98, "98\u00a0%"
_HALF_RTT = 0.5
_WHERE, _PLACE = ["link", "drop_policy"], "link and drop policy"
_POLICY_NAMES = {SD: f"Selective Drop ({SD})", FBA: FBA}
_FRACTIONS = {0.0625: "1/16", 0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}


def policies(its: Experiment) -> Task:
    """The section of tasks 1 and 2."""
    return Task(
        question=(
            "Which drop policies of switches and which TCPs of end systems make TCP over UBR "
            "efficient and fair? On which path does the policy matter more, and on which the TCP?"
        ),
        experiment=(
            f"{its.listed('sources')} sources with endless data cross two switches and a trunk of "
            f"{its.rate} over UBR ({its.listed('link')}), with each of "
            f"{len(its.levels('drop_policy'))} drop policies, {len(its.levels('tcp_flavor'))} TCPs "
            f"and two buffers: a full factorial for each link, {its.replicated}."
        ),
        figures=(
            its.allocation_figure(
                "Share of the variation of efficiency and of fairness that each factor explains, "
                "by link. The error is the variation of the means that factors and first-order "
                "interactions do not explain."
            ),
            its.figure(
                "policies-plane",
                "Efficiency against fairness, means over the numbers of sources: the upper right "
                "corner is best. Colours show drop policies, markers show TCPs. Each drawing has "
                "its own axes.",
                _planes(its),
            ),
            its.figure(
                "policies-sources",
                "Efficiency, then fairness, against the number of sources. Each has one drawing "
                "with a line for each drop policy (mean over TCPs and buffers) and one with a "
                "line for each TCP (mean over drop policies and buffers).",
                [
                    its.means(
                        metric,
                        its.over("link", "sources", factor),
                        x=axis("sources", its.levels("sources"), "Sources"),
                        series=factor,
                        facet="link",
                    )
                    for metric in ANALYSED_METRICS
                    for factor in _FACTORS
                ],
            ),
            its.figure(
                "policies-effects",
                "Main effects on efficiency and on fairness: the mean over all combinations with "
                "a level minus the mean over all combinations. Bars: 90\u00a0% intervals, from "
                "the variation that main effects and first-order interactions do not explain.",
                [
                    its.effects(f"{link}: effect", "metric", link=link)
                    for link in its.levels("link")
                ],
                bars="",
            ),
        ),
        answer=[
            *(line for each in ANALYSED_METRICS for line in its.explained(each, *_FACTORS)),
            *(_best(its, each) for each in _FACTORS),
        ],
        tables=(
            *(
                its.table(
                    f"policies-{link}",
                    f"{link}, over {its.listed('sources')} sources: {{}}.",
                    {"drop_policy": "Drop policy", "tcp_flavor": "TCP"},
                    [
                        Column(metric, _buffer(buffer), metric.capitalize(), {"buffer": buffer})
                        for metric in ANALYSED_METRICS
                        for buffer in its.levels("buffer")
                    ],
                    rows,
                )
                for link, rows in its.over(*_POINT).groupby("link", sort=False)
            ),
            its.allocation_table(),
        ),
    )


def _planes(its: Experiment) -> list[Drawing]:
    """Efficiency against fairness, a drawing a link."""
    efficiency, fairness = (
        {f"{metric}{end}": f"{place}{end}" for end in ("", "_lo", "_hi")}
        for metric, place in zip(ANALYSED_METRICS, "yx", strict=True)
    )
    both = its.over(*_POINT).rename(columns=efficiency | fairness)
    both["buffer"] = both["buffer"].map(_buffer)
    colors = {name: look.color for name, look in its.style.looks["drop_policy"].items()}
    markers = {name: look.marker for name, look in its.style.looks["tcp_flavor"].items()}
    drawings = []
    for link, rows in both.groupby("link", sort=False):
        drawn = plane(
            rows,
            colors=Key("drop_policy", colors),
            markers=Key("tcp_flavor", markers),
            facet="buffer",
            x_name="Fairness",
            y_name="Efficiency",
            title=str(link),
            shares=True,
        )
        text = f"A point for each drop policy and TCP, a panel for each buffer. {_TABLES}"
        title = f"{link}: efficiency against fairness"
        drawings.append(drawing(drawn, f"plane-{link}", title, text))
    return drawings


def _buffer(name: str) -> str:
    return f"{name.capitalize()} buffer"


def _best(its: Experiment, factor: str) -> str:
    """The levels with the highest mean of each metric on each link."""
    shown = []
    for link, rows in its.over("link", factor).groupby("link", sort=False):
        best = []
        for metric in ANALYSED_METRICS:
            if rows[metric].notna().any():
                row = rows.loc[rows[metric].idxmax()]
                best.append(f"{row[factor]} ({metric} {fixed(row[metric])})")
        shown.append(f"{link} {listed(best)}")
    return f"The highest means by {its.style.name(factor)}: {'; '.join(shown)}."


def buffers(its: Experiment) -> Task:
    """The section of task 3."""
    rtts, smallest = its.levels("buffer_rtt"), its.result.tables["buffers-smallest"]
    results, enough = its.results, Mark(_ENOUGH, _ENOUGH_NAME)
    return Task(
        question=(
            "How large must a switch's buffer be for TCP over UBR on a satellite path, in "
            "round-trip times (RTT) of the trunk? How does this depend on the number of sources "
            "and on the drop policy?"
        ),
        experiment=(
            f"{its.listed('sources')} SACK sources with endless data cross a trunk of {its.rate} "
            f"over UBR with per-VC accounting, {_policies(its)} ({its.listed('link')}), with "
            f"buffers from {_fraction(min(rtts))} to {_fraction(max(rtts))} RTT, {its.replicated}."
        ),
        figures=(
            its.figure(
                "buffers-figure",
                "Efficiency and fairness against the buffer, a line for each number of sources N, "
                "a panel for each link and drop policy; the dashed line is an efficiency of "
                f"{_ENOUGH_NAME}.",
                [
                    its.means(
                        metric,
                        results.assign(**{_PLACE: results["link"] + ", " + results["drop_policy"]}),
                        x=axis("buffer_rtt", BUFFERS_RTT, "Buffer (RTT, logarithmic)", _fraction),
                        series=axis("sources", MOST_SOURCES, text="N = {}".format),
                        facet=_PLACE,
                        mark=enough if metric == EFFICIENCY else None,
                    )
                    for metric in ANALYSED_METRICS
                ],
            ),
        ),
        answer=[*_reached(its), *_searched(smallest)],
        tables=(
            _smallest_table(smallest),
            *its.tables(
                "buffers-{}",
                "by buffer",
                {"link": "Link", "drop_policy": "Policy", "sources": "Sources"},
                [Column("", f"{_fraction(rtt)} RTT", where={"buffer_rtt": rtt}) for rtt in rtts],
            ),
        ),
    )


def _policies(its: Experiment) -> str:
    """The drop policies, and with how many sources some of them were not run."""
    every = set(its.levels("sources"))
    described = []
    for policy, rows in its.results.groupby("drop_policy", sort=False):
        missing = sorted(every - set(rows["sources"]))
        without = f" (not with {listed(missing)} sources)" if missing else ""
        described.append(f"{_POLICY_NAMES[policy]}{without}")
    return " or ".join(described)


def _fraction(rtt: float) -> str:
    """A buffer as people write it: "1/16", "2"."""
    return _FRACTIONS.get(rtt, f"{rtt:g}")


def _reached(its: Experiment) -> list[str]:
    """What half an RTT gives, and the smallest of the buffers run whose mean is high enough."""
    found = []
    for (link, policy), rows in its.results.groupby(_WHERE, sort=False):
        half = rows[rows["buffer_rtt"] == _HALF_RTT]
        described = [
            f"{_with_ends(row.efficiency, row.efficiency_lo, row.efficiency_hi)} ({row.sources})"
            for row in half.itertuples(index=False)
        ]
        if described:
            found.append(
                f"{link}, {policy}, a buffer of half an RTT: efficiency {', '.join(described)} "
                "(number of sources in brackets)."
            )
        enough = rows[rows[EFFICIENCY] >= _ENOUGH].groupby("sources")["buffer_rtt"].min()
        described = [
            f"{_fraction(enough[sources]) if sources in enough else 'none'} ({sources})"
            for sources in rows["sources"].unique()
        ]
        found.append(
            f"{link}, {policy}, the smallest of these buffers with a mean of {_ENOUGH_NAME} or "
            f"more, in RTT: {', '.join(described)}."
        )
    return found


def _with_ends(mean: float, lo: float, hi: float) -> str:
    """A mean with half of its interval in words: "0.981 ± 0.004"; without one, the mean."""
    text = fixed(mean)
    return f"{text} ± {(hi - lo) / 2:.3f}" if pd.notna(hi - lo) else text


def _searched(smallest: pd.DataFrame) -> list[str]:
    """What the search found, a sentence a link and drop policy."""
    found = []
    for (link, policy), rows in smallest.groupby(_WHERE, sort=False):
        described = [
            f"{'none' if pd.isna(row.smallest_rtt) else f'{row.smallest_rtt:.3g}'} ({row.sources})"
            for row in rows.itertuples(index=False)
        ]
        found.append(
            f"{link}, {policy}, the smallest buffer that reaches {_ENOUGH_NAME}, searched for, in "
            f"RTT: {', '.join(described)}."
        )
    return found


def _smallest_table(smallest: pd.DataFrame) -> Table | None:
    if smallest.empty:
        return None
    rows = []
    for row in smallest.itertuples(index=False):
        half = row.smallest_half_width_pct
        ends = f"± {half:.2f}" if pd.notna(half) else ""
        cells = [
            Cell(row.status),
            number(fixed(row.smallest_rtt, 3)),
            number(fixed(row.smallest_mean_pct, 2), ends),
            number(fixed(row.fails_rtt, 3)),
            number(str(row.runs)),
        ]
        rows.append(((row.link, row.drop_policy, row.sources), cells))
    head = [
        *map(heading, ("Link", "Policy", "Sources", "Search")),
        number_heading("Smallest that reaches it", "RTT"),
        number_heading("Efficiency there", "%"),
        number_heading("Largest that does not", "RTT"),
        number_heading("Runs"),
    ]
    caption = (
        f"The smallest buffer that reaches an efficiency of {_ENOUGH_NAME}, found with the search "
        "of ackclock size-buffer: by bisection, with intervals that hold simultaneously."
    )
    return Table("buffers-smallest", caption, [head], in_groups(rows))
