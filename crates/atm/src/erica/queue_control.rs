//! Queue control of ERICA+: the share of the ABR capacity to allocate, as a function of the queueing delay.
//!
//! Source: Vandalore, Jain, Goyal, Fahmy, "Design and analysis of queue control functions for explicit
//! rate switch schemes", IC3N 1998; for the hyperbolic one, Kalyanaraman 1997, ERICA+, and 004 section 6.
//!
//! With x = delay / T0, so a queue is measured in time and not in cells. Every function but the constant is 1
//! at x = 1, never rises, and is at most b and at least QDLF (`floor`).
//!
//! | function | x <= 1 | x > 1 |
//! |---|---|---|
//! | constant | target | target |
//! | step | b (below 1), 1 (at 1) | 1 - k step where a^k <= x < a^(k+1) |
//! | linear | 1 + under (1 - x) | 1 - over (x - 1) |
//! | hyperbolic | b / ((b - 1) x + 1) | h(x) = a / ((a - 1) x + 1) |
//! | inverse hyperbolic | b / ((b - 1) x + 1) | 1 + floor - h(1 + X - x), with h(X) = floor |
//!
//! Deviations: in the paper f is 1 between two queue lengths; here these are equal, as in ERICA+. The paper gives no
//! formulas for the step function (only that it has several thresholds) and for the inverse hyperbolic one (only
//! that it falls slowly at first and equals the hyperbolic one below T0). Here the thresholds are a, a^2, ... times
//! T0, and the inverse is the hyperbola rotated by 180 degrees, as steep at the floor as the hyperbola at T0.
//!
//! | parameter | unit | 004 |
//! |---|---|---|
//! | T0 (`target_delay`) | time | 500 us |
//! | a, curve above T0 | 1, above 1 | 1.15 |
//! | b, at the empty queue | 1, at least 1 | 1.05 |
//! | QDLF (`floor`) | 1, above 0 and at most 1 | 0.5 |
//! | under, over | 1 for each T0, from 0 | |
//! | step | 1, above 0 | |

use base::Time;

/// A queue control function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum QueueControl {
    /// Plain ERICA: the same share for any queue.
    Constant {
        /// The share, above 0 and at most 1.
        target: f64,
    },
    /// Several thresholds.
    Step {
        /// T0.
        target_delay: Time,
        /// Ratio of a threshold to the one before, above 1.
        a: f64,
        /// Share below T0, at least 1.
        b: f64,
        /// By how much each threshold lowers the share, above 0.
        step: f64,
        /// QDLF, above 0 and at most 1.
        floor: f64,
    },
    /// Two straight lines.
    Linear {
        /// T0.
        target_delay: Time,
        /// Slope below T0, for each T0.
        under: f64,
        /// Slope above T0, for each T0.
        over: f64,
        /// QDLF, above 0 and at most 1.
        floor: f64,
    },
    /// Two hyperbolas: that of ERICA+.
    Hyperbolic {
        /// T0.
        target_delay: Time,
        /// Curve above T0, above 1.
        a: f64,
        /// Share at the empty queue, at least 1.
        b: f64,
        /// QDLF, above 0 and at most 1.
        floor: f64,
    },
    /// Above T0 slow at first, then steep.
    InverseHyperbolic {
        /// T0.
        target_delay: Time,
        /// Curve above T0, above 1.
        a: f64,
        /// Share at the empty queue, at least 1.
        b: f64,
        /// QDLF, above 0 and at most 1.
        floor: f64,
    },
}

impl QueueControl {
    /// The function and values of 004: T0 = 500 us, a = 1.15, b = 1.05, QDLF = 0.5.
    pub const OSU: Self = Self::Hyperbolic { target_delay: Time::from_us(500), a: 1.15, b: 1.05, floor: 0.5 };

    /// The share of the ABR capacity to allocate at this queueing delay, seconds.
    #[must_use]
    pub fn share(&self, delay: f64) -> f64 {
        let relative = |target_delay: Time| delay / (target_delay.as_ps() as f64 / PS_PER_S);
        match *self {
            Self::Constant { target } => target,
            Self::Step { target_delay, a, b, step, floor } => {
                steps(relative(target_delay), a, b, step).max(floor)
            }
            Self::Linear { target_delay, under, over, floor } => {
                let x = relative(target_delay);
                let slope = if x <= 1.0 { under } else { over };
                (1.0 + slope * (1.0 - x)).max(floor)
            }
            Self::Hyperbolic { target_delay, a, b, floor } => {
                let x = relative(target_delay);
                let curve = if x <= 1.0 { b } else { a };
                hyperbola(curve, x).max(floor)
            }
            Self::InverseHyperbolic { target_delay, a, b, floor } => {
                let x = relative(target_delay);
                let end = (a / floor - 1.0) / (a - 1.0);
                if x <= 1.0 {
                    hyperbola(b, x)
                } else if x < end {
                    (1.0 + floor - hyperbola(a, 1.0 + end - x)).max(floor)
                } else {
                    floor
                }
            }
        }
    }
}

const PS_PER_S: f64 = 1e12;

