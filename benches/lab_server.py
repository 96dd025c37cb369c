"""What a move of a slider costs the server of the lab, HTTP included.

A server runs in a process of its own and gets one run after the other, each with another rate, as a
slider sends them; nothing is kept from one to the next. Its processor time (user and system, of all
its threads, Linux) is read before and after, so that waiting for other programs does not count; yet
a busy machine slows down memory and caches. Printed are medians with the first and third quartile;
the part of the core is what the same runs take without a server.

The budget is for 30 s of two flows at 20 Mbit/s: ``BUDGET_MS``. Exit code 1: it is exceeded.
Usage: python benches/lab_server.py [MOVES]
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles

import httpx

from ackclock import _core
from ackclock.lab.frame import read
from ackclock.lab.runs.recording import recording
from ackclock.lab.runs.picture_request import PictureRequest
from ackclock.lab.settings import Settings
from ackclock.lab.states.state import State

BUDGET_MS = 43
MOVES = 20
RATES = (10, 20, 100)
"""Mbit/s; the budget is of the second."""
SHOW = ["cwnd", "rtt", "queue", "goodput", "states"]
SCENARIO = """
title = "Two transfers"
duration = "30 s"
[topology]
kind = "dumbbell"
pairs = 2
bottleneck = { rate = "20 Mbit/s", delay = "20 ms", queue = { limit = "1 rtt" } }
"""
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_TURNS = 5
"""Moves between two readings of a clock that ticks every 10 ms."""


class Server:
    """A server in a process of its own.

    Attributes:
        client: with its token.
    """

    def __init__(self, folder: str) -> None:
        command = [sys.executable, "-m", "ackclock", "lab", folder, "--port", "0", "--no-browser"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"(http://\S+)/#token=(\S+)", self.process.stdout.readline())
        assert found is not None
        headers = {"Authorization": f"Bearer {found[2]}"}
        self.client = httpx.Client(base_url=found[1], headers=headers, timeout=60)

    def cpu_s(self) -> float:
        """Processor time of all its threads so far, to a tick of the system's clock."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * _TICK_S


def states(rate: float, number: int) -> dict[str, object]:
    """The state of a slider at a rate, a little more for each move."""
    sets = [f"topology.bottleneck.rate={rate + number * 0.001:.3f} Mbit/s"]
    return {"source": SCENARIO, "sets": sets}


def main(moves: int) -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            over = measured(server, moves)
        finally:
            server.process.terminate()
            server.process.wait()
    return over


def measured(server: Server, moves: int) -> int:
    """Print a line a rate; 1 if the budget is exceeded."""
    over, order = 0, 0
    settings = Settings(Path(), "", 1, 1)
    for rate in RATES:
        its: list[float] = []
        core: list[float] = []
        walls: list[float] = []
        for turn in range(-1, moves):
            before = server.cpu_s()
            for at in range(_TURNS):
                order += 1
                body = {**states(rate, turn * _TURNS + at + _TURNS), "show": SHOW, "order": order}
                began = time.perf_counter()
                content = server.client.post("/api/run", json=body).content
                walls.append(1e3 * (time.perf_counter() - began))
            its.append(1e3 * (server.cpu_s() - before) / _TURNS)
            state = State.read(body)
            run = recording(state.load_point(settings), state, PictureRequest.read(body))
            began = time.process_time()
            _core.run(run.plan, run.seed)
            core.append(1e3 * (time.process_time() - began))
        points = sum(
            array.size for array in read(content)[-1][1].values() if hasattr(array, "size")
        )
        low, middle, high = quantiles(its[1:], n=4)
        print(
            f"{rate:4} Mbit/s x 30 s: {middle:.1f} ms a move ({low:.1f} to {high:.1f}), "
            f"of these {quantiles(core[1:], n=4)[1]:.1f} in the core; "
            f"{quantiles(walls[_TURNS:], n=4)[1]:.0f} ms until the answer is complete; "
            f"{len(content) / 1e3:.0f} kB, {points} numbers"
        )
        if rate == RATES[1]:
            over = int(middle > BUDGET_MS)
    return over


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else MOVES))
