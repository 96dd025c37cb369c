"""Lines that the commands print."""

from __future__ import annotations

import sys

from ackclock.untrusted_text import escaped


def say(text: object, *, err: bool = False) -> None:
    """Print a line, or several; control characters in them are escaped.

    Args:
        text: to be printed.
        err: on standard error.
    """
    print(escaped(str(text)), file=sys.stderr if err else sys.stdout, flush=err)
