"""One run in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.results.metric import Columns, Number
from ackclock.studies.machinery.measures import metrics

if TYPE_CHECKING:
    from ackclock.scenario import Facts

SENT_AGAIN, TIMEOUTS, COMPLETION = "sent_again_bytes", "timeouts", "completion_s"
SLOWED, ROUNDS, ENDED, AGAIN = "slowed", "slow_rounds", "ended", "again"
OF_LOSSES = (SENT_AGAIN, TIMEOUTS, COMPLETION)
OF_RISE = (SLOWED, ROUNDS, ENDED)
OF_SPIKE = (AGAIN, COMPLETION)
_SEGMENT_BYTES = 1448
_SLOW_START, _SLOWER, _AVOIDANCE = (
    "slow start",
    "conservative slow start ",
    "congestion avoidance",
)


def losses(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What the transfers send again, their time-outs, and their mean time."""
    again = columns["flows"]["segments_retransmitted"].sum()
    return {
        SENT_AGAIN: float(again) * _SEGMENT_BYTES,
        **metrics(columns, facts, TIMEOUTS, COMPLETION),
    }


def rise(columns: Columns, facts: Facts) -> dict[str, Number]:
    """How slow start ends: whether it is slowed down, for how many rounds, and what follows."""
    states = [str(each) for each in columns["states"]["state"]]
    slower = [each.removeprefix(_SLOWER) for each in states if each.startswith(_SLOWER)]
    left = [at for at, each in enumerate(states) if each != _SLOW_START]
    return {
        SLOWED: float(bool(slower)),
        ROUNDS: float(max(map(int, slower), default=0)),
        ENDED: float(_AVOIDANCE in states),
        AGAIN: float(bool(left) and _SLOW_START in states[left[0] :]),
        **metrics(columns, facts, COMPLETION),
    }
