"""``ackclock new``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from ackclock.cli.output import say
from ackclock.errors import InputError


def new(
    kind: Literal[
        "dumbbell", "parking_lot", "graph", "atm_dumbbell", "atm_clients", "atm_network"
    ] = "dumbbell",
    /,
    *,
    out: Path | None = None,
) -> None:
    """Print a commented scenario to start from.

    Args:
        kind: Of topology.
        out: Write it to this file instead, which must not be there yet.
    """
    from ackclock.campaign.files import write_whole
    from ackclock.scenario.starters import starter

    text = starter(kind)
    if out is None:
        print(text, end="")
        return
    if out.exists():
        raise InputError(f"--out {out}: is there already; name another file")
    with writable(out):
        write_whole(out, lambda path: path.write_text(text, encoding="utf-8"))
    say(f"{out} is written. Read what it says with `ackclock explain {out}`.")


@contextmanager
def writable(out: Path) -> Iterator[None]:
    """What cannot be written is the user's to mend.

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
