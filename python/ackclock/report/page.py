"""A template and its content become a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, **content: Any) -> str:
    """The page; every text in the content is escaped.

    Args:
        template: name of a file in ``TEMPLATES``.
        content: what its names stand for; a name that is missing is an error.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(template).render(content)


def write(path: Path, template: str, **content: Any) -> None:
    """Render into a file: UTF-8, the same bytes on every system."""
    path.write_text(render(template, **content), encoding="utf-8", newline="\n")
