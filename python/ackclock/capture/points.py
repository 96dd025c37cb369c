"""The points of a network at which packets can be captured, by name.

The point of a node has the packets that its hosts send and receive, or that it forwards. The point
of a link has those that enter it, before its queue; "end of" a link has those that arrive. In an
ATM network of switches only the hosts are points: between them packets are cells.
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
    """What can be captured.

    Attributes:
        places: the place of each point as the core reads it, by the point's name.
        links: names of the links, in the order of the plan.
        inside: names of the switches and lines of an ATM network, which are no points.
    """

    places: Mapping[str, Mapping[str, int]]
    links: tuple[str, ...]
    inside: frozenset[str] = frozenset()

    def chosen(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Points by name, as the core reads them; each once, in the order of the names.

        Raises:
            InputError: there is no such point, or none is named; with the points that there are.
        """
        found = {}
        known = {_plain(name): name for name in self.places}
        problems = []
        for name in names:
            if _plain(name) in known:
                full = known[_plain(name)]
                found[full] = {"name": full, "place": self.places[full]}
                continue
            if _plain(name).removeprefix(_plain(END_OF)) in map(_plain, self.inside):
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
        """The points in words; the ends of links are like the links."""
        names = [name for name in self.places if not name.startswith(END_OF)]
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        shown = ", ".join(f'"{name}"' for name in names[:_SHOWN])
        if self.inside:
            return f"the points are {shown}{more}"
        example = f'"{END_OF}{self.links[0]}"'
        return f"the points are {shown}{more}, and the ends of links, for example {example}"


def points_of(point: Point, compiled: Compiled) -> Points:
    """The points of the network at a point of a sweep."""
    scenario = point.scenario
    if isinstance(scenario.topology, AtmClients | AtmNetwork):
        return _hosts_only(cell_network(scenario.topology, groups(scenario)))
    if isinstance(scenario.topology, AtmDumbbell):
        pairs = compiled.plan["nodes"] // 2
        nodes = [f"{kind} {at}" for kind in ("client", "server") for at in range(1, pairs + 1)]
    else:
        nodes = network_of(scenario.topology, groups(scenario)).nodes
    links = _distinct(compiled.facts.link_names)
    # Links first: of these there are few between the routers, and hosts may be many.
    places = {
        **{name: {"node": number} for number, name in enumerate(nodes)},
        **{name: {"entrance": number} for number, name in enumerate(links)},
        **{END_OF + name: {"exit": number} for number, name in enumerate(links)},
    }
    return Points(places, links)


def _hosts_only(cells: CellNetwork) -> Points:
    """The points of an ATM network, all of which is one link of the plan."""
    nodes = cells.network.nodes
    places = {name: {"node": number} for number, name in enumerate(nodes[: cells.hosts])}
    inside = frozenset([*nodes[cells.hosts :], *cells.network.line_names()])
    return Points(places, (_NETWORK,), inside)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Names of which the second with the same name is "a -> b (2)"."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(found)


def _plain(name: str) -> str:
    """A name in lower case without spaces."""
    return "".join(name.split()).casefold()
