"""The capture points of a network, by name.

The point of a node captures the packets that its hosts send and receive, or that it forwards. The
point of a link captures packets that enter the link, before its queue; "end of" a link captures
those that arrive. In an ATM network of switches only hosts are points, because between them packets
are cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock.errors import InputError
from ackclock.scenario.compile.atm.network import CellNetwork, cell_network
from ackclock.scenario.compile.compiler import network_of
from ackclock.scenario.compile.groups import groups
from ackclock.scenario.model.topology import AtmClients, AtmDumbbell, AtmNetwork
from ackclock.suggestions import nearest

if TYPE_CHECKING:
    from ackclock.scenario import Compiled, Point

END_OF = "end of "
_SHOWN = 12
_NETWORK = "the ATM network"


@dataclass(frozen=True)
class Points:
    """The capture points of a network.

    Attributes:
        places: place of each point in the form of the core, by the point's name.
        links: names of the links, in the order of the plan.
        inside: names of the switches and lines of an ATM network, which are not capture points.
    """

    places: Mapping[str, Mapping[str, int]]
    links: tuple[str, ...]
    inside: frozenset[str] = frozenset()

    def chosen(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Return distinct points by name, in the form of the core and the order of the names.

        Raises:
            InputError: there is no such point, or no point is named; the message lists all points.
        """
        found = {}
        known = {plain_name(name): name for name in self.places}
        problems = []
        for name in names:
            if plain_name(name) in known:
                full = known[plain_name(name)]
                found[full] = {"name": full, "place": self.places[full]}
                continue
            if plain_name(name).removeprefix(plain_name(END_OF)) in map(plain_name, self.inside):
                problems.append(
                    f'--at "{name}": is inside the ATM network, where packets are cells; name a '
                    f"host: {self._listed()}"
                )
                continue
            close = nearest(name, list(self.places))
            hint = f'did you mean "{close}"? ' if close else ""
            problems.append(f'--at "{name}": there is no such point; {hint}{self._listed()}')
        if not found and not problems:
            problems = [f"--at: name a point; {self._listed()}"]
        if problems:
            raise InputError(problems)
        return list(found.values())

    def _listed(self) -> str:
        """Return a text that lists the points; ends of links are named like the links."""
        names = [name for name in self.places if not name.startswith(END_OF)]
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        shown = ", ".join(f'"{name}"' for name in names[:_SHOWN])
        if self.inside:
            return f"the points are {shown}{more}"
        example = f'"{END_OF}{self.links[0]}"'
        return f"the points are {shown}{more}, and the ends of links, for example {example}"


def points_of(point: Point, compiled: Compiled) -> Points:
    """Return the capture points of the network at a point of a sweep."""
    scenario = point.scenario
    if isinstance(scenario.topology, AtmClients | AtmNetwork):
        return _hosts_only(cell_network(scenario.topology, groups(scenario)))
    if isinstance(scenario.topology, AtmDumbbell):
        pairs = compiled.plan["nodes"] // 2
        nodes = [f"{kind} {at}" for kind in ("client", "server") for at in range(1, pairs + 1)]
    else:
        nodes = network_of(scenario.topology, groups(scenario)).nodes
    links = _distinct(compiled.facts.link_names)
    # Links first: there are few links between routers, but there may be many hosts.
    places = {
        **{name: {"node": number} for number, name in enumerate(nodes)},
        **{name: {"entrance": number} for number, name in enumerate(links)},
        **{END_OF + name: {"exit": number} for number, name in enumerate(links)},
    }
    return Points(places, links)


def _hosts_only(cells: CellNetwork) -> Points:
    """Return the capture points of an ATM network, which is a single link of the plan."""
    nodes = cells.network.nodes
    places = {name: {"node": number} for number, name in enumerate(nodes[: cells.hosts])}
    inside = frozenset([*nodes[cells.hosts :], *cells.network.line_names()])
    return Points(places, (_NETWORK,), inside)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return distinct names: the second with the same name becomes "a -> b (2)"."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(found)


def plain_name(name: str) -> str:
    """Return a name in lower case without spaces."""
    return "".join(name.split()).casefold()
