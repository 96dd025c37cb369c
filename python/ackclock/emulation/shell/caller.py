"""The caller of a shell: it waits, and gives the terminal to COMMAND.

COMMAND is in the caller's process group, like a command of ``env`` or ``nice``: signals of the
terminal reach both, and Ctrl-Z stops the whole job. All other processes ignore these signals. The
caller forwards signals that only it receives.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from ackclock.emulation.channel import Channel, ClosedError
from ackclock.emulation.shell.launcher import MODULE
from ackclock.emulation.shell.program import BY_SIGNAL, leave_signals_to_command

_WAITED_FOR = (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)
_TERMINAL = "/dev/tty"


def converse(request: Mapping[str, Any]) -> dict[str, Any]:
    """Send a request to a launcher, and wait for its report.

    Args:
        request: request in the form of ``supervisor.run``.

    Raises:
        RuntimeError: the launcher reports a problem, or has died.
        KeyboardInterrupt: Ctrl-C before COMMAND began.
    """
    with _terminal(), _signals():
        ours, its = Channel.pair()
        launcher = subprocess.Popen(
            [sys.executable, "-m", MODULE, str(os.getpid()), str(its.fileno())],
            pass_fds=[its.fileno()],
            preexec_fn=leave_signals_to_command,
        )
        its.close()
        try:
            with suppress(ClosedError):
                ours.send({"request": request})
            began = _wait(launcher, ours)
            answer = ours.receive()
            if not began and "began" in answer:
                answer = ours.receive()
        except ClosedError:
            raise RuntimeError("its processes ended unexpectedly") from None
        finally:
            launcher.kill()
            launcher.wait()
    if "problem" in answer:
        raise RuntimeError(answer["problem"])
    return answer["result"]


def _wait(launcher: subprocess.Popen[bytes], channel: Channel) -> bool:
    """Wait for the launcher's end, and forward signals.

    Returns:
        Whether COMMAND has begun.
    """
    began = False
    while launcher.poll() is None:
        described = signal.sigwaitinfo(_WAITED_FOR)
        if described.si_signo == signal.SIGCHLD:
            continue
        if not began and select.select([channel], [], [], 0)[0]:
            began = "began" in channel.receive()
        if not began:
            launcher.kill()
            if described.si_signo == signal.SIGINT:
                raise KeyboardInterrupt
            sys.exit(BY_SIGNAL + described.si_signo)
        if described.si_signo == signal.SIGINT and described.si_code > 0:
            # The terminal has sent the signal to COMMAND too.
            continue
        channel.send({"signal": described.si_signo})
    return began


@contextmanager
def _signals() -> Iterator[None]:
    """Block the signals to wait for, and ignore the terminal's quit signal."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _WAITED_FOR)
    quit_before = signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGQUIT, quit_before)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _terminal() -> Iterator[None]:
    """Restore the modes and the foreground group of the terminal after a program."""
    try:
        terminal = os.open(_TERMINAL, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        yield
        return
    try:
        had = os.tcgetpgrp(terminal) == os.getpgrp()
        modes = termios.tcgetattr(terminal)
        yield
        if had:
            _take_back(terminal, modes)
    finally:
        os.close(terminal)


def _take_back(terminal: int, modes: list[Any]) -> None:
    with suppress(OSError, termios.error):
        if os.tcgetpgrp(terminal) == os.getpgrp():
            return
        # A background process may change the terminal only if it ignores this signal.
        before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        try:
            os.tcsetpgrp(terminal, os.getpgrp())
            termios.tcsetattr(terminal, termios.TCSADRAIN, modes)
        finally:
            signal.signal(signal.SIGTTOU, before)
