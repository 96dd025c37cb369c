//! The L4S queue's own marks, and how a probability decides.
//!
//! Source: RFC 9332, appendix A.1 and A.2 (`laqm` and `recur`); Linux 6.18, net/sched/sch_dualpi2.c (`do_step_aqm`) for the step.

use super::classes::Class;
use base::Time;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The probability with which the L4S queue marks by a packet's own sojourn time.
#[derive(Clone, Copy, Debug)]
pub(super) enum Native {
    Step { threshold: Time },
    Ramp { start: Time, range: Time, min_length: u64 },
}

impl Native {
    /// For a packet behind which so many wait.
    pub(super) fn likelihood(self, sojourn: Time, behind: u64) -> f64 {
        match self {
            Self::Step { threshold } => f64::from(u8::from(sojourn > threshold)),
            Self::Ramp { start, range, min_length } => {
                if behind <= min_length || sojourn < start {
                    0.0
                } else if sojourn - start >= range {
                    1.0
                } else {
                    (sojourn - start).as_ps() as f64 / range.as_ps() as f64
                }
            }
        }
    }
}

/// Decides by a probability.
#[derive(Debug)]
pub(super) struct Coin {
    recurs: bool,
    rng: ChaCha8Rng,
    /// What is left of the probabilities of L and of C, if it recurs.
    counts: [f64; 2],
}

impl Coin {
    pub(super) fn new(recurs: bool, rng: ChaCha8Rng) -> Self {
        Self { recurs, rng, counts: [0.0; 2] }
    }

    pub(super) fn toss(&mut self, class: Class, likelihood: f64) -> bool {
        if !self.recurs {
            return likelihood > 0.0 && self.rng.random::<f64>() < likelihood;
        }
        let count = &mut self.counts[class as usize];
        *count += likelihood;
        let is_due = *count > 1.0;
        if is_due {
            *count -= 1.0;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;

    #[test]
    fn the_ramp_rises_from_800_us_to_1200_us() {
        let range = Time::from_us(400);
        let ramp = Native::Ramp { start: Time::from_us(800), range, min_length: 1 };
        let expected =
            [(0, 0.0), (800, 0.0), (900, 0.25), (1000, 0.5), (1150, 0.875), (1200, 1.0), (9000, 1.0)];
        for (us, likelihood) in expected {
            assert_eq!(ramp.likelihood(Time::from_us(us), 2).to_bits(), f64::to_bits(likelihood), "{us}");
            assert_eq!(ramp.likelihood(Time::from_us(us), 1).to_bits(), 0, "only one waits");
        }
        let steep = Native::Ramp { start: range, range: Time::ZERO, min_length: 0 };
        let before = range - Time::from_ps(1);
        assert_eq!([steep.likelihood(before, 1), steep.likelihood(range, 1)], [0.0, 1.0]);
    }

    /// At 0.5 each second packet of L is marked, at 1/16 each sixteenth of C; the first comes when the sum is above 1.
    #[test]
    fn a_recurring_coin_spreads_signals_evenly() {
        let mut coin = Coin::new(true, Streams::new(1).named("queue/0"));
        let mut hits =
            |class, likelihood| -> Vec<usize> { (1..=48).filter(|_| coin.toss(class, likelihood)).collect() };
        assert_eq!(hits(Class::L, 0.5), (3..=48).step_by(2).collect::<Vec<_>>());
        assert_eq!(hits(Class::C, 0.0625), [17, 33]);
        assert_eq!(hits(Class::C, 0.0), []);
    }
}
