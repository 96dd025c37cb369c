"""``[topology]``: the network between the hosts."""

from typing import Annotated, Literal

from pydantic import Field

from ackclock.scenario.model.atm import ABR, GFR, UBR, Abr, CellSource, CellSources, Gfr, Switch
from ackclock.scenario.model.base import Table
from ackclock.scenario.model.links import (
    Access,
    Bottleneck,
    CellAccess,
    CellLink,
    Impairment,
    Port,
)
from ackclock.scenario.model.names import MOST_FLOWS, NAME, Count, CountOfCells
from ackclock.scenario.model.paths import Step, Varies
from ackclock.scenario.model.queues import DropTail, Queue
from ackclock.scenario.values.plain import choice, listed, whole
from ackclock.scenario.values.quantities import Delay, DurationOrOff, Rate

MOST_HOPS = 1000
_Service = Annotated[str, choice([ABR, UBR, GFR])]


class Dumbbell(Table):
    """Clients and servers on both sides of one bottleneck."""

    kind: Literal["dumbbell"]
    """One bottleneck between two routers."""
    pairs: Count = 1
    """Number of servers, each with its own clients; cannot be combined with [[flows]]."""
    clients_per_server: Count = 1
    """Number of clients of each server, each with its own connection."""
    hosts: Annotated[int | None, whole(1, MOST_FLOWS, 4)] = None
    """Number of client nodes, and also of server nodes; the flows are assigned to them in turn."""
    bottleneck: Bottleneck
    """The link between the routers."""
    access: Access = Access()
    """The links between the hosts and their router or switch."""


class ParkingLot(Table):
    """Routers in a row, with flows over all hops and flows over one hop."""

    kind: Literal["parking_lot"]
    """Several bottlenecks in a row."""
    hops: Annotated[int, whole(1, MOST_HOPS, 3)] = 3
    """Number of links between routers."""
    bottleneck: Bottleneck
    """Properties of each of these links."""
    access: Access = Access()
    """The links between the hosts and their router or switch."""
    long_flows: Annotated[int, whole(0, MOST_FLOWS, 1)] = 1
    """Number of flows over all hops; cannot be combined with [[flows]]."""
    cross_flows: Annotated[int, whole(0, MOST_FLOWS, 1)] = 1
    """Number of flows over each single hop; cannot be combined with [[flows]]."""


class GraphLink(Table):
    """A link of a graph."""

    between: Annotated[tuple[str, ...] | None, listed(NAME, '["a", "r"]', least=2, most=2)] = None
    """Two nodes, with a link in each direction; both links have the properties below."""
    source: Annotated[str | None, NAME] = Field(default=None, alias="from")
    """For a link in one direction: the node at its start."""
    target: Annotated[str | None, NAME] = Field(default=None, alias="to")
    """The node at its end."""
    rate: Rate
    """Rate of the link."""
    delay: Delay
    """One-way propagation delay."""
    queue: Queue = DropTail()
    """Queue at the start of the link."""
    schedule: tuple[Step, ...] = ()
    """Changes of the link at given times."""
    schedule_period: DurationOrOff = None
    """Time after which the schedule starts again."""
    varies: Varies | None = None
    """How the link changes: a file, or a model of an access network."""
    impairments: tuple[Impairment, ...] = ()
    """Impairments of the packets, applied in this order."""
    cost: Annotated[int, whole(1, 10**6, 1)] = 1
    """Packets take the path with the lowest total cost; among equal paths, the one whose link is
    listed first.
    """


class Graph(Table):
    """Any nodes and links; packets take the path with the lowest cost."""

    kind: Literal["graph"]
    """Nodes and links that you list."""
    nodes: Annotated[tuple[str, ...], listed(NAME, '["a", "r", "b"]', least=2)]
    """Names of the nodes."""
    links: tuple[GraphLink, ...]
    """Links, each a [[topology.links]]."""


