//! Distributions of times: of pauses, and of on and off periods.
//!
//! Source: inversion of the distribution function (Devroye 1986, "Non-Uniform Random Variate
//! Generation", section II.2). With u uniform in (0, 1]:
//!
//! | law | value | parameter | unit |
//! |---|---|---|---|
//! | uniform | a whole number of ps | shortest and longest | time |
//! | exponential | -mean ln u | mean | time |
//! | Pareto | least u^(-1/shape), least = mean (shape - 1) / shape | mean; shape above 1 | time; 1e-6 |
//!
//! Logarithms and powers come from a library and not from the platform, so that every machine draws
//! the same times. u has 53 bits, so the tail of the exponential law ends at 37 means. A time that
//! does not fit is the longest time.

use crate::plan;
use base::Time;
use rand::{Rng, RngExt};

/// A law of times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Times {
    /// Every picosecond from the shortest to the longest with equal probability.
    Uniform(Time, Time),
    /// Without memory.
    Exponential {
        /// The mean, ps.
        mean_ps: f64,
    },
    /// With a heavy tail; in ps.
    Pareto(Pareto),
}

/// The law of what exceeds x with probability (least / x)^shape, in any unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pareto {
    least: f64,
    /// -1 / shape.
    power: f64,
}

impl Times {
    /// The law of a plan.
    #[must_use]
    pub fn new(law: &plan::Times) -> Self {
        match *law {
            plan::Times::Uniform { min_ps, max_ps } => {
                Self::Uniform(Time::from_ps(min_ps), Time::from_ps(max_ps))
            }
            plan::Times::Exponential { mean_ps } => Self::Exponential { mean_ps: mean_ps as f64 },
            plan::Times::Pareto { mean_ps, shape_ppm } => Self::Pareto(Pareto::new(mean_ps, shape_ppm)),
        }
    }

    /// The next time.
    pub fn draw(&self, rng: &mut impl Rng) -> Time {
        match self {
            Self::Uniform(from, to) => Time::from_ps(rng.random_range(from.as_ps()..=to.as_ps())),
            Self::Exponential { mean_ps } => rounded(-mean_ps * libm::log(above_zero(rng))),
            Self::Pareto(law) => rounded(law.draw(rng)),
        }
    }
}

impl Pareto {
    /// A law of this mean; `shape_ppm` is above a million.
    #[must_use]
    pub fn new(mean: u64, shape_ppm: u32) -> Self {
        let shape = f64::from(shape_ppm) / 1e6;
        Self { least: mean as f64 * ((shape - 1.0) / shape), power: -1.0 / shape }
    }

    /// The next value.
    pub fn draw(&self, rng: &mut impl Rng) -> f64 {
        self.least * libm::pow(above_zero(rng), self.power)
    }
}

/// A standard normal value, from a pair of uniform ones (Box and Muller 1958).
pub(crate) fn normal(rng: &mut impl Rng) -> f64 {
    let radius = libm::sqrt(-2.0 * libm::log(above_zero(rng)));
    radius * libm::cos(2.0 * std::f64::consts::PI * above_zero(rng))
}

/// Uniform in (0, 1], in steps of 2^-53.
pub(crate) fn above_zero(rng: &mut impl Rng) -> f64 {
    const STEP: f64 = 1.0 / (1u64 << 53) as f64;
    ((rng.next_u64() >> 11) + 1) as f64 * STEP
}

