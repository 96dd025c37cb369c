//! A token bucket: tokens come at a rate, up to a depth, and a packet takes as many as it has bytes.
//!
//! Source: RFC 2697 and 2698, section 3. The bucket is full at first.
//!
//! Deviation: the RFCs add whole tokens. Here they flow steadily, in units of what 1 bit/s yields in 1 ps: whole
//! numbers that add up exactly, so that nothing drifts. The bucket counts what it lacks, which is never below zero. It
//! may lack more than its depth if a packet takes more than it holds. Only a bucket that is just as deep as packets are
//! long runs over between two of them: for less than a picosecond, until the next time at which one may leave.

use base::Time;

/// Units in a byte.
const PER_BYTE: u128 = 8 * Time::from_secs(1).as_ps() as u128;

/// A token bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket {
    /// Bits per second.
    rate: u64,
    /// Bytes.
    depth: u64,
    /// Units that lack until it is full.
    lacking: u128,
    /// When that was so.
    at: Time,
}

impl Bucket {
    /// A full bucket of a rate in bit/s and a depth in bytes.
    pub(super) fn full(rate: u64, depth: u64) -> Self {
        Self { rate, depth, lacking: 0, at: Time::ZERO }
    }

    /// Bytes that it holds at most.
    pub(super) fn depth(&self) -> u64 {
        self.depth
    }

    /// Lets in the tokens that have come by `now`.
    pub(super) fn fill(&mut self, now: Time) {
        let came = u128::from(self.rate) * u128::from((now - self.at).as_ps());
        self.lacking = self.lacking.saturating_sub(came);
        self.at = now;
    }

    /// Whether it holds tokens for so many bytes.
    pub(super) fn holds(&self, bytes: u64) -> bool {
        bytes <= self.depth && self.short_of(bytes) == 0
    }

    /// When it holds tokens for so many bytes, at most its depth, if none are taken before.
    pub(super) fn holds_at(&self, bytes: u64) -> Time {
        let wait = self.short_of(bytes).div_ceil(u128::from(self.rate));
        self.at.saturating_add(Time::from_ps(u64::try_from(wait).unwrap_or(u64::MAX)))
    }

    /// Takes tokens, whether it holds as many or not.
    pub(super) fn take(&mut self, bytes: u64) {
        self.lacking += u128::from(bytes) * PER_BYTE;
    }

    /// Units that must come before it holds so many bytes.
    fn short_of(&self, bytes: u64) -> u128 {
        let may_lack = u128::from(self.depth.saturating_sub(bytes)) * PER_BYTE;
        self.lacking.saturating_sub(may_lack)
    }
}

/// The message for rates and depths that two buckets cannot have.
pub(super) fn check(values: [u64; 4]) -> Option<&'static str> {
    let [rate, burst, peak_rate, peak_burst] = values;
    let rules = [
        (rate > 0, "`rate_bps` must be positive"),
        (burst > 0, "`burst_bytes` must be positive"),
        (peak_rate > 0, "`peak_rate_bps` must be positive"),
        (peak_burst > 0, "`peak_burst_bytes` must be positive"),
        (rate == super::OFF || peak_rate >= rate, "`peak_rate_bps` must not be below `rate_bps`"),
    ];
    rules.iter().find(|rule| !rule.0).map(|rule| rule.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3 bit/s: a byte takes 8/3 s, and three bytes 8 s even if one is taken at a time.
    #[test]
    fn thirds_of_a_picosecond_are_not_lost() {
        let mut bucket = Bucket::full(3, 2);
        bucket.take(2);
        for ps in [2_666_666_666_667, 5_333_333_333_334, 8_000_000_000_000, 10_666_666_666_667] {
            assert_eq!(bucket.holds_at(1), Time::from_ps(ps));
            bucket.fill(Time::from_ps(ps - 1));
            assert!(!bucket.holds(1));
            bucket.fill(Time::from_ps(ps));
            assert!(bucket.holds(1) && !bucket.holds(2));
            bucket.take(1);
        }
        bucket.fill(Time::from_secs(1_000_000));
        assert!(bucket.holds(2) && !bucket.holds(3), "it is full");
    }

    /// 8 kbit/s is a byte each ms. What is taken beyond what it holds must come first.
    #[test]
    fn it_may_owe() {
        let mut bucket = Bucket::full(8_000, 100);
        bucket.take(250);
        assert_eq!(bucket.holds_at(100), Time::from_ms(250));
        assert_eq!(bucket.holds_at(1), Time::from_ms(151));
        assert_eq!(bucket.holds_at(0), Time::from_ms(150));
    }

    #[test]
    fn the_largest_numbers_fit() {
        let mut bucket = Bucket::full(u64::MAX, u64::MAX);
        bucket.take(u64::from(u32::MAX));
        bucket.fill(Time::from_ps(u64::MAX));
        assert!(bucket.holds(u64::MAX));
        let mut slow = Bucket::full(1, u64::MAX);
        slow.take(u64::MAX);
        assert_eq!(slow.holds_at(u64::MAX), Time::NEVER);
    }
}
