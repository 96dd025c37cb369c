"""``[[flows]]``: groups of flows that are alike."""

from __future__ import annotations

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
    """Flows that are alike. One is called by the group's name, several "name 1", "name 2"."""

    name: Name = "flow"
    """Name of the group."""
    count: Annotated[int, whole(0, MOST_FLOWS, 2)] = 1
    """Flows in it; with 0 the group is not there."""
    source: Annotated[str | None, NAME] = Field(default=None, alias="from")
    """graph, atm_network: the node that sends."""
    target: Annotated[str | None, NAME] = Field(default=None, alias="to")
    """graph, atm_network: the node that receives."""
    path: Annotated[int | str, whole(1, MOST_HOPS, 1, also=[LONG])] = LONG
    """parking_lot: over all hops, or over one of them, by number."""
    reverse: Flag = False
    """All but graph and atm_network: whether the data goes the other way."""
    service: Annotated[str | None, choice([ABR, UBR, GFR])] = None
    """atm_clients, atm_network: service category of its VCs; that of the topology by default."""
    mcr: Annotated[int | None, quantity(RATE, positive=False)] = None
    """atm_clients, atm_network: MCR of each of its GFR VCs; `topology.gfr.mcr` by default."""
    access: Access | None = None
    """dumbbell, parking_lot: differences of the links of its hosts."""
    impairments: tuple[Impairment, ...] = ()
    """dumbbell, parking_lot: what happens to packets on the link to each flow's receiver."""
    reverse_impairments: tuple[Impairment, ...] = ()
    """dumbbell, parking_lot: what happens to packets on the link from each flow's receiver."""
    dscp: Annotated[int, DSCP] = 0
    """DSCP of its packets: a name such as EF or CS1, or a number; priority, fq and cake heed it."""
    foreground: Flag = False
    """Whether its flows are measured separately, with their own rows in the results."""
    tcp: Tcp | None = None
    """Differences of the TCP of both ends."""
    sender_tcp: Tcp | None = None
    """Differences of the TCP of the end that sends the data."""
    receiver_tcp: Tcp | None = None
    """Differences of the TCP of the other end."""
    workload: Workload | None = None
    """Differences of the workload; with another `kind`, another workload."""
