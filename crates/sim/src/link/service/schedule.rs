//! A rate that changes at given times.
//!
//! No published source. A packet that is being sent when the rate changes goes on at the new rate. While the rate is zero
//! nothing is sent: what is being sent waits with what waits in the queue.
//!
//! | parameter | unit |
//! |---|---|
//! | steps | from when on which rate holds: time, bit/s |
//! | period | time after which the steps begin anew; none: the last one holds |

use super::Service;
use crate::link::Schedule;
use base::Time;

const PS_PER_SECOND: u128 = 1_000_000_000_000;

/// A rate that changes at given times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateSchedule {
    /// Bit/s.
    rates: Schedule<u64>,
    /// End of the pause for which the schedule has been read ahead; packets that come during it wait, too.
    resumes: Time,
}

impl RateSchedule {
    /// Rates in bit/s.
    ///
    /// # Panics
    /// If every rate is zero and the steps begin anew: their search for another rate would not end.
    #[must_use]
    pub fn new(rates: Schedule<u64>) -> Self {
        assert!(!rates.begins_anew() || rates.values().any(|rate| rate > 0), "a link sends something");
        Self { rates, resumes: Time::ZERO }
    }
}

impl Service for RateSchedule {
    fn begins(&mut self, now: Time, _: bool) -> Time {
        if now < self.resumes {
            return self.resumes;
        }
        let mut begins = now;
        let mut rate = self.rates.at(now);
        while rate == 0 {
            begins = self.rates.ends();
            self.resumes = begins;
            if begins == Time::NEVER {
                return begins;
            }
            self.rates.advance();
            rate = self.rates.value();
        }
        begins
    }

    fn finish(&mut self, start: Time, bytes: u32) -> Time {
        // In bits times picoseconds per second, so that a rate times picoseconds is what it sends.
        let mut left = u128::from(bytes) * 8 * PS_PER_SECOND;
        let (mut now, mut rate) = (start, u128::from(self.rates.at(start)));
        loop {
            let ends = self.rates.ends();
            let sends = rate * u128::from((ends - now).as_ps());
            if sends >= left {
                // Rounded as by a constant rate, but not into the next step.
                return ends.min(now + Time::from_ps(((left + rate / 2) / rate) as u64));
            }
            if ends == Time::NEVER {
                return Time::NEVER;
            }
            left -= sends;
            now = ends;
            self.rates.advance();
            rate = u128::from(self.rates.value());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MS: fn(u64) -> Time = Time::from_ms;

    /// The link is idle when the pause begins; two packets come in it.
    #[test]
    fn all_packets_that_come_in_a_pause_wait() {
        let mut rate = schedule(steps(), None);
        assert_eq!([12, 15, 20].map(|ms| rate.begins(MS(ms), ms == 12)), [MS(20), MS(20), MS(20)]);
    }

    /// 8 Mbit/s for 10 ms, nothing for 10 ms, then 1 Mbit/s.
    fn steps() -> Vec<(Time, u64)> {
        vec![(MS(0), 8_000_000), (MS(10), 0), (MS(20), 1_000_000)]
    }

    fn schedule(steps: Vec<(Time, u64)>, period: Option<Time>) -> RateSchedule {
        RateSchedule::new(Schedule::new(steps, period))
    }

    #[test]
    fn a_packet_goes_on_at_the_new_rate() {
        let mut rate = schedule(steps(), None);
        assert_eq!((rate.begins(MS(1), true), rate.finish(MS(1), 1000)), (MS(1), MS(2)));
        // 500 bytes before the pause, and 500 after it.
        assert_eq!(rate.finish(Time::from_us(9500), 1000), MS(24));
        assert_eq!((rate.begins(MS(24), false), rate.finish(MS(24), 125)), (MS(24), MS(25)));
    }

    #[test]
    fn nothing_begins_in_a_pause() {
        let mut rate = schedule(steps(), None);
        assert_eq!((rate.begins(MS(12), true), rate.finish(MS(20), 125)), (MS(20), MS(21)));
        let mut rate = schedule(steps()[..2].to_vec(), None);
        assert_eq!(rate.begins(MS(12), true), Time::NEVER);
        assert_eq!(schedule(steps()[..2].to_vec(), None).finish(MS(9), 2000), Time::NEVER);
    }

    /// As a model of a short run may have it.
    #[test]
    fn a_link_may_send_nothing() {
        let mut rate = schedule(vec![(MS(0), 0)], None);
        assert_eq!(rate.begins(MS(1), true), Time::NEVER);
    }

    #[test]
    fn steps_begin_anew_after_a_period() {
        let mut rate = schedule(steps(), Some(MS(30)));
        assert_eq!(rate.finish(MS(3_000_001), 1000), MS(3_000_002));
        assert_eq!(rate.begins(MS(3_000_015), true), MS(3_000_020));
        assert_eq!(rate.finish(MS(3_000_029), 1125), MS(3_000_031));
    }

    proptest! {
        /// Against a walk in steps of a microsecond, in which a whole number of bits is sent.
        #[test]
        fn agrees_with_a_walk(
            steps in prop::collection::vec((1u64..50, 0u64..8), 1..6),
            repeats: bool,
            packets in prop::collection::vec((0u64..300, 1u32..40), 1..20),
        ) {
            let mut at = 0;
            let mut starts = Vec::new();
            for &(us, rate) in &steps {
                starts.push((Time::from_us(at), rate * 1_000_000));
                at += us;
            }
            prop_assume!(steps.iter().any(|step| step.1 > 0));
            let period = repeats.then(|| Time::from_us(at));
            let mut service = schedule(starts.clone(), period);
            let mut now = 0;
            for (pause, bytes) in packets {
                now += pause;
                let rate_at = |us: u64| {
                    let within = period.map_or(us, |_| us % at);
                    starts.iter().rev().find(|step| step.0 <= Time::from_us(within)).map_or(0, |step| step.1 / 1_000_000)
                };
                let horizon = now + 100_000;
                let begin = (now..horizon).find(|&us| rate_at(us) > 0);
                let begins = service.begins(Time::from_us(now), true);
                prop_assert_eq!(begins, begin.map_or(Time::NEVER, Time::from_us));
                let Some(begin) = begin else { break };
                let (mut left, mut end) = (u64::from(bytes) * 8, begin);
                while end < horizon && left > rate_at(end) {
                    left -= rate_at(end);
                    end += 1;
                }
                let finish = service.finish(begins, bytes);
                if end == horizon {
                    prop_assert_eq!(finish, Time::NEVER);
                    break;
                }
                let exact = Time::from_us(end) + Time::from_ps((left * 1_000_000 + rate_at(end) / 2) / rate_at(end));
                prop_assert_eq!(finish, exact);
                now = end + 1;
            }
        }
    }
}
