"""``ackclock shell``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from ackclock.cli.options import Several
from ackclock.cli.output import say
from ackclock.errors import InputError

if TYPE_CHECKING:
    from ackclock.emulation.shell.session import Ended

FAILED = 1
_PS_PER_S = 1e12


def shell(
    file: Path,
    /,
    *command: str,
    at: str | None = None,
    server: str | None = None,
    profile: Literal["newreno-classic", "reno-sack", "cubic", "bbr"] | None = None,
    duration: str | None = None,
    point: int = 0,
    scheduling: Literal["eevdf", "plain"] | None = None,
    unprivileged: Annotated[bool, Parameter(negative=())] = False,
    set: Several | None = None,
) -> int:
    """Run any program through the path of a scenario, in real time: ackclock shell FILE -- COMMAND.

    COMMAND is at one end of the path and has no other way out; the other end is `peer`. As root,
    and in a shell within a shell, `peer` is this computer, and what COMMAND sends comes out here;
    else it is a host with the program that --server names. Linux only; the flows of the scenario
    are not made, and of its TCP nothing is imposed without --profile. The exit code is that of
    COMMAND, 1 if the emulation has failed.

    Args:
        file: A scenario file (TOML).
        command: The program and its arguments, after --; by default your shell ($SHELL). Its exit
            code is that of ackclock.
        at: The host of the scenario at which COMMAND is, for example "server 1"; by default the
            receiver of the first flow. `peer` is the other end of its first flow.
        server: A program at the other end, for example "iperf3 -s"; COMMAND begins when it
            listens, and it ends with COMMAND. Its output goes to the standard error.
        profile: Impose the TCP of the scenario as far as the kernel has it, with these of its
            mechanisms; by default the kernel's TCP is as it is, with an MTU of 1500 bytes.
        duration: Ask COMMAND to end after this time, for example "30 s".
        point: Number of a point of the sweep, from 0 on, as `ackclock explain` numbers them.
        scheduling: Leave out the better ways to be scheduled in time.
        unprivileged: Use a user namespace even as root.
        set: Change the scenario: key=value.
    """
    from ackclock.emulation.shell.session import Options
    from ackclock.emulation.shell.session import shell as run_shell
    from ackclock.scenario import load
    from ackclock.scenario.points import chosen_point

    scenario = load(file, set or [])
    chosen = chosen_point(scenario.points(), point)
    limit_s = None if duration is None else _seconds(duration)
    options = Options(at, server, profile, limit_s, scheduling, unprivileged)
    name = file.name.removesuffix(".toml")
    try:
        ended = run_shell(chosen, command, name, options)
    except RuntimeError as error:
        say(f"ackclock: the emulation failed: {error}", err=True)
        return FAILED
    _print(ended, server)
    return ended.code


def _seconds(text: str) -> float:
    """The time of --duration.

    Raises:
        InputError: it is none.
    """
    from ackclock.scenario.units import TIME, parse

    try:
        time_ps = parse(text, TIME)
        if not time_ps:
            raise ValueError("must be above 0")
    except ValueError as error:
        raise InputError(f'--duration "{text}": {error}; write for example "30 s"') from None
    return float(time_ps) / _PS_PER_S


def _print(ended: Ended, server: str | None) -> None:
    """One line on the verdict; before it, what else has to be known."""
    from ackclock.cli.emulate import lateness

    if ended.problem:
        say(f"ackclock: {ended.problem}", err=True)
        return
    if ended.server_code:
        code = ended.server_code
        say(f'ackclock: --server "{server}" ended (exit code {code})', err=True)
    entered, left = ended.report["entered"], ended.report["left"]
    how = f"{entered} packets sent, {left} arrived, {ended.lost} lost by the scenario"
    if left:
        how += f"; {lateness(ended.report)}"
    why = f" ({'; '.join(ended.reasons)})" if ended.reasons else ""
    say(f"ackclock: {ended.verdict}{why}; {how}", err=True)
