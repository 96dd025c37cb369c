"""A campaign that is killed again and again: ``campaign_victims.py FOLDER KILLS SEED``.

Forks a child that makes the campaign, kills it when the journal has grown, and forks the next one.
Prints how often it has killed, the last child's exit code, and how many runs were kept after each
kill.
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
RUNS = 200


def begin(folder: Path) -> int:
    """A child that makes the campaign."""
    child = os.fork()
    if not child:
        fakes.make(folder, SCENARIO, jobs=2)
        os._exit(0)
    return child


def kept(folder: Path) -> int:
    """Runs that the journal holds whole."""
    path = folder / "journal.jsonl"
    return max(path.read_bytes().count(b"\n") - 1, 0) if path.exists() else 0


def kill(folder: Path, child: int, target: int, chance: random.Random) -> bool:
    """Kill a child when so many runs are kept, and a moment later; whether it was still there."""
    while kept(folder) < target and os.waitpid(child, os.WNOHANG) == (0, 0):
        time.sleep(0.0005)
    time.sleep(chance.uniform(0, 0.004))
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def main(folder: Path, kills: int, chance: random.Random) -> None:
    """Kill so often, then let a child live."""
    done, left = 0, []
    for number in range(kills):
        child = begin(folder)
        if number % 10 == 9:
            # While it begins: reads what is there, mends it, and takes the lock.
            time.sleep(chance.uniform(0, 0.03))
            target = 0
        else:
            # By what is kept and not by time, so that slow machines do the same; the last kill
            # comes before the last run.
            target = kept(folder) + 1 if number % 2 else 1 + number * (RUNS - 20) // kills
        done += kill(folder, child, target, chance)
        left.append(kept(folder))
    print(done, os.waitstatus_to_exitcode(os.waitpid(begin(folder), 0)[1]), *left)


if __name__ == "__main__":
    assert pyarrow.parquet, "imported before the first fork, so that no child has to"
    main(Path(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3])))
