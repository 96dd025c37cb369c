//! The random choices of a control, from the number that the connection is given.
//!
//! Source: SplitMix64 (Steele, Lea and Flood 2014), which takes any number as its seed.

/// A stream of choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Choices(pub(super) u64);

impl Choices {
    /// A number below `n`, which is not 0.
    pub(super) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        // The high half of a product spreads evenly without a division.
        (((bits >> 32) * u64::from(n)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the published generator for the seed 1234567, of which the high halves are taken.
    #[test]
    fn follows_the_published_generator() {
        let mut choices = Choices(1_234_567);
        let published = [6_457_827_717_110_365_317u64, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        for number in published {
            assert_eq!(u64::from(choices.below(u32::MAX)), ((number >> 32) * u64::from(u32::MAX)) >> 32);
        }
    }

    #[test]
    fn neighbouring_numbers_choose_evenly() {
        let mut counts = [0; 7];
        (0..7000).for_each(|seed| counts[Choices(seed).below(7) as usize] += 1);
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
    }
}
