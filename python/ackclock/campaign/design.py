"""The design of a campaign: the points of a scenario, their plans, their replications."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ackclock import __version__
from ackclock.campaign.identity import replication_seed, run_identity
from ackclock.campaign.journal import as_json
from ackclock.campaign.stopping_rule import Replications
from ackclock.errors import InputError

DESIGN = "design.json"
SCHEMA = 1


class PrecisionOfScenario(Protocol):
    """What a campaign needs of a scenario's ``[precision]``."""

    target: Any
    metrics: Sequence[str]
    confidence: Any
    minimum: int
    maximum: int


class CompiledPoint(Protocol):
    """A plan, and the facts to measure its runs by."""

    plan: Mapping[str, Any]
    facts: Any
    keeps: str
    """What a recorded run keeps besides what the plan's probes record; empty if nothing."""

    def without_probes(self) -> Mapping[str, Any]:
        """The plan with nothing recorded over time."""
        ...


class Point(Protocol):
    """What a campaign needs of a point of the sweep."""

    levels: Mapping[str, Any]
    scenario: Any
    """Of it ``seed`` and ``probes.replications``."""

    def compile(self) -> CompiledPoint:
        """The plan of its runs."""
        ...


class Scenario(Protocol):
    """What a campaign needs of a scenario; seed and probes are the same at every point."""

    seed: int
    probes: Any
    replications: int | None
    precision: PrecisionOfScenario | None

    def points(self) -> Sequence[Point]:
        """The points of the sweep, every key of each settled."""
        ...


@dataclass(frozen=True)
class DesignPoint:
    """One point of the sweep.

    Attributes:
        levels: values by factor column.
        seed: from which the seeds of the replications are derived.
        plan: hash of the plan without probes.
        traced_plan: hash of the plan with probes, and of what else a recorded run keeps.
        traced: number of replications that are recorded, the first ones.
        facts: number of the facts among those of the design.
    """

    levels: dict[str, Any]
    seed: int
    plan: str
    traced_plan: str
    traced: int
    facts: int


@dataclass(frozen=True)
class Design:
    """Everything that decides which runs belong to a campaign, as last requested.

    Attributes:
        version: of ackclock.
        code: digest of the files that make a row.
        sets: the pairs key=value that changed the scenario.
        replications: how many of each point.
        points: in the order of the sweep.
        facts: different facts of the points, each as a dict.
    """

    version: str
    code: str
    sets: tuple[str, ...]
    replications: Replications
    points: tuple[DesignPoint, ...]
    facts: tuple[Any, ...]

    def seed(self, point: int, replication: int) -> int:
        """Seed of a run."""
        return replication_seed(self.points[point].seed, replication)

    def is_traced(self, point: int, replication: int) -> bool:
        """Whether a run is recorded."""
        return replication < self.points[point].traced

    def identity(self, point: int, replication: int) -> str:
        """Identity of a run, hexadecimal."""
        its = self.points[point]
        plan = its.traced_plan if self.is_traced(point, replication) else its.plan
        return run_identity(plan, self.seed(point, replication), self.code, self.version)

    def distinct(self) -> Iterator[int]:
        """Numbers of the points, without those whose runs are those of an earlier point."""
        seen = set()
        for number, point in enumerate(self.points):
            runs = (point.seed, point.plan, point.traced_plan, point.traced)
            if runs not in seen:
                seen.add(runs)
                yield number

    def to_json(self) -> bytes:
        """Its text; equal designs give equal text."""
        return as_json({"design": SCHEMA, **dataclasses.asdict(self)}).encode() + b"\n"


def read_design(path: Path) -> Design:
    """The last requested design.

    Raises:
        InputError: a later version wrote the file, or it is no design. OSError: it cannot be read.
    """
    try:
        held = json.loads(path.read_bytes())
        schema = held.pop("design")
        if schema == SCHEMA:
            rule = held["replications"]
            held["replications"] = Replications(**{**rule, "metrics": tuple(rule["metrics"])})
            held["points"] = tuple(DesignPoint(**point) for point in held["points"])
            return Design(**{**held, "sets": tuple(held["sets"]), "facts": tuple(held["facts"])})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path}: is damaged ({error}); repeat the command that made the runs: it writes this"
            " file again and keeps the runs"
        ) from error
    raise InputError(
        f"{path}: has format {schema}, and this version of ackclock reads format {SCHEMA};"
        " use the version that wrote it"
    )


class Compiled(NamedTuple):
    """A point as a worker needs it: texts of the plan without and with probes, and the facts."""

    plan: str
    traced_plan: str
    facts: Any


def compile_design(
    scenario: Scenario,
    chosen: Sequence[Point],
    code: str,
    sets: Sequence[str],
    replications: int | None,
    *,
    traces: bool,
) -> tuple[Design, list[Compiled]]:
    """Compile points of a scenario.

    Args:
        scenario: the requested scenario.
        chosen: those of its points that are to be run.
        code: digest of the files that make a row.
        sets: the pairs key=value that changed the scenario.
        replications: of each point; as the scenario says if none.
        traces: whether what probes record is kept; if not, no run has probes.

    Returns:
        The design, and what workers need of each point.

    Raises:
        InputError: points cannot be compiled; with the messages of all.
    """
    # Here, because workers and readers do without pydantic, which the package scenario brings.
    from ackclock.scenario.plan import canonical_json

    points, compiled, problems = [], [], []
    facts: dict[str, int] = {}
    for point in chosen:
        try:
            made = point.compile()
        except InputError as error:
            problems += error.messages
            continue
        plain = canonical_json(made.without_probes())
        probed = canonical_json(made.plan) if traces else plain
        # With probes in the plan, the plan alone distinguishes a recorded run from another.
        keeps = made.keeps if traces and probed == plain else ""
        traced = scenario.probes.replications if probed != plain or keeps else 0
        compiled.append(Compiled(plain, probed if traced else plain, made.facts))
        points.append(
            DesignPoint(
                levels=json.loads(as_json(dict(point.levels))),
                seed=scenario.seed,
                plan=text_hash(compiled[-1].plan),
                traced_plan=text_hash(compiled[-1].traced_plan + (keeps if traced else "")),
                traced=traced,
                facts=facts.setdefault(as_json(_as_dict(made.facts)), len(facts)),
            )
        )
    if problems:
        raise InputError(dict.fromkeys(problems))
    rule = _rule(scenario, replications)
    described = tuple(json.loads(text) for text in facts)
    return Design(__version__, code, tuple(sets), rule, tuple(points), described), compiled


def text_hash(plan: str) -> str:
    """Hash of a plan's canonical text, as ``ackclock.scenario.plan.plan_hash`` of the plan."""
    return hashlib.sha256(plan.encode()).hexdigest()


def _rule(scenario: Scenario, replications: int | None) -> Replications:
    precision = scenario.precision
    if replications is None and precision is not None:
        return Replications(
            precision.minimum,
            precision.maximum,
            float(precision.target),
            tuple(precision.metrics),
            float(precision.confidence),
        )
    number = replications or scenario.replications or 1
    return Replications(number, number)


def _as_dict(facts: Any) -> Any:
    return vars(facts) if dataclasses.is_dataclass(facts) else facts
