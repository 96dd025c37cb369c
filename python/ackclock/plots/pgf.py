"""A figure as a PGF picture, which LaTeX draws in the fonts of the document that has it.

matplotlib's own writer runs LaTeX to measure each text. Here the font of all figures gives the
widths, so that no LaTeX is needed and the file is the same on every machine.
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
    """Writes 0 without a sign: the layout is solved by rounding, and -0 comes of it by chance."""

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
        """In pixels."""
        width, height, descent = text_to_path.get_text_width_height_descent(s, prop, ismath)
        pixels = self.points_to_pixels(1)
        return width * pixels, height * pixels, descent * pixels

    def draw_text(self, gc: Any, x: float, y: float, s: str, *how: Any, **more: Any) -> None:
        """Verbatim, without special meaning in TeX."""
        super().draw_text(gc, x, y, in_tex(s), *how, **more)


def in_tex(text: str) -> str:
    """A text as LaTeX prints it."""
    return _SIGNS.sub(lambda sign: _IN_TEX[sign[0]], text)


@contextmanager
def without_latex() -> Iterator[None]:
    """Let matplotlib write PGF pictures that need no LaTeX before they are in a document."""
    usual = backend_pgf.RendererPgf
    # The writer makes its renderer by this name and takes no other.
    backend_pgf.RendererPgf = _Renderer
    try:
        with matplotlib.rc_context({"pgf.rcfonts": False}):
            yield
    finally:
        backend_pgf.RendererPgf = usual
