"""The built scripts and styles of the page, in a folder beside this module."""

from __future__ import annotations

from pathlib import Path

from ackclock.errors import InputError

FOLDER = Path(__file__).parent / "static"


def text(name: str) -> str:
    """Return the text of a file of the bundle.

    Raises:
        InputError: the page is not built.
    """
    try:
        return (FOLDER / name).read_text(encoding="utf-8")
    except OSError:
        raise InputError(f"the lab's {name} is not built; write `make page`") from None
