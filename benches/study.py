"""Speed and memory of the whole study: its 72 points once, in a folder that is not kept.

Prints wall-clock and processor seconds, and the largest memory of the process.
Usage: python benches/study.py [JOBS]
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from ackclock.campaign.processors import processors
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Execution, run_all
from ackclock.studies.ubr_web.study import STUDY


def main() -> None:
    """Measure, and print one line for each figure."""
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else processors()
    with tempfile.TemporaryDirectory() as folder:
        before, start = time.process_time(), time.perf_counter()
        runs = run_all(Request(STUDY), Execution(Path(folder), jobs), alone=True).frame
        wall, processor = time.perf_counter() - start, time.process_time() - before
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"runs                  {len(runs)}")
    print(f"threads               {jobs}")
    print(f"wall clock            {wall:.1f} s")
    print(f"processor             {processor:.1f} s")
    print(f"largest memory        {memory:.0f} MB")


if __name__ == "__main__":
    main()
