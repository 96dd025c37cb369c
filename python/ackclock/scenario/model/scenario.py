"""The whole of a scenario file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, PrivateAttr, model_validator

from ackclock.scenario.files import FILES, Files
from ackclock.scenario.model.base import Table
from ackclock.scenario.model.clock import Clock
from ackclock.scenario.model.figures import Figure
from ackclock.scenario.model.flows import FlowGroup
from ackclock.scenario.model.precision import MOST_REPLICATIONS, Metrics, Precision
from ackclock.scenario.model.probes import Probes
from ackclock.scenario.model.sweep import Sweep
from ackclock.scenario.model.tcp import Tcp
from ackclock.scenario.model.topology import Topology
from ackclock.scenario.model.variables import VARIABLES
from ackclock.scenario.model.workload import Bulk, Workload
from ackclock.scenario.units import TIME
from ackclock.scenario.values.plain import TEXTS, Flag, Text, whole
from ackclock.scenario.values.quantities import DurationOrZero, quantity

if TYPE_CHECKING:
    from ackclock.scenario.document import Document
    from ackclock.scenario.points import Point

MOST_SEED = 2**64 - 1
SHOWN = ("goodput_bit_s", "utilisation", "jain_fairness", "retransmitted_share")


class Scenario(Table):
    """A scenario with every key settled; where it has a sweep, at its first point."""

    title: Text = ""
    """The heading of the results."""
    description: Text = ""
    """The purpose of the scenario, and what to observe."""
    duration: Annotated[int, quantity(TIME, positive=True, example="60 s")]
    """Simulated time of a run."""
    warm_up: DurationOrZero = 0
    """Time at the beginning that counts for nothing in the results."""
    seed: Annotated[int, whole(0, MOST_SEED, 1)] = 1
    """The seed from which the seeds of all replications are derived."""
    replications: Annotated[int | None, whole(1, MOST_REPLICATIONS, 10)] = 1
    """Runs of each point; not to be given together with [precision]."""
    metrics: Metrics = SHOWN
    """Metrics that are shown when the runs are done; all are computed."""
    queue_delays: Flag = True
    """Percentiles of RTTs and of the bottleneck's queueing delay (5 to 13 % of the run time)."""
    precision: Precision | None = None
    """When a point has enough replications."""
    variables: Annotated[dict[str, Any], VARIABLES] = Field(default_factory=dict)
    """Names of your own for use in expressions; they can be swept and set."""
    topology: Topology
    """The network."""
    clock: Clock = Clock()
    """The ticks of the TCP timers."""
    tcp: Tcp = Tcp()
    """The TCP of every host, unless its group of flows says otherwise."""
    workload: Workload = Bulk()
    """The workload of every flow, unless its group sets another."""
    flows: tuple[FlowGroup, ...] = ()
    """Groups of flows, each a [[flows]]; one or more like it by default, as the topology says."""
    probes: Probes = Probes()
    """Records over time."""
    sweep: Sweep | None = None
    """The points at which the scenario is run; one point if it is not given."""
    figures: tuple[Figure, ...] = ()
    """Figures, each a [[figures]]."""
    files: Annotated[dict[str, str] | None, TEXTS] = None
    """Texts of the CSV files that are named; if it is given, none is read from elsewhere."""

    _document: Document | None = PrivateAttr(None)
    _points: tuple[Point, ...] = PrivateAttr(())
    _files: Files | None = PrivateAttr(None)

    @model_validator(mode="after")
    def _replications_are_unknown_with_a_precision(self) -> Scenario:
        if self.precision is not None and "replications" not in self.model_fields_set:
            self.__dict__["replications"] = None  # frozen, but not yet in use
        return self

    def __eq__(self, other: object) -> bool:
        """Whether all keys have the same values, wherever they were read."""
        return isinstance(other, Scenario) and self.__dict__ == other.__dict__

    def points(self) -> list[Point]:
        """The points of the sweep, in the order of the design; one if there is no sweep."""
        return list(self._points)

    @property
    def document(self) -> Mapping[str, Any]:
        """The tables as they are written, with what was changed."""
        return self._document.values if self._document is not None else {}

    @property
    def text(self) -> str:
        """The file as it was read; empty if the scenario was not read from one.

        The files that it names are added as ``[files]``, so that it goes on saying the same
        wherever it is read and whatever becomes of them.
        """
        text = self._document.text if self._document is not None else ""
        if not text or self._files is None or FILES in self.document:
            return text
        return text + self._files.as_toml()

    @property
    def sets(self) -> list[str]:
        """What was changed: texts ``key=value``, as they were given."""
        return list(self._document.sets) if self._document is not None else []
