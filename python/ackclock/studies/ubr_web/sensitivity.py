"""How much each open convention matters: the study with the defaults and with each alternative.

Usage: python -m ackclock.studies.ubr_web.sensitivity [REPLICATIONS] > sensitivity.csv

Every variant runs on the same traffic (common random numbers), so that the differences between
their errors are far less noisy than the errors themselves.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ackclock.studies.common.sensitivity import DEFAULTS, name_of, sets_of, write_rows
from ackclock.studies.ubr_web.analysis import comparison_table, results_table
from ackclock.studies.ubr_web.result import Request
from ackclock.studies.ubr_web.runs import run_all

ALTERNATIVES = (
    "clock.phase=common",
    "clock.phase=uniform 100 us",
    "clock.phase=uniform 200 us",
    "clock.phase=uniform 500 us",
    "clock.phase=uniform 1 ms",
    "clock.phase=uniform 100 ms",
    "clock.phase=open",
    "tcp.min_rto=400 ms",
    "tcp.min_rto=1 s",
    "tcp.initial_rto=6 s",
    "tcp.sws_avoidance=true",
    "tcp.idle_restart=true",
    "tcp.ssthresh_from=flight_size",
    "tcp.ssthresh_rounding=segments",
    "tcp.historic.additive_constant=true",
    "variables.newreno=newreno_full",
    "variables.newreno=newreno",
    "workload.start_spread=10 ms",
    "workload.start_spread=10 s",
    "workload.period_from=last_request",
    "workload.file_index=uniform",
    "workload.requests=five",
    "workload.first_is_class_0=true",
    "topology.port.eom=drop",
)
"""One setting each; everything else keeps its default."""


def errors(sets: tuple[str, ...], replications: int, jobs: int) -> pd.DataFrame:
    """Mean error against the published table, per link.

    Returns:
        Index link; columns efficiency_error, fairness_error (mean absolute), efficiency_bias,
        fairness_bias (mean, simulated minus published).
    """
    request = Request(sets=sets, replications=replications)
    with tempfile.TemporaryDirectory() as folder:
        runs = run_all(request, Path(folder), jobs, lambda event: None)
    comparison = comparison_table(results_table(runs))
    grouped = comparison.assign(error=comparison["delta"].abs()).groupby(
        ["link", "metric"], sort=False
    )
    table = grouped.agg(error=("error", "mean"), bias=("delta", "mean")).unstack("metric")
    table.columns = [f"{metric}_{what}" for what, metric in table.columns]
    order = ["efficiency_error", "efficiency_bias", "fairness_error", "fairness_bias"]
    return table[order]


def sensitivity(replications: int, jobs: int) -> Iterator[pd.DataFrame]:
    """A table for the defaults, and one for each alternative as it is done."""
    for setting in (DEFAULTS, *ALTERNATIVES):
        table = errors(sets_of(setting), replications, jobs).reset_index()
        table.insert(0, "setting", setting)
        yield table


def markdown(table: pd.DataFrame) -> str:
    """The tables of all settings as one in Markdown: error (bias), a row a setting."""
    links, metrics = list(table["link"].unique()), ("efficiency", "fairness")
    columns = [f"{link} {metric}" for link in links for metric in metrics]
    lines = [f"| setting | {' | '.join(columns)} |", "|---" * (1 + len(columns)) + "|"]
    for setting, rows in table.groupby("setting", sort=False):
        by_link = rows.set_index("link")
        cells = [
            f"{by_link.at[link, f'{metric}_error']:.3f} ({by_link.at[link, f'{metric}_bias']:+.3f})"
            for link in links
            for metric in metrics
        ]
        lines.append(f"| {name_of(setting)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the tables to standard output, as CSV."""
    write_rows(sensitivity, 3)


if __name__ == "__main__":
    main()
