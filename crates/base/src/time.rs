//! Simulated time and rates.
//!
//! Time counts picoseconds in a `u64` (213 days): the cell time of a 155 Mbit/s line
//! is exact to 2e-7, and whole numbers are the same on every machine.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub};

/// A point in simulated time, or the distance between two, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

impl Time {
    /// The start of every run.
    pub const ZERO: Self = Self(0);
    /// Later than any event; stands for "never".
    pub const NEVER: Self = Self(u64::MAX);

    /// From picoseconds.
    #[must_use]
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }
    /// From microseconds.
    #[must_use]
    pub const fn from_us(us: u64) -> Self {
        Self(us * 1_000_000)
    }
    /// From milliseconds.
    #[must_use]
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms * 1_000_000_000)
    }
    /// From seconds.
    #[must_use]
    pub const fn from_secs(s: u64) -> Self {
        Self(s * 1_000_000_000_000)
    }
    /// In picoseconds.
    #[must_use]
    pub const fn as_ps(self) -> u64 {
        self.0
    }
    /// In seconds, rounded; for display and for columns.
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 * 1e-12
    }
    /// The distance to an earlier point; zero if `earlier` is later.
    #[must_use]
    pub const fn saturating_sub(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
    /// The sum, or [`Time::NEVER`] if it does not fit.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
    /// None if it is [`Time::NEVER`].
    #[must_use]
    pub const fn if_ever(self) -> Option<Self> {
        if self.0 == Self::NEVER.0 { None } else { Some(self) }
    }
    /// How often `step` fits into this time.
    #[must_use]
    pub const fn div_floor(self, step: Self) -> u64 {
        self.0 / step.0
    }
}

impl Add for Time {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}
impl AddAssign for Time {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}
impl Sub for Time {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}
impl Mul<u64> for Time {
    type Output = Self;
    fn mul(self, times: u64) -> Self {
        Self(self.0 * times)
    }
}

impl fmt::Display for Time {
    /// Seconds with six digits, as a trace shows them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = (self.0 + 500_000) / 1_000_000;
        write!(f, "{}.{:06}", us / 1_000_000, us % 1_000_000)
    }
}

/// A data rate, bits per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(u64);

impl Rate {
    /// From bits per second; a rate is never zero.
    ///
    /// # Panics
    /// If `bps` is zero.
    #[must_use]
    pub const fn from_bps(bps: u64) -> Self {
        assert!(bps > 0, "a rate is positive");
        Self(bps)
    }
    /// In bits per second.
    #[must_use]
    pub const fn as_bps(self) -> u64 {
        self.0
    }
    /// Time to send `bytes`, rounded to the nearest picosecond.
    #[must_use]
    pub const fn time_for(self, bytes: u64) -> Time {
        const PS_PER_BYTE: u64 = 8 * 1_000_000_000_000;
        // For packets 64 bits suffice, and their division is much faster than that of 128 bits.
        if bytes < 1 << 20 && self.0 < 1 << 62 {
            return Time((bytes * PS_PER_BYTE + self.0 / 2) / self.0);
        }
        let ps = (bytes as u128 * PS_PER_BYTE as u128 + self.0 as u128 / 2) / self.0 as u128;
        Time(ps as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_at_45_mbps_takes_9_422_us() {
        assert_eq!(Rate::from_bps(45_000_000).time_for(53), Time::from_ps(9_422_222));
    }

    #[test]
    fn displays_seconds_rounded_to_the_microsecond() {
        assert_eq!(Time::from_ps(1_000_000_500_000).to_string(), "1.000001");
        assert_eq!(Time::from_ms(12_345).to_string(), "12.345000");
    }

    /// Both ways of dividing agree where both can.
    #[test]
    fn long_and_short_packets_take_as_long_by_the_byte() {
        for bps in [1, 9_600, 1_500_000, 45_000_000, 149_760_000, 100_000_000_000] {
            let rate = Rate::from_bps(bps);
            for bytes in [0, 1, 40, 1500, 65_535, (1 << 20) - 1] {
                let exact = (u128::from(bytes) * 8_000_000_000_000 + u128::from(bps) / 2) / u128::from(bps);
                assert_eq!(u128::from(rate.time_for(bytes).as_ps()), exact);
            }
        }
    }

    #[test]
    fn never_absorbs_additions() {
        assert_eq!(Time::NEVER.saturating_add(Time::from_secs(1)), Time::NEVER);
    }
}
