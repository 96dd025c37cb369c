"""An event loop for one thread, with sockets and timers.

It makes few system calls, which are slow in virtual time: one wait for all files, of which the
timer is one, and one look at the clock after it.
"""

from __future__ import annotations

import heapq
import selectors
import time
from collections.abc import Callable
from typing import Any

from ackclock.emulation.syscalls import Timer


class Loop:
    """Calls functions at events; times are those of the monotonic clock, ns.

    Attributes:
        woke: when the last wait ended.
    """

    def __init__(self) -> None:
        self._selector = selectors.EpollSelector()
        self._timer = Timer()
        self._set_to = 0
        self._timers: list[tuple[int, int, Callable[[], None]]] = []
        self._number = 0
        self._stopped = False
        self.woke = time.monotonic_ns()
        self.watch(self._timer, selectors.EVENT_READ, self._due)

    def watch(self, what: Any, events: int, call: Callable[[], None]) -> None:
        """Call a function whenever a file is ready for these events, which replace earlier ones."""
        try:
            self._selector.modify(what, events, call)
        except KeyError:
            self._selector.register(what, events, call)

    def forget(self, what: Any) -> None:
        """Stop watching a file."""
        self._selector.unregister(what)

    def at(self, when: int, call: Callable[[], None]) -> None:
        """Call a function once at a time."""
        heapq.heappush(self._timers, (when, self._number, call))
        self._number += 1

    def stop(self) -> None:
        """Make ``run`` return."""
        self._stopped = True

    def run(self) -> None:
        """Run the loop until ``stop``."""
        while not self._stopped:
            if self._timers and self._timers[0][0] != self._set_to:
                self._set_to = self._timers[0][0]
                self._timer.set(self._set_to)
            ready = self._selector.select()
            self.woke = time.monotonic_ns()
            for key, _ in ready:
                if self._stopped:
                    return
                key.data()

    def _due(self) -> None:
        """Call what is due."""
        self._timer.take()
        self._set_to = 0
        while not self._stopped and self._timers and self._timers[0][0] <= time.monotonic_ns():
            heapq.heappop(self._timers)[2]()
