"""Simulate a run up to a time, unless the client disconnects."""

from __future__ import annotations

import time
from math import inf

from ackclock import _core
from ackclock.errors import InputError
from ackclock.lab.runs.panels import Tables
from ackclock.lab.runs.recording import Recording
from ackclock.lab.settings import MOST_WALL_S
from ackclock.lab.slots import Turn

_SLICE_S = 0.2


def simulated(recording: Recording, turn: Turn, until_s: float = inf) -> Tables | None:
    """Make a run and return its tables.

    Args:
        recording: the run.
        turn: the run continues until the turn is over.
        until_s: end of the simulation, s.

    Returns:
        The tables; none if the turn is over.

    Raises:
        InputError: the run takes too long.
    """
    began = time.monotonic()
    run = _core.Run(recording.plan, recording.seed)
    turn.holds(run)
    until_s = min(until_s, recording.duration_s)
    done = 0.0
    try:
        while done * recording.duration_s < until_s * (1 - 1e-9):
            done = run.advance(_SLICE_S, until_s)
            if time.monotonic() - began > MOST_WALL_S:
                raise InputError(
                    f"this takes longer than {MOST_WALL_S:g} s; choose less, or an earlier window"
                )
        return run.recorded()
    except ValueError:
        # Every call of a stopped run raises an error.
        if turn.is_over:
            return None
        raise
    finally:
        run.stop()
