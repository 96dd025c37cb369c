//! The largest value within a window of time, from three samples.
//!
//! Source: the filter of Kathleen Nichols that Linux has (`lib/win_minmax.c`). The best sample counts until it is as old as the
//! window; then the next one does, which is from a later part of it. For the smallest value, use `Reverse`.
//!
//! Deviation from a true maximum: after the best sample has aged out, a larger value than the one that follows may have been
//! between two samples that were kept. The result is never above the true maximum, and never below the newest value.
//!
//! | parameter | unit |
//! |---|---|
//! | window | as the times that it is given: round trips, or anything else that counts |

/// The largest value within a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WindowedMax<T> {
    window: u64,
    /// The best one, the best one after it, the best one after that: each a time and a value.
    best: [(u64, T); 3],
}

impl<T: Copy + Ord> WindowedMax<T> {
    /// With a first value.
    pub(super) fn new(window: u64, at: u64, value: T) -> Self {
        Self { window, best: [(at, value); 3] }
    }

    /// The largest value.
    pub(super) fn get(&self) -> T {
        self.best[0].1
    }

    /// Another value; times do not fall.
    pub(super) fn update(&mut self, at: u64, value: T) {
        let new = (at, value);
        if value >= self.best[0].1 || at - self.best[2].0 > self.window {
            self.best = [new; 3];
            return;
        }
        if value >= self.best[1].1 {
            self.best[1..].fill(new);
        } else if value >= self.best[2].1 {
            self.best[2] = new;
        }
        self.age(new);
    }

    fn age(&mut self, new: (u64, T)) {
        let age = new.0 - self.best[0].0;
        if age > self.window {
            self.drop_first(new);
            if new.0 - self.best[0].0 > self.window {
                self.drop_first(new);
            }
        } else if self.best[1].0 == self.best[0].0 && age > self.window / 4 {
            self.best[1..].fill(new);
        } else if self.best[2].0 == self.best[1].0 && age > self.window / 2 {
            self.best[2] = new;
        }
    }

    fn drop_first(&mut self, new: (u64, T)) {
        self.best = [self.best[1], self.best[2], new];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_peak_counts_for_a_window_and_then_the_best_of_its_later_part() {
        let mut filter = WindowedMax::new(10, 0, 0);
        filter.update(1, 100);
        (2..=11).for_each(|at| filter.update(at, 50 + at));
        assert_eq!(filter.get(), 100, "ten rounds old");
        filter.update(12, 40);
        assert_eq!(filter.get(), 61, "of round 11");
    }

    #[test]
    fn after_a_silence_of_a_window_the_new_value_counts() {
        let mut filter = WindowedMax::new(10, 0, 7);
        filter.update(11, 1);
        assert_eq!(filter.get(), 1);
    }

    proptest! {
        /// Against all values of the window: never more than the largest; that one until it has aged out if nothing
        /// before it was as large; never less than the newest.
        #[test]
        fn is_within_the_window(window in 1u64..40, steps in prop::collection::vec((0u64..8, 0u32..100), 1..80)) {
            let mut filter = WindowedMax::new(window, 0, 0);
            let mut all = vec![(0, 0)];
            let mut now = 0;
            for (wait, value) in steps {
                now += wait;
                filter.update(now, value);
                all.push((now, value));
                let recent = all.iter().filter(|(at, _)| now - at <= window);
                let largest = recent.map(|its| its.1).max().expect("the newest one is there");
                prop_assert!(filter.get() <= largest && filter.get() >= value);
                let is_peak = all.iter().filter(|its| its.1 >= largest).all(|(at, _)| now - at <= window);
                if is_peak && all.iter().all(|its| its.1 <= largest) {
                    prop_assert_eq!(filter.get(), largest);
                }
            }
        }
    }
}
