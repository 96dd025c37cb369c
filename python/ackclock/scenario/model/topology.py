"""``[topology]``: the network between the hosts."""

from __future__ import annotations

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
from ackclock.scenario.model.names import MOST_FLOWS, NAME, Count
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
    """Servers, each with its clients; not to be given together with [[flows]]."""
    clients_per_server: Count = 1
    """Clients of a server, each with a connection of its own."""
    hosts: Annotated[int | None, whole(1, MOST_FLOWS, 4)] = None
    """Client nodes, and as many server nodes, on which all flows are spread in turn."""
    bottleneck: Bottleneck
    """The link between the routers."""
    access: Access = Access()
    """The links of the hosts."""


class ParkingLot(Table):
    """Routers in a row: flows along all of it, and flows that cross one hop."""

    kind: Literal["parking_lot"]
    """Several bottlenecks in a row."""
    hops: Annotated[int, whole(1, MOST_HOPS, 3)] = 3
    """Links between routers."""
    bottleneck: Bottleneck
    """Each of these links."""
    access: Access = Access()
    """The links of the hosts."""
    long_flows: Annotated[int, whole(0, MOST_FLOWS, 1)] = 1
    """Flows over all hops; not to be given together with [[flows]]."""
    cross_flows: Annotated[int, whole(0, MOST_FLOWS, 1)] = 1
    """Flows over each single hop; not to be given together with [[flows]]."""


class GraphLink(Table):
    """A link of a graph."""

    between: Annotated[tuple[str, ...] | None, listed(NAME, '["a", "r"]', least=2, most=2)] = None
    """Two nodes: one link in each direction, both as described here."""
    source: Annotated[str | None, NAME] = Field(default=None, alias="from")
    """Node at which a link in one direction begins."""
    target: Annotated[str | None, NAME] = Field(default=None, alias="to")
    """Node at which it ends."""
    rate: Rate
    """Rate."""
    delay: Delay
    """One-way propagation delay."""
    queue: Queue = DropTail()
    """Queue at its entrance."""
    schedule: tuple[Step, ...] = ()
    """What changes at which times."""
    schedule_period: DurationOrOff = None
    """Time after which the schedule begins anew."""
    varies: Varies | None = None
    """How the link changes: a file, or a model of an access network."""
    impairments: tuple[Impairment, ...] = ()
    """The impairments of its packets, in this order."""
    cost: Annotated[int, whole(1, 10**6, 1)] = 1
    """Packets take the path of the least total cost; of equal ones, by the link named first."""


class Graph(Table):
    """Any nodes and links; packets take the path of the least cost."""

    kind: Literal["graph"]
    """Nodes and links as listed."""
    nodes: Annotated[tuple[str, ...], listed(NAME, '["a", "r", "b"]', least=2)]
    """Names of the nodes."""
    links: tuple[GraphLink, ...]
    """The links, each a [[topology.links]]."""


class AtmDumbbell(Table):
    """Clients and servers on both sides of a trunk between two ATM switches."""

    kind: Literal["atm_dumbbell"]
    """One trunk between two ATM switches."""
    pairs: Count = 1
    """Client-server pairs; not to be given together with [[flows]]."""
    trunk: CellLink
    """The link between the switches."""
    access: CellAccess = CellAccess()
    """The links of the hosts."""
    port: Port
    """The switches' ports onto the trunk."""


class AtmClients(Table):
    """Clients and servers on both sides of a trunk between two ATM switches, a VC a connection.

    Source: the K-N client-server configuration of Vandalore et al. (1998), section 5.
    """

    kind: Literal["atm_clients"]
    """Web servers and their clients on both sides of one trunk, over ABR, UBR or GFR."""
    servers: Count = 1
    """Servers, each with its clients; not to be given together with [[flows]]."""
    clients_per_server: Count = 1
    """Clients of a server, each with a connection of its own."""
    trunk: CellLink
    """The link between the switches."""
    access: CellAccess = CellAccess()
    """The links of the hosts."""
    service: _Service = ABR
    """Service category of the flows' VCs, unless their group says otherwise."""
    abr: Abr = Abr()
    """The ABR end systems."""
    gfr: Gfr = Gfr()
    """The contracts of GFR VCs."""
    switch: Switch = Switch()
    """The output ports of both switches."""
    background: tuple[CellSources, ...] = ()
    """Cells without TCP over the trunk, each a [[topology.background]]."""


class AtmLink(Table):
    """A link of an ATM network."""

    between: Annotated[tuple[str, ...] | None, listed(NAME, '["h1", "SW1"]', least=2, most=2)] = (
        None
    )
    """Two nodes: one line in each direction, both as described here."""
    source: Annotated[str | None, NAME] = Field(default=None, alias="from")
    """Switch at which a line in one direction begins."""
    target: Annotated[str | None, NAME] = Field(default=None, alias="to")
    """Switch at which it ends."""
    rate: Rate
    """Rate, all of it for cells."""
    delay: Delay
    """One-way propagation delay."""
    cost: Annotated[int, whole(1, 10**6, 1)] = 1
    """VCs take the path of the least total cost; of equal ones, by the line named first."""


class AtmNetwork(Table):
    """Any ATM switches with hosts at them; VCs take the path of the least cost."""

    kind: Literal["atm_network"]
    """Hosts, ATM switches and links as listed."""
    hosts: Annotated[tuple[str, ...], listed(NAME, '["h1", "h2"]', least=2)]
    """Names of the hosts; each has one link, which leads to a switch."""
    switches: Annotated[tuple[str, ...], listed(NAME, '["SW1", "SW2"]')]
    """Names of the switches."""
    links: tuple[AtmLink, ...]
    """The links, each a [[topology.links]]."""
    service: _Service = ABR
    """Service category of the flows' VCs, unless their group says otherwise."""
    abr: Abr = Abr()
    """The ABR end systems."""
    gfr: Gfr = Gfr()
    """The contracts of GFR VCs."""
    switch: Switch = Switch()
    """The output ports of all switches."""
    sources: tuple[CellSources, ...] = ()
    """Cells without TCP, each a [[topology.sources]]."""


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
