"""The design of a campaign: the points of a scenario, their plans, their replications."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from array import array
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import frexp
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ackclock import __version__
from ackclock.campaign.identity import replication_seed, run_identity
from ackclock.campaign.journal import as_json
from ackclock.campaign.stopping_rule import Replications
from ackclock.campaign.stored import Storage, Stored
from ackclock.code_permission import check_code
from ackclock.errors import InputError

DESIGN = "design.json"
SCHEMA = 1
_RECENT = 1000
_USUAL_RATE_BPS = 1e7


class PrecisionOfScenario(Protocol):
    """The part of a scenario's ``[precision]`` that a campaign uses."""

    target: Any
    metrics: Sequence[str]
    confidence: Any
    minimum: int
    maximum: int


class CompiledPoint(Protocol):
    """A plan, and the facts from which the metrics of its runs are computed."""

    plan: Mapping[str, Any]
    facts: Any
    keeps: str
    """Records of a run in addition to those of the plan's probes; may be empty."""

    def without_probes(self) -> Mapping[str, Any]:
        """Return the plan without probes."""
        ...


class Point(Protocol):
    """The part of a point of the sweep that a campaign uses."""

    levels: Mapping[str, Any]
    scenario: Any
    """The scenario of the point, for ``seed`` and ``probes.replications``."""

    def compile(self) -> CompiledPoint:
        """Return the plan of the point's runs."""
        ...


class Scenario(Protocol):
    """The part of a scenario that a campaign uses; all points have the same seed and probes."""

    seed: int
    probes: Any
    replications: int | None
    precision: PrecisionOfScenario | None

    def points(self) -> Sequence[Point]:
        """Return the points of the sweep, with a value for every key."""
        ...


@dataclass(frozen=True)
class DesignPoint:
    """One point of the sweep.

    Attributes:
        levels: levels by factor column.
        seed: seed from which the seeds of the replications are derived.
        plan: hash of the plan without probes.
        traced_plan: hash of the plan with probes and of the other records of a run.
        traced: number of recorded replications; these are the first ones.
        facts: index into the facts of the design.
    """

    levels: dict[str, Any]
    seed: int
    plan: str
    traced_plan: str
    traced: int
    facts: int


@dataclass(frozen=True)
class Design:
    """The last request of a campaign: it defines which runs belong to the campaign.

    Attributes:
        version: version of ackclock.
        code: digest of the source files on which rows depend.
        sets: pairs key=value that changed the scenario.
        replications: rule for the number of replications per point.
        points: points in the order of the sweep.
        facts: distinct facts of the points, as dicts.
    """

    version: str
    code: str
    sets: tuple[str, ...]
    replications: Replications
    points: Sequence[DesignPoint]
    facts: Sequence[Any]

    def seed(self, point: int, replication: int) -> int:
        """Return the seed of a run."""
        return replication_seed(self.points[point].seed, replication)

    def is_traced(self, point: int, replication: int) -> bool:
        """Return whether a run is recorded."""
        return replication < self.points[point].traced

    def identity(self, point: int, replication: int) -> str:
        """Return the identity of a run, hexadecimal."""
        its = self.points[point]
        plan = its.traced_plan if self.is_traced(point, replication) else its.plan
        return run_identity(plan, self.seed(point, replication), self.code, self.version)

    def distinct(self) -> Iterator[int]:
        """Yield the numbers of the points, without points whose runs equal an earlier point's."""
        seen = set()
        for number, point in enumerate(self.points):
            runs = _digest((point.seed, point.plan, point.traced_plan, point.traced))
            if runs not in seen:
                seen.add(runs)
                yield number

    def untraced_runs(self, point: int) -> bytes:
        """Return what identifies the rows of the runs of a point that are not recorded.

        Unlike the identity of a run, it covers the facts from which the metrics are computed.
        """
        its = self.points[point]
        # As text, so that nan equals nan.
        return _digest((its.seed, its.plan, self.code, self.version, self.facts[its.facts]))

    def to_json(self) -> Iterator[bytes]:
        """Yield the design as JSON, in pieces; equal designs give equal text."""
        head = {
            "design": SCHEMA,
            "version": self.version,
            "code": self.code,
            "sets": self.sets,
            "replications": vars(self.replications),
        }
        yield as_json(head)[:-1].encode()
        for name, values in (("points", map(vars, self.points)), ("facts", self.facts)):
            yield b',"%s":[' % name.encode()
            for number, value in enumerate(values):
                yield b"%s%s" % (b"," if number else b"", as_json(value).encode())
            yield b"]"
        yield b"}\n"


