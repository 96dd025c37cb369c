"""What a congestion control in Python costs: ACKs a second on one processor, beside a built-in one.

A long flow, and ten, fill a path with losses. Reno and CUBIC are the classes of the tests, whose
results equal those of the built-in flavors in every bit. Processor time of the whole run counts,
the simulated network and the receivers included; the least of several runs, because the machine may
be busy. An ACK is a packet that the receivers send.

The goal is ``GOAL`` ACKs a second with Reno. Exit code 1: it is missed.
Usage: python benches/own_tcp.py
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from ackclock import _core
from ackclock.code_permission import code_allowed
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json

GOAL = 300_000
ROUNDS = 5
CLASSES = Path(__file__).parents[1] / "tests/python/own_tcp"
OWN = {
    "Reno": (f"{CLASSES}/reno.py:Reno", "reno_sack"),
    "CUBIC": (f"{CLASSES}/cubic.py:Cubic", "cubic"),
}
SCENARIO = """
title = "Long flows"
duration = "100 s"
[topology]
kind = "dumbbell"
pairs = {flows}
bottleneck = {{ rate = "50 Mbit/s", delay = "20 ms", queue = {{ limit = "50 packets" }} }}
[tcp]
flavor = "{flavor}"
slow_start = "standard"
"""


def acks_a_second(flavor: str, flows: int) -> float:
    """ACKs of a run by its processor time."""
    made = load(SCENARIO.format(flavor=flavor, flows=flows)).points()[0].compile()
    plan, best = canonical_json(made.plan), float("inf")
    for _ in range(ROUNDS):
        before = time.process_time()
        columns = _core.run(plan, 1)
        best = min(best, time.process_time() - before)
    acks = columns["links"]["packets_offered"][made.facts.reverse_link]
    return float(acks) / best


def main() -> int:
    """Measure and print; whether the goal is missed."""
    missed = False
    for name, (own, built_in) in OWN.items():
        for flows in (1, 10):
            python, rust = acks_a_second(own, flows), acks_a_second(built_in, flows)
            some = "1 flow" if flows == 1 else f"{flows} flows"
            print(
                f"{name}, {some}: {python:,.0f} ACKs a second in Python, {rust:,.0f} built in "
                f"({rust / python:.1f} times as many)"
            )
            missed |= name == "Reno" and python < GOAL
    return int(missed)


if __name__ == "__main__":
    with code_allowed():
        sys.exit(main())
