"""The question of a search, and its translation into levels, points and a rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ackclock.errors import InputError
from ackclock.scenario import Point, Scenario
from ackclock.scenario.compile.compiler import conflicts
from ackclock.scenario.files import FILES, Files
from ackclock.scenario.points import at_point, chosen_point, settled_at, written
from ackclock.scenario.problems import Origins, Written
from ackclock.scenario.seed import load_seeded
from ackclock.scenario.source_lines import Source
from ackclock.scenario.sweep.columns import Columns, reading
from ackclock.scenario.sweep.factors import Factor
from ackclock.scenario.sweep.factors import Level as FactorLevel
from ackclock.sizing.levels import Level, Setting, find_setting, ladder, read_range
from ackclock.sizing.target import Target, read_target
from ackclock.sizing.verdicts import Rule, looks

FINEST, COARSEST = 0.001, 1.0
_NOT_OF_A_POINT = ("sweep", "figures")
_MOST_CHOICES = 12


@dataclass(frozen=True)
class Question:
    """The question of a search, as the user writes it.

    Attributes:
        target: target, for example "efficiency >= 98 %".
        key: key of the buffer; by default the bottleneck's.
        start: the smallest buffer of the range, with its unit; by default "0.0625 rtt".
        end: the largest buffer of the range; by default "4 rtt".
        point: number of the point of the sweep, if the scenario has several.
        confidence: level at which all intervals of the search hold together, for example 0.95.
        replications_max: largest number of replications per buffer.
        tolerance: relative precision of the answer.
        sets: texts ``key=value`` that change the scenario.
        seed: seed instead of the scenario's own.
    """

    target: str
    key: str | None = None
    start: str | None = None
    end: str | None = None
    point: int | None = None
    confidence: float = 0.95
    replications_max: int = 40
    tolerance: float = 0.05
    sets: tuple[str, ...] = ()
    seed: int | None = None


@dataclass(frozen=True)
class Posed:
    """A checked question with its scenario.

    Attributes:
        scenario: scenario without the sizes of the buffer.
        sets: texts ``key=value`` that have changed the scenario, including the seed.
        setting: setting of the buffer.
        levels: sizes that may be probed, ascending.
        points: points of the levels, for a campaign.
        rule: rule that decides on a buffer.
        others: levels of the other factors of the scenario's sweep, by column.
    """

    scenario: Scenario
    sets: tuple[str, ...]
    setting: Setting
    levels: Sequence[Level]
    points: Sequence[Point]
    rule: Rule
    others: Mapping[str, Any] = field(default_factory=dict)


def pose(file: str | Path, question: Question) -> Posed:
    """Read a scenario and check a question about it.

    Args:
        file: a scenario file.
        question: question of the user.

    Raises:
        InputError: with all errors in the file and in the question.
    """
    problems = _number_problems(question)
    target = None
    try:
        target = read_target(question.target)
    except ValueError as error:
        problems.append(f"--target {question.target}: {error}")
    try:
        scenario, sets = load_seeded(file, question.sets, question.seed)
    except InputError as error:
        raise InputError([*error.messages, *problems]) from None
    question = replace(question, sets=tuple(sets), seed=None)
    points = scenario.points()
    chosen = points[0]
    try:
        chosen = chosen_point(points, question.point or 0)
    except InputError as error:
        problems += error.messages
    posed = None
    try:
        setting = find_setting(question.key, at_point(scenario.document, chosen.combination))
    except ValueError as error:
        problems.append(f"--key{f' {question.key}' if question.key else ''}: {error}")
    else:
        posed = _with_levels(Path(file), scenario, setting, question, target, problems)
    if problems or posed is None:
        raise InputError(problems)
    return posed


def _number_problems(question: Question) -> list[str]:
    problems = []
    if not 0 < question.confidence < 1:
        problems.append(
            f"--confidence {question.confidence:g}: must be between 0 and 1; write for example 0.95"
        )
    if question.replications_max < 2:
        problems.append(
            f"--replications-max {question.replications_max}: at least 2 are needed for an"
            " interval, for example 40"
        )
    if not FINEST <= question.tolerance <= COARSEST:
        problems.append(
            f"--tolerance {question.tolerance:g}: must be between {FINEST:g} and {COARSEST:g};"
            " write for example 0.05"
        )
    return problems


def _with_levels(
    file: Path,
    scenario: Scenario,
    setting: Setting,
    question: Question,
    target: Target | None,
    problems: list[str],
) -> Posed | None:
    """Return the question with levels and their points; add errors to ``problems``."""
    ends = read_range(setting, question.start, question.end)
    if isinstance(ends, list):
        problems += ends
    bases = _base_points(scenario, setting, question.point)
    if len(bases) > 1:
        problems.append(_choice(bases))
    if problems or target is None or isinstance(ends, list):
        return None
    levels = ladder(*ends, question.tolerance)
    made = _points(file, scenario, setting, levels, bases[0])
    if isinstance(made, list):
        problems += made
        return None
    column, points = made
    rule = Rule(target, question.confidence, looks(question.replications_max), len(levels))
    others = {name: level for name, level in points[0].levels.items() if name != column}
    return Posed(scenario, question.sets, setting, levels, points, rule, others)


def _base_points(scenario: Scenario, setting: Setting, number: int | None) -> list[Point]:
    """Return the distinct points apart from the buffer's levels, or only point ``number``."""
    points = scenario.points()
    if number is not None and 0 <= number < len(points):
        return [_without(points[number], setting)]
    different: dict[tuple[Any, ...], Point] = {}
    for point in points:
        bare = _without(point, setting)
        different.setdefault(tuple(bare.levels.values()), bare)
    return list(different.values()) if number is None else [points[0]]


