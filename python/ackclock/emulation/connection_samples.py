"""Samples of a sender's connections while they exist, which no counter shows afterwards."""

from __future__ import annotations

from typing import NamedTuple

from ackclock.emulation.tcp_info import in_flight, state_of, window

_NO_RTT = (1 << 32) - 1


class Sample(NamedTuple):
    """How a connection stood.

    Attributes:
        time: from the start of the run, ns.
        connection: its number.
        cwnd: bytes.
        ssthresh: bytes.
        flight: size in bytes.
        rtt: smoothed, us; 0 as long as there is none.
        pacing_rate: bytes/s, whether the socket is paced or not; 0 if not reported.
        delivery_rate: the last that the kernel has measured, bytes/s; 0 if there is none.
        min_rtt: us; 0 as long as there is none.
        in_flight: what the sender counts as in the network, bytes.
        state: of the congestion control; none if it reports none.
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
    """Samples, and the time-outs that the first of each series had waited.

    The kernel counts series of time-outs and reports the present RTO. The first time-out of a
    series had waited for the RTO of the sample before it, unless that sample is older than the RTO.

    Attributes:
        samples: of all connections, in the order of time.
        first_timeouts: whose time is known.
        first_rto_us: sum of these times.
    """

    def __init__(self) -> None:
        self.samples: list[Sample] = []
        self.first_timeouts = 0
        self.first_rto_us = 0
        self._before: dict[int, tuple[int, int, int]] = {}

    def note(self, now: int, connection: int, info: dict[str, int]) -> None:
        """Note what the kernel reports about a connection.

        Args:
            now: from the start of the run, ns.
            connection: its number.
            info: the fields of ``tcp_info``.
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
        """It is over."""
        self._before.pop(connection, None)
