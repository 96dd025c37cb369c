//! FQ: fair queueing with pacing. A queue for each flow, sent at no more than a rate, in three bands.
//!
//! Source: Linux 6, net/sched/sch_fq.c (bands since 6.7). The bands are those of `bands.rs`.
//!
//! Flows of a band take turns as in FQ-CoDel, new ones first. A flow sends while its credit is above zero; then it gets
//! a `quantum` and goes to the end of the old ones. One that has nothing left goes there too if it was new, and becomes
//! idle if it was old. A flow that was never seen has `initial_quantum` as its credit. One that was idle for longer
//! than `refill_delay` has a `quantum` at least.
//!
//! With `max_rate` a flow whose credit is spent may send again only after the time that its last packet takes at that
//! rate, or a `quantum` if that is more. Up to `low_rate_threshold` it waits after each packet. A flow whose turn comes
//! too early is taken out until it may send, and then goes to the end of the old ones. If it sent later than it might
//! have, its next wait is shorter by so much, but by no more than half; and no wait is longer than a second.
//!
//! A band sends while it has a flow that may, and credit. Then it is the next one's turn, which gets 9, 3 or 1 times 64
//! KiB, and has no more than that.
//!
//! Deviations and choices:
//! - `refill_delay` gives a `quantum`, not the initial one, as in Linux.
//! - Each flow has a queue of its own here, and no hash can put two flows together. After more than 3 s without a packet a flow
//!   is forgotten, and its next packet begins a new one. Linux forgets it when it next looks for another flow nearby, or not at all.
//! - The limit counts all bands, as before Linux 6.7; since then each band has a limit of its own.
//! - Two accidents of Linux's code are left out. There a flow that was never seen is first listed in the highest band,
//!   whatever its own. And a credit below zero is not refilled after `refill_delay`, because it is compared as an
//!   unsigned number.
//! - Packets have no departure times here, so there is no horizon. Linux paces each packet of a connection of the same host,
//!   as it has such a time. Flows here are like those that a router forwards. A high `low_rate_threshold` paces each of
//!   their packets.
//! - There is no fast path, by which up to 8 packets pass by the queues while no flow waits, and no slack of timers.
//! - As in Linux, a flow that has sent all is not idle before its turn comes once more while others wait.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | quantum | bytes | 3028 |
//! | initial_quantum | bytes | 15,140 |
//! | flow_limit | packets | 100 |
//! | max_rate | bit/s | off |
//! | low_rate_threshold | bit/s | 550 kbit/s |
//! | refill_delay | ps | 40 ms |
//! | ce_threshold | ps | off |
//! | limits | as of drop-tail, for all flows together | 10,000 packets |

use super::bands::{BANDS, band_of};
use super::ce_threshold::{self, CeThreshold};
use super::flows::check_quantum;
use super::{
    DefaultValue, Discipline, LONGEST_FRAME, Make, OFF, Parameter, QueueDiscipline, Queued, Setting, Sink,
    Unit,
};
use crate::link::DropCause;
use crate::packet::{FlowKey, Packet};
use base::{Rate, Time};
use flow::{Config, FlowQueue, is_forgotten};
use std::collections::{BTreeMap, VecDeque};

mod flow;
#[cfg(test)]
mod plain;
#[cfg(test)]
mod tests;

