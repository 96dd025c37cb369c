"""Thousands of random scenarios: ``python -m random_scenarios --examples 5000 --out FOLDER``.

Prints how many there were. What fails is made smaller and written to FOLDER/failing.toml, which
``ackclock check`` and ``ackclock run`` take like any other file; ``--replay FILE`` checks it again.
What ends the process at once is in FOLDER/running.toml.
"""

import argparse
import contextlib
import faulthandler
import io
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from random_scenarios.properties import check
from random_scenarios.whole import scenarios, toml

LONGEST_S = 300
"""A scenario that takes longer ends the process, with a traceback of where it is."""
MOST_MEMORY = 8 * 2**30
EVERY = 500


def main() -> int:
    """Exit code 0 if all holds of all scenarios, 1 if not."""
    given_ = _arguments()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    if given_.replay:
        print(_checked(given_.replay.read_text(encoding="utf-8")))
        return 0
    given_.out.mkdir(parents=True, exist_ok=True)
    failing, running = given_.out / "failing.toml", given_.out / "running.toml"
    failing.unlink(missing_ok=True)
    counted, began = Counter(), time.monotonic()

    @seed(given_.seed)
    @settings(
        max_examples=given_.examples,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        deadline=None,
    )
    @given(scenarios())
    def every(made):
        text = toml(made)
        running.write_text(text, encoding="utf-8")
        faulthandler.dump_traceback_later(LONGEST_S, exit=True)
        try:
            outcome = _checked(text)
        except BaseException:
            # Hypothesis makes it smaller: the last one is the smallest.
            failing.write_text(text, encoding="utf-8")
            raise
        counted["valid" if outcome.valid else "wrong"] += 1
        counted["runs"] += outcome.runs
        if not counted["scenarios"] % EVERY:
            print(f"{counted['scenarios']} scenarios", file=sys.stderr, flush=True)
        counted["scenarios"] += 1

    ending = "ended by an error"
    try:
        every()
        ending = "none failed"
    finally:
        faulthandler.cancel_dump_traceback_later()
        running.unlink(missing_ok=True)
        print(
            f"seed {given_.seed}: {counted['valid'] + counted['wrong']} random scenarios,"
            f" {counted['valid']} valid, {counted['wrong']} refused, {counted['runs']} runs,"
            f" {time.monotonic() - began:.0f} s; "
            + (f"a failing one is in {failing}" if failing.exists() else ending)
        )
    return 0


def _checked(text):
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        return check(text, Path(folder))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/fuzz-scenarios"))
    parser.add_argument("--replay", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
