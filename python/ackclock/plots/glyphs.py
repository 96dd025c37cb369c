"""Warnings of characters that the font of the figures does not have.

An SVG or a PGF picture stores characters, and its viewer has other fonts. A PNG or a PDF shows a
box for a missing character.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.text import Text

from ackclock.errors import InputWarning

_MOST_SHOWN = 12


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress matplotlib's own warnings of missing characters, which show its source code."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from font")
        yield


def print_lacking(figure: Figure) -> None:
    """Warn of characters that a figure shows as boxes."""
    lacking = dict.fromkeys(
        sign
        for text in figure.findobj(Text)
        for sign in text.get_text()
        if not sign.isspace() and ord(sign) not in _known(text.get_fontproperties())
    )
    if lacking:
        shown = " ".join(list(lacking)[:_MOST_SHOWN])
        more = f" and {len(lacking) - _MOST_SHOWN} more" if len(lacking) > _MOST_SHOWN else ""
        warnings.warn(
            f"the font of this figure has no {shown}{more}; boxes replace them. Write the figure"
            " as .svg, which uses the fonts of its viewer",
            InputWarning,
            stacklevel=3,
        )


@lru_cache(maxsize=16)
def _known(font: FontProperties) -> frozenset[int]:
    return frozenset(get_font(findfont(font)).get_charmap())
