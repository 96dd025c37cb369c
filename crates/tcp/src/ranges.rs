//! Sets of sequence ranges: the receiver's out-of-order data, the sender's SACK scoreboard.

/// A set of sequence numbers as disjoint, non-adjacent ranges `[start, end)` in rising order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeSet {
    ranges: Vec<(u64, u64)>,
}

impl RangeSet {
    /// Adds `[start, end)` and returns the range that holds it now.
    pub fn insert(&mut self, start: u64, end: u64) -> (u64, u64) {
        let from = self.ranges.partition_point(|range| range.1 < start);
        let to = from + self.ranges[from..].partition_point(|range| range.0 <= end);
        let merged = self.ranges[from..to]
            .iter()
            .fold((start, end), |merged, range| (merged.0.min(range.0), merged.1.max(range.1)));
        self.ranges.splice(from..to, [merged]);
        merged
    }

    /// Forgets everything below `edge`.
    pub fn remove_below(&mut self, edge: u64) {
        let gone = self.ranges.partition_point(|range| range.1 <= edge);
        self.ranges.drain(..gone);
        if let Some(first) = self.ranges.first_mut() {
            first.0 = first.0.max(edge);
        }
    }

    /// The first gap at or above `from` that has members above it.
    #[must_use]
    pub fn gap(&self, from: u64) -> Option<(u64, u64)> {
        let next = self.ranges.partition_point(|range| range.1 <= from);
        let range = self.ranges.get(next)?;
        if from < range.0 {
            return Some((from, range.0));
        }
        self.ranges.get(next + 1).map(|after| (range.1, after.0))
    }

    /// The range that contains `seq`.
    #[must_use]
    pub fn containing(&self, seq: u64) -> Option<(u64, u64)> {
        let at = self.ranges.partition_point(|range| range.1 <= seq);
        self.ranges.get(at).copied().filter(|range| range.0 <= seq)
    }

    /// The ranges in rising order.
    #[must_use]
    pub fn as_slice(&self) -> &[(u64, u64)] {
        &self.ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// Against a plain set of numbers.
        #[test]
        fn agrees_with_a_set_of_numbers(
            steps in prop::collection::vec((0u64..60, 1u64..9), 0..30),
            edge in 0u64..60,
            from in 0u64..70,
        ) {
            let mut ranges = RangeSet::default();
            let mut plain = BTreeSet::new();
            for (start, len) in steps {
                let (left, right) = ranges.insert(start, start + len);
                plain.extend(start..start + len);
                prop_assert!((left..right).all(|seq| plain.contains(&seq)));
                prop_assert!(left <= start && start + len <= right && !plain.contains(&right));
            }
            ranges.remove_below(edge);
            plain.retain(|&seq| seq >= edge);
            let members: BTreeSet<u64> = ranges.as_slice().iter().flat_map(|r| r.0..r.1).collect();
            prop_assert_eq!(&members, &plain);
            prop_assert!(ranges.as_slice().windows(2).all(|pair| pair[0].1 < pair[1].0));
            let top = plain.last().copied().unwrap_or(0);
            let start = (from..top).find(|seq| !plain.contains(seq));
            prop_assert_eq!(ranges.gap(from).map(|gap| gap.0), start);
            if let Some((left, right)) = ranges.gap(from) {
                prop_assert!((left..right).all(|seq| !plain.contains(&seq)) && plain.contains(&right));
            }
            prop_assert_eq!(ranges.containing(from).is_some(), plain.contains(&from));
        }
    }
}
