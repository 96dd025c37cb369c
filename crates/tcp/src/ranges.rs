//! Sets of sequence ranges: the receiver's out-of-order data, the sender's SACK scoreboard.
//!
//! A window of a fast, long path can have tens of thousands of holes, and each ACK asks for sums
//! over them. So each range knows how much of the set lies before it, and what happens at either end of
//! the set (new SACKs at the top, cumulative ACKs at the bottom) touches nothing in between.

use std::collections::VecDeque;

/// A set of sequence numbers as disjoint, non-adjacent ranges `[start, end)` in rising order.
#[derive(Clone, Debug, Default)]
pub struct RangeSet {
    ranges: VecDeque<Range>,
}

/// `[start, end)`.
#[derive(Clone, Copy, Debug)]
struct Range {
    start: u64,
    end: u64,
    /// Members before the range, plus a number that all ranges of a set share: only differences count.
    before: u64,
}

impl Range {
    fn len(self) -> u64 {
        self.end - self.start
    }

    fn ends(self) -> (u64, u64) {
        (self.start, self.end)
    }
}

impl RangeSet {
    /// Adds `[start, end)` and returns the range that holds it now.
    pub fn insert(&mut self, start: u64, end: u64) -> (u64, u64) {
        if self.ranges.back().is_none_or(|last| last.end < start) {
            self.ranges.push_back(Range { start, end, before: self.before_the_end() });
            return (start, end);
        }
        let from = self.first_ending_at(start);
        let mut merged = Range { start, end, before: self.ranges[from].before };
        let (mut to, mut held) = (from, 0);
        while let Some(range) = self.ranges.get(to).filter(|range| range.start <= end) {
            merged.start = merged.start.min(range.start);
            merged.end = merged.end.max(range.end);
            held += range.len();
            to += 1;
        }
        if from == to {
            self.ranges.insert(from, merged);
        } else {
            self.ranges[from] = merged;
            self.ranges.drain(from + 1..to);
        }
        self.count(from, merged.len() - held);
        merged.ends()
    }

    /// Counts `added` members in the range at `place`: those after it have more before them, or, which comes
    /// to the same, it and those before it have less.
    fn count(&mut self, place: usize, added: u64) {
        if place < self.ranges.len() / 2 {
            self.ranges.range_mut(..=place).for_each(|range| range.before = range.before.wrapping_sub(added));
        } else {
            self.ranges
                .range_mut(place + 1..)
                .for_each(|range| range.before = range.before.wrapping_add(added));
        }
    }

    /// Forgets everything below `edge`.
    pub fn remove_below(&mut self, edge: u64) {
        while let Some(first) = self.ranges.front_mut().filter(|first| first.start < edge) {
            if first.end > edge {
                first.before = first.before.wrapping_add(edge - first.start);
                first.start = edge;
                return;
            }
            self.ranges.pop_front();
        }
    }

    /// The first gap at or above `from` that has members above it.
    #[must_use]
    pub fn gap(&self, from: u64) -> Option<(u64, u64)> {
        let next = self.first_ending_above(from);
        let range = self.ranges.get(next)?;
        if from < range.start {
            return Some((from, range.start));
        }
        self.ranges.get(next + 1).map(|after| (range.end, after.start))
    }

    /// The range that contains `seq`.
    #[must_use]
    pub fn containing(&self, seq: u64) -> Option<(u64, u64)> {
        let range = self.ranges.get(self.first_ending_above(seq))?;
        (range.start <= seq).then(|| range.ends())
    }

    /// The first part of `[from, to)` that is in the set.
    #[must_use]
    pub fn overlap(&self, from: u64, to: u64) -> Option<(u64, u64)> {
        let range = self.ranges.get(self.first_ending_above(from)).filter(|range| range.start < to)?;
        Some((range.start.max(from), range.end.min(to)))
    }

    /// How many sequence numbers are in the set.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.ranges.front().map_or(0, |first| self.before_the_end().wrapping_sub(first.before))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many of `[from, to)` are in the set.
    #[must_use]
    pub fn len_within(&self, from: u64, to: u64) -> u64 {
        let lowest = self.ranges.front().map_or(u64::MAX, |first| first.start);
        if from >= to || to <= lowest { 0 } else { self.before(to).wrapping_sub(self.before(from)) }
    }

    /// How many members are below `seq`, plus what all ranges share.
    fn before(&self, seq: u64) -> u64 {
        match self.ranges.get(self.first_ending_above(seq)) {
            Some(range) => range.before.wrapping_add(seq.saturating_sub(range.start)),
            None => self.before_the_end(),
        }
    }

    /// All members, plus what all ranges share.
    fn before_the_end(&self) -> u64 {
        self.ranges.back().map_or(0, |last| last.before.wrapping_add(last.len()))
    }

    /// The ranges in rising order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> {
        self.ranges.iter().map(|range| range.ends())
    }

    fn first_ending_at(&self, seq: u64) -> usize {
        self.ranges.partition_point(|range| range.end < seq)
    }

    fn first_ending_above(&self, seq: u64) -> usize {
        self.ranges.partition_point(|range| range.end <= seq)
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
            steps in prop::collection::vec((0u64..200, 1u64..9, prop::bool::weighted(0.1)), 0..60),
            from in 0u64..210,
            to in 0u64..210,
        ) {
            let mut ranges = RangeSet::default();
            let mut plain = BTreeSet::new();
            for (start, len, forget) in steps {
                if forget {
                    ranges.remove_below(start);
                    plain.retain(|&seq| seq >= start);
                } else {
                    let (left, right) = ranges.insert(start, start + len);
                    plain.extend(start..start + len);
                    prop_assert!((left..right).all(|seq| plain.contains(&seq)));
                    prop_assert!(left <= start && start + len <= right && !plain.contains(&right));
                }
                prop_assert_eq!(ranges.len(), plain.len() as u64);
                let within = plain.iter().filter(|&&seq| from <= seq && seq < to).count();
                prop_assert_eq!(ranges.len_within(from, to), within as u64);
            }
            let members: BTreeSet<u64> = ranges.iter().flat_map(|(start, end)| start..end).collect();
            prop_assert_eq!(&members, &plain);
            prop_assert!(ranges.iter().zip(ranges.iter().skip(1)).all(|(one, next)| one.1 < next.0));
            let top = plain.last().copied().unwrap_or(0);
            let start = (from..top).find(|seq| !plain.contains(seq));
            prop_assert_eq!(ranges.gap(from).map(|gap| gap.0), start);
            if let Some((left, right)) = ranges.gap(from) {
                prop_assert!((left..right).all(|seq| !plain.contains(&seq)) && plain.contains(&right));
            }
            prop_assert_eq!(ranges.containing(from).is_some(), plain.contains(&from));
            let overlap = (from < to).then(|| ranges.overlap(from, to)).flatten();
            let first = (from..to).find(|seq| plain.contains(seq));
            prop_assert_eq!(overlap.map(|part| part.0), first);
            if let Some((left, right)) = overlap {
                prop_assert!((left..right).all(|seq| plain.contains(&seq)));
                prop_assert!(right == to || !plain.contains(&right));
            }
        }
    }
}
