"""The scenario files of the study, and what ``--set`` may change in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from ackclock import scenario
from ackclock.errors import InputError
from ackclock.scenario.settings import NOT_OF_A_RUN, Setting, settings
from ackclock.studies.osu_tasks.parts import PARTS
from ackclock.studies.osu_tasks.result import Request

_SET_BY = "set by "


def study_scenario(request: Request) -> scenario.Scenario:
    """The scenario of the first part that is to be run, once those of all are known to be right.

    That of the first part of the study if none is to be run.

    Raises:
        InputError: with all that is wrong with what the request changes.
    """
    found = part_scenarios(request)
    return next(iter(found.values()), None) or _loaded(next(iter(PARTS)), (), request.seed)


def part_scenarios(request: Request) -> dict[str, scenario.Scenario]:
    """The scenario of each part that is to be run, with what the request changes.

    Raises:
        InputError: with all that is wrong with the changes.
    """
    names = request.selection.parts
    problems = [clash for pair in request.sets for clash in _clashes(pair, names)]
    if problems:
        raise InputError(problems)
    found = {}
    for name in names:
        try:
            found[name] = _loaded(name, sets_of(name, request), request.seed)
        except InputError as error:
            problems += error.messages
    if problems:
        raise InputError(dict.fromkeys(problems))
    return found


def sets_of(name: str, request: Request) -> tuple[str, ...]:
    """The changes that go to a part: those of keys that it has, and those that no part has.

    The latter are for its file to refuse.
    """
    others = request.selection.parts
    return tuple(
        pair
        for pair in request.sets
        if _has(name, _key(pair)) or not any(_has(other, _key(pair)) for other in others)
    )


def watched_scenario(name: str, request: Request, probes: Iterable[str]) -> scenario.Scenario:
    """The scenario of a part with something recorded over time.

    Args:
        name: of the part.
        request: what it changes.
        probes: texts ``key=value`` of what to record.

    Raises:
        InputError: with all that is wrong with the changes.
    """
    return PARTS[name].file.load(sets_of(name, request), request.seed, tuple(probes))


class _Files:
    """All scenario files together, for the list of settings."""

    def settings(self, its: scenario.Scenario) -> list[Setting]:
        """What can be set in any part; a value that is not the same in all names its parts.

        Args:
            its: ignored; the settings come from every part's own file.
        """
        listed: dict[str, dict[str, Setting]] = {}
        for name, part in PARTS.items():
            for setting in part.file.settings(_loaded(name, (), 1)):
                listed.setdefault(setting.key, {})[name] = setting
        return [_merged(by_part) for by_part in listed.values()]


STUDY = _Files()


@lru_cache(maxsize=4 * len(PARTS))
def _loaded(name: str, sets: tuple[str, ...], seed: int) -> scenario.Scenario:
    # Checked at every point, which is worth doing once: the command, the runs and the report ask.
    return PARTS[name].file.load(sets, seed)


@lru_cache(maxsize=len(PARTS))
def _values(name: str) -> Mapping[str, str]:
    """What stands at each key of a part."""
    return {each.key: each.value for each in settings(_loaded(name, (), 1))}


def _key(pair: str) -> str:
    return pair.partition("=")[0].strip()


def _has(name: str, key: str) -> bool:
    """Whether a part has a key, or keys inside it if it is a table."""
    return any(its == key or its.startswith((f"{key}.", f"{key}[")) for its in _values(name))


def _clashes(pair: str, names: Collection[str]) -> list[str]:
    """What to say of a change of what levels of some of the parts decide."""
    key = _key(pair)
    if key.partition(".")[0] in NOT_OF_A_RUN:
        return []
    deciding = [name for name in names if _values(name).get(key, "").startswith(_SET_BY)]
    if not deciding:
        return []
    which, them = (
        (f"part {deciding[0]}", "the part")
        if len(deciding) == 1
        else (f"parts {', '.join(deciding)}", "these parts")
    )
    others = ",".join(name for name in PARTS if name not in deciding)
    return [
        f"--set {pair}: the levels of the {which} set it; leave {them} out, for example "
        f"--parts {others}"
    ]


def _merged(by_part: Mapping[str, Setting]) -> Setting:
    """One row for a key of several parts."""
    first = next(iter(by_part.values()))
    values: dict[str, list[str]] = {}
    for name, setting in by_part.items():
        values.setdefault(setting.value, []).append(name)
    if len(values) == 1 and len(by_part) == len(PARTS):
        return first
    described = "; ".join(f"{value} ({', '.join(names)})" for value, names in values.items())
    return first._replace(value=described)
