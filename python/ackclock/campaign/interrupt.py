"""Ctrl-C: the first one ends a campaign in order, the second one stops it at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class StoppedAtOnce(KeyboardInterrupt):
    """The second Ctrl-C: runs in other threads may continue; the call does not wait for them."""


@contextmanager
def on_first_interrupt(stop: Callable[[], None]) -> Iterator[None]:
    """Call ``stop`` at the first Ctrl-C; a second one raises ``KeyboardInterrupt`` as usual.

    Does nothing outside the main thread, or if another handler for Ctrl-C is installed.

    Args:
        stop: called in a signal handler, between any two instructions.
    """
    usual = signal.default_int_handler
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) is not usual:
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, usual)
        stop()

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
