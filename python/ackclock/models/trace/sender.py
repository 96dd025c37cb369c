"""The actions of a TCP sender, inferred from its segments and the ACKs that it received.

Source: RFC 5681 (duplicate ACKs, fast retransmit), RFC 6582 (NewReno's partial ACKs), RFC 2018
(SACK), RFC 6298 section 3 (Karn's algorithm), RFC 7323 section 3 (timestamps show which
transmission an ACK is for). Packets do not contain the sender's state, so rules infer it:

- *Retransmission:* a segment with data below the highest sent data.
- *Time-out:* the first unacknowledged segment is retransmitted in one of three cases. No ACK
  has arrived within half of the minimum RTT before it. Or the segment was retransmitted already
  since it became the first. Or there were neither three duplicate ACKs nor a SACK block, and no
  recovery or time-out is being repaired.
- *Fast retransmit:* it is retransmitted after three duplicate ACKs, or SACK blocks.
- All other retransmissions continue a repair that a fast retransmit or a time-out has begun.
- *Loss:* a transmission that had to be repeated. A retransmission was spurious if the ACK arrived
  within three quarters of the minimum RTT after it, or if a SACK block had reported the data.
  Without SACK it was also spurious if the ACK covered more retransmitted data than the first
  hole: the receiver sent this ACK because the hole was filled, so all the other data had arrived
  before. If the receiver delays ACKs and holds no data beyond a hole (duplicate ACKs would show
  such data), an ACK may cover two segments.
  After a slow start that overshoots, a Reno or Tahoe sender that retransmits everything cannot be
  followed exactly: its own spurious retransmissions cause duplicate ACKs.
- *Round-trip time:* from a segment that was sent once to the first ACK that covers it. An ACK that
  also covers a retransmitted segment is used only if its timestamp shows which transmission it
  answers.

Parameters: three duplicate ACKs; the two shares of the minimum RTT. Times are in ns; sequence
numbers are relative to the first one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ackclock.models.trace.segments import ACK, RST, SYN, Connection, Segment

DUP_THRESH = 3
_JUST_SHARE = 0.5
_NEEDLESS_SHARE = 0.75
_HALF = 1 << 31
_DELAYED = 2
"""Number of segments that a delayed ACK may cover (RFC 5681 section 4.2)."""


@dataclass(slots=True)
class Burst:
    """Segments that a sender sends back to back, as far as its window allows.

    Attributes:
        flight_size: bytes at the end of the burst that neither an ACK nor a SACK block covers.
    """

    flight_size: int


class Send(NamedTuple):
    """A transmission of data.

    Attributes:
        time: time of sending, ns.
        number: number of the transmission, in segments from 0.
        seq, end: range of the data.
        burst: burst of the transmission: all data sent before the next segment arrived.
        ts_value: value of the timestamp, or none.
    """

    time: int
    number: int
    seq: int
    end: int
    burst: Burst
    ts_value: int | None


@dataclass(slots=True)
class Data:
    """A piece of unacknowledged data, as it was sent first."""

    seq: int
    end: int
    sends: list[Send]
    sacked: int | None = None
    """Time when a SACK block reported the arrival, ns."""


@dataclass
class Sender:
    """The inferred actions of a sender.

    Attributes:
        segments_sent: number of data segments, including retransmitted ones.
        segments_retransmitted: number of retransmitted segments.
        bytes_acked: acknowledged data, bytes.
        losses: lost transmissions, in the order of sending.
        rtt_ns: samples of the round-trip time, ns.
        timeouts, fast_retransmits: numbers of time-outs and fast retransmits.
        first_rto_ns: duration of the first time-out of each series, ns.
        gaps: number of jumps over sequence numbers that are missing in the capture.
        largest: data in the largest segment, bytes.
        began, ended: times of the first data and of the last ACK of data, ns; none without data.
    """

    segments_sent: int = 0
    segments_retransmitted: int = 0
    bytes_acked: int = 0
    losses: list[Send] = field(default_factory=list)
    rtt_ns: list[int] = field(default_factory=list)
    timeouts: int = 0
    fast_retransmits: int = 0
    first_rto_ns: list[int] = field(default_factory=list)
    gaps: int = 0
    largest: int = 0
    began: int | None = None
    ended: int | None = None


def follow(connection: Connection) -> Sender:
    """Infer the actions of a connection's sender from its packets."""
    sender = connection.sender
    following = _Following(_sack_on(connection), _mss(connection))
    for segment in connection.segments:
        if segment.flags & RST:
            continue
        if segment.source == sender:
            following.sent(segment)
        elif segment.flags & ACK:
            following.received(segment)
    # A lost transmission of several pieces of data is one loss.
    lost = {send.number: send for send in following.seen.losses}
    following.seen.losses = [lost[number] for number in sorted(lost)]
    return following.seen