/// Bytes that a band may send in its turn.
const WEIGHTS: [i64; BANDS] = [9 << 16, 3 << 16, 1 << 16];

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "fq",
        title: "FQ",
        summary: "Gives each flow a queue of its own and may pace it; flows take turns in three bands (Linux's fq).",
        parameters: PARAMETERS,
        limit: Some(10_000),
        is_random: false,
        check,
        make: Make::Queue(make),
    }
}

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "quantum",
        unit: Unit::Size,
        default: DefaultValue::Is(2 * LONGEST_FRAME),
        meaning: "Bytes that a flow may send in its turn.",
    },
    Parameter {
        name: "initial_quantum",
        unit: Unit::Size,
        default: DefaultValue::Is(10 * LONGEST_FRAME),
        meaning: "Bytes that a flow may send in its first turn.",
    },
    Parameter {
        name: "flow_limit",
        unit: Unit::Count,
        default: DefaultValue::Is(100),
        meaning: "Most packets of one flow in the queue.",
    },
    Parameter {
        name: "max_rate",
        unit: Unit::Rate,
        default: DefaultValue::Off,
        meaning: "Rate at which each flow is paced.",
    },
    Parameter {
        name: "low_rate_threshold",
        unit: Unit::Rate,
        default: DefaultValue::Is(550_000),
        meaning: "Paces each packet while `max_rate` is at most this; at a higher `max_rate`, a flow is paced only after it has used its `quantum`.",
    },
    Parameter {
        name: "refill_delay",
        unit: Unit::Time,
        default: DefaultValue::Is(Time::from_ms(40).as_ps()),
        meaning: "How long a flow is idle before it may send a whole `quantum` in its next turn.",
    },
    ce_threshold::parameter(
        "Waiting time, without that for pacing, above which every packet that can be is marked.",
    ),
];

fn check(values: &[u64]) -> Option<&'static str> {
    let &[quantum, initial_quantum, flow_limit, max_rate, ..] = values else { return None };
    let rules = [
        (initial_quantum <= 1_000_000_000, "`initial_quantum_bytes` must be at most 1e9"),
        (flow_limit > 0, "`flow_limit` must be positive"),
        (max_rate > 0, "`max_rate_bps` must be positive"),
    ];
    check_quantum(quantum).or_else(|| rules.iter().find(|rule| !rule.0).map(|rule| rule.1))
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn QueueDiscipline<P>> {
    let &[quantum, initial_quantum, flow_limit, max_rate, low_rate_threshold, refill_delay, ce_threshold] =
        values
    else {
        unreachable!("there is a value for each parameter")
    };
    let config = Config {
        quantum: quantum as i64,
        initial_quantum: initial_quantum as i64,
        flow_limit,
        max_rate: (max_rate != OFF).then(|| Rate::from_bps(max_rate)),
        paces_each: max_rate <= low_rate_threshold,
        refill_delay: Time::from_ps(refill_delay),
        ce_threshold: CeThreshold::new(ce_threshold, setting),
        limits: setting.limits,
        ends: setting.ends.clone(),
    };
    Box::new(Fq::new(config))
}

/// The flows of a band that are not held back.
#[derive(Default)]
struct Band {
    new: VecDeque<FlowKey>,
    old: VecDeque<FlowKey>,
    /// Bytes that it may send in its turn.
    credit: i64,
}

/// Fair queueing with pacing.
struct Fq<P> {
    config: Config<P>,
    flows: BTreeMap<FlowKey, FlowQueue<P>>,
    bands: [Band; BANDS],
    /// The band whose turn it is.
    turn: usize,
    /// Flows that are held back, by the time at which they may send, and among equals in the order in which they came.
    held_back: BTreeMap<(Time, u64), FlowKey>,
    times_held_back: u64,
    /// Flows that became idle, and when; they may have come back.
    idle: VecDeque<(Time, FlowKey)>,
    packets: usize,
    bytes: u64,
}

impl<P> Fq<P> {
    fn new(config: Config<P>) -> Self {
        Self {
            config,
            flows: BTreeMap::new(),
            bands: Default::default(),
            turn: 0,
            held_back: BTreeMap::new(),
            times_held_back: 0,
            idle: VecDeque::new(),
            packets: 0,
            bytes: 0,
        }
    }

    /// The queue of a packet's flow.
    fn queue(&mut self, packet: &Packet<P>, now: Time) -> &mut FlowQueue<P> {
        let Self { config, flows, .. } = self;
        let new = || FlowQueue::new(config, band_of(config.ends.dscp(packet)), now);
        let queue = flows.entry(packet.flow_key()).or_insert_with(new);
        if queue.idle_since.is_some_and(|since| is_forgotten(since, now)) {
            *queue = new();
        }
        queue
    }