def _choice(points: Sequence[Point]) -> str:
    choices = [f"--point {point.number} ({point})" for point in points[:_MOST_CHOICES]]
    more = f" and {len(points) - _MOST_CHOICES} more" if len(points) > _MOST_CHOICES else ""
    return (
        f"--point: the scenario has {len(points)} points that differ in more than the buffer; name"
        f" one: {', '.join(choices)}{more}"
    )


def _without(point: Point, setting: Setting) -> Point:
    """Return a point without the level of the buffer's factor."""
    kept = [
        (factor, level)
        for factor, level in zip(point.factors, point.combination, strict=True)
        if factor.path != setting.path
    ]
    columns = {
        column: level
        for factor, (column, level) in zip(point.factors, point.levels.items(), strict=True)
        if factor.path != setting.path
    }
    factors, combination = zip(*kept, strict=True) if kept else ((), ())
    return replace(point, levels=columns, factors=factors, combination=combination)


def _points(
    file: Path, scenario: Scenario, setting: Setting, levels: Sequence[Level], base: Point
) -> tuple[str, list[Point]] | list[str]:
    """Return the buffer's column and one point per level; or the errors of the first bad point."""
    document = {name: raw for name, raw in scenario.document.items() if name not in _NOT_OF_A_POINT}
    files = Files(document.get(FILES), file.parent)
    buffer = Factor(setting.key, setting.path, ())
    factors = (*base.factors, buffer)
    rows, combinations = [], []
    for level in levels:
        typed = {levels[0]: "--from", levels[-1]: "--to"}.get(level, f"{setting.key} =")
        place = {setting.path: Written(f"{typed} {level.text}")}
        its = FactorLevel(None, {setting.path: level.text}, place)
        combination = (*base.combination, its)
        at, settled = settled_at(document, factors, combination, files)
        found = settled.problems or conflicts(settled.scenario)
        if found:
            # The next points probably fail for the same reason.
            origins = Origins(Source(file.name), written(combination))
            return [origins.described(problem, at, settled.computed) for problem in found]
        rows.append([reading(buffer, its, at, settled.computed)])
        combinations.append(combination)
    columns = Columns((buffer,), rows)
    points = [
        Point(at, {**base.levels, **columns.levels(at)}, factors, combination, document, files)
        for at, combination in enumerate(combinations)
    ]
    return columns.names[0], points
