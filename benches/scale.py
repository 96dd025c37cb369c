"""What many flows cost: memory, the time of a packet, and the commands from file to result.

Every flow is a long NewReno transfer over access links of its own, with a window so small that
nothing is lost, so that a flow does the same however many there are: the rate of the bottleneck
grows with them. Each run is a process of its own.

Memory of a flow: the largest resident set of a run of the core less that of a process that reads
the same plan and then refuses it, divided by the flows; and how much each further flow adds from
100,000 to 1,000,000. Each flow has a packet on its way, which counts. Time of a packet: processor
seconds of a run less those of a shorter one, divided by the packets that the longer one has more,
so that setting up does not count. Commands: `ackclock check` and `ackclock run` of a file with a
window of 2 and a second of simulated time: wall time, processor time, largest resident set.

Prints one line for each figure. Takes 10 minutes and 6 GiB with a million flows.
Usage: python benches/scale.py [most flows, default 1000000]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json

FEW, MANY = 100, 1_000_000
RTT_S = 0.1
PACKETS = 4_000_000
"""By which the longer of two runs is longer."""
ROUNDS = 3
WINDOW = 2
"""Of the files that commands run, segments."""
ACKCLOCK = "import sys; from ackclock.cli import main; sys.exit(main())"
SCENARIO = """
title = "Flows"
duration = "1 s"
[topology]
kind = "dumbbell"
pairs = {flows}
access = {{ rate = "100 Mbit/s", delay = "10 ms" }}
[topology.bottleneck]
rate = "{rate} kbit/s"
delay = "30 ms"
queue = {{ limit = "1000000 packets" }}
[workload]
kind = "bulk"
start_spread = "100 ms"
[tcp]
flavor = "newreno"
initial_window = {window}
receive_buffer = "{window} segments"
delayed_ack = "off"
"""
RATE_KBIT = 150
"""Of the bottleneck, for each flow and each segment of its window: a quarter more than it needs."""
PROCESS = """
import sys, time
from ackclock import _core
plan = open(sys.argv[1], encoding="utf-8").read()
before = time.process_time()
try:
    columns = _core.run(plan, 1)
except ValueError:
    columns = None
seconds = time.process_time() - before
packets = int(columns["links"]["packets_offered"][0]) if columns else 0
dropped = int(columns["links"]["packets_dropped"].sum()) if columns else 0
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(seconds, packets, dropped, status["VmHWM"].split()[0])
"""
"""What a process does. The largest memory that getrusage tells would be that of its parent."""


class Run(NamedTuple):
    """What a process tells.

    Attributes:
        seconds: of processor time, in the core.
        packets: offered to the bottleneck; 0 if the plan was refused.
        dropped: of them and of all others.
        kibibytes: its largest resident set.
    """

    seconds: float
    packets: int
    dropped: int
    kibibytes: int


class Plan:
    """A plan for so many flows with windows of so many segments, kept as a file."""

    def __init__(self, folder: Path, flows: int, window: int) -> None:
        """Make it."""
        text = SCENARIO.format(flows=flows, window=window, rate=RATE_KBIT * window * flows)
        self.plan = next(iter(load(text).points())).compile().plan
        self.path = folder / f"{flows}-{window}.json"
        self.flows, self.window = flows, window

    def run(self, **changes: Any) -> Run:
        """Run it in a process of its own, with some of its keys changed."""
        self.path.write_text(json.dumps(self.plan | changes), encoding="utf-8")
        command = [sys.executable, "-c", PROCESS, str(self.path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        seconds, *numbers = done.stdout.split()
        return Run(float(seconds), *map(int, numbers))

    def memory(self) -> int:
        """Bytes that a run takes, the plan not counted."""
        [group] = self.plan["flows"]
        # An unknown workload: the core reports it only after it has read the whole plan.
        refused = self.run(flows=[group | {"workload": len(self.plan["workloads"])}])
        its = self.run()
        if refused.packets or not its.packets:
            raise RuntimeError("the wrong plan was refused")
        return 1024 * (its.kibibytes - refused.kibibytes)

    def packet_ns(self) -> float:
        """Processor time of a packet and all that it causes, nanoseconds."""
        short = 0.3
        long = short + PACKETS / (self.flows * self.window / RTT_S)
        before, after = (self.run(duration_ps=round(each * 1e12)) for each in (short, long))
        if after.dropped:
            raise RuntimeError("packets were dropped")
        return 1e9 * (after.seconds - before.seconds) / (after.packets - before.packets)


class Cost(NamedTuple):
    """What a command takes.

    Attributes:
        wall_s: from its beginning to its end.
        processor_s: of it and of its threads.
        mebibytes: its largest resident set.
    """

    wall_s: float
    processor_s: float
    mebibytes: float


def cost(*words: str) -> Cost:
    """Give a command to ackclock, and measure it.

    Raises:
        RuntimeError: it failed; with what it told.
    """
    with tempfile.TemporaryFile() as told:
        begin = time.monotonic()
        child = subprocess.Popen(
            [sys.executable, "-c", ACKCLOCK, *words], stdout=told, stderr=subprocess.STDOUT
        )
        _, status, used = os.wait4(child.pid, 0)
        wall = time.monotonic() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            told.seek(0)
            raise RuntimeError(told.read().decode())
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def commands(folder: Path, flows: int) -> None:
    """Measure and print what commands take from a file with so many flows."""
    plan = Plan(folder, flows, WINDOW).plan
    print(f"plan of {flows} flows: {len(canonical_json(plan))} bytes of text")
    file = folder / f"{flows}.toml"
    file.write_text(SCENARIO.format(flows=flows, window=WINDOW, rate=RATE_KBIT * WINDOW * flows))
    for words in (["check", str(file)], ["run", str(file), "--out", str(folder / f"out-{flows}")]):
        its = cost(*words)
        print(
            f"ackclock {words[0]} with {flows} flows: {its.wall_s:.1f} s,"
            f" {its.processor_s:.1f} s of processor time, {its.mebibytes:.0f} MiB"
        )


def memory(folder: Path, flows: int) -> None:
    """Measure and print the memory of a flow."""
    numbers = (flows // 10, flows)
    used = [Plan(folder, number, 1).memory() for number in numbers]
    for number, each in zip(numbers, used, strict=True):
        print(f"memory of a flow with a packet, {number} flows: {each / number:.0f} B")
    slope = (used[1] - used[0]) / (numbers[1] - numbers[0])
    print(f"memory that a further flow adds, with its packet: {slope:.0f} B")


def times(folder: Path, flows: int) -> None:
    """Measure and print the time of a packet among few flows and among many, in turn."""
    few, many = (Plan(folder, number, 4) for number in (FEW, flows))
    pairs = [(few.packet_ns(), many.packet_ns()) for _ in range(ROUNDS)]
    for number, each in zip((FEW, flows), zip(*pairs, strict=True), strict=True):
        print(f"time of a packet, {number} flows: {sorted(each)[ROUNDS // 2]:.0f} ns")
    ratios = sorted(b / a for a, b in pairs)
    print(
        f"many to few: {ratios[ROUNDS // 2]:.2f} times"
        f" ({ratios[0]:.2f} to {ratios[-1]:.2f} in {ROUNDS} pairs)"
    )


def main() -> None:
    """Measure, and print one line for each figure."""
    flows = int(sys.argv[1]) if len(sys.argv) > 1 else MANY
    with tempfile.TemporaryDirectory() as folder:
        for number in (flows // 10, flows):
            commands(Path(folder), number)
        memory(Path(folder), flows)
        times(Path(folder), flows)


if __name__ == "__main__":
    main()
