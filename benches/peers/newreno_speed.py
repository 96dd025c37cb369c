"""Processor time of four loads in ns-2, ns-3 and ackclock: see ``newreno_inputs``.

ns-2 and ackclock run in turn, then ns-3 and ackclock; each pair gives a ratio, so that what else
the machine does meets both. User and system time in seconds. Every run is a process of its own.
ns-2 and ns-3 count as wholes, without traces and counters; of ackclock the fourth run in the core
of a process counts, which always counts everything, and `ackclock run` of the same scenario stands
beside it.
A packet is one that was offered to the bottleneck; its time is that of all that it causes. "asked"
is what the ratio was to be. Nothing is asserted: a bench prints.

Prints tables, and writes them as CSV files.
Usage: python benches/peers/newreno_speed.py [PAIRS [FOLDER [LOAD...]]]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agreement import show
from newreno_inputs import (
    BACKGROUND,
    BBR,
    CUBIC,
    THOUSAND,
    Inputs,
    Load,
    inputs,
    scenario_text,
    settings,
)
from newreno_simulators import counts, ns2_command, ns3_command
from timing import in_children

SEED = 1
ASKED = {"ns-2": 20, "ns-3": 100}
INSTANT_S = 0.001
"""A simulated time without events, s: only the setup is left to measure."""
CORE = """
import sys, time
from ackclock import _core
plan = open(sys.argv[1], encoding="utf-8").read()
for _ in range(3):
    _core.run(plan, int(sys.argv[2]))
before = time.process_time()
columns = _core.run(plan, int(sys.argv[2]))
print("seconds", time.process_time() - before)
print("packets", columns["links"]["packets_offered"][0])
"""
"""What a process does that times the core's fourth run, as in a campaign.

The first ones also pay for pages that the process has never touched; on a virtual machine that can
take longer than a short run.
"""


class Run(NamedTuple):
    """One run of a program.

    Attributes:
        seconds: of processor time.
        packets: offered to the bottleneck; 0 if it does not tell.
    """

    seconds: float
    packets: int


class Bench:
    """A load that is timed."""

    def __init__(self, its: Load, folder: Path) -> None:
        """Make its inputs, in a folder of its own."""
        # Packets are counted from the beginning on.
        self.load = its._replace(warm_up_s=0)
        self.given: Inputs = inputs(self.load, SEED, folder)
        self.plan, self.scenario = folder / f"{its.name}.json", folder / f"{its.name}.toml"
        self.plan.write_text(self.given.plan, encoding="utf-8")
        text = scenario_text(self.load, self.load.flows(SEED))
        self.scenario.write_text(text, encoding="utf-8")

    def ackclock(self) -> Run:
        """The run in the core."""
        told = counts(in_children([sys.executable, "-c", CORE, str(self.plan), str(SEED)]).output)
        return Run(told["seconds"], int(told["packets"]))

    def process(self) -> Run:
        """`ackclock run`: the file is read, one run is made, results are kept and shown."""
        sets = [word for each in settings(self.load) for word in ("--set", each)]
        with tempfile.TemporaryDirectory() as out:
            command = [sys.executable, "-m", "ackclock", "run", str(self.scenario), *sets]
            return Run(in_children([*command, "--jobs", "1", "--out", f"{out}/run"]).seconds, 0)

    def ns2(self, duration_s: float | None = None) -> Run:
        """ns-2."""
        done = in_children(ns2_command(self.load, self.given, ("-monitor", "0"), duration_s))
        return Run(done.seconds, int(counts(done.output)["packets"]))

    def ns2_set_up(self) -> Run:
        """ns-2, until the first event."""
        return Run(self.ns2(INSTANT_S).seconds, 0)

    def ns3(self) -> Run:
        """ns-3."""
        done = in_children(ns3_command(self.load, self.given))
        told = counts(done.output)
        return Run(done.seconds, int(told["pdepartures"] + told["pdrops"]))


def pairs(bench: Bench, count: int) -> dict[str, list[tuple[Run, Run]]]:
    """Runs in turn: of each other program, that one's and the core's."""
    programs = {
        "ns-2": (bench.ns2, count),
        "ns-2, setting up": (bench.ns2_set_up, 1),
        "ns-3": (bench.ns3, min(count, 3)),
        "ackclock run, the whole process": (bench.process, count),
    }
    if bench.load.is_modern:
        programs = {name: its for name, its in programs.items() if not name.startswith("ns-2")}
    return {
        name: [(run(), bench.ackclock()) for _ in range(times)]
        for name, (run, times) in programs.items()
    }


def rows(name: str, timed: dict[str, list[tuple[Run, Run]]]) -> list[dict[str, Any]]:
    """A row a program of a load: seconds of a run, and how often the core's fits into it."""
    core = [ours for each in timed.values() for _, ours in each]
    table = [{"load": name, "program": "ackclock, the core"} | summary(core) | ratio([], "")]
    for program, each in timed.items():
        ratios = [theirs.seconds / ours.seconds for theirs, ours in each]
        table.append(
            {"load": name, "program": program}
            | summary([theirs for theirs, _ in each])
            | ratio(ratios, program)
        )
    return table


def summary(runs: Sequence[Run]) -> dict[str, Any]:
    """Seconds of runs, and nanoseconds a packet."""
    seconds = [run.seconds for run in runs]
    packets = runs[0].packets
    return {
        "runs": len(runs),
        "median_s": statistics.median(seconds),
        "least_s": min(seconds),
        "most_s": max(seconds),
        "packets": packets or "",
        "ns_a_packet": round(1e9 * statistics.median(seconds) / packets) if packets else "",
    }


def ratio(ratios: Sequence[float], program: str) -> dict[str, Any]:
    """How often the core's run fits into one of a program, and whether that is what was asked."""
    if not ratios:
        return dict.fromkeys(("times", "least_times", "most_times", "asked", "met"), "")
    median, asked = statistics.median(ratios), ASKED.get(program)
    return {
        "times": median,
        "least_times": min(ratios),
        "most_times": max(ratios),
        "asked": asked or "",
        "met": median >= asked if asked else "",
    }


def main() -> None:
    """Measure, print and write."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    out = Path(sys.argv[2] if len(sys.argv) > 2 else "out/peers-newreno")
    out.mkdir(parents=True, exist_ok=True)
    loads = {its.name: its for its in (BACKGROUND, THOUSAND, CUBIC, BBR)}
    chosen = sys.argv[3:] or list(loads)
    if unknown := set(chosen) - set(loads):
        sys.exit(f"no load {', '.join(sorted(unknown))}; there are {', '.join(loads)}")
    table = []
    with tempfile.TemporaryDirectory() as folder:
        for its in map(loads.__getitem__, chosen):
            table += rows(its.name, pairs(Bench(its, Path(folder)), count))
    show("Processor time, and how often the core's fits into it", table, out / "speed.csv")


if __name__ == "__main__":
    main()
