"""The sliders of a scenario on a page: keys and ranges.

This module derives them from the scenario: its narrowest link, its TCPs, its workloads, its
variables. A key of the sweep has no slider, because you choose its value by the point. A key with
an expression has no slider, because the variables in the expression have sliders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from ackclock.lab.states.slider_ranges import LONG, SIZE, UNITS, Unit, of_number, of_quantity
from ackclock.scenario import keys, places
from ackclock.scenario.compile.compiler import buffer_of, network_of
from ackclock.scenario.compile.groups import Group, groups
from ackclock.scenario.compile.network import PS_PER_S, Network, queue_parameters
from ackclock.scenario.keys import Path
from ackclock.scenario.loading import OnePoint
from ackclock.scenario.model.base import Key
from ackclock.scenario.model.base import keys as keys_of
from ackclock.scenario.model.queues import DISCIPLINES
from ackclock.scenario.model.tcp import FLAVORS, Tcp
from ackclock.scenario.model.topology import AtmClients, AtmDumbbell, AtmNetwork
from ackclock.scenario.presets import uses, with_presets
from ackclock.scenario.values.kind import decimal, shown
from ackclock.scenario.values.preset import PRESET
from ackclock.scenario.values.quantities import parse_any, suffix

_MOST = 24
_MOST_PARAMETERS = 3
"""Largest number of sliders for the keys of a queue."""
_MOST_VARIABLES = 6
_TCP = (
    ("initial_window", "Initial window"),
    ("pacing", "Pacing"),
    ("ecn", "ECN"),
    ("slow_start", "Slow start"),
    ("ack_every", "Segments for an ACK"),
    ("delayed_ack", "Delayed ACK"),
    ("receive_buffer", "Receive buffer"),
)
_OF_WORKLOADS = (
    ("size", "Transfer size"),
    ("file_size", "File size"),
    ("mean_size", "Mean size of objects"),
    ("offered", "Offered load"),
    ("think", "Mean think time"),
    ("rate", "Rate of datagrams"),
    ("pause", "Mean pause"),
    ("inline_objects", "Objects of a page"),
)
_COUNTS = (
    ("pairs", "Flows"),
    ("servers", "Servers"),
    ("clients_per_server", "Clients of a server"),
    ("hops", "Hops"),
    ("long_flows", "Long flows"),
    ("cross_flows", "Cross flows of a hop"),
)
_ALWAYS = ("pairs", "servers", "long_flows", "cross_flows")
"""Counts that get a slider even if the scenario does not set them."""
_OF_SWITCHES = (
    ("rate_control", "Rate control"),
    ("target_utilisation", "Target utilisation"),
    ("target_delay", "Target delay"),
    ("interval", "Interval of measuring"),
)
_OF_LOSSES = ("loss", "rate", "p", "q", "loss_bad", "probability", "spread")
_MARGIN = 1.5
"""Smallest duration of a run as a multiple of the warm-up."""


def sliders(one: OnePoint) -> list[dict[str, Any]]:
    """Return the sliders of a point, the most important first; numbers in the slider's unit."""
    found = _Sliders(one)
    made = {}
    for each in found.all():
        made.setdefault(each["key"], each)
    return list(made.values())[:_MOST]


