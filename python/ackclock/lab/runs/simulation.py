"""A run as far as somebody wants it, unless they turn away."""

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
    """What the probes of a run have recorded.

    Args:
        recording: of the run.
        turn: while it lasts, the run goes on.
        until_s: how much of it is made, s.

    Returns:
        The tables; none if the turn is over.

    Raises:
        InputError: it takes too long.
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
        # Whatever a stopped run is asked for is an error.
        if turn.is_over:
            return None
        raise
    finally:
        run.stop()
