"""A core and measuring functions for tests of sizing: metrics whose means are known.

A plan's row depends on the size of its buffer, b cells, and on noise that all buffers share in a
replication; there is no simulation. ``calls`` are the runs that were made.
"""

from __future__ import annotations

import json
from math import exp, inf, log, nan

import numpy as np

from ackclock.sizing import Question, size_buffer

CORE = "sizing_fakes:run"
SCALE = 400
TRUTH = SCALE * log(25)
"""Cells at which the mean of ``rising`` is 98 %: 1287.6."""
SCENARIO = """\
title = "made up"
duration = "1 s"
[topology]
kind = "atm_dumbbell"
pairs = 2
trunk = { rate = "45 Mbit/s", delay = "10 ms" }
port = { buffer = "1000 cells" }
"""
RANGE = ["--from", "200 cells", "--to", "8000 cells"]

calls: list[tuple[int, int]] = []
"""Buffer and seed of each run."""
fails_after = inf
"""Runs after which the core refuses."""


def run(text, seed):
    """The core."""
    if len(calls) >= fails_after:
        raise ValueError("the disk of the core is full")
    buffer = _buffer(json.loads(text))
    calls.append((buffer, seed))
    noise = np.random.default_rng(seed % 2**32).normal()
    own = np.random.default_rng([seed % 2**32, buffer]).normal()
    return {"buffer": buffer, "noise": noise + 0.5 * own, "seed": seed}


def _buffer(value):
    """The size of the ports' buffers, wherever it stands in a plan."""
    if isinstance(value, dict):
        found = [value["buffer_cells"]] if "buffer_cells" in value else map(_buffer, value.values())
    else:
        found = map(_buffer, value) if isinstance(value, list) else ()
    return max(filter(None, found), default=None)


def mean(buffer):
    return 1 - 0.5 * exp(-buffer / SCALE)


def rising(columns, facts):
    """Up towards 1."""
    return {"efficiency": mean(columns["buffer"]) + 0.001 * columns["noise"]}


def noisy(columns, facts):
    """The same with so much noise that a few runs tell nothing near the target."""
    return {"efficiency": mean(columns["buffer"]) + 0.02 * columns["noise"]}


def dipping(columns, facts):
    """The same, but for a dip from 2000 to 4000 cells."""
    dip = 0.05 if 2000 < columns["buffer"] < 4000 else 0
    return {"efficiency": mean(columns["buffer"]) - dip + 0.001 * columns["noise"]}


def island(columns, facts):
    """Never 98 %, but for an island from 1000 to 2000 cells."""
    high = 1000 < columns["buffer"] < 2000
    return {"efficiency": (0.99 if high else 0.9) + 0.001 * columns["noise"]}


def dropping(columns, facts):
    """Drops in some of the runs up to 1000 cells, and in none above."""
    luck = columns["noise"] > 0.5
    drops = max(0, 1000 - columns["buffer"]) if luck else 0
    return {"drops": drops, "goodput_bit_s": 1e6 * (1 + columns["noise"])}


def certain(columns, facts):
    """Without any randomness; without pages."""
    delay = 2 if columns["buffer"] < 3000 else 1
    return {"completion_s": delay, "page_delay_s": nan}


def file_of(folder, text=SCENARIO):
    path = folder / "lab.toml"
    path.write_text(text)
    return path


def sized(folder, measure, target="efficiency >= 98 %", text=SCENARIO, **changed):
    """The answer of the fakes; what is changed are attributes of the question."""
    asked = {"start": "200 cells", "end": "8000 cells", "tolerance": 0.1, **changed}
    question = Question(target, **asked)
    return size_buffer(
        file_of(folder, text), question, jobs=1, core=CORE, measure=f"sizing_fakes:{measure}"
    )
