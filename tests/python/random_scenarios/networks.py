"""Topologies whose parts fit together, and the groups of flows in them."""

from hypothesis import strategies as st

from ackclock.scenario.model import topology as models
from ackclock.scenario.model.atm import ConstantCells, GreedyCells, OnOffCells, VideoCells
from ackclock.scenario.model.flows import FlowGroup
from random_scenarios import tables
from random_scenarios.tables import rarely, table

_CELLS = (GreedyCells, ConstantCells, OnOffCells, VideoCells)
_ONLY = {
    "dumbbell": {"access", "impairments", "reverse_impairments", "reverse"},
    "parking_lot": {"access", "impairments", "reverse_impairments", "reverse"},
    "graph": set(),
    "atm_dumbbell": {"reverse"},
    "atm_clients": {"reverse", "service", "mcr"},
    "atm_network": {"service", "mcr"},
}
"""Keys of a group of flows that only some topologies know."""
_EVERYWHERE = {"count", "dscp", "foreground", "tcp", "sender_tcp", "receiver_tcp", "workload"}


@st.composite
def networks(draw):
    """Tables ``topology`` and ``flows``, the second of which may be missing."""
    kind, make = draw(st.sampled_from(list(_MADE.items())))
    topology, ends = draw(make())
    needed = kind in ("graph", "atm_network")
    groups = draw(st.lists(_group(kind, ends), min_size=1, max_size=3)) if ends else []
    if not needed and draw(st.booleans()):
        groups = []
    if groups and not any(group.get("count", 1) for group in groups) and not rarely(draw):
        del groups[0]["count"]
    for number, group in enumerate(groups):
        group["name"] = f"g{number}"
    if kind == "dumbbell" and "hosts" in topology and not rarely(draw):
        topology.pop("clients_per_server", None)
    if groups:
        for key in ("pairs", "servers", "long_flows", "cross_flows"):
            topology.pop(key, None)
    return {"topology": topology, **({"flows": groups} if groups else {})}


@st.composite
def _group(draw, kind, ends):
    """A group of flows, with its ends where they must be named."""
    unknown = set(tables.keys(FlowGroup)) - _ONLY[kind] - _EVERYWHERE
    made = draw(table(FlowGroup, most=3, without=unknown))
    if "mcr" in made and not rarely(draw):
        made["service"] = "gfr"
    if kind == "parking_lot" and draw(st.booleans()):
        made["path"] = draw(st.sampled_from(["long", 1, 1, 2, 4]))
    if kind in ("graph", "atm_network"):
        made["from"], made["to"] = draw(st.permutations(ends))[:2]
    return made


def _simple(model):
    # Any ends will do: the topology makes them.
    return lambda: table(model).map(lambda made: (made, ["client", "server"]))


@st.composite
def _graph(draw):
    nodes = [f"n{number}" for number in range(draw(st.integers(2, 5)))]
    links = [draw(_link(models.GraphLink, ends)) for ends in _tree(draw, nodes)]
    if rarely(draw):
        first, second = draw(st.permutations(nodes))[:2]
        links.append(draw(table(models.GraphLink, most=2, **{"from": first, "to": second})))
    return draw(table(models.Graph, nodes=nodes, links=links)), nodes


def _tree(draw, nodes):
    """Pairs of nodes that join all of them."""
    earlier = [draw(st.sampled_from(nodes[:number])) for number in range(1, len(nodes))]
    return [list(pair) for pair in zip(earlier, nodes[1:], strict=True)]


def _link(model, ends):
    return table(model, most=2, between=ends)


@st.composite
def _atm_clients(draw):
    background = _named(draw(st.lists(_cells([]), max_size=2)))
    given = {"background": background} if background else {}
    return draw(table(models.AtmClients, without=("background",), **given)), ["client", "server"]


@st.composite
def _atm_network(draw):
    hosts = [f"h{number}" for number in range(draw(st.integers(2, 4)))]
    switches = [f"s{number}" for number in range(draw(st.integers(1, 3)))]
    links = [draw(_link(models.AtmLink, ends)) for ends in _tree(draw, switches)]
    links += [
        draw(_link(models.AtmLink, [host, draw(st.sampled_from(switches))])) for host in hosts
    ]
    sources = _named(draw(st.lists(_cells(hosts), max_size=2)))
    given = {"sources": sources} if sources else {}
    topology = table(
        models.AtmNetwork,
        without=("sources",),
        **{"hosts": hosts, "switches": switches, "links": links, **given},
    )
    ends = [] if sources and rarely(draw, 10) else hosts
    return draw(topology), ends


def _named(sources):
    return [{**source, "name": f"s{number}"} for number, source in enumerate(sources)]


@st.composite
def _cells(draw, hosts):
    """A source of cells; between two hosts, if there are any."""
    made = draw(table(draw(st.sampled_from(_CELLS)), without=("direction",) if hosts else ()))
    if hosts:
        made["from"], made["to"] = draw(st.permutations(hosts))[:2]
    return made


_MADE = {
    "dumbbell": _simple(models.Dumbbell),
    "parking_lot": _simple(models.ParkingLot),
    "graph": _graph,
    "atm_dumbbell": _simple(models.AtmDumbbell),
    "atm_clients": _atm_clients,
    "atm_network": _atm_network,
}