def _sack_on(connection: Connection) -> bool:
    """Return whether the receiver uses SACK: its SYN permits SACK, or it sent a block."""
    sender = connection.sender
    return any(
        segment.sack or (segment.sack_permitted and segment.flags & SYN)
        for segment in connection.segments
        if segment.source != sender
    )


def _mss(connection: Connection) -> int | None:
    """Return the receiver's MSS, bytes; longer segments are split after the capture."""
    sender = connection.sender
    described = [s.mss for s in connection.segments if s.mss and s.source != sender]
    return described[0] if described else None


class _Following:
    """The state of a sender, inferred packet by packet."""

    def __init__(self, sack: bool, mss: int | None) -> None:
        self.seen = Sender()
        self.sack = sack
        self.mss = mss
        self.base: int | None = None
        self.highest = 0
        self.snd_una: int | None = None
        self.pending: list[Data] = []
        self.burst = Burst(0)
        self.sacked_bytes = 0
        """Bytes of ``pending`` that SACK blocks cover."""
        self.least_rtt: int | None = None
        self.advanced = 0
        """Time when snd_una last moved, ns."""
        self.heard: int | None = None
        """Time when the last ACK arrived, ns."""
        self.duplicates = 0
        self.recover: int | None = None
        """End of the data that a fast recovery is repairing."""
        self.timed_out: int | None = None
        """End of the data that a time-out is repairing."""
        self.acks_of_one = self.acks_of_several = 0
        self.holds_more = False
        """Whether duplicate ACKs since the beginning of a repair have shown data beyond a hole."""
        self.partial_acks = 0
        """Number of ACKs of new data during a fast recovery."""
        self.in_series = False
        """Whether a time-out has happened since snd_una last moved."""

    # Sent segments.

    def sent(self, segment: Segment) -> None:
        if self.base is None:
            self.base = segment.seq + bool(segment.flags & SYN)
        if not segment.size:
            return
        seq = self._near(segment.seq + bool(segment.flags & SYN), self.highest)
        end = seq + segment.size
        if self.snd_una is None:
            self.snd_una, self.highest, self.seen.began = seq, seq, segment.time_ns
        send = self._numbered(segment, seq, end)
        if seq >= self.highest:
            self.seen.gaps += seq > self.highest
            self.pending.append(Data(seq, end, [send]))
            self.highest = end
            return
        self.seen.segments_retransmitted += self._count(segment.size)
        self._again(send)

    def _numbered(self, segment: Segment, seq: int, end: int) -> Send:
        number = self.seen.segments_sent
        self.seen.segments_sent += self._count(segment.size)
        self.seen.largest = max(self.seen.largest, segment.size)
        # Below snd_una it is spurious.
        self.burst.flight_size = max(end, self.highest) - self.snd_una - self.sacked_bytes
        value = segment.timestamps[0] if segment.timestamps else None
        return Send(segment.time_ns, number, seq, end, self.burst, value)

    def _count(self, size: int) -> int:
        return -(-size // self.mss) if self.mss else 1

    def _again(self, send: Send) -> None:
        for edge in (send.seq, send.end):
            self._split(edge)
        first = bisect_right(self.pending, send.seq, key=lambda data: data.end)
        last = bisect_left(self.pending, send.end, key=lambda data: data.seq)
        covered = self.pending[first:last]
        if covered and first == 0:
            self._first_again(covered[0], send)
        for data in covered:
            data.sends.append(send)
        if send.end > self.highest:
            # New data at the end of the retransmitted data.
            self.pending.append(Data(self.highest, send.end, [send]))
            self.highest = send.end

    def _split(self, edge: int) -> None:
        """Split a piece of data of which only a part is retransmitted."""
        at = bisect_right(self.pending, edge, key=lambda data: data.end)
        if at < len(self.pending) and self.pending[at].seq < edge:
            its = self.pending[at]
            rest = Data(edge, its.end, list(its.sends), its.sacked)
            its.end = edge
            self.pending.insert(at + 1, rest)

    def _first_again(self, data: Data, send: Send) -> None:
        """Find the reason for a retransmission of the first unacknowledged data."""
        again = any(each.time >= self.advanced for each in data.sends[1:])
        just = self.heard is not None and send.time - self.heard <= self._share(_JUST_SHARE)
        described = self.duplicates >= DUP_THRESH or any(each.sacked for each in self.pending)
        repairing = (self.recover or self.timed_out) is not None
        if again or not just or not (described or repairing):
            self._timed_out(data, send)
        elif self.duplicates >= DUP_THRESH or not repairing:
            self.seen.fast_retransmits += 1
            self.recover, self.partial_acks = self.highest, 0

    def _timed_out(self, data: Data, send: Send) -> None:
        self.seen.timeouts += 1
        # Only the first partial ACK of a recovery may have restarted the timer (RFC 6582 section
        # 4): after a second one, its start is unknown.
        known = self.recover is None or self.partial_acks < 2
        if not self.in_series and known:
            # The timer runs from the last ACK of new data, or, without data in flight, from here.
            self.seen.first_rto_ns.append(send.time - max(self.advanced, data.sends[0].time))
        self.in_series = True
        self.timed_out, self.recover = self.highest, None

    # Received segments.

    def received(self, segment: Segment) -> None:
        if self.snd_una is None or self.base is None:
            return
        ack = self._near(segment.ack, self.snd_una)
        # A FIN has a sequence number, but no data.
        ack = min(ack, self.highest)
        if ack > self.snd_una:
            self._advance(ack, segment)
        elif ack == self.snd_una and self.pending and not segment.size:
            self.duplicates += 1
            self.holds_more = True
        self.heard, self.burst = segment.time_ns, Burst(0)
        for left, right in segment.sack:
            self._sacked(self._near(left, ack), self._near(right, ack), segment.time_ns)

    def _sacked(self, left: int, right: int, time: int) -> None:
        first = bisect_left(self.pending, left, key=lambda data: data.seq)
        for data in self.pending[first:]:
            if data.end > right:
                break
            if data.sacked is None:
                data.sacked = time
                self.sacked_bytes += data.end - data.seq

    def _advance(self, ack: int, segment: Segment) -> None:
        seen, time = self.seen, segment.time_ns
        count = bisect_right(self.pending, ack, key=lambda data: data.end)
        covered = self.pending[:count]
        again = [data for data in covered if len(data.sends) > 1]
        if again:
            self._timestamp_sample(covered, segment)
            self._lost(again, ack, time)
        else:
            self.acks_of_one += count == 1
            self.acks_of_several += count > 1
            for data in covered:
                # Data that a SACK block reported had arrived before this ACK was sent.
                if data.sacked is None:
                    self._sample(time - data.sends[0].time)
        self.sacked_bytes -= sum(d.end - d.seq for d in covered if d.sacked is not None)
        del self.pending[:count]
        seen.bytes_acked += ack - self.snd_una
        seen.ended = time
        self.snd_una, self.advanced = ack, time
        self.duplicates, self.in_series = 0, False
        self.partial_acks += 1
        if self.recover is not None and ack >= self.recover:
            self.recover = None
        if self.timed_out is not None and ack >= self.timed_out:
            self.timed_out = None
        if not self.pending or (self.recover or self.timed_out) is None:
            self.holds_more = False

    def _sample(self, rtt: int) -> None:
        self.seen.rtt_ns.append(rtt)
        if self.least_rtt is None or rtt < self.least_rtt:
            self.least_rtt = rtt

    def _timestamp_sample(self, covered: Sequence[Data], segment: Segment) -> None:
        if segment.timestamps is None:
            return
        echo = segment.timestamps[1]
        sends = {s.number: s for data in covered for s in data.sends if s.ts_value == echo}
        if len(sends) == 1:
            (answered,) = sends.values()
            self._sample(segment.time_ns - answered.time)

    def _lost(self, again: Sequence[Data], ack: int, time: int) -> None:
        """Find the lost transmissions of retransmitted data that is acknowledged now."""
        needed = again
        if not self.sack:
            delayed = self.acks_of_several > self.acks_of_one and not self.holds_more
            needed = again[: _DELAYED if delayed else 1]
        for data in needed:
            arrived = time if data.sacked is None else data.sacked
            least = self._share(_NEEDLESS_SHARE)
            sends = [s for s in data.sends[1:] if arrived - s.time >= least]
            self.seen.losses += data.sends[: len(sends)]

    def _share(self, share: float) -> float:
        """Return a share of the minimum RTT, ns; 0 before the first sample."""
        return 0.0 if self.least_rtt is None else share * self.least_rtt

    def _near(self, number: int, near: int) -> int:
        """Return the number with these 32 bits that is closest to an expected number."""
        distance = (number - self.base - near) & 0xFFFFFFFF
        return near + (distance if distance < _HALF else distance - (1 << 32))
