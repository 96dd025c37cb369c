//! PIE: a proportional integral controller, enhanced. It drops arriving packets at random, so that the delay stays near a target.
//!
//! Source: RFC 8033, sections 4 (the algorithm) and 5.1 (ECN), 5.2 (rate), 5.4 (derandomisation), 5.5 (largest step), and its
//! pseudo-code in the appendices A and B; the constants of Linux 6, include/net/pie.h and net/sched/sch_pie.c.
//!
//! Every `t_update` the probability p changes by `alpha` (delay - `target`) + `beta` (delay - old delay). The change is divided
//! by 2 to 2048 while p is below 10 %, is 2 % at most from there on, and 2 % are added if the delay is above 250 ms. While both
//! delays are zero, p decays by a fiftieth. An arriving packet adds p to a sum. It is dropped with probability p once the sum
//! is at least 0.85, and in any case once it is 8.5; the sum then starts again. So drops are neither close together nor far
//! apart. Nothing is dropped
//! - in the first `max_burst` after the delay has risen from below half of the target with p at zero,
//! - while the old delay is below half of the target and p below 20 %,
//! - while no more than two of the longest packets seen so far wait.
//!
//! The delay is that of the packet that was dequeued last, or what waits divided by the rate of departures. The rate is
//! measured over 16 KB at a time while as much waits; each measurement counts a quarter in its average.
//!
//! Deviations and choices:
//! - There is no timer. Each enqueue and dequeue first makes the updates that were due, with what waited then. After the first
//!   of them the delay stays the same, so that many equal steps are made at once.
//! - Probabilities are whole multiples of 1e-18, rounded down: a millionth of a hertz times a picosecond is one.
//! - By timestamps the delay is zero at an update that finds the queue empty, as in FreeBSD. Else it would stay at the last one
//!   for ever, and p too. Linux and ns-3 set it to zero when a packet leaves nothing behind.
//! - The RFC's text and appendix A let p decay if both delays are zero, as here; appendix B if both are below half of the
//!   target. Linux decays by 1/64, and not if packets wait.
//! - The 2 % above 250 ms are Linux's; the implementations made after the RFC (FreeBSD, ns-3, DPDK) do not have them.
//! - Linux compares the present delay with half of the target; the RFC and this file that of the last update. The RFC spares
//!   packets while two of the mean length wait, Linux while less than two MTU of the link do; here, as in `codel.rs`, the
//!   longest packet seen so far stands for the MTU.
//! - The burst allowance shrinks by `t_update` at each update, and is renewed when a packet arrives while p is zero and both
//!   delays are below half of the target, as in the RFC. In Linux it shrinks at dequeues, and is renewed at updates.
//! - Appendix B looks at the allowance last, so that arrivals in a burst add to the sum; here, as in the text, they do not.
//! - A mark starts the sum again, as a drop does. In Linux and FreeBSD it does not once the sum is 8.5, so that all that follows
//!   is marked too.
//! - The weight of a measured rate is a quarter, as in FreeBSD and DPDK; Linux has an eighth, and averages rates, not times.
//!   What departs in a measurement beyond 16 KB does not count, as there, so that delays seem up to a packet's time too long.
//! - ECN is an option of the RFC and off in Linux, FreeBSD and ns-3, so it is off here. A packet is marked up to and at
//!   `mark_ecnth`, as in Linux, so that a threshold of 1 means that no packet that can be marked is dropped early.
//! - PIE is always active; the RFC may switch it on and off by what waits (section 5.3). Nothing depends on a packet's size.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | target (QDELAY_REF) | ps | 15 ms |
//! | t_update | ps | 15 ms |
//! | alpha, beta | millionths of a hertz | 1/8 Hz, 1 1/4 Hz |
//! | max_burst | ps | 150 ms |
//! | ecn | yes or no | no |
//! | mark_ecnth | parts in 1e9 | 10 % |
//! | delay | timestamp or rate | timestamp |
//! | limits | as of drop-tail | 1000 packets |

use super::{
    DefaultValue, Discipline, DropTail, Make, PacketBuffer, Parameter, QueueDiscipline, Queued, Setting,
    Sink, Unit, Verdict,
};
use crate::link::PPB;
use crate::packet::Packet;
use base::Time;
use rand_chacha::ChaCha8Rng;

mod controller;
#[cfg(test)]
pub(super) mod pseudo_code;
#[cfg(test)]
mod tests;

