"""Sequences of what groups have: flows, links, names, made when they are asked for.

A group of a million flows is written once and never listed. Such a sequence is joined from parts: a
list, or a part that repeats some items with a count.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Repeated(Sequence[T], Generic[T]):
    """Items that repeat with a count: ``width`` of them, so many ``times``.

    A class that inherits makes the items: ``member(time, place)``.
    """

    def __init__(self, times: int, width: int = 1) -> None:
        """Know how many there are."""
        self.times = times
        self.width = width

    def member(self, time: int, place: int) -> T:
        """The item at a place, at this time; both from 0 on."""
        raise NotImplementedError

    def __len__(self) -> int:
        """How many items there are."""
        return self.times * self.width

    def __iter__(self) -> Iterator[T]:
        """All items, one after the other."""
        for time in range(self.times):
            for place in range(self.width):
                yield self.member(time, place)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        """An item by its number, or some of them as a tuple."""
        if isinstance(at, slice):
            return tuple(self[number] for number in range(*at.indices(len(self))))
        number = range(len(self))[at]
        return self.member(*divmod(number, self.width))


class Same(Repeated[T]):
    """The same values at each time."""

    def __init__(self, values: Sequence[T], times: int) -> None:
        """Hold the values."""
        super().__init__(times, len(values))
        self.values = tuple(values)

    def member(self, time: int, place: int) -> T:
        """The value at a place."""
        return self.values[place]

    def __contains__(self, value: object) -> bool:
        """Whether it is one of the values."""
        return self.times > 0 and value in self.values


class Numbered(Repeated[str]):
    """Names with a number that grows by one each time."""

    def __init__(self, around: Sequence[tuple[str, str]], first: int, times: int) -> None:
        """Know the names.

        Args:
            around: what is before and what is after the number, of each name.
            first: the number of the first time.
            times: how many numbers there are.
        """
        super().__init__(times, len(around))
        self.around = tuple(around)
        self.first = first

    def member(self, time: int, place: int) -> str:
        """The name at a place, with the number of this time."""
        before, after = self.around[place]
        return f"{before}{self.first + time}{after}"

    def __contains__(self, name: object) -> bool:
        """Whether it is one of the names."""
        return self._number_of(name) is not None

    def index(self, name: Any, start: int = 0, stop: int | None = None) -> int:
        """The number of a name.

        Raises:
            ValueError: there is no such name.
        """
        number = self._number_of(name)
        if number is None or number not in range(*slice(start, stop).indices(len(self))):
            raise ValueError(f"{name!r} is not in it")
        return number

    def _number_of(self, name: object) -> int | None:
        if not isinstance(name, str):
            return None
        for place, (before, after) in enumerate(self.around):
            digits = name[len(before) : len(name) - len(after)]
            if not (digits.isdecimal() and digits.isascii()):
                continue
            time = int(digits) - self.first
            # No other text of the same number, like 007, is a name.
            if time in range(self.times) and name == self.member(time, place):
                return time * self.width + place
        return None


def numbered_names(name: str, count: int) -> Sequence[str]:
    """The names of so many things: one has the name alone, more have numbers from 1 on."""
    return [name] if count == 1 else Numbered([(f"{name} ", "")], 1, count)


class Joined(Sequence[T], Generic[T]):
    """Parts one after the other, as one sequence.

    Attributes:
        parts: lists, and parts that repeat.
    """

    def __init__(self, parts: Iterable[Sequence[T]] = ()) -> None:
        """Join the parts."""
        self.parts: list[Sequence[T]] = []
        self._ends: list[int] = []
        for part in parts:
            self.add(part)

    def add(self, part: Sequence[T]) -> None:
        """Append a part."""
        self.parts.append(part)
        self._ends.append(len(self) + len(part))

    def __len__(self) -> int:
        """How many items there are."""
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[T]:
        """All items, one after the other."""
        return chain.from_iterable(self.parts)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        """An item by its number, or some of them as a tuple."""
        if isinstance(at, slice):
            return tuple(self[number] for number in range(*at.indices(len(self))))
        part, within = self.place(range(len(self))[at])
        return self.parts[part][within]

    def place(self, number: int) -> tuple[int, int]:
        """The part in which an item is, and its number there."""
        part = bisect_right(self._ends, number)
        return part, number - (self._ends[part - 1] if part else 0)

    def __contains__(self, item: object) -> bool:
        """Whether a part has it."""
        return any(item in part for part in self.parts)

    def index(self, item: Any, start: int = 0, stop: int | None = None) -> int:
        """The number of the first such item.

        Raises:
            ValueError: there is none.
        """
        begin = 0
        for part in self.parts:
            if item in part:
                number = begin + part.index(item)
                if number in range(*slice(start, stop).indices(len(self))):
                    return number
            begin += len(part)
        raise ValueError(f"{item!r} is not in it")

    def distinct(self) -> Iterator[tuple[int, T, int]]:
        """What there is: of parts that repeat the items of the first time, of others every item.

        Yields:
            The number of an item, the item, and how many there are like it.
        """
        begin = 0
        for part in self.parts:
            width, times = (
                (part.width, part.times) if isinstance(part, Repeated) else (len(part), 1)
            )
            if times:
                for place in range(width):
                    yield begin + place, part[place], times
            begin += len(part)

    def __eq__(self, other: object) -> bool:
        """Whether another sequence has the same items."""
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """The first items, and how many more there are."""
        few = ", ".join(repr(item) for item in self[:3])
        more = len(self) - 3
        return f"<{few}{f' and {more} more' if more > 0 else ''}>"


def distinct(sequence: Sequence[T]) -> list[T]:
    """The items of a sequence, each once, in the order of their first places."""
    if isinstance(sequence, Joined):
        return list(dict.fromkeys(item for _, item, _ in sequence.distinct()))
    return list(dict.fromkeys(sequence))


def to_json(sequence: Sequence[str | bool]) -> list[Any]:
    """A sequence as JSON: an item for each item, or one for a part that repeats."""
    listed: list[Any] = []
    for part in sequence.parts if isinstance(sequence, Joined) else [sequence]:
        if isinstance(part, Numbered):
            around = [list(each) for each in part.around]
            listed.append({"around": around, "first": part.first, "times": part.times})
        elif isinstance(part, Same):
            listed.append({"same": list(part.values), "times": part.times})
        else:
            listed += part
    return listed


def from_json(listed: Sequence[Any]) -> Joined[Any]:
    """The sequence of what ``to_json`` gave; also of a list of items, as earlier versions wrote."""
    joined: Joined[Any] = Joined()
    for repeats, items in groupby(listed, key=lambda item: isinstance(item, dict)):
        if not repeats:
            joined.add(list(items))
            continue
        for its in items:
            if "same" in its:
                joined.add(Same(its["same"], its["times"]))
            else:
                around = [(before, after) for before, after in its["around"]]
                joined.add(Numbered(around, its["first"], its["times"]))
    return joined
