"""The flavor of a TCP: a name of the table of flavors, or a class in a Python file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import choice, plain

PYTHON = "python"
"""The key of the table that names a class."""
_SUFFIX = ".py:"
_EXAMPLE = "my_tcp.py:MyControl"
_FORM = f'{{ {PYTHON} = "{_EXAMPLE}" }}'


class OwnFlavor(str):
    """A congestion control in Python; as a text it is its name, "my_tcp.py:MyControl".

    Attributes:
        text: content of the file; none if the file has not been read.
    """

    text: str | None

    def __new__(cls, name: str, text: str | None = None) -> OwnFlavor:
        """Make one of its name and of the content of the file."""
        made = super().__new__(cls, name)
        made.text = text
        return made

    def __getnewargs__(self) -> tuple[str, str | None]:
        """The arguments with which pickle makes a copy in another process."""
        return str(self), self.text

    @property
    def file(self) -> str:
        """Name of the file, relative to the folder of the scenario file."""
        return self.rpartition(":")[0]

    @property
    def class_name(self) -> str:
        """Name of the class in the file."""
        return self.rpartition(":")[2]

    def plan(self) -> dict[str, Any]:
        """As the core reads it."""
        return {PYTHON: {"file": self.file, "class": self.class_name, "text": self.text or ""}}


def own_flavor(raw: Any) -> OwnFlavor | None:
    """The class that is meant; none if a name of a flavor is, or something wrong.

    Args:
        raw: a table ``{ python = "my_tcp.py:MyControl" }``, or the text in it alone.
    """
    written = plain(raw)
    if isinstance(written, OwnFlavor):
        return written
    if isinstance(written, Mapping) and written.keys() == {PYTHON}:
        written = written[PYTHON]
    if not isinstance(written, str) or _SUFFIX not in written:
        return None
    file, _, name = written.strip().rpartition(":")
    return OwnFlavor(f"{file}:{name}") if file.endswith(".py") and name.isidentifier() else None


def flavor(names: list[str], renamed: Mapping[str, str]) -> Kind:
    """Flavors by these names, or classes in Python files.

    Args:
        names: of the table of flavors.
        renamed: earlier names, by what they are called now.
    """
    named = choice(names, renamed=renamed)

    def read(raw: Any) -> str:
        found = own_flavor(raw)
        if found is not None:
            return found
        written = plain(raw)
        if isinstance(written, Mapping) or (isinstance(written, str) and ".py" in written):
            raise ValueError(f"names no class in a Python file; write it like {_FORM}")
        return str(named.read(raw))

    pattern = r"\.py:[^:]+$"
    python = {"type": "string", "pattern": pattern, "examples": [_EXAMPLE]}
    table = {
        "type": "object",
        "properties": {PYTHON: python},
        "required": [PYTHON],
        "additionalProperties": False,
    }
    return replace(
        named,
        accepts=f"{named.accepts}, or {_FORM}",
        read=read,
        write=str,
        number=str,
        schema={"anyOf": [dict(named.schema), python, table]},
    )