class AtmDumbbell(Table):
    """Clients and servers on both sides of a trunk between two ATM switches."""

    kind: Literal["atm_dumbbell"]
    """One trunk between two ATM switches."""
    pairs: CountOfCells = 1
    """Number of client-server pairs; cannot be combined with [[flows]]."""
    trunk: CellLink
    """The link between the switches."""
    access: CellAccess = CellAccess()
    """The links between the hosts and their router or switch."""
    port: Port
    """The output ports of both switches to the trunk."""


class AtmClients(Table):
    """Clients and servers on both sides of a trunk between two ATM switches, one VC per connection.

    Source: the K-N client-server configuration of Vandalore et al. (1998), section 5.
    """

    kind: Literal["atm_clients"]
    """Web servers and their clients on both sides of one trunk, over ABR, UBR or GFR."""
    servers: CountOfCells = 1
    """Number of servers, each with its own clients; cannot be combined with [[flows]]."""
    clients_per_server: CountOfCells = 1
    """Number of clients of each server, each with its own connection."""
    trunk: CellLink
    """The link between the switches."""
    access: CellAccess = CellAccess()
    """The links between the hosts and their router or switch."""
    service: _Service = ABR
    """Service category of the flows' virtual channels (VCs), unless their group sets another."""
    abr: Abr = Abr()
    """Parameters of the ABR end systems."""
    gfr: Gfr = Gfr()
    """Traffic contract of the GFR VCs."""
    switch: Switch = Switch()
    """The output ports of both switches."""
    background: tuple[CellSources, ...] = ()
    """Sources of cells without TCP over the trunk, each a [[topology.background]]."""


class AtmLink(Table):
    """A link of an ATM network."""

    between: Annotated[tuple[str, ...] | None, listed(NAME, '["h1", "SW1"]', least=2, most=2)] = (
        None
    )
    """Two nodes, with a line in each direction; both lines have the properties below."""
    source: Annotated[str | None, NAME] = Field(default=None, alias="from")
    """For a line in one direction: the switch at its start."""
    target: Annotated[str | None, NAME] = Field(default=None, alias="to")
    """The switch at its end."""
    rate: Rate
    """Rate of the line for cells; nothing is subtracted for framing."""
    delay: Delay
    """One-way propagation delay."""
    cost: Annotated[int, whole(1, 10**6, 1)] = 1
    """VCs take the path with the lowest total cost; among equal paths, the one whose line is listed
    first.
    """


class AtmNetwork(Table):
    """Any ATM switches with hosts; VCs take the path with the lowest cost."""

    kind: Literal["atm_network"]
    """Hosts, ATM switches and links that you list."""
    hosts: Annotated[tuple[str, ...], listed(NAME, '["h1", "h2"]', least=2)]
    """Names of the hosts; each has one link, to a switch."""
    switches: Annotated[tuple[str, ...], listed(NAME, '["SW1", "SW2"]')]
    """Names of the switches."""
    links: tuple[AtmLink, ...]
    """Links, each a [[topology.links]]."""
    service: _Service = ABR
    """Service category of the flows' virtual channels (VCs), unless their group sets another."""
    abr: Abr = Abr()
    """Parameters of the ABR end systems."""
    gfr: Gfr = Gfr()
    """Traffic contract of the GFR VCs."""
    switch: Switch = Switch()
    """The output ports of all switches."""
    sources: tuple[CellSources, ...] = ()
    """Sources of cells without TCP, each a [[topology.sources]]."""


def sources_of(topology: AtmClients | AtmNetwork) -> tuple[str, tuple[CellSource, ...]]:
    """The key under which sources of cells are listed, and what is listed there."""
    if isinstance(topology, AtmClients):
        return "background", topology.background
    return "sources", topology.sources


def has_sources(topology: AtmClients | AtmNetwork) -> bool:
    """Whether there is a source of cells."""
    return any(table.count for table in sources_of(topology)[1])


Topology = Annotated[
    Dumbbell | ParkingLot | Graph | AtmDumbbell | AtmClients | AtmNetwork,
    Field(discriminator="kind"),
]
