"""Groups of flows: their TCPs, their workloads, and the names of their flows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ackclock.scenario.compile.members import numbered_names
from ackclock.scenario.keys import Path
from ackclock.scenario.model.flows import FlowGroup
from ackclock.scenario.model.names import MOST_FLOWS, MOST_FLOWS_OF_CELLS
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.tcp import Tcp
from ackclock.scenario.model.topology import (
    AtmClients,
    AtmNetwork,
    Dumbbell,
    ParkingLot,
    has_sources,
)
from ackclock.scenario.model.workload import Datagrams, Workload
from ackclock.scenario.problems import Problem

IMPAIRMENTS = ("impairments", "reverse_impairments")
_KEYS_OF = {
    "dumbbell": {"reverse", "access", "impairments", "reverse_impairments"},
    "parking_lot": {"reverse", "access", "path", "impairments", "reverse_impairments"},
    "graph": {"from", "to"},
    "atm_dumbbell": {"reverse"},
    "atm_clients": {"reverse", "service", "mcr"},
    "atm_network": {"from", "to", "service", "mcr"},
}
_OF_CELLS = {kind for kind in _KEYS_OF if kind.startswith("atm_")}
_ATTRIBUTES = {name: name for name in ("reverse", "access", "path", "service", "mcr")}
_ATTRIBUTES |= {"from": "source", "to": "target"}
_ATTRIBUTES |= {name: name for name in IMPAIRMENTS}
_COUNTS = {
    "dumbbell": ("pairs",),
    "atm_dumbbell": ("pairs",),
    "atm_clients": ("servers",),
    "atm_network": (),
    "parking_lot": ("long_flows", "cross_flows"),
    "graph": (),
}


@dataclass(frozen=True)
class Group:
    """A group of flows of a scenario.

    Attributes:
        written: as it stands in the file, or as the topology has it if none does.
        path: its key; empty if it is not written.
        scenario: in which.
    """

    written: FlowGroup
    path: Path
    scenario: Scenario

    @property
    def count(self) -> int:
        """How many flows it has."""
        return self.written.count

    @property
    def names(self) -> Sequence[str]:
        """The names of its flows."""
        return numbered_names(self.written.name, self.count)

    @cached_property
    def sender_tcp(self) -> Tcp:
        """The TCP of the end that sends the data."""
        return self._tcp(self.written.sender_tcp)

    @cached_property
    def receiver_tcp(self) -> Tcp:
        """The TCP of the other end."""
        return self._tcp(self.written.receiver_tcp)

    def _tcp(self, own: Tcp | None) -> Tcp:
        tcp = self.scenario.tcp
        for each in (self.written.tcp, own):
            tcp = each.over(tcp) if each is not None else tcp
        return tcp

    def tcp_path(self, side: str, *attribute: str) -> Path:
        """The key that decides about a TCP of this group.

        Args:
            side: "sender_tcp" or "receiver_tcp".
            attribute: a key of the TCP, with the table in it that it stands in.
        """
        for key in (side, "tcp"):
            table = getattr(self.written, key)
            if table is not None and table.writes(*attribute):
                return (*self.path, key, *attribute)
        return ("tcp", *attribute)

    @cached_property
    def workload(self) -> Workload:
        """What its flows carry."""
        own, general = self.written.workload, self.scenario.workload
        if own is None:
            return general
        return own.over(general) if own.kind == general.kind else own

    @property
    def is_tcp(self) -> bool:
        """Whether its flows are TCP connections, and not UDP datagrams."""
        return not isinstance(self.workload, Datagrams)

    def workload_path(self, *attributes: str) -> Path:
        """The key that decides about its workload: the first of these that the group has."""
        own = self.written.workload
        for attribute in attributes:
            if own is not None and (
                attribute in own.model_fields_set or own.kind != self.scenario.workload.kind
            ):
                return (*self.path, "workload", attribute)
        return ("workload", attributes[0])


def groups(scenario: Scenario) -> list[Group]:
    """The groups of flows of a scenario that have any, in their order."""
    if scenario.flows:
        written = enumerate(scenario.flows)
        return [Group(each, ("flows", at), scenario) for at, each in written if each.count]
    return [Group(each, (), scenario) for each in _by_default(scenario)]


def _by_default(scenario: Scenario) -> Iterator[FlowGroup]:
    topology = scenario.topology
    if isinstance(topology, ParkingLot):
        if topology.long_flows:
            yield _group("long", topology.long_flows, "long")
        if topology.cross_flows:
            for hop in range(1, topology.hops + 1):
                yield _group(f"cross {hop}", topology.cross_flows, hop)
    elif topology.kind == "dumbbell":
        yield _group("flow", topology.pairs * topology.clients_per_server)
    elif isinstance(topology, AtmClients):
        yield _group("flow", topology.servers * topology.clients_per_server)
    elif topology.kind == "atm_dumbbell":
        yield _group("flow", topology.pairs)


@lru_cache(maxsize=256)
def _group(name: str, count: int, path: int | str = "long") -> FlowGroup:
    # Nothing is written, so there is nothing to check: all keys have their defaults but these.
    return FlowGroup.model_construct(name=name, count=count, path=path)


def group_problems(scenario: Scenario, found: list[Group]) -> Iterator[Problem]:
    """What is wrong with the groups themselves: names, numbers, keys for another topology."""
    kind = scenario.topology.kind
    needed = not (isinstance(scenario.topology, AtmNetwork) and has_sources(scenario.topology))
    if scenario.flows:
        for count in _COUNTS[kind]:
            if count in scenario.topology.model_fields_set:
                yield Problem(
                    ("topology", count), "[[flows]] sets the number of flows; remove one of the two"
                )
        if needed and not found:
            path: Path = ("flows", 0, "count")
            yield Problem(path, "there is no flow in any group; write 1 or more")
    elif needed and not found:
        example = '[[flows]] with name = "a", from = "h1" and to = "h2" in it'
        if kind == "parking_lot":
            example = "long_flows = 1 or cross_flows = 1"
        neither = " and no source of cells" if kind == "atm_network" else ""
        yield Problem(("flows",), f"there is no flow{neither}; write for example {example}")
    if are_too_many(found):
        yield _too_many(scenario, found)
    else:
        yield from _name_problems(found)
    for group in found:
        for key, attribute in _ATTRIBUTES.items():
            written = group.path and attribute in group.written.model_fields_set
            if written and key not in _KEYS_OF[kind]:
                yield Problem((*group.path, key), _not_here(key, kind))
    if isinstance(scenario.topology, Dumbbell) and scenario.topology.hosts is not None:
        yield from _shared_host_problems(scenario.topology, found)


def are_too_many(found: list[Group]) -> bool:
    """Whether groups have more flows together than a scenario may have."""
    return sum(group.count for group in found) > _most_flows(found)


def _most_flows(found: list[Group]) -> int:
    by_cells = any(group.scenario.topology.kind in _OF_CELLS for group in found)
    return MOST_FLOWS_OF_CELLS if by_cells else MOST_FLOWS


def _too_many(scenario: Scenario, found: list[Group]) -> Problem:
    """Reports it for the largest number, or for all groups if they have a flow each."""
    largest = max(found, key=lambda group: group.count)
    path: Path = (*largest.path, "count")
    told = f"there are more than {_most_flows(found)} flows"
    if not scenario.flows:
        path = ("topology", *_COUNTS[scenario.topology.kind][:1])
    elif largest.count == 1:
        return Problem(("flows",), f"{told}; write fewer groups")
    return Problem(path, f"{told}; write a smaller number")


def _shared_host_problems(topology: Dumbbell, found: list[Group]) -> Iterator[Problem]:
    """Keys that would make hosts of a group's own."""
    if "clients_per_server" in topology.model_fields_set:
        yield Problem(
            ("topology", "clients_per_server"),
            "topology.hosts sets the number of servers; remove one of the two",
        )
    for group in found:
        for key in ("access", *IMPAIRMENTS):
            if getattr(group.written, key):
                yield Problem(
                    (*group.path, key),
                    "the flows of all groups share topology.hosts; remove one of the two",
                )


def _not_here(key: str, kind: str) -> str:
    there = " or ".join(f'"{each}"' for each, allowed in _KEYS_OF.items() if key in allowed)
    return f'has no meaning with topology.kind = "{kind}", only with {there}; remove it'


def _name_problems(found: list[Group]) -> Iterator[Problem]:
    """Flows of one name; names with numbers are never listed, as there may be a million."""
    alone: dict[str, dict[str, None]] = {}
    numbered: dict[str, Sequence[str]] = {}
    for group in found:
        name, names = group.written.name, group.names
        stem = name.rpartition(" ")[0]
        if group.count == 1:
            its = alone.setdefault(stem, {})
            taken = [name] if name in its or name in numbered.get(stem, ()) else []
            its[name] = None
        else:
            taken = [*numbered.get(name, ())[:1]]
            taken += [each for each in alone.get(name, ()) if each in names]
            numbered.setdefault(name, names)
        if taken:
            yield Problem(
                (*group.path, "name"),
                f'there is already a flow "{taken[0]}"; give each group a name of its own',
            )
