//! RED: random early detection, with the gentle and the adaptive variant.
//!
//! Source: Floyd and Jacobson 1993, figure 2 and section 7; Floyd 2000, "Recommendation on using the
//! gentle variant of RED"; Floyd, Gummadi and Shenker 2001, "Adaptive RED"; RFC 3168 section 7 for marks.
//!
//! Each arrival first moves the average by `weight` towards the number of packets waiting. Below
//! `min_thresh` nothing is dropped. From there to `max_thresh` the probability p grows from 0 to
//! `max_p`; beyond it is 1, or with `gentle` grows on to 1 at twice `max_thresh`. A packet is
//! dropped with probability p / (1 - count p), where `count` packets have passed since the last
//! drop. So drops are 1 to 1/p packets apart, each distance with the same probability. With `adaptive`, each
//! half second `max_p` goes up by min(0.01, `max_p` / 4) if the average is above the middle fifth
//! between the thresholds, and down to 0.9 of it if it is below, within 0.01 and 0.5.
//!
//! Deviations and choices:
//! - Neither the average nor the limits count the packet being sent.
//! - An idle time counts as whole packets of the mean length that find the queue empty; the arrival
//!   that ends it is counted after them. Figure 2 counts that arrival as one of them.
//! - Figure 2 counts a packet before it uses the count, so the distance 1/p after a drop cannot occur;
//!   here `count` is that of section 7.
//! - A drop at the limit, or at a probability of 1, resets the count like any other drop.
//! - A packet that can be marked is marked if p is below 1, and dropped if p is 1.
//! - A queue has no timer: the first arrival in each half second adapts `max_p`, after it has updated
//!   the average. Half seconds without an arrival change nothing.
//! - `max_p` stays within 0.01 and 0.5; in the paper the last step may go beyond.
//!
//! ns-2 makes the first two choices too, and resets the count after a drop at the limit. It also never drops a
//! packet that finds fewer than two waiting, nor the first one after the average has crossed `min_thresh`; its
//! `wait_` spaces drops 1/p to 2/p apart; and it adapts `max_p` half a second after its last change.
//!
//! Only additions, multiplications and divisions, so that results are the same in every bit on every machine.
//!
//! | parameter | unit |
//! |---|---|
//! | min_thresh, max_thresh | packets, on average |
//! | max_p, weight | 1, above 0 and at most 1 |
//! | gentle, adaptive | yes or no |
//! | mean_packet | time to send a packet of the mean length |
//! | limits | as of drop-tail |

use super::{
    Admission, Backlog, DefaultValue, Discipline, DropTail, Make, Parameter, Setting, Unit, Verdict,
};
use crate::link::{DropCause, PPB};
use crate::packet::Packet;
use base::Time;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

#[cfg(test)]
mod pseudo_code;
#[cfg(test)]
mod tests;

