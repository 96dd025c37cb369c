//! Time-outs in whole ticks of a coarse clock.
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

use super::RttEstimator;
use crate::options::Options;
use base::Time;

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
pub(super) struct Ticks {
    clock: TickClock,
    /// Smoothed RTT times 8, and its mean deviation times 4, once a sample was taken.
    smoothed: Option<(u32, u32)>,
    backoff: u32,
    initial: u32,
    min: u32,
    max: u32,
}

impl Ticks {
    pub(super) fn new(options: &Options, clock: TickClock) -> Self {
        let ticks = |time: Time| time.div_floor(clock.tick) as u32;
        Self {
            clock,
            smoothed: None,
            backoff: 0,
            initial: ticks(options.initial_rto),
            min: ticks(options.min_rto),
            max: ticks(options.max_rto),
        }
    }

    /// Takes a sample of `ticks`; less than one counts as one.
    fn sample_ticks(&mut self, ticks: u64) {
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

    /// The time-out, ticks.
    fn rto_ticks(&self) -> u32 {
        let base = self.smoothed.map_or(self.initial, |(srtt, rttvar)| (srtt >> 3) + rttvar);
        let backed_off = u64::from(base.max(self.min)) << self.backoff.min(31);
        backed_off.min(u64::from(self.max)) as u32
    }
}

impl RttEstimator for Ticks {
    fn start_clock(&mut self, now: Time) {
        self.clock.phase = now + self.clock.tick;
    }

    fn sample(&mut self, sent: Time, now: Time) {
        self.sample_ticks(self.clock.ticks(now) - self.clock.ticks(sent));
    }

    fn back_off(&mut self) {
        self.backoff += 1;
    }

    fn start_anew(&mut self, initial: Time) {
        self.initial = self.initial.max(initial.div_floor(self.clock.tick) as u32);
        self.backoff = 0;
    }

    fn deadline(&self, now: Time) -> Time {
        self.clock.after(now, self.rto_ticks())
    }

    fn rto(&self) -> Time {
        self.clock.tick * u64::from(self.rto_ticks())
    }

    fn smoothed(&self) -> Option<(Time, Time)> {
        let (srtt, rttvar) = self.smoothed?;
        let tick = self.clock.tick.as_ps();
        let eighths = Time::from_ps(tick * u64::from(srtt) / 8);
        Some((eighths, Time::from_ps(tick * u64::from(rttvar) / 4)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn estimator(initial: u32, min: u32, max: u32) -> Ticks {
        let clock = TickClock { tick: Time::from_ms(100), phase: Time::ZERO };
        Ticks { clock, smoothed: None, backoff: 0, initial, min, max }
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
        assert_eq!(rtt.rto_ticks(), 30);
        rtt.sample_ticks(6);
        assert_eq!(rtt.rto_ticks(), 18);
    }

    #[test]
    fn settles_on_a_constant_rtt_and_respects_the_floor() {
        let mut rtt = estimator(30, 2, 640);
        (0..100).for_each(|_| rtt.sample_ticks(6));
        // Whole-number decay stops where rttvar / 4 rounds to nothing: 6 + 3 ticks.
        assert_eq!(rtt.rto_ticks(), 9);
        let mut short = estimator(30, 5, 640);
        (0..100).for_each(|_| short.sample_ticks(0));
        assert_eq!(short.rto_ticks(), 5);
    }

    #[test]
    fn back_off_doubles_up_to_the_cap_and_ends_with_a_sample() {
        let mut rtt = estimator(30, 2, 100);
        rtt.sample_ticks(2);
        let base = rtt.rto_ticks();
        rtt.back_off();
        assert_eq!(rtt.rto_ticks(), 2 * base);
        (0..40).for_each(|_| rtt.back_off());
        assert_eq!(rtt.rto_ticks(), 100);
        rtt.sample_ticks(2);
        assert!(rtt.rto_ticks() <= base);
    }

    proptest! {
        #[test]
        fn the_time_out_stays_within_its_bounds(samples in prop::collection::vec(0u64..2000, 0..50), backoffs in 0u32..50) {
            let mut rtt = estimator(30, 2, 640);
            samples.iter().for_each(|&sample| rtt.sample_ticks(sample));
            (0..backoffs).for_each(|_| rtt.back_off());
            prop_assert!((2..=640).contains(&rtt.rto_ticks()));
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
