"""Reading a scenario file, and ``--set``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from pathlib import Path as FilePath
from typing import Any

from ackclock.errors import InputError
from ackclock.scenario import keys, limits
from ackclock.scenario.keys import Path
from ackclock.scenario.problems import Origins, Written
from ackclock.scenario.source_lines import Source
from ackclock.untrusted_text import one_line, shortened

_UNNAMED = Source("scenario")
_EXAMPLE = 'duration = "60 s"'


@dataclass(frozen=True)
class Document:
    """A scenario as it was written.

    Attributes:
        source: the file, for messages.
        folder: of the file, from which it names others; the working directory if there is none.
        text: of the file; empty if there was none.
        values: its tables; a number with a point is a ``Decimal``.
        changed: keys that ``--set`` has changed, and how it was written.
        within: whether it may name files in its folder only, and not those elsewhere.
        sets: the texts of ``--set`` that have changed them, as they were given.
    """

    source: Source
    folder: FilePath
    text: str
    values: dict[str, Any]
    changed: Mapping[Path, Written]
    within: bool = False
    sets: tuple[str, ...] = ()


def read(source: str | FilePath | Mapping[str, Any] | Document) -> Document:
    """A scenario as it is written.

    Args:
        source: path of a file; or the text of one, if it is a string with a line break; or its
            tables; or what was read already.

    Raises:
        InputError: there is no such file, or it is not TOML.
    """
    if isinstance(source, Document):
        return source
    if isinstance(source, Mapping):
        try:
            values = _plain(source)
        except RecursionError:
            raise InputError(f"{_UNNAMED.name}: the dictionary {limits.TOO_DEEP}") from None
        return _checked(Document(_UNNAMED, FilePath(), "", values, {}))
    if isinstance(source, str) and "\n" in source:
        values = _tables(_UNNAMED.name, source)
        return _checked(Document(_UNNAMED, FilePath(), source, values, {}))
    name, path = str(source), FilePath(source)
    text = _text(name, path)
    return _checked(Document(Source(name, text), path.parent, text, _tables(name, text), {}))


def read_text(name: str, text: str, folder: FilePath) -> Document:
    """A scenario from somebody who may not read every file of this computer.

    Args:
        name: what messages call it.
        text: of the scenario.
        folder: in which the files are that it may name.

    Raises:
        InputError: it is not TOML.
    """
    values = _tables(name, text)
    return _checked(Document(Source(name, text), folder, text, values, {}, within=True))


def _text(name: str, path: FilePath) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(limits.MOST_BYTES + 1)
        if len(content) > limits.MOST_BYTES:
            raise InputError(
                f"{name}: is larger than {limits.MOST_BYTES // 10**6} MB, the maximum of a"
                " scenario file; is this a scenario? `ackclock new --out lab.toml` writes one"
            )
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name}: is not UTF-8 text (byte {error.start + 1}); save the file as UTF-8"
        ) from error
    except IsADirectoryError as error:
        raise InputError(f"{name}: is a folder; name the scenario file in it") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"{name}: cannot be read ({reason}); name a scenario file, or write one with "
            "`ackclock new --out lab.toml`"
        ) from error


def _checked(document: Document) -> Document:
    """The document, if nothing in it is beyond what a scenario can have."""
    problems = limits.beyond(document.values)
    if problems:
        origins = Origins(document.source)
        raise InputError(origins.described(problem, document.values) for problem in problems)
    return document


def _plain(value: Any) -> Any:
    """Dictionaries and lists, as they come from a file."""
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def _tables(name: str, text: str) -> dict[str, Any]:
    if not text.strip():
        raise InputError(f"{name}: is empty; `ackclock new` shows a scenario to start from")
    try:
        return _loaded(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name}: is not TOML: {error}; write keys like {_EXAMPLE}") from error
    except limits.TooMuchError as error:
        place = name if error.line is None else f"{name}:{error.line}"
        raise InputError(f"{place}: {error}") from error


def _loaded(text: str) -> dict[str, Any]:
    """The tables of a text.

    Raises:
        TOMLDecodeError: it is not TOML.
        TooMuchError: it is too deep, has too many parts or too long a number.
    """
    limits.check_size(text)
    try:
        return tomllib.loads(text, parse_float=limits.read_number)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise limits.TooMuchError(limits.TOO_DEEP) from None
    except ValueError:
        raise limits.too_long(text) from None


def with_sets(document: Document, sets: Sequence[str]) -> tuple[Document, list[str]]:
    """The document with some keys changed, and what is wrong with the changes.

    Args:
        document: as it was read.
        sets: texts ``key=value``; a value is TOML, or a text without its quotes.
    """
    values: Any = document.values
    changed: dict[Path, Written] = {}
    problems = []
    for pair in sets:
        key, equals, value = (part.strip() for part in pair.partition("="))
        written = f"--set {shortened(one_line(pair))}"
        if not equals or not key:
            problems.append(f"{written}: write key=value, for example tcp.min_rto=400 ms")
            continue
        try:
            path = _factor_path(keys.parse(key), values)
            if path in changed:
                raise ValueError(f"the key was already set by {changed[path].text}")
            found = _value(value)
            wrong = limits.beyond(found, path)
            if wrong:
                raise ValueError(wrong[0].reason)
            values = keys.put(values, path, found)
        except ValueError as error:
            problems.append(f"{written}: {error}")
        else:
            changed[path] = Written(written)
    given = tuple(pair.strip() for pair in sets)
    return replace(document, values=values, changed=changed, sets=given), problems


def _factor_path(path: Path, values: Mapping[str, Any]) -> Path:
    """``sweep.factors.tcp.flavor`` means the factor "tcp.flavor", unless there is a "tcp"."""
    if path[:2] != ("sweep", "factors") or len(path) < 4:
        return path
    factors = keys.get(values, ("sweep", "factors"))
    if isinstance(factors, Mapping) and path[2] in factors:
        return path
    return ("sweep", "factors", keys.show(path[2:]))


def _value(text: str) -> Any:
    try:
        value = _loaded(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    only = value.get("value", text) if len(value) == 1 else text
    return text if isinstance(only, date | datetime | time) else only
