"""``ackclock capture``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ackclock.cli.options import AllowCode, Several
from ackclock.cli.output import say
from ackclock.errors import InputError

if TYPE_CHECKING:
    from ackclock.capture.run import Passed
    from ackclock.scenario import Point

_MOST_SNAPLEN = 65_535


def capture(
    file: Path,
    /,
    *,
    at: Annotated[list[str], Parameter(negative=())] | None = None,
    out: Path,
    point: int = 0,
    replication: int = 0,
    snaplen: int | None = None,
    emulate: Annotated[bool, Parameter(negative=())] = False,
    set: Several | None = None,
    allow_code: AllowCode = False,
) -> int:
    """Write the packets of one run to a pcapng file; comments say which were lost.

    For a tool that follows connections, such as tshark, capture at one point only: a packet that
    passes two points is in the file twice.

    Args:
        file: A scenario file (TOML).
        at: Where to capture: a host ("server 1"), the start of a link ("r1 -> r2") or its end
            ("end of r1 -> r2"); may be repeated. In an ATM network of switches: a host.
        out: File to write; an existing file is replaced.
        point: Number of the sweep point, from 0 on; `ackclock explain` lists them.
        replication: Number of the replication of that point, from 0 on.
        snaplen: Bytes to keep of each packet; by default the headers only.
        emulate: Make the run in real time, with this computer's TCP, as `ackclock emulate` does.
        set: Change one key of the scenario: KEY=VALUE; may be repeated.
        allow_code: Let the Python code run that the scenario names; read it first.
    """
    from ackclock.scenario import load
    from ackclock.scenario.points import chosen_point

    scenario = load(file, set or [])
    points = scenario.points()
    problems = []
    try:
        chosen = chosen_point(points, point)
    except InputError as error:
        problems += error.messages
    if replication < 0:
        problems.append(f"--replication {replication}: the first is 0; write for example 0")
    if snaplen is not None and not 1 <= snaplen <= _MOST_SNAPLEN:
        problems.append(
            f"--snaplen {snaplen}: a packet has 1 to {_MOST_SNAPLEN} bytes; write for example 96"
        )
    if problems:
        raise InputError(problems)

    from ackclock.capture.run import capture as captured
    from ackclock.code_permission import code_allowed

    where = f", point {point} ({chosen})" if len(points) > 1 else ""
    title = f"{file.name}{where}, replication {replication}"
    if emulate:
        return _emulated(chosen, at or [], out, replication, snaplen, title)
    with code_allowed(allow_code):
        made = captured(chosen, at or [], replication=replication, snaplen=snaplen, title=title)
    made.write(out)
    for passed in made.passed:
        say(_line(passed))
    say(f"{out} is written")
    return 0


def _emulated(
    point: Point, at: list[str], out: Path, replication: int, snaplen: int | None, title: str
) -> int:
    """The same of an emulated run; 1 if it cannot be believed."""
    from ackclock.cli.emulate import lateness
    from ackclock.emulation.campaign import Options
    from ackclock.emulation.capture import capture as captured

    made = captured(
        point, at, out, Options(), replication=replication, snaplen=snaplen, title=title
    )
    for passed in made.passed:
        say(_line(passed))
    described = made.emulation
    say(f"{out} is written: {described['verdict']}; {lateness(described)}")
    for reason in described["reasons"]:
        say(f"  {reason}")
    return int(described["verdict"] == "invalid")


def _line(passed: Passed) -> str:
    """Describe the packets that passed a point."""
    again = _several(passed.retransmissions, "retransmission")
    parts = [
        _several(passed.packets, "packet"),
        f"{passed.lost} lost later on the path",
        again,
        *([_several(passed.copies, "copy", "copies")] if passed.copies else []),
    ]
    return f"{passed.point}: {', '.join(parts)}"


def _several(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
