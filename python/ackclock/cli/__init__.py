"""The command ``ackclock``.

What a command needs is imported when it runs, so that help and messages come at once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from cyclopts import App, CycloptsError

from ackclock import __version__
from ackclock.errors import InputError

BAD_INPUT = 2
INTERRUPTED = 130

app = App(
    name="ackclock",
    help="A TCP performance laboratory.",
    version=__version__,
    suppress_keyboard_interrupt=False,
)
app.command(
    "ackclock.cli.reproduce:app", name="reproduce", help="Re-run a published study and compare."
)
app.command(
    "ackclock.cli.anova:anova",
    name="anova",
    help="Analyse the variation of a full factorial experiment in a CSV file.",
)


def main(words: Iterable[str] | None = None) -> int:
    """Run the command; bad input gives one message a problem on standard error.

    Args:
        words: the command line after the program's name; from ``sys.argv`` if none.

    Returns:
        The exit code: 0; 2 for bad input; 130 when interrupted.
    """
    try:
        app(
            words,
            exit_on_error=False,
            print_error=False,
            result_action="return_value",
        )
    except CycloptsError as error:
        return _complain([f"{error} See --help."])
    except InputError as error:
        return _complain(error.messages)
    except KeyboardInterrupt as interrupt:
        print(f"ackclock: stopped. {interrupt}".rstrip(), file=sys.stderr)
        return INTERRUPTED
    return 0


def _complain(messages: Iterable[str]) -> int:
    for message in messages:
        print(f"ackclock: {message}", file=sys.stderr)
    return BAD_INPUT