class _Sliders:
    """The sliders of a point."""

    def __init__(self, one: OnePoint) -> None:
        self._one = one
        self._scenario = one.scenario
        self._document = one.document
        self._groups = groups(one.scenario)
        swept = (level.values for factor in one.factors for level in factor.levels)
        self._fixed = {*one.point.swept, *one.computed, *(path for each in swept for path in each)}

    def all(self) -> Iterator[dict[str, Any]]:
        """Yield all sliders; some may be repeated."""
        yield from self._of_network()
        tcps = [group for group in self._groups if group.is_tcp]
        yield from self._of_flavors(tcps)
        yield from self._of_counts()
        yield from self._of_workloads()
        yield from self._of_variables()
        yield from self._of_duration()
        yield from self._of_tcps(tcps)

    def _of_duration(self) -> Iterator[dict[str, Any]]:
        """Yield the slider of the duration, from a time at which all flows have begun."""
        begun = max((_start(group) for group in self._groups), default=0)
        least = _MARGIN * max(begun, self._scenario.warm_up) / PS_PER_S
        for made in self._value(("duration",), "Duration", LONG):
            yield {**made, "low": min(max(made["low"], least), made["value"])}

    def _of_network(self) -> Iterator[dict[str, Any]]:
        topology = self._scenario.topology
        if isinstance(topology, AtmDumbbell | AtmClients):
            for name, label in (("rate", "Trunk rate"), ("delay", "Trunk delay")):
                yield from self._value(("topology", "trunk", name), label)
        if isinstance(topology, AtmClients | AtmNetwork):
            for name, label in _OF_SWITCHES:
                yield from self._value(("topology", "switch", name), label)
        if isinstance(topology, AtmDumbbell):
            for name, label in (("buffer", "Buffer"), ("policy", "Frame policy"), ("r", "R")):
                yield from self._value(("topology", "port", name), label)
        if isinstance(topology, AtmDumbbell | AtmClients | AtmNetwork):
            return
        network = network_of(topology, self._groups)
        link = _narrowest(network)
        if link is None:
            return
        table = network.lines[link].path[:-2]
        yield from self._value((*table, "rate"), "Bottleneck rate")
        yield from self._value((*table, "delay"), "Bottleneck delay")
        yield from self._of_queue(network, link, (*table, "queue"))
        for at, impairment in enumerate(self._list((*table, "impairments"))):
            for name in _OF_LOSSES:
                if hasattr(impairment, name):
                    label = f"{name.replace('_', ' ')} of {impairment.kind.replace('_', ' ')}"
                    place = (*table, "impairments", at, name)
                    yield from self._value(place, label[:1].upper() + label[1:])
        if self._is_written(("topology", "access", "delay")):
            yield from self._value(("topology", "access", "delay"), "Access delay")

    def _of_queue(self, network: Network, link: int, table: Path) -> Iterator[dict[str, Any]]:
        line = network.lines[link]
        queue = line.queue
        if queue is None:
            return
        yield from self._value((*table, "limit"), "Queue limit")
        values = queue_parameters(line, network.crossings[link])
        numbers = [name for name, value in values.items() if _is_number(value)][:_MOST_PARAMETERS]
        written = keys.get(self._document, table)
        if written is keys.MISSING or not {*written} - {"kind", "limit"}:
            choices = {each.name: each.title for each in DISCIPLINES.values()}
            for made in self._value((*table, "kind"), "Queue", choices=choices):
                # Keys that other kinds do not have.
                yield {**made, "resets": [keys.show((*table, name)) for name in numbers]}
        for name in numbers:
            label = f"{queue.discipline.title}: {name.replace('_', ' ')}"
            yield from self._value((*table, name), label, holds=values[name])

    def _of_flavors(self, tcps: list[Group]) -> Iterator[dict[str, Any]]:
        own = [group.sender_tcp.flavor for group in tcps]
        choices = {name: str(name) for name in [*FLAVORS, *own]}
        for path, (group, *_) in _places(tcps, "flavor").items():
            yield from self._value(path, _called("Flavor", path, group), choices=choices)

    def _of_tcps(self, tcps: list[Group]) -> Iterator[dict[str, Any]]:
        """Yield the sliders of TCP keys, except keys whose meaning depends on the flavor."""
        auto = buffer_of(self._scenario) if tcps else None
        for name, label in _TCP:
            for path, users in _places(tcps, name).items():
                held = {with_presets(group.sender_tcp) for group in users}
                values = {getattr(tcp, keys_of(Tcp)[name].attribute) for tcp in held}
                if len(values) > 1 or not all(uses(tcp.flavor, name) for tcp in held):
                    continue
                called = _called(label, path, users[0])
                if name == "receive_buffer" and values == {None} and auto is not None:
                    yield from self._value(path, called, SIZE, number=Fraction(auto.most))
                else:
                    yield from self._value(path, called, holds=values.pop())

    def _of_counts(self) -> Iterator[dict[str, Any]]:
        if self._scenario.flows:
            for at, group in enumerate(self._scenario.flows):
                yield from self._value(("flows", at, "count"), f"Count of {group.name}")
        for name, label in _COUNTS:
            is_usual = not self._scenario.flows and name in _ALWAYS
            if is_usual or self._is_written(("topology", name)):
                yield from self._value(("topology", name), label)

    def _of_workloads(self) -> Iterator[dict[str, Any]]:
        for group in self._groups:
            for name, label in _OF_WORKLOADS:
                if name in keys_of(type(group.workload)):
                    path = group.workload_path(name)
                    yield from self._value(path, _called(label, path, group))

    def _of_variables(self) -> Iterator[dict[str, Any]]:
        for name, raw in list(self._scenario.variables.items())[:_MOST_VARIABLES]:
            path = ("variables", name)
            label = name.replace("_", " ")
            if isinstance(raw, str) and (quantity := parse_any(raw)):
                unit = UNITS.get(suffix(quantity[0]))
                if unit is not None:
                    its = of_quantity(float(quantity[1] / unit.worth), unit)
                    yield from self._number(path, label, quantity[1], its, raw, unit=unit)
            elif isinstance(raw, int | float | Fraction) and not isinstance(raw, bool):
                number = Fraction(raw)
                its = of_number(number, is_whole=number.denominator == 1)
                yield from self._number(path, label, number, its, decimal(number))

    def _value(
        self,
        path: Path,
        label: str,
        unit: Unit | None = None,
        *,
        holds: Any = None,
        number: Fraction | None = None,
        choices: dict[str, str] | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Yield the slider of a key; none if the key does not exist, or is swept or computed.

        Args:
            path: path of the key.
            label: label of the slider.
            unit: unit of the slider; by default the unit of the value.
            holds: value, if it differs from the scenario's.
            number: number of the value, if the value is a word.
            choices: choices with their labels, if the value is a word.
        """
        try:
            key = places.locate(self._document, path).key
        except places.UnknownKeyError:
            return
        kind = key.kind
        value = _at(self._scenario, path) if holds is None else holds
        if kind is None and key.name == "kind":
            yield from self._choice(path, label, value, value, choices or {}, key)
            return
        if kind is None or (value is None and number is None):
            return
        text = kind.write(value) if number is None else kind.write(_at(self._scenario, path))
        text = text if isinstance(text, str) else shown(text)
        if number is None and isinstance(kind.number(value), bool):
            yield from self._switch(path, label, value, text, key)
            return
        if number is None and kind.unit(value) is None:
            words = choices or {each: each for each in _words(kind.schema)}
            yield from self._choice(path, label, value, text, words, key)
            return
        if unit is None:
            of = kind.unit(value)
            unit = UNITS.get(of) if of else None
            if of and unit is None:
                return
        exact = Fraction(kind.number(value)) if number is None else number
        if unit is None:
            its = of_number(exact, is_whole=isinstance(value, int))
        else:
            its = of_quantity(float(exact / unit.worth), unit)
        yield from self._number(path, label, exact, its, text, key.meaning, unit)

    def _number(
        self,
        path: Path,
        label: str,
        number: Fraction,
        its: Mapping[str, Any],
        text: str,
        meaning: str = "",
        unit: Unit | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Yield the slider of a number.

        Args:
            path: path of the key.
            label: label of the slider.
            number: value, as ``Kind.number`` returns it.
            its: range of the slider.
            text: value as written in a file.
            meaning: meaning of the key.
            unit: unit of the slider; none for a number without unit.
        """
        if self._is_fixed(path):
            return
        value = float(number / unit.worth) if unit else float(number)
        yield {
            "key": keys.show(path),
            "label": label,
            "kind": "quantity" if unit else "number",
            "unit": unit.name if unit else "",
            **its,
            "value": int(value) if value.is_integer() else value,
            "text": text,
            "choices": [],
            "help": meaning,
        }

    def _choice(
        self, path: Path, label: str, value: Any, text: str, choices: dict[str, str], key: Key
    ) -> Iterator[dict[str, Any]]:
        if self._is_fixed(path) or len(choices) < 2:
            return
        listed = [{"value": each, "label": called} for each, called in choices.items()]
        yield self._chosen(path, label, "choice", text, str(value), listed, key)

    def _switch(
        self, path: Path, label: str, value: Any, text: str, key: Key
    ) -> Iterator[dict[str, Any]]:
        if not self._is_fixed(path):
            yield self._chosen(path, label, "switch", text, bool(value), [], key)

    def _chosen(
        self,
        path: Path,
        label: str,
        kind: str,
        text: str,
        value: Any,
        choices: list[dict[str, str]],
        key: Key,
    ) -> dict[str, Any]:
        return {
            "key": keys.show(path),
            "label": label,
            "kind": kind,
            "unit": "",
            "scale": "linear",
            "low": None,
            "high": None,
            "step": None,
            "value": value,
            "text": text,
            "choices": choices,
            "help": key.meaning,
        }

    def _is_fixed(self, path: Path) -> bool:
        """Return whether a key, or a table that contains it, is swept or computed."""
        return any(path[: len(each)] == each or each[: len(path)] == path for each in self._fixed)

    def _is_written(self, path: Path) -> bool:
        return keys.get(self._document, path) is not keys.MISSING

    def _list(self, path: Path) -> Any:
        return _at(self._scenario, path) or ()


def _at(table: Any, path: Path) -> Any:
    """Return the value of a key of a scenario; none if a table on its path is missing."""
    for part in path:
        if isinstance(part, int):
            table = table[part] if table and part < len(table) else None
        elif isinstance(table, Mapping):
            table = table.get(part)
        elif table is not None and part in keys_of(type(table)):
            table = getattr(table, keys_of(type(table))[part].attribute)
        else:
            return None
    return table


def _narrowest(network: Network) -> int | None:
    """Return the bottleneck of the results, or the slowest link with a limited queue."""
    if network.bottleneck is not None:
        return network.bottleneck
    used = {link for flow in network.flows for link in flow.way if network.lines[link].path}
    return min(used, key=lambda link: network.lines[link].rate, default=None)


def _places(tcps: list[Group], name: str) -> dict[Path, list[Group]]:
    """Return the paths of a TCP key, each with the groups that use it."""
    found: dict[Path, list[Group]] = {}
    for group in tcps:
        found.setdefault(group.tcp_path("sender_tcp", name), []).append(group)
    return found


def _called(label: str, path: Path, group: Group) -> str:
    """Return the label of a key, with the group's name if the key belongs to a group."""
    return f"{label} of {group.written.name}" if path[0] == "flows" else label


def _start(group: Group) -> int:
    """Return the latest start of the flows of a group, ps."""
    workload = group.workload
    return getattr(workload, "start", 0) + getattr(workload, "start_spread", 0)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _words(schema: Any) -> Iterator[str]:
    """Yield the possible words of a value, except the one for the flavor's default."""
    if isinstance(schema, Mapping):
        yield from (each for each in schema.get("enum", ()) if each != PRESET)
        for each in schema.get("anyOf", ()):
            yield from _words(each)
