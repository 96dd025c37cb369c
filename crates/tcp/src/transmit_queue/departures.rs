//! The transmit queue in the order in which segments left, for a loss detection by time.
//!
//! Source: RFC 8985, sections 5 and 6.2.
//!
//! Each sending adds a departure. A departure is over when its segment is delivered, counted as lost, or sent once more; it is
//! dropped when it comes to the front. So an ACK looks at the departures that are in doubt, and not at every segment in flight.
//!
//! A segment that is lost stays so until it goes out again, and it goes out again whole: the RFC judges segments and not bytes.
//! What a SACK block covers of it, which happens only if the receiver cuts segments in parts, arrives twice.

use super::{SentSegment, TransmitQueue};
use base::Time;
use std::collections::{BTreeMap, VecDeque};

/// When a segment left, and one above its last sequence number, by which segments that left at once are ordered.
pub(crate) type Departure = (Time, u64);

/// Departures, and what is lost.
#[derive(Clone, Debug, Default)]
pub(super) struct Departures {
    order: VecDeque<Departure>,
    /// Of each lost segment: where it ends, and how many bytes of it are missing. By its first sequence number.
    lost: BTreeMap<u64, Lost>,
    lost_bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Lost {
    end: u64,
    missing: u64,
}

impl Departures {
    /// A segment leaves, perhaps once more.
    pub(super) fn on_sent(&mut self, segment: &mut SentSegment) {
        let departure = (segment.last_sent, segment.end);
        if self.order.back().is_none_or(|&last| last < departure) {
            self.order.push_back(departure);
        } else {
            // At the same instant something above it has left.
            let at = self.order.partition_point(|&earlier| earlier < departure);
            self.order.insert(at, departure);
        }
        self.forget_loss(segment);
    }

    /// The segment is delivered or sent again: it is lost no longer.
    #[inline(always)]
    pub(super) fn forget_loss(&mut self, segment: &mut SentSegment) {
        if std::mem::take(&mut segment.lost) {
            self.take_back(segment.seq);
        }
    }

    #[inline(never)]
    fn take_back(&mut self, seq: u64) {
        self.lost_bytes -= self.lost.remove(&seq).map_or(0, |lost| lost.missing);
    }

    /// So many bytes of a lost segment are missing yet.
    fn set_missing(&mut self, segment: &SentSegment, missing: u64) {
        if let Some(lost) = self.lost.get_mut(&segment.seq).filter(|_| segment.lost) {
            self.lost_bytes -= lost.missing - missing;
            lost.missing = missing;
        }
    }

    /// Bytes that are lost and not sent again.
    pub(super) fn lost_bytes(&self) -> u64 {
        self.lost_bytes
    }

    fn lose(&mut self, segment: &mut SentSegment, missing: u64) {
        (segment.lost, segment.was_lost) = (true, true);
        self.lost.insert(segment.seq, Lost { end: segment.end, missing });
        self.lost_bytes += missing;
    }
}

impl TransmitQueue {
    /// Bytes that are lost and not sent again.
    pub(crate) fn lost_and_waiting(&self) -> u64 {
        self.departures.lost_bytes()
    }

    /// The first lost segment that is to be sent again, without what is acknowledged.
    pub(crate) fn first_lost(&self) -> Option<(u64, u64)> {
        let (&seq, lost) = self.departures.lost.first_key_value()?;
        Some((seq.max(self.snd_una), lost.end))
    }

    /// Bytes of segments that were sent again and are in flight: of those that had been lost, of the others, which were probes.
    pub(crate) fn sent_again(&self) -> (u64, u64) {
        let in_flight = |its: &&SentSegment| its.retransmissions > 0 && !its.sacked && !its.lost;
        let len = |its: &SentSegment| self.unsacked(its.seq.max(self.snd_una), its.end);
        let its = self.segments.iter().filter(in_flight);
        its.fold(
            (0, 0),
            |(lost, probes), its| {
                if its.was_lost { (lost + len(its), probes) } else { (lost, probes + len(its)) }
            },
        )
    }

