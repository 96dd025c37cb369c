//! HyStart: slow start ends when the ACKs of a round come as a train that is as long as the path, or when the RTT grows.
//!
//! Source: Ha and Rhee, "Taming the elephants: New TCP slow start", 2008, with the choices of Linux (`net/ipv4/tcp_cubic.c`):
//! ssthresh is cwnd at once; both tests begin at 16 segments; what one of them has found holds until a time-out. A round begins
//! below 16 segments too, as it does in Linux up to 5.15 and since 25c1a9ca53db (January 2025).
//!
//! Deviations: Linux leaves out RTTs in the first second of a stage of congestion avoidance; here they count, since
//! slow start knows of no such stage. The allowance for aggregates of segments is that of Linux, though nothing aggregates
//! here. Times are exact where Linux counts microseconds.
//!
//! | parameter | value |
//! |---|---|
//! | smallest window | 16 segments |
//! | train | ACKs at most 2 ms apart, since the round began |
//! | its length | the smallest RTT and an allowance of the time for four aggregates of 64 KiB, 1 ms at most; half of that if segments are not paced |
//! | RTT | the smallest of a round with more than 8, against the smallest ever and an eighth of it, 4 ms at least and 16 ms at most |

use super::super::{AckSample, CongestionWindow};
use crate::sender::Sender;
use base::Time;

const LOW_WINDOW: u64 = 16;
const MIN_SAMPLES: u32 = 8;
const DELAY_MIN: Time = Time::from_ms(4);
const DELAY_MAX: Time = Time::from_ms(16);
const ACK_DELTA: Time = Time::from_ms(2);
const MAX_ALLOWANCE: Time = Time::from_ms(1);
/// Four aggregates, bytes.
const AGGREGATES: u64 = 4 * 65_536;

/// HyStart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hystart {
    is_paced: bool,
    /// One of the tests has ended slow start.
    has_found: bool,
    /// The smallest RTT since the last time-out; [`Time::NEVER`] before the first.
    min_rtt: Time,
    round: Option<Round>,
}

/// A window of data.
#[derive(Clone, Copy, Debug)]
struct Round {
    start: Time,
    /// It ends when more than this is acknowledged.
    end: u64,
    /// When the last ACK of the train came.
    last_ack: Time,
    min_rtt: Time,
    rtts: u32,
}

impl Hystart {
    pub(super) const fn new(is_paced: bool) -> Self {
        Self { is_paced, has_found: false, min_rtt: Time::NEVER, round: None }
    }

    /// A time-out: what was found holds no longer.
    pub(super) fn begin_anew(&mut self) {
        *self = Self::new(self.is_paced);
    }

    pub(super) fn on_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        let Some(rtt) = sample.rtt else { return };
        self.min_rtt = self.min_rtt.min(rtt);
        if self.has_found || window.cwnd() >= window.ssthresh() {
            return;
        }
        let round = match self.round {
            Some(round) if sender.snd_una <= round.end => round,
            _ => Round {
                start: sample.now,
                end: sender.snd_nxt,
                last_ack: sample.now,
                min_rtt: Time::NEVER,
                rtts: 0,
            },
        };
        let round = self.round.insert(round);
        if window.cwnd() < LOW_WINDOW * sender.smss {
            return;
        }
        let mut longest = self.min_rtt + allowance(window, sample);
        if !self.is_paced {
            longest = Time::from_ps(longest.as_ps() / 2);
        }
        let (is_train, is_late) = (round.is_train(sample.now, longest), round.is_late(rtt, self.min_rtt));
        if is_train || is_late {
            self.has_found = true;
            let cwnd = window.cwnd();
            window.set_ssthresh(cwnd);
        }
    }
}

impl Round {
    /// Whether ACKs have come close together for longer than this.
    fn is_train(&mut self, now: Time, longest: Time) -> bool {
        if now - self.last_ack > ACK_DELTA {
            return false;
        }
        self.last_ack = now;
        now - self.start > longest
    }

    /// Whether all RTTs of the round are longer than the smallest ever.
    fn is_late(&mut self, rtt: Time, smallest: Time) -> bool {
        self.min_rtt = self.min_rtt.min(rtt);
        if self.rtts < MIN_SAMPLES {
            self.rtts += 1;
            return false;
        }
        let threshold = Time::from_ps(smallest.as_ps() / 8).clamp(DELAY_MIN, DELAY_MAX);
        self.min_rtt > smallest + threshold
    }
}

