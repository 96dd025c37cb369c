"""The buffers that a search may probe: a geometric series, rounded."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, log, log1p, log10
from typing import Any, NamedTuple

from ackclock.scenario import keys, places
from ackclock.scenario.places import UnknownKeyError
from ackclock.scenario.values.kind import Kind, decimal

DEFAULT_RANGE = ("0.0625 rtt", "4 rtt")
_BUFFERS = {
    "atm_dumbbell": "topology.port.buffer",
    "dumbbell": "topology.bottleneck.queue.limit",
    "parking_lot": "topology.bottleneck.queue.limit",
}
"""The default key of the buffer, by kind of topology."""
_BY_SERVICE = {"atm_clients": "abr", "atm_network": "abr"}
"""The default service category of flows, if each category has its own buffer."""
_WORDS = {
    "rtt": "rtt",
    "cells": "cells",
    "packets": "packets",
    "bytes": "B",
    "segments": "segments",
}
"""Format of a number, by unit."""
_WHOLE = ("cells", "packets", "bytes", "segments")
_EXTRA_DIGITS = 2
_EXAMPLES = "--key topology.port.buffer, --key 'topology.links[0].queue.limit'"


class Level(NamedTuple):
    """A size of the buffer.

    Attributes:
        number: size in the unit.
        unit: "rtt", "cells", "packets", "bytes" or "segments".
        text: size as written in a file.
    """

    number: Fraction
    unit: str
    text: str


class Setting(NamedTuple):
    """The key of the buffer, and its possible values."""

    path: keys.Path
    kind: Kind

    @property
    def key(self) -> str:
        """The dotted key."""
        return keys.show(self.path)

    def level(self, text: str) -> Level:
        """Read a size, for example "100 packets".

        Raises:
            ValueError: the text is not a size; the message gives a correct example.
        """
        value = self.kind.read(text)
        if value is None:
            raise ValueError(f"is not a size; write it like {self.kind.example}")
        return Level(Fraction(self.kind.number(value)), str(self.kind.unit(value)), text.strip())


def find_setting(key: str | None, document: Mapping[str, Any]) -> Setting:
    """Find the key of the buffer.

    Args:
        key: key that the user gave; by default the key of the bottleneck's buffer.
        document: tables of the scenario.

    Raises:
        ValueError: the key is not a buffer, or the topology has no default.
    """
    if key is None:
        key = _usual_key(document)
    path = keys.parse(key)
    place = places.locate(document, path)
    kind_of_value = place.key.kind
    if place.rest or kind_of_value is None or not _is_size(kind_of_value):
        raise UnknownKeyError(f"is not the size of a buffer; name one, for example {_EXAMPLES}")
    return Setting(path, kind_of_value)


def _usual_key(document: Mapping[str, Any]) -> str:
    kind = keys.get(document, ("topology", "kind"))
    if kind in _BUFFERS:
        return _BUFFERS[kind]
    if kind in _BY_SERVICE:
        service = keys.get(document, ("topology", "service"))
        service = _BY_SERVICE[kind] if service is keys.MISSING else service
        return f"topology.switch.{service}_buffer"
    raise ValueError(
        f'a topology of the kind "{kind}" has no single buffer to search;'
        f" name one, for example {_EXAMPLES}"
    )


def _is_size(kind: Kind) -> bool:
    try:
        return kind.unit(kind.read(kind.example.strip('"'))) in _WORDS
    except ValueError:
        return False


def read_range(
    setting: Setting, start: str | None, end: str | None
) -> tuple[Level, Level] | list[str]:
    """Return the ends of the range; or the errors in them, one message per error."""
    if start is None and end is None and not _reads(setting, DEFAULT_RANGE[0]):
        return [
            f"--from, --to: give the sizes of {setting.key} to search,"
            f" for example --from {setting.kind.example}"
        ]
    found, problems = [], []
    for option, text, default in zip(("--from", "--to"), (start, end), DEFAULT_RANGE, strict=True):
        try:
            found.append(setting.level(default if text is None else text))
        except ValueError as error:
            problems.append(f"{option} {default if text is None else text}: {error}")
    if problems:
        return problems
    low, high = found
    if low.unit != high.unit:
        given = "" if None not in (start, end) else " (one of them by default)"
        return [
            f"--from {low.text}, --to {high.text}{given}: one is in {low.unit}, the other in"
            f" {high.unit}; write both in one unit"
        ]
    if not low.number < high.number:
        return [f"--from {low.text}, --to {high.text}: there is no size between them; swap them"]
    return low, high


def _reads(setting: Setting, text: str) -> bool:
    try:
        setting.level(text)
    except ValueError:
        return False
    return True


def ladder(low: Level, high: Level, tolerance: float) -> list[Level]:
    """Return ascending sizes; each is larger than the one before by at most the tolerance.

    Args:
        low: the first size, which is not rounded.
        high: the last size, which is not rounded.
        tolerance: relative step, for example 0.05; for small whole numbers the step is 1.

    Returns:
        Distinct sizes, ascending. Sizes between the ends are rounded to few digits, so that they
        are equal on every machine.
    """
    steps = max(1, ceil(log(high.number / low.number) / log1p(tolerance)))
    digits = _EXTRA_DIGITS + max(1, ceil(-log10(tolerance)))
    whole = low.unit in _WHOLE
    numbers = set()
    for step in range(1, steps):
        number = float(low.number) * float(high.number / low.number) ** (step / steps)
        rounded = Fraction(round(number)) if whole else Fraction(f"{number:.{digits}g}")
        if low.number < rounded < high.number:
            numbers.add(rounded)
    between = [
        Level(number, low.unit, f"{decimal(number)} {_WORDS[low.unit]}")
        for number in sorted(numbers)
    ]
    return [low, *between, high]
