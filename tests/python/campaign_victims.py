"""A campaign that is killed again and again: ``campaign_victims.py FOLDER KILLS SEED``.

Forks a child that makes the campaign, kills it at a random instant, and forks the next one. Prints
how often it has killed, and the last child's exit code.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

import pyarrow.parquet

import campaign_fakes as fakes

SCENARIO = fakes.FakeScenario(
    tuple(range(20)), replications=10, traced=1, plan={"sleep_us": 10_000}
)


def begin(folder: Path) -> int:
    """A child that makes the campaign."""
    child = os.fork()
    if not child:
        fakes.make(folder, SCENARIO, jobs=2)
        os._exit(0)
    return child


def size(folder: Path) -> int:
    """Of the journal."""
    path = folder / "journal.jsonl"
    return path.stat().st_size if path.exists() else 0


def kill(folder: Path, child: int, chance: random.Random) -> bool:
    """Kill a child when it has written for a while; whether it was still there."""
    if chance.random() < 0.3:
        time.sleep(chance.uniform(0, 0.03))
    else:
        began, growth = size(folder), chance.choice([1, 1, 100, 700])
        while size(folder) < began + growth and os.waitpid(child, os.WNOHANG) == (0, 0):
            time.sleep(0.0005)
        time.sleep(chance.uniform(0, 0.004))
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def main(folder: Path, kills: int, chance: random.Random) -> None:
    """Kill so often, then let a child live."""
    done = sum(kill(folder, begin(folder), chance) for _ in range(kills))
    print(done, os.waitstatus_to_exitcode(os.waitpid(begin(folder), 0)[1]))


if __name__ == "__main__":
    assert pyarrow.parquet, "imported before the first fork, so that no child has to"
    main(Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3])))
