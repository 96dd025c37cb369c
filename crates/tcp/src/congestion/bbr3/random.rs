//! Random choices: a sequence of numbers from one that the control is given.
//!
//! Source: `SplitMix64` (Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number Generators").

use base::Time;

const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;
const FACTORS: [u64; 2] = [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB];

/// A sequence of random numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Random(u64);

impl Random {
    /// The sequence of this number.
    pub(super) const fn of(number: u64) -> Self {
        Self(number)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        let first = (self.0 ^ (self.0 >> 30)).wrapping_mul(FACTORS[0]);
        let second = (first ^ (first >> 27)).wrapping_mul(FACTORS[1]);
        second ^ (second >> 31)
    }

    /// 0 or 1.
    pub(super) fn bit(&mut self) -> u64 {
        self.next() >> 63
    }

    /// From nothing up to this, uniformly.
    pub(super) fn time_up_to(&mut self, most: Time) -> Time {
        let scaled = u128::from(self.next()) * u128::from(most.as_ps());
        Time::from_ps((scaled >> 64) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers for the seed 1234567, as other implementations give them.
    #[test]
    fn is_the_published_sequence() {
        let mut random = Random::of(1_234_567);
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([random.next(), random.next(), random.next()], first);
    }

    #[test]
    fn times_are_spread_over_the_whole_range() {
        let (mut random, second) = (Random::of(1), Time::from_secs(1));
        let times: Vec<_> = (0..1000).map(|_| random.time_up_to(second)).collect();
        assert!(times.iter().all(|&time| time < second));
        let in_tenth = |n: u64| times.iter().filter(|time| time.div_floor(Time::from_ms(100)) == n).count();
        assert!((0..10).all(|n| (60..150).contains(&in_tenth(n))), "a hundred in each tenth");
        let ones: u64 = (0..1000).map(|_| random.bit()).sum();
        assert!((440..560).contains(&ones), "{ones}");
    }
}
