"""ns-2 and ackclock on 15 Mbit/s with 150 background flows: do they tell the same?

Throughput of the NewReno and the Reno flow of the foreground, drop share and utilisation of both,
and their differences over replications, paired by the file of flows, with intervals of which all
four together hold at 95 % (Bonferroni). Then conventions switched alone, with what each moves.

Prints tables, and writes them as CSV files.
Usage: python benches/peers/newreno_agreement.py [REPLICATIONS [FOLDER]]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from agreement import CONFIDENCE, compared, show
from newreno_inputs import BACKGROUND, Inputs, inputs
from newreno_simulators import Measured, run_ackclock, run_ns2

from ackclock.campaign.processors import processors

METRICS = {
    "newreno_mbit_s": "Mbit/s",
    "reno_mbit_s": "Mbit/s",
    "drops": "%",
    "utilisation": "%",
}
SWITCHES = {
    "queue limit 150, so that 149 wait": ("-limit", "150"),
    "no ACK of the client's FIN": ("-fin", "0"),
    "ticks of 100 ms": ("-tick", "0.1"),
}
"""Conventions of ns-2, and the options that switch them."""


def agreement(ours: Sequence[Measured], theirs: Sequence[Measured]) -> list[dict[str, Any]]:
    """The difference of ackclock from ns-2, with intervals that hold jointly."""
    confidence = 1 - (1 - CONFIDENCE) / len(METRICS)
    return [
        row | {"agrees": row["lo"] <= 0 <= row["hi"]}
        for row in compared(ours, theirs, confidence, METRICS)
    ]


def main() -> None:
    """Run, print and write."""
    replications = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    out = Path(sys.argv[2] if len(sys.argv) > 2 else "out/peers-newreno")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(processors()) as pool:
        seeds = range(1, replications + 1)
        given = [inputs(BACKGROUND, seed, Path(folder)) for seed in seeds]

        def each(run: Callable[[Inputs, int], Measured]) -> list[Measured]:
            return list(pool.map(run, given, seeds))

        ours, theirs = each(run_ackclock), each(run_ns2)
        show("ackclock less ns-2", agreement(ours, theirs), out / "agreement.csv")
        rows = [
            {"switched in ns-2": name, **row}
            for name, options in SWITCHES.items()
            for row in compared(
                each(lambda its, seed, options=options: run_ns2(its, seed, options)),
                theirs,
                CONFIDENCE,
                METRICS,
            )
        ]
        show("What a convention moves", rows, out / "conventions.csv")


if __name__ == "__main__":
    main()
