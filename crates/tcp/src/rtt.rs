//! The coarse clock, RTT estimation and the retransmission time-out.
//!
//! Source: Jacobson 1988 and RFC 6298 in the whole-number form of the BSD stacks: RTTs are
//! counted in ticks, srtt is kept times 8 and rttvar times 4, and a time-out of n ticks ends at
//! the n-th tick after it was set. One segment is timed at a time, retransmitted ones never
//! (Karn), and a backed-off time-out stays until a sample is taken (RFC 6298, 5.7).
//!
//! | parameter | unit |
//! |---|---|
//! | tick, phase | time |
//! | initial, min, max | ticks |

use crate::config::Config;
use sim::time::Time;

/// A clock that ticks: at `phase`, `phase + tick`, `phase + 2 tick` ...
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickClock {
    /// Time between ticks.
    pub tick: Time,
    /// Time of the first tick; less than `tick` unless the clock starts later.
    pub phase: Time,
}

impl TickClock {
    /// Ticks that have passed by `now`, one at `now` included.
    #[must_use]
    pub fn ticks(&self, now: Time) -> u64 {
        if now < self.phase { 0 } else { (now - self.phase).div_floor(self.tick) + 1 }
    }

    /// The time of the `n`-th tick after `now`.
    #[must_use]
    pub fn after(&self, now: Time, n: u32) -> Time {
        self.phase + self.tick * (self.ticks(now) + u64::from(n) - 1)
    }
}

/// RTT estimation and the retransmission time-out, in ticks.
#[derive(Clone, Debug)]
pub struct RttEstimator {
    /// Smoothed RTT times 8, and its mean deviation times 4, once a sample was taken.
    smoothed: Option<(u32, u32)>,
    backoff: u32,
    initial: u32,
    min: u32,
    max: u32,
}

impl RttEstimator {
    /// An estimator without a sample.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let (initial, min, max) = (config.initial_rto, config.min_rto, config.max_rto);
        Self { smoothed: None, backoff: 0, initial, min, max }
    }

    /// Takes a sample of `ticks`; less than one counts as one.
    pub fn sample(&mut self, ticks: u64) {
        let m = ticks.clamp(1, u64::from(self.max)) as u32;
        self.smoothed = Some(match self.smoothed {
            None => (m << 3, m << 1),
            Some((srtt, rttvar)) => {
                let error = m.abs_diff(srtt >> 3);
                (srtt + m - (srtt >> 3), rttvar + error - (rttvar >> 2))
            }
        });
        self.backoff = 0;
    }

    /// Doubles the time-out.
    pub fn back_off(&mut self) {
        self.backoff += 1;
    }

    /// The time-out, ticks.
    #[must_use]
    pub fn rto(&self) -> u32 {
        let base = self.smoothed.map_or(self.initial, |(srtt, rttvar)| (srtt >> 3) + rttvar);
        let backed_off = u64::from(base.max(self.min)) << self.backoff.min(31);
        backed_off.min(u64::from(self.max)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn estimator(initial: u32, min: u32, max: u32) -> RttEstimator {
        RttEstimator { smoothed: None, backoff: 0, initial, min, max }
    }

    #[test]
    fn a_time_out_of_n_ticks_ends_at_the_nth_tick() {
        let clock = TickClock { tick: Time::from_ms(100), phase: Time::from_ms(30) };
        let ms = Time::from_ms;
        assert_eq!(clock.after(ms(0), 1), ms(30));
        assert_eq!(clock.after(ms(29), 2), ms(130));
        assert_eq!(clock.after(ms(30), 2), ms(230));
        assert_eq!(clock.after(ms(31), 2), ms(230));
        assert_eq!(clock.ticks(ms(29)), 0);
        assert_eq!(clock.ticks(ms(130)), 2);
    }

    #[test]
    fn first_sample_gives_three_rtts() {
        let mut rtt = estimator(30, 2, 640);
        assert_eq!(rtt.rto(), 30);
        rtt.sample(6);
        assert_eq!(rtt.rto(), 18);
    }

    #[test]
    fn settles_on_a_constant_rtt_and_respects_the_floor() {
        let mut rtt = estimator(30, 2, 640);
        (0..100).for_each(|_| rtt.sample(6));
        // Whole-number decay stops where rttvar / 4 rounds to nothing: 6 + 3 ticks.
        assert_eq!(rtt.rto(), 9);
        let mut short = estimator(30, 5, 640);
        (0..100).for_each(|_| short.sample(0));
        assert_eq!(short.rto(), 5);
    }

    #[test]
    fn back_off_doubles_up_to_the_cap_and_ends_with_a_sample() {
        let mut rtt = estimator(30, 2, 100);
        rtt.sample(2);
        let base = rtt.rto();
        rtt.back_off();
        assert_eq!(rtt.rto(), 2 * base);
        (0..40).for_each(|_| rtt.back_off());
        assert_eq!(rtt.rto(), 100);
        rtt.sample(2);
        assert!(rtt.rto() <= base);
    }

    proptest! {
        #[test]
        fn the_time_out_stays_within_its_bounds(samples in prop::collection::vec(0u64..2000, 0..50), backoffs in 0u32..50) {
            let mut rtt = estimator(30, 2, 640);
            samples.iter().for_each(|&sample| rtt.sample(sample));
            (0..backoffs).for_each(|_| rtt.back_off());
            prop_assert!((2..=640).contains(&rtt.rto()));
        }

        #[test]
        fn the_nth_tick_is_the_nth(phase in 0u64..50, now in 0u64..500, n in 1u32..9) {
            let clock = TickClock { tick: Time::from_ps(50), phase: Time::from_ps(phase) };
            let now = Time::from_ps(now);
            let then = clock.after(now, n);
            prop_assert!(then > now);
            prop_assert_eq!(clock.ticks(then), clock.ticks(now) + u64::from(n));
        }
    }
}