pub(super) use controller::{Config, Controller, Found};

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "pie",
        title: "PIE",
        summary: "Drops or marks some arriving packets, so many that the delay stays near a target (RFC 8033).",
        parameters: &PARAMETERS,
        limit: Some(1000),
        is_random: true,
        check,
        make: Make::Queue(make),
    }
}

pub(super) const PARAMETERS: [Parameter; 8] = [
    Parameter {
        name: "target",
        unit: Unit::Time,
        default: DefaultValue::Is(Time::from_ms(15).as_ps()),
        meaning: "Waiting time that the controller aims for.",
    },
    Parameter {
        name: "t_update",
        unit: Unit::Time,
        default: DefaultValue::Is(Time::from_ms(15).as_ps()),
        meaning: "Time between two updates of the probability.",
    },
    Parameter {
        name: "alpha",
        unit: Unit::Frequency,
        default: DefaultValue::Is(125_000),
        meaning: "Change of the probability per second of waiting time above or below `target`, at each update.",
    },
    Parameter {
        name: "beta",
        unit: Unit::Frequency,
        default: DefaultValue::Is(1_250_000),
        meaning: "Change of the probability per second of change of the waiting time since the last update.",
    },
    Parameter {
        name: "max_burst",
        unit: Unit::Time,
        default: DefaultValue::Is(Time::from_ms(150).as_ps()),
        meaning: "Time without drops after a queue starts to build up.",
    },
    Parameter::ecn(false),
    Parameter {
        name: "mark_ecnth",
        unit: Unit::Share,
        default: DefaultValue::Is(PPB as u64 / 10),
        meaning: "Probability above which ECN packets are dropped too, instead of marked.",
    },
    Parameter {
        name: "delay",
        unit: Unit::Word(&["timestamp", "rate"]),
        default: DefaultValue::Is(0),
        meaning: "How the waiting time is measured: on the last packet sent, or from the rate of departures.",
    },
];

/// The message for values of these eight parameters that no controller can have.
pub(super) fn check(values: &[u64]) -> Option<&'static str> {
    let &[target, t_update, alpha, beta, _, _, mark_ecnth, _] = values else { return None };
    let is_time = |ps: u64| (1..=Time::from_secs(1_000_000).as_ps()).contains(&ps);
    let is_gain = |uhz: u64| (1..=1_000_000_000_000).contains(&uhz);
    let rules = [
        (
            is_time(target) && is_time(t_update),
            "`target_ps` and `t_update_ps` must be positive and at most 1e18",
        ),
        (is_gain(alpha) && is_gain(beta), "`alpha_uhz` and `beta_uhz` must be positive and at most 1e12"),
        ((1..=u64::from(PPB)).contains(&mark_ecnth), "`mark_ecnth_ppb` must be positive and at most 1e9"),
    ];
    rules.iter().find(|rule| !rule.0).map(|rule| rule.1)
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn QueueDiscipline<P>> {
    Box::new(Pie::new(Config::new(values, setting), setting.limits, setting.rng.clone()))
}

/// A queue with a controller.
struct Pie<P> {
    config: Config<P>,
    limits: DropTail,
    rng: ChaCha8Rng,
    buffer: PacketBuffer<P>,
    /// Length of the longest packet seen so far, bytes.
    max_packet: u64,
    controller: Controller,
}

impl<P> Pie<P> {
    fn new(config: Config<P>, limits: DropTail, rng: ChaCha8Rng) -> Self {
        let controller = Controller::new(&config);
        Self { config, limits, rng, buffer: PacketBuffer::new(), max_packet: 0, controller }
    }
}

impl<P: Send> QueueDiscipline<P> for Pie<P> {
    fn enqueue(&mut self, mut packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        let bytes = self.buffer.bytes();
        let has_room = self.limits.has_room(self.buffer.packets(), bytes, packet.bytes);
        self.max_packet = self.max_packet.max(u64::from(packet.bytes));
        let found = Found { bytes, max_packet: self.max_packet, has_room };
        match self.controller.admit(&self.config, &mut packet, found, now, &mut self.rng) {
            Verdict::Enqueue => {}
            Verdict::Mark => sink.marked(&packet),
            Verdict::Drop(cause) => return sink.dropped(&packet, cause),
        }
        self.buffer.enqueue(packet, now);
    }

    fn dequeue(&mut self, now: Time, _: &mut dyn Sink<P>) -> Option<Queued<P>> {
        self.controller.dequeue(&self.config, &mut self.buffer, now)
    }

    fn len_packets(&self) -> usize {
        self.buffer.packets()
    }

    fn len_bytes(&self) -> u64 {
        self.buffer.bytes()
    }
}
