"""Problems of a scenario, in words that help to correct them.

The words need the tables of a scenario. Who reads a file without a problem needs not wait for them,
so they are imported with the first problem.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ackclock.errors import PlacedMessage
from ackclock.scenario import keys
from ackclock.scenario.keys import MISSING, Path
from ackclock.scenario.source_lines import Source
from ackclock.scenario.values.kind import Computed, shown
from ackclock.untrusted_text import one_line, shortened

_LONGEST_REASON = 2000


class Problem(NamedTuple):
    """One thing that is wrong.

    Attributes:
        path: the key that is to be changed.
        reason: what is wrong with its value, and a correct one.
    """

    path: Path
    reason: str


class Written(NamedTuple):
    """How a value was written that does not stand at its own key.

    Attributes:
        text: an option, or a key of the sweep, with the value.
        place: the key of the sweep; none of an option.
    """

    text: str
    place: Path | None = None


@dataclass(frozen=True)
class Origins:
    """Where the values of a document come from.

    Attributes:
        source: the file, for its content.
        elsewhere: how the other values were written, by their keys: by ``--set``, or by a sweep.
    """

    source: Source
    elsewhere: Mapping[Path, Written] = field(default_factory=dict)

    def described(
        self, problem: Problem, document: Any, computed: Mapping[Path, Computed] | None = None
    ) -> PlacedMessage:
        """A problem as one line: file, key, value, and what is wrong.

        Args:
            problem: what is wrong.
            document: in which.
            computed: what the expressions of the document gave.
        """
        from ackclock.scenario.earlier_keys import as_written

        path = as_written(document, problem.path)
        for end in range(len(path), 0, -1):
            written = self.elsewhere.get(path[:end])
            if written is not None:
                inside = f" ({_key(path)})" if end < len(path) else ""
                line = None if written.place is None else self.source.line(written.place)
                said = _message(f"{self.of(written)}{inside}", problem.reason)
                return PlacedMessage(said, line, _key(path))
        said = self.source.at(path)
        said += f": {_key(path)}" if path else ""
        raw = keys.get(document, path) if path else MISSING
        if raw is MISSING:
            said += _by_default(document, path)
        elif not _holds_tables(raw):
            said += f" = {brief(raw)}"
        if computed and path in computed:
            said += f" (which is {brief(computed[path])})"
        said = _message(said, problem.reason)
        return PlacedMessage(said, self.source.line(path), _key(path) if path else "")

    def of(self, written: Written) -> str:
        """Where a value was written, and how."""
        place = written.place
        return written.text if place is None else f"{self.source.at(place)}: {written.text}"


def brief(value: Any) -> str:
    """A value as it is written, cut if it is long."""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else shown(value)
    return shortened(text)


def _key(path: Path) -> str:
    return shortened(keys.show(path))


def _by_default(document: Any, path: Path) -> str:
    from ackclock.scenario.places import UnknownKeyError, locate

    try:
        place = locate(document, path)
    except UnknownKeyError:
        return ""
    if place.default in (MISSING, "", (), {}) or place.rest or place.key.kind is None:
        return ""
    return f" (not given: {brief(place.key.kind.write(place.default))})"


def _holds_tables(raw: Any) -> bool:
    """Whether a value is more than a line in a file."""
    inside = raw.values() if isinstance(raw, dict) else raw if isinstance(raw, list) else ()
    return any(isinstance(each, dict | list) for each in inside)


def _message(place: str, reason: str) -> str:
    return one_line(f"{place}: {shortened(reason, _LONGEST_REASON)}")
