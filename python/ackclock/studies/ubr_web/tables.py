"""The tables of the report."""

from __future__ import annotations

from math import floor
from typing import Any

import pandas as pd

from ackclock.report.blocks import (
    Cell,
    Row,
    Table,
    heading,
    number,
    number_heading,
    published,
    row_heading,
)
from ackclock.report.numbers import fixed, grouped, interval, signed
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.tables import SOURCES, in_groups, pair, pairs_head, two_rows
from ackclock.studies.machinery.words import inside, marks, means, per_run
from ackclock.studies.ubr_web.analysis import (
    METRICS,
    compared,
    compared_allocation,
    compared_effects,
    errors,
)
from ackclock.studies.ubr_web.levels import POINT, Point
from ackclock.studies.ubr_web.metrics import STARVED

_MS_PS = 10**9
_HALF_DIGIT = 0.00005
"""Half of the last printed digit of a fairness."""


def errors_table(result: StudyResult) -> Table:
    """Mean absolute error for each link, and how many published values lie inside."""
    head = [heading("Link"), *(number_heading(metric.capitalize()) for metric in METRICS)]
    rows = []
    for link, row in errors(result.tables["comparison"]).iterrows():
        counts = (_inside_count(compared(result, str(link), metric)) for metric in METRICS)
        cells = map(number, (fixed(row[f"{metric}_error"]) for metric in METRICS), counts)
        rows.append([row_heading(str(link)), *cells])
    caption = "Mean absolute difference between simulated and published values."
    if result.replications > 1:
        caption += (
            " Beside it: how many published values lie in the 95\u00a0% prediction interval of one "
            "of our runs."
        )
    return Table("errors", caption, [head], [rows])


def _inside_count(rows: pd.DataFrame) -> str:
    known = inside(rows).dropna()
    return f"{int(known.sum())} of {len(known)} inside" if len(known) else ""


def links(result: StudyResult) -> tuple[str, ...]:
    """The links that were run."""
    return result.request.chosen("links")


def product_name(component: str) -> str:
    """A component with a sign between the factors of an interaction."""
    return component.replace("-", " × ")


def results_table(result: StudyResult, link: str, metric: str) -> Table:
    """Simulated beside published: a row a drop policy and flavor, a pair of columns a buffer."""
    rows = compared(result, link, metric)
    buffers = list(rows["buffer_rtt"].unique())
    sizes = [_buffer_cells(_plan(result, link, buffer)) for buffer in buffers]
    head = [
        [
            heading("Drop policy", rows=2),
            heading("TCP", rows=2),
            *(
                heading(f"{buffer:g} RTT", f"({grouped(size)} cells)", columns=2)
                for buffer, size in zip(buffers, sizes, strict=True)
            ),
        ],
        [number_heading(name) for _ in buffers for name in SOURCES],
    ]
    groups = in_groups(
        (levels, [cell for each in cells.itertuples() for cell in pair(each)])
        for levels, cells in rows.groupby(["drop_policy", "tcp_flavor"], sort=False)
    )
    caption = f"{link}, {metric}. Simulated: {means(result)}.{marks(result)}"
    return Table(f"results-{link}-{metric}", caption, head, groups)


def allocation_table(result: StudyResult, link: str) -> Table:
    """Allocation of variation: shares and sums of squares."""
    tables = [compared_allocation(result, link, metric) for metric in METRICS]
    units = ("share of the variation, %", "sum of squares")
    head = [
        [heading("Component", rows=3), *(heading(m.capitalize(), columns=4) for m in METRICS)],
        [heading(unit, columns=2) for _ in METRICS for unit in units],
        [number_heading(name) for _ in METRICS for _ in units for name in SOURCES],
    ]
    rows = []
    for both in zip(*(table.itertuples() for table in tables), strict=True):
        cells = [
            cell
            for row in both
            for cell in (
                number(fixed(row.simulated, 2)),
                published(fixed(row.published, 2)),
                number(fixed(row.simulated_ss, 4)),
                published(fixed(row.published_ss, 4)),
            )
        ]
        rows.append([row_heading(product_name(both[0].component)), *cells])
    caption = (
        f"{link}: allocation of variation. The published tables have no row for the error; here "
        "it is the remainder of their other rows."
    )
    return Table(f"allocation-table-{link}", caption, head, [rows])


def effects_table(result: StudyResult, link: str) -> Table:
    """Main effects with their intervals."""
    tables = [compared_effects(result, link, metric) for metric in METRICS]
    head = pairs_head(("Factor", "Level"), [metric.capitalize() for metric in METRICS])
    groups = in_groups(
        (
            (its["factor"], its["level"]),
            [cell for table in tables for cell in _effect(table.loc[at])],
        )
        for at, its in tables[0].iterrows()
    )
    caption = f"{link}: main effects with their 90\u00a0% intervals."
    return Table(f"effects-table-{link}", caption, head, groups)


def _effect(row: pd.Series) -> list[Cell]:
    make = {"simulated": number, "published": published}
    return [
        cell(signed(row[source]), interval(row[f"{source}_lo"], row[f"{source}_hi"]))
        for source, cell in make.items()
    ]


