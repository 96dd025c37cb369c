//! A pacer: a bucket of bytes that fills at the pacing rate.
//!
//! Source: the token bucket as present-day stacks pace with it (RFC 9002 section 7.7). A segment leaves when the bucket
//! holds all of it; the bucket holds a quantum at most, which is what leaves in a burst after a pause.
//!
//! Tokens are counted as the time at which the bucket would be full, in whole picoseconds: nothing is rounded away from
//! segment to segment, so that the rate has no drift.
//!
//! | parameter | unit |
//! |---|---|
//! | rate | bytes per second |
//! | quantum | bytes; a segment that is larger waits for a full bucket |

use crate::congestion::Pacing;
use base::Time;

const PS_PER_SECOND: u128 = 1_000_000_000_000;

/// A bucket of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pacer {
    pacing: Pacing,
    /// When the bucket is full, if nothing more leaves: in picoseconds times the rate, which for every number of bytes is a
    /// whole number.
    full_at: u128,
}

impl Pacer {
    /// A full bucket.
    pub(crate) fn new(pacing: Pacing) -> Self {
        Self { pacing, full_at: 0 }
    }

    /// Lets the bucket fill at another rate from `now` on; what is missing in it stays missing.
    pub(crate) fn set(&mut self, now: Time, pacing: Pacing) {
        if pacing != self.pacing {
            let missing = self.full_at.saturating_sub(self.units(now));
            self.pacing = pacing;
            self.full_at = self.units(now) + missing;
        }
    }

    /// When so many bytes may leave; `now` or earlier: at once.
    pub(crate) fn release_time(&self, bytes: u64) -> Time {
        let room = u128::from(self.pacing.quantum.saturating_sub(bytes)) * PS_PER_SECOND;
        let at = self.full_at.saturating_sub(room).div_ceil(u128::from(self.pacing.rate));
        Time::from_ps(at as u64)
    }

    /// So many bytes leave.
    pub(crate) fn on_sent(&mut self, now: Time, bytes: u64) {
        self.full_at = self.full_at.max(self.units(now)) + u128::from(bytes) * PS_PER_SECOND;
    }

    fn units(&self, now: Time) -> u128 {
        u128::from(now.as_ps()) * u128::from(self.pacing.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pacer(rate: u64, quantum: u64) -> Pacer {
        Pacer::new(Pacing { rate, quantum })
    }

    /// Sends segments of so many bytes as soon as each may leave: when.
    fn departures(pacer: &mut Pacer, from: Time, bytes: u64, segments: usize) -> Vec<Time> {
        let mut now = from;
        let mut send = || {
            now = now.max(pacer.release_time(bytes));
            pacer.on_sent(now, bytes);
            now
        };
        (0..segments).map(|_| send()).collect()
    }

    #[test]
    fn a_quantum_leaves_at_once_and_the_rest_at_the_rate() {
        let mut pacer = pacer(1_000_000, 3000);
        let ms = departures(&mut pacer, Time::ZERO, 1000, 6);
        assert_eq!(ms, [0, 0, 0, 1, 2, 3].map(Time::from_ms));
    }

    #[test]
    fn a_pause_fills_the_bucket_and_no_more() {
        let mut pacer = pacer(1_000_000, 2000);
        departures(&mut pacer, Time::ZERO, 1000, 5);
        let ms = departures(&mut pacer, Time::from_ms(500), 1000, 4);
        assert_eq!(ms, [500, 500, 501, 502].map(Time::from_ms));
    }

    #[test]
    fn another_rate_counts_from_when_it_is_set() {
        let mut pacer = pacer(1_000_000, 1000);
        pacer.on_sent(Time::ZERO, 1000);
        assert_eq!(pacer.release_time(1000), Time::from_ms(1));
        pacer.set(Time::from_us(500), Pacing { rate: 500_000, quantum: 1000 });
        assert_eq!(pacer.release_time(1000), Time::from_us(1500), "half of a segment is missing");
    }

    #[test]
    fn a_segment_larger_than_the_quantum_waits_for_a_full_bucket() {
        let mut pacer = pacer(1_000_000, 500);
        assert_eq!(departures(&mut pacer, Time::ZERO, 1500, 3), [0, 1500, 3000].map(Time::from_us));
    }

    proptest! {
        /// A rate that no picosecond divides: after any number of segments the last one leaves at its very time,
        /// rounded up to the picosecond once.
        #[test]
        fn the_rate_has_no_drift(rate in 1u64..20_000_000_000, bytes in 1u64..9000, segments in 1usize..400) {
            let mut pacer = pacer(rate, bytes);
            let last = *departures(&mut pacer, Time::ZERO, bytes, segments).last().unwrap();
            let exact = (u128::from(bytes) * (segments as u128 - 1) * PS_PER_SECOND).div_ceil(u128::from(rate));
            let late = u128::from(last.as_ps()) - exact;
            prop_assert!(late <= segments as u128 && u128::from(last.as_ps()) >= exact, "{late}");
        }

        /// In no interval more leaves than the rate and a quantum allow.
        #[test]
        fn no_interval_has_more_than_rate_and_quantum(
            rate in 1000u64..1_000_000_000,
            quantum in 1500u64..70_000,
            waits in prop::collection::vec((0u64..3_000, 40u64..1500), 1..100),
        ) {
            let mut pacer = pacer(rate, quantum);
            let mut now = Time::ZERO;
            let mut sent: Vec<(Time, u64)> = Vec::new();
            for (us, bytes) in waits {
                now = (now + Time::from_us(us)).max(pacer.release_time(bytes));
                pacer.on_sent(now, bytes);
                sent.push((now, bytes));
            }
            for (at, &(from, _)) in sent.iter().enumerate() {
                let mut total = 0;
                for &(to, bytes) in &sent[at..] {
                    total += u128::from(bytes);
                    let allowed = u128::from(quantum) * PS_PER_SECOND + u128::from((to - from).as_ps()) * u128::from(rate);
                    prop_assert!(total * PS_PER_SECOND <= allowed, "{total} bytes in {}", to - from);
                }
            }
        }
    }
}
