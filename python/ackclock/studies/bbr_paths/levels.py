"""Parts and points of the study, and the paths of its files."""

from __future__ import annotations

from typing import NamedTuple

LOSS, FAT, START, DOUBLED = "loss", "fat", "start", "doubled"
BUFFERS, SHALLOW, TOGETHER, STANDING, FAIR = "buffers", "shallow", "together", "standing", "fair"
DRAIN, TENFOLD, PROBES, LOSSY, RENO = "drain", "tenfold", "probes", "lossy", "reno"

LOSSES = (0.00001, 0.0001, 0.001, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5)
FLAVORS = ["cubic", "bbr"]
VERSIONS = ["bbr", "bbr3"]
SMALL_BDP = [0.04, 0.1, 0.4, 2.0, 4.0]
"""Buffers of one BBR and one CUBIC flow."""
RENO_BDP = [1.0, 2.0]
COUNTS = (2, 6)
CHANGE_S, BACK_S = 20.0, 40.0
"""When a rate changes, and when it changes back."""
WIDE_PATHS = ("250 Mbit/s, 200 ms, 100 kB", "500 Mbit/s, 200 ms, 100 kB")
SLOW_PATHS = ("10 Mbit/s, 200 ms, 10 MB", "20 Mbit/s, 150 ms, 10 MB")


class Loss(NamedTuple):
    """A flow on a path that loses this share of the packets."""

    flavor: str
    loss: float


class Flow(NamedTuple):
    """One flow by itself."""

    flavor: str


class Path(NamedTuple):
    """One flow on a path with a rate, an RTT and a buffer."""

    flavor: str
    path: str


class Buffer(NamedTuple):
    """Two flows at a buffer."""

    buffer_bdp: float


class Count(NamedTuple):
    """So many BBR flows."""

    bbr_flows: int


def path_factors() -> str:
    """The factors of the part with paths, for ``own_sets``."""
    keys = ("variables.rate", "variables.rtt", "topology.bottleneck.queue.limit")
    tables = []
    for path in (*WIDE_PATHS, *SLOW_PATHS):
        sets = (f'"{key}" = "{value}"' for key, value in zip(keys, path.split(", "), strict=True))
        tables.append(f'"{path}" = {{ {", ".join(sets)} }}')
    paths = ", ".join(tables)
    return f"sweep.factors={{ flavor = {list(FLAVORS)}, path = {{ {paths} }} }}"


def steps(fast: str) -> str:
    """A link of 10 Mbit/s that is faster for a time, for ``own_sets``."""
    at = ((CHANGE_S, fast), (BACK_S, "10 Mbit/s"))
    changes = ", ".join(f'{{ at = "{time:.0f} s", rate = "{rate}" }}' for time, rate in at)
    return f"topology.bottleneck.schedule=[{changes}]"
