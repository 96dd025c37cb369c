"""Processor time of the same scenario in ns-2, ns-3 and ackclock: 32 webs, 3 ftps, IW 1, 360 s.

The programs run in turn, so that what else the machine does meets all of them. User and system
time of the process and its children, in seconds; medians, and the range from the fastest run to the
slowest. Nothing is asserted: a bench prints.

Prints a table, and writes it as a CSV file.
Usage: python benches/peers/speed.py [ROUNDS [FOLDER]]
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from agreement import show
from inputs import HERE, compiled, scenario, write_pauses, write_sizes
from simulators import ns2_command
from timing import in_children

from ackclock import _core
from ackclock.campaign import run_campaign

CLIENTS = (32, 3)
WINDOW, SECONDS = 1, 360
SEED = 1
RUNS = 20
"""In a campaign, whose processor time is divided by them."""
NS3 = HERE.parents[1] / "target" / "peers" / "rfc2415"


def in_process(work: Callable[[], object]) -> float:
    """Processor time of this process, seconds."""
    before = time.process_time()
    work()
    return time.process_time() - before


def programs(folder: Path) -> dict[str, Callable[[], float]]:
    """What is timed, by name; each gives the seconds of one run.

    Args:
        folder: with the files of sizes and pauses, and for the campaigns.
    """
    sizes, pauses = folder / "sizes.csv", folder / "pauses.csv"
    write_sizes(sizes, SEED)
    write_pauses(pauses, *CLIENTS, sizes, SEED)
    plan = json.dumps(compiled(*CLIENTS, sizes).plan)
    ours = scenario(*CLIENTS, sizes)
    numbers = map(str, (*CLIENTS, WINDOW, SECONDS))
    ns3 = [str(NS3), str(sizes), str(pauses), *numbers]
    sets = ours_as_options(sizes)
    counting = ("-transfers", str(folder / "transfers.csv"))

    def campaign(replications: int) -> None:
        with tempfile.TemporaryDirectory() as out:
            measure = "ackclock.results.metrics:measure"
            run_campaign(ours, out, measure=measure, replications=replications, jobs=1)

    def process() -> float:
        with tempfile.TemporaryDirectory() as out:
            command = [sys.executable, "-m", "ackclock", "run", str(HERE / "rfc2415.toml")]
            return in_children([*command, *sets, "--jobs", "1", "--out", f"{out}/results"]).seconds

    return {
        "ns-2": lambda: in_children(ns2_command(CLIENTS, sizes, pauses, counting)).seconds,
        "ns-2, counting no packets and pages": lambda: (
            in_children(ns2_command(CLIENTS, sizes, pauses, ("-monitor", "0"))).seconds
        ),
        "ns-3": lambda: in_children(ns3).seconds,
        "ackclock run, the whole process": process,
        "ackclock, a run in a campaign": lambda: in_process(lambda: campaign(RUNS)) / RUNS,
        "ackclock, a run in the core": lambda: (
            in_process(lambda: [_core.run(plan, seed) for seed in range(RUNS)]) / RUNS
        ),
    }


def ours_as_options(sizes: Path) -> list[str]:
    """The clients and the file of sizes, as options of the command."""
    webs, ftps = CLIENTS
    keys = (f"variables.webs={webs}", f"variables.ftps={ftps}", f"flows[0].workload.sizes={sizes}")
    return [word for key in keys for word in ("--set", key)]


def main() -> None:
    """Measure, print and write."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    out = Path(sys.argv[2] if len(sys.argv) > 2 else "out/peers")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        timed = programs(Path(folder))
        seconds: dict[str, list[float]] = {name: [] for name in timed}
        for _ in range(rounds):
            for name, once in timed.items():
                seconds[name].append(once())
    rows = []
    for name, its in seconds.items():
        ratios = [theirs / mine for theirs, mine in zip(seconds["ns-2"], its, strict=True)]
        rows.append(
            {
                "program": name,
                "rounds": rounds,
                "median_s": statistics.median(its),
                "least_s": min(its),
                "most_s": max(its),
                "ns2_times": statistics.median(ratios),
                "least_times": min(ratios),
                "most_times": max(ratios),
            }
        )
    show(
        "Processor time of a run, and how often it fits into that of ns-2", rows, out / "speed.csv"
    )


if __name__ == "__main__":
    main()
