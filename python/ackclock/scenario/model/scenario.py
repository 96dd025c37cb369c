"""The whole of a scenario file."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

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
    """A scenario with the values of all keys; with a sweep, those of its first point."""

    title: Text = ""
    """The heading of the results."""
    description: Text = ""
    """The purpose of the scenario, and what to observe."""
    duration: Annotated[int, quantity(TIME, positive=True, example="60 s")]
    """Simulated time of a run."""
    warm_up: DurationOrZero = 0
    """Time at the beginning of a run that the results ignore."""
    seed: Annotated[int, whole(0, MOST_SEED, 1)] = 1
    """Seed from which the seeds of all replications are derived."""
    replications: Annotated[int | None, whole(1, MOST_REPLICATIONS, 10)] = 1
    """Number of runs of each point; cannot be combined with [precision]."""
    metrics: Metrics = SHOWN
    """Metrics to show after the runs; all metrics are computed."""
    queue_delays: Flag = True
    """Whether to compute percentiles of RTTs and of the queueing delay at the bottleneck; this
    takes 5 to 13 % of the run time.
    """
    precision: Precision | None = None
    """Precision at which a point has enough replications."""
    variables: Annotated[dict[str, Any], VARIABLES] = Field(default_factory=dict)
    """Your own names, for use in expressions; you can sweep and set them."""
    topology: Topology
    """The network."""
    clock: Clock = Clock()
    """The ticks of the TCP timers."""
    tcp: Tcp = Tcp()
    """The TCP of every host, unless its group of flows sets another."""
    workload: Workload = Bulk()
    """The workload of every flow, unless its group sets another."""
    flows: tuple[FlowGroup, ...] = ()
    """Groups of flows, each a [[flows]]; by default the topology defines them."""
    probes: Probes = Probes()
    """What to record over time."""
    sweep: Sweep | None = None
    """Points at which the scenario is run; without it, one point."""
    figures: tuple[Figure, ...] = ()
    """Figures, each a [[figures]]."""
    files: Annotated[dict[str, str] | None, TEXTS] = None
    """Contents of the CSV and Python files that the scenario names; if this table exists, no file
    is read.
    """

    _document: "Document | None" = PrivateAttr(None)
    _points: "Sequence[Point]" = PrivateAttr(())
    _files: Files | None = PrivateAttr(None)

    @model_validator(mode="after")
    def _replications_are_unknown_with_a_precision(self) -> Self:
        if self.precision is not None and "replications" not in self.model_fields_set:
            self.__dict__["replications"] = None  # frozen, but not yet in use
        return self

    def __eq__(self, other: object) -> bool:
        """Whether all keys have the same values, wherever they were read."""
        return isinstance(other, Scenario) and self.__dict__ == other.__dict__

    def points(self) -> "Sequence[Point]":
        """The points of the sweep, in the order of the design; one if there is no sweep."""
        return self._points

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
    def python_files(self) -> list[str]:
        """Names of the Python files that it names; they run only with permission."""
        texts = self._files.texts if self._files is not None else {}
        return [name for name in texts if name.endswith(".py")]

    @property
    def sets(self) -> list[str]:
        """What was changed: texts ``key=value``, as they were given."""
        return list(self._document.sets) if self._document is not None else []
