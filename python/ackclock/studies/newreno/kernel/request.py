"""The option ``--emulate`` and those that belong to it: what they ask for, and what is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ackclock.errors import InputError
from ackclock.scenario.units import TIME, parse
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Execution
from ackclock.studies.machinery.study import PARTS, Option
from ackclock.studies.newreno.kernel.conventions import (
    CONVENTIONS,
    DURATION,
    STUDY_OWN,
    scenario_of,
)
from ackclock.studies.newreno.levels import EMULATION

if TYPE_CHECKING:
    from ackclock.studies.newreno.kernel.tables import KernelResult

EMULATE = "emulate"
REPLICATIONS, JOBS, RETRY = "emulation-replications", "emulation-jobs", "retry-invalid"
OPTIONS = (
    Option(
        EMULATE,
        bool,
        False,
        "Make Table III with the kernel's TCP, too: six transfers of 500 s in real time.",
    ),
    Option(
        DURATION,
        str | None,
        None,
        'Duration of each of these transfers, for example "120 s"; by default 500 s.',
    ),
    Option(REPLICATIONS, int, 1, "Number of the kernel's transfers at each imposed loss."),
    Option(
        JOBS,
        int,
        3,
        "Number of these transfers at the same time; more than one may make packets late.",
        of_result=False,
    ),
    Option(
        RETRY,
        bool,
        False,
        "Repeat the emulated runs for which this computer was too slow.",
        of_result=False,
    ),
)
_PS_PER_S = 10**12


def kernel_runs(request: Request, how: Execution) -> KernelResult | None:
    """What the kernel's TCP makes of section V; nothing if it is not asked for."""
    if not request.option(EMULATE):
        return None
    from ackclock.studies.newreno.kernel.running import kernel_result

    return kernel_result(request, how)


def problems(request: Request) -> list[str]:
    """What is wrong with these options."""
    if not request.option(EMULATE):
        belonging = (each for each in OPTIONS if each.name != EMULATE)
        given = (each.name for each in belonging if request.option(each.name) != each.default)
        return [f"--{name}: belongs to --{EMULATE}" for name in given]
    from ackclock.emulation import prerequisites

    names = [part.name for part in request.parts]
    found = []
    if EMULATION not in names:
        found.append(
            f"--{EMULATE}: makes the transfers of the part {EMULATION}, which is left out; write "
            f"for example --{PARTS} {','.join([*names, EMULATION])}"
        )
    found += [
        f"--{name} {request.option(name)}: at least 1 is needed, for example 3"
        for name in (REPLICATIONS, JOBS)
        if request.option(name) < 1
    ]
    found += convention_problems(request)
    return found + [f"--{EMULATE}: {each}" for each in prerequisites.problems(unprivileged=False)]


def convention_problems(request: Request) -> list[str]:
    """What is wrong with the conventions' scenarios, beside what is wrong with the part itself."""
    found: dict[str, None] = {}
    try:
        if wrong := _duration_problem(request):
            return [wrong]
    except InputError:
        return []
    for convention in CONVENTIONS:
        try:
            scenario_of(request, convention)
        except InputError as error:
            found |= dict.fromkeys(error.messages)
    return list(found)


def _duration_problem(request: Request) -> str:
    """What is wrong with how long the transfers are to be; empty if nothing is.

    Raises:
        InputError: the scenario is wrong with the paper's duration, too.
    """
    duration = request.option(DURATION)
    its = scenario_of(replace(request, options={**request.options, DURATION: None}), STUDY_OWN)
    if duration is None:
        return ""
    option = f"--{DURATION} {duration}"
    try:
        wanted_ps = parse(duration, TIME)
    except ValueError as error:
        return f"{option}: {error}"
    workloads = its.points()[0].compile().plan["workloads"]
    latest_ps = max(each["start_ps"] + each["start_spread_ps"] for each in workloads)
    if wanted_ps > latest_ps:
        return ""
    return (
        f"{option}: a transfer may begin {latest_ps / _PS_PER_S:g} s after the start and has no"
        ' time left; write for example "120 s"'
    )
