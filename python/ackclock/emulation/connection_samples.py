"""Samples of a sender's connections during a run, for values that counters do not have."""

from __future__ import annotations

from typing import NamedTuple

from ackclock.emulation.tcp_info import in_flight, state_of, window

_NO_RTT = (1 << 32) - 1


class Sample(NamedTuple):
    """The state of a connection at a time.

    Attributes:
        time: time from the start of the run, ns.
        connection: number of the connection.
        cwnd: congestion window, bytes.
        ssthresh: slow-start threshold, bytes.
        flight: flight size, bytes.
        rtt: smoothed round-trip time, us; 0 before the first sample.
        pacing_rate: pacing rate, bytes/s, even if the socket is not paced; 0 if not reported.
        delivery_rate: last delivery rate that the kernel has measured, bytes/s; 0 without one.
        min_rtt: minimum round-trip time, us; 0 before the first sample.
        in_flight: data in flight by the sender's count, bytes.
        state: state of the congestion control; none if it reports none.
    """

    time: int
    connection: int
    cwnd: int
    ssthresh: int
    flight: int
    rtt: int
    pacing_rate: int
    delivery_rate: int
    min_rtt: int
    in_flight: int
    state: str | None


class Record:
    """Samples of connections, and the durations of the first time-out of each series.

    The kernel counts series of time-outs and reports the present RTO. The duration of the first
    time-out of a series is the RTO of the sample before it, unless this sample is older than the
    RTO.

    Attributes:
        samples: samples of all connections, in the order of time.
        first_timeouts: number of first time-outs with a known duration.
        first_rto_us: sum of these durations, us.
    """

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self.first_timeouts = 0
        self.first_rto_us = 0
        self._before: dict[int, tuple[int, int, int]] = {}

    def note(self, now: int, connection: int, info: dict[str, int]) -> None:
        """Add a report of the kernel about a connection.

        Args:
            now: time from the start of the run, ns.
            connection: number of the connection.
            info: fields of ``tcp_info``.
        """
        min_rtt = info.get("min_rtt", _NO_RTT)
        self.samples.append(
            Sample(
                now,
                connection,
                *window(info),
                info["rtt"],
                info.get("pacing_rate", 0),
                info.get("delivery_rate", 0),
                0 if min_rtt == _NO_RTT else min_rtt,
                in_flight(info),
                state_of(info),
            )
        )
        series = info.get("total_rto_recoveries", 0)
        last, had, rto_us = self._before.get(connection, (now, series, 0))
        if series == had + 1 and now - last < rto_us * 1000:
            self.first_timeouts += 1
            self.first_rto_us += rto_us
        self._before[connection] = (now, series, info["rto"])

    def forget(self, connection: int) -> None:
        """Forget a connection that has ended."""
        self._before.pop(connection, None)