/// `curve` at 0, and 1 at 1.
fn hyperbola(curve: f64, x: f64) -> f64 {
    curve / ((curve - 1.0) * x + 1.0)
}

fn steps(x: f64, a: f64, b: f64, step: f64) -> f64 {
    if x < 1.0 {
        return b;
    }
    let (mut share, mut next) = (1.0, a);
    while next <= x && share > 0.0 {
        share -= step;
        next *= a;
    }
    share
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const T0: Time = Time::from_us(500);

    /// Shares at these delays, in T0, rounded to a thousandth.
    fn shares<const N: usize>(control: QueueControl, delays: [f64; N]) -> [f64; N] {
        delays.map(|x| (control.share(x * 500e-6) * 1000.0).round() / 1000.0)
    }

    #[test]
    fn the_function_of_004() {
        // 1.05 / 1.025 = 1.024;  1.15 / 1.30 = 0.885;  1.15 / 2.275 = 0.505
        let delays = [0.0, 0.5, 1.0, 2.0, 8.5, 9.0, f64::INFINITY];
        assert_eq!(shares(QueueControl::OSU, delays), [1.05, 1.024, 1.0, 0.885, 0.505, 0.5, 0.5]);
        // The floor is reached at (2 a - 1) / (a - 1) = 1.3 / 0.15 = 8.667.
        assert!(QueueControl::OSU.share(8.66 * 500e-6) > 0.5);
        assert_eq!(QueueControl::OSU.share(8.67 * 500e-6), 0.5);
    }

    #[test]
    fn the_other_functions() {
        let delays = [0.0, 0.5, 1.0, 2.0, 4.0, 20.0];
        let linear = QueueControl::Linear { target_delay: T0, under: 0.125, over: 0.0625, floor: 0.5 };
        // 1 + 0.125 / 2 = 1.0625;  1 - 0.0625 * 3 = 0.8125
        assert_eq!(shares(linear, delays), [1.125, 1.063, 1.0, 0.938, 0.813, 0.5]);
        let step = QueueControl::Step { target_delay: T0, a: 2.0, b: 1.05, step: 0.125, floor: 0.5 };
        // Thresholds 2, 4, 8 and 16.
        assert_eq!(shares(step, delays), [1.05, 1.05, 1.0, 0.875, 0.75, 0.5]);
        assert_eq!(shares(step, [1.99, 7.99, 8.0, 15.99]), [1.0, 0.75, 0.625, 0.625]);
        let inverse = QueueControl::InverseHyperbolic { target_delay: T0, a: 1.15, b: 1.05, floor: 0.5 };
        // X = (1.15 / 0.5 - 1) / 0.15 = 8.667; at 2: 1.5 - 1.15 / (0.15 * 7.667 + 1) = 0.965;
        // at 4: 1.5 - 1.15 / (0.15 * 5.667 + 1) = 0.878
        assert_eq!(shares(inverse, delays), [1.05, 1.024, 1.0, 0.965, 0.878, 0.5]);
        assert_eq!(shares(QueueControl::Constant { target: 0.9 }, delays), [0.9; 6]);
    }

    fn functions() -> impl Strategy<Value = (QueueControl, f64, f64)> {
        let numbers = (1.001..4.0, 1.0..2.0, 0.05..=1.0, 0.001..0.5, 0.0..1.0, 1_u64..5_000);
        (0..4, numbers).prop_map(|(kind, (a, b, floor, step, over, us))| {
            let target_delay = Time::from_us(us);
            let control = match kind {
                0 => QueueControl::Step { target_delay, a, b, step, floor },
                1 => QueueControl::Linear { target_delay, under: b - 1.0, over, floor },
                2 => QueueControl::Hyperbolic { target_delay, a, b, floor },
                _ => QueueControl::InverseHyperbolic { target_delay, a, b, floor },
            };
            (control, b, us as f64 * 1e6 / PS_PER_S)
        })
    }

    proptest! {
        #[test]
        fn falls_from_b_over_1_to_the_floor(
            (control, b, t0) in functions(), mut delays in prop::collection::vec(0.0..40.0, 1..30),
        ) {
            prop_assert!((control.share(t0) - 1.0).abs() < 1e-9);
            prop_assert!((control.share(0.0) - b).abs() < 1e-12);
            delays.sort_by(f64::total_cmp);
            let shares: Vec<f64> = delays.iter().map(|x| control.share(x * t0)).collect();
            prop_assert!(shares.windows(2).all(|pair| pair[0] >= pair[1] - 1e-12), "{shares:?}");
            let floor = control.share(f64::INFINITY);
            prop_assert!(shares.iter().all(|share| (floor..=b + 1e-12).contains(share)));
        }

        #[test]
        fn all_but_the_steps_are_continuous((control, _, t0) in functions(), x in 0.0..40.0) {
            if !matches!(control, QueueControl::Step { .. }) {
                let difference = control.share(x * t0) - control.share((x + 1e-6) * t0);
                // The steepest: b - 1 at the empty queue, (a - 1) / floor at the floor.
                prop_assert!(difference.abs() < 1e-4);
            }
        }
    }
}