/// What segments that leave and arrive in aggregates may add to a train.
fn allowance(window: &CongestionWindow, sample: &AckSample) -> Time {
    const SECOND: u128 = 1_000_000_000_000;
    // Without pacing, the rate at which Linux would pace in slow start: two windows in an SRTT.
    let (bytes, time) = match (window.pacing(), sample.srtt) {
        (Some(pacing), _) => (pacing.rate, SECOND),
        (None, Some(srtt)) => (2 * window.cwnd(), u128::from(srtt.as_ps())),
        (None, None) => return Time::ZERO,
    };
    let time = u128::from(AGGREGATES) * time / u128::from(bytes.max(1));
    Time::from_ps(time.min(u128::from(MAX_ALLOWANCE.as_ps())) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;

    const SMSS: u64 = 1000;
    const MS: fn(u64) -> Time = Time::from_ms;

    /// So many segments out of a window of as many.
    fn flow(segments: u64) -> Flow {
        Flow::new(SMSS, segments * SMSS, u64::MAX, segments * SMSS)
    }

    /// ACKs of a segment each, so many microseconds apart from `start` on; how many there are until slow start ends.
    fn acks(hystart: &mut Hystart, flow: &mut Flow, start: Time, us: u64, rtt: Time) -> Option<u64> {
        let out = flow.sender.flight_size() / SMSS;
        (1..=out).find(|n| {
            flow.sender.snd_una += SMSS;
            let sample = AckSample {
                rtt: Some(rtt),
                ..AckSample::open(start + Time::from_us(us * (n - 1)), SMSS, Some(rtt))
            };
            hystart.on_ack(&mut flow.window, &flow.sender, &sample);
            flow.ssthresh() < u64::MAX
        })
    }

    /// RTT 20 ms: half of that and of the allowance (1 ms at a rate of two windows of 200 segments in 20 ms). The ACK at
    /// 10.5 ms is no longer than that, the next one is. Paced, the train may be twice as long.
    #[test]
    fn a_train_of_acks_as_long_as_half_the_path_ends_it() {
        for (is_paced, acks_to_the_end) in [(false, 23), (true, 44)] {
            let mut hystart = Hystart::new(is_paced);
            let mut its = flow(200);
            assert_eq!(acks(&mut hystart, &mut its, MS(20), 500, MS(20)), Some(acks_to_the_end));
            assert_eq!(its.ssthresh(), its.cwnd());
        }
    }

    #[test]
    fn acks_more_than_two_milliseconds_apart_are_no_train() {
        let mut hystart = Hystart::new(false);
        assert_eq!(acks(&mut hystart, &mut flow(200), MS(20), 2001, MS(20)), None);
        assert_eq!(acks(&mut Hystart::new(false), &mut flow(200), MS(20), 2000, MS(20)), Some(7), "12 ms");
    }

    /// The ninth RTT of a round decides: more than the smallest ever and an eighth, 4 ms at least and 16 ms at most.
    #[test]
    fn longer_rtts_end_it() {
        for (rtt, threshold) in [(20, 4), (80, 10), (200, 16)] {
            let after = |longer: Time| {
                let mut hystart = Hystart::new(false);
                acks(&mut hystart, &mut flow(16), MS(rtt), 3000, MS(rtt));
                let mut next = flow(30);
                (next.sender.snd_una, next.sender.snd_nxt, next.sender.snd_max) = (20_001, 50_001, 50_001);
                acks(&mut hystart, &mut next, MS(10 * rtt), 3000, longer)
            };
            let most = MS(rtt + threshold);
            assert_eq!(after(most), None, "{rtt} ms");
            assert_eq!(after(most + Time::from_us(1)), Some(9), "{rtt} ms");
        }
    }

    #[test]
    fn it_begins_at_sixteen_segments_and_ends_once() {
        let mut hystart = Hystart::new(false);
        assert_eq!(acks(&mut hystart, &mut flow(15), MS(20), 2000, MS(20)), None);
        assert!(acks(&mut hystart, &mut flow(100), MS(100), 500, MS(20)).is_some());
        assert_eq!(acks(&mut hystart, &mut flow(100), MS(200), 500, MS(20)), None, "it has been found");
        hystart.begin_anew();
        assert!(acks(&mut hystart, &mut flow(100), MS(300), 500, MS(20)).is_some());
    }
}
