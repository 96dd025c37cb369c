"""An event loop for one thread, with sockets and timers."""

from __future__ import annotations

import heapq
import select
import selectors
import time
from collections.abc import Callable
from typing import Any

_NS = 1_000_000_000


class Loop:
    """Calls functions at events; times are those of the monotonic clock, ns."""

    def __init__(self) -> None:
        self._selector = selectors.EpollSelector()
        self._timers: list[tuple[int, int, Callable[[], None]]] = []
        self._number = 0
        self._stopped = False

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
            while self._timers and self._timers[0][0] <= time.monotonic_ns():
                heapq.heappop(self._timers)[2]()
            if self._stopped:
                return
            wait = (self._timers[0][0] - time.monotonic_ns()) / _NS if self._timers else None
            # epoll has a resolution of milliseconds, select of microseconds.
            select.select([self._selector], [], [], None if wait is None else max(wait, 0.0))
            for key, _ in self._selector.select(0):
                key.data()