def read_design(path: Path) -> Design:
    """Read the last requested design.

    Raises:
        InputError: a later version wrote the file, or the file is not a design.
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
    """A point for a worker: texts of the plan without and with probes, and the facts."""

    plan: str
    traced_plan: str
    facts: Any


class CompiledDesign(NamedTuple):
    """A design with what its runs need.

    Attributes:
        design: the design.
        points: each point for workers.
        lengths: for each point the power of two that its runs' length is closest to, in units that
            are the same for all points.
    """

    design: Design
    points: Sequence[Compiled]
    lengths: Sequence[int]


def compile_design(
    scenario: Scenario,
    chosen: Sequence[Point],
    code: str,
    sets: Sequence[str],
    replications: int | None,
    *,
    traces: bool,
    storage: Storage,
) -> Generator[None, None, CompiledDesign]:
    """Compile points of a scenario; yields after each, so that the caller can do something else.

    Args:
        scenario: the requested scenario.
        chosen: points of the scenario to run.
        code: digest of the source files on which rows depend.
        sets: pairs key=value that changed the scenario.
        replications: number of replications per point; none for the scenario's number.
        traces: whether records of probes are kept; if not, no run has probes.
        storage: keeps the points.

    Raises:
        InputError: points cannot be compiled, or have code that may not be executed; with the
            messages of all points.
    """
    # Imported here, because workers and readers do not need pydantic, which scenario imports.
    from ackclock.scenario.plan import canonical_json

    # Plans can be large, and a run needs its plan once.
    points, compiled = Stored[DesignPoint](storage, recent=_RECENT), Stored[Compiled](storage)
    facts, known, problems = Stored[Any](storage), dict[bytes, int](), list[str]()
    lengths = array("h")
    for point in chosen:
        try:
            made = point.compile()
            plain = canonical_json(made.without_probes())
            check_code(plain)
        except InputError as error:
            problems += error.messages
            continue
        probed = canonical_json(made.plan) if traces else plain
        # With probes in the plan, the plan alone distinguishes a recorded run from another.
        keeps = made.keeps if traces and probed == plain else ""
        traced = scenario.probes.replications if probed != plain or keeps else 0
        its = Compiled(plain, probed if traced else plain, made.facts)
        described = json.loads(as_json(_as_dict(made.facts)))
        number = known.setdefault(_digest(described), len(known))
        if number == len(facts):
            facts.append(described)
        compiled.append(its)
        lengths.append(_length(made))
        points.append(
            DesignPoint(
                levels=json.loads(as_json(dict(point.levels))),
                seed=scenario.seed,
                plan=text_hash(its.plan),
                traced_plan=text_hash(its.traced_plan + (keeps if traced else "")),
                traced=traced,
                facts=number,
            )
        )
        yield
    if problems:
        raise InputError(dict.fromkeys(problems))
    rule = _rule(scenario, replications)
    design = Design(__version__, code, tuple(sets), rule, points, facts)
    return CompiledDesign(design, compiled, lengths)


def _length(point: CompiledPoint) -> int:
    """Return how long a run takes, from the time to simulate and the rate of the bottleneck.

    It counts the bits that the bottleneck can carry, as a power of two. How much work a bit takes
    depends on the network and on the traffic; measured times say so later.
    """
    rate = getattr(point.facts, "payload_capacity_bit_s", 0.0)
    # It is nan where there is more than one bottleneck.
    return frexp(point.plan.get("duration_ps", 1) * (rate if rate > 0 else _USUAL_RATE_BPS))[1]


def _digest(value: Any) -> bytes:
    return hashlib.sha256(as_json(value).encode()).digest()


def text_hash(plan: str) -> str:
    """Return the hash of a plan's canonical text, equal to ``scenario.plan.plan_hash``."""
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
    if hasattr(facts, "to_json"):
        return facts.to_json()
    return vars(facts) if dataclasses.is_dataclass(facts) else facts
