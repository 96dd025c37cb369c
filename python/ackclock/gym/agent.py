"""The congestion control of an environment: it counts ACKs, and does what the program decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

UNLIMITED = 2**62
"""A cwnd, in bytes, that the receiver's window always limits."""


class Flow(Protocol):
    """What an agent uses of its connection; see ``_core.Flow``."""

    mss: int
    initial_window: int
    flight_size: int


class Agent:
    """A congestion control whose cwnd or pacing rate is set from outside.

    Attributes:
        cwnd: congestion window, bytes.
        pacing_rate: bit/s; none without pacing.
        mss: bytes of data in a full segment.
        rtt: mean RTT of the last interval with a sample, s; 0 before the first.
        min_rtt: smallest RTT so far, s; 0 before the first.
        delivered: bytes delivered in this interval.
        lost: bytes found to be lost in this interval.
    """

    reduction = "own"

    def __init__(self, flow: Flow) -> None:
        """Begin with the initial window."""
        self._flow = flow
        self.mss = flow.mss
        self.cwnd = flow.initial_window
        self.ssthresh = UNLIMITED
        self.pacing_rate: int | None = None
        self.rtt = self.min_rtt = 0.0
        self._rtts: list[float] = []
        self.delivered = self.lost = 0

    def on_ack(self, sample: Any) -> None:
        """Count an ACK."""
        self.delivered += sample.delivered
        self.lost += sample.lost
        if sample.rtt is not None:
            self._rtts.append(sample.rtt)
        self.min_rtt = sample.min_rtt or self.min_rtt

    def on_congestion(self, cause: str) -> None:
        """Leave the reaction to the program, which sees the losses."""

    @property
    def in_flight(self) -> int:
        """Bytes sent and not acknowledged."""
        return self._flow.flight_size

    def begin_interval(self) -> None:
        """Forget the counts of the last interval."""
        self.delivered = self.lost = 0
        self._rtts.clear()

    def end_interval(self) -> None:
        """Take the mean of the RTTs of the interval."""
        self.rtt = _mean(self._rtts) if self._rtts else self.rtt


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
