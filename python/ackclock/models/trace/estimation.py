"""Estimate p, q, R and RTO of a connection from a capture at its sender.

Source: 003, section II-B: a loss event begins with a loss and includes all losses among the next W'
segments, where W' is the window; IV-A: p is loss events over segments sent, including
retransmissions. A capture does not show the window, so here W' is the data in flight at the end of
the burst with the first lost segment. If the sender has less data than the window allows, events
are shorter than in the paper. RFC 5348 section 5: the average loss interval, over the same loss
events.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from ackclock.errors import InputError
from ackclock.models.inputs import DomainError
from ackclock.models.loss_intervals import average_loss_interval
from ackclock.models.trace.files import NS, packets
from ackclock.models.trace.segments import Connection, connections
from ackclock.models.trace.sender import Send, Sender, follow
from ackclock.models.window import q_from_loss_rate

BITS = 8
_MOST_SHOWN = 20


class LossEvent(NamedTuple):
    """Losses of one window.

    Attributes:
        first: the first lost transmission.
        losses: number of losses.
        window_segments: segments sent from the first loss to the end of the event, W'.
    """

    first: Send
    losses: int
    window_segments: int


class TraceEstimate(NamedTuple):
    """The parameters of the models for a connection; nan where the capture does not show them.

    Attributes:
        connection: sender and receiver.
        duration_s: time from the first data to the last ACK of data, s.
        throughput_bit_s: rate of acknowledged data, bit/s.
        smss_bytes: data in the largest segment, bytes.
        segments_sent: number of data segments, including retransmitted ones.
        segments_retransmitted: number of retransmitted segments.
        segments_lost: number of transmissions that had to be repeated.
        loss_events: number of loss events: losses within W' sent segments count once.
        fast_retransmits, timeouts: numbers of fast retransmits and time-outs of the sender.
        p: loss_events / segments_sent.
        loss_rate: segments_lost / segments_sent.
        q: share of lost segments among those sent in loss events, without the first losses.
        q_eq30: q by Eq. 30, from p and loss_rate; nan if the equation has no solution.
        p_average_interval: inverse of the average loss interval, without history discounting.
        p_discounted: inverse of the average loss interval with history discounting.
        rtt_s: average round-trip time, s.
        rtt_samples: number of samples of the round-trip time.
        rto_s: average first time-out of a series, s.
        gaps: number of jumps over data that are missing in the capture, because packets were not
            captured, or it was not taken at the sender.
    """

    connection: str
    duration_s: float
    throughput_bit_s: float
    smss_bytes: int
    segments_sent: int
    segments_retransmitted: int
    segments_lost: int
    loss_events: int
    fast_retransmits: int
    timeouts: int
    p: float
    loss_rate: float
    q: float
    q_eq30: float
    p_average_interval: float
    p_discounted: float
    rtt_s: float
    rtt_samples: int
    rto_s: float
    gaps: int


def connections_of(path: Path) -> list[Connection]:
    """Return the connections of a capture with data, in the order in which they begin.

    Raises:
        InputError: the file cannot be read, or has no TCP connection with data over IPv4.
    """
    found = [each for each in connections(packets(path)) if any(each.data_bytes)]
    if not found:
        raise InputError(
            f"{path}: no TCP data over IPv4 is in it; capture a connection at its sender, for "
            "example with ackclock capture"
        )
    return found


def estimate_trace(path: Path | str, connection: int | None = None) -> TraceEstimate:
    """Return the parameters of a connection of a capture.

    Args:
        path: a pcapng or pcap file, taken at the sender of the data.
        connection: number of the connection among those with data, from 0; by default the one with
            the most data.

    Raises:
        InputError: the file cannot be read, or there is no such connection.
    """
    return estimate(choose(Path(path), connections_of(Path(path)), connection)[1])


def choose(path: Path, found: Sequence[Connection], number: int | None) -> tuple[int, Connection]:
    """Return number and connection, by its number or by default the one with the most data.

    Raises:
        InputError: there is no connection with this number.
    """
    if number is None:
        number = max(range(len(found)), key=lambda at: max(found[at].data_bytes))
    if not 0 <= number < len(found):
        listed = ", ".join(f"{at}: {each}" for at, each in enumerate(found[:_MOST_SHOWN]))
        more = f" and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
        raise InputError(f"connection {number}: {path} has {listed}{more}")
    return number, found[number]


def estimate(connection: Connection) -> TraceEstimate:
    """Return the parameters of a connection."""
    seen = follow(connection)
    events = loss_events(seen)
    sent, lost = seen.segments_sent, sum(event.losses for event in events)
    duration = (seen.ended - seen.began) / NS if seen.ended is not None else nan
    p, loss_rate = len(events) / sent, lost / sent
    others = sum(max(event.window_segments, event.losses) - 1 for event in events)
    starts = [event.first.number for event in events]
    intervals = [later - one for one, later in zip([0, *starts], [*starts, sent], strict=True)]
    return TraceEstimate(
        connection=str(connection),
        duration_s=duration,
        throughput_bit_s=seen.bytes_acked * BITS / duration if duration > 0 else nan,
        smss_bytes=seen.largest,
        segments_sent=sent,
        segments_retransmitted=seen.segments_retransmitted,
        segments_lost=lost,
        loss_events=len(events),
        fast_retransmits=seen.fast_retransmits,
        timeouts=seen.timeouts,
        p=p,
        loss_rate=loss_rate,
        q=(lost - len(events)) / others if others else nan,
        q_eq30=_q_eq30(p, loss_rate),
        p_average_interval=_rate(average_loss_interval(intervals)),
        p_discounted=_rate(average_loss_interval(intervals, discounting=True)),
        rtt_s=fmean(seen.rtt_ns) / NS if seen.rtt_ns else nan,
        rtt_samples=len(seen.rtt_ns),
        rto_s=fmean(seen.first_rto_ns) / NS if seen.first_rto_ns else nan,
        gaps=seen.gaps,
    )


def loss_events(seen: Sender) -> list[LossEvent]:
    """Group losses into events: a loss W' segments or more after the first begins a new one."""
    found: list[LossEvent] = []
    for send in seen.losses:
        last = found[-1] if found else None
        if last is not None and send.number < last.first.number + last.window_segments:
            found[-1] = last._replace(losses=last.losses + 1)
        else:
            window = -(-send.burst.flight_size // max(seen.largest, 1))
            found.append(LossEvent(send, 1, max(window, 1)))
    return found


def _q_eq30(p: float, loss_rate: float) -> float:
    try:
        return float(q_from_loss_rate(p, loss_rate).q)
    except DomainError:
        return nan


def _rate(interval: float) -> float:
    return 0.0 if interval == inf else 1 / interval if interval else nan
