"""A template and its content become a page."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ackclock.report.interactive import Components, policy, shown

TEMPLATES = Path(__file__).parent / "templates"


_STYLE = TEMPLATES / "page.css"


def render(template: str, components: Components | None = None, **content: Any) -> str:
    """The page; every text in the content is escaped.

    Args:
        template: name of a file in ``TEMPLATES``.
        components: of an interactive page.
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
    environment.globals["drawn"] = partial(shown, components=components)
    environment.globals["interactive"] = components and {
        "policy": policy(components, f"\n{_STYLE.read_text(encoding='utf-8')}"),
        "script": Markup(components.script),
        "style": Markup(components.style),
    }
    return environment.get_template(template).render(content)


def write(path: Path, template: str, **content: Any) -> None:
    """Render into a file: UTF-8, the same bytes on every system."""
    path.write_text(render(template, **content), encoding="utf-8", newline="\n")