_DIAGNOSTICS = (
    ("offered_load", "Offered load", "share of C", fixed),
    ("cells_refused", "Refused", "cells", grouped),
    ("cells_overflowed", "Overflowed", "cells", grouped),
    ("cells_cut", "Cut", "cells", grouped),
    ("timeouts", "Timeouts", "", grouped),
    ("fast_retransmits", "Fast retransmits", "", grouped),
    ("retransmitted_share", "Retransmitted", "share of segments", fixed),
    ("mean_queue_cells", "Mean queue", "cells", grouped),
    ("max_queue_cells", "Largest queue", "cells", grouped),
)
"""Column of the runs, heading, unit, format."""


def diagnostics_table(result: StudyResult, link: str) -> Table:
    """Drops by cause, recoveries and queue of each combination."""
    runs = result.runs[result.runs["link"] == link]
    names = [name for name, *_ in _DIAGNOSTICS]
    cells = runs.groupby(POINT, sort=False)[names].mean().reset_index()
    head = [heading("Drop policy"), heading("TCP"), number_heading("Buffer", "RTT")]
    head += [number_heading(text, unit) for _, text, unit, _ in _DIAGNOSTICS]
    groups = [_diagnostic_rows(rows) for _, rows in cells.groupby(POINT[:-1], sort=False)]
    caption = (
        f"{link}: {per_run(result)}. Offered load: what the servers had to send, as a share of C, "
        "the TCP throughput that the trunk can carry. Cells lost on the path to the clients: "
        "refused by the drop policy, overflowed because the buffer was full, cut because the rest "
        "of their frame was lost. Timeouts and fast retransmits are those of all servers together."
    )
    return Table(f"diagnostics-{link}", caption, [head], groups)


def _diagnostic_rows(cells: pd.DataFrame) -> list[Row]:
    rows: list[Row] = []
    for _, cell in cells.iterrows():
        first = (row_heading(cell[name], len(cells)) for name in ("drop_policy", "tcp_flavor"))
        values = [number(text(cell[name])) for name, _, _, text in _DIAGNOSTICS]
        buffer = number(f"{cell['buffer_rtt']:g}")
        rows.append([*([] if rows else first), buffer, *values])
    return rows


def starved_table(result: StudyResult, link: str) -> Table | None:
    """Servers of which not one byte arrived, beside what the printed fairness allows."""
    runs = result.runs[result.runs["link"] == link]
    if not runs[STARVED].any():
        return None
    printed = compared(result, link, "fairness").set_index(POINT)["published"]
    pairs = result.scenario.topology.pairs
    buffers = [f"{buffer:g} RTT" for buffer in runs["buffer_rtt"].unique()]
    head = two_rows(("Drop policy", "TCP"), dict.fromkeys(buffers, ("mean", "most", "allowed")))
    cells: dict[tuple[str, str], list[Cell]] = {}
    for point, its in runs.groupby(POINT, sort=False)[STARVED]:
        allowed = floor(pairs * (1 - printed[point] + _HALF_DIGIT))
        cells.setdefault(point[1:3], []).extend(
            (number(fixed(its.mean(), 1)), number(f"{its.max()}"), published(f"{allowed}"))
        )
    caption = (
        f"{link}: servers of which not one byte arrived in the whole run, of {pairs}; mean over "
        "the runs and most in one run. Allowed: Jain's index is at most 1 − k/n if k of n servers "
        "get nothing, so the printed fairness allows no more than this."
    )
    return Table(f"starved-{link}", caption, head, in_groups(cells.items()))


def fixed_table(result: StudyResult) -> Table:
    """What a link fixes."""
    names = ("Trunk delay", "SMSS", "Receive buffer", "Buffers")
    units = ("ms, one way", "bytes", "bytes", "cells")
    head = [heading("Link"), *map(number_heading, names, units)]
    rows = []
    for link in links(result):
        plans = [_plan(result, link, buffer) for buffer in result.request.chosen("buffers")]
        cells = (
            f"{plans[0]['links'][0]['trunk']['delay_ps'] / _MS_PS:g}",
            grouped(plans[0]["tcps"][0]["smss_bytes"]),
            grouped(plans[0]["tcps"][0]["receive_buffer_bytes"]),
            " / ".join(grouped(_buffer_cells(plan)) for plan in plans),
        )
        rows.append([row_heading(link), *map(number, cells)])
    return Table("fixed", "Fixed parameters of each link, and all buffers run.", [head], [rows])


def _plan(result: StudyResult, link: str, buffer_rtt: float) -> dict[str, Any]:
    """The plan of the first drop policy and flavor that were run."""
    policy, flavor = (result.request.chosen(option)[0] for option in ("policies", "flavors"))
    wanted = Point(link, policy, flavor, buffer_rtt)
    points = {Point(**point.levels): point for point in result.scenario.points()}
    return points[wanted].compile().plan


def _buffer_cells(plan: dict[str, Any]) -> int:
    return plan["links"][0]["port"]["buffer_cells"]
