//! How late packets were: percentiles, and the worst of them.

use base::Time;
use serde::Serialize;
use sim::histogram::Histogram;

/// Lateness up to this needs no new memory, ns: a minute.
const FORESEEN_NS: u64 = 60_000_000_000;
/// Packets that are reported one by one.
const WORST: usize = 16;

/// How late packets were. Counting allocates no memory, unless a packet is more than a minute late.
pub(crate) struct Lateness {
    /// ns.
    histogram: Histogram,
    above: [u64; 3],
}

/// Limits above which packets are counted, ns.
const LIMITS: [u64; 3] = [100_000, 1_000_000, 10_000_000];

impl Lateness {
    pub(crate) fn new() -> Self {
        Self { histogram: Histogram::with_room_for(FORESEEN_NS), above: [0; 3] }
    }

    pub(crate) fn add(&mut self, ns: u64) {
        self.histogram.add(ns);
        for (above, limit) in self.above.iter_mut().zip(LIMITS) {
            *above += u64::from(ns > limit);
        }
    }

    pub(crate) fn summary(&self) -> Summary {
        let [above_100_us, above_1_ms, above_10_ms] = self.above;
        Summary {
            packets: self.histogram.count(),
            p50_us: self.quantile_us(500),
            p99_us: self.quantile_us(990),
            p999_us: self.quantile_us(999),
            max_us: self.histogram.largest() as f64 / 1e3,
            above_100_us,
            above_1_ms,
            above_10_ms,
        }
    }

    /// The lateness that this many thousandths of the packets do not exceed, at most 1.6 % too long; 0 without packets.
    fn quantile_us(&self, thousandths: u64) -> f64 {
        self.histogram.quantile(thousandths).map_or(0.0, |ns| ns as f64 / 1e3)
    }
}

/// How late packets were, in a few numbers.
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

    /// Records a packet if it is among the worst.
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
    fn counts_what_was_added() {
        let mut lateness = Lateness::new();
        (1..=1000).for_each(|us| lateness.add(us * 1000));
        let summary = lateness.summary();
        for (found, expected) in [(summary.p50_us, 500.0), (summary.p99_us, 990.0), (summary.p999_us, 999.0)]
        {
            assert!(found >= expected && found <= expected * (1.0 + 1.0 / 64.0), "{found} for {expected}");
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
