"""How much each open convention matters: the study with the defaults and with each alternative.

Usage: python -m ackclock.studies.newreno.sensitivity [REPLICATIONS] > sensitivity.csv

Every variant runs on the same random numbers, so that the differences between their errors are far
less noisy than the errors themselves.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ackclock.studies.common.sensitivity import DEFAULTS, name_of, sets_of, write_rows
from ackclock.studies.newreno import published
from ackclock.studies.newreno.analysis import errors_table
from ackclock.studies.newreno.claims import claims_table
from ackclock.studies.newreno.claims.registry import Study
from ackclock.studies.newreno.emulation import emulation_table
from ackclock.studies.newreno.levels import (
    BACKGROUND,
    BERNOULLI,
    BOTTLENECKS,
    BUFFER,
    BURSTY,
    NEWRENO,
    RED,
    SCALING,
    UDP,
    Curve,
)
from ackclock.studies.newreno.predictions import FULL, PAPER, flows_table
from ackclock.studies.newreno.result import Request
from ackclock.studies.newreno.runs import payload_bytes, run_all
from ackclock.studies.newreno.settings import part_scenarios

ALTERNATIVES = (
    "tcp.timestamps=false",
    "tcp.timestamps=false; tcp.recovery_samples=true",
    "tcp.limited_transmit=false",
    "tcp.ssthresh_from=cwnd",
    "tcp.ssthresh_from=flight_size",
    "tcp.partial_ack_timer=first",
    "tcp.deflation=full",
    "tcp.min_rto=1 s",
    "tcp.timers=ticks",
    "tcp.timers=ticks; clock.tick=100 ms",
    "tcp.initial_rto=1 s",
    "tcp.initial_window=1",
    "tcp.initial_window=4",
    "tcp.delayed_ack=100 ms",
    "tcp.smss=1 kB",
    "topology.bottleneck.delay=1 ms",
    "topology.bottleneck.delay=9 ms",
    "topology.access.rate=1 Gbit/s",
    "variables.red_max_p=0.02",
    "variables.red_weight=0.0005",
    "variables.red_gentle=false",
    "variables.red_adaptive=true",
    "variables.request_size=960 B",
    "variables.udp_off=1 s",
    "variables.udp_off=4 s",
    "variables.events_of=data",
    "variables.testbed_min_rto_of=rto; variables.testbed_min_rto=1 s",
    "variables.testbed_delayed_ack=off",
)
"""One setting each, or several with semicolons between; all else keeps its default."""
ERRORS = {
    "bursty": (BURSTY, ""),
    "bernoulli": (BERNOULLI, ""),
    "background": (BACKGROUND, "drop_tail"),
    "background_red": (BACKGROUND, RED),
    "bottlenecks": (BOTTLENECKS, "drop_tail"),
    "bottlenecks_red": (BOTTLENECKS, RED),
    "udp": (UDP, "drop_tail"),
    "scaling": (SCALING, ""),
    "buffer": (BUFFER, ""),
}
"""Columns of mean errors of the Full model for NewReno: part, and queue if it has several."""
COLUMNS = ("setting", *ERRORS, "testbed_ratio", "advantage", "claims_hold")


def row_of(flows: pd.DataFrame) -> tuple[float, ...]:
    """What a variant of the study gives.

    Args:
        flows: see ``predictions.flows_table``; of the whole study.

    Returns:
        Mean error of the Full model by ``ERRORS``, %; mean ratio of simulated to published
        throughput in Table III; mean advantage of NewReno over Reno beside web sessions and file
        transfers with drop-tail, %; how many claims hold.
    """
    errors = errors_table(flows, published.errors())
    errors = errors[
        (errors["flow"] == NEWRENO) & (errors["model"] == FULL) & (errors["inputs"] == PAPER)
    ]
    described = []
    for part, queue in ERRORS.values():
        its = errors[(errors["part"] == part) & errors["queue"].str.startswith(queue)]
        described.append(float(its["mean_error_pct"].mean()))
    emulation = emulation_table(flows)
    advantage = Study(flows, emulation).mean_advantage(Curve(BACKGROUND)).mean()
    claims = int((claims_table(flows, emulation)["holds"] == "true").sum())
    return (*described, float(emulation["ratio"].mean()), float(advantage), claims)


def sensitivity(replications: int, jobs: int) -> Iterator[pd.DataFrame]:
    """A row for the defaults, and one for each alternative."""
    for setting in (DEFAULTS, *ALTERNATIVES):
        request = Request(sets=sets_of(setting), replications=replications)
        with tempfile.TemporaryDirectory() as folder:
            runs = run_all(request, Path(folder), jobs, lambda event: None)
        flows = flows_table(runs, payload_bytes(part_scenarios(request)))
        yield pd.DataFrame([(setting, *row_of(flows))], columns=list(COLUMNS))


def markdown(table: pd.DataFrame) -> str:
    """All rows as one table in Markdown."""
    headings = (
        "setting",
        "bursty (%)",
        "Bernoulli (%)",
        "background (%)",
        "background, RED (%)",
        "two bottlenecks (%)",
        "two bottlenecks, RED (%)",
        "UDP (%)",
        "scaling (%)",
        "buffer (%)",
        "Table III (ratio)",
        "NewReno above Reno (%)",
        "claims that hold",
    )
    lines = [f"| {' | '.join(headings)} |", "|---" * len(headings) + "|"]
    for row in table.itertuples(index=False):
        errors = [f"{getattr(row, name):.1f}" for name in ERRORS]
        numbers = [*errors, f"{row.testbed_ratio:.2f}", f"{row.advantage:.1f}"]
        lines.append(f"| {name_of(row.setting)} | {' | '.join(numbers)} | {row.claims_hold} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the rows to standard output, as CSV."""
    write_rows(sensitivity, 2)


if __name__ == "__main__":
    main()
