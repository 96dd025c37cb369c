"""Speed, idle workers and memory of whole studies, in folders that are not kept.

For each study: wall-clock and processor seconds, the largest memory of the process, and the time in
which fewer runs than workers were under way, as seconds of one worker. That time does not depend on
how many processors other programs leave, but it stretches with the wall clock: compare its share.
"Before" is the time from the call to the first run; "at the end" is the time of the last runs,
when no other run is left to begin.
Usage: python benches/study.py [STUDY REPLICATIONS [JOBS]]; by default ubr-web once and newreno five
times, with a worker for each processor.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ackclock.campaign import run, worker
from ackclock.campaign.processors import processors
from ackclock.studies import study_of
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Execution, run_all

STUDIES = (("ubr-web", 1), ("newreno", 5))

_spans: list[tuple[float, float]] = []
"""When the runs began and ended, s."""


def timed(functions: worker.Functions, digest: str, orders: Sequence[worker.Order]) -> Any:
    """The worker of a thread, timed."""
    began = time.perf_counter()
    outcomes = worker.work(functions, digest, orders)
    _spans.append((began, time.perf_counter()))
    return outcomes


def idle(start: float, jobs: int) -> tuple[float, float, float]:
    """Return the idle time of the workers before the first run, between, and at the end, s."""
    first, last_begun = min(began for began, _ in _spans), max(began for began, _ in _spans)
    end = max(ended for _, ended in _spans)

    def busy(since: float, until: float) -> float:
        return sum(max(0.0, min(ended, until) - max(began, since)) for began, ended in _spans)

    before = jobs * (first - start)
    between = jobs * (last_begun - first) - busy(first, last_begun)
    return before, between, jobs * (end - last_begun) - busy(last_begun, end)


def measure(name: str, replications: int, jobs: int) -> None:
    """Run a study, and print one line for each figure."""
    _spans.clear()
    with tempfile.TemporaryDirectory() as folder:
        before, start = time.process_time(), time.perf_counter()
        request = Request(study_of(name), replications=replications)
        runs = run_all(request, Execution(Path(folder), jobs), alone=True).frame
        wall, processor = time.perf_counter() - start, time.process_time() - before
    parts = idle(start, jobs)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"study                 {name} --replications {replications} --jobs {jobs}")
    print(f"runs                  {len(runs)}")
    print(f"wall clock            {wall:.1f} s")
    print(f"processor             {processor:.1f} s")
    print(
        f"idle workers          {sum(parts):.1f} s, {sum(parts) / (jobs * wall):.2%} of their time:"
        f" {parts[0]:.1f} s before, {parts[1]:.2f} s between, {parts[2]:.2f} s at the end"
    )
    print(f"largest memory        {memory:.0f} MB")


def main() -> None:
    """Measure the studies."""
    # Under its name here, where a campaign looks for it.
    run.work = timed
    named = [(sys.argv[1], int(sys.argv[2]))] if len(sys.argv) > 2 else STUDIES
    for name, replications in named:
        measure(name, replications, int(sys.argv[3]) if len(sys.argv) > 3 else processors())


if __name__ == "__main__":
    main()
