"""The process of COMMAND or the server, at an end of a shell's path."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping
from typing import Any

START_FILE = "{start_file}"
NOT_FOUND = 127
NOT_EXECUTABLE = 126
BY_SIGNAL = 128
"""Exit codes of shells."""
FOR_COMMAND = (
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTSTP,
    signal.SIGTTIN,
    signal.SIGTTOU,
    signal.SIGTERM,
)
"""Signals that the terminal or a job control sends to the whole job, for COMMAND only."""
_LISTENING = "0A"
_PATIENCE_S = 5.0
_LOOKING_S = 0.02


class CannotRunError(Exception):
    """The program does not exist, or cannot be executed.

    Attributes:
        code: exit code that a shell returns for it.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Program:
    """A process with the standard streams of this process.

    A server has no input, and its output goes to standard error.

    Attributes:
        pidfd: file descriptor that is readable when the process has ended.

    Args:
        order: words, environment, ignored (numbers of signals), is_server, and start_file: a text,
            or none, whose file takes the place of ``START_FILE`` among the words.

    Raises:
        CannotRunError: the program does not exist, or cannot be executed.
    """

    def __init__(self, order: Mapping[str, Any]) -> None:
        self._name = order["words"][0]
        start_file = None if order["start_file"] is None else _readable(order["start_file"])
        file = f"/dev/fd/{start_file}"
        words = [file if word == START_FILE else word for word in order["words"]]
        streams = {"stdin": subprocess.DEVNULL, "stdout": 2} if order["is_server"] else {}
        try:
            self._process = subprocess.Popen(
                words,
                env=order["environment"],
                pass_fds=[] if start_file is None else [start_file],
                preexec_fn=lambda: _usual_signals(order["ignored"]),
                **streams,
            )
        except FileNotFoundError:
            raise CannotRunError(f"{self._name}: is not found", NOT_FOUND) from None
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise CannotRunError(f"{self._name}: {why}", NOT_EXECUTABLE) from None
        if start_file is not None:
            os.close(start_file)
        self.pidfd = os.pidfd_open(self._process.pid)

    def signal(self, number: int) -> None:
        """Send a signal to the process."""
        self._process.send_signal(number)

    def code(self) -> int:
        """Return the exit code of the ended process."""
        code = self._process.wait()
        return code if code >= 0 else BY_SIGNAL - code

    def wait_until_it_listens(self) -> None:
        """Wait until a TCP socket of this namespace listens, or a UDP socket has a port.

        Stop waiting after some seconds, because not every program listens.

        Raises:
            OSError: the program has ended before.
        """
        end = time.monotonic() + _PATIENCE_S
        while not _listens() and time.monotonic() < end:
            if self._process.poll() is not None:
                raise OSError(
                    f"--server {self._name}: ended (exit code {self.code()}) before it listened"
                )
            time.sleep(_LOOKING_S)


def leave_signals_to_command() -> None:
    """Ignore the signals for COMMAND; call this between fork and exec."""
    for number in FOR_COMMAND:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _readable(text: str) -> int:
    """Return a file descriptor to read a short text that contains the descriptor's number."""
    ours, its = os.pipe()
    os.write(its, text.replace(START_FILE, str(ours)).encode())
    os.close(its)
    return ours


def _usual_signals(ignored: list[int]) -> None:
    """Restore the default signals for COMMAND, except those that the caller ignores."""
    for number in FOR_COMMAND:
        signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)


def _listens() -> bool:
    return any(
        state == _LISTENING or name.startswith("udp")
        for name in ("tcp", "tcp6", "udp", "udp6")
        for state in _states(name)
    )


def _states(name: str) -> list[str]:
    """Return the states of the sockets of a kind in this namespace."""
    try:
        with open(f"/proc/self/net/{name}") as file:
            return [line.split()[3] for line in file.readlines()[1:]]
    except OSError:
        return []
