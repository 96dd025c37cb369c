//! How late packets were: a histogram, and the worst of them.

use base::Time;
use serde::Serialize;

/// Parts of a doubling: a quantile is known to 1/32 of itself.
const PARTS: u64 = 32;
const DOUBLINGS: u64 = 40;
/// Packets that are reported one by one.
const WORST: usize = 16;

/// How often which lateness was seen; takes no memory while it counts.
pub(crate) struct Lateness {
    counts: Vec<u64>,
    total: u64,
    max_ns: u64,
    above: [u64; 3],
}

/// Limits above which packets are counted, ns.
const LIMITS: [u64; 3] = [100_000, 1_000_000, 10_000_000];

impl Lateness {
    pub(crate) fn new() -> Self {
        Self { counts: vec![0; (PARTS * DOUBLINGS) as usize], total: 0, max_ns: 0, above: [0; 3] }
    }

    pub(crate) fn add(&mut self, ns: u64) {
        self.counts[bucket(ns)] += 1;
        self.total += 1;
        self.max_ns = self.max_ns.max(ns);
        for (above, limit) in self.above.iter_mut().zip(LIMITS) {
            *above += u64::from(ns > limit);
        }
    }

    pub(crate) fn summary(&self) -> Summary {
        let [above_100_us, above_1_ms, above_10_ms] = self.above;
        Summary {
            packets: self.total,
            p50_us: self.quantile_us(500),
            p99_us: self.quantile_us(990),
            p999_us: self.quantile_us(999),
            max_us: self.max_ns as f64 / 1e3,
            above_100_us,
            above_1_ms,
            above_10_ms,
        }
    }

    /// The end of the bucket below which so many thousandths lie, but no more than the largest value.
    fn quantile_us(&self, thousandths: u64) -> f64 {
        let rank = (self.total * thousandths).div_ceil(1000).max(1);
        let mut seen = 0;
        let place = self.counts.iter().position(|count| {
            seen += count;
            seen >= rank
        });
        place.map_or(0.0, |place| end(place).min(self.max_ns) as f64 / 1e3)
    }
}

/// Values below `PARTS` have a bucket each; a doubling above has as many buckets as its half.
fn bucket(ns: u64) -> usize {
    if ns < PARTS {
        return ns as usize;
    }
    let doublings = u64::from(ns.ilog2() - PARTS.ilog2());
    ((doublings * PARTS + (ns >> doublings)).min(PARTS * DOUBLINGS - 1)) as usize
}

/// The largest value in a bucket.
fn end(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < 2 * PARTS {
        return bucket;
    }
    let doublings = bucket / PARTS - 1;
    ((bucket - doublings * PARTS + 1) << doublings) - 1
}

/// A histogram in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Summary {
    pub(crate) packets: u64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) p999_us: f64,
    pub(crate) max_us: f64,
    pub(crate) above_100_us: u64,
    pub(crate) above_1_ms: u64,
    pub(crate) above_10_ms: u64,
}

/// A packet that was late.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Late {
    /// When it should have left, s.
    pub(crate) at_s: f64,
    /// How late it entered, and how late it left, us.
    pub(crate) entered_us: f64,
    pub(crate) left_us: f64,
}

/// The latest packets.
#[derive(Default)]
pub(crate) struct Worst {
    /// By lateness, the latest first.
    packets: Vec<(u64, Late)>,
}

impl Worst {
    pub(crate) fn new() -> Self {
        Self { packets: Vec::with_capacity(WORST + 1) }
    }

    /// Takes in a packet if it is among the worst.
    pub(crate) fn add(&mut self, at: Time, entered_ns: u64, left_ns: u64) {
        let late = entered_ns + left_ns;
        if self.packets.len() == WORST && self.packets[WORST - 1].0 >= late {
            return;
        }
        let us = |ns: u64| ns as f64 / 1e3;
        let packet = Late { at_s: at.as_secs_f64(), entered_us: us(entered_ns), left_us: us(left_ns) };
        let place = self.packets.partition_point(|other| other.0 >= late);
        self.packets.insert(place, (late, packet));
        self.packets.truncate(WORST);
    }

    /// In the order of time.
    pub(crate) fn in_order(&self) -> Vec<Late> {
        let mut packets: Vec<Late> = self.packets.iter().map(|packet| packet.1).collect();
        packets.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
        packets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_follow_each_other_without_a_gap() {
        let mut last = 0;
        for bucket_number in 0..(PARTS * (DOUBLINGS - 6)) as usize {
            assert_eq!(bucket(last), bucket_number, "from {last}");
            assert_eq!(bucket(end(bucket_number)), bucket_number);
            last = end(bucket_number) + 1;
        }
        assert_eq!(bucket(u64::MAX), (PARTS * DOUBLINGS - 1) as usize);
    }

    #[test]
    fn quantiles_are_told_to_a_part_in_32() {
        let mut lateness = Lateness::new();
        (1..=1000).for_each(|us| lateness.add(us * 1000));
        let summary = lateness.summary();
        for (told, right) in [(summary.p50_us, 500.0), (summary.p99_us, 990.0), (summary.p999_us, 999.0)] {
            assert!(told >= right && told <= right * (1.0 + 1.0 / 32.0), "{told} for {right}");
        }
        assert_eq!((summary.max_us, summary.above_100_us, summary.above_1_ms), (1000.0, 900, 0));
    }

    #[test]
    fn nothing_has_no_quantile() {
        assert_eq!(Lateness::new().summary().p99_us, 0.0);
    }

    #[test]
    fn the_worst_are_kept_in_order() {
        let mut worst = Worst::new();
        (0..100).for_each(|at| worst.add(Time::from_ms(at), at * 7 % 100 * 1000, 0));
        let kept = worst.in_order();
        assert_eq!(kept.len(), WORST);
        assert!(kept.iter().all(|late| late.entered_us >= 84.0));
        assert!(kept.is_sorted_by(|a, b| a.at_s < b.at_s));
    }
}
