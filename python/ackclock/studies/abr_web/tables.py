"""The tables of the report and of the terminal."""

from __future__ import annotations

from typing import NamedTuple

from ackclock.report.blocks import (
    Cell,
    Row,
    Table,
    heading,
    number_heading,
    row_heading,
)
from ackclock.report.numbers import grouped
from ackclock.studies.abr_web.levels import ABR, Carrier, carrier_name
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.tables import mean_cell, pair, pairs_head
from ackclock.studies.machinery.words import marks, means


class Column(NamedTuple):
    """A column of means: of what, under which heading, in which unit, with how many decimals."""

    metric: str
    heading: str
    unit: float = 1
    decimals: int = 0
    printed_decimals: int = 0


_PRINTED = (
    Column("max_queue_cells", "Maximum queue (cells)"),
    Column("max_queue_rtt", "Maximum queue (RTT)", 1, 2, 2),
    Column("throughput_bit_s", "TCP throughput (Mbit/s)", 1e6, 2, 2),
    Column("efficiency_pct", "Efficiency (%)", 1, 1, 1),
)
_DETAILS = (
    Column("load_pct", "Load (%)", 1, 1),
    Column("mean_queue_cells", "Mean queue (cells)"),
    Column("utilisation_pct", "Trunk busy (%)", 1, 1),
    Column("cells_lost", "Cells lost"),
    Column("most_waiting_cells", "Most cells of a circuit in a NIC"),
    Column("requests", "Requests"),
    Column("unanswered_pct", "Not answered (%)", 1, 1),
    Column("response_median_s", "Response time, median (s)", 1, 2),
    Column("response_p95_s", "95 % quantile (s)", 1, 2),
    Column("timeouts", "Time-outs"),
    Column("retransmitted_pct", "Sent again (%)", 1, 2),
)
_SERVICES = (
    Column("throughput_bit_s", "TCP throughput (Mbit/s)", 1e6, 2),
    Column("efficiency_pct", "Efficiency (%)", 1, 1),
    Column("max_queue_cells", "Maximum queue (cells)"),
    Column("cells_lost", "Cells lost"),
    Column("response_median_s", "Response time, median (s)", 1, 2),
    Column("response_p95_s", "95 % quantile (s)", 1, 2),
    Column("quick_pct", "Answered in 1 s (%)", 1, 1),
    Column("unanswered_pct", "Not answered (%)", 1, 1),
    Column("timeouts", "Time-outs"),
    Column("retransmitted_pct", "Sent again (%)", 1, 2),
)


def table2(result: StudyResult) -> Table | None:
    """Table 2, simulated beside published."""
    rows = result.tables["comparison"]
    if rows.empty:
        return None
    head = pairs_head(("Servers",), [each.heading for each in _PRINTED])
    body: list[Row] = []
    for servers, its in rows.groupby("servers", sort=False):
        by_metric = {row.metric: row for row in its.itertuples(index=False)}
        cells = [
            cell
            for each in _PRINTED
            for cell in pair(
                by_metric[each.metric], each.decimals, each.printed_decimals, each.unit
            )
        ]
        body.append([row_heading(str(servers)), *cells])
    bounds = result.evidence.bounds
    described = (
        f"Table 2. Simulated: {means(result)}. A round-trip time, {1e3 * bounds.rtt_s:g} ms, is "
        f"{grouped(bounds.rtt_cells)} cells of an access link here and 11 040 in the paper; an "
        f"efficiency of 100 % is {bounds.most_bit_s / 1e6:.1f} Mbit/s.{marks(result)}"
    )
    return Table("table-2", described, head, [body])


def details_table(result: StudyResult) -> Table | None:
    """What the paper does not say about the rows of its table."""
    results = result.tables["results"]
    if results.empty:
        return None
    body = [
        [row_heading(str(row.servers)), *(_mean(row, each) for each in _DETAILS)]
        for row in results.itertuples(index=False)
    ]
    head = [[heading("Servers"), *(number_heading(each.heading) for each in _DETAILS)]]
    described = (
        f"The same runs, {means(result)}. Load: data that the clients requested. Response time: "
        "from a request to the last byte of its answer, over all requests. A request without an "
        "answer at the end of the run counts as longer than all others."
    )
    return Table("details-table", described, head, [body])


def services_table(result: StudyResult) -> Table | None:
    """The same load over each service."""
    services = result.tables["services"]
    if services.empty:
        return None
    groups = []
    for servers, rows in services.groupby("servers", sort=False):
        group: list[Row] = []
        for row in rows.itertuples(index=False):
            first = [] if group else [row_heading(str(servers), rows=len(rows))]
            carrier = Carrier(row.service, row.buffer_rtt, row.tcp)
            name = Cell(_name(result, carrier), scope="row")
            group.append([*first, name, *(_mean(row, each) for each in _SERVICES)])
        groups.append(group)
    head = [
        [
            heading("Servers"),
            heading("Service, buffer, TCP"),
            *(number_heading(each.heading) for each in _SERVICES),
        ]
    ]
    described = (
        f"The same load over ABR and over UBR, {means(result)}. Buffers in bandwidth-delay "
        "products of the bottleneck; EPD and Selective Drop (SD) refuse whole frames. An "
        "efficiency of 100 % is the maximum throughput of TCP over that service. The maximum is "
        "higher over UBR, which has no RM cells."
    )
    return Table("services-table", described, head, groups)


def _name(result: StudyResult, carrier: Carrier) -> str:
    name = carrier_name(carrier)
    return f"{name}, {result.scenario.tcp.flavor}" if carrier.service == ABR else name


def _mean(row: tuple, column: Column) -> Cell:
    ends = (getattr(row, f"{column.metric}{end}") / column.unit for end in ("", "_lo", "_hi"))
    return mean_cell(*ends, column.decimals)
