"""How much each open convention matters: Table 2 with the defaults and with each alternative.

Usage: python -m ackclock.studies.abr_web.sensitivity [REPLICATIONS] > sensitivity.csv

Every variant runs on the same traffic (common random numbers), so that the differences between
their errors are far less noisy than the errors themselves.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ackclock.studies.abr_web.analysis import in_bounds, results_table
from ackclock.studies.abr_web.bounds import Bounds, bounds
from ackclock.studies.abr_web.claims import claims_table
from ackclock.studies.abr_web.comparison import comparison_table, errors
from ackclock.studies.abr_web.levels import TABLE2, Selection
from ackclock.studies.abr_web.result import Request
from ackclock.studies.abr_web.runs import run_all
from ackclock.studies.abr_web.settings import study_scenario
from ackclock.studies.common.sensitivity import DEFAULTS, name_of, sets_of, write_rows

ALTERNATIVES = (
    "topology.abr.icr=1 Mbit/s",
    "topology.abr.icr=45 Mbit/s",
    "topology.abr.icr=pcr",
    "duration=50 s",
    "duration=200 s",
    "workload.start_spread=0 s",
    "workload.start_spread=300 ms",
    "workload.start_spread=3 s",
    "workload.start_spread=10 s",
    "workload.period_from=first_request",
    "workload.first_alone=false",
    "workload.first_is_class_0=true",
    "workload.gap_min=100 ms; workload.gap_max=500 ms",
    "workload.requests=poisson_truncated",
    "workload.file_index=poisson_truncated",
    "topology.switch.ccr=measured",
    "topology.switch.load_average=ratio",
    "topology.switch.load_average=parts",
    "topology.switch.vc_decay=0.9",
    "topology.switch.immediate_fair_share=true",
    "topology.switch.count_both_directions=true",
    "topology.switch.limit_jump=false",
    "topology.abr.rif=0.0625",
    "topology.access.rate=149.76 Mbit/s",
    "tcp.idle_restart=false",
    "tcp.min_rto=500 ms",
    "tcp.min_rto=1 s",
    "tcp.timers=fine",
    "clock.tick=500 ms; clock.phase=uniform 500 ms; tcp.min_rto=1 s",
    "clock.phase=common",
    "tcp.sws_avoidance=false",
    "tcp.flavor=reno",
    "tcp.delayed_ack=200 ms",
)
"""One setting each, or several with semicolons between; all else keeps its default."""
TOLD = (1, 5, 10, 15)
"""Numbers of servers for which the longest queue is reported."""
COLUMNS = (
    "setting",
    "throughput_pct",
    "efficiency",
    "queue_factor",
    "queue_ratio",
    *(f"max_queue_{servers}" for servers in TOLD),
    "efficiency_15_pct",
    "response_5_s",
    "claims_hold",
)


def row_of(runs: pd.DataFrame, found: Bounds) -> tuple[float, ...]:
    """What a variant of the study gives.

    Args:
        runs: all of Table 2, see ``runs.run_all``.
        found: bounds of its scenario.

    Returns:
        The distances from Table 2; the mean longest queue by ``TOLD``, cells; efficiency with 15
        servers, %; median response time with 5 servers, s; how many claims hold.
    """
    runs = in_bounds(runs, found)
    results = results_table(runs)
    by_servers = results.set_index("servers")
    return (
        *errors(comparison_table(results)),
        *(float(by_servers["max_queue_cells"][servers]) for servers in TOLD),
        float(by_servers["efficiency_pct"][15]),
        float(by_servers["response_median_s"][5]),
        int((claims_table(runs, found)["holds"] == "true").sum()),
    )


def sensitivity(replications: int, jobs: int) -> Iterator[pd.DataFrame]:
    """A row for the defaults, and one for each alternative."""
    for setting in (DEFAULTS, *ALTERNATIVES):
        request = Request(sets_of(setting), Selection(parts=(TABLE2,)), replications)
        with tempfile.TemporaryDirectory() as folder:
            runs = run_all(request, Path(folder), jobs, lambda event: None)
        found = bounds(study_scenario(request))
        yield pd.DataFrame([(setting, *row_of(runs, found))], columns=list(COLUMNS))


def markdown(table: pd.DataFrame) -> str:
    """All rows as one table in Markdown."""
    headings = (
        "setting",
        "throughput (%)",
        "efficiency (points)",
        "maximum queue (factor)",
        "with signs",
        *(f"at N = {servers} (cells)" for servers in TOLD),
        "efficiency at N = 15 (%)",
        "response at N = 5 (s)",
        "claims that hold",
    )
    lines = [f"| {' | '.join(headings)} |", "|---" * len(headings) + "|"]
    for row in table.itertuples(index=False):
        numbers = (
            f"{row.throughput_pct:.1f}",
            f"{row.efficiency:.1f}",
            f"{row.queue_factor:.2f}",
            f"{row.queue_ratio:.2f}",
            *(f"{getattr(row, f'max_queue_{servers}'):.0f}" for servers in TOLD),
            f"{row.efficiency_15_pct:.1f}",
            f"{row.response_5_s:.2f}",
            f"{row.claims_hold}",
        )
        lines.append(f"| {name_of(row.setting)} | {' | '.join(numbers)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the rows to standard output, as CSV."""
    write_rows(sensitivity, 2)


if __name__ == "__main__":
    main()
