"""The kinds of jobs: convert a request to a scenario and a command.

| kind | the runs | keys in addition to the state |
|---|---|---|
| ``pair`` | two levels of one factor, A and B, with the same random numbers | ``b``: sets of B |
| ``sweep`` | the scenario's sweep, or a key over given values | ``key``, ``values`` |
| ``size-buffer`` | a search for the smallest buffer | ``target``; ``key``, ``from``, ``to`` |
| ``reproduce`` | a published study | ``study``; ``parts`` |

``pair`` and a ``sweep`` of a key use one point of the scenario's sweep, that of the state.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ackclock.code_permission import check_files
from ackclock.errors import InputError
from ackclock.lab.campaigns.pinned_scenario import pinned
from ackclock.lab.settings import Settings
from ackclock.lab.states.cost import REFUSED, cost_of
from ackclock.lab.states.state import State, whole
from ackclock.lab.studies.api import parts_of
from ackclock.scenario import Point, Scenario
from ackclock.scenario.document import read, with_sets
from ackclock.scenario.evaluation import VARIABLES
from ackclock.scenario.keys import Path as Key
from ackclock.scenario.keys import get, show
from ackclock.scenario.metric_names import METRIC_NAMES
from ackclock.scenario.points import chosen_point
from ackclock.sizing import Question
from ackclock.sizing.question import pose
from ackclock.studies import STUDIES

KINDS = ("pair", "sweep", "size-buffer", "reproduce")
SIDES = ("A", "B")
MOST_REPLICATIONS = 1000
MOST_RUNS = 20_000
"""Largest number of runs of a job."""
MOST_VALUES = 100
_REPLICATIONS = {"pair": 10, "sweep": 1, "size-buffer": 40, "reproduce": 1}
"""Default numbers of replications; for ``size-buffer`` the largest number per buffer. The default
of a sweep is its scenario's."""
_FACTOR = "setting"
_MOST_COSTS = 50
_ALLOW = "--allow-code"


@dataclass(frozen=True)
class Order:
    """The order of a job.

    Attributes:
        kind: kind, one of ``KINDS``.
        title: readable title.
        words: words of the command after "ackclock", with ``{place}`` for the folder of the job.
        text: text of the scenario file; none for a study.
        factor: factor with the levels A and B; empty for other kinds.
        study: name of the study for ``reproduce``; else empty.
        target: target of ``size-buffer``; else empty.
        key: key of the swept values; else empty.
        a: sets of A; empty unless two settings are compared.
        b: sets of B.
        replications: number per point, or largest number per buffer; none for the scenario's.
    """

    kind: str
    title: str
    words: tuple[str, ...]
    text: str | None = None
    factor: str = ""
    study: str = ""
    target: str = ""
    key: str = ""
    a: tuple[str, ...] = ()
    b: tuple[str, ...] = ()
    replications: int | None = None


def order(settings: Settings, body: Mapping[str, Any]) -> Order:
    """Return the order in a body.

    Raises:
        InputError: with all errors in the body.
        NotThereError: no scenario has the id in the body.
    """
    kind = body.get("kind")
    problems: list[str] = []
    if kind not in KINDS:
        raise InputError(f"kind: choose from {', '.join(KINDS)}")
    asked = {"replications": _REPLICATIONS[kind], **body}
    replications = whole(asked, "replications", 1, MOST_REPLICATIONS, problems)
    if problems:
        raise InputError(problems)
    by_scenario = kind == "sweep" and "replications" not in body
    told = None if by_scenario else replications
    return replace(_order(settings, kind, body, replications), replications=told)


def _order(settings: Settings, kind: str, body: Mapping[str, Any], replications: int) -> Order:
    if kind == "reproduce":
        return _reproduce(body, replications)
    state = State.read(body)
    its = state.load(settings)
    if kind == "size-buffer":
        return _size_buffer(state, its, body, replications)
    if kind == "pair":
        return _pair(settings, state, its, _texts(body, "b"), replications)
    return _sweep(settings, state, its, body, replications if "replications" in body else None)


def _pair(
    settings: Settings, state: State, its: Scenario, b: Sequence[str], replications: int
) -> Order:
    point = chosen_point(its.points(), state.point)
    replace(state, sets=tuple(b)).load(settings)
    ours, theirs = _changed(its, state.sets), _changed(its, b)
    common = [key for key in ours if key in theirs and ours[key] == theirs[key]]
    apart = [
        {key: raw for key, raw in side.items() if key not in common} for side in (ours, theirs)
    ]
    if swept := [show(key) for side in apart for key in side if key[0] == "sweep"]:
        raise InputError(f"b: {swept[0]}: A and B need the same sweep; change another key")
    name = _free(its, _FACTOR)
    levels = {
        side: {show(key): raw for key, raw in values.items()}
        for side, values in zip(SIDES, apart, strict=True)
    }
    kept = [pair for pair in state.sets if _key(its, pair) in common]
    made = replace(state, sets=pinned(point, kept, {name: levels})).load(settings)
    plans = [each.compile().plan for each in made.points()]
    if plans[0] == plans[-1]:
        raise InputError("b: A and B are the same runs; change a key of one of them")
    ordered = _run("pair", f"A and B: {its.title}", made, replications, name)
    return replace(ordered, a=state.sets, b=tuple(b))


