//! DualPI2: two queues with coupled signals, so that flows with small steps of their rate (L4S) wait little beside classic ones.
//!
//! Source: RFC 9332, appendix A.1 and A.2 (pseudo-code); RFC 9331, section 5 (which packets are L4S); the scheduler, the step and
//! the defaults: Linux 6.18, net/sched/sch_dualpi2.c. The controller is in `dualpi2/controller.rs`, the queues and their
//! scheduler in `dualpi2/classes.rs`, the step, the ramp and the coins in `dualpi2/signals.rs`.
//!
//! Packets with ECT(1) or CE join the queue L, all others the queue C. Every `t_update` a controller moves the base probability
//! p' by the longer of the sojourn times of the two heads. When a packet is dequeued from C, it is dropped, or marked, with
//! probability p'^2. One from L is marked with the larger of two probabilities: the coupled one, k p', and its queue's own, which
//! is a step or a ramp of its sojourn time. Above k p' = 1 there is an overload: then packets of both queues are dropped with
//! probability p'^2, whatever their ECN field, and what is left of L is marked.
//!
//! If both queues have packets, `wrr` gives C a share `c_protection` of the bytes. A credit grows by that share of each packet of
//! L, and falls by the other share of each packet of C; L has its turn unless the credit is above zero. It starts at
//! (2 `c_protection` - 1) MTU, and anew when the queues are empty. With `time_shift` the head that has waited longest is sent,
//! and those of L are taken to have waited 2 `target` longer.
//!
//! Deviations and choices:
//! - The defaults are those of Linux. The RFC's are `t_update` 15 ms, alpha 0.15 Hz, beta 3 Hz, a ramp, and `coin = "recur"`.
//! - `coin = "recur"` is the RFC's: each queue sums its probabilities up, signals whenever the sum is above 1, and then takes 1
//!   from it. So marks are spread evenly, and even of packets that are marked for certain the first may pass. Linux draws random
//!   numbers. Here it is one a packet, compared with p'^2; Linux compares two with p', which has the same effect.
//! - While fewer than 2 MTU wait in both queues p' signals nothing. That is Linux's rule; the RFC's pseudo-code has only the
//!   minimum length of L for the ramp. As in Linux, the step and the ramp mark nevertheless.
//! - The packet in question counts neither among the bytes nor in the length: it has left the queue when they are compared.
//! - The overload begins above k p' = 1, as in Linux. In the RFC it begins at 1, which matters only for k = 1.
//! - In an overload what is left of L is marked without a coin: k p' is above 1.
//! - A packet of L that should be marked and cannot be is dropped, as in Linux.
//! - If the heads are equally old after the shift, C has its turn.
//! - A drop does not change the credit, as in Linux.
//! - Lengths are those of IP packets, so that the MTU is 1500 bytes. Linux also counts 14 bytes of the Ethernet header.
//! - Linux's options for an overload without drops, drops at enqueue, a step in packets, and a limit in bytes are left out.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | target, t_update | ps | 15 ms, 16 ms |
//! | alpha, beta | millionths of 1/s | 0.16 Hz, 3.2 Hz |
//! | coupling_factor (k) | 1 | 2 |
//! | l_aqm | step or ramp | step |
//! | step_threshold | ps | 1 ms |
//! | ramp_start, ramp_range | ps | 800 us, 400 us |
//! | ramp_min_length | packets | 1 |
//! | scheduler | wrr or time_shift | wrr |
//! | c_protection | 1, above 0 and at most 1 | 0.1 |
//! | ecn_mask | l4s_ect, cla_ect or any_ect | l4s_ect |
//! | ecn | yes or no | yes |
//! | coin | random or recur | random |
//! | mtu | bytes | 1500 |
//! | limits | as of drop-tail | 10,000 packets |

use super::{
    DefaultValue, Discipline, DropTail, Make, Parameter, QueueDiscipline, Queued, Setting, Sink, Unit,
};
use crate::link::{DropCause, PPB};
use crate::packet::Packet;
use base::{Ecn, Time};
use classes::{Class, Classes, Scheduler};
use controller::{Controller, Gains};
use signals::{Coin, Native};

mod classes;
mod controller;
#[cfg(test)]
mod pseudo_code;
mod signals;
#[cfg(test)]
mod tests;

