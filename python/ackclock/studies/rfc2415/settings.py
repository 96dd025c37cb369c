"""The study's scenario file, and what ``--set`` may change in it."""

from __future__ import annotations

from pathlib import Path

from ackclock import scenario
from ackclock.errors import InputError
from ackclock.studies.common.file import StudyFile
from ackclock.studies.common.parts import Parts
from ackclock.studies.rfc2415.levels import TABLES
from ackclock.studies.rfc2415.parts import OWN_SETS
from ackclock.studies.rfc2415.result import Request

STUDY = StudyFile(
    Path(__file__).with_name("scenario.toml"),
    "--parts, --webs, --ftps, --iw and --http",
    {
        "webs": ("", "Web clients."),
        "ftps": ("", "Ftp clients."),
        "iw": ("", "Initial window of every connection, segments."),
        "split": ("a whole number", "How many of the web clients use new_iw instead."),
        "new_iw": ("a whole number", "Initial window of these, segments."),
        "reverse": ("a whole number", "Ftp clients on the servers' side: data the other way."),
        "red_min_thresh": ("a number of packets", "RED: mean queue where drops begin."),
        "red_max_thresh": ("a number of packets", "RED: mean queue where drops reach red_max_p."),
        "red_max_p": ("a share", "RED: drops at red_max_thresh, a share of the packets."),
        "red_weight": ("a share", "RED: weight of a packet's arrival in the mean queue."),
    },
    decided=("topology.pairs", "topology.clients_per_server"),
    sweep_stays=True,
)
_PARTS = Parts(STUDY, OWN_SETS)


def study_scenario(request: Request) -> scenario.Scenario:
    """The scenario of the first part that is to be run, once those of all are known to be right.

    Raises:
        InputError: with all that is wrong with what the request changes.
    """
    return next(iter(part_scenarios(request).values()), None) or _PARTS.load(
        TABLES, request.sets, request.seed
    )


def part_scenarios(request: Request) -> dict[str, scenario.Scenario]:
    """The scenario of each part that is to be run, with what the request changes.

    Raises:
        InputError: with all that is wrong with the changes.
    """
    parts = request.selection.parts
    if parts and not request.selection.points():
        levels = ",".join(map(str, request.selection.iws))
        raise InputError(
            f"--parts {','.join(parts)} --iw {levels}: there is no such point; RED is run with an "
            "IW of 1 and of 4, for example --iw 1,4"
        )
    return _PARTS.scenarios(parts, request.sets, request.seed)
