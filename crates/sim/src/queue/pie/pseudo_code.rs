//! The RFC's pseudo-code written down once more, with a timer, and PIE beside it.

use super::controller::ONE;
use super::tests::{VALUES, pie};
use super::*;
use crate::link::DropCause;
use crate::packet::PacketId;
use crate::queue::tests::{Seen, packet, setting};
use proptest::prelude::*;
use rand::RngExt;

/// A packet that waits: when it came, its number and its bytes.
pub(in crate::queue) type Waits = (u64, u64, u32);

/// The pseudo-code with a list as its queue; times are ps, probabilities 1e-18. In binary fractions, a probability on a
/// border of the table for its steps may fall on the other side.
#[derive(Clone, Debug, Default)]
pub(in crate::queue) struct PseudoCode {
    values: Vec<u64>,
    pub(in crate::queue) queue: Vec<Waits>,
    drop_prob: i128,
    accu_prob: i128,
    current_qdelay: u64,
    qdelay_old: u64,
    burst_allowance: u64,
    next_update: u64,
    in_measurement: bool,
    measurement_start: u64,
    dq_count: u64,
    avg_dq_time: u128,
}

impl PseudoCode {
    /// From the values of the parameters.
    pub(in crate::queue) fn new(values: &[u64]) -> Self {
        let (values, next_update) = (values.to_vec(), values[1]);
        Self { burst_allowance: values[4], values, next_update, ..Self::default() }
    }

    pub(in crate::queue) fn bytes(&self) -> u64 {
        self.queue.iter().map(|waits| u64::from(waits.2)).sum()
    }

    /// The timer goes off as often as it does until `now`.
    pub(in crate::queue) fn until(&mut self, now: u64) {
        while self.next_update <= now {
            if self.values[7] == 1 {
                self.current_qdelay = (u128::from(self.bytes()) * self.avg_dq_time / 16_384) as u64;
            } else if self.queue.is_empty() {
                self.current_qdelay = 0;
            }
            self.calculate_drop_prob();
            self.next_update += self.values[1];
        }
    }

    fn calculate_drop_prob(&mut self) {
        let one = i128::from(ONE);
        // Millionths of a hertz times ps are 1e-18.
        let (alpha, beta) = (i128::from(self.values[2]), i128::from(self.values[3]));
        let qdelay = i128::from(self.current_qdelay);
        let mut p =
            alpha * (qdelay - i128::from(self.values[0])) + beta * (qdelay - i128::from(self.qdelay_old));
        if self.drop_prob < one / 1_000_000 {
            p = p.div_euclid(2048);
        } else if self.drop_prob < one / 100_000 {
            p = p.div_euclid(512);
        } else if self.drop_prob < one / 10_000 {
            p = p.div_euclid(128);
        } else if self.drop_prob < one / 1000 {
            p = p.div_euclid(32);
        } else if self.drop_prob < one / 100 {
            p = p.div_euclid(8);
        } else if self.drop_prob < one / 10 {
            p = p.div_euclid(2);
        }
        if self.drop_prob >= one / 10 && p > one / 50 {
            p = one / 50;
        }
        if self.current_qdelay > 250_000_000_000 {
            p += one / 50;
        }
        self.drop_prob += p;
        if self.current_qdelay == 0 && self.qdelay_old == 0 {
            self.drop_prob = self.drop_prob * 98 / 100;
        }
        self.drop_prob = self.drop_prob.clamp(0, one);
        self.qdelay_old = self.current_qdelay;
        self.burst_allowance = self.burst_allowance.saturating_sub(self.values[1]);
    }

    fn drop_early(&mut self, longest: u64, rng: &mut ChaCha8Rng) -> bool {
        let one = i128::from(ONE);
        let is_low = 2 * self.qdelay_old < self.values[0];
        if (is_low && self.drop_prob < one / 5) || self.bytes() <= 2 * longest {
            return false;
        }
        if self.drop_prob == 0 {
            self.accu_prob = 0;
        }
        self.accu_prob += self.drop_prob;
        if self.accu_prob < one * 85 / 100 {
            return false;
        }
        if self.accu_prob >= one * 85 / 10 {
            return true;
        }
        let u: f64 = rng.random();
        u * (ONE as f64) < self.drop_prob as f64
    }