/// How often `max_p` is adapted.
const INTERVAL: Time = Time::from_ms(500);
/// Where adaptive RED keeps the average: 0 is the lower threshold, 1 the upper.
const TARGET: (f64, f64) = (0.4, 0.6);
const LEAST_MAX_P: f64 = 0.01;
const MOST_MAX_P: f64 = 0.5;
const LARGEST_INCREASE: f64 = 0.01;
const DECREASE: f64 = 0.9;

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "red",
        title: "RED",
        summary: "Drops or marks some packets early, more of them as the average queue grows \
                  (Floyd and Jacobson 1993; gentle and adaptive RED).",
        parameters: PARAMETERS,
        limit: None,
        is_random: true,
        check,
        make: Make::AtArrival(make),
    }
}

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "min_thresh",
        unit: Unit::AveragePackets,
        default: DefaultValue::Auto,
        meaning: "Average length above which packets are dropped early.",
    },
    Parameter {
        name: "max_thresh",
        unit: Unit::AveragePackets,
        default: DefaultValue::Auto,
        meaning: "Average length at which the share of early drops reaches `max_p`.",
    },
    Parameter {
        name: "max_p",
        unit: Unit::Share,
        default: DefaultValue::Is(100_000_000),
        meaning: "Share of early drops at `max_thresh`; the start value if `adaptive`.",
    },
    Parameter {
        name: "weight",
        unit: Unit::Share,
        default: DefaultValue::Auto,
        meaning: "Weight of the present length in the average.",
    },
    Parameter {
        name: "gentle",
        unit: Unit::Flag,
        default: DefaultValue::Is(1),
        meaning: "Above `max_thresh`, the share rises to 1 at twice `max_thresh`; false: it jumps to 1.",
    },
    Parameter {
        name: "adaptive",
        unit: Unit::Flag,
        default: DefaultValue::Is(1),
        meaning: "Adapts `max_p` to the load, so that the average stays between the thresholds.",
    },
    Parameter {
        name: "ecn",
        unit: Unit::Flag,
        default: DefaultValue::Is(0),
        meaning: "Marks packets with ECN instead of dropping them early.",
    },
    Parameter {
        name: "mean_packet",
        unit: Unit::Size,
        default: DefaultValue::Auto,
        meaning: "Typical packet size: an idle time lowers the average as if packets of this size had left.",
    },
];

fn check(values: &[u64]) -> Option<&'static str> {
    let &[min_thresh, max_thresh, max_p, weight, _, _, _, mean_packet] = values else { return None };
    let is_share = |ppb: u64| (1..=u64::from(PPB)).contains(&ppb);
    let rules = [
        (min_thresh < max_thresh, "`min_thresh_ppm` must be below `max_thresh_ppm`"),
        (is_share(max_p), "`max_p_ppb` must be positive and at most 1e9"),
        (is_share(weight), "`weight_ppb` must be positive and at most 1e9"),
        (mean_packet > 0, "`mean_packet_bytes` must be positive"),
    ];
    rules.iter().find(|rule| !rule.0).map(|rule| rule.1)
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn Admission<P>> {
    let &[min_thresh, max_thresh, max_p, weight, gentle, adaptive, ecn, mean_packet] = values else {
        unreachable!("there is a value for each parameter")
    };
    let config = RedConfig {
        min_thresh: min_thresh as f64 / 1e6,
        max_thresh: max_thresh as f64 / 1e6,
        max_p: max_p as f64 / 1e9,
        weight: weight as f64 / 1e9,
        gentle: gentle == 1,
        adaptive: adaptive == 1,
        mean_packet: setting.rate.time_for(mean_packet),
    };
    let mark = setting.mark_if(ecn == 1);
    Box::new(Red::new(config, setting.limits, mark, setting.rng.clone()))
}

/// Parameters of RED.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RedConfig {
    /// Average below which nothing is dropped early, packets.
    pub min_thresh: f64,
    /// Average at which the probability is `max_p`, packets; above `min_thresh`.
    pub max_thresh: f64,
    /// Probability at the upper threshold; if adaptive, at the start.
    pub max_p: f64,
    /// Weight of the newest length in the average.
    pub weight: f64,
    /// Whether the probability grows beyond the upper threshold, and does not jump to 1.
    pub gentle: bool,
    /// Whether `max_p` follows the average.
    pub adaptive: bool,
    /// Time in which a packet of the mean length is sent; counted as 1 ps if it is less.
    pub mean_packet: Time,
}

/// Random early detection.
#[derive(Debug)]
pub struct Red<P> {
    config: RedConfig,
    limits: DropTail,
    mark: fn(&mut P) -> bool,
    rng: ChaCha8Rng,
    /// Average number of packets waiting.
    average: f64,
    /// Packets spared since the last drop or mark, or since the average was below `min_thresh`.
    count: u64,
    /// The average counts idle time until here.
    idle_until: Time,
    /// The probability at the upper threshold, as adapted.
    max_p: f64,
    next_adaptation: Time,
}

/// What the average says about an arriving packet.
enum Chance {
    Spare,
    /// Marked if it can be, else dropped.
    Notify,
    Drop,
}

