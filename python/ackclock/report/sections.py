"""The sections of a page about a study in parts; see ``templates/parts.html``."""

from __future__ import annotations

from typing import Any

from ackclock.report.blocks import Figure, Table


def section(id: str, name: str, text: str, *shown: Table | Figure | None) -> dict[str, Any]:
    """A section of the page.

    Args:
        id: unique in the page.
        name: its heading.
        text: what it is about.
        shown: tables and figures; those that are not there are left out.
    """
    blocks = [
        {"it": each, "kind": "table" if isinstance(each, Table) else "figure"}
        for each in shown
        if each is not None
    ]
    return {"id": id, "name": name, "text": text, "shown": blocks}
