"""Latest wins: of the runs for one place of a page only the newest continues."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from weakref import WeakSet

from ackclock import _core

_MOST_SLOTS = 256
_turns: WeakSet[Turn] = WeakSet()
"""Turns of this process that may not be over."""


def end_all() -> None:
    """End all turns at the end of the server."""
    for turn in list(_turns):
        turn.end()


class Turn:
    """The right to run, until a newer turn begins or the client disconnects.

    Any thread may call any method.
    """

    def __init__(self, order: int = 0) -> None:
        """Begin a turn.

        Args:
            order: number in the slot; a larger number is newer.
        """
        self.order = order
        self._lock = Lock()
        self._is_over = False
        self._run: _core.Run | None = None
        _turns.add(self)

    @property
    def is_over(self) -> bool:
        """Whether the run must stop."""
        return self._is_over

    def holds(self, run: _core.Run) -> None:
        """Stop this run when the turn is over."""
        with self._lock:
            self._run = run
            if not self._is_over:
                return
        run.stop()

    def end(self) -> None:
        """Stop the run; its `advance` in another thread returns within a few ms."""
        with self._lock:
            self._is_over = True
            run, self._run = self._run, None
        if run is not None:
            run.stop()


class Slots:
    """The newest turn of each slot; slots unused for a long time are dropped."""

    def __init__(self) -> None:
        """Create an empty table of slots."""
        self._turns: OrderedDict[str, Turn] = OrderedDict()

    def turn(self, slot: str, order: int) -> Turn | None:
        """Begin a turn and end the one before; none if a newer turn exists."""
        before = self._turns.get(slot)
        if before is not None:
            if before.order > order:
                return None
            before.end()
        turn = self._turns[slot] = Turn(order)
        self._turns.move_to_end(slot)
        if len(self._turns) > _MOST_SLOTS:
            self._turns.popitem(last=False)
        return turn
