//! Bandwidths, gains and the pacing rate, in integers as Linux has them.
//!
//! Source: Linux 6, net/ipv4/tcp_bbr.c, bbr_rate_bytes_per_sec and bbr_bw_to_pacing_rate.
//!
//! A gain is in parts of 256 (`BBR_UNIT`). A bandwidth is in bytes per microsecond times 2^24 (`BW_SCALE`); Linux counts
//! packets, whose number times SMSS are the bytes here, so a short segment counts as what it is.

use base::Time;

const BW_SCALE: u32 = 24;
const PS_PER_US: u128 = 1_000_000;

/// A gain, in parts of 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Gain(pub(super) u64);

impl Gain {
    /// `BBR_UNIT`.
    pub(super) const ONE: Self = Self(256);
    /// 2 / ln 2: doubles what is sent in each round trip.
    pub(super) const HIGH: Self = Self(256 * 2885 / 1000 + 1);
    /// Its inverse: a round trip of it drains what a round trip of that has queued.
    pub(super) const DRAIN: Self = Self(256 * 1000 / 2885);
    /// Of cwnd: room for ACKs that come late or together.
    pub(super) const WINDOW: Self = Self(512);
    pub(super) const PROBE: Self = Self(256 * 5 / 4);
    pub(super) const YIELD: Self = Self(256 * 3 / 4);
}

/// How fast a path delivers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bandwidth(u64);

impl Bandwidth {
    /// So many bytes in a time, which is not 0.
    pub(super) fn of(bytes: u64, time: Time) -> Self {
        Self((((u128::from(bytes) * PS_PER_US) << BW_SCALE) / u128::from(time.as_ps())) as u64)
    }

    /// Bytes in a time, rounded down.
    pub(super) fn bytes_in(self, time: Time) -> u64 {
        (((u128::from(self.0) * u128::from(time.as_ps())) / PS_PER_US) >> BW_SCALE) as u64
    }

    /// Segments in a time at a gain, rounded up: a window that is rounded down would measure ever less.
    pub(super) fn segments_in(self, time: Time, gain: Gain, smss: u64) -> u64 {
        let bytes = (u128::from(self.0) * u128::from(time.as_ps()) * u128::from(gain.0)) >> 8;
        bytes.div_ceil((PS_PER_US * u128::from(smss)) << BW_SCALE) as u64
    }

    /// The pacing rate at a gain, bytes per second: 1 % below, so that the queue does not grow on average.
    pub(super) fn pacing_rate(self, gain: Gain) -> u64 {
        ((((u128::from(self.0) * u128::from(gain.0)) >> 8) * 990_000) >> BW_SCALE) as u64
    }

    /// This part of it, in parts of 256, rounded down.
    pub(super) fn times(self, gain: Gain) -> Self {
        Self(((u128::from(self.0) * u128::from(gain.0)) >> 8) as u64)
    }

    pub(super) fn abs_diff(self, other: Self) -> Self {
        Self(self.0.abs_diff(other.0))
    }

    pub(super) fn mean(self, other: Self) -> Self {
        Self((self.0 + other.0) / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 1448 bytes each 1.2 ms are 1206.67 bytes per ms: 1.20667 * 2^24 = 20 244 507.3.
    #[test]
    fn a_bandwidth_is_in_bytes_per_microsecond_times_two_to_the_24() {
        let bandwidth = Bandwidth::of(1448, Time::from_us(1200));
        assert_eq!(bandwidth.0, 20_244_507);
        assert_eq!(bandwidth.bytes_in(Time::from_ms(12)), 14_479, "ten segments, and all is rounded down");
        assert_eq!(bandwidth.segments_in(Time::from_ms(12), Gain::ONE, 1448), 10);
        assert_eq!(bandwidth.segments_in(Time::from_us(12_001), Gain::ONE, 1448), 11);
        assert_eq!(bandwidth.segments_in(Time::from_ms(12), Gain::WINDOW, 1448), 20);
    }

    /// The gains are 739 and 88 parts of 256: 2.8867 and 0.34375.
    #[test]
    fn gains_are_in_parts_of_256() {
        assert_eq!([Gain::HIGH.0, Gain::DRAIN.0, Gain::PROBE.0, Gain::YIELD.0], [739, 88, 320, 192]);
        let bandwidth = Bandwidth(1 << BW_SCALE);
        let rates = [Gain::ONE, Gain::HIGH, Gain::DRAIN].map(|gain| bandwidth.pacing_rate(gain));
        assert_eq!(rates, [990_000, 2_857_851, 340_312]);
    }

    proptest! {
        #[test]
        fn rounding_is_within_a_unit(bytes in 1u64..1 << 40, us in 1u64..1 << 40, smss in 500u64..9000) {
            let time = Time::from_us(us);
            let bandwidth = Bandwidth::of(bytes, time);
            let back = bandwidth.bytes_in(time);
            prop_assert!(back <= bytes && bytes - back <= 1 + (us >> BW_SCALE));
            let segments = bandwidth.segments_in(time, Gain::ONE, smss);
            prop_assert!(segments * smss >= back && (segments - 1) * smss <= bytes);
        }
    }
}
