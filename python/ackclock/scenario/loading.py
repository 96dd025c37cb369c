"""A scenario file becomes a ``Scenario``, checked at every point of its sweep."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from pydantic import ValidationError

from ackclock.errors import InputError, InputWarning
from ackclock.plurals import counted
from ackclock.scenario import earlier_keys, keys, validation_errors
from ackclock.scenario.compile.compiler import conflicts
from ackclock.scenario.document import Document, read, with_sets
from ackclock.scenario.figure_checks import figure_problems
from ackclock.scenario.files import FILES, Files
from ackclock.scenario.metric_names import METRIC_NAMES
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.sweep import Sweep
from ackclock.scenario.points import Point, Points, no_such_point, settled_at, written
from ackclock.scenario.problems import Origins, Problem
from ackclock.scenario.settle import Settled, seed_of
from ackclock.scenario.sweep.columns import Columns, Reading, reading
from ackclock.scenario.sweep.designs import Combination, Design
from ackclock.scenario.sweep.factors import FACTORS, Factor, in_quotes, read_factors, swept_keys
from ackclock.scenario.values.kind import Computed

_MOST_MESSAGES = 100
_ENOUGH = 1000
"""Problems after which the search for more ends."""
_MOST_WORK = 5_000_000
"""Steps and values of the expressions at all points together: seconds."""


class OnePoint(NamedTuple):
    """A point of a sweep, of which nothing else was checked.

    Attributes:
        point: as ``load`` makes it.
        scenario: at this point, every key settled.
        document: of this point, as it is written.
        computed: what its expressions gave, by their keys.
        files: that it names, as they were read.
        factors: of the sweep; none without one.
        combinations: the level of each factor at each point, right or wrong.
    """

    point: Point
    scenario: Scenario
    document: Mapping[str, Any]
    computed: Mapping[keys.Path, Computed]
    files: Files
    factors: tuple[Factor, ...]
    combinations: Sequence[Combination]


def load(
    source: str | FilePath | Mapping[str, Any] | Document, sets: Sequence[str] = ()
) -> Scenario:
    """A scenario, checked at every point of its sweep.

    Args:
        source: path of a file; or the text of one, if it is a string with a line break; or its
            tables; or what ``document`` has read.
        sets: texts ``key=value`` that change any dotted key.

    Returns:
        The scenario at the first point of its sweep; ``points()`` gives all of them.

    Raises:
        InputError: with everything that is wrong; each message names the file or the option, the
            key, its value and a correct one.
    """
    document, messages = with_sets(read(source), sets)
    check = _Check(document, messages)
    scenario = check.scenario()
    if check.messages or scenario is None:
        raise InputError(check.shortened())
    scenario._document = document
    scenario._files = check.files
    _hint_at_earlier_keys(document, scenario)
    return scenario


def load_point(
    source: str | FilePath | Mapping[str, Any] | Document,
    sets: Sequence[str] = (),
    number: int = 0,
) -> OnePoint:
    """One point of a scenario, in a time that does not depend on how many there are.

    Args:
        source: as of ``load``.
        sets: as of ``load``.
        number: of the point, from 0 on.

    Raises:
        InputError: with everything that is wrong at this point.
    """
    document, messages = with_sets(read(source), sets)
    check = _Check(document, messages)
    found = check.one_point(number)
    if check.messages or found is None:
        raise InputError(check.shortened())
    return found


def _hint_at_earlier_keys(document: Document, scenario: Scenario) -> None:
    """Warn of each key that is called otherwise today."""
    swept = scenario.points()[0].swept
    for path, hint in earlier_keys.hints(document.values, swept).items():
        written = document.changed.get(path)
        name = swept.get(path)
        place = document.source.at(path if name is None else (*FACTORS, name))
        said = f"{place if written is None else written.text}: {hint}"
        warnings.warn(said, InputWarning, stacklevel=3)


class _Check:
    """Everything that is wrong with a document, each thing once."""

    def __init__(self, document: Document, messages: list[str]) -> None:
        self.document = document
        self.files = Files(document.values.get(FILES), document.folder, within=document.within)
        self.messages = dict.fromkeys(messages)
        self._expressions: set[keys.Path] = set()
        self._work = 0
        self._swept: Sweep | None = None
        self._base = {name: raw for name, raw in document.values.items() if name != "sweep"}
        self._of_points = {name: raw for name, raw in self._base.items() if name != "figures"}

    def shortened(self) -> list[str]:
        """The messages, or as many as a person reads."""
        described = list(self.messages)
        if len(described) <= _MOST_MESSAGES:
            return described
        more = counted(len(described) - _MOST_MESSAGES, "more problem")
        least = "at least " if self._has_enough() else ""
        return [*described[:_MOST_MESSAGES], f"{self.document.source.name}: and {least}{more}"]

    def _has_enough(self) -> bool:
        return len(self.messages) >= _ENOUGH

    def scenario(self) -> Scenario | None:
        """The scenario at its first point, with its points; none if something is wrong."""
        design = self._design()
        if design is None:
            # Without its levels missing keys are unknown; existing ones can be checked.
            self._describe_of(self._base, (), (), missing=False)
            return None
        factors = tuple(design.factors)
        first, rows = self._rows(factors, design.combinations)
        if first is None or len(rows) < len(design.combinations):
            return None
        columns = Columns(factors, rows)
        self._describe(columns.problems)
        points = Points(columns, design.combinations, self._of_points, self.files)
        self._describe(_same_twice(points))
        self._describe(_taken_names(columns.names))
        self._describe(tuple(figure_problems(first, columns.names, points)))
        scenario = first.model_copy(update={"sweep": self._swept}) if self._swept else first
        scenario._points = points
        return scenario

    def one_point(self, number: int) -> OnePoint | None:
        """A point alone; none if something is wrong with it."""
        design = self._design()
        if design is None:
            self._describe_of(self._base, (), (), missing=False)
            return None
        if not 0 <= number < len(design.combinations):
            self.messages[no_such_point(number, len(design.combinations))] = None
            return None
        factors, combination = tuple(design.factors), design.combinations[number]
        found = self._describe_of(self._base, factors, combination)
        if found is None:
            return None
        document, settled = found
        assert settled.scenario is not None, "a point without a problem has a scenario"
        levels = Columns(factors, [_readings(factors, combination, document, settled)]).levels(0)
        point = Point(number, levels, factors, combination, self._of_points, self.files)
        return OnePoint(
            point,
            settled.scenario,
            document,
            settled.computed,
            self.files,
            factors,
            design.combinations,
        )

    def _design(self) -> Design | None:
        """The points of the sweep; one without levels if there is no sweep."""
        if "sweep" not in self.document.values:
            return Design(None, [], self._base, 0)
        self._swept = sweep = self._sweep()
        if sweep is None:
            return None
        factors, problems = read_factors(sweep.factors, self._base)
        problems += self._set_and_swept(factors)
        design = None
        if not problems:
            design = Design(sweep, factors, self._base, seed_of(self._base))
            problems = design.problems
        self._describe(problems)
        return None if problems else design

    def _sweep(self) -> Sweep | None:
        try:
            return Sweep.model_validate(self.document.values["sweep"])
        except ValidationError as error:
            found = validation_errors.problems(error, self.document.values, ("sweep",))
        for problem in found:
            # The message for a factor beside [sweep.factors] says where it belongs.
            written = keys.get(self.document.values, problem.path)
            factors = swept_keys(problem.path, written, self._base) if problem.path[1:] else {}
            wanted = "is a factor; write [sweep.factors] and below it, in quotes,"
            self._describe(
                [Problem(path, f"{wanted} {in_quotes(key)}") for path, key in factors.items()]
                or [problem]
            )
        return None

    def _set_and_swept(self, factors: Sequence[Factor]) -> list[Problem]:
        swept = {factor.path: factor.name for factor in factors if factor.path is not None}
        for factor in factors:
            swept.update(
                dict.fromkeys(
                    (path for level in factor.levels for path in level.values), factor.name
                )
            )
        return [
            Problem(
                path,
                f"the sweep sets this key; set {keys.show((*FACTORS, swept[path]))} in its place",
            )
            for path in self.document.changed
            if path in swept
        ]

    def _rows(
        self, factors: tuple[Factor, ...], combinations: Sequence[Combination]
    ) -> tuple[Scenario | None, list[tuple[Reading, ...]]]:
        """The scenario at the first point, and the levels of the points that are right."""
        first, rows = None, []
        # Points have most of their levels in common; True equals 1.
        readings: dict[tuple[Reading, type], Reading] = {}
        for combination in combinations:
            if self._has_enough():
                break
            if self._work > _MOST_WORK:
                reason = (
                    f"its expressions take more than {_MOST_WORK} steps at all points together; "
                    "write shorter lists, or fewer levels"
                )
                self._describe([Problem(("sweep",), reason)])
                break
            found = self._describe_of(self._base, factors, combination)
            if found is None:
                continue
            document, settled = found
            first = first or settled.scenario
            its = _readings(factors, combination, document, settled)
            rows.append(tuple(readings.setdefault((each, type(each.text)), each) for each in its))
        return first, rows

    def _describe_of(
        self,
        base: Mapping[str, Any],
        factors: tuple[Factor, ...],
        combination: Combination,
        *,
        missing: bool = True,
    ) -> tuple[Mapping[str, Any], Settled] | None:
        """What is wrong at a point; if nothing is, its document and what became of it."""
        try:
            document, settled = settled_at(base, factors, combination, self.files)
        except ValueError as error:
            self._describe_of_levels(base, combination, str(error))
            return None
        self._work += settled.work
        problems = settled.problems
        if settled.scenario is not None:
            problems = conflicts(settled.scenario)
        if not missing:
            problems = [
                each
                for each in problems
                if not each.reason.startswith(validation_errors.MISSING_KEY)
            ]
        origins = self._origins(combination)
        for problem in problems:
            if self._has_enough():
                break
            if problem.path in settled.computed:
                # The same expression may give another wrong value at every point.
                if problem.path in self._expressions:
                    continue
                self._expressions.add(problem.path)
            self.messages[origins.described(problem, document, settled.computed)] = None
        return None if problems else (document, settled)

    def _describe_of_levels(
        self, base: Mapping[str, Any], combination: Combination, reason: str
    ) -> None:
        """Of a level that sets a key in something that is no table."""
        for level in combination:
            for path, raw in level.values.items():
                try:
                    keys.put(base, path, raw)
                except ValueError:
                    place = self._origins().of(level.written[path])
                    self.messages[f"{place}: {reason}"] = None

    def _describe(self, problems: Sequence[Problem]) -> None:
        origins = self._origins()
        for problem in problems[:_ENOUGH]:
            self.messages[origins.described(problem, self.document.values)] = None

    def _origins(self, combination: Combination = ()) -> Origins:
        changed = {**self.document.changed, **written(combination)}
        return Origins(self.document.source, changed)


def _readings(
    factors: tuple[Factor, ...],
    combination: Combination,
    document: Mapping[str, Any],
    settled: Settled,
) -> list[Reading]:
    """What the levels of a point are worth."""
    return [
        reading(factor, level, document, settled.computed)
        for factor, level in zip(factors, combination, strict=True)
    ]


def _same_twice(points: Sequence[Point]) -> list[Problem]:
    seen: dict[tuple[Any, ...], int] = {}
    problems = []
    for point in points:
        other = seen.setdefault(tuple(point.levels.values()), point.number)
        if other != point.number:
            problems.append(
                Problem(
                    ("sweep",),
                    f"points {other} and {point.number} are the same ({point}); "
                    "write each level once",
                )
            )
    return problems


def _taken_names(columns: Sequence[str]) -> list[Problem]:
    """Factors whose columns would have the name of another column of the results."""
    taken = {*METRIC_NAMES, "replication", "seed"}
    return [
        Problem(
            (*FACTORS, name),
            f"{name} is a column of the results already; choose another name, like my_{name}",
        )
        for name in columns
        if name in taken
    ]
