"""The runs: each part simulated, and emulated with the same plans and seeds."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from ackclock.campaign import Campaign, Failure, OnProgress, Summary, run_campaign
from ackclock.campaign.executors import executor_problems
from ackclock.emulation.campaign import Options, emulate
from ackclock.emulation.prerequisites import problems
from ackclock.errors import InputError
from ackclock.kernel_validation.parts import PARTS, Part, parts
from ackclock.results.scenario_run import MEASURE, TRACES

_KINDS = ("simulated", "emulated")
Begin = Callable[[str, str], AbstractContextManager[OnProgress]]
"""``begin(part, kind)`` is entered before runs of a part are made; "simulated" or "emulated"."""


@dataclass(frozen=True)
class Request:
    """The request.

    Attributes:
        out: folder for the page and the runs.
        jobs: emulated runs at the same time.
        names: of the parts.
        duration: of each run, instead of what the scenarios say.
        quick: short runs, one of a point and of some points only, which show that all works.
        replications: of each point, instead of what the scenarios say.
        seed: from which the seeds of all replications are made.
        points: texts; a point is meant if all words of one of them are in its name. All if none.
        options: how runs are emulated.
        retry_failed, retry_invalid: make again emulated runs that have failed, or are invalid.
    """

    out: Path
    jobs: int = 1
    names: tuple[str, ...] = tuple(PARTS)
    duration: str | None = None
    quick: bool = False
    replications: int | None = None
    seed: int = 1
    points: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)
    retry_failed: bool = False
    retry_invalid: bool = False

    def sets(self) -> list[str]:
        """The pairs key=value by which all scenarios are changed."""
        return [f"seed={self.seed}"] if self.seed != 1 else []

    @property
    def is_whole(self) -> bool:
        """Whether runs are as long as the scenarios say."""
        return not (self.quick or self.duration)

    def parts(self) -> list[Part]:
        """The parts with their points.

        Raises:
            InputError: see ``parts.parts``.
        """
        return parts(
            self.sets(), self.points, duration=self.duration, quick=self.quick, names=self.names
        )

    def runs_of(self, part: Part) -> int:
        """The number of runs of each point of a part."""
        if self.replications is None:
            return 1 if self.quick else part.scenario.replications
        return self.replications

    def command(self) -> str:
        """The command for the same results, without scheduling options."""
        words = ["ackclock", "validate-kernel"]
        if self.names != tuple(PARTS):
            words += ["--parts", *self.names]
        if self.quick:
            words.append("--quick")
        if self.duration:
            words += ["--duration", self.duration]
        if self.replications is not None:
            words += ["--replications", str(self.replications)]
        if self.seed != 1:
            words += ["--seed", str(self.seed)]
        if self.jobs != 1:
            words += ["--jobs", str(self.jobs)]
        if self.options.unprivileged:
            words.append("--unprivileged")
        if self.points:
            words += ["--points", *self.points]
        return shlex.join(words)


@dataclass(frozen=True)
class MadePart:
    """The campaigns of a part.

    Attributes:
        part: the part of the request.
        simulated, emulated: campaigns with the same points; none if nothing was begun, or the
            kernel has no congestion control of any of them.
    """

    part: Part
    simulated: Campaign | None
    emulated: Campaign | None

    @property
    def invalid(self) -> int:
        """Number of emulated runs whose verdict is "invalid"."""
        if self.emulated is None:
            return 0
        return sum(run.row["emulation"]["verdict"] == "invalid" for run in self.emulated.runs)

    def failures(self) -> list[Failure]:
        """The runs that have no row, for a reason."""
        campaigns = [each for each in (self.simulated, self.emulated) if each]
        return [failure for campaign in campaigns for failure in campaign.failures]


@dataclass(frozen=True)
class Made:
    """All campaigns.

    Attributes:
        request: the request.
        parts: in the order of ``parts.PARTS``.
    """

    request: Request
    parts: tuple[MadePart, ...]

    def on(self, page: str) -> Made:
        """The parts of a page."""
        its = (each for each in self.parts if PARTS[each.part.name].page == page)
        return Made(self.request, tuple(its))


def make(request: Request, begin: Begin) -> Made:
    """Make the runs that the folders do not hold yet: simulated ones first, which takes seconds.

    Args:
        request: the request.
        begin: shows progress.

    Raises:
        InputError: nothing can be emulated here, or the request is wrong.
        KeyboardInterrupt: Ctrl-C; finished runs are kept.
    """
    asked = request.parts()
    why_not = problems(unprivileged=request.options.unprivileged)
    why_not += executor_problems("threads", request.jobs)
    if why_not:
        raise InputError(why_not)
    for part in asked:
        if part.points():
            with begin(part.name, "simulated") as on_progress:
                _simulate(part, request, on_progress)
    for part in asked:
        if part.points():
            with begin(part.name, "emulated") as on_progress:
                _emulate(part, request, on_progress)
    return Made(request, tuple(_made(part, request.out) for part in asked))


def made_before(request: Request) -> Made:
    """The runs of earlier calls.

    Args:
        request: as it was when they were made.

    Raises:
        InputError: there are none.
    """
    asked = request.parts()
    if not any(folder(request.out, part.name, _KINDS[-1]).is_dir() for part in asked):
        raise InputError(
            f"{request.out}: holds no runs of this command; give it without --page-only"
        )
    return Made(request, tuple(_made(part, request.out) for part in asked))


def folder(out: Path, part: str, kind: str) -> Path:
    """Where the runs of a part are; ``kind`` is "simulated" or "emulated"."""
    return out / f"{part}.{kind}"


def _simulate(part: Part, request: Request, on_progress: OnProgress) -> Summary:
    return run_campaign(
        part.scenario,
        folder(request.out, part.name, "simulated"),
        points=part.points(),
        measure=MEASURE,
        traces=TRACES,
        text=part.scenario.text,
        sets=part.sets,
        replications=request.runs_of(part),
        retry_failed=request.retry_failed,
        on_progress=on_progress,
    )


def _emulate(part: Part, request: Request, on_progress: OnProgress) -> Summary:
    return emulate(
        part.scenario,
        folder(request.out, part.name, "emulated"),
        request.options,
        points=part.points(),
        sets=part.sets,
        replications=request.runs_of(part),
        jobs=request.jobs,
        retry_failed=request.retry_failed,
        retry_invalid=request.retry_invalid,
        on_progress=on_progress,
    )


def _made(part: Part, out: Path) -> MadePart:
    """What there is of a part: an earlier call may have been interrupted before it began."""
    folders = (folder(out, part.name, kind) for kind in _KINDS)
    return MadePart(part, *(Campaign.open(each) if each.is_dir() else None for each in folders))


def names(request: Request) -> Sequence[str]:
    """Names of the requested points."""
    return [place.name for part in request.parts() for place in part.places]
