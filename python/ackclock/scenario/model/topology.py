"""``[topology]``: the network between the hosts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ackclock.scenario.model.base import Table
from ackclock.scenario.model.links import (
    Access,
    Bottleneck,
    CellAccess,
    CellLink,
    Impairment,
    Port,
    Queue,
)
from ackclock.scenario.values.plain import listed, whole, word
from ackclock.scenario.values.quantities import Delay, Rate

MOST_FLOWS = 100_000
MOST_HOPS = 1000


def _name_problem(text: str) -> str | None:
    if not text or text != text.strip() or not text.isprintable():
        return "a name has at least one character, no line break, and no space at its ends"
    return None


NAME = word("h1", _name_problem, r"^\S(.*\S)?$")
Name = Annotated[str, NAME]
"""Name of a node or of a flow."""
Count = Annotated[int, whole(1, MOST_FLOWS, 2)]


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
    queue: Queue = Queue()
    """Queue at its entrance."""
    impairments: tuple[Impairment, ...] = ()
    """What happens to packets on it, in this order."""
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


Topology = Annotated[Dumbbell | ParkingLot | Graph | AtmDumbbell, Field(discriminator="kind")]
