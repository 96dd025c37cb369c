//! Samples of a path: RTT, delivery rate and round trips, from every ACK.
//!
//! Source: draft-ietf-ccwg-bbr section 4.1 (delivery rate estimation; before it draft-cheng-iccrg-delivery-rate-estimation).
//! A segment notes at its departure what had been delivered by then and when; when it is delivered, the difference is what
//! the path has carried in the meantime.
//!
//! Deviations: the RTT is that of the segment sent last of those which an ACK delivers, if it was sent once (Karn's rule);
//! the smallest RTT is that of the whole connection.
//!
//! | value | unit |
//! |---|---|
//! | delivered, lost, in flight | bytes |
//! | intervals, RTTs | time |

use super::{LostSegment, SentSegment};
use base::Time;
use std::collections::VecDeque;

/// Bytes per second: 100 Tbit/s, the highest rate of a link. Over delays of picoseconds a higher one would be measured.
const HIGHEST_RATE: u64 = 12_500_000_000_000;

/// What a segment notes at its departure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Snapshot {
    /// `P.delivered`: delivered so far.
    pub delivered: u64,
    /// `P.delivered_time`: when the last of that was.
    pub delivered_time: Time,
    /// `P.first_send_time`: when the segment was sent whose delivery was the last.
    pub first_send_time: Time,
    /// `P.is_app_limited`: the application limited what was sent.
    pub is_app_limited: bool,
    /// `P.tx_in_flight`: in flight, the segment itself included.
    pub tx_in_flight: u64,
    /// `P.lost`: lost so far.
    pub lost: u64,
}

/// What an ACK measured of the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathSample {
    /// RTT of the segment sent last of those that it delivers; none if that one was sent again, or there is none.
    pub rtt: Option<Time>,
    /// The smallest RTT so far; [`Time::NEVER`] before the first.
    pub min_rtt: Time,
    /// How fast data were delivered; none if the sample is not valid.
    pub rate: Option<RateSample>,
    /// Delivered so far.
    pub delivered: u64,
    /// Lost so far.
    pub lost: u64,
    /// Round trips so far: one ends when a segment is delivered that was sent after the end of the last.
    pub round: u64,
    /// Whether one ends with this ACK.
    pub round_start: bool,
}

/// How fast data were delivered while a segment was in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateSample {
    /// Bytes delivered in the interval.
    pub delivered: u64,
    /// The longer one of the time in which they were sent and the time in which their ACKs came.
    pub interval: Time,
    /// Whether the application limited what was sent.
    pub is_app_limited: bool,
    /// In flight when the segment was sent, itself included.
    pub tx_in_flight: u64,
    /// Lost while it was in flight.
    pub lost: u64,
}

impl RateSample {
    /// Bytes per second, rounded down.
    #[must_use]
    pub fn bytes_per_second(&self) -> u64 {
        bytes_per_second(self.delivered, self.interval)
    }
}

/// So many bytes in this time, which is not zero: bytes per second, rounded down, [`HIGHEST_RATE`] at most.
pub(crate) fn bytes_per_second(bytes: u64, time: Time) -> u64 {
    const SECOND: u128 = 1_000_000_000_000;
    let rate = u128::from(bytes) * SECOND / u128::from(time.as_ps());
    u64::try_from(rate).unwrap_or(u64::MAX).min(HIGHEST_RATE)
}

/// The connection's side of the estimation: `C.*` of the draft.
#[derive(Clone, Debug)]
pub(crate) struct DeliveryRate {
    /// One for each segment in flight, in the order of the transmit queue.
    snapshots: VecDeque<Snapshot>,
    now: Time,
    delivered: u64,
    delivered_time: Time,
    first_send_time: Time,
    lost: u64,
    /// The application limits what is sent until so much was delivered; 0: it does not.
    app_limited_until: u64,
    min_rtt: Time,
    /// The last valid sample.
    last: Option<RateSample>,
    round: u64,
    /// What has to be delivered for the next round to begin.
    next_round: u64,
    /// Of the segments that the present ACK delivers, the one sent last.
    newest: Option<Newest>,
}

