"""The tables of the report and of the terminal."""

from __future__ import annotations

from ackclock.report.blocks import Table
from ackclock.report.numbers import grouped
from ackclock.studies.abr_web.levels import ABR, CARRIER, Carrier, carrier_name
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.tables import Column, in_groups, means_table, pair, pairs_head
from ackclock.studies.machinery.words import marks, means


def _column(metric: str, heading: str, decimals: int = 0, unit: float = 1) -> Column:
    return Column(metric, heading, unit=unit, decimals=decimals)


_PRINTED = (
    _column("max_queue_cells", "Maximum queue (cells)"),
    _column("max_queue_rtt", "Maximum queue (RTT)", 2),
    _column("throughput_bit_s", "TCP throughput (Mbit/s)", 2, 1e6),
    _column("efficiency_pct", "Efficiency (%)", 1),
)
_DETAILS = (
    _column("load_pct", "Load (%)", 1),
    _column("mean_queue_cells", "Mean queue (cells)"),
    _column("utilisation_pct", "Trunk busy (%)", 1),
    _column("cells_lost", "Cells lost"),
    _column("most_waiting_cells", "Most cells of a circuit in a NIC"),
    _column("requests", "Requests"),
    _column("unanswered_pct", "Not answered (%)", 1),
    _column("response_median_s", "Response time, median (s)", 2),
    _column("response_p95_s", "95 % quantile (s)", 2),
    _column("timeouts", "Time-outs"),
    _column("retransmitted_pct", "Sent again (%)", 2),
)
_SERVICES = (
    _column("throughput_bit_s", "TCP throughput (Mbit/s)", 2, 1e6),
    _column("efficiency_pct", "Efficiency (%)", 1),
    _column("max_queue_cells", "Maximum queue (cells)"),
    _column("cells_lost", "Cells lost"),
    _column("response_median_s", "Response time, median (s)", 2),
    _column("response_p95_s", "95 % quantile (s)", 2),
    _column("quick_pct", "Answered in 1 s (%)", 1),
    _column("unanswered_pct", "Not answered (%)", 1),
    _column("timeouts", "Time-outs"),
    _column("retransmitted_pct", "Sent again (%)", 2),
)


def table2(result: StudyResult) -> Table | None:
    """Table 2, simulated beside published."""
    rows = result.tables["comparison"]
    if rows.empty:
        return None
    head = pairs_head(("Servers",), [each.heading for each in _PRINTED])
    body = []
    for levels, its in rows.groupby(["servers"], sort=False):
        by = {row.metric: row for row in its.itertuples(index=False)}
        pairs = (pair(by[each.metric], each.decimals, unit=each.unit) for each in _PRINTED)
        body.append((levels, [cell for both in pairs for cell in both]))
    bounds = result.evidence.bounds
    described = (
        f"Table 2. Simulated: {means(result)}. A round-trip time, {1e3 * bounds.rtt_s:g} ms, is "
        f"{grouped(bounds.rtt_cells)} cells of an access link here and 11 040 in the paper; an "
        f"efficiency of 100 % is {bounds.most_bit_s / 1e6:.1f} Mbit/s.{marks(result)}"
    )
    return Table("table-2", described, head, in_groups(body))


def details_table(result: StudyResult) -> Table | None:
    """What the paper does not say about the rows of its table."""
    results = result.tables["results"]
    if results.empty:
        return None
    described = (
        f"The same runs, {means(result)}. Load: data that the clients requested. Response time: "
        "from a request to the last byte of its answer, over all requests. A request without an "
        "answer at the end of the run counts as longer than all others."
    )
    return means_table("details-table", described, results, {"servers": "Servers"}, _DETAILS)


def services_table(result: StudyResult) -> Table | None:
    """The same load over each service."""
    services = result.tables["services"]
    if services.empty:
        return None
    carriers = services[CARRIER].itertuples(index=False, name=None)
    shown = services.assign(carrier=[_name(result, Carrier(*each)) for each in carriers])
    keys = {"servers": "Servers", "carrier": "Service, buffer, TCP"}
    described = (
        f"The same load over ABR and over UBR, {means(result)}. Buffers in bandwidth-delay "
        "products of the bottleneck; EPD and Selective Drop (SD) refuse whole frames. An "
        "efficiency of 100 % is the maximum throughput of TCP over that service. The maximum is "
        "higher over UBR, which has no RM cells."
    )
    return means_table("services-table", described, shown, keys, _SERVICES)


def _name(result: StudyResult, carrier: Carrier) -> str:
    name = carrier_name(carrier)
    return f"{name}, {result.scenario.tcp.flavor}" if carrier.service == ABR else name
