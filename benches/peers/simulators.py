"""The simulators of a comparison: each runs the same scenario and tells the same numbers."""

from __future__ import annotations

import csv
import json
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from inputs import HERE, compiled

from ackclock import _core
from ackclock.results.pages import pages_of

RATE = 1.5e6
SECONDS = 360
OBJECTS_A_PAGE = 4


class Measured(NamedTuple):
    """One run.

    Attributes:
        utilisation: share of the bottleneck's time that is used, per cent.
        drops: share of the packets offered to it that are dropped, per cent.
        page_delay_s: median over all pages, from the first SYN to the last byte.
        file_delay_s: the same of the files; nan if there are none.
        pages: completed.
        packets: offered to the bottleneck.
    """

    utilisation: float
    drops: float
    page_delay_s: float
    file_delay_s: float
    pages: int
    packets: int


def run_ackclock(
    clients: tuple[int, int], sizes: Path, seed: int, sets: Sequence[str] = ()
) -> Measured:
    """A run of ackclock.

    Args:
        clients: webs, ftps.
        sizes: file of the objects' sizes.
        seed: of the pauses and the clocks.
        sets: texts ``key=value`` that change the scenario.
    """
    columns = _core.run(json.dumps(compiled(*clients, sizes, sets).plan), seed)
    links, pages = columns["links"], pages_of(columns["transfers"])
    delays, is_web = pages.delay_s(), pages.flow < clients[0]
    if links["packets_dropped"][1]:
        raise RuntimeError("ackclock dropped packets on the way back")
    return Measured(
        100 * float(links["utilisation"][0]),
        100 * float(links["packets_dropped"][0] / links["packets_offered"][0]),
        float(np.median(delays[is_web])),
        float(np.median(delays[~is_web])) if (~is_web).any() else float("nan"),
        int(is_web.sum()),
        int(links["packets_offered"][0]),
    )


def ns2_command(
    clients: tuple[int, int], sizes: Path, pauses: Path, options: Sequence[str] = ()
) -> list[str]:
    """The command that runs ns-2."""
    webs, ftps = map(str, clients)
    command = ["ns", str(HERE / "rfc2415.tcl"), "-sizes", str(sizes), "-pauses", str(pauses)]
    return [*command, "-webs", webs, "-ftps", ftps, *options]


def run_ns2(
    clients: tuple[int, int], sizes: Path, pauses: Path, seed: int, options: Sequence[str] = ()
) -> Measured:
    """A run of ns-2; see ``run_ackclock``.

    Raises:
        RuntimeError: ns-2 failed, or lost packets on the way back.
    """
    transfers = sizes.with_suffix(".transfers")
    own = ("-transfers", str(transfers), "-seed", str(seed))
    command = ns2_command(clients, sizes, pauses, [*own, *options])
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or done.stderr:
        raise RuntimeError(f"ns-2: {done.stderr}")
    counts = {name: float(value) for name, value in map(str.split, done.stdout.splitlines())}
    if counts["pdrops_back"]:
        raise RuntimeError("ns-2 dropped packets on the way back")
    pages, files = delays(transfers)
    return Measured(
        100 * 8 * counts["bdepartures"] / RATE / SECONDS,
        100 * counts["pdrops"] / counts["parrivals"],
        float(np.median(pages)),
        float(np.median(files)) if files else float("nan"),
        len(pages),
        int(counts["parrivals"]),
    )


def delays(transfers: Path) -> tuple[list[float], list[float]]:
    """Delays of the completed pages and of the files, seconds."""
    pages: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    files = []
    with transfers.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            times = float(row["opened_s"]), float(row["completed_s"])
            if row["kind"] == "web":
                pages[row["flow"], row["page"]].append(times)
            else:
                files.append(times[1] - times[0])
    complete = [times for times in pages.values() if len(times) == OBJECTS_A_PAGE]
    return [max(t[1] for t in times) - min(t[0] for t in times) for times in complete], files