#[derive(Clone, Copy, Debug)]
struct Newest {
    sent: Time,
    end: u64,
    was_sent_again: bool,
    snapshot: Snapshot,
}

impl Default for DeliveryRate {
    fn default() -> Self {
        Self {
            snapshots: VecDeque::new(),
            now: Time::ZERO,
            delivered: 0,
            delivered_time: Time::ZERO,
            first_send_time: Time::ZERO,
            lost: 0,
            app_limited_until: 0,
            min_rtt: Time::NEVER,
            last: None,
            round: 0,
            next_round: 0,
            newest: None,
        }
    }
}

impl DeliveryRate {
    /// The segment at this place of the transmit queue is sent; with it so many bytes are in flight, and `newly_lost` since the
    /// last sample.
    ///
    /// Times count from here if nothing else is unacknowledged. That nothing is in flight is only a guess after a loss or a
    /// time-out, which would give a short interval and a high rate (Linux, `tcp_rate_skb_sent`).
    pub(crate) fn on_sent(&mut self, now: Time, at: usize, in_flight: u64, newly_lost: u64) {
        if self.snapshots.is_empty() {
            (self.first_send_time, self.delivered_time) = (now, now);
        }
        let snapshot = Snapshot {
            delivered: self.delivered,
            delivered_time: self.delivered_time,
            first_send_time: self.first_send_time,
            is_app_limited: self.is_app_limited(),
            tx_in_flight: in_flight,
            lost: self.lost + newly_lost,
        };
        match self.snapshots.get_mut(at) {
            Some(last) => *last = snapshot,
            None => self.snapshots.push_back(snapshot),
        }
    }

    /// Everything in flight is to be sent anew.
    pub(crate) fn clear(&mut self) {
        self.snapshots.clear();
    }

    /// An ACK comes.
    pub(crate) fn begin_ack(&mut self, now: Time) {
        self.now = now;
        self.newest = None;
    }

    /// The first segment of the transmit queue is acknowledged, and leaves it.
    pub(crate) fn on_acknowledged(&mut self, segment: &SentSegment) {
        if !segment.sacked {
            self.on_delivered(segment, 0);
        }
        self.snapshots.pop_front();
    }

    /// The segment at this place of the transmit queue is delivered, for the first time.
    pub(crate) fn on_delivered(&mut self, segment: &SentSegment, at: usize) {
        self.delivered += segment.end - segment.seq;
        self.delivered_time = self.now;
        let is_newer = |newest: &Newest| (segment.last_sent, segment.end) > (newest.sent, newest.end);
        if self.newest.as_ref().is_none_or(is_newer) {
            self.first_send_time = segment.last_sent;
            self.newest = Some(Newest {
                sent: segment.last_sent,
                end: segment.end,
                was_sent_again: segment.retransmissions > 0,
                snapshot: self.snapshots[at],
            });
        }
    }

    /// The segment at this place of the transmit queue becomes two.
    pub(super) fn split(&mut self, at: usize) {
        self.snapshots.insert(at + 1, self.snapshots[at]);
    }

    /// The segment at this place of the transmit queue is lost, with which so many bytes are since the last sample.
    pub(super) fn on_lost(&self, at: usize, bytes: u64, newly_lost: u64) -> LostSegment {
        let Snapshot { tx_in_flight, lost, is_app_limited, .. } = self.snapshots[at];
        LostSegment {
            bytes,
            tx_in_flight,
            lost: (self.lost + newly_lost).saturating_sub(lost),
            is_app_limited,
        }
    }

