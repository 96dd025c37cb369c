//! The maximum over the last N units of a virtual time, such as round trips or probe cycles.
//!
//! Source: draft-ietf-ccwg-bbr names Nichols' three-sample approximation (`lib/win_minmax.c` of Linux). Here each unit of time
//! keeps its maximum, so the window is exact.

/// A maximum that forgets.
#[derive(Clone, Copy, Debug)]
pub(super) struct MaxFilter<const N: usize> {
    /// The unit of time of the first maximum; each one after it is of the unit before.
    newest: u64,
    maxima: [u64; N],
}

impl<const N: usize> MaxFilter<N> {
    pub(super) const EMPTY: Self = Self { newest: 0, maxima: [0; N] };

    /// Adds a value at a time that is not before the last one. Gives the maximum of the last `window` units, N at most.
    pub(super) fn update(&mut self, time: u64, value: u64, window: usize) -> u64 {
        let passed = (time - self.newest).min(N as u64) as usize;
        self.maxima.rotate_right(passed % N);
        self.maxima[..passed].fill(0);
        self.newest = time;
        self.maxima[0] = self.maxima[0].max(value);
        self.maxima[..window].iter().copied().fold(0, u64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_the_maximum_of_the_last_units(
            steps in prop::collection::vec((0u64..4, 0u64..100), 1..60),
            window in 1usize..=5,
        ) {
            let mut filter = MaxFilter::<5>::EMPTY;
            let (mut time, mut all) = (0, Vec::new());
            for (later, value) in steps {
                time += later;
                all.push((time, value));
                let recent = all.iter().filter(|(at, _)| at + window as u64 > time);
                let expected = recent.map(|&(_, value)| value).max().unwrap_or(0);
                prop_assert_eq!(filter.update(time, value, window), expected);
            }
        }
    }
}