    /// What becomes of a packet; `longest` is the length of the longest packet so far.
    pub(in crate::queue) fn enque(
        &mut self,
        waits: Waits,
        is_capable: bool,
        longest: u64,
        is_full: bool,
        rng: &mut ChaCha8Rng,
    ) -> Verdict {
        let mut outcome = Verdict::Enqueue;
        if is_full {
            outcome = Verdict::Drop(DropCause::QueueFull);
        } else if self.burst_allowance == 0 && self.drop_early(longest, rng) {
            let marks = self.values[5] == 1 && self.drop_prob <= i128::from(self.values[6]) * 1_000_000_000;
            let early = Verdict::Drop(DropCause::QueueEarly);
            outcome = if marks && is_capable { Verdict::Mark } else { early };
        }
        if outcome != Verdict::Enqueue {
            self.accu_prob = 0;
        }
        if !matches!(outcome, Verdict::Drop(_)) {
            self.queue.push(waits);
        }
        let is_low = |delay: u64| 2 * delay < self.values[0];
        if self.drop_prob == 0 && is_low(self.current_qdelay) && is_low(self.qdelay_old) {
            self.burst_allowance = self.values[4];
        }
        outcome
    }

    /// The number of the next packet.
    pub(in crate::queue) fn deque(&mut self, now: u64) -> Option<u64> {
        if self.queue.is_empty() {
            return None;
        }
        let (since, number, bytes) = self.queue.remove(0);
        if self.values[7] == 0 {
            self.current_qdelay = now - since;
        }
        if self.in_measurement {
            self.dq_count += u64::from(bytes);
            if self.dq_count >= 16_384 {
                let dq_time = u128::from(now - self.measurement_start);
                self.avg_dq_time =
                    if self.avg_dq_time == 0 { dq_time } else { (dq_time + 3 * self.avg_dq_time) / 4 };
                self.in_measurement = false;
            }
        }
        if self.bytes() >= 16_384 && !self.in_measurement {
            (self.in_measurement, self.measurement_start, self.dq_count) = (true, now, 0);
        }
        Some(number)
    }
}

/// Values that let the probability move far within a few hundred packets.
pub(in crate::queue) fn values() -> impl Strategy<Value = Vec<u64>> {
    let times = (100..30_000_u64, 100..20_000_u64, 0..100_000_u64);
    let gains = (1..10_000_000_u64, 1..30_000_000_u64);
    let threshold = prop_oneof![1..=1_000_000_000_u64, Just(1_000_000_000)];
    (times, gains, any::<[bool; 2]>(), threshold).prop_map(
        |((target, t_update, max_burst), (alpha, beta), [ecn, by_rate], mark_ecnth)| {
            let us = |times: u64| times * 1_000_000;
            let (ecn, by_rate) = (u64::from(ecn), u64::from(by_rate));
            vec![us(target), us(t_update), alpha, beta, us(max_burst), ecn, mark_ecnth, by_rate]
        },
    )
}

/// The time to the next step: a millisecond or so, a few times tenths of a second, and now and then some seconds.
pub(in crate::queue) fn pause(drawn: u64, unit: u64) -> Time {
    match drawn {
        0 => Time::from_ms(5000),
        1..5 => Time::from_ms(50 * drawn),
        _ => Time::from_us(drawn % 100 * unit),
    }
}

proptest! {
    /// Arrivals in bursts, departures, and pauses now and then, against the pseudo-code.
    #[test]
    fn agrees_with_the_pseudo_code(
        values in prop_oneof![Just(VALUES.to_vec()), values()],
        limit in 1usize..200,
        seed: u64,
        (load, unit) in (30u8..90, 1u64..30),
        steps in prop::collection::vec((0u64..1000, 0u8..100, 1u32..1500, any::<bool>()), 0..1200),
    ) {
        let stream = || crate::rng::Streams::new(seed).named("queue/0");
        let limits = DropTail::new(Some(limit), None);
        let mut queue = pie(&values, Setting { rng: stream(), ..setting(limits) });
        let (mut plain, mut rng) = (PseudoCode::new(&values), stream());
        let (mut now, mut longest) = (Time::ZERO, 0);
        for (number, (drawn, kind, bytes, is_capable)) in (0..).zip(steps) {
            now += pause(drawn, unit);
            plain.until(now.as_ps());
            let mut seen = Seen::default();
            if kind < load {
                longest = longest.max(u64::from(bytes));
                let is_full = plain.queue.len() == limit;
                let expected = plain.enque((now.as_ps(), number, bytes), is_capable, longest, is_full, &mut rng);
                queue.enqueue(packet(number, bytes, is_capable), now, &mut seen);
                prop_assert_eq!(seen.verdict(), expected);
            } else {
                let sent = queue.dequeue(now, &mut seen).map(|sent| sent.packet.id);
                prop_assert_eq!(sent, plain.deque(now.as_ps()).map(PacketId::sent));
                prop_assert_eq!(seen, Seen::default());
            }
            prop_assert_eq!(i128::from(queue.controller.p), plain.drop_prob);
            prop_assert_eq!(queue.len_packets(), plain.queue.len());
            prop_assert_eq!(queue.len_bytes(), plain.bytes());
        }
    }
}
