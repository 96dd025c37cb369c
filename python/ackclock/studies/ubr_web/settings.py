"""The study's scenario file, and what ``--set`` may change in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ackclock import scenario
from ackclock.errors import InputError
from ackclock.scenario.settings import NOT_OF_A_RUN, Setting, settings
from ackclock.studies.ubr_web.levels import Point, Selection
from ackclock.studies.ubr_web.result import Request

SCENARIO = Path(__file__).with_name("scenario.toml")
SWEEP = "sweep"
_INSTEAD = {
    "seed": "the option --seed gives it, for example --seed 7",
    "replications": "the option --replications gives it, for example --replications 30",
    "precision": "the option --replications says how often a point is run, for example 30",
}
"""Keys that an option of the command decides, and which."""
_IDLE = "changes no run of the study; --list-settings shows what does"
_VARIABLES = {
    "newreno": ("a flavor", "Which of the core's NewRenos the level NewReno is."),
    **{
        f"{link.lower()}_buffers": (
            "[three numbers of cells]",
            f"Buffers that stand for 0.5, 1 and 2 RTT on the {link} link.",
        )
        for link in Selection().links
    },
    "buffers": ("", "Those of the link that is run."),
    "buffer_rtt": ("", "Which of them."),
}
"""What is accepted and what it means, of the file's variables."""


def study_scenario(request: Request, probes: Sequence[str] = ()) -> scenario.Scenario:
    """The study's scenario with what the request changes.

    Args:
        request: what to run.
        probes: texts ``key=value`` of what to record.

    Raises:
        InputError: with all that is wrong with the changes.
    """
    problems = [problem for pair in request.sets if (problem := _refused(pair))]
    if problems:
        raise InputError(problems)
    given = " ".join(f"--set {pair}" for pair in request.sets)
    try:
        found = scenario.load(SCENARIO, [*request.sets, f"seed={request.seed}", *probes])
    except InputError as error:
        # The file by itself is right: what is wrong in it now comes from the changes.
        told = (message.replace(f"{SCENARIO}: ", f"{given}: ", 1) for message in error.messages)
        raise InputError(told) from error
    if {tuple(point.levels.items()) for point in found.points()} != _levels():
        raise InputError(
            f"{given}: the levels of the study must stay what they are; choose some of them with "
            "--links, --policies, --flavors and --buffers"
        )
    return found


def study_settings(its: scenario.Scenario) -> list[Setting]:
    """What can be set, with the values that hold in the scenario."""
    found = []
    for setting in settings(its):
        table, _, variable = setting.key.partition(".")
        if table == "variables" and variable in _VARIABLES:
            accepts, meaning = _VARIABLES[variable]
            setting = setting._replace(accepts=accepts, meaning=meaning)
        if setting.key not in _INSTEAD:
            found.append(setting)
    return found


def _refused(pair: str) -> str | None:
    """What to say of a change that would do nothing here, or undo what an option says."""
    key = pair.partition("=")[0].strip().partition(".")[0]
    if key in _INSTEAD:
        return f"--set {pair}: {_INSTEAD[key]}"
    if key in NOT_OF_A_RUN and key != SWEEP:
        return f"--set {pair}: {_IDLE}"
    return None


def _levels() -> set[tuple[tuple[str, str | float], ...]]:
    return {tuple(zip(Point._fields, point, strict=True)) for point in Selection().points()}
