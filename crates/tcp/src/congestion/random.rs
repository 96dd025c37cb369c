//! The random choices of a control, from the number that the connection is given.
//!
//! Source: SplitMix64 (Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number Generators"), which takes any number as
//! its seed.
//!
//! No parameters.

use base::Time;

/// A sequence of random numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Random(u64);

impl Random {
    /// The sequence of this seed.
    pub(super) const fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let first = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let second = (first ^ (first >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        second ^ (second >> 31)
    }

    /// A number below `n`, each with the same probability.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        // The high half of a product spreads evenly without a division.
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// A time below `limit`, uniformly.
    pub(super) fn time_below(&mut self, limit: Time) -> Time {
        Time::from_ps(self.below(limit.as_ps()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the published generator for the seed 1234567.
    #[test]
    fn follows_the_published_generator() {
        let mut random = Random::seeded(1_234_567);
        let published = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([random.next(), random.next(), random.next()], published);
    }

    #[test]
    fn neighbouring_seeds_choose_evenly() {
        let mut counts = [0; 7];
        (0..7000).for_each(|seed| counts[Random::seeded(seed).below(7) as usize] += 1);
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
    }

    #[test]
    fn times_are_spread_over_the_whole_range() {
        let (mut random, second) = (Random::seeded(1), Time::from_secs(1));
        let times: Vec<_> = (0..1000).map(|_| random.time_below(second)).collect();
        let in_tenth = |n: u64| times.iter().filter(|time| time.div_floor(Time::from_ms(100)) == n).count();
        assert!((0..10).all(|n| (60..150).contains(&in_tenth(n))), "a hundred in each tenth");
    }
}
