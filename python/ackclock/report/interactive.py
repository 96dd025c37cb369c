"""Pages whose figures can be looked into: a drawing with its data, and what the page may run.

The components are those of the lab in the browser, in one script. It finds the drawings that have
data and draws a panel over each; where it cannot, the SVG stays. Nothing is fetched: the page works
from a file with the network off, and its policy lets it run this one script.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Protocol

from markupsafe import Markup

if TYPE_CHECKING:
    from ackclock.plots.chart import Chart
    from ackclock.report.blocks import Drawing
    from ackclock.results.results import Results

DATA_TYPE = "application/x-ackclock-columns"
"""Of the data in a page; a browser runs nothing of a type that it does not know."""


class Components(Protocol):
    """What the lab gives to a page.

    Attributes:
        script: that draws the panels.
        style: of the panels.
    """

    script: str
    style: str

    def chart(self, chart: Chart) -> bytes:
        """The data of means or of shares."""
        ...

    def run(self, results: Results, point: int, replication: int) -> bytes | None:
        """The data of a recorded run; none if the components cannot draw it."""
        ...


def shown(drawing: Drawing, components: Components | None) -> Markup:
    """A drawing as a page has it: its SVG, and on an interactive page its data.

    Args:
        drawing: of a figure.
        components: of an interactive page; none for a page without scripts.
    """
    data = drawing.data(components) if components and drawing.data else None
    if data is None:
        return drawing.svg
    # No letter of base64 ends a script.
    return Markup(
        '<div data-figure="{id}">{svg}</div>\n<script type="{type}" id="{id}-data">{data}</script>'
    ).format(
        id=drawing.id, svg=drawing.svg, type=DATA_TYPE, data=base64.b64encode(data).decode("ascii")
    )


def policy(components: Components, *styles: str) -> str:
    """What a browser may do with an interactive page: run this script, and nothing else.

    Args:
        components: of the page.
        styles: contents of its other style elements.
    """
    hashes = " ".join(map(_hash, (*styles, components.style)))
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {_hash(components.script)}",
            # A drawing has attributes of style; browsers that know no more see the first of these.
            "style-src 'unsafe-inline'",
            f"style-src-elem {hashes}",
            "style-src-attr 'unsafe-inline'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
