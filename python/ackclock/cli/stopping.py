"""How a command ends that gets two signals to stop."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from ackclock.cli.output import say

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


@contextmanager
def stopped_at_once() -> Iterator[None]:
    """End this process where a campaign is stopped at once.

    The usual end would wait for the threads that are still at work, and for emulated runs, whose
    processes end with this one.
    """
    from ackclock.campaign import StoppedAtOnce

    try:
        yield
    except StoppedAtOnce as interrupt:
        say(f"ackclock: stopped. {interrupt}", err=True)
        os._exit(INTERRUPTED)
