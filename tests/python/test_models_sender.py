"""What a sender did, told from traces that were written by hand."""

from math import isnan

import pytest

from ackclock.models.trace.estimation import estimate, loss_events
from ackclock.models.trace.segments import ACK, SYN, Connection, Segment
from ackclock.models.trace.sender import Burst, Send, Sender, follow

MS = 10**6
# Segments of 100 bytes over a round trip of 100 ms.

SENDER, RECEIVER = (b"\n\0\0\1", 80), (b"\n\0\0\2", 4000)


def trace(*lines, base=0):
    """A connection from lines such as (time in ms, ">", segment) and (time in ms, "<", ack)."""
    its = Connection((SENDER, RECEIVER), 0)
    for time, direction, number, *more in lines:
        stamps = more[0] if more else None
        sack = tuple((base + 100 * left, base + 100 * right) for left, right in more[1:])
        at = (base + 100 * number) & 0xFFFFFFFF
        if direction == ">":
            segment = Segment(
                time * MS, 0, SENDER, RECEIVER, at, 0, ACK, 100, None, False, (), stamps
            )
            its.data_bytes[0] += 100
        else:
            segment = Segment(
                time * MS, 0, RECEIVER, SENDER, 0, at, ACK, 0, None, False, sack, stamps
            )
        its.segments.append(segment)
    return its


WINDOW = [(0, ">", 0), (1, ">", 1), (2, ">", 2), (3, ">", 3), (4, ">", 4)]
THREE_DUPLICATES = [(100, "<", 1), (102, "<", 1), (103, "<", 1), (104, "<", 1)]


@pytest.mark.parametrize("base", [0, 2**32 - 250, 2**31 - 250])
def test_a_fast_retransmit(base):
    """Segment 1 is lost; numbers may wrap on the way."""
    seen = follow(trace(*WINDOW, *THREE_DUPLICATES, (104, ">", 1), (204, "<", 5), base=base))
    assert (seen.fast_retransmits, seen.timeouts, seen.segments_sent) == (1, 0, 6)
    assert [(each.time, each.seq) for each in seen.losses] == [(1 * MS, 100)]
    assert seen.rtt_ns == [100 * MS]
    assert seen.bytes_acked == 500


def test_a_series_of_timeouts():
    """Segment 1 and its first repetition are lost; the timer runs from the ACK before."""
    lines = [*WINDOW[:2], (100, "<", 1), (1100, ">", 1), (3100, ">", 1), (3200, "<", 2)]
    seen = follow(trace(*lines))
    assert (seen.fast_retransmits, seen.timeouts) == (0, 2)
    assert seen.first_rto_ns == [1000 * MS]
    assert [each.time for each in seen.losses] == [1 * MS, 1100 * MS]
    (event,) = loss_events(seen)
    assert event.losses == 2


def test_a_needless_retransmission_is_no_loss():
    """The ACK of the original is late; it comes 20 ms after the time-out."""
    lines = [(0, ">", 0), (100, "<", 1), (100, ">", 1), (400, ">", 1), (420, "<", 2)]
    seen = follow(trace(*lines))
    assert seen.timeouts == 1
    assert seen.losses == []
    assert seen.segments_retransmitted == 1


def test_a_needless_repetition_behind_a_hole_is_no_loss():
    """After a time-out segments 1 and 2 are sent again; 2 had arrived, as the ACK of 1 shows."""
    lines = [*WINDOW, (100, "<", 1), (102, "<", 1), (103, "<", 1)]
    seen = follow(trace(*lines, (1100, ">", 1), (1101, ">", 2), (1200, "<", 5), (1201, "<", 5)))
    assert [each.seq for each in seen.losses] == [100]


def test_a_repetition_of_what_a_sack_block_told_of_is_no_loss():
    """Segment 1 is lost; after the time-out 2 is sent again too, though its block has come."""
    lines = [*WINDOW, (100, "<", 1), (102, "<", 1, None, (2, 3)), (103, "<", 1, None, (2, 4))]
    lines += [(1100, ">", 1), (1101, ">", 2), (1200, "<", 2, None, (2, 5)), (1201, "<", 5)]
    seen = follow(trace(*lines))
    assert (seen.timeouts, seen.fast_retransmits) == (1, 0)
    assert [each.seq for each in seen.losses] == [100]


