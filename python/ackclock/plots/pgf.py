"""Write a figure as a PGF picture, which LaTeX draws in the fonts of your document.

matplotlib's own writer runs LaTeX to measure each text. Here the widths come from the font of all
figures, so LaTeX is not needed and the file is the same on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import matplotlib
from matplotlib.backends import backend_pgf
from matplotlib.figure import Figure
from matplotlib.textpath import text_to_path

_IN_TEX = {
    **{sign: f"\\{sign}" for sign in "{}$&#%_"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "--": "-{}-",
    "–": "--",
    "·": r"\ensuremath{\cdot}",
    "…": r"\ldots{}",
    "\u00a0": "~",
    "±": r"\ensuremath{\pm}",
    "×": r"\ensuremath{\times}",
    "µ": r"\ensuremath{\mu}",
    "μ": r"\ensuremath{\mu}",
    "≤": r"\ensuremath{\leq}",
    "≥": r"\ensuremath{\geq}",
    "∞": r"\ensuremath{\infty}",
    "→": r"\ensuremath{\rightarrow}",
}
_SIGNS = re.compile("|".join(map(re.escape, sorted(_IN_TEX, key=len, reverse=True))))


class _Unsigned:
    """Writes 0 without a sign, because rounding in the layout may produce -0."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write a text."""
        return self._file.write(text.replace("-0.000000in", "0.000000in"))


class _Renderer(backend_pgf.RendererPgf):
    def __init__(self, figure: Figure, fh: IO[str]) -> None:
        super().__init__(figure, _Unsigned(fh))

    def get_text_width_height_descent(
        self, s: str, prop: Any, ismath: Any
    ) -> tuple[float, float, float]:
        """Return width, height and descent of a text, pixels."""
        width, height, descent = text_to_path.get_text_width_height_descent(s, prop, ismath)
        pixels = self.points_to_pixels(1)
        return width * pixels, height * pixels, descent * pixels

    def draw_text(self, gc: Any, x: float, y: float, s: str, *how: Any, **more: Any) -> None:
        """Draw a text verbatim: characters have no special meaning in TeX."""
        super().draw_text(gc, x, y, in_tex(s), *how, **more)


def in_tex(text: str) -> str:
    """Escape a text for LaTeX."""
    return _SIGNS.sub(lambda sign: _IN_TEX[sign[0]], text)


@contextmanager
def without_latex() -> Iterator[None]:
    """Let matplotlib write PGF pictures without running LaTeX."""
    usual = backend_pgf.RendererPgf
    # The writer looks up its renderer by this name; it cannot be passed as an argument.
    backend_pgf.RendererPgf = _Renderer
    try:
        with matplotlib.rc_context({"pgf.rcfonts": False}):
            yield
    finally:
        backend_pgf.RendererPgf = usual
