"""One run in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.studies.machinery.measures import Rows, first_time, metrics

if TYPE_CHECKING:
    from ackclock.scenario import Facts

PROBE, COMPLETION, TIMEOUTS = "probe_wait_s", "completion_s", "timeouts"
SPURIOUS, LATE, GOODPUT = "spurious", "spurious_late", "goodput_bit_s"
OVER_SSTHRESH, BURST = "over_ssthresh", "longest_burst"
SENT_AGAIN, RESTORED = "sent_again", "restored_share"
OF_TAIL = (PROBE, COMPLETION, TIMEOUTS)
OF_REORDERING = (SPURIOUS, LATE, GOODPUT)
OF_REDUCTION = (OVER_SSTHRESH, BURST, COMPLETION)
OF_SPIKE = (SENT_AGAIN, TIMEOUTS, RESTORED)
_SEGMENT_BYTES = 1448
_SEEN_S, _HALF_S = 1.0, 10.0
"""The sender has seen that packets are reordered; the second half of the run begins."""
_BEFORE_S, _AFTER_S = 5.9, 8.0
"""The link stops at 6 s for a second."""


def _segments(columns: Columns) -> tuple[Rows, np.ndarray, np.ndarray]:
    """What was sent and arrived; which of it are data, and which data were sent again."""
    its = columns["segments"]
    data = np.array([str(each) == "data" for each in its["kind"]])
    return dict(its), data, data & (its["sent_again"] == 1)


def tail(columns: Columns, facts: Facts) -> dict[str, Number]:
    """How long the sender waits for its probe after the last data or ACK, and what it takes."""
    its, data, again = _segments(columns)
    acks = np.array([str(each) == "ack" for each in its["kind"]])
    probe_s = first_time(its["time_s"], again)
    before = its["time_s"][(data | acks) & (its["time_s"] < probe_s)]
    return {PROBE: probe_s - float(before.max()), **metrics(columns, facts, COMPLETION, TIMEOUTS)}


def reordering(columns: Columns, facts: Facts) -> dict[str, Number]:
    """Segments that are sent again although nothing is lost, after the first second, and late."""
    its, _, again = _segments(columns)
    again_s = its["time_s"][again]
    return {
        SPURIOUS: int(np.count_nonzero(again_s >= _SEEN_S)),
        LATE: int(np.count_nonzero(again_s >= _HALF_S)),
        **metrics(columns, facts, GOODPUT),
    }


def reduction(columns: Columns, facts: Facts) -> dict[str, Number]:
    """How far cwnd is above ssthresh after the recovery, and the longest burst in it; segments."""
    states, cwnd = columns["states"], columns["cwnd"]
    recovers = np.array([str(each) == "recovery" for each in states["state"]])
    begins_s = first_time(states["time_s"], recovers)
    ends_s = first_time(states["time_s"], ~recovers & (states["time_s"] > begins_s))
    at = int(np.searchsorted(cwnd["time_s"], ends_s, side="right")) - 1
    over = float(cwnd["cwnd_bytes"][at]) - float(cwnd["ssthresh_bytes"][at])
    its, data, _ = _segments(columns)
    sent_s = its["time_s"][data & (its["time_s"] >= begins_s) & (its["time_s"] <= ends_s)]
    return {
        OVER_SSTHRESH: over / _SEGMENT_BYTES,
        BURST: int(np.unique(sent_s, return_counts=True)[1].max()),
        **metrics(columns, facts, COMPLETION),
    }


def spike(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What is sent again although nothing is lost, and the cwnd a second later, as a share."""
    _, _, again = _segments(columns)
    cwnd = columns["cwnd"]
    before, after = (
        float(cwnd["cwnd_bytes"][int(np.searchsorted(cwnd["time_s"], at, side="right")) - 1])
        for at in (_BEFORE_S, _AFTER_S)
    )
    return {
        SENT_AGAIN: int(again.sum()),
        RESTORED: after / before,
        **metrics(columns, facts, TIMEOUTS),
    }
