"""Writes the page of the cases: ``python -m known_queues PAGE``."""

from __future__ import annotations

import sys
from pathlib import Path

from known_queues.cases import CASES, Case, Measured

HEAD = """# Queues compared with papers and RFCs

Each row is a published result, with its number in the tests. No parameter is fitted to the
printed numbers: every discipline has its defaults unless the set-up names another value. Each
result is one run. This command makes the page:

```sh
make validate-queues
```

"""
EXACT = """
Some results are arithmetic, and unit tests check them exactly: the drop times of CoDel (M31), its
bound for a sparse flow in any order of packets (M35), the share of C beside unresponsive L traffic
(M42), ten values of DualPI2's controller to 1e-9 (M77), all in `crates/sim/src/queue`, and
mahimahi's rule for unused opportunities in `crates/sim/src/link/service`.
"""


def main(page: str) -> None:
    """Run all cases and write the page."""
    measured = {case.row: list(case.measure()) for case in CASES}
    rows = [_row(case, measured[case.row]) for case in CASES]
    table = "| | claim | numbers | within |\n|---|---|---:|---|\n" + "".join(rows)
    details = "".join(_details(case, measured[case.row]) for case in CASES)
    Path(page).write_text(HEAD + table + EXACT + details, encoding="utf-8")


def _row(case: Case, measured: list[Measured]) -> str:
    within = sum(each.holds for each in measured)
    verdict = "all" if within == len(measured) else f"{within}: see the cause"
    return f"| [{case.row}](#{case.row.lower()}) | {case.claim} | {len(measured)} | {verdict} |\n"


def _details(case: Case, measured: list[Measured]) -> str:
    lines = [f"\n## {case.row}\n\n{case.source}. {case.set_up}.\n\nClaim: {case.claim}.\n\n"]
    lines.append("| measured | value | bounds | |\n|---|---:|---:|---|\n")
    for each in measured:
        verdict = "within" if each.holds else "**outside**"
        bounds = f"{each.low:.3g} to {each.high:.3g}"
        lines.append(f"| {each.what} | {each.value:.3g} | {bounds} | {verdict} |\n")
    if case.cause:
        lines.append(f"\nCause: {case.cause}\n")
    return "".join(lines)


if __name__ == "__main__":
    main(sys.argv[1])
