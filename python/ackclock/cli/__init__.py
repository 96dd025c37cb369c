"""The command ``ackclock``.

What a command needs is imported when it runs, so that help and messages come at once.
"""

from __future__ import annotations

import gc
import inspect
import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from cyclopts import App, CycloptsError, UnusedCliTokensError

from ackclock import __version__
from ackclock.cli.output import say
from ackclock.cli.stopping import INTERRUPTED
from ackclock.errors import InputError, InputWarning
from ackclock.untrusted_text import shortened

BAD_INPUT = 2
PIPE_CLOSED = 1
_NEW_OBJECTS = 50_000
"""New objects after which the garbage collector searches for cycles. 100,000 flows are a million
objects without cycles; to search them every 700 objects takes a quarter of the time."""
_LONGEST_MESSAGE = 4000
"""Characters; what quotes a file or an option is cut where it does so."""

app = App(
    name="ackclock",
    help="A TCP performance laboratory.",
    # Its own help has a line for each command; to render Markdown takes a quarter of the time.
    help_format="plaintext",
    version=f"ackclock {__version__}",
    suppress_keyboard_interrupt=False,
)
_COMMANDS = (
    ("help", "Print the help text of all commands, or of one."),
    ("completion", "Complete commands and options in bash, zsh or fish with the Tab key."),
    ("new", "Write a scenario file as a starting point."),
    ("check", "Validate scenario files and summarise their runs."),
    ("explain", "Explain what a scenario file means."),
    ("lab", "Open the laboratory in a browser: set values, see curves and packets, compare."),
    ("schema", "Print the JSON Schema of scenario files, for editors."),
    ("run", "Make the missing runs of a scenario, and show the results."),
    ("emulate", "Run a scenario in real time, with this computer's TCP (Linux)."),
    ("shell", "Run any program over the network path of a scenario, in real time (Linux)."),
    (
        "validate-kernel",
        "Compare the simulated TCP with this computer's TCP, and write the pages (Linux).",
    ),
    (
        "size-buffer",
        "Find the smallest buffer with which a scenario reaches a target.",
    ),
    ("capture", "Write the packets of one run to a pcapng file."),
    ("show", "Show the results of a campaign."),
    ("compare", "Compare TCP flavors, or the levels of a factor of a campaign."),
    ("plot", "Draw a figure from the results of a campaign."),
    ("report", "Write a report of one campaign, or of several side by side."),
    ("evaluate", "Evaluate a TCP beside others with the Common TCP Evaluation Suite."),
    ("metrics", "List the metrics of a run, with units and meanings."),
    ("export", "Write the results of a campaign as CSV or Parquet."),
    ("drill", "Run packetdrill scripts against the simulated TCP."),
    ("anova", "Analyse the variation (ANOVA) of a full factorial experiment in a CSV file."),
)
app.command(
    "ackclock.cli.reproduce:app",
    name="reproduce",
    help="Re-run a published study, and compare with its results.",
)
app.command(
    "ackclock.cli.model:app",
    name="model",
    help="Compute TCP throughput or loss by formulas, or estimate both from a capture.",
)
for _name, _help in _COMMANDS:
    _function = _name.replace("-", "_")
    _where = f"ackclock.cli.{_function}:{_function}"
    app.command(_where, name=_name, help=_help, help_format="markdown")


def main(words: Iterable[str] | None = None) -> int:
    """Run the command; bad input gives one message a problem on standard error.

    Args:
        words: the command line after the program's name; from ``sys.argv`` if none.

    Returns:
        The exit code: 0, or what the command says; 2 for bad input; 130 when interrupted;
        1 if the reader of the output has closed it.
    """
    gc.set_threshold(_NEW_OBJECTS)
    try:
        with _input_warnings():
            code = app(
                words,
                exit_on_error=False,
                print_error=False,
                result_action="return_value",
            )
        if sys.stdout is not None:  # None: it was closed before.
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has seen enough, as `head` has; nothing more is to be written at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except UnusedCliTokensError as error:
        return _complain([_not_understood(error)])
    except CycloptsError as error:
        return _complain([f"{error} See --help."])
    except InputError as error:
        return _complain(error.messages)
    except KeyboardInterrupt as interrupt:
        say(f"ackclock: stopped. {interrupt}".rstrip(), err=True)
        return INTERRUPTED
    return code or 0


@contextmanager
def _input_warnings() -> Iterator[None]:
    """Print each warning about the input once, as this command's own; other warnings as usual."""
    said = set()
    with warnings.catch_warnings():
        # A sweep reads the same value at each of its points.
        warnings.simplefilter("always", InputWarning)
        usual = warnings.showwarning

        def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, InputWarning):
                usual(message, category, *where, **more)
            elif str(message) not in said:
                said.add(str(message))
                say(f"ackclock: warning: {message}", err=True)

        warnings.showwarning = show
        yield


def _not_understood(error: UnusedCliTokensError) -> str:
    """Which words a command does not take, and what it takes."""
    command = " ".join(["ackclock", *(error.command_chain or ())])
    words = ", ".join(f'"{word}"' for word in error.unused_tokens or ())
    assert error.target is not None
    takes = [
        f"{each.name.upper()}{'...' if each.kind is each.VAR_POSITIONAL else ''}"
        for each in inspect.signature(error.target).parameters.values()
        if each.kind in (each.POSITIONAL_ONLY, each.VAR_POSITIONAL)
    ]
    known = " ".join(takes) if takes else "only options"
    return f"{words}: not understood; {command} takes {known}, see {command} --help"


def _complain(messages: Iterable[str]) -> int:
    for message in messages:
        say(f"ackclock: {shortened(message, _LONGEST_MESSAGE)}", err=True)
    return BAD_INPUT
