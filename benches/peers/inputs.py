"""What the simulators are given alike: sizes of objects, and when clients ask.

Sizes are drawn from Mah's distribution (log-linear between its quantiles) and used in turn. Pauses
are those that ackclock draws: they are read off a run of the same seed over a network so fast that
more pages are fetched in it than in any other.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from math import exp, log
from pathlib import Path

import numpy as np

from ackclock import _core
from ackclock.results.pages import pages_of
from ackclock.scenario import Compiled, Scenario, load
from ackclock.scenario.distributions import shipped

HERE = Path(__file__).parent
OBJECTS = 16384
"""Sizes in a file: more than 32 clients use in 360 s."""
SEGMENT = 1460
PPB = 10**9
FAST = (
    "topology.bottleneck.rate=10 Gbit/s",
    "topology.bottleneck.delay=1 ms",
    "topology.bottleneck.queue.limit=100000 packets",
    "topology.access.rate=10 Gbit/s",
)
SHORT = ("duration=10 s",)


def write_sizes(path: Path, seed: int) -> None:
    """Draw sizes, and write them as a CSV file with the column ``bytes``.

    A size of one byte more than whole segments is raised by one: ns-2's FullTcp holds a last byte
    back until all others are acknowledged.
    """
    distribution = shipped("mah_http")
    draw = random.Random(seed)
    sizes = [size_at(draw.random(), distribution.u_ppb, distribution.bytes) for _ in range(OBJECTS)]
    raised = [size + (size % SEGMENT == 1) for size in sizes]
    path.write_text("\n".join(["bytes", *map(str, raised)]) + "\n", encoding="utf-8")


def size_at(u: float, u_ppb: Sequence[int], sizes: Sequence[int]) -> int:
    """The size that a share u of all sizes does not exceed, log-linear between quantiles."""
    at = next(at for at, known in enumerate(u_ppb) if u * PPB <= known)
    if at == 0:
        return sizes[0]
    part = (u * PPB - u_ppb[at - 1]) / (u_ppb[at] - u_ppb[at - 1])
    return round(exp((1 - part) * log(sizes[at - 1]) + part * log(sizes[at])))


def scenario(webs: int, ftps: int, sizes: Path, sets: Sequence[str] = ()) -> Scenario:
    """The scenario with so many clients, changed by texts ``key=value``."""
    own = (
        f"variables.webs={webs}",
        f"variables.ftps={ftps}",
        f"flows[0].workload.sizes={sizes}",
    )
    return load(HERE / "rfc2415.toml", [*own, *sets])


def compiled(webs: int, ftps: int, sizes: Path, sets: Sequence[str] = ()) -> Compiled:
    """The same as a plan."""
    return next(iter(scenario(webs, ftps, sizes, sets).points())).compile()


def write_pauses(path: Path, webs: int, ftps: int, sizes: Path, seed: int) -> None:
    """Write a line a client: when it asks first, then its pauses, in seconds.

    A flow draws the same whatever the others are, so the ftp clients, which have no pauses, need
    no more than a short run.
    """
    lines = _pauses(webs, 0, sizes, seed, ())
    if ftps:
        lines += _pauses(webs, ftps, sizes, seed, SHORT)[webs:]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _pauses(webs: int, ftps: int, sizes: Path, seed: int, sets: Sequence[str]) -> list[str]:
    """A line a client, from a fast run."""
    columns = _core.run(json.dumps(compiled(webs, ftps, sizes, [*FAST, *sets]).plan), seed)
    pages, lines = pages_of(columns["transfers"]), []
    for flow in range(webs + ftps):
        its = pages.flow == flow
        opened, completed = pages.opened_s[its], pages.completed_s[its]
        times = np.concatenate([opened[:1], opened[1:] - completed[:-1]])
        lines.append(",".join(f"{time:.12f}" for time in times))
    return lines
