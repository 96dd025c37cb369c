"""Figures that state what produced them: small at the foot, and in the metadata of their files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ackclock.plots import glyphs
from ackclock.plots.chart import Chart
from ackclock.plots.style import GREY, WIDTH_IN, style

_FOOT_PT = 6.0
_LINE_IN = 0.115
_LETTERS_AN_INCH = 21
"""Of the foot, a little less than there is room for."""
_SHOWN_DPI = 144
_FILE_DPI = 200


class SourcedFigure(Figure):
    """A figure with a foot; saved with any of its methods, the file says the same.

    Args:
        height_in: height, inches.
        width_in: width, inches.
        title: what it shows, for the file's metadata.
        source: what produced it.

    Attributes:
        area: where to draw: axes, legends and titles go here.
        chart: what it shows as numbers, of kinds that a page can draw itself.
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
        # Not one figure: a legend "outside" would stand on the foot.
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

            # It has no metadata.
            with style(), without_latex():
                super().savefig(fname, **more)
            return
        known = self._metadata(str(ending).lower()) | (metadata or {})
        more.setdefault("dpi", _FILE_DPI)
        # The salt makes ids in an SVG, and so its bytes, the same every time.
        with style(), matplotlib.rc_context({"svg.hashsalt": self.source}):
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
        """For notebooks, which show a figure without pyplot by this alone."""
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=_SHOWN_DPI)
        return buffer.getvalue()


def lines_of_parts(text: str, width: int, between: str = " · ", *, at_end: str = "") -> list[str]:
    """The parts of a text in lines of about this width.

    Args:
        text: to be broken.
        width: of a line, letters.
        between: two parts on one line.
        at_end: the part of a separator that remains at the end of a line.
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
