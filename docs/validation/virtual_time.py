"""Measure that runs in virtual time repeat: every congestion control over 120 s, twice.

Writes the page docs/validation/virtual-time.md. With the cache of a second build of the kernel
(built with XDG_CACHE_HOME=FOLDER make virtual-time-kernel) also runs on that.

Usage, from the project's root: .venv/bin/python docs/validation/virtual_time.py [FOLDER]
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ackclock.emulation import core
from ackclock.emulation.campaign import Options
from ackclock.emulation.virtual_time import kernel
from ackclock.scenario import load

PAGE = Path(__file__).with_name("virtual-time.md")
SEED = 7
SCENARIO = """
title = "A flow over a lossy path"
duration = "120 s"

[topology]
kind = "dumbbell"
access = { rate = "1 Gbit/s", delay = "1 ms" }

[topology.bottleneck]
rate = "4 Mbit/s"
delay = "18 ms"
queue = { limit = "30 packets" }
impairments = [{ kind = "bernoulli", loss = "0.3 %", of = "data" }]

[workload]
kind = "bulk"

[tcp]
stack = "linux"
flavor = "cubic"
"""


Made = dict[str, tuple[dict[str, Any], float]]
"""The tables of a run of each congestion control, and how long it took, s."""


def made(plan: dict[str, Any]) -> Made:
    """Make a run of each congestion control, as many at a time as there are processors."""

    def run(congestion: str) -> tuple[dict[str, Any], float]:
        began = time.perf_counter()
        options = Options(congestion=congestion, virtual_time=True).of_runs()
        tables = core.emulated(plan, options, SEED)
        return tables, time.perf_counter() - began

    names = kernel.kernel().congestion_controls
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return dict(zip(names, pool.map(run, names), strict=True))


def bytes_of(tables: dict[str, Any]) -> bytes:
    """Return all numbers of a run: links, flows, samples, lateness."""
    return json.dumps(tables, sort_keys=True, default=lambda column: column.tolist()).encode()


def main(second: str | None = None) -> None:
    """Make the runs and write the page."""
    if why_not := kernel.problems():
        sys.exit(why_not[0])
    its = kernel.kernel()
    plan = load(SCENARIO).points()[0].compile().plan
    times = [made(plan), made(plan)]
    if second:
        os.environ["XDG_CACHE_HOME"] = second
        times.append(made(plan))
    lines, unequal = [], []
    for name in its.congestion_controls:
        texts = [bytes_of(each[name][0]) for each in times]
        tables, took_s = times[0][name]
        if len(set(texts)) > 1:
            unequal.append(name)
        flow, how = tables["flows"], tables["emulation"]
        lines.append(
            f"| {name} | {int(flow['segments_sent'][0]):,} |"
            f" {flow['received_bytes'][0] * 8 / 120e6:.3f} |"
            f" {how['verdict']} | {how['left_late']['max_us']:.1f} | {took_s:.1f} |"
            f" {'no' if name in unequal else 'yes'} |"
            f" `{hashlib.sha256(texts[0]).hexdigest()[:16]}` |"
        )
    PAGE.write_text(page(its.release, lines, unequal, len(times)), encoding="utf-8")
    print(f"{len(lines) - len(unequal)} of {len(lines)} repeat; {PAGE}")
    sys.exit(bool(unequal))


def page(release: str, lines: list[str], unequal: list[str], times: int) -> str:
    """Return the page."""
    builds = (
        " The third time the kernel was another build of the same source, in another folder."
        if times > 2
        else ""
    )
    result = f"{', '.join(unequal)} did not repeat" if unequal else "All repeat in every byte"
    table = "\n".join(lines)
    return f"""# Runs in virtual time repeat

Every congestion control of Linux {release}, over 120 s: one flow, 4 Mbit/s, 40 ms, 30 packets,
0.3 % of the data lost at random. Each run was made {times} times with the same seed, as many at a
time as there are processors.{builds} Compared are all numbers that a run returns: links, flows, ten
samples of cwnd and RTT a second, lateness (the latest packet is shown). {result}.

Made by `make validate-virtual-time`, which needs the kernel of `make virtual-time-kernel`.

| control | segments | goodput, Mbit/s | verdict | late, us | took, s | repeats | SHA-256 |
|---|---:|---:|---|---:|---:|---|---|
{table}

Of a hash, the beginning is shown. It is the same on computers with the same kernel, Python and
packages: inside, time passes with system calls, and those with which Python starts are among them.
"""


if __name__ == "__main__":
    main(*sys.argv[1:])
