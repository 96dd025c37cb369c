"""Escape and shorten text from files and options before it is shown.

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
"""C0 and C1 controls, marks that change the direction of writing, line separators, and code
points that are not characters."""
_UNSEEN = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\uffa0"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e001f"
)
"""Spaces without width, soft hyphens, fillers: allowed in a text, but invisible."""
_JOINER = "\u200c\u200d"
"""Joins letters in some scripts, and emoji; between other characters it is invisible."""
_JOINED = f"[^\x00-\x7f{_CONTROLS}{_UNSEEN}{_JOINER}]"
_ESCAPED = re.compile(f"[{_CONTROLS}{_UNSEEN}]|(?<!{_JOINED})[{_JOINER}]|[{_JOINER}](?!{_JOINED})")
_LONGEST = 100
_FORMULA = ("=", "+", "-", "@")
"""Characters with which a formula of a spreadsheet program begins."""


def escaped(text: str, keep: str = "\n\t") -> str:
    r"""Return the text with control and invisible characters escaped as in TOML: ``\u001b``.

    Args:
        text: text from a file or an option.
        keep: characters that are not escaped.
    """
    return _ESCAPED.sub(lambda sign: sign[0] if sign[0] in keep else code(sign[0]), text)


def one_line(text: str) -> str:
    """Return the text as one line, with control characters escaped."""
    return escaped(text, keep="")


def code(sign: str) -> str:
    r"""Return the TOML escape of a character: ``\u001b``."""
    number = ord(sign)
    by_number = f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(sign, by_number)


def shortened(text: str, most: int = _LONGEST) -> str:
    """Return the text, or if it is too long its beginning, its end and its length.

    Args:
        text: text from a file or an option.
        most: largest number of characters to show.
    """
    if len(text) <= most:
        return text
    end = most // 4
    return f"{text[: most - end]}...{text[-end:]} ({len(text)} characters)"


def without_formulas(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table for a CSV file without cells that a spreadsheet reads as formulas.

    Each text and each column name that begins like a formula gets an apostrophe in front. Numbers
    do not change.
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