/// To the picosecond; what does not fit is the longest time.
fn rounded(ps: f64) -> Time {
    Time::from_ps(libm::round(ps) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sim::rng::Streams;

    const DRAWS: usize = 20_000;

    fn drawn(law: &plan::Times, seed: u64) -> Vec<f64> {
        let mut rng = Streams::new(seed).named("test");
        let law = Times::new(law);
        (0..DRAWS).map(|_| law.draw(&mut rng).as_ps() as f64).collect()
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    /// Within six standard deviations: once in 5e8.
    fn is_near(found: f64, expected: f64, deviation: f64) -> bool {
        (found - expected).abs() < 6.0 * deviation / (DRAWS as f64).sqrt() + 1.0
    }

    /// As often as the law says, a time exceeds x: within six standard deviations, or six draws where next to none is
    /// expected.
    fn exceeds(values: &[f64], x: f64, probability: f64) -> bool {
        let share = values.iter().filter(|&&each| each > x).count() as f64 / DRAWS as f64;
        let deviation = (probability * (1.0 - probability) / DRAWS as f64).sqrt();
        (share - probability).abs() < 6.0 * deviation + 6.0 / DRAWS as f64
    }

    /// The bits of each law: a machine that draws others makes other runs.
    #[test]
    fn draws_are_the_same_everywhere() {
        let mean_ps = 500_000_000_000;
        let laws = [
            plan::Times::Uniform { min_ps: 1_000_000_000_000, max_ps: 5_000_000_000_000 },
            plan::Times::Exponential { mean_ps },
            plan::Times::Pareto { mean_ps, shape_ppm: 1_200_000 },
        ];
        let firsts = laws.map(|law| {
            let mut rng = Streams::new(7).named("test");
            [(); 3].map(|()| Times::new(&law).draw(&mut rng).as_ps())
        });
        let uniform = [3_388_621_134_711, 2_109_977_741_496, 3_751_038_171_448];
        let exponential = [257_789_046_374, 640_977_199_351, 187_158_001_896];
        let pareto = [128_059_761_261, 242_534_498_338, 113_838_255_822];
        assert_eq!(firsts, [uniform, exponential, pareto]);
    }

    #[test]
    fn what_does_not_fit_is_the_longest_time() {
        let law = plan::Times::Pareto { mean_ps: 1_000_000_000_000_000_000, shape_ppm: 1_000_001 };
        assert!(drawn(&law, 1).iter().all(|ps| (9e11..2e19).contains(ps)));
        assert_eq!(rounded(1e300), Time::NEVER);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn uniform_times_are_drawn_as_whole_numbers(seed: u64, min_ps in 0u64..1 << 50, width in 0u64..1 << 50) {
            let max_ps = min_ps + width;
            let values = drawn(&plan::Times::Uniform { min_ps, max_ps }, seed);
            let (min, width) = (min_ps as f64, width as f64);
            prop_assert!(values.iter().all(|each| (min..=min + width).contains(each)));
            prop_assert!(is_near(mean(&values), min + width / 2.0, width / 12f64.sqrt()));
            // What a stream gave before there were laws.
            let mut rng = Streams::new(seed).named("test");
            prop_assert_eq!(values[0], rng.random_range(min_ps..=max_ps) as f64);
        }

        #[test]
        fn exponential_times_forget(seed: u64, mean_ps in 1_000_000u64..1 << 50) {
            let values = drawn(&plan::Times::Exponential { mean_ps }, seed);
            let expected = mean_ps as f64;
            prop_assert!(is_near(mean(&values), expected, expected));
            for means in [0.1, 1.0, 3.0] {
                prop_assert!(exceeds(&values, means * expected, (-means).exp()), "{}", means);
            }
        }

        /// The tail of any shape, and the mean where the variance is finite.
        #[test]
        fn pareto_times_have_a_heavy_tail(
            seed: u64,
            mean_ps in 1_000_000u64..1 << 50,
            shape_ppm in 1_050_000u32..8_000_000,
        ) {
            let values = drawn(&plan::Times::Pareto { mean_ps, shape_ppm }, seed);
            let (expected, shape) = (mean_ps as f64, f64::from(shape_ppm) / 1e6);
            let least = expected * (shape - 1.0) / shape;
            prop_assert!(values.iter().all(|&each| each >= least - 1.0));
            for times in [1.2, 2.0, 10.0] {
                prop_assert!(exceeds(&values, times * least, f64::powf(times, -shape)), "{}", times);
            }
            if shape > 4.0 {
                let variance = least * least * shape / ((shape - 1.0).powi(2) * (shape - 2.0));
                prop_assert!(is_near(mean(&values), expected, 2.0 * variance.sqrt()));
            }
        }
    }
}