    /// When the last segment left, and whether that of `seq` was sent again.
    pub(crate) fn last_departure(&self, seq: u64) -> (Time, bool) {
        let now = self.departures.order.back().map_or(Time::ZERO, |last| last.0);
        let newest = self.segments.back().filter(|last| last.seq <= seq);
        (now, newest.is_none_or(|newest| newest.retransmissions > 0))
    }

    /// Whether something that had been sent again was found to be lost since this was last asked, or the ACK began.
    pub(crate) fn take_lost_again(&mut self) -> bool {
        std::mem::take(&mut self.this_ack.has_lost_again)
    }

    /// Counts as lost what left before `latest` and, `wait` later, still has no ACK at `now`. Gives when the next one may
    /// be lost; [`Time::NEVER`] if none is in doubt.
    pub(crate) fn lose_departed(&mut self, now: Time, latest: Departure, wait: Time) -> Time {
        while let Some(&departure) = self.departures.order.front() {
            let Some(at) = self.in_flight_since(departure) else {
                self.departures.order.pop_front();
                continue;
            };
            if departure >= latest || departure.0 + wait > now {
                break;
            }
            self.departures.order.pop_front();
            self.lose_segment(at);
        }
        // Without losses or reordering what is in flight left after what has arrived.
        if self.departures.order.front().is_none_or(|&first| first >= latest) {
            return Time::NEVER;
        }
        // All of them are in order, so the last one before `latest` is the last to be in doubt.
        let before = self.departures.order.partition_point(|&departure| departure < latest);
        let in_doubt = self.departures.order.range(..before).rev();
        let last = in_doubt.copied().find(|&departure| self.in_flight_since(departure).is_some());
        last.map_or(Time::NEVER, |(left, _)| left + wait)
    }

    /// The retransmission timer has run out: the first segment is lost, and what left longer than `wait` ago; all if none.
    pub(crate) fn lose_on_timeout(&mut self, now: Time, wait: Option<Time>) {
        for at in 0..self.segments.len() {
            let segment = &self.segments[at];
            let is_overdue = wait.is_none_or(|wait| segment.last_sent + wait <= now);
            if !segment.sacked && !segment.lost && (at == 0 || is_overdue) {
                self.lose_segment(at);
            }
        }
    }

    /// What counted as lost is in flight after all.
    pub(crate) fn forget_losses(&mut self) {
        for segment in &mut self.segments {
            if self.departures.lost.contains_key(&segment.seq) {
                (segment.lost, segment.was_lost) = (false, false);
            }
        }
        self.departures.lost.clear();
        self.departures.lost_bytes = 0;
        // What no sample has reported yet is never reported.
        self.losses.clear();
        (self.this_ack.newly_lost, self.this_ack.lost_ranges) = (0, 0);
        self.departures.order = self.in_order_of_departure();
    }

    /// Nothing is SACKed: the receiver has taken it back (RFC 2018, section 8).
    pub(crate) fn forget_sacks(&mut self) {
        self.assume_sacked(0, 0);
        self.segments.iter_mut().for_each(|segment| segment.sacked = false);
        self.sacked_segments = 0;
        self.departures.order = self.in_order_of_departure();
    }

    /// Counts anew what of the segment at this place is missing, of which a part was delivered.
    pub(super) fn count_missing(&mut self, at: usize) {
        if let Some(&segment) = self.segments.get(at).filter(|segment| segment.lost) {
            self.departures.set_missing(&segment, self.unsacked(segment.seq.max(self.snd_una), segment.end));
        }
    }

    fn in_order_of_departure(&self) -> VecDeque<Departure> {
        let in_flight = self.segments.iter().filter(|segment| !segment.sacked && !segment.lost);
        let mut order: Vec<_> = in_flight.map(|segment| (segment.last_sent, segment.end)).collect();
        order.sort_unstable();
        order.into()
    }

    /// The place of the segment of this departure, unless that is over.
    fn in_flight_since(&self, (left, end): Departure) -> Option<usize> {
        let first = self.segments.front()?;
        if end <= first.seq {
            return None;
        }
        let at = if end == first.end { 0 } else { self.segments.partition_point(|its| its.end < end) };
        let segment = self.segments.get(at)?;
        (segment.last_sent == left && !segment.sacked && !segment.lost).then_some(at)
    }

