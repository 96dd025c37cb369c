"""Turns a document into a scenario: evaluates expressions, fixes values, fills in all keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from pydantic import ValidationError

from ackclock.scenario import keys, places, validation_errors
from ackclock.scenario.distributions import parse
from ackclock.scenario.evaluation import (
    TCPS_OF_A_GROUP,
    VARIABLES,
    References,
    ValueUnknownError,
)
from ackclock.scenario.expression import FUNCTIONS, WORDS, ExpressionError
from ackclock.scenario.files import FileError, Files
from ackclock.scenario.flow_trace import ListedFlows, parse_flows
from ackclock.scenario.keys import MISSING, Path
from ackclock.scenario.model.base import keys as keys_of
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.variables import name_problem, read_variable
from ackclock.scenario.paths import PathSteps, Trace, parse_steps, parse_trace
from ackclock.scenario.problems import Problem
from ackclock.scenario.python_class import PythonFile
from ackclock.scenario.values.flavor import OwnFlavor, own_flavor
from ackclock.scenario.values.kind import Computed
from ackclock.scenario.values.path_file import PathFile, file_name
from ackclock.scenario.values.plain import plain
from ackclock.scenario.values.sizes import Sizes, csv_name


class Settled(NamedTuple):
    """The result of settling a document.

    Attributes:
        scenario: none if something is wrong.
        problems: the problems found.
        computed: what its expressions gave, by their keys.
        work: that the expressions were; see ``References``.
    """

    scenario: Scenario | None
    problems: list[Problem]
    computed: Mapping[Path, Computed]
    work: int


def settle(document: Mapping[str, Any], levels: Mapping[str, str], files: Files) -> Settled:
    """The scenario that a document describes.

    Args:
        document: as read from a file, with what the sweep and the user have set.
        levels: names of the levels of factors that have named levels.
        files: that it may name.
    """
    document = _with_kinds_of_workloads(document)
    references = References(document, levels)
    values = references.evaluate_all()
    problems = [*references.problems, *_variable_problems(values)]
    values, unread = _with_files(values, files)
    problems += unread
    scenario = None
    try:
        scenario = Scenario.model_validate(values)
    except ValidationError as error:
        found = validation_errors.problems(error, document)
        unknown = {each.path for each in found if each.reason.startswith(places.UNKNOWN_KEY)}
        problems = [each for each in problems if not _is_inside(each.path, unknown)]
        problems += [
            each
            for each in found
            if each.path in unknown or not _is_reported(each.path, references.failed)
        ]
    return Settled(None if problems else scenario, problems, references.computed, references.work)


def seed_of(document: Mapping[str, Any]) -> int:
    """The seed, which the points of a Latin hypercube need before they can be settled.

    It may be an expression, but of nothing that the sweep sets. A wrong one is reported at the
    points.
    """
    seed = Scenario.model_fields["seed"].default
    try:
        value = References(document, {}).resolve(("seed",))
        return int(value) if isinstance(value, Fraction) else seed
    except (ExpressionError, ValueUnknownError):
        return seed


def _with_kinds_of_workloads(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """A workload without a kind is bulk; a group's workload without one is of the general kind."""
    general = document.get("workload", MISSING)
    kind = "bulk"
    if isinstance(general, Mapping):
        kind = general.get("kind", kind)
        if "kind" not in general:
            document = {**document, "workload": {"kind": kind, **general}}
    flows = document.get("flows")
    if isinstance(flows, list | tuple):
        for at in range(len(flows)):
            own = keys.get(flows[at], ("workload",))
            if isinstance(own, Mapping) and "kind" not in own:
                document = keys.put(document, ("flows", at, "workload", "kind"), kind)
    return dict(document)


def _with_files(document: dict[str, Any], files: Files) -> tuple[dict[str, Any], list[Problem]]:
    """The document with what is in the files that it names, and what is wrong with them."""
    problems = []
    for path, read in _named_files(document):
        try:
            found = read(files, keys.get(document, path))
        except FileError as error:
            problems += [Problem(path, reason) for reason in error.reasons]
        else:
            if found is not None:
                document = keys.put(document, path, found)
    return document, problems


def _named_files(document: Mapping[str, Any]) -> Iterator[tuple[Path, Callable[[Files, Any], Any]]]:
    """Where files may be named, and what reads one: none if something else is written."""
    yield from ((path, _read_sizes) for path in _of_workloads(document, "sizes"))
    for path in _of_workloads(document, "flows"):
        if plain(keys.get(document, (*path[:-1], "kind"))) == "trace":
            yield path, partial(_read_file, parse_flows)
    yield from ((path, _read_flavor) for path in _flavors(document))
    for path in _paths(document):
        kind = plain(keys.get(document, (*path, "kind")))
        if kind == "csv":
            yield (*path, "file"), partial(_read_file, parse_steps)
        elif kind == "mahimahi":
            yield (*path, "file"), partial(_read_file, parse_trace)


def _read_sizes(files: Files, written: Any) -> Sizes | None:
    name = csv_name(written)
    return None if name is None else Sizes(name, 0, files.read(name, parse))


def _read_flavor(files: Files, written: Any) -> OwnFlavor | None:
    named = own_flavor(written)
    if named is None:
        return None
    read = files.read(named.file, PythonFile)
    read.check(named.class_name)
    return OwnFlavor(named, read.text)


def _read_file(
    parse: Callable[[str, str], PathSteps | Trace | ListedFlows], files: Files, written: Any
) -> PathFile | None:
    name = file_name(written)
    return None if name is None else PathFile(name, files.read(name, parse))


def _of_workloads(document: Mapping[str, Any], key: str) -> Iterator[Path]:
    """Where a key of a workload may be written."""
    yield ("workload", key)
    flows = document.get("flows")
    if isinstance(flows, list):
        yield from (("flows", at, "workload", key) for at in range(len(flows)))


def _flavors(document: Mapping[str, Any]) -> Iterator[Path]:
    """Where the flavor of a TCP may be written."""
    yield ("tcp", "flavor")
    flows = document.get("flows")
    if isinstance(flows, list):
        for at in range(len(flows)):
            yield from (("flows", at, tcp, "flavor") for tcp in TCPS_OF_A_GROUP)


def _paths(document: Mapping[str, Any]) -> Iterator[Path]:
    """Where it may be written how a link changes."""
    for name in ("varies", "reverse_varies"):
        yield ("topology", "bottleneck", name)
    links = keys.get(document, ("topology", "links"))
    if isinstance(links, list):
        yield from (("topology", "links", at, "varies") for at in range(len(links)))


def _variable_problems(document: Mapping[str, Any]) -> list[Problem]:
    variables = document.get(VARIABLES)
    if not isinstance(variables, Mapping):
        return []
    problems = []
    for name, raw in variables.items():
        path: Path = (VARIABLES, name)
        wrong = name_problem(name, {**keys_of(Scenario), **WORDS}, FUNCTIONS)
        if wrong is None:
            try:
                read_variable(raw)
            except ValueError as error:
                wrong = str(error)
        if wrong is not None:
            problems.append(Problem(path, wrong))
    return problems


def _is_inside(path: Path, unknown: set[Path]) -> bool:
    """Whether a key is in an unknown table, which is the cause of its problem."""
    return any(path[:end] in unknown for end in range(len(path)))


def _is_reported(path: Path, failed: set[Path]) -> bool:
    """Whether a key, or a part of its value, is an expression with a problem that was reported."""
    return any(each[: len(path)] == path[: len(each)] for each in failed)
