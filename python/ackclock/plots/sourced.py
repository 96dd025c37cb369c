"""Figures that state their source: at the foot, and in the metadata of their files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from ackclock.plots import glyphs
from ackclock.plots.chart import Chart
from ackclock.plots.style import GREY, WIDTH_IN, style

_FOOT_PT = 6.0
_LINE_IN = 0.115
_LETTERS_AN_INCH = 21
"""Letters per line of the foot, slightly less than the room."""
_SHOWN_DPI = 144
_FILE_DPI = 200


class SourcedFigure(Figure):
    """A figure whose foot and file metadata state its source.

    Args:
        height_in: height, inches.
        width_in: width, inches.
        title: title for the file's metadata.
        source: text on the source of the figure.

    Attributes:
        area: subfigure for axes, legends and titles.
        chart: content as numbers, for kinds that an interactive page can draw.
    """

    chart: Chart | None = None

    def __init__(
        self, height_in: float, width_in: float = WIDTH_IN, *, title: str, source: str
    ) -> None:
        super().__init__(figsize=(width_in, height_in), layout="constrained")
        FigureCanvasAgg(self)
        self.title = title
        self.source = source
        lines = lines_of_parts(source, int(_LETTERS_AN_INCH * width_in))
        foot_in = (len(lines) + 0.6) * _LINE_IN
        # Two subfigures: in a single figure, a legend "outside" would cover the foot.
        self.area, foot = self.subfigures(2, 1, height_ratios=[height_in - foot_in, foot_in])
        foot.text(
            0.01,
            0.6,
            "\n".join(lines),
            fontsize=_FOOT_PT,
            color=GREY,
            va="center",
            linespacing=1.3,
        )

    def savefig(self, fname: Any, *, metadata: dict[str, Any] | None = None, **more: Any) -> None:
        """As matplotlib's, with the source in the metadata and the style of all figures."""
        ending = more.get("format") or Path(str(fname)).suffix.removeprefix(".")
        if str(ending).lower() == "pgf":
            from ackclock.plots.pgf import without_latex

            # This format has no metadata.
            with style(), without_latex():
                super().savefig(fname, **more)
            return
        known = self._metadata(str(ending).lower()) | (metadata or {})
        more.setdefault("dpi", _FILE_DPI)
        # With a fixed salt, ids in an SVG and so its bytes are always equal.
        with style(), matplotlib.rc_context({"svg.hashsalt": self.source}):
            if str(ending).lower() == "svg" and more.keys() <= {"format", "dpi"}:
                # The same bytes as matplotlib's savefig, which draws everything twice.
                FigureCanvasSVG(self).print_svg(fname, metadata=known)
                return
            super().savefig(fname, metadata=known, **more)
        if str(ending).lower() != "svg":
            glyphs.print_lacking(self)

    def _metadata(self, ending: str) -> dict[str, Any]:
        if ending == "png":
            return {"Title": self.title, "Description": self.source, "Software": None}
        if ending == "svg":
            return {"Title": self.title, "Description": self.source, "Date": None, "Creator": None}
        if ending == "pdf":
            dates = {"CreationDate": None, "ModDate": None}
            return {"Title": self.title, "Subject": self.source, "Creator": None, **dates}
        return {}

    def _repr_png_(self) -> bytes:
        """Return the figure as PNG for notebooks, which need this method without pyplot."""
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=_SHOWN_DPI)
        return buffer.getvalue()


def lines_of_parts(text: str, width: int, between: str = " · ", *, at_end: str = "") -> list[str]:
    """Break the parts of a text into lines of about this width.

    Args:
        text: text to break.
        width: width of a line, letters.
        between: separator between two parts on one line.
        at_end: part of the separator that remains at the end of a line.
    """
    lines = [""]
    for part in text.split(between):
        longer = f"{lines[-1]}{between}{part}" if lines[-1] else part
        if len(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines[-1] += at_end
            lines.append(part)
    return lines
