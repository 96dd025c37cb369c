"""What each probe costs: instructions of runs with it, as a share of those without.

Runs the bench `probes` of `crates/lab`, which counts the instructions, shows what it prints, and
then a table. A probe must not take more than LIMITS says.

Usage: GUNGRAUN_RUNNER=... python benches/probes.py (`make bench` does it)
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable

COMMAND = ("cargo", "bench", "--locked", "--package", "ackclock-lab", "--bench", "probes")
LIMITS = {"queue": 8, "goodput": 8, "cwnd": 12, "segments": 30, "packets": 30}
"""The most that a probe may take, % of a run without."""
NOTHING = "nothing"
_CASE = re.compile(r"^\S+::of_(\w+) (\w+):")
_COUNT = re.compile(r"^\s+Instructions:\s+(\d+)")


def counts(lines: Iterable[str]) -> dict[str, dict[str, int]]:
    """Instructions by group and case, from what the bench prints."""
    found: dict[str, dict[str, int]] = {}
    group = case = ""
    for line in lines:
        if match := _CASE.match(line):
            group, case = match[1], match[2]
        elif (match := _COUNT.match(line)) and case:
            found.setdefault(group, {})[case] = int(match[1])
    return found


def main() -> int:
    """Run the bench and print the table."""
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, text=True) as bench:
        assert bench.stdout is not None
        lines = []
        for line in bench.stdout:
            print(line, end="")
            lines.append(line)
    if bench.returncode:
        return bench.returncode
    too_much = False
    for group, its in counts(lines).items():
        print(f"\nMore instructions than without a probe, {group}:")
        for case, number in its.items():
            if case == NOTHING:
                continue
            share = 100 * (number / its[NOTHING] - 1)
            limit = LIMITS.get(case)
            note = "" if limit is None else f"   at most {limit} %"
            if limit is not None and share > limit:
                note, too_much = f"{note}: too much", True
            print(f"  {case:22}{share:6.1f} %{note}")
    return int(too_much)


if __name__ == "__main__":
    sys.exit(main())
