"""The study's scenario file, and what ``--set`` may change in it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ackclock import scenario
from ackclock.errors import InputError
from ackclock.studies.common.file import StudyFile
from ackclock.studies.rfc2415.levels import PARTS, TABLES
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


def study_scenario(request: Request) -> scenario.Scenario:
    """The scenario of the first part that is to be run, once those of all are known to be right.

    Raises:
        InputError: with all that is wrong with what the request changes.
    """
    return next(iter(part_scenarios(request).values()), None) or _loaded(
        request.sets, request.seed, TABLES
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
    problems = [clash for pair in request.sets for clash in _clashes(pair, parts)]
    if problems:
        raise InputError(problems)
    found = {}
    for part in parts:
        try:
            found[part] = _loaded(request.sets, request.seed, part)
        except InputError as error:
            problems += error.messages
    if problems:
        raise InputError(dict.fromkeys(problems))
    return found


@lru_cache(maxsize=len(PARTS) + 1)
def _loaded(sets: tuple[str, ...], seed: int, part: str) -> scenario.Scenario:
    # Checked at every point, which is worth doing once: the command, the runs and the report ask.
    return STUDY.load(sets, seed, OWN_SETS[part])


def _clashes(pair: str, parts: tuple[str, ...]) -> list[str]:
    """What to say of a change of what a part sets itself."""
    key = pair.partition("=")[0].strip()
    return [
        f"--set {pair}: the part {part} sets it; leave the part out, for example "
        f"--parts {','.join(other for other in PARTS if other != part)}"
        for part in parts
        if any(own.partition("=")[0] == key for own in OWN_SETS[part])
    ]
