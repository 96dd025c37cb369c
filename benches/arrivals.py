"""What a packet costs among 1,000 flows that arrive between two hosts, and among 100,000.

Each flow has a connection of its own, of a few packets, and few are open at a time. What a host
keeps of the connections that are over must not make a packet dearer, however many there were.
Instructions are counted by valgrind, so that the result is the same on a busy machine.

Prints instructions for each packet that a link was offered. Fails if a packet among 100,000 flows
takes more than 1.1 times as many as one among 1,000.
Usage: python benches/arrivals.py
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from ackclock.scenario import load

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "target" / "release" / "examples" / "run_plan"
FEW, MANY = 1000, 100_000
MOST_RATIO = 1.1
A_SECOND = 1000
"""Arrivals."""
SCENARIO = """
title = "Arrivals"
duration = "{seconds} s"
[topology]
kind = "dumbbell"
access = {{ rate = "1 Gbit/s", delay = "1 ms" }}
bottleneck = {{ rate = "100 Mbit/s", delay = "1 ms", queue = {{ limit = "1000 packets" }} }}
[workload]
kind = "arrivals"
sizes = "1 kB"
offered = "8 Mbit/s"
"""
_PACKETS = re.compile(r"^links\.packets_offered: sum (\d+)", re.MULTILINE)
_FLOWS = re.compile(r"^transfers\.bytes: .* rows (\d+)", re.MULTILINE)
_INSTRUCTIONS = re.compile(r"Collected : (\d+)")


def counted(folder: Path, flows: int) -> float:
    """Instructions of a packet among about so many flows; prints them."""
    plan = load(SCENARIO.format(seconds=flows / A_SECOND)).points()[0].compile().plan
    path = folder / f"{flows}.json"
    path.write_text(json.dumps(plan), encoding="utf-8")
    counter = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'counts'}"]
    done = subprocess.run(
        [*counter, str(PROGRAM), str(path)], capture_output=True, text=True, check=True
    )
    packets, arrived = (int(pattern.search(done.stdout)[1]) for pattern in (_PACKETS, _FLOWS))
    instructions = int(_INSTRUCTIONS.search(done.stderr)[1]) / packets
    print(f"{arrived:,} flows: {instructions:,.0f} instructions for each of {packets:,} packets")
    return instructions


def main() -> None:
    """Build the program, count, and compare."""
    build = ["cargo", "build", "--quiet", "--release", "--locked", "--package", "ackclock-lab"]
    subprocess.run([*build, "--example", PROGRAM.name], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        few, many = (counted(Path(folder), flows) for flows in (FEW, MANY))
    print(f"ratio: {many / few:.3f}, at most {MOST_RATIO}")
    if many > MOST_RATIO * few:
        sys.exit("a packet costs more, the more flows have arrived")


if __name__ == "__main__":
    main()
