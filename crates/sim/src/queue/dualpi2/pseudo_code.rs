//! The published pseudo-code written down once more, with lists and a timer, and DualPI2 beside it.

use super::tests::{packet, setting, values};
use super::*;
use crate::packet::PacketId;
use crate::queue::tests::{Seen, ids};
use crate::rng::Streams;
use proptest::prelude::*;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A packet that waits: when it has come, its number, its length and its ECN field in bits.
type Waits = (i128, u64, i64, u8);

/// RFC 9332, appendix A, with the scheduler and the step of Linux. Times are ps.
struct PseudoCode {
    target: i128,
    t_update: i128,
    k: f64,
    ramp: bool,
    time_shift: bool,
    wc: i64,
    mask: u8,
    ecn: bool,
    recur: bool,
    mtu: i64,
    limit: usize,
    rng: ChaCha8Rng,
    lq: Vec<Waits>,
    cq: Vec<Waits>,
    count: [f64; 2],
    credit: i64,
    timer: i128,
    p: f64,
    prevq: i128,
    dropped: Vec<u64>,
    marked: Vec<u64>,
}

impl PseudoCode {
    /// The timer has gone off at all these times.
    fn run_timer(&mut self, now: i128) {
        while self.timer <= now {
            let of = |q: &[Waits]| q.first().map_or(0, |waits| self.timer - waits.0);
            let curq = of(&self.lq).max(of(&self.cq));
            let seconds = |ps: i128| ps as f64 * 1e-12;
            self.p = self.p + 0.16 * seconds(curq - self.target) + 3.2 * seconds(curq - self.prevq);
            self.p = self.p.clamp(0.0, 1.0);
            self.prevq = curq;
            self.timer += self.t_update;
        }
    }

    fn enqueue(&mut self, number: u64, bytes: u32, ecn: u8, now: i128) {
        self.run_timer(now);
        if self.lq.len() + self.cq.len() == self.limit {
            self.dropped.push(number);
        } else if ecn & self.mask != 0 {
            self.lq.push((now, number, i64::from(bytes), ecn));
        } else {
            self.cq.push((now, number, i64::from(bytes), ecn));
        }
    }

    fn chooses_l(&self, now: i128) -> bool {
        if self.cq.is_empty() || self.lq.is_empty() {
            return self.cq.is_empty();
        }
        let (l_time, c_time) = (now - self.lq[0].0, now - self.cq[0].0);
        if self.time_shift { l_time + 2 * self.target > c_time } else { self.credit <= 0 }
    }

    fn coin(&mut self, queue: usize, likelihood: f64) -> bool {
        if !self.recur {
            return likelihood != 0.0 && self.rng.random::<f64>() < likelihood;
        }
        self.count[queue] += likelihood;
        if self.count[queue] > 1.0 {
            self.count[queue] -= 1.0;
            return true;
        }
        false
    }

    fn laqm(&self, qdelay: i128) -> f64 {
        let us = 1_000_000;
        if !self.ramp {
            return if qdelay > 1000 * us { 1.0 } else { 0.0 };
        }
        if self.lq.len() <= 1 {
            0.0
        } else if qdelay >= 1200 * us {
            1.0
        } else if qdelay > 800 * us {
            (qdelay - 800 * us) as f64 / (400 * us) as f64
        } else {
            0.0
        }
    }

    fn dequeue(&mut self, now: i128) -> Option<u64> {
        self.run_timer(now);
        while !self.lq.is_empty() || !self.cq.is_empty() {
            let from_l = self.chooses_l(now);
            let (since, number, bytes, ecn) = if from_l { self.lq.remove(0) } else { self.cq.remove(0) };
            let backlog: i64 = self.lq.iter().chain(&self.cq).map(|waits| waits.2).sum();
            let p = if backlog < 2 * self.mtu { 0.0 } else { self.p };
            if from_l {
                if self.k * p <= 1.0 {
                    let p_l = f64::max(self.laqm(now - since), self.k * p);
                    if self.coin(0, p_l) {
                        self.marked.push(number);
                    }
                } else if self.coin(0, p * p) {
                    self.dropped.push(number);
                    continue;
                } else {
                    self.marked.push(number);
                }
            } else if self.coin(1, p * p) {
                if ecn == 0 || !self.ecn || self.k * p > 1.0 {
                    self.dropped.push(number);
                    continue;
                }
                self.marked.push(number);
            }
            if from_l && !self.cq.is_empty() {
                self.credit += self.wc * bytes;
            }
            if !from_l && !self.lq.is_empty() {
                self.credit -= (100 - self.wc) * bytes;
            }
            return Some(number);
        }
        self.credit = self.mtu * (2 * self.wc - 100);
        None
    }
}