impl<P> Red<P> {
    /// A queue with these limits and an average of zero. `mark` is false if a packet cannot be marked.
    #[must_use]
    pub fn new(config: RedConfig, limits: DropTail, mark: fn(&mut P) -> bool, rng: ChaCha8Rng) -> Self {
        Self {
            config,
            limits,
            mark,
            rng,
            average: 0.0,
            count: 0,
            idle_until: Time::ZERO,
            max_p: config.max_p,
            next_adaptation: INTERVAL,
        }
    }

    /// Moves the average for an arrival that finds this backlog.
    fn estimate(&mut self, backlog: Backlog, now: Time) {
        let kept = 1.0 - self.config.weight;
        if let Some(since) = backlog.idle_since {
            let mean_packet = self.config.mean_packet.max(Time::from_ps(1));
            self.average *= power(kept, (now - since.max(self.idle_until)).div_floor(mean_packet));
            // If this packet is dropped, the link stays idle.
            self.idle_until = now;
        }
        self.average = kept * self.average + self.config.weight * backlog.packets as f64;
    }

    fn adapt(&mut self, now: Time) {
        if !self.config.adaptive || now < self.next_adaptation {
            return;
        }
        self.next_adaptation = INTERVAL * (now.div_floor(INTERVAL) + 1);
        let RedConfig { min_thresh, max_thresh, .. } = self.config;
        let position = (self.average - min_thresh) / (max_thresh - min_thresh);
        if position > TARGET.1 && self.max_p < MOST_MAX_P {
            self.max_p = (self.max_p + (self.max_p / 4.0).min(LARGEST_INCREASE)).min(MOST_MAX_P);
        } else if position < TARGET.0 && self.max_p > LEAST_MAX_P {
            self.max_p = (self.max_p * DECREASE).max(LEAST_MAX_P);
        }
    }

    /// The probability for this average before the count makes it uniform; none below `min_thresh`.
    fn probability(&self) -> Option<f64> {
        let RedConfig { min_thresh, max_thresh, gentle, .. } = self.config;
        let average = self.average;
        if average < min_thresh {
            None
        } else if average < max_thresh {
            Some(self.max_p * (average - min_thresh) / (max_thresh - min_thresh))
        } else if gentle && average < 2.0 * max_thresh {
            Some(self.max_p + (1.0 - self.max_p) * (average - max_thresh) / max_thresh)
        } else {
            Some(1.0)
        }
    }

    fn chance(&mut self) -> Chance {
        let Some(p) = self.probability() else {
            self.count = 0;
            return Chance::Spare;
        };
        if p >= 1.0 {
            self.count = 0;
            return Chance::Drop;
        }
        let left = 1.0 - self.count as f64 * p;
        if uniform(&mut self.rng) * left < p {
            self.count = 0;
            return Chance::Notify;
        }
        self.count += 1;
        Chance::Spare
    }
}

impl<P> Admission<P> for Red<P> {
    fn admit(&mut self, packet: &mut Packet<P>, backlog: Backlog, now: Time) -> Verdict {
        self.estimate(backlog, now);
        self.adapt(now);
        if !self.limits.has_room(backlog.packets, backlog.bytes, packet.bytes) {
            self.count = 0;
            return Verdict::Drop(DropCause::QueueFull);
        }
        match self.chance() {
            Chance::Spare => Verdict::Enqueue,
            Chance::Notify if (self.mark)(&mut packet.payload) => Verdict::Mark,
            Chance::Notify | Chance::Drop => Verdict::Drop(DropCause::QueueEarly),
        }
    }
}

/// Uniform in [0, 1).
fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    rng.random()
}

/// `base` to the power of `exponent`, by repeated squaring: what a machine's own power function
/// gives in the last bits is not the same everywhere.
fn power(mut base: f64, mut exponent: u64) -> f64 {
    let mut product = 1.0;
    while exponent > 0 {
        if exponent % 2 == 1 {
            product *= base;
        }
        base *= base;
        exponent /= 2;
    }
    product
}
