//! Distributions of sizes of the objects that a client requests.
//!
//! | law | parameter | unit |
//! |---|---|---|
//! | fixed | size | bytes |
//! | quantiles of an empirical distribution | u, size at u; how to go from one to the next | 1e-9, bytes |
//! | in turn | sizes | bytes |
//! | Pareto, as of times (`laws.rs`), rounded, at least 1 byte | mean; shape above 1 | bytes; 1e-6 |
//!
//! A quantile applies from the one before it up to its u. Log-linear interpolation draws a straight line
//! of ln(size) over u between the two; below the first u its size applies. Linear interpolation draws one of the size,
//! below the first u from no bytes on; a size is at least one byte. Logarithms
//! come from a library and not from the platform, so that every machine draws the same bytes.

use super::laws::Pareto;
use crate::plan;
use rand::{Rng, RngExt};
use std::sync::Arc;

/// A law of sizes, shared by all flows that draw from it.
#[derive(Clone, Debug)]
pub enum Sizes {
    /// All alike.
    Fixed(u64),
    /// By chance.
    Quantiles(Arc<Quantiles>),
    /// From a list, each in its turn, and again from the beginning.
    InTurn {
        /// The list.
        bytes: Arc<[u64]>,
        /// The place of the next.
        next: usize,
    },
    /// By chance, with a heavy tail.
    Pareto(Pareto),
}

/// The largest size of the heavy tail, bytes: a thousand of them are still less than a number of bytes
/// that a connection can carry.
const LARGEST: u64 = 1 << 50;

/// An empirical distribution.
#[derive(Debug)]
pub struct Quantiles {
    u_ppb: Vec<u32>,
    bytes: Vec<u64>,
    between: Between,
}

/// What lies between two quantiles.
#[derive(Debug)]
enum Between {
    /// Nothing: the quantiles are all the values there are.
    Nothing,
    /// A straight line of the size.
    Linear,
    /// A straight line of its logarithm, which these are at the quantiles.
    Log(Vec<f64>),
}

impl Sizes {
    /// The law of a plan.
    #[must_use]
    pub fn new(law: &plan::Sizes) -> Self {
        match law {
            plan::Sizes::Fixed { bytes } => Self::Fixed(*bytes),
            plan::Sizes::Quantiles { u_ppb, bytes, interpolation } => {
                let between = match interpolation {
                    plan::Interpolation::None => Between::Nothing,
                    plan::Interpolation::Linear => Between::Linear,
                    plan::Interpolation::Log => {
                        Between::Log(bytes.iter().map(|&bytes| libm::log(bytes as f64)).collect())
                    }
                };
                let (u_ppb, bytes) = (u_ppb.clone(), bytes.clone());
                Self::Quantiles(Arc::new(Quantiles { u_ppb, bytes, between }))
            }
            plan::Sizes::InTurn { bytes } => Self::InTurn { bytes: bytes.as_slice().into(), next: 0 },
            plan::Sizes::Pareto { mean_bytes, shape_ppm } => {
                Self::Pareto(Pareto::new(*mean_bytes, *shape_ppm))
            }
        }
    }

    /// The same law for flow number `of` among `all` that share it: they begin at evenly spread items of a list.
    #[must_use]
    pub fn share(&self, of: usize, all: usize) -> Self {
        match self {
            Self::InTurn { bytes, .. } => Self::InTurn { bytes: bytes.clone(), next: of * bytes.len() / all },
            other => other.clone(),
        }
    }

    /// The next size, bytes.
    pub fn draw(&mut self, rng: &mut impl Rng) -> u64 {
        match self {
            Self::Fixed(bytes) => *bytes,
            Self::Quantiles(quantiles) => quantiles.at(rng.random_range(0..ONE)),
            Self::InTurn { bytes, next } => {
                let at = *next;
                *next = (at + 1) % bytes.len();
                bytes[at]
            }
            Self::Pareto(law) => (libm::round(law.draw(rng)) as u64).clamp(1, LARGEST),
        }
    }
}

/// A probability of one, in units of 1e-9 of 1e-9: finer than any quantile is given.
const ONE: u64 = PPB * PPB;
const PPB: u64 = 1_000_000_000;

