"""How much each open convention matters: the study with the defaults and with each alternative.

Usage: python -m ackclock.studies.rfc2415.sensitivity [REPLICATIONS] > sensitivity.csv

Every variant runs on the same traffic (common random numbers), so that the differences between
their errors are far less noisy than the errors themselves. With few replications the number of
claims that hold is noisy, too: some are decided by intervals.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ackclock.studies.common.sensitivity import DEFAULTS, name_of, sets_of, write_rows
from ackclock.studies.rfc2415.analysis import changes_table, results_table, with_clock
from ackclock.studies.rfc2415.claims import claims_table
from ackclock.studies.rfc2415.comparison import Errors, comparison_table, errors
from ackclock.studies.rfc2415.result import CLOCKS, Request
from ackclock.studies.rfc2415.runs import run_all

CLOCK = "--page-clock "
ALTERNATIVES = (
    "topology.access.delay=1 ms",
    "topology.access.delay=12.5 ms",
    "topology.hosts=1",
    "topology.bottleneck.queue.limit=24 packets",
    'topology.bottleneck.reverse_impairments=[{ kind = "jitter", spread = "2 ms" }]',
    "tcp.historic.handshake_growth=true",
    "tcp.historic.handshake_sample=true",
    "tcp.nagle=true",
    "tcp.delayed_ack=100 ms",
    "tcp.delayed_ack=400 ms; tcp.ack_timer=free_running; tcp.quick_ack_size=16 KiB",
    "tcp.ssthresh_from=cwnd",
    "tcp.ssthresh_rounding=segments",
    "tcp.ssthresh_from=cwnd; tcp.ssthresh_rounding=segments",
    "tcp.timers=fine",
    "tcp.flavor=newreno",
    "tcp.min_rto=400 ms",
    "tcp.min_rto=1 s",
    "tcp.initial_rto=3 s",
    "tcp.initial_rto=3 s; tcp.historic.handshake_sample=true",
    "clock.phase=open",
    "workload.answers_with_ack=false",
    "workload.sizes_interpolation=none",
    "workload.request_size=231 B",
    "workload.start_spread=5 s",
)
"""One setting each, or one policy of several with a semicolon between; all else keeps its default.

The policy is that of the ns-2 script which survives beside the TCP of the RFC: every second segment
is acknowledged, with a timer that runs freely, once 16 KiB were acknowledged one by one.
"""
COLUMNS = ("setting", *Errors._fields, "claims_hold")


def tables_of(runs: pd.DataFrame, clock: str) -> tuple[float, ...]:
    """The distances from the published tables, and how many claims hold."""
    timed = with_clock(runs, clock)
    found = errors(comparison_table(results_table(timed), changes_table(timed)))
    return (*found, int((claims_table(timed)["holds"] == "true").sum()))


def sensitivity(replications: int, jobs: int) -> Iterator[pd.DataFrame]:
    """A row for the defaults, one for each other clock of pages, one for each alternative."""
    for setting in (DEFAULTS, *ALTERNATIVES):
        request = Request(sets=sets_of(setting), replications=replications)
        with tempfile.TemporaryDirectory() as folder:
            runs = run_all(request, Path(folder), jobs, lambda event: None)
        names = {setting: CLOCKS[0]}
        if setting == DEFAULTS:
            names |= {f"{CLOCK}{clock}": clock for clock in CLOCKS[1:]}
        for name, clock in names.items():
            yield pd.DataFrame([(name, *tables_of(runs, clock))], columns=list(COLUMNS))


def markdown(table: pd.DataFrame) -> str:
    """All rows as one table in Markdown."""
    headings = (
        "setting",
        "delay at IW 1, HTTP/1.0 (%)",
        "HTTP/1.1 (%)",
        "decrease (points)",
        "utilisation (points)",
        "drops (points)",
        "claims that hold",
    )
    lines = [f"| {' | '.join(headings)} |", "|---" * len(headings) + "|"]
    for row in table.itertuples(index=False):
        numbers = [f"{value:.1f}" for value in row[1:5]] + [f"{row.drops:.2f}"]
        lines.append(f"| {name_of(row.setting)} | {' | '.join(numbers)} | {row.claims_hold} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the rows to standard output, as CSV."""
    write_rows(sensitivity, 3)


if __name__ == "__main__":
    main()
