"""A campaign whose runs are emulated."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ackclock.campaign import OnProgress, Summary, run_campaign
from ackclock.emulation.core import emulation_problems, kernel_problems, request_for
from ackclock.emulation.iperf import PROGRAM
from ackclock.emulation.verdict import INVALID
from ackclock.errors import InputError
from ackclock.results.emulated import described_of
from ackclock.results.scenario_run import TRACES

CORE = "ackclock.emulation.core:run"
MEASURE = "ackclock.emulation.measuring:measure"
_SAMPLE_NS = 100_000_000


@dataclass(frozen=True)
class Options:
    """The options of an emulation beside the scenario.

    Attributes:
        profile: one of ``settings.PROFILES``; by default the nearest to the flavor.
        congestion: congestion control; by default the profile's.
        scheduling: "eevdf" or "plain" to leave out the steps of the ladder above.
        spin: the driver keeps the processor for the last 50 us before something is due, on slow
            networks.
        unprivileged: use a user namespace even as root.
        sample_ns: time between two samples of a connection.
        application: "iperf3" or "plain": what makes bulk transfers.
        ports: one of ``devices.KINDS``.
    """

    profile: str | None = None
    congestion: str | None = None
    scheduling: str | None = None
    spin: bool = False
    unprivileged: bool = False
    sample_ns: int = _SAMPLE_NS
    application: str = "plain"
    ports: str = "veth"


def application_of(wanted: str) -> str:
    """What makes bulk transfers: "auto" is iperf3 if it is installed, else ackclock's own program.

    Raises:
        InputError: iperf3 is wanted and not installed.
    """
    installed = shutil.which(PROGRAM) is not None
    if wanted == "auto":
        return PROGRAM if installed else "plain"
    if wanted == PROGRAM and not installed:
        raise InputError("--application iperf3: is not installed; on Debian, apt install iperf3")
    return wanted


@dataclass(frozen=True)
class _Compiled:
    """A compiled point whose plan says how it is emulated."""

    plan: Mapping[str, Any]
    facts: Any
    keeps: str
    _bare: Mapping[str, Any]

    def without_probes(self) -> Mapping[str, Any]:
        return self._bare


@dataclass(frozen=True)
class _Point:
    """A point of a sweep, to be emulated."""

    point: Any
    options: Options

    @property
    def levels(self) -> Mapping[str, Any]:
        return self.point.levels

    @property
    def scenario(self) -> Any:
        return self.point.scenario

    def compile(self) -> _Compiled:
        compiled = self.point.compile()
        how = asdict(self.options)
        problems = emulation_problems(compiled.plan) or kernel_problems(
            compiled.plan, how, compiled.facts.flow_groups
        )
        if problems:
            raise InputError(problems)
        # Reports now what would be refused later.
        request_for(compiled.plan, how, 0)
        plan, bare = (
            {**one, "emulation": how} for one in (compiled.plan, compiled.without_probes())
        )
        return _Compiled(plan, compiled.facts, compiled.keeps, bare)


def emulate(
    scenario: Any,
    folder: Path,
    options: Options,
    *,
    points: Sequence[Any] | None = None,
    sets: Sequence[str] = (),
    replications: int | None = None,
    jobs: int = 1,
    measure: str = MEASURE,
    retry_failed: bool = False,
    retry_invalid: bool = False,
    on_progress: OnProgress = lambda event: None,
) -> Summary:
    """Make the emulated runs of a scenario that a folder does not hold yet.

    Args:
        scenario: as ``ackclock.scenario.load`` returns it.
        folder: for the runs.
        options: how they are emulated.
        points: those of the scenario that are to be run; all by default.
        sets: the pairs key=value that changed the scenario.
        replications: of each point, instead of what the scenario says.
        jobs: runs at the same time. Each is made in real time: more than one make packets late,
            which the verdicts show.
        measure: "module:function" that makes a row of a run, as ``run_campaign`` takes it. The row
            has what ``measuring.measure`` adds.
        retry_failed: make again the runs that have failed before.
        retry_invalid: make again the runs whose verdict is "invalid"; the last row of a run counts.
        on_progress: called with each event of the campaign.

    Raises:
        InputError: the scenario cannot be emulated, or the folder cannot be used.
        KeyboardInterrupt: Ctrl-C; finished runs are kept.
    """
    chosen = scenario.points() if points is None else points
    return run_campaign(
        scenario,
        folder,
        points=[_Point(point, options) for point in chosen],
        core=CORE,
        measure=measure,
        traces=TRACES,
        text=scenario.text,
        sets=sets,
        replications=replications,
        jobs=jobs,
        retry_failed=retry_failed,
        again=lambda row: (
            not (described := described_of(row))
            or (retry_invalid and described["verdict"] == INVALID)
        ),
        on_progress=on_progress,
    )


def emulation_folder(file: Path) -> Path:
    """Where the emulated runs of a scenario file are, unless another folder was named."""
    return file.with_name(f"{file.name.removesuffix('.toml')}.emulated")