    /// Gives up memory of flows that are forgotten. Two for each arrival keep up: a flow becomes idle once after it.
    fn clean_up(&mut self, now: Time) {
        for _ in 0..2 {
            let Some(&(since, flow)) = self.idle.front() else { return };
            if !is_forgotten(since, now) {
                return;
            }
            self.idle.pop_front();
            if self.flows.get(&flow).is_some_and(|queue| queue.idle_since == Some(since)) {
                self.flows.remove(&flow);
            }
        }
    }

    /// Lists the flows that are no longer held back.
    fn release(&mut self, now: Time) {
        while let Some(first) = self.held_back.first_entry() {
            if first.key().0 > now {
                return;
            }
            let flow = first.remove();
            let band = self.flows[&flow].band;
            self.bands[band].old.push_back(flow);
        }
    }

    /// The flow whose turn it is, and whether it is new. Bands without credit or without flows lose their turn.
    fn next(&mut self) -> Option<(FlowKey, bool)> {
        let mut passed = 0;
        loop {
            let band = &self.bands[self.turn];
            if band.credit > 0 {
                if let Some(&flow) = band.new.front() {
                    return Some((flow, true));
                }
                if let Some(&flow) = band.old.front() {
                    return Some((flow, false));
                }
            }
            loop {
                passed += 1;
                if passed > BANDS {
                    return None;
                }
                self.turn = (self.turn + 1) % BANDS;
                let band = &mut self.bands[self.turn];
                band.credit = (band.credit + WEIGHTS[self.turn]).min(WEIGHTS[self.turn]);
                if band.credit > 0 {
                    break;
                }
                passed = 0;
            }
        }
    }
}

impl<P: Send> QueueDiscipline<P> for Fq<P> {
    fn enqueue(&mut self, packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        self.clean_up(now);
        if !self.config.limits.has_room(self.packets, self.bytes, packet.bytes) {
            return sink.dropped(&packet, DropCause::QueueFull);
        }
        let Config { quantum, flow_limit, refill_delay, .. } = self.config;
        let (flow, bytes) = (packet.flow_key(), u64::from(packet.bytes));
        let queue = self.queue(&packet, now);
        if queue.buffer.packets() as u64 >= flow_limit {
            return sink.dropped(&packet, DropCause::QueueFull);
        }
        let (band, was_idle) = (queue.band, queue.idle_since.take());
        if was_idle.is_some_and(|since| now - since > refill_delay) {
            queue.credit = queue.credit.max(quantum);
        }
        queue.buffer.enqueue(packet, now);
        if was_idle.is_some() {
            self.bands[band].new.push_back(flow);
        }
        self.packets += 1;
        self.bytes += bytes;
    }

    fn dequeue(&mut self, now: Time, sink: &mut dyn Sink<P>) -> Option<Queued<P>> {
        if self.packets == 0 {
            return None;
        }
        self.release(now);
        loop {
            let (flow, is_new) = self.next()?;
            let queue = self.flows.get_mut(&flow).expect("a listed flow is remembered");
            let band = &mut self.bands[self.turn];
            let is_spent = queue.credit <= 0;
            if !is_spent && queue.buffer.packets() > 0 && queue.may_send.is_none_or(|time| time <= now) {
                let sent = queue.send(&self.config, now, sink)?;
                band.credit -= i64::from(sent.packet.bytes);
                self.packets -= 1;
                self.bytes -= u64::from(sent.packet.bytes);
                return Some(sent);
            }
            if is_new {
                band.new.pop_front()
            } else {
                band.old.pop_front()
            };
            if is_spent {
                queue.credit += self.config.quantum;
                band.old.push_back(flow);
            } else if let (Some(time), 1..) = (queue.may_send, queue.buffer.packets()) {
                self.times_held_back += 1;
                self.held_back.insert((time, self.times_held_back), flow);
            } else if is_new {
                band.old.push_back(flow);
            } else {
                queue.idle_since = Some(now);
                self.idle.push_back((now, flow));
            }
        }
    }

    fn ready_at(&self, _: Time) -> Time {
        self.held_back.first_key_value().map_or(Time::NEVER, |(&(time, _), _)| time)
    }

    fn len_packets(&self) -> usize {
        self.packets
    }

    fn len_bytes(&self) -> u64 {
        self.bytes
    }
}
