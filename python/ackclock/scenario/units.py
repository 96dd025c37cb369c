"""Quantities as written in a file: "45 Mbit/s", "275 ms", "0.5 rtt", "128 B", "50 packets".

A number, a space (optional) and a unit, which is case-sensitive: a mega is not a milli. What comes
out is exact: a whole number of the base unit of the dimension, or a fraction for ``RTT``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ackclock.suggestions import nearest
from ackclock.untrusted_text import shortened

_LONGEST = 100
"""Characters of a quantity."""
_QUANTITY = re.compile(r"(?P<number>[+-]?[0-9]+(?:\.[0-9]+)?)\s*(?P<unit>[^\W\d_].*)?")


@dataclass(frozen=True)
class Dimension:
    """What can be measured, in which units.

    Attributes:
        name: the dimension in words, for messages ("time").
        example: a correct quantity, for messages.
        units: multiples of the base unit, by the way they are written; ascending.
        maximum: the largest value, in base units.
        whole: whether a value must be a whole number of base units.
        singular: the base unit where it is written in another way for the number 1.
        small: values below it are shown in the base unit, unless they are whole in another.
    """

    name: str
    example: str
    units: Mapping[str, int] = field(hash=False)
    maximum: int
    whole: bool = True
    singular: str = ""
    small: int = 0


TIME = Dimension(
    "time",
    "100 ms",
    {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12, "min": 60 * 10**12},
    maximum=10**18,
)
RATE = Dimension(
    "rate",
    "45 Mbit/s",
    {"bit/s": 1, "kbit/s": 10**3, "Mbit/s": 10**6, "Gbit/s": 10**9},
    maximum=10**14,
)
SIZE = Dimension(
    "size",
    "128 B",
    {"B": 1, "kB": 10**3, "KiB": 2**10, "MB": 10**6, "MiB": 2**20, "GB": 10**9, "GiB": 2**30},
    maximum=2**32 - 1,
    small=10**5,
)
VOLUME = Dimension(
    "amount of data",
    "10 MB",
    {**SIZE.units, "TB": 10**12, "TiB": 2**40},
    maximum=10**15,
    small=10**5,
)
CELLS = Dimension("number of cells", "531 cells", {"cells": 1}, maximum=2**32 - 1, singular="cell")
CELL_RATE = Dimension("rate of cells", "10 cells/s", {"cells/s": 1}, maximum=10**6)
PACKETS = Dimension(
    "number of packets", "50 packets", {"packets": 1}, maximum=10**9, singular="packet"
)
AVERAGE = Dimension(
    "number of packets",
    "5 packets",
    {"packets": 1},
    maximum=10**9,
    whole=False,
    singular="packet",
)
"""Packets on average, of which there may be a part."""
FREQUENCY = Dimension(
    "frequency",
    "0.16 Hz",
    {"Hz": 1, "kHz": 10**3},
    maximum=10**6,
    whole=False,
)
RTT = Dimension("number of round-trip times", "0.5 rtt", {"rtt": 1}, maximum=10**6, whole=False)
DIMENSIONS = (TIME, RATE, SIZE, CELLS, PACKETS, RTT)


def parse(text: str, dimension: Dimension) -> int | Fraction:
    """A quantity in base units: ps, bit/s, bytes, cells; a ``Fraction`` of round-trip times.

    Raises:
        ValueError: ``text`` is no number with a unit of this dimension, is negative or too large,
            or is not a whole number of base units. The message says what was meant.
    """
    match = _matched(text)
    if match is None:
        raise ValueError(
            f'"{shortened(text)}" is not a {dimension.name}; write it like "{dimension.example}"'
        )
    number, unit = match["number"], match["unit"]
    if unit and unit == dimension.singular:
        unit = next(iter(dimension.units))
    if unit is None:
        raise ValueError(f'"{text}" has no unit; write it like "{dimension.example}"')
    if unit not in dimension.units:
        raise ValueError(_wrong_unit(number, unit, (dimension,), f"a {dimension.name}"))
    value = Fraction(number) * dimension.units[unit]
    if value < 0:
        raise ValueError(f'"{text}" is negative; write it like "{dimension.example}"')
    if value > dimension.maximum:
        largest, multiple = list(dimension.units.items())[-1]
        raise ValueError(
            f'"{text}" is too large: at most {dimension.maximum // multiple} {largest}'
        )
    if not dimension.whole:
        return value
    if value.denominator != 1:
        base = next(iter(dimension.units))
        raise ValueError(f'"{text}" is not a whole number of {base}, the smallest that counts')
    return int(value)


def show(value: int | Fraction, dimension: Dimension) -> str:
    """A value in base units as a person would write it; ``parse`` of it gives the value back.

    The unit is the largest one in which the number is at least 1 and has at most three decimals,
    or the base unit; nothing at all is written in the unit of the example.
    """
    if value == 0:
        return f"0 {dimension.example.split()[1]}"
    if value == 1 and dimension.singular:
        return f"1 {dimension.singular}"
    for unit, multiple in reversed(dimension.units.items()):
        amount = Fraction(value) / multiple
        if multiple > 1 and value < dimension.small and amount.denominator != 1:
            continue
        if (amount >= 1 or multiple == 1) and (amount * 1000).denominator == 1:
            return f"{_decimal(amount)} {unit}"
    return f"{_decimal(Fraction(value))} {next(iter(dimension.units))}"


def _decimal(amount: Fraction) -> str:
    """A number with a finite decimal expansion of up to 18 digits, without trailing zeros."""
    whole, rest = divmod(amount, 1)
    digits = f"{round(rest * 10**18):018d}".rstrip("0")
    return f"{whole}.{digits}" if digits else str(whole)


def wrong_unit(text: str, dimensions: Sequence[Dimension], wanted: str) -> str | None:
    """What to say of a quantity of none of the dimensions; nothing if its unit is not to blame.

    Args:
        text: the quantity.
        dimensions: those that may stand there.
        wanted: what does, with its article: "the length of a queue".
    """
    match = _matched(text)
    if match is None or match["unit"] is None:
        return None
    return _wrong_unit(match["number"], match["unit"], dimensions, wanted)


def _matched(text: str) -> re.Match[str] | None:
    return _QUANTITY.fullmatch(text.strip()) if len(text) <= _LONGEST else None


def _wrong_unit(number: str, unit: str, dimensions: Sequence[Dimension], wanted: str) -> str:
    known = [each for dimension in dimensions for each in dimension.units]
    bytes_per_second = re.search(r"B(/s|/sec|ps)$", unit)  # bits are not meant
    meant = [each for each in known if _loosely(each) == _loosely(unit)]
    if meant and not bytes_per_second:
        return f'unknown unit "{unit}"; did you mean "{number} {meant[-1]}"?'
    like = " or ".join(f'"{dimension.example}"' for dimension in dimensions)
    for other in DIMENSIONS:
        if other not in dimensions and _loosely(unit) in map(_loosely, other.units):
            return (
                f'expected {wanted}, but "{unit}" is a unit of {other.name}; write it like {like}'
            )
    # A wrong guess at a prefix would change the value a thousandfold.
    counts = [next(iter(each.units)) for each in dimensions if len(each.units) == 1]
    close = nearest(unit, counts)
    if close:
        return f'unknown unit "{unit}"; did you mean "{number} {close}"?'
    if len(dimensions) > 1:
        return f'unknown unit "{unit}"; write it like {like}'
    return f'unknown unit "{unit}"; units of {dimensions[0].name} are {", ".join(known)}'


def _loosely(unit: str) -> str:
    """What two spellings of one unit have in common: not the case, and the usual abbreviations."""
    plain = unit.lower().replace(" ", "").replace("µ", "u").replace("μ", "u")
    plain = re.sub(r"(bits?|b)(/s|/sec|ps)$", "bit/s", plain)
    plain = re.sub(r"^(milli|micro|nano|pico)?(seconds?|secs?)$", _seconds, plain)
    plain = re.sub(r"^minutes?$", "min", plain)
    plain = re.sub(r"^(k|m|g)?(i?)(bytes?|b)$", r"\1\2b", plain)
    plain = re.sub(r"^(pkt|pack)s?$", "packet", plain)
    return re.sub(r"^(cell|packet|rtt)s?$", r"\1", plain)


def _seconds(match: re.Match[str]) -> str:
    prefixes = {None: "", "milli": "m", "micro": "u", "nano": "n", "pico": "p"}
    return prefixes[match[1]] + "s"


def rounded_up(value: int) -> int:
    """A value of two digits, which a person would write; not below what is given."""
    grain = 10 ** max(0, len(str(value)) - 2)
    return -(-value // grain) * grain


def rounded_down(value: int) -> int:
    """A value of two digits, which a person would write; not above what is given."""
    grain = 10 ** max(0, len(str(value)) - 2)
    return value // grain * grain