proptest! {
    /// Bursts of arrivals, departures, and pauses, against the pseudo-code. `load` is how many of a hundred steps are arrivals.
    #[test]
    fn agrees_with_the_pseudo_code(
        (target, t_update) in (1u64..20, 1u64..20),
        (k, wc, mtu) in (1u64..5, 1u64..=100, 1u64..1600),
        (ramp, time_shift, ecn, recur) in any::<(bool, bool, bool, bool)>(),
        mask in 1u64..=3,
        limit in 1usize..200,
        load in 40u8..70,
        seed: u64,
        steps in prop::collection::vec((0u64..100, 0u8..100, 1u32..1500, 0u8..4), 0..900),
    ) {
        let ms = Time::from_ms(1).as_ps();
        let changes = [
            ("target", target * ms), ("t_update", t_update * ms), ("coupling_factor", k),
            ("l_aqm", ramp.into()), ("scheduler", time_shift.into()), ("c_protection", wc * 10_000_000),
            ("ecn_mask", mask - 1), ("ecn", ecn.into()), ("coin", recur.into()), ("mtu", mtu),
        ];
        let setting = setting(DropTail::new(Some(limit), None), seed);
        let mut queue = DualPi2::new(&values(&changes), &setting);
        let wc = wc as i64;
        let mut plain = PseudoCode {
            target: i128::from(target * ms), t_update: i128::from(t_update * ms), k: k as f64,
            ramp, time_shift, wc, mask: mask as u8, ecn, recur, mtu: mtu as i64, limit,
            rng: Streams::new(seed).named("queue/0"), lq: vec![], cq: vec![], count: [0.0; 2],
            credit: mtu as i64 * (2 * wc - 100), timer: i128::from(t_update * ms), p: 0.0, prevq: 0,
            dropped: vec![], marked: vec![],
        };
        let (mut now, mut seen) = (Time::ZERO, Seen::default());
        for (number, (pause, kind, bytes, ecn)) in (0..).zip(steps) {
            // A few steps follow after a second or some ten milliseconds, most after less than one.
            now += match pause {
                0 => Time::from_secs(1),
                1..5 => Time::from_ms(7 * pause),
                _ => Time::from_us(8 * pause),
            };
            let at = i128::from(now.as_ps());
            if kind < load {
                let codepoint = [Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce][usize::from(ecn)];
                queue.enqueue(packet(number, bytes, codepoint), now, &mut seen);
                plain.enqueue(number, bytes, ecn, at);
            } else {
                let sent = queue.dequeue(now, &mut seen).map(|sent| sent.packet);
                prop_assert_eq!(sent.as_ref().map(|sent| sent.id), plain.dequeue(at).map(PacketId::sent));
                let marked = sent.filter(|sent| seen.marked.last() == Some(&sent.id));
                prop_assert!(marked.is_none_or(|sent| sent.payload == Ecn::Ce));
            }
            prop_assert_eq!(queue.controller.probability.to_bits(), plain.p.to_bits());
            prop_assert_eq!(queue.len_packets(), plain.lq.len() + plain.cq.len());
            let bytes = plain.lq.iter().chain(&plain.cq).map(|waits| waits.2 as u64).sum::<u64>();
            prop_assert_eq!(queue.len_bytes(), bytes);
        }
        prop_assert_eq!(seen.dropped_ids(), ids(&plain.dropped));
        prop_assert_eq!(seen.marked, ids(&plain.marked));
    }
}