/// The codepoints of packets that join L, for each word of `ecn_mask`.
const MASKS: [&[Ecn]; 3] = [&[Ecn::Ect1, Ecn::Ce], &[Ecn::Ect0, Ecn::Ce], &[Ecn::Ect1, Ecn::Ect0, Ecn::Ce]];

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "dualpi2",
        title: "DualPI2",
        summary: "Keeps L4S packets in a queue of their own, and couples its marks with the drops of the other (RFC 9332).",
        parameters: PARAMETERS,
        limit: Some(10_000),
        is_random: true,
        check,
        make: Make::Queue(make),
    }
}

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "target",
        unit: Unit::Time,
        default: DefaultValue::Is(Time::from_ms(15).as_ps()),
        meaning: "Waiting time at which the controller holds the longer queue.",
    },
    Parameter {
        name: "t_update",
        unit: Unit::Time,
        default: DefaultValue::Is(Time::from_ms(16).as_ps()),
        meaning: "How often the controller moves its probability p'.",
    },
    Parameter {
        name: "alpha",
        unit: Unit::Frequency,
        default: DefaultValue::Is(160_000),
        meaning: "Change of p' per second of waiting time above `target`, at each update.",
    },
    Parameter {
        name: "beta",
        unit: Unit::Frequency,
        default: DefaultValue::Is(3_200_000),
        meaning: "Change of p' per second of growth of the waiting time since the last update.",
    },
    Parameter {
        name: "coupling_factor",
        unit: Unit::Count,
        default: DefaultValue::Is(2),
        meaning: "k: L4S packets are marked with probability k p', others dropped with p'^2.",
    },
    Parameter {
        name: "l_aqm",
        unit: Unit::Word(&["step", "ramp"]),
        default: DefaultValue::Is(0),
        meaning: "How the L4S queue marks by its own waiting time: a step (Linux) or a ramp (RFC 9332).",
    },
    Parameter {
        name: "step_threshold",
        unit: Unit::Time,
        default: DefaultValue::Is(Time::from_ms(1).as_ps()),
        meaning: "Waiting time above which the step marks.",
    },
    Parameter {
        name: "ramp_start",
        unit: Unit::Time,
        default: DefaultValue::Is(Time::from_us(800).as_ps()),
        meaning: "Waiting time from which on the ramp rises.",
    },
    Parameter {
        name: "ramp_range",
        unit: Unit::Time,
        default: DefaultValue::Is(Time::from_us(400).as_ps()),
        meaning: "Width of the ramp: it reaches 1 this much above its start.",
    },
    Parameter {
        name: "ramp_min_length",
        unit: Unit::Count,
        default: DefaultValue::Is(1),
        meaning: "The ramp marks nothing while at most this many packets are in the L4S queue.",
    },
    Parameter {
        name: "scheduler",
        unit: Unit::Word(&["wrr", "time_shift"]),
        default: DefaultValue::Is(0),
        meaning: "Order of the two queues: by weights (Linux), or the longest waiting time first, with twice `target` added for L4S.",
    },
    Parameter {
        name: "c_protection",
        unit: Unit::Share,
        default: DefaultValue::Is(100_000_000),
        meaning: "Share of the rate that `wrr` gives to classic packets while both queues hold packets.",
    },
    Parameter {
        name: "ecn_mask",
        unit: Unit::Word(&["l4s_ect", "cla_ect", "any_ect"]),
        default: DefaultValue::Is(0),
        meaning: "ECN codepoints of L4S packets, in addition to CE: ECT(1), ECT(0), or both.",
    },
    Parameter {
        name: "ecn",
        unit: Unit::Flag,
        default: DefaultValue::Is(1),
        meaning: "Marks classic packets with ECN instead of dropping them, except in an overload.",
    },
    Parameter {
        name: "coin",
        unit: Unit::Word(&["random", "recur"]),
        default: DefaultValue::Is(0),
        meaning: "How a probability becomes single marks: by random numbers (Linux), or spread evenly (RFC 9332).",
    },
    Parameter {
        name: "mtu",
        unit: Unit::Size,
        default: DefaultValue::Is(1500),
        meaning: "Longest packet. The queue neither drops nor marks by p' while it holds less than two of them.",
    },
];

fn check(values: &[u64]) -> Option<&'static str> {
    let &[target, t_update, alpha, beta, coupling, .., c_protection, _, _, _, mtu] = values else {
        return None;
    };
    let longest = Time::from_secs(1_000_000).as_ps();
    let shortest = Time::from_us(1).as_ps();
    let rules = [
        ((1..=longest).contains(&target), "`target_ps` must be positive and at most 1e18"),
        ((shortest..=longest).contains(&t_update), "`t_update_ps` must be between 1e6 (1 us) and 1e18"),
        (alpha > 0 && beta > 0, "`alpha_uhz` and `beta_uhz` must be positive"),
        (coupling > 0, "`coupling_factor` must be positive"),
        ((1..=u64::from(PPB)).contains(&c_protection), "`c_protection_ppb` must be positive and at most 1e9"),
        ((1..=1_000_000).contains(&mtu), "`mtu_bytes` must be between 1 and 1000000"),
    ];
    rules.iter().find(|rule| !rule.0).map(|rule| rule.1)
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn QueueDiscipline<P>> {
    Box::new(DualPi2::new(values, setting))
}

