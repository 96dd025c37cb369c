//! A histogram of whole numbers whose bins grow with the numbers, for percentiles in bounded memory.
//!
//! Numbers below [`PARTS`] have a bin each. Above, every doubling has [`PARTS`] bins, so that a percentile is known to
//! one part in [`PARTS`], 1.6 %. Numbers up to 2^40 take 18 kB, and all numbers of 64 bits 30 kB.

/// Bins of a doubling.
const PARTS: u64 = 64;
const DOUBLING: u32 = PARTS.ilog2();

/// How often which numbers came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
    sum: u128,
    largest: u64,
}

impl Histogram {
    /// An empty one that allocates no memory later for numbers up to `largest`.
    #[must_use]
    pub fn with_room_for(largest: u64) -> Self {
        Self { counts: vec![0; Self::bins_up_to(largest)], ..Self::default() }
    }

    /// How many bins it has for numbers up to `largest`.
    #[must_use]
    pub fn bins_up_to(largest: u64) -> usize {
        bin(largest) + 1
    }

    /// Adds a number.
    #[inline]
    pub fn add(&mut self, value: u64) {
        self.add_to_bin(bin(value), 1);
        self.sum += u128::from(value);
        self.largest = self.largest.max(value);
    }

    /// Adds `count` numbers: `first`, `first + step`, `first + 2 step` ... It takes one step for each bin, not for each
    /// number.
    #[inline]
    pub fn add_series(&mut self, first: u64, step: u64, count: u64) {
        let Some(others) = count.checked_sub(1) else { return };
        let last = first + step * others;
        let (mut value, mut left) = (first, count);
        while bin(value) < bin(last) {
            let bin = bin(value);
            let within = (end_of(bin) - value) / step + 1;
            self.add_to_bin(bin, within);
            left -= within;
            value += step * within;
        }
        self.add_to_bin(bin(last), left);
        self.sum += u128::from(count) * (u128::from(first) + u128::from(last)) / 2;
        self.largest = self.largest.max(last);
    }

    #[inline]
    fn add_to_bin(&mut self, bin: usize, count: u64) {
        if bin >= self.counts.len() {
            self.counts.resize(bin + 1, 0);
        }
        self.counts[bin] += count;
        self.total += count;
    }

    /// How many numbers came.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.total
    }

    /// Their mean; none if there is none.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.total > 0).then(|| self.sum as f64 / self.total as f64)
    }

    /// The bins that have some, in order: the largest number that belongs there, and how many came.
    pub fn bins(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let counts = self.counts.iter().enumerate();
        counts.filter(|&(_, &count)| count > 0).map(|(bin, &count)| (end_of(bin), count))
    }

    /// The largest of them; 0 if there is none.
    #[must_use]
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// The least number that is not below `thousandths` of all, rounded up to the end of its bin, but not above the
    /// largest; none if there is no number.
    #[must_use]
    pub fn quantile(&self, thousandths: u64) -> Option<u64> {
        let rank = (u128::from(self.total) * u128::from(thousandths)).div_ceil(1000).max(1);
        let mut seen = 0;
        let bin = self.counts.iter().position(|&count| {
            seen += u128::from(count);
            seen >= rank
        })?;
        Some(end_of(bin).min(self.largest))
    }
}

#[inline]
fn bin(value: u64) -> usize {
    if value < PARTS {
        return value as usize;
    }
    let doublings = value.ilog2() - DOUBLING;
    (u64::from(doublings) * PARTS + (value >> doublings)) as usize
}

/// The largest number of a bin.
fn end_of(bin: usize) -> u64 {
    let bin = bin as u64;
    let doublings = (bin / PARTS).saturating_sub(1);
    // The last bin ends below 2^64, which is 0 here.
    ((bin - doublings * PARTS + 1) << doublings).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bins_follow_each_other_without_a_gap() {
        let mut first = 0;
        for number in 0..=bin(u64::MAX) {
            assert_eq!((bin(first), bin(end_of(number))), (number, number), "from {first}");
            first = end_of(number).wrapping_add(1);
        }
        assert_eq!(first, 0, "the last bin ends with the largest number");
    }

    #[test]
    fn nothing_has_no_quantile() {
        let empty = Histogram::with_room_for(9);
        assert_eq!((Histogram::default().quantile(500), empty.quantile(0), empty.mean()), (None, None, None));
    }

    proptest! {
        /// Against a sorted list: not too small, and at most one part in 64 too large.
        #[test]
        fn quantiles_are_known_to_a_part_in_64(
            values in prop::collection::vec((0u32..50, 0u64..1 << 20).prop_map(|(bits, value)| value << bits >> 20), 1..300),
            thousandths in 0u64..=1000,
        ) {
            let mut histogram = Histogram::default();
            values.iter().for_each(|&value| histogram.add(value));
            let mut sorted = values;
            sorted.sort_unstable();
            let rank = (sorted.len() as u64 * thousandths).div_ceil(1000).max(1);
            let right = sorted[rank as usize - 1];
            let found = histogram.quantile(thousandths).unwrap();
            prop_assert!(right <= found && found - right <= right / PARTS, "{found} for {right}");
            prop_assert_eq!(Some(&histogram.largest()), sorted.last());
            prop_assert_eq!(histogram.count(), sorted.len() as u64);
            let mean = sorted.iter().sum::<u64>() as f64 / sorted.len() as f64;
            prop_assert_eq!(histogram.mean(), Some(mean));
            let mut below = 0;
            for (end, count) in histogram.bins() {
                below += count;
                prop_assert_eq!(below, sorted.iter().filter(|&&value| value <= end).count() as u64);
            }
            prop_assert_eq!(below, histogram.count());
        }

        #[test]
        fn a_series_is_its_numbers(first in 0u64..1 << 30, step in 0u64..1 << 20, count in 0u64..300) {
            let (mut at_once, mut one_by_one) = (Histogram::default(), Histogram::default());
            at_once.add_series(first, step, count);
            (0..count).for_each(|number| one_by_one.add(first + step * number));
            prop_assert_eq!(at_once, one_by_one);
        }
    }
}
