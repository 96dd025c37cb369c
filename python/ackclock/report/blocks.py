"""What a page shows: tables, figures, and words between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

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

    kind: ClassVar[str] = "table"
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

    kind: ClassVar[str] = "figure"
    id: str
    caption: str
    source: str
    drawings: Sequence[Drawing]
    wide: bool = False


@dataclass(frozen=True)
class Heading:
    """A heading within a section."""

    kind: ClassVar[str] = "subheading"
    text: str


@dataclass(frozen=True)
class Text:
    """A paragraph.

    Attributes:
        text: of it; what is no ``Markup`` is escaped.
        lead: what it begins with, in bold: "Question."
        soft: whether it is a remark, in a lighter colour.
    """

    kind: ClassVar[str] = "text"
    text: str
    lead: str = ""
    soft: bool = False


@dataclass(frozen=True)
class Bullets:
    """Sentences in a list."""

    kind: ClassVar[str] = "bullets"
    sentences: Sequence[str]


@dataclass(frozen=True)
class Definitions:
    """Names, and what there is to say of each."""

    kind: ClassVar[str] = "definitions"
    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Verdicts:
    """Claims with their verdicts.

    Attributes:
        claims: rows with id, holds, p and reached (as texts), evidence, source, statement.
        elsewhere: ids of those whose evidence stands elsewhere on the page, and is linked to; none
            if each stands here with its evidence.
    """

    kind: ClassVar[str] = "verdicts"
    claims: Sequence[dict[str, Any]]
    elsewhere: frozenset[str] | None = None


@dataclass(frozen=True)
class Notice:
    """What stands above results that should be checked before they are trusted.

    Attributes:
        banner: of ``ackclock.results.emulated``.
    """

    kind: ClassVar[str] = "notice"
    banner: Any


Block = Table | Figure | Heading | Text | Bullets | Definitions | Verdicts | Notice


@dataclass(frozen=True)
class Section:
    """A section of a page.

    Attributes:
        id: unique in the page.
        name: its heading.
        blocks: what it shows; those that are not there are left out.
    """

    id: str
    name: str
    blocks: Sequence[Block | None]

    @property
    def shown(self) -> list[Block]:
        """The blocks that are there."""
        return [block for block in self.blocks if block is not None]

    @property
    def is_empty(self) -> bool:
        """Whether it shows nothing but words."""
        return not any(isinstance(block, Table | Figure) for block in self.blocks)


def section(id: str, name: str, text: str, *blocks: Block | None) -> Section:
    """A section that begins with a paragraph on what it is about."""
    return Section(id, name, [Text(text), *blocks])


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
