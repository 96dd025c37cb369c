//! Sets of sequence ranges: the receiver's out-of-order data, the sender's SACK scoreboard.

/// A set of sequence numbers as disjoint, non-adjacent ranges `[start, end)` in rising order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeSet {
    ranges: Vec<(u64, u64)>,
    len: u64,
}

impl RangeSet {
    /// Adds `[start, end)` and returns the range that holds it now.
    pub fn insert(&mut self, start: u64, end: u64) -> (u64, u64) {
        let from = self.ranges.partition_point(|range| range.1 < start);
        let to = from + self.ranges[from..].partition_point(|range| range.0 <= end);
        let merged = self.ranges[from..to]
            .iter()
            .fold((start, end), |merged, range| (merged.0.min(range.0), merged.1.max(range.1)));
        let before: u64 = self.ranges[from..to].iter().map(|range| range.1 - range.0).sum();
        self.len += merged.1 - merged.0 - before;
        self.ranges.splice(from..to, [merged]);
        merged
    }

    /// Forgets everything below `edge`.
    pub fn remove_below(&mut self, edge: u64) {
        let gone = self.ranges.partition_point(|range| range.1 <= edge);
        self.len -= self.ranges.drain(..gone).map(|range| range.1 - range.0).sum::<u64>();
        if let Some(first) = self.ranges.first_mut() {
            self.len -= edge.saturating_sub(first.0);
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

    /// The first part of `[from, to)` that is in the set.
    #[must_use]
    pub fn overlap(&self, from: u64, to: u64) -> Option<(u64, u64)> {
        let at = self.ranges.partition_point(|range| range.1 <= from);
        let range = self.ranges.get(at).filter(|range| range.0 < to)?;
        Some((range.0.max(from), range.1.min(to)))
    }

    /// How many sequence numbers are in the set.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many of `[from, to)` are in the set.
    #[must_use]
    pub fn len_within(&self, from: u64, to: u64) -> u64 {
        let first = self.ranges.partition_point(|range| range.1 <= from);
        let within = self.ranges[first..].iter().take_while(|range| range.0 < to);
        within.map(|range| range.1.min(to) - range.0.max(from)).sum()
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
            prop_assert_eq!(ranges.len(), plain.len() as u64);
            let first = (edge..from).find(|seq| plain.contains(seq));
            prop_assert_eq!(ranges.overlap(edge, from).map(|part| part.0), first);
            if let Some((left, right)) = ranges.overlap(edge, from) {
                prop_assert!((left..right).all(|seq| plain.contains(&seq)));
                prop_assert!(right == from || !plain.contains(&right));
            }
            let within = plain.iter().filter(|&&seq| (edge..from).contains(&seq)).count();
            prop_assert_eq!(ranges.len_within(edge, from), within as u64);
        }
    }
}
