"""``ackclock new``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from ackclock.cli.output import say
from ackclock.cli.reading import console
from ackclock.errors import InputError


def new(
    kind: Literal["dumbbell", "parking_lot", "graph", "atm_dumbbell", "atm_clients", "atm_network"]
    | None = None,
    /,
    *,
    from_: Annotated[str | None, Parameter(name="--from")] = None,
    list_: Annotated[bool, Parameter(name="--list", negative=())] = False,
    out: Path | None = None,
) -> None:
    """Print a scenario with comments, as a starting point.

    `ackclock new --out lab.toml` writes a dumbbell. `ackclock new --from bufferbloat --out
    lab.toml` copies a ready-made scenario, which shows one effect of TCP or of a queue.

    Args:
        kind: Kind of topology; by default dumbbell.
        from_: Name of a ready-made scenario to copy; see --list.
        list_: List the ready-made scenarios.
        out: Write the scenario to this file, which must not exist; by default to standard output.
    """
    if list_:
        _list()
        return
    if kind is not None and from_ is not None:
        raise InputError(f"--from {from_}: has its own topology; leave out {kind}")
    from ackclock.campaign.files import write_whole
    from ackclock.scenario.ready_made import copy_of
    from ackclock.scenario.starters import starter

    text = starter(kind or "dumbbell") if from_ is None else copy_of(from_, out)
    if out is None:
        print(text, end="")
        return
    if out.exists():
        raise InputError(f"--out {out}: already exists; name another file")
    with writable(out):
        write_whole(out, lambda path: path.write_text(text, encoding="utf-8"))
    say(f"{out} is written. Explain it with `ackclock explain {out}`.")


def _list() -> None:
    """Print the names of the ready-made scenarios, and what each is about."""
    from rich.text import Text

    from ackclock.scenario.ready_made import descriptions
    from ackclock.terminal import EDGELESS, TerminalTable

    table = TerminalTable("Scenario", look=EDGELESS, parts=False)
    table.add_column("What it is about", prose=True)
    for row in descriptions().items():
        table.add_row(*map(Text, row))
    console().print(table)


@contextmanager
def writable(out: Path) -> Iterator[None]:
    """Report a file that cannot be written as an error of the input.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise InputError(
            f"--out {out}: cannot be written ({error.strerror}); name a file in a folder that you "
            "may write to"
        ) from error
