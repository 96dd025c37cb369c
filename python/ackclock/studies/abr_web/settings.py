"""The study's scenario file, and what ``--set`` may change in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ackclock import scenario
from ackclock.errors import InputError
from ackclock.studies.abr_web.levels import COMPARED_SERVERS, TABLE2
from ackclock.studies.abr_web.parts import OWN_SETS
from ackclock.studies.abr_web.result import Request
from ackclock.studies.common.file import StudyFile
from ackclock.studies.common.parts import Parts

STUDY = StudyFile(
    Path(__file__).with_name("scenario.toml"),
    "--parts and --servers",
    {"servers": ("", "Servers, each with so many clients.")},
    sweep_stays=True,
)
_PARTS = Parts(STUDY, OWN_SETS)


def study_scenario(request: Request) -> scenario.Scenario:
    """The scenario of the first part that is to be run, once those of all are known to be right.

    Raises:
        InputError: with all that is wrong with what the request changes.
    """
    return next(iter(part_scenarios(request).values()), None) or _PARTS.load(
        TABLE2, request.sets, request.seed
    )


def part_scenarios(request: Request) -> dict[str, scenario.Scenario]:
    """The scenario of each part that is to be run, with what the request changes.

    Raises:
        InputError: with all that is wrong with the changes.
    """
    chosen = request.selection
    if chosen.parts and chosen.servers and not chosen.points():
        raise InputError(
            f"--parts {','.join(chosen.parts)} --servers {','.join(map(str, chosen.servers))}: "
            "there is no such point; services are compared with "
            f"{', '.join(map(str, COMPARED_SERVERS))} servers, for example --servers 5"
        )
    return _PARTS.scenarios(chosen.parts, request.sets, request.seed)


def watched_scenario(request: Request, probes: Sequence[str]) -> scenario.Scenario:
    """The scenario of Table 2 with something recorded over time.

    Args:
        request: what it changes.
        probes: texts ``key=value`` of what to record.

    Raises:
        InputError: with all that is wrong with the changes.
    """
    return STUDY.load(request.sets, request.seed, (*OWN_SETS[TABLE2], *probes))