def test_the_timer_of_an_idle_sender_begins_with_its_data():
    lines = [(0, ">", 0), (100, "<", 1), (5000, ">", 1), (6000, ">", 1), (6100, "<", 2)]
    assert follow(trace(*lines)).first_rto_ns == [1000 * MS]


def test_a_timeout_after_two_partial_acks_tells_no_rto():
    """Segments 1, 2 and 3 are lost; the timer may run from the first partial ACK on."""
    lines = [*WINDOW, (5, ">", 5), *THREE_DUPLICATES, (104, ">", 1), (204, "<", 2), (204, ">", 2)]
    lines += [(304, "<", 3), (304, ">", 3), (1204, ">", 3), (1304, "<", 6)]
    seen = follow(trace(*lines))
    assert (seen.timeouts, seen.first_rto_ns) == (1, [])


def test_a_delayed_ack_of_two_repetitions_stands_for_two_losses():
    """Duplicate ACKs of an earlier repair do not count."""
    every_second = [(10, ">", 0), (11, ">", 1), (110, "<", 2), (110, ">", 2), (111, ">", 3)]
    every_second += [(210, "<", 4), (210, ">", 4), (211, ">", 5), (212, ">", 6), (213, ">", 7)]
    repair = [(310, "<", 4), (311, "<", 4), (312, "<", 4), (312, ">", 4), (412, "<", 8)]
    all_lost = [(412, ">", 8), (413, ">", 9), (414, ">", 10), (1412, ">", 8), (1512, "<", 9)]
    all_lost += [(1512, ">", 9), (1512, ">", 10), (1612, "<", 11)]
    seen = follow(trace(*every_second, *repair, *all_lost))
    assert [each.seq for each in seen.losses] == [400, 800, 900, 1000]


def test_a_timeout_while_duplicate_acks_come():
    """The fast retransmit is lost; new data brings duplicate ACKs up to the time-out."""
    lines = [*WINDOW, *THREE_DUPLICATES, (104, ">", 1), (105, ">", 5), (1099, "<", 1)]
    seen = follow(trace(*lines, (1100, ">", 1), (1200, "<", 6)))
    assert (seen.timeouts, seen.fast_retransmits) == (1, 1)
    assert seen.first_rto_ns == [1000 * MS]
    assert [each.time for each in seen.losses] == [1 * MS, 104 * MS]


def test_partial_acks_are_neither():
    """Segments 1 and 3 are lost: NewReno sends each once more."""
    lines = [*WINDOW, (5, ">", 5), *THREE_DUPLICATES, (104, ">", 1), (204, "<", 3), (204, ">", 3)]
    seen = follow(trace(*lines, (304, "<", 6)))
    assert (seen.fast_retransmits, seen.timeouts) == (1, 0)
    assert [each.seq for each in seen.losses] == [100, 300]
    (event,) = loss_events(seen)
    assert event.losses == 2


@pytest.mark.parametrize(("echo", "samples"), [(7, [100, 50]), (2, [100]), (99, [100])])
def test_a_timestamp_tells_which_transmission_is_answered(echo, samples):
    lines = [(0, ">", 0, (1, 0)), (100, "<", 1, (0, 1)), (100, ">", 1, (2, 0))]
    lines += [(101, ">", 2, (2, 0)), (800, ">", 1, (7, 0)), (850, "<", 3, (0, echo))]
    assert follow(trace(*lines)).rtt_ns == [each * MS for each in samples]


def test_losses_of_one_window_are_one_event():
    """An event takes in what is lost among so many segments as were in flight, however numbered."""
    sends = [
        Send(0, 10, 1000, 1100, Burst(500), None),
        Send(1, 12, 1400, 1500, Burst(500), None),
        Send(2, 14, 1900, 2000, Burst(500), None),
        Send(3, 15, 1000, 1100, Burst(350), None),
        Send(3, 19, 3000, 3100, Burst(50), None),
    ]
    seen = Sender(segments_sent=40, losses=sends, largest=100)
    assert [
        (each.first.number, each.losses, each.window_segments) for each in loss_events(seen)
    ] == [
        (10, 3, 5),
        (15, 1, 4),
        (19, 1, 1),
    ]


def test_segments_that_a_card_cuts_are_counted_as_it_cuts_them():
    its = trace((0, ">", 0), (100, "<", 1))
    opening = its.segments[1]._replace(flags=SYN | ACK, mss=40)
    its.segments.insert(0, opening)
    found = estimate(its)
    assert found.segments_sent == 3
    assert isnan(found.rto_s)
    assert isnan(found.q)
