"""A campaign whose runs are emulated."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ackclock.campaign import OnProgress, Summary, run_campaign
from ackclock.emulation.core import emulation_problems, kernel_problems, request_for
from ackclock.emulation.iperf import PROGRAM
from ackclock.emulation.verdict import INVALID
from ackclock.emulation.virtual_time import kernel
from ackclock.errors import InputError
from ackclock.results.emulated import described_of
from ackclock.results.scenario_run import TRACES

CORE = "ackclock.emulation.core:run"
MEASURE = "ackclock.emulation.measuring:measure"
_SAMPLE_NS = 100_000_000


@dataclass(frozen=True)
class Options:
    """The options of an emulation in addition to the scenario.

    Attributes:
        profile: one of ``tcp_settings.PROFILES``; by default the closest to the flavor.
        congestion: congestion control; by default that of the profile.
        scheduling: "eevdf" or "plain" to prevent better scheduling classes.
        spin: whether the driver spins for the last 50 us before an event is due, on slow
            networks.
        unprivileged: use a user namespace even as root.
        sample_ns: time between two samples of a connection.
        application: program of bulk transfers: "iperf3" or "plain".
        ports: kind of device, one of ``devices.KINDS``.
        virtual_time: whether a kernel of its own runs the emulation in virtual time.
    """

    profile: str | None = None
    congestion: str | None = None
    scheduling: str | None = None
    spin: bool = False
    unprivileged: bool = False
    sample_ns: int = _SAMPLE_NS
    application: str = "plain"
    ports: str = "veth"
    virtual_time: bool = False

    def of_runs(self) -> dict[str, Any]:
        """Return the options as the table ``emulation`` of a plan: part of a run's identity.

        Runs in real time have the identity that they had before there was virtual time.
        """
        described = asdict(self)
        if not self.virtual_time:
            del described["virtual_time"]
        return described


def application_of(wanted: str, *, virtual_time: bool = False) -> str:
    """Return the program of bulk transfers, for "auto" the best one.

    That is iperf3 if it is installed. In virtual time it is always ackclock's own, so that runs are
    the same on all computers.

    Raises:
        InputError: "iperf3" is requested, but not installed.
    """
    if wanted == "auto" and virtual_time:
        return "plain"
    installed = shutil.which(PROGRAM) is not None
    if wanted == "auto":
        return PROGRAM if installed else "plain"
    if wanted == PROGRAM and not installed:
        raise InputError("--application iperf3: is not installed; on Debian, apt install iperf3")
    return wanted


@dataclass(frozen=True)
class _Compiled:
    """A compiled point whose plan has the options of the emulation."""

    plan: Mapping[str, Any]
    facts: Any
    keeps: str
    _bare: Mapping[str, Any]

    def without_probes(self) -> Mapping[str, Any]:
        return self._bare


@dataclass(frozen=True)
class _Point:
    """A point of a sweep for an emulation."""

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
        how = self.options.of_runs()
        problems = emulation_problems(compiled.plan) or kernel_problems(
            compiled.plan, how, compiled.facts.flow_groups
        )
        if problems:
            raise InputError(problems)
        # Reports errors now, before the first run.
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
    jobs: int | None = None,
    measure: str = MEASURE,
    retry_failed: bool = False,
    retry_invalid: bool = False,
    on_progress: OnProgress = lambda event: None,
) -> Summary:
    """Make the missing emulated runs of a scenario in a folder.

    Args:
        scenario: as ``ackclock.scenario.load`` returns it.
        folder: folder for the runs.
        options: options of the emulation.
        points: points of the scenario to run; by default all.
        sets: pairs key=value that changed the scenario.
        replications: number of replications per point, instead of the scenario's.
        jobs: number of runs at the same time; by default 1 in real time, where with more than one
            packets may be late, and the number of processors in virtual time.
        measure: "module:function" that computes the row of a run, as for ``run_campaign``. The row
            must include the additions of ``measuring.measure``.
        retry_failed: make the runs again that failed before.
        retry_invalid: make the runs again whose verdict is "invalid"; the last row of a run counts.
        on_progress: called with each event of the campaign.

    Raises:
        InputError: the scenario cannot be emulated, or the folder cannot be used.
        KeyboardInterrupt: Ctrl-C; finished runs are kept.
    """
    if options.virtual_time and (why_not := kernel.problems()):
        raise InputError(why_not)
    if jobs is None:
        jobs = len(os.sched_getaffinity(0)) if options.virtual_time else 1
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
    """Return the default folder for the emulated runs of a scenario file."""
    return file.with_name(f"{file.name.removesuffix('.toml')}.emulated")
