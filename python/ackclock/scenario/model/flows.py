"""``[[flows]]``: groups of flows that are alike."""

from typing import Annotated

from pydantic import Field

from ackclock.scenario.model.atm import ABR, GFR, UBR
from ackclock.scenario.model.base import Table
from ackclock.scenario.model.links import Access, Impairment
from ackclock.scenario.model.names import MOST_FLOWS, NAME, Name
from ackclock.scenario.model.tcp import Tcp
from ackclock.scenario.model.topology import MOST_HOPS
from ackclock.scenario.model.workload import Workload
from ackclock.scenario.units import RATE
from ackclock.scenario.values.dscp import DSCP
from ackclock.scenario.values.plain import Flag, choice, whole
from ackclock.scenario.values.quantities import quantity

LONG = "long"


class FlowGroup(Table):
    """Flows with the same keys, called like the group; several are called "name 1", "name 2"."""

    name: Name = "flow"
    """Name of the group."""
    count: Annotated[int, whole(0, MOST_FLOWS, 2)] = 1
    """Number of flows in the group; 0 removes the group."""
    source: Annotated[str | None, NAME] = Field(default=None, alias="from")
    """graph, atm_network: the node that sends."""
    target: Annotated[str | None, NAME] = Field(default=None, alias="to")
    """graph, atm_network: the node that receives."""
    path: Annotated[int | str, whole(1, MOST_HOPS, 1, also=[LONG])] = LONG
    """parking_lot: "long" for all hops, or the number of one hop."""
    reverse: Flag = False
    """Whether the data goes in the opposite direction; not in graph and atm_network."""
    service: Annotated[str | None, choice([ABR, UBR, GFR])] = None
    """atm_clients, atm_network: service category of the group's VCs; by default that of the
    topology.
    """
    mcr: Annotated[int | None, quantity(RATE, positive=False)] = None
    """atm_clients, atm_network: minimum cell rate (MCR) of each GFR VC of the group; by default
    `topology.gfr.mcr`.
    """
    access: Access | None = None
    """dumbbell, parking_lot: keys that differ for the links of the group's hosts."""
    impairments: tuple[Impairment, ...] = ()
    """dumbbell, parking_lot: impairments on the link to each flow's receiver."""
    reverse_impairments: tuple[Impairment, ...] = ()
    """dumbbell, parking_lot: impairments on the link from each flow's receiver."""
    dscp: Annotated[int, DSCP] = 0
    """Differentiated services code point (DSCP) of the group's packets: a name such as EF or CS1,
    or a number; the queues priority, fq and cake use it.
    """
    foreground: Flag = False
    """Whether the group's flows are measured separately, with their own rows in the results."""
    tcp: Tcp | None = None
    """Keys of the TCP that differ at both ends."""
    sender_tcp: Tcp | None = None
    """Keys of the TCP that differ at the end that sends the data."""
    receiver_tcp: Tcp | None = None
    """Keys of the TCP that differ at the other end."""
    workload: Workload | None = None
    """Keys of the workload that differ; with another `kind`, another workload."""