    fn lose_segment(&mut self, at: usize) {
        let below = at.checked_sub(1).map(|below| &self.segments[below]);
        let is_lost_too = |its: &SentSegment| !its.sacked && (its.lost || its.retransmissions > 0);
        self.this_ack.lost_ranges += u64::from(!below.is_some_and(is_lost_too));
        let segment = &mut self.segments[at];
        let from = segment.seq.max(self.snd_una);
        let missing = segment.end - from - self.sacked.len_within(from, segment.end);
        self.departures.lose(segment, missing);
        self.this_ack.newly_lost += missing;
        self.this_ack.has_lost_again |= self.segments[at].retransmissions > 0;
        if let Some(rate) = &self.rate {
            self.losses.push(rate.on_lost(at, missing, self.this_ack.newly_lost));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MS: fn(u64) -> Time = Time::from_ms;

    /// A queue of segments of 100 bytes from 1 on.
    struct Path {
        queue: TransmitQueue,
        una: u64,
        max: u64,
    }

    impl Path {
        fn new() -> Self {
            Self { queue: TransmitQueue::new(true).listing_deliveries(), una: 1, max: 1 }
        }

        fn send(&mut self, ms: u64) {
            self.max += 100;
            self.queue.on_sent(MS(ms), self.max - 100, self.max, self.max - self.una);
        }

        fn resend(&mut self, ms: u64) -> Option<u64> {
            let (seq, end) = self.queue.first_lost()?;
            self.queue.on_sent(MS(ms), seq, end, self.max - self.una);
            Some(seq)
        }

        fn ack(&mut self, ms: u64, una: u64, sacked: &[(u64, u64)]) {
            self.queue.begin_ack(MS(ms));
            self.queue.sack(self.una, self.max, sacked);
            self.una = self.una.max(una);
            self.queue.acknowledge(self.una);
        }
    }

    /// Four segments, one a millisecond; the third is SACKed at 53 ms. What left before it is lost 10 ms later.
    #[test]
    fn what_left_before_is_lost_when_its_time_is_over() {
        let mut path = Path::new();
        (0..4).for_each(|n| path.send(n));
        path.ack(52, 1, &[(201, 301)]);
        assert_eq!(path.queue.lose_departed(MS(52), (MS(2), 301), MS(60)), MS(61));
        assert_eq!(path.queue.lost_and_waiting(), 0);
        assert_eq!(path.queue.lose_departed(MS(60), (MS(2), 301), MS(60)), MS(61), "one of two");
        assert_eq!((path.queue.lost_and_waiting(), path.queue.first_lost()), (100, Some((1, 101))));
        assert_eq!(path.queue.lose_departed(MS(61), (MS(2), 301), MS(60)), Time::NEVER);
        assert_eq!(path.queue.lost_and_waiting(), 200);
        assert_eq!(path.queue.take_losses().len(), 2);
        let sample = path.queue.sample();
        assert_eq!((sample.lost, sample.lost_ranges), (200, 1));
    }

    /// Of six segments the 3rd, the 5th and the 6th arrive. One more is lost later, next to one that was sent again meanwhile.
    #[test]
    fn lost_ranges_are_those_that_do_not_touch() {
        let mut path = Path::new();
        (0..8).for_each(|n| path.send(n));
        path.ack(60, 1, &[(201, 301), (401, 601)]);
        path.queue.lose_departed(MS(70), (MS(5), 601), MS(60));
        assert_eq!(path.queue.sample().lost_ranges, 2);
        path.ack(70, 401, &[(601, 601)]);
        path.ack(80, 601, &[(701, 801)]);
        path.queue.lose_departed(MS(90), (MS(7), 801), MS(60));
        assert_eq!(path.queue.sample().lost_ranges, 1);
        path.resend(90);
        path.send(91);
        path.send(92);
        path.ack(150, 601, &[(901, 1001)]);
        path.queue.lose_departed(MS(160), (MS(92), 1001), MS(60));
        let sample = path.queue.sample();
        assert_eq!((sample.lost, sample.lost_ranges), (200, 2), "the segment between them has arrived");
    }

    #[test]
    fn a_retransmission_is_lost_like_anything_else() {
        let mut path = Path::new();
        (0..3).for_each(|n| path.send(n));
        path.ack(52, 1, &[(201, 301)]);
        path.queue.lose_departed(MS(70), (MS(2), 301), MS(50));
        assert_eq!((path.resend(70), path.resend(71)), (Some(1), Some(101)));
        assert_eq!(path.queue.lost_and_waiting(), 0);
        path.ack(121, 1, &[(101, 301)]);
        assert_eq!(path.queue.lose_departed(MS(121), (MS(71), 201), MS(50)), Time::NEVER);
        assert_eq!((path.queue.lost_and_waiting(), path.resend(121)), (100, Some(1)));
        path.ack(171, 301, &[]);
        assert_eq!(path.queue.lose_departed(MS(999), (MS(121), 101), MS(1)), Time::NEVER);
    }

    #[test]
    fn what_is_delivered_in_part_is_missing_in_part() {
        let mut path = Path::new();
        (0..3).for_each(|n| path.send(n));
        path.ack(52, 1, &[(201, 301)]);
        path.queue.lose_departed(MS(70), (MS(2), 301), MS(50));
        path.ack(71, 31, &[(51, 81)]);
        assert_eq!((path.queue.lost_and_waiting(), path.queue.first_lost()), (140, Some((31, 101))));
        path.ack(72, 101, &[]);
        assert_eq!((path.queue.lost_and_waiting(), path.queue.first_lost()), (100, Some((101, 201))));
    }

    #[test]
    fn a_time_out_loses_the_first_and_what_is_overdue() {
        let mut path = Path::new();
        (0..4).for_each(|n| path.send(100 * n));
        path.queue.lose_on_timeout(MS(300), Some(MS(200)));
        assert_eq!(path.queue.lost_and_waiting(), 200);
        path.queue.forget_losses();
        assert_eq!((path.queue.lost_and_waiting(), path.queue.first_lost()), (0, None));
        assert_eq!(path.queue.lose_departed(MS(300), (MS(300), 401), MS(200)), MS(400));
        assert_eq!(path.queue.lost_and_waiting(), 200);
    }

    /// The same rule, applied to every segment in flight.
    fn plainly_lost(queue: &TransmitQueue, now: Time, latest: Departure, wait: Time) -> (Vec<u64>, Time) {
        let in_doubt = |its: &&SentSegment| !its.sacked && (its.last_sent, its.end) < latest;
        let in_doubt: Vec<_> = queue.segments().filter(in_doubt).collect();
        let is_lost = |its: &SentSegment| its.lost || its.last_sent + wait <= now;
        let lost = queue
            .segments()
            .filter(|its| its.lost || (in_doubt.iter().any(|it| it.seq == its.seq) && is_lost(its)));
        let waits = in_doubt.iter().filter(|its| !is_lost(its)).map(|its| its.last_sent + wait).max();
        (lost.map(|its| its.seq).collect(), waits.unwrap_or(Time::NEVER))
    }

    proptest! {
        #[test]
        fn agrees_with_a_look_through_all(steps in prop::collection::vec((0u8..6, 0u64..12, 1u64..250), 1..120)) {
            let mut path = Path::new();
            let (mut now, mut latest) = (0, (Time::ZERO, 0));
            for (kind, segment, len) in steps {
                now += len % 7;
                let from = 1 + 100 * segment + len % 100;
                match kind {
                    0 | 1 => path.send(now),
                    2 => { path.resend(now); }
                    3 => path.ack(now, from.min(path.max), &[]),
                    4 => path.ack(now, 0, &[(from, from + len)]),
                    _ => {
                        let wait = MS(len % 40);
                        let (lost, next) = plainly_lost(&path.queue, MS(now), latest, wait);
                        prop_assert_eq!(path.queue.lose_departed(MS(now), latest, wait), next);
                        let found: Vec<_> = path.queue.segments().filter(|its| its.lost).map(|its| its.seq).collect();
                        prop_assert_eq!(found, lost);
                    }
                }
                for its in path.queue.delivered() {
                    latest = latest.max((its.last_sent, its.end));
                }
                let missing: u64 = path.queue.segments().filter(|its| its.lost)
                    .map(|its| path.queue.unsacked(its.seq.max(path.una), its.end)).sum();
                prop_assert_eq!(path.queue.lost_and_waiting(), missing);
            }
        }
    }
}
