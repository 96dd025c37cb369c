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
    virtual_time: Annotated[bool, Parameter(negative=())] = False,
    set: Several | None = None,
) -> int:
    """Run any program through the path of a scenario, in real time: ackclock shell FILE -- COMMAND.

    COMMAND runs on a host at one end of the path and has no other network; the host at the other
    end is called `peer`. If you are root, or in a shell within a shell, `peer` is this computer.
    Otherwise `peer` is a host that runs the program of --server. The flows of the scenario are not
    started, and its TCP has no effect without --profile. Linux only. The exit code is that of
    COMMAND, or 1 if the emulation failed.

    Args:
        file: A scenario file (TOML).
        command: Program to run and its arguments, after --; by default your shell ($SHELL).
            ackclock exits with its exit code.
        at: Host of the scenario on which COMMAND runs, for example "server 1"; by default the
            receiver of the first flow. `peer` is the other end of that host's first flow.
        server: Program to run on the other host, for example "iperf3 -s". COMMAND starts when this
            program listens; the program is stopped after COMMAND. Its output goes to standard
            error.
        profile: Apply the TCP settings of the scenario that the kernel supports, with this set of
            mechanisms; by default the kernel's TCP is not changed, and the MTU is 1500 bytes.
        duration: Stop COMMAND (SIGTERM) after this time, for example "30 s".
        point: Number of the sweep point, from 0 on; `ackclock explain` lists them.
        scheduling: Do not use a real-time scheduling policy; use eevdf or plain instead.
        unprivileged: Create a user namespace, even if you are root.
        virtual_time: Run in virtual time, on the kernel of `make virtual-time-kernel`: the clock of
            all programs stands still while they compute. They read your files, and write only in
            this folder and, for themselves, in $TMPDIR. COMMAND gets all input before it starts,
            and none from a terminal. `peer` is the kernel's own host, or that of --server.
        set: Change one key of the scenario: KEY=VALUE; may be repeated.
    """
    from ackclock.cli.emulate import refuse_real_time
    from ackclock.emulation.shell.session import Options
    from ackclock.emulation.shell.session import shell as run_shell
    from ackclock.scenario import load
    from ackclock.scenario.points import chosen_point

    if virtual_time:
        if not command:
            raise InputError(
                "--virtual-time: needs a command, because its clock does not wait for somebody who"
                " types; write for example: -- ping -c 3 peer"
            )
        refuse_real_time(scheduling=scheduling, unprivileged=unprivileged)
    scenario = load(file, set or [])
    chosen = chosen_point(scenario.points(), point)
    limit_s = None if duration is None else _seconds(duration)
    options = Options(at, server, profile, limit_s, scheduling, unprivileged, virtual_time)
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