impl Quantiles {
    /// The size at `u`, in units of 1e-18, below one.
    fn at(&self, u: u64) -> u64 {
        let above = self.u_ppb.partition_point(|&each| u64::from(each) * PPB < u);
        let below = above.checked_sub(1);
        let from = below.map_or(0, |below| self.u_ppb[below]);
        let width = u64::from(self.u_ppb[above] - from) * PPB;
        let part = (u - u64::from(from) * PPB) as f64 / width as f64;
        let on_line = |low: f64, high: f64| low + part * (high - low);
        match (&self.between, below) {
            (Between::Log(logarithms), Some(below)) => {
                libm::round(libm::exp(on_line(logarithms[below], logarithms[above]))) as u64
            }
            (Between::Linear, below) => {
                let low = below.map_or(0, |below| self.bytes[below]);
                (libm::round(on_line(low as f64, self.bytes[above] as f64)) as u64).max(1)
            }
            (Between::Nothing | Between::Log(_), _) => self.bytes[above],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sim::rng::Streams;

    fn law(interpolation: plan::Interpolation) -> plan::Sizes {
        let u_ppb = vec![100_000_000, 500_000_000, 1_000_000_000];
        plan::Sizes::Quantiles { u_ppb, bytes: vec![100, 1000, 100_000], interpolation }
    }

    fn at(interpolation: plan::Interpolation, u: f64) -> u64 {
        let Sizes::Quantiles(quantiles) = Sizes::new(&law(interpolation)) else { unreachable!() };
        quantiles.at((u * 1e18) as u64)
    }

    #[test]
    fn between_quantiles_the_size_or_its_logarithm_is_linear() {
        let log = |u| at(plan::Interpolation::Log, u);
        assert_eq!([log(0.0), log(0.05), log(0.1), log(0.5)], [100, 100, 100, 1000]);
        // Half way from 100 to 1000, and from 1000 to 100 000.
        assert_eq!([log(0.3), log(0.75), log(0.999_999_999_9)], [316, 10_000, 100_000]);
        let linear = |u| at(plan::Interpolation::Linear, u);
        assert_eq!(
            [linear(0.0), linear(0.05), linear(0.1), linear(0.3), linear(0.75)],
            [1, 50, 100, 550, 50_500]
        );
        let none = |u| at(plan::Interpolation::None, u);
        assert_eq!([none(0.05), none(0.1), none(0.3), none(0.500_001)], [100, 100, 1000, 100_000]);
    }

    #[test]
    fn everybody_starts_somewhere_else_in_the_list() {
        let law = Sizes::new(&plan::Sizes::InTurn { bytes: vec![1, 2, 3, 4] });
        let mut rng = Streams::new(1).named("test");
        let mut three = |mut sizes: Sizes| [sizes.draw(&mut rng), sizes.draw(&mut rng), sizes.draw(&mut rng)];
        assert_eq!(three(law.share(0, 2)), [1, 2, 3]);
        assert_eq!(three(law.share(1, 2)), [3, 4, 1]);
    }

    proptest! {
        /// As often as the law says, a size is above x; within six standard deviations.
        #[test]
        fn pareto_sizes_have_a_heavy_tail(seed: u64, mean_bytes in 10_000u64..1 << 40, shape_ppm in 1_050_000u32..4_000_000) {
            let mut sizes = Sizes::new(&plan::Sizes::Pareto { mean_bytes, shape_ppm });
            let mut rng = Streams::new(seed).named("test");
            let drawn: Vec<u64> = (0..10_000).map(|_| sizes.draw(&mut rng)).collect();
            let shape = f64::from(shape_ppm) / 1e6;
            let least = mean_bytes as f64 * (shape - 1.0) / shape;
            prop_assert!(drawn.iter().all(|&each| each as f64 >= least - 1.0));
            for times in [2.0, 10.0] {
                let above = drawn.iter().filter(|&&each| each as f64 > times * least).count() as f64 / 1e4;
                let expected = f64::powf(times, -shape);
                let deviation = (expected * (1.0 - expected) / 1e4).sqrt();
                prop_assert!((above - expected).abs() < 6.0 * deviation + 0.005, "{} {}", above, expected);
            }
        }

        /// No size is nothing, and none so large that a page of them cannot be counted.
        #[test]
        fn pareto_sizes_are_between_one_byte_and_what_can_be_counted(seed: u64, mean_bytes in 1u64..=1 << 40) {
            let mut rng = Streams::new(seed).named("test");
            for shape_ppm in [1_000_001, 1_200_000, u32::MAX] {
                let mut sizes = Sizes::new(&plan::Sizes::Pareto { mean_bytes, shape_ppm });
                prop_assert!((0..100).all(|_| (1..=LARGEST).contains(&sizes.draw(&mut rng))));
            }
        }

        /// As often as the distribution says, a size is at most a quantile: within four standard
        /// deviations of 10 000 draws.
        #[test]
        fn draws_follow_the_distribution(seed: u64, log: bool) {
            let how = if log { plan::Interpolation::Log } else { plan::Interpolation::None };
            let mut sizes = Sizes::new(&law(how));
            let mut rng = Streams::new(seed).named("test");
            let drawn: Vec<u64> = (0..10_000).map(|_| sizes.draw(&mut rng)).collect();
            for (u, bytes) in [(0.1, 100), (0.5, 1000), (1.0, 100_000)] {
                let share = drawn.iter().filter(|&&each| each <= bytes).count() as f64 / 1e4;
                prop_assert!((share - u).abs() < 4.0 * (u * (1.0 - u) / 1e4_f64).sqrt() + 0.003, "{} {}", share, u);
            }
        }
    }
}
