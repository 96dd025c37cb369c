"""Text that comes from files and options, made fit to be shown.

A control character can clear a terminal or forge its lines, and XML cannot contain it. Invisible
characters make a message unintelligible, and a message that repeats a megabyte of text is
unreadable.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

_CONTROLS = (
    "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff"
)
CONTROLS = re.compile(f"[{_CONTROLS}]")
"""C0 and C1 controls, marks that turn the direction of writing, line separators, and what is no
character at all."""
_UNSEEN = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\uffa0"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e001f"
)
"""Spaces without width, soft hyphens, fillers: a text may have them, but they are invisible."""
_JOINER = "\u200c\u200d"
"""Of letters in some scripts, and of emoji; between others it is invisible."""
_JOINED = f"[^\x00-\x7f{_CONTROLS}{_UNSEEN}{_JOINER}]"
_ESCAPED = re.compile(f"[{_CONTROLS}{_UNSEEN}]|(?<!{_JOINED})[{_JOINER}]|[{_JOINER}](?!{_JOINED})")
_LONGEST = 100
_FORMULA = ("=", "+", "-", "@")
"""With what a formula of a spreadsheet program begins."""


def escaped(text: str, keep: str = "\n\t") -> str:
    r"""The text with controls and what nobody sees as a TOML file writes them: ``\u001b``.

    Args:
        text: from elsewhere.
        keep: characters that stay as they are.
    """
    return _ESCAPED.sub(lambda sign: sign[0] if sign[0] in keep else code(sign[0]), text)


def one_line(text: str) -> str:
    """The text in one line, with control characters escaped."""
    return escaped(text, keep="")


def code(sign: str) -> str:
    r"""A character as a TOML file writes it by its number: ``\u001b``."""
    number = ord(sign)
    by_number = f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(sign, by_number)


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
