//! The published pseudo-code written down once more, and RED beside it.

use super::tests::{MS, OneByOne, packet};
use super::*;
use crate::queue::{Fifo, QueueDiscipline};
use crate::rng::Streams;
use proptest::prelude::*;

/// The pseudo-code, line by line, with a list of sizes as its queue.
struct PseudoCode {
    config: RedConfig,
    limits: (Option<usize>, Option<u64>),
    ecn: bool,
    rng: ChaCha8Rng,
    avg: f64,
    count: f64,
    q: Vec<u32>,
    idle_from: Option<Time>,
    max_p: f64,
    half_seconds: u64,
}

const EARLY: Verdict = Verdict::Drop(DropCause::QueueEarly);
const FULL: Verdict = Verdict::Drop(DropCause::QueueFull);

impl PseudoCode {
    fn arrival(&mut self, bytes: u32, capable: bool, now: Time) -> Verdict {
        let RedConfig { min_thresh, max_thresh, weight, gentle, adaptive, mean_packet, .. } = self.config;
        if let Some(from) = self.idle_from {
            for _ in 0..(now.as_ps() - from.as_ps()) / mean_packet.as_ps() {
                self.avg *= 1.0 - weight;
            }
            self.idle_from = Some(now);
        }
        self.avg = (1.0 - weight) * self.avg + weight * self.q.len() as f64;
        let half_seconds = now.as_ps() / 500_000_000_000;
        if adaptive && half_seconds > self.half_seconds {
            self.half_seconds = half_seconds;
            if self.avg > min_thresh + 0.6 * (max_thresh - min_thresh) && self.max_p < 0.5 {
                let alpha = f64::min(0.01, self.max_p / 4.0);
                self.max_p = f64::min(self.max_p + alpha, 0.5);
            } else if self.avg < min_thresh + 0.4 * (max_thresh - min_thresh) && self.max_p > 0.01 {
                self.max_p = f64::max(self.max_p * 0.9, 0.01);
            }
        }
        let sum: u64 = self.q.iter().map(|&bytes| u64::from(bytes)).sum();
        if self.limits.0.is_some_and(|most| self.q.len() + 1 > most)
            || self.limits.1.is_some_and(|most| sum + u64::from(bytes) > most)
        {
            self.count = -1.0;
            return FULL;
        }
        let upper = if gentle { 2.0 * max_thresh } else { max_thresh };
        let mut outcome = Verdict::Enqueue;
        if self.avg >= upper || (self.avg >= max_thresh && self.max_p == 1.0) {
            self.count = -1.0;
            return EARLY;
        } else if self.avg >= min_thresh {
            self.count += 1.0;
            let p_b = if self.avg < max_thresh {
                self.max_p * (self.avg - min_thresh) / (max_thresh - min_thresh)
            } else {
                self.max_p + (1.0 - self.max_p) * (self.avg - max_thresh) / max_thresh
            };
            let p_a = if self.count * p_b < 1.0 { p_b / (1.0 - self.count * p_b) } else { 1.0 };
            if uniform(&mut self.rng) < p_a {
                self.count = -1.0;
                if !(self.ecn && capable) {
                    return EARLY;
                }
                outcome = Verdict::Mark;
            }
        } else {
            self.count = -1.0;
        }
        self.q.push(bytes);
        self.idle_from = None;
        outcome
    }

    fn departure(&mut self, now: Time) -> Option<u32> {
        if self.q.is_empty() {
            self.idle_from = self.idle_from.or(Some(now));
            return None;
        }
        Some(self.q.remove(0))
    }
}

fn configs() -> impl Strategy<Value = RedConfig> {
    let numbers = (0.0..12.0, 0.5..20.0, 0.005..=1.0, 0.001..=1.0);
    (numbers, any::<bool>(), any::<bool>(), 1_u64..3_000).prop_map(
        |((min_thresh, between, max_p, weight), gentle, adaptive, us)| RedConfig {
            min_thresh,
            max_thresh: min_thresh + between,
            max_p,
            weight,
            gentle,
            adaptive,
            mean_packet: Time::from_us(us),
        },
    )
}

proptest! {
    /// Arrivals in bursts, departures, and pauses now and then, against the pseudo-code.
    #[test]
    fn agrees_with_the_pseudo_code(
        config in configs(),
        limits in prop_oneof![
            (1usize..60).prop_map(|packets| (Some(packets), None)),
            (1500u64..60_000).prop_map(|bytes| (None, Some(bytes))),
            ((1usize..60), (1500u64..60_000)).prop_map(|(packets, bytes)| (Some(packets), Some(bytes))),
        ],
        ecn: bool,
        seed: u64,
        steps in prop::collection::vec((0u64..40, 0u8..100, 1u32..1500, any::<bool>()), 0..600),
    ) {
        let mark: fn(&mut bool) -> bool = if ecn { |capable| *capable } else { |_| false };
        let stream = || Streams::new(seed).named("queue/0");
        let mut queue = Fifo::new(Red::new(config, DropTail::new(limits.0, limits.1), mark, stream()));
        let mut plain = PseudoCode {
            config, limits, ecn, rng: stream(), avg: 0.0, count: -1.0, q: Vec::new(),
            idle_from: Some(Time::ZERO), max_p: config.max_p, half_seconds: 0,
        };
        let mut now = Time::ZERO;
        for (pause, kind, bytes, capable) in steps {
            // Most steps follow at once; a few after milliseconds, and fewer after half a second.
            now += match pause { 0 => MS * 600, 1..5 => MS * pause, _ => Time::from_us(pause) };
            if kind < 60 {
                let entry = queue.offer(packet(bytes, capable), now);
                prop_assert_eq!(entry, plain.arrival(bytes, capable, now));
                prop_assert!((queue.admission.average - plain.avg).abs() <= 1e-9 * plain.avg.max(1e-3));
                prop_assert_eq!(queue.admission.max_p.to_bits(), plain.max_p.to_bits());
            } else {
                prop_assert_eq!(queue.next(now).map(|packet| packet.bytes), plain.departure(now));
            }
            prop_assert_eq!(queue.len_packets(), plain.q.len());
            prop_assert!(limits.0.is_none_or(|most| queue.len_packets() <= most));
            prop_assert!(limits.1.is_none_or(|most| queue.len_bytes() <= most));
            prop_assert_eq!(queue.len_bytes(), plain.q.iter().map(|&bytes| u64::from(bytes)).sum::<u64>());
        }
    }
}
