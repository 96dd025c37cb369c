"""The name of a file, and what is in it: how a link changes, or which flows arrive."""

from __future__ import annotations

from typing import Any, NamedTuple

from ackclock.scenario.flow_trace import ListedFlows
from ackclock.scenario.paths import PathSteps, Trace
from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import plain


class PathFile(NamedTuple):
    """A file by its name.

    Attributes:
        name: relative to the folder of the scenario file.
        content: none if the file has not been read.
    """

    name: str
    content: PathSteps | Trace | ListedFlows | None = None


def file_name(raw: Any) -> str | None:
    """The name that is written; none if something else is."""
    text = plain(raw)
    return text.strip() if isinstance(text, str) and text.strip() else None


def path_file(example: str) -> Kind:
    """Files of which this would be the name of one."""

    def read(raw: Any) -> PathFile:
        if isinstance(raw, PathFile):
            return raw
        name = file_name(raw)
        if name is None:
            raise ValueError(f'expected the name of a file; write it like "{example}"')
        return PathFile(name)

    return Kind(
        accepts="name of a file",
        example=f'"{example}"',
        read=read,
        write=lambda value: value.name,
        number=lambda value: value.name,
        schema={"type": "string", "pattern": r"\S", "examples": [example]},
    )