    /// The sample of an ACK that has shown `lost` bytes to be lost.
    pub(crate) fn sample(&mut self, lost: u64) -> PathSample {
        self.lost += lost;
        if self.app_limited_until > 0 && self.delivered > self.app_limited_until {
            self.app_limited_until = 0;
        }
        let rtt = self.newest.filter(|newest| !newest.was_sent_again).map(|newest| self.now - newest.sent);
        self.min_rtt = self.min_rtt.min(rtt.unwrap_or(Time::NEVER));
        let prior = self.newest.map(|newest| newest.snapshot.delivered);
        let round_start = prior.is_some_and(|prior| prior >= self.next_round);
        if round_start {
            self.round += 1;
            self.next_round = self.delivered;
        }
        let rate = self.rate_sample();
        self.last = rate.or(self.last);
        PathSample {
            rtt,
            min_rtt: self.min_rtt,
            rate,
            delivered: self.delivered,
            lost: self.lost,
            round: self.round,
            round_start,
        }
    }

    /// Whether what is sent now is limited by the application.
    pub(crate) fn is_app_limited(&self) -> bool {
        self.app_limited_until > 0
    }

    /// The last valid sample of the delivery rate.
    pub(crate) const fn last(&self) -> Option<RateSample> {
        self.last
    }

    /// The smallest RTT; [`Time::NEVER`] before the first.
    pub(crate) const fn min_rtt(&self) -> Time {
        self.min_rtt
    }

    /// The application limits what is sent while so many bytes are in flight.
    pub(crate) fn mark_app_limited(&mut self, in_flight: u64) {
        self.app_limited_until = (self.delivered + in_flight).max(1);
    }