def _sweep(
    settings: Settings,
    state: State,
    its: Scenario,
    body: Mapping[str, Any],
    replications: int | None,
) -> Order:
    key, values = body.get("key"), body.get("values")
    if key is None:
        return _run("sweep", its.title, its, replications)
    if not isinstance(key, str) or not isinstance(values, list) or not values:
        raise InputError('key, values: give a key and its values, like ["10 ms", "20 ms"]')
    if len(values) > MOST_VALUES:
        raise InputError(f"values: at most {MOST_VALUES} can be swept; write fewer")
    written = [each if isinstance(each, str) else json.dumps(each) for each in values]
    raws = [next(iter(_changed(its, [f"{key}={each}"]).values())) for each in written]
    sets = [pair for pair in state.sets if _key(its, pair) != _key(its, f"{key}=0")]
    point = chosen_point(its.points(), state.point)
    made = replace(state, sets=pinned(point, sets, {key: raws})).load(settings)
    return replace(_run("sweep", f"{key}: {its.title}", made, replications), key=key)


def _run(kind: str, title: str, its: Scenario, replications: int | None, factor: str = "") -> Order:
    """Return the order with the command ``ackclock run`` for a valid scenario.

    Args:
        kind: kind of the job.
        title: title of the job.
        its: scenario of the job.
        replications: number per point; none for the scenario's.
        factor: factor whose levels are compared.

    Raises:
        InputError: the job has too many runs, or runs that are too large.
    """
    points, precision = its.points(), its.precision
    most = replications or (precision.maximum if precision else its.replications or 1)
    if len(points) * most > MOST_RUNS:
        raise InputError(
            f"replications: {len(points)} points with {most} runs each are more than"
            f" {MOST_RUNS} runs, the maximum of a job; choose fewer, or use `ackclock run`"
        )
    _check_cost(points)
    words = ["run", "{place}/scenario.toml", "--out", "{place}", *_set(its.sets), *_permission(its)]
    words += ["--replications", str(replications)] if replications else []
    return Order(kind, title, tuple(words), _text(its), factor)


def _permission(its: Scenario) -> list[str]:
    """Return the option that gives the command of a job the permission of the server to run code.

    Raises:
        InputError: the scenario has code, and the server has no permission.
    """
    check_files(its.python_files)
    return [_ALLOW] if its.python_files else []


def _check_cost(points: Sequence[Point]) -> None:
    """Refuse runs that are too large for a job.

    Raises:
        InputError: a point has such a run; of many points only some are checked.
    """
    for point in points[:: max(1, len(points) // _MOST_COSTS)]:
        cost = cost_of(point.scenario)
        if cost.verdict == REFUSED:
            raise InputError(cost.sentence)


def _size_buffer(state: State, its: Scenario, body: Mapping[str, Any], most: int) -> Order:
    target = body.get("target")
    if not isinstance(target, str):
        raise InputError('target: expected a metric and a value, like "efficiency >= 98 %"')
    _check_cost([chosen_point(its.points(), state.point)])
    words = ["size-buffer", "{place}/scenario.toml", "--target", target, "--out", "{place}"]
    words += ["--point", str(state.point), "--replications-max", str(most)]
    for name in ("key", "from", "to"):
        if body.get(name) is not None:
            words += [f"--{name}", str(body[name])]
    title = f"{target}: {its.title}"
    words += [*_set(state.sets), *_permission(its)]
    return Order("size-buffer", title, tuple(words), _text(its), target=target)


def posed(words: Sequence[str], file: Path) -> None:
    """Check the question of a search, which needs the file of the scenario.

    Args:
        words: words of the search's command.
        file: scenario file.

    Raises:
        InputError: with all errors in the question.
    """
    words = [word for word in words if word != _ALLOW]
    given = dict(zip(words[2::2], words[3::2], strict=True))
    sets = tuple(words[at + 1] for at, word in enumerate(words) if word == "--set")
    question = Question(
        given["--target"],
        given.get("--key"),
        given.get("--from"),
        given.get("--to"),
        int(given["--point"]),
        replications_max=int(given["--replications-max"]),
        sets=sets,
    )
    pose(file, question)


def _reproduce(body: Mapping[str, Any], replications: int) -> Order:
    study = body.get("study")
    if study not in STUDIES:
        raise InputError(f"study: choose from {', '.join(STUDIES)}")
    words = ["reproduce", study, "--out", "{place}", "--replications", str(replications)]
    known = parts_of(study)
    parts = _texts(body, "parts")
    if unknown := [each for each in parts if each not in known]:
        raise InputError(f"parts: {unknown[0]}: choose from {', '.join(known) or 'none'}")
    if parts:
        words += ["--parts", ",".join(parts)]
    return Order("reproduce", f"Study {study}", tuple(words), study=study)


def _texts(body: Mapping[str, Any], name: str) -> list[str]:
    found = body.get(name) or []
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise InputError(f'{name}: expected a list of texts, like ["tcp.flavor=reno"]')
    return found


def _set(sets: Sequence[str]) -> list[str]:
    return [word for pair in sets for word in ("--set", pair)]


def _text(its: Scenario) -> str:
    """Return the text of a scenario; all files that it names are in the user's folder.

    The text ends in a line break.
    """
    return its.text if its.text.endswith("\n") else f"{its.text}\n"


def _changed(its: Scenario, sets: Sequence[str]) -> dict[Key, Any]:
    """Return the values that texts ``key=value`` set, by key.

    Raises:
        InputError: a text does not have this form.
    """
    document, problems = with_sets(read(_text(its)), sets)
    if problems:
        raise InputError(problems)
    return {key: get(document.values, key) for key in document.changed}


def _key(its: Scenario, pair: str) -> Key:
    return next(iter(_changed(its, [pair])))


def _free(its: Scenario, name: str) -> str:
    """Return the name, or a similar name that is not used."""
    swept = {factor.name for factor in its.points()[0].factors}
    taken = {*its.document.get(VARIABLES, {}), *swept, *METRIC_NAMES}
    numbers = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (name, *numbers) if each not in taken)