/// Two coupled queues.
struct DualPi2<P> {
    classes: Classes<P>,
    controller: Controller,
    coin: Coin,
    native: Native,
    coupling: f64,
    two_mtu: u64,
    limits: DropTail,
    l_codepoints: &'static [Ecn],
    ecn: fn(&P) -> Ecn,
    /// Of packets of L, and of C.
    mark: [fn(&mut P) -> bool; 2],
}

impl<P> DualPi2<P> {
    fn new(values: &[u64], setting: &Setting<P>) -> Self {
        let &[
            target,
            t_update,
            alpha,
            beta,
            coupling,
            l_aqm,
            threshold,
            start,
            range,
            min_length,
            scheduler,
            c_protection,
            ecn_mask,
            ecn,
            coin,
            mtu,
        ] = values
        else {
            unreachable!("there is a value for each parameter")
        };
        let target = Time::from_ps(target);
        let gains = Gains { alpha: alpha as f64 / 1e6, beta: beta as f64 / 1e6 };
        let ramp = Native::Ramp { start: Time::from_ps(start), range: Time::from_ps(range), min_length };
        let scheduler =
            if scheduler == 1 { Scheduler::time_shift(target) } else { Scheduler::wrr(c_protection, mtu) };
        Self {
            classes: Classes::new(scheduler),
            controller: Controller::new(target, Time::from_ps(t_update), gains),
            coin: Coin::new(coin == 1, setting.rng.clone()),
            native: if l_aqm == 1 { ramp } else { Native::Step { threshold: Time::from_ps(threshold) } },
            coupling: coupling as f64,
            two_mtu: 2 * mtu,
            limits: setting.limits,
            l_codepoints: MASKS[ecn_mask as usize],
            ecn: setting.ecn,
            mark: [setting.mark, setting.mark_if(ecn == 1)],
        }
    }

    /// Whether a packet that has left its queue is sent, after it has been marked if it should be.
    fn passes(&mut self, class: Class, sent: &mut Queued<P>, now: Time, sink: &mut dyn Sink<P>) -> bool {
        let is_short = self.classes.bytes() < self.two_mtu;
        let p = if is_short { 0.0 } else { self.controller.probability };
        let coupled = self.coupling * p;
        let is_overload = coupled > 1.0;
        let is_hit = (class == Class::C || is_overload) && self.coin.toss(class, p * p);
        let is_signaled = match class {
            Class::C => is_hit,
            Class::L if is_overload => true,
            Class::L => {
                let behind = self.classes.packets_of(Class::L) as u64;
                let native = self.native.likelihood(now - sent.since, behind);
                self.coin.toss(class, native.max(coupled))
            }
        };
        if !is_signaled {
            return true;
        }
        if (is_hit && is_overload) || !(self.mark[class as usize])(&mut sent.packet.payload) {
            sink.dropped(&sent.packet, DropCause::QueueEarly);
            return false;
        }
        sink.marked(&sent.packet);
        true
    }
}

impl<P: Send> QueueDiscipline<P> for DualPi2<P> {
    fn enqueue(&mut self, packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        self.controller.catch_up(now, self.classes.oldest());
        if !self.limits.has_room(self.classes.packets(), self.classes.bytes(), packet.bytes) {
            return sink.dropped(&packet, DropCause::QueueFull);
        }
        let is_l4s = self.l_codepoints.contains(&(self.ecn)(&packet.payload));
        self.classes.enqueue(if is_l4s { Class::L } else { Class::C }, packet, now);
    }

    fn dequeue(&mut self, now: Time, sink: &mut dyn Sink<P>) -> Option<Queued<P>> {
        self.controller.catch_up(now, self.classes.oldest());
        while let Some((class, mut head)) = self.classes.dequeue() {
            if self.passes(class, &mut head, now, sink) {
                self.classes.charge(class, head.packet.bytes);
                return Some(head);
            }
        }
        None
    }

    fn len_packets(&self) -> usize {
        self.classes.packets()
    }

    fn len_bytes(&self) -> u64 {
        self.classes.bytes()
    }
}