    /// An interval shorter than the smallest RTT is that of a stretched or compressed ACK, and no sample.
    fn rate_sample(&self) -> Option<RateSample> {
        let Newest { sent, snapshot, .. } = self.newest?;
        let send_elapsed = sent - snapshot.first_send_time;
        let ack_elapsed = self.now - snapshot.delivered_time;
        let interval = send_elapsed.max(ack_elapsed);
        let is_valid = interval > Time::ZERO && self.min_rtt <= interval;
        is_valid.then(|| RateSample {
            delivered: self.delivered - snapshot.delivered,
            interval,
            is_app_limited: snapshot.is_app_limited,
            tx_in_flight: snapshot.tx_in_flight,
            // A needless time-out takes back what had counted as lost when the segment left.
            lost: self.lost.saturating_sub(snapshot.lost),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transmit_queue::TransmitQueue;
    use proptest::prelude::*;

    const MS: fn(u64) -> Time = Time::from_ms;

    /// A queue whose segments are 1000 bytes.
    struct Path {
        queue: TransmitQueue,
        una: u64,
        max: u64,
    }

    impl Path {
        fn new() -> Self {
            Self { queue: TransmitQueue::new(true), una: 1, max: 1 }
        }

        fn send(&mut self, ms: u64) {
            let seq = self.max;
            self.max += 1000;
            self.queue.on_sent(MS(ms), seq, self.max, self.max - self.una);
        }

        fn resend(&mut self, ms: u64, segment: u64) {
            let seq = 1 + 1000 * segment;
            self.queue.on_sent(MS(ms), seq, seq + 1000, self.max - self.una);
        }

        /// Acknowledges all before this segment, and SACKs some beyond.
        fn ack(&mut self, ms: u64, segment: u64, sacked: &[(u64, u64)]) -> PathSample {
            self.queue.begin_ack(MS(ms));
            let blocks: Vec<_> = sacked.iter().map(|(a, b)| (1 + 1000 * a, 1 + 1000 * b)).collect();
            self.queue.sack(self.una, self.max, &blocks);
            self.una = self.una.max(1 + 1000 * segment);
            self.queue.acknowledge(self.una);
            self.queue.sample().path.expect("samples are on")
        }
    }

    /// Ten segments, one a millisecond, whose ACKs come one each two milliseconds after an RTT of 50: the path carries 500
    /// segments a second, from the second one on.
    #[test]
    fn the_rate_is_that_of_the_acks_if_they_are_slower() {
        let mut path = Path::new();
        (0..10).for_each(|n| path.send(n));
        let first = path.ack(50, 1, &[]);
        assert_eq!(first.rtt, Some(MS(50)));
        assert_eq!(first.rate.map(|rate| (rate.delivered, rate.interval)), Some((1000, MS(50))));
        let samples: Vec<_> = (1..10).map(|n| path.ack(50 + 2 * n, n + 1, &[])).collect();
        let last = samples[8].rate.expect("a sample");
        assert_eq!((last.delivered, last.interval), (10_000, MS(68)), "all since the first was sent");
        assert_eq!(samples[8].min_rtt, MS(50));
        // The second flight is sent when the ACKs come, and meets a rate of its own.
        (0..10).for_each(|n| path.send(70 + 2 * n));
        let rates: Vec<_> =
            (0..10).map(|n| path.ack(120 + 2 * n, 11 + n, &[]).rate.expect("a sample")).collect();
        assert_eq!((rates[9].delivered, rates[9].interval), (10_000, MS(68)));
    }

    #[test]
    fn a_rate_has_a_bound() {
        let rate = |delivered, interval| bytes_per_second(delivered, Time::from_ps(interval));
        assert_eq!(rate(3000, 2_000_000_000_000), 1500);
        assert_eq!([rate(100, 8), rate(100, 1), rate(1 << 40, 1)], [12_500_000_000_000; 3]);
    }

    /// Bytes that are SACKed count when they are, and not again when they are acknowledged.
    #[test]
    fn sacked_bytes_count_once() {
        let mut path = Path::new();
        (0..4).for_each(|n| path.send(n));
        assert_eq!(path.ack(50, 0, &[(1, 2)]).delivered, 1000);
        assert_eq!(path.ack(51, 0, &[(1, 3)]).delivered, 2000);
        assert_eq!(path.ack(52, 0, &[(1, 3)]).delivered, 2000);
        path.resend(53, 0);
        let last = path.ack(103, 4, &[]);
        assert_eq!((last.delivered, last.rtt), (4000, None), "the newest was sent twice");
    }

    /// An ACK of data sent again may be that of the first copy: an interval below the smallest RTT is no sample.
    #[test]
    fn an_interval_below_the_smallest_rtt_is_no_sample() {
        let mut path = Path::new();
        path.send(0);
        path.ack(50, 1, &[]);
        path.send(100);
        path.send(101);
        path.resend(145, 1);
        let first = path.ack(150, 2, &[]).rate.expect("it counts from 100 ms on");
        assert_eq!((first.delivered, first.interval), (1000, MS(50)));
        path.resend(150, 2);
        assert_eq!(path.ack(151, 3, &[]).rate, None, "5 ms since the departure of the one before");
    }

    /// A time-out says that nothing is in flight, which is a guess: the times of what is sent again count from the first
    /// departure on.
    #[test]
    fn what_is_sent_again_does_not_begin_the_times_anew() {
        let mut path = Path::new();
        (0..2).for_each(|n| path.send(n));
        path.ack(51, 0, &[(1, 2)]);
        path.resend(60, 0);
        let sample = path.ack(110, 2, &[]);
        let rate = sample.rate.expect("a sample");
        assert_eq!((rate.delivered, rate.interval), (1000, MS(59)), "since the SACK of the other one");
        path.send(200);
        let rate = path.ack(250, 3, &[]).rate.expect("a sample");
        assert_eq!((rate.delivered, rate.interval), (1000, MS(50)), "nothing was out before");
    }

    /// What is lost when a segment leaves counts as lost before it, also if no ACK has come since.
    #[test]
    fn losses_of_a_time_out_are_older_than_what_is_sent_again() {
        let mut path = Path::new();
        path.queue = TransmitQueue::new(true).listing_deliveries();
        path.send(0);
        path.ack(50, 1, &[]);
        (0..4).for_each(|n| path.send(100 + n));
        path.queue.lose_on_timeout(MS(1000), None);
        path.resend(1000, 1);
        let sample = path.ack(1050, 2, &[]);
        let rate = sample.rate.expect("a sample");
        assert_eq!((sample.lost, rate.lost, rate.tx_in_flight), (4000, 0, 1000));
    }

    /// A sample that is not valid leaves what a trace shows: the last valid one, and the smallest RTT.
    #[test]
    fn the_last_valid_sample_stays() {
        let mut path = Path::new();
        assert_eq!((path.queue.delivery_rate(), path.queue.min_rtt()), (None, None));
        path.send(0);
        let first = path.ack(50, 1, &[]).rate;
        assert_eq!((path.queue.delivery_rate(), path.queue.min_rtt()), (first, Some(MS(50))));
        path.send(100);
        path.send(101);
        path.resend(145, 1);
        let second = path.ack(150, 2, &[]).rate;
        path.resend(150, 2);
        assert_eq!(path.ack(151, 3, &[]).rate, None, "5 ms since the departure of the one before");
        assert!(second.is_some() && path.queue.delivery_rate() == second);
        path.send(200);
        let rate = path.ack(240, 4, &[]).rate;
        assert!(rate != second && path.queue.delivery_rate() == rate);
        assert_eq!(path.queue.min_rtt(), Some(MS(40)));
    }

    /// A sender that waits for its application is app-limited until what was in flight then is delivered.
    #[test]
    fn app_limited_samples_say_so() {
        let mut path = Path::new();
        path.send(0);
        path.queue.mark_app_limited(1000);
        path.send(1);
        let is_limited = |sample: PathSample| sample.rate.expect("a sample").is_app_limited;
        assert!(!is_limited(path.ack(50, 1, &[])));
        assert!(is_limited(path.ack(51, 2, &[])));
        path.send(60);
        assert!(!is_limited(path.ack(110, 3, &[])));
    }

    #[test]
    fn rounds_end_when_what_was_sent_after_the_last_end_is_delivered() {
        let mut path = Path::new();
        (0..3).for_each(|n| path.send(n));
        let starts = |path: &mut Path, ms, n| path.ack(ms, n, &[]).round_start;
        assert!(starts(&mut path, 50, 1));
        path.send(50);
        assert!(!starts(&mut path, 51, 2) && !starts(&mut path, 52, 3));
        assert!(starts(&mut path, 100, 4));
        let none = path.ack(101, 4, &[]);
        assert!(!none.round_start && none.rtt.is_none() && none.rate.is_none(), "an ACK of nothing new");
    }

    proptest! {
        /// Whatever is lost, SACKed or late: what is delivered is never more than was sent, a rate never more than
        /// everything at once within the smallest RTT, and rounds are no more than round trips.
        #[test]
        fn samples_stay_within_what_was_sent(
            steps in prop::collection::vec((0u8..4, 1u64..20, 0u64..30, 0u64..30), 1..100),
        ) {
            let mut path = Path::new();
            let mut now = 0;
            let mut rounds = 0;
            for (kind, wait, a, b) in steps {
                now += wait;
                match kind {
                    0 | 1 => path.send(now),
                    2 if path.una < path.max => path.resend(now, (path.una - 1) / 1000),
                    _ => {
                        let out = (path.max - 1) / 1000;
                        let sample = path.ack(now, a.min(out), &[(a.min(b), a.max(b).min(out))]);
                        prop_assert!(sample.delivered < path.max);
                        rounds += u64::from(sample.round_start);
                        prop_assert_eq!(sample.round, rounds);
                        if let Some(rate) = sample.rate {
                            prop_assert!(rate.delivered <= sample.delivered && rate.interval >= sample.min_rtt);
                        }
                    }
                }
            }
            prop_assert!(rounds <= now);
        }
    }
}
