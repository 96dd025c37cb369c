"""The scenarios of a study: of each part, with what the user changes; the list of all settings.

A change goes to the parts that have its key. If none has it, it goes to all, whose files then say
what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from ackclock import scenario
from ackclock.errors import InputError
from ackclock.plurals import listed
from ackclock.scenario.settings import NOT_OF_A_RUN, Setting, settings
from ackclock.studies.machinery.file import StudyFile
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.study import PARTS, Part, Study

_SET_BY = "set by "


def scenarios(request: Request) -> dict[str, scenario.Scenario]:
    """The scenario of each part that is to be run, with what the request changes.

    Raises:
        InputError: with all that is wrong with the request.
    """
    running = [part for part in request.parts if part.runs]
    problems = [clash for pair in request.sets if (clash := _clash(pair, request, running))]
    if problems:
        raise InputError(problems)
    found = {}
    for part in running:
        try:
            found[part.name] = scenario_of(part, request)
        except InputError as error:
            problems += error.messages
    if problems:
        raise InputError(dict.fromkeys(problems))
    return found


def main_scenario(request: Request) -> scenario.Scenario:
    """The scenario that stands for the study: of its main part, or of the first one that is run.

    Raises:
        InputError: with all that is wrong with the request, in any part.
    """
    found, main = scenarios(request), request.study.main_part
    return found.get(main.name) or next(iter(found.values()), None) or scenario_of(main, request)


def scenario_of(part: Part, request: Request, probes: Sequence[str] = ()) -> scenario.Scenario:
    """The scenario of one part.

    Args:
        part: of the study.
        request: what it changes.
        probes: texts ``key=value`` of what to record.

    Raises:
        InputError: with all that is wrong with the changes.
    """
    own, options = (*part.own_sets, *probes), option_names(request.study)
    return _loaded(part.file, sets_of(part, request), request.seed, own, options)


def sets_of(part: Part, request: Request) -> tuple[str, ...]:
    """The changes that go to a part."""
    others = [each for each in request.parts if each.runs]
    return tuple(
        pair
        for pair in request.sets
        if _has(part, _key(pair)) or not any(_has(other, _key(pair)) for other in others)
    )


def all_settings(study: Study) -> list[Setting]:
    """What can be set in any file; a value that differs between files names their parts."""
    found: dict[str, dict[str, Setting]] = {}
    for file, parts in study.files.items():
        part = study.main_part if study.main_part in parts else parts[0]
        for setting in file.settings(_unchanged(part)):
            found.setdefault(setting.key, {})[part.name] = setting
    return [_merged(by_part, len(study.files)) for by_part in found.values()]


def option_names(study: Study) -> str:
    """The options that choose levels: "--parts, --webs and --iw"."""
    return listed([f"--{choice.option}" for choice in study.choices])


# Every point is checked, which is worth doing once: the command, the runs and the report ask.
@lru_cache(maxsize=64)
def _loaded(
    file: StudyFile, sets: tuple[str, ...], seed: int, own: tuple[str, ...], options: str
) -> scenario.Scenario:
    return file.load(sets, seed, own, options)


def _unchanged(part: Part) -> scenario.Scenario:
    return _loaded(part.file, (), 1, part.own_sets, "")


@lru_cache(maxsize=64)
def _values(part: Part) -> Mapping[str, str]:
    """What stands at each key of a part."""
    return {each.key: each.value for each in settings(_unchanged(part))}


def _key(pair: str) -> str:
    return pair.partition("=")[0].strip()


def _has(part: Part, key: str) -> bool:
    """Whether a part has a key, or keys inside it if it is a table."""
    return any(its == key or its.startswith((f"{key}.", f"{key}[")) for its in _values(part))


def _clash(pair: str, request: Request, parts: Iterable[Part]) -> str:
    """What to say of a change of what some of the parts set themselves; empty if none does."""
    key = _key(pair)
    if key.partition(".")[0] in NOT_OF_A_RUN or len(request.study.parts) == 1:
        return ""
    setting = [part.name for part in parts if _sets(part, key)]
    others = [part.name for part in request.study.parts if not _sets(part, key)]
    if not setting:
        return ""
    if not others:
        return f"--set {pair}: every part of the study sets this key itself"
    if len(setting) == 1:
        text = f"--set {pair}: the part {setting[0]} sets it itself; leave the part out"
    else:
        text = f"--set {pair}: the parts {listed(setting)} set it themselves; leave them out"
    return f"{text}, for example --{PARTS} {','.join(others)}"


def _sets(part: Part, key: str) -> bool:
    """Whether a part sets a key, by what it changes in its file or by a factor of its sweep."""
    return key in map(_key, part.own_sets) or _values(part).get(key, "").startswith(_SET_BY)


def _merged(by_part: Mapping[str, Setting], files: int) -> Setting:
    """One row for a key of several files."""
    first = next(iter(by_part.values()))
    values: dict[str, list[str]] = {}
    for name, setting in by_part.items():
        values.setdefault(setting.value, []).append(name)
    if len(values) == 1 and len(by_part) == files:
        return first
    described = "; ".join(f"{value} ({', '.join(names)})" for value, names in values.items())
    return first._replace(value=described)
