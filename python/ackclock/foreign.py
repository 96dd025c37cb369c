"""Text that comes from files and options, made fit to be shown.

A control character can clear a terminal or forge its lines, and XML cannot hold it; a message that
repeats a text of a megabyte cannot be read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
"""C0 and C1 controls, marks that turn the direction of writing, line separators, and what is no
character at all."""
_LONGEST = 100
_FORMULA = ("=", "+", "-", "@")
"""With what a formula of a spreadsheet program begins."""


def escaped(text: str, keep: str = "\n\t") -> str:
    r"""The text with control characters as a TOML file writes them: ``\u001b``.

    Args:
        text: from elsewhere.
        keep: characters that stay as they are.
    """
    return CONTROLS.sub(lambda sign: sign[0] if sign[0] in keep else _escape(sign[0]), text)


def one_line(text: str) -> str:
    """The text in one line, with control characters escaped."""
    return escaped(text, keep="")


def _escape(sign: str) -> str:
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(sign, f"\\u{ord(sign):04x}")


def shortened(text: str, most: int = _LONGEST) -> str:
    """The text, or its beginning and its end and how long it is.

    Args:
        text: from elsewhere.
        most: characters of it to be shown.
    """
    if len(text) <= most:
        return text
    end = most // 4
    return f"{text[: most - end]}...{text[-end:]} ({len(text)} characters)"


def without_formulas(table: pd.DataFrame) -> pd.DataFrame:
    """A table for a CSV file, in which a spreadsheet program finds no formula.

    An apostrophe stands before each text, and each name of a column, that begins like one. Numbers
    stay as they are.
    """
    texts = table.select_dtypes(exclude=["number", "bool", "datetime"])
    shown = table.assign(**{name: texts[name].astype(object).map(_inert) for name in texts})
    return shown.rename(columns=_inert)


def _inert(value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith(_FORMULA):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value
