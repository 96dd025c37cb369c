"""``ackclock run``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ackclock.cli.options import AllowCode, Executor, Several
from ackclock.cli.output import say
from ackclock.cli.progress import campaign_progress
from ackclock.cli.reading import console, print_notes, warnings_shown
from ackclock.cli.stopping import stopped_at_once
from ackclock.plurals import counted

if TYPE_CHECKING:
    from ackclock.campaign import Summary

RUNS_FAILED = 1
_SHOWN_REASONS = 5


def run(
    file: Path,
    /,
    *,
    out: Path | None = None,
    jobs: int | None = None,
    executor: Executor = "threads",
    fail_fast: Annotated[bool, Parameter(negative=())] = False,
    retry_failed: Annotated[bool, Parameter(negative=())] = False,
    replications: int | None = None,
    seed: int | None = None,
    set: Several | None = None,
    allow_code: AllowCode = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Make the runs of a scenario that are missing in its folder, and show the results.

    Repeat an interrupted command to continue it. Exit code 1: some runs failed.

    Args:
        file: A scenario file (TOML).
        out: Folder for the runs; by default FILE.results, without .toml.
        jobs: Number of runs at the same time; by default one per processor.
        executor: Where the runs are made: here, or by the workers of a dask scheduler,
            dask://HOST:PORT; the results do not depend on it.
        fail_fast: Start no new run after the first failure.
        retry_failed: Repeat the runs that failed in an earlier command.
        replications: Number of runs of each point; by default as in the file.
        seed: Seed from which the seeds of all runs are derived; by default the scenario's.
        set: Change one key of the scenario: KEY=VALUE; may be repeated.
        allow_code: Let the Python code run that the scenario names; read it first.
        json: Report progress on standard output, one JSON object per line.
    """
    from ackclock.campaign import run_campaign
    from ackclock.code_permission import code_allowed
    from ackclock.results.scenario_run import MEASURE, TRACES, results_folder
    from ackclock.scenario.seed import load_seeded

    scenario, sets = load_seeded(file, set or [], seed)
    folder = out or results_folder(file)
    with (
        code_allowed(allow_code),
        stopped_at_once(),
        warnings_shown(),
        campaign_progress(as_json=json) as on_progress,
    ):
        summary = run_campaign(
            scenario,
            folder,
            measure=MEASURE,
            traces=TRACES,
            text=scenario.text,
            sets=sets,
            replications=replications,
            executor=executor,
            jobs=jobs,
            fail_fast=fail_fast,
            retry_failed=retry_failed,
            on_progress=on_progress,
        )
    if summary.failed:
        _print_failures(summary)
    if not json:
        say(summary)
        if summary.done:
            _show(folder)
    return RUNS_FAILED if summary.failed else 0


def _show(folder: Path) -> None:
    """The table that ``ackclock show`` prints, and the scenario's figures."""
    from ackclock.cli.plot import draw_described
    from ackclock.results.grids import rich_table
    from ackclock.results.results import Results

    with warnings_shown():
        results = Results.open(folder)
    console().print(rich_table(results.grid()))
    print_notes(results)
    draw_described(results)


def _print_failures(summary: Summary) -> None:
    """How many runs have failed, and the most frequent reasons."""
    from collections import Counter

    from ackclock.campaign import Campaign

    reasons = Counter(failure.reason for failure in Campaign.open(summary.folder).failures)
    have = "has" if summary.failed == 1 else "have"
    say(f"ackclock: {summary.failed} of {counted(summary.total, 'run')} {have} failed:", err=True)
    for reason, number in reasons.most_common(_SHOWN_REASONS):
        say(f"ackclock:   {number} x {reason}", err=True)
    if len(reasons) > _SHOWN_REASONS:
        say(f"ackclock:   {counted(len(reasons) - _SHOWN_REASONS, 'more reason')}", err=True)
    say(
        "ackclock: the journal lists them; use --retry-failed to run them again",
        err=True,
    )
