"""Tables and figures as a page shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from markupsafe import Markup
from matplotlib.figure import Figure as MatplotlibFigure

from ackclock.plots.svg import inline_svg
from ackclock.report.interactive import Components


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Attributes:
        text: what it says first. detail: what follows in smaller letters, on a line of its own
            where there is no room.
        scope: what it is the heading of ("col", "colgroup", "row", "rowgroup"); nothing if it is
            a value.
        rows, columns: how many it spans.
        kind: how it looks: "number", "published", "code", "changed", "word" (that is not broken),
            or "".
        mark: "inside" or "outside" an interval, or "".
    """

    text: str
    detail: str = ""
    scope: Literal["", "col", "colgroup", "row", "rowgroup"] = ""
    rows: int = 1
    columns: int = 1
    kind: str = ""
    mark: Literal["", "inside", "outside"] = ""


Row = Sequence[Cell]


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        id: unique in the page.
        caption: what it shows, where it comes from.
        head: its rows of headings; cells of the first one span groups of columns.
        groups: its rows, in groups.
    """

    id: str
    caption: str
    head: Sequence[Row]
    groups: Sequence[Sequence[Row]]


@dataclass(frozen=True)
class Drawing:
    """A drawing of a figure.

    Attributes:
        id: unique in the page.
        svg: inline SVG.
        data: makes what an interactive page draws in the place of the SVG, as the components want
            it; none if they cannot draw this.
    """

    id: str
    svg: Markup
    data: Callable[[Components], bytes | None] | None = None


@dataclass(frozen=True)
class Figure:
    """Drawings that share one caption.

    Attributes:
        id: unique in the page.
        caption: what it shows. source: what produced it.
        drawings: of it.
        wide: whether each drawing has several panels beside each other, and takes a whole row.
    """

    id: str
    caption: str
    source: str
    drawings: Sequence[Drawing]
    wide: bool = False


def heading(text: str, detail: str = "", columns: int = 1, rows: int = 1) -> Cell:
    """The heading of a column of words, or of several columns."""
    return Cell(text, detail, "colgroup" if columns > 1 else "col", rows, columns)


def number_heading(text: str, detail: str = "") -> Cell:
    """The heading of a column of numbers."""
    return Cell(text, detail, "col", kind="number")


def row_heading(text: str, rows: int = 1) -> Cell:
    """The heading of a row, or of several."""
    return Cell(text, scope="rowgroup" if rows > 1 else "row", rows=rows)


def number(text: str, detail: str = "") -> Cell:
    """A value."""
    return Cell(text, detail, kind="number")


def published(text: str, detail: str = "", mark: Literal["", "inside", "outside"] = "") -> Cell:
    """A value that was printed, so that it stands out from those simulated."""
    return Cell(text, detail, kind="published", mark=mark)


def drawing(
    figure: MatplotlibFigure,
    id: str,
    title: str,
    description: str,
    data: Callable[[Components], bytes | None] | None = None,
) -> Drawing:
    """A matplotlib figure for a page; see ``inline_svg``.

    Args:
        figure: to be drawn.
        id: unique in the page.
        title: short name.
        description: what it shows.
        data: as in ``Drawing``; by default the chart that the figure has.
    """
    chart: Any = getattr(figure, "chart", None)
    if data is None and chart is not None:

        def data(its: Components) -> bytes:
            return its.chart(chart)

    # What matplotlib draws is well-formed SVG with every text escaped.
    return Drawing(id, Markup(inline_svg(figure, id, title, description)), data)
