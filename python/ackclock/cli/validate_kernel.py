"""``ackclock validate-kernel``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ackclock.cli.options import Several
from ackclock.cli.output import say
from ackclock.cli.progress import campaign_progress
from ackclock.cli.reading import warnings_shown
from ackclock.cli.stopping import stopped_at_once
from ackclock.plurals import counted

if TYPE_CHECKING:
    from ackclock.campaign import OnProgress

FAILED = 1
Switch = Annotated[bool, Parameter(negative=())]


def validate_kernel(
    *,
    out: Path = Path("out/kernel"),
    jobs: int = 1,
    parts: Several | None = None,
    duration: str | None = None,
    quick: Switch = False,
    replications: int | None = None,
    seed: int = 1,
    points: Several | None = None,
    list_points: Switch = False,
    unprivileged: Switch = False,
    retry_failed: Switch = False,
    retry_invalid: Switch = False,
    page_only: Switch = False,
) -> int:
    """Compare the simulated TCP with this kernel's: two pages, from the same paths and losses.

    Simulated, and in real time with the kernel's TCP: NewReno, SACK and CUBIC over 10 Mbit/s with
    random losses ("losses") and over nine paths ("grid"); Reno, CUBIC and BBR as Linux has them,
    alone with random losses ("single") and two at a time over queues of 0.5 to 16
    bandwidth-delay products ("pairs"). Linux only. The runs take three hours of real time, divided
    by --jobs. Repeat an interrupted command to continue it. Exit code 1: a run failed, this
    computer was too slow for it (invalid), or a point of "single" or "pairs" exceeds its limit
    without a known cause; the limits do not apply to short runs.

    Args:
        out: Folder for the pages (emulation.md, kernel.md), their tables and the runs.
        jobs: Number of emulated runs at the same time. More than one reduces accuracy, because the
            runs compete for the processors; the verdicts show it.
        parts: Run these parts only: losses, grid, single, pairs.
        duration: Duration of each run; by default 120 s (losses), 40 s (grid, single) and 60 s
            (pairs).
        quick: Make runs of 10 s (pairs: 20 s) and half of the points of "single" and "pairs"; this
            only tests that everything works.
        replications: Number of runs of each point, each with its own seed; by default 3 (losses,
            pairs), 2 (single) and 1 (grid), with --quick 1.
        seed: Seed from which the seeds of all replications are derived.
        points: Run only the points whose name contains all words of one of these texts, for example
            "losses SACK" or "grid 50 Mbit/s".
        list_points: List the names of the points, without running them.
        unprivileged: Create a user namespace, even if you are root.
        retry_failed: Repeat the runs that failed in an earlier command.
        retry_invalid: Repeat the emulated runs whose verdict is invalid.
        page_only: Write the pages from the existing runs, without making new ones.
    """
    from ackclock.emulation.campaign import Options
    from ackclock.errors import InputError
    from ackclock.kernel_validation.parts import PARTS
    from ackclock.kernel_validation.runs import Request, made_before, make, names

    if quick and duration:
        raise InputError("--quick has durations of its own; give one of the two")
    unknown = [name for name in parts or () if name not in PARTS]
    if unknown:
        raise InputError(f"--parts {unknown[0]}: choose from {', '.join(PARTS)}")
    request = Request(
        out,
        jobs,
        tuple(name for name in PARTS if not parts or name in parts),
        duration,
        quick,
        replications,
        seed,
        tuple(points or ()),
        Options(unprivileged=unprivileged),
        retry_failed,
        retry_invalid,
    )
    if list_points:
        say("\n".join(names(request)))
        return 0
    with stopped_at_once(), warnings_shown():
        made = made_before(request) if page_only else make(request, _described)
    return _show(made)


@contextmanager
def _described(part: str, kind: str) -> Iterator[OnProgress]:
    """Show the part that is run, and its progress."""
    say(f"{part}, {kind}:", err=True)
    with campaign_progress(as_json=False) as on_progress:
        yield on_progress


def _show(made: object) -> int:
    """Write the pages, and print their conclusions."""
    from ackclock.kernel_validation import causes, compare, conclusions, write
    from ackclock.kernel_validation.comparison import points
    from ackclock.kernel_validation.runs import Made

    assert isinstance(made, Made)
    rows = compare(made)
    paths, found = write(made, rows), points(rows)
    for sentence in conclusions.described(rows, found):
        say(sentence.replace("**", ""))
    for part in made.parts:
        for failure in part.failures():
            say(f"ackclock: {part.part.name}: failed: {failure.reason}", err=True)
    invalid = sum(part.invalid for part in made.parts)
    if invalid:
        say(
            f"ackclock: {counted(invalid, 'run is', 'runs are')} invalid: this computer was too"
            " slow or busy; repeat them with --retry-invalid",
            err=True,
        )
    unexplained = causes.unexplained(found, causes.causes()) if made.request.is_whole else []
    for name in unexplained:
        say(f"ackclock: {name}: beyond its limit, and no cause is known", err=True)
    for path in paths:
        say(f"The page is {path}")
    failed = invalid or unexplained or any(part.failures() for part in made.parts)
    return FAILED if failed else 0
