//! A leaky bucket that holds time, without rounding: the continuous-state form of the GCRA.
//!
//! Source: TM 4.0, section 4.4.3 (GCRA(T, L): bucket X, last conformance time LCT). T is the time of a cell at a rate,
//! seldom a whole number of picoseconds; so the bucket counts picoseconds times bit/s, in which a cell is 424e12 at any
//! rate.

use crate::CELL_BYTES;
use base::Time;

/// The amount that a cell adds to a bucket, ps x bit/s.
pub(super) const CELL: u128 = 8 * CELL_BYTES as u128 * 1_000_000_000_000;

/// A bucket that leaks at a rate.
#[derive(Clone, Debug)]
pub(super) struct Bucket {
    rate_bps: u64,
    /// X, ps x bit/s.
    pub(super) content: u128,
    /// LCT.
    last: Time,
}

impl Bucket {
    /// Empty.
    pub(super) fn new(rate_bps: u64) -> Self {
        Self { rate_bps, content: 0, last: Time::ZERO }
    }

    /// The level at `now`: the larger of X' and 0.
    pub(super) fn content(&self, now: Time) -> u128 {
        self.content.saturating_sub(self.of(now - self.last))
    }

    /// Adds a cell that arrives at `now`.
    pub(super) fn pour(&mut self, now: Time) {
        self.content = self.content(now) + CELL;
        self.last = now;
    }

    /// The amount that leaks in `time`; also the limit for a tolerance of `time`.
    pub(super) fn of(&self, time: Time) -> u128 {
        u128::from(time.as_ps()) * u128::from(self.rate_bps)
    }
}
