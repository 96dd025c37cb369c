//! CoDel: controlled delay. It drops at the head when packets have waited too long for too long.
//!
//! Source: RFC 8289, sections 4 and 5 (the pseudo-code is in section 5); marks: RFC 3168, section 5; `ce_threshold` and
//! `control_law = "newton"`: Linux 6, include/net/codel_impl.h.
//!
//! A packet's sojourn time is how long it has waited when it is dequeued. Once sojourn times have been at
//! least `target` for a whole `interval`, the packet at the head is dropped, and further ones at times that
//! lie `interval` / sqrt(count) apart, until a sojourn time is below `target`. If dropping starts again
//! within 16 intervals of the next drop that was due, `count` starts from the number of drops of the last
//! dropping period, otherwise from 1.
//!
//! Deviations and choices:
//! - With `ecn` a packet that can be marked is marked and sent where another would be dropped.
//! - Nothing is dropped while the packets that wait hold no more than the longest packet seen so far: the
//!   RFC's `maxpacket`, which is one MTU.
//! - Times are whole picoseconds; `interval` / sqrt(count) is rounded down, from an integer square root, so
//!   that it is the same on every machine. `count` stops at 2^32 - 1.
//! - Linux keeps 1 / sqrt(count) as a fraction of 16 bits and moves it by one step of Newton's method at each drop. When
//!   dropping starts again with a smaller `count`, the fraction is still that of the last drop, so that drops come faster
//!   for a while. `control_law = "newton"` does so.
//! - With `ce_threshold` each packet that has waited longer is marked as it is sent, whatever the state.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | target | ps | 5 ms |
//! | interval | ps | 100 ms |
//! | ecn | yes or no | no |
//! | ce_threshold | ps | off |
//! | control_law | exact or newton | exact |
//! | limits | as of drop-tail | |

use super::ce_threshold::{self, CeThreshold};
use super::{
    DefaultValue, Discipline, DropTail, Make, PacketBuffer, Parameter, QueueDiscipline, Queued, Setting,
    Sink, Unit,
};
use crate::link::DropCause;
use crate::packet::Packet;
use base::Time;

#[cfg(test)]
pub(super) mod tests;

/// Intervals after the last planned drop within which `count` resumes.
const RESUMES_WITHIN: u64 = 16;

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "codel",
        title: "CoDel",
        summary: "Drops or marks packets that have waited too long, at the head of the queue (RFC 8289).",
        parameters: PARAMETERS,
        limit: None,
        is_random: false,
        check,
        make: Make::Queue(make),
    }
}

const PARAMETERS: &[Parameter] = &[TARGET, INTERVAL, Parameter::ecn(false), CE_THRESHOLD, CONTROL_LAW];

pub(super) const TARGET: Parameter = Parameter {
    name: "target",
    unit: Unit::Time,
    default: DefaultValue::Is(Time::from_ms(5).as_ps()),
    meaning: "Acceptable waiting time: CoDel drops only if all packets wait longer for a whole `interval`.",
};
pub(super) const INTERVAL: Parameter = Parameter {
    name: "interval",
    unit: Unit::Time,
    default: DefaultValue::Is(Time::from_ms(100).as_ps()),
    meaning: "Time for which waiting times may exceed `target` before a drop: about the longest round-trip time.",
};
pub(super) const CE_THRESHOLD: Parameter =
    ce_threshold::parameter("Waiting time above which every packet that can be is marked, as DCTCP needs.");
pub(super) const CONTROL_LAW: Parameter = Parameter {
    name: "control_law",
    unit: Unit::Word(&["exact", "newton"]),
    default: DefaultValue::Is(0),
    meaning: "Square root in the control law: exact (RFC 8289), or as in Linux, with one step of Newton's method per drop.",
};

/// The message for values of these five parameters that no controller can have.
pub(super) fn check(values: &[u64]) -> Option<&'static str> {
    let &[target, interval, ..] = values else { return None };
    check_times(target, interval)
}

/// The message for times that no controller can have.
pub(super) fn check_times(target: u64, interval: u64) -> Option<&'static str> {
    let longest = Time::from_secs(1_000_000).as_ps();
    let is_time = |ps: u64| (1..=longest).contains(&ps);
    let problem = "`target_ps` and `interval_ps` must be positive and at most 1e18";
    (!is_time(target) || !is_time(interval)).then_some(problem)
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn QueueDiscipline<P>> {
    Box::new(CoDel::new(Config::new(values, setting), setting.limits))
}

/// How 1 / sqrt(count) is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Law {
    Exact,
    Newton,
}

/// The parameters of a controller.
pub(super) struct Config<P> {
    target: Time,
    interval: Time,
    mark: fn(&mut P) -> bool,
    ce_threshold: CeThreshold<P>,
    law: Law,
}

impl<P> Config<P> {
    /// From the values of the five parameters.
    pub(super) fn new(values: &[u64], setting: &Setting<P>) -> Self {
        let &[target, interval, ecn, ce_threshold, control_law] = values else {
            unreachable!("there is a value for each parameter")
        };
        Self {
            target: Time::from_ps(target),
            interval: Time::from_ps(interval),
            mark: setting.mark_if(ecn == 1),
            ce_threshold: CeThreshold::new(ce_threshold, setting),
            law: if control_law == 1 { Law::Newton } else { Law::Exact },
        }
    }
}

/// The state of a controller: one a queue, or one a flow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Controller {
    /// When dropping may start if sojourn times stay above `target`; none while they are below.
    first_above_time: Option<Time>,
    /// Whether it is in the dropping state, and when the next drop is due.
    dropping: bool,
    drop_next: Time,
    /// Drops since the dropping state was entered, and what they began with.
    count: u32,
    last_count: u32,
    /// Linux's 1 / sqrt(count), of 2^16.
    reciprocal: u16,
}

impl Controller {
    pub(super) const NEW: Self = Self {
        first_above_time: None,
        dropping: false,
        drop_next: Time::ZERO,
        count: 0,
        last_count: 0,
        reciprocal: u16::MAX,
    };

    /// The next packet to send from this buffer. `max_packet` is the length of the longest packet seen so far, bytes.
    pub(super) fn dequeue<P>(
        &mut self,
        config: &Config<P>,
        (buffer, max_packet): (&mut PacketBuffer<P>, u64),
        now: Time,
        sink: &mut dyn Sink<P>,
    ) -> Option<Queued<P>> {
        let queue = &mut Queue { config, buffer, max_packet, now };
        let (mut head, ok_to_drop) = self.head(queue);
        if self.dropping {
            self.dropping = ok_to_drop;
            while self.dropping && now >= self.drop_next {
                self.count = self.count.saturating_add(1);
                self.newton_step();
                let signaled = self.signal(queue, &mut head, sink);
                self.dropping = signaled != Some(false);
                if self.dropping {
                    self.drop_next = self.control_law(config, self.drop_next);
                }
                if signaled.is_none() {
                    break;
                }
            }
        } else if ok_to_drop {
            self.signal(queue, &mut head, sink);
            self.begin_dropping(config, now);
        }
        if let Some(sent) = &mut head {
            let waited = now - sent.since;
            config.ce_threshold.apply(sent, waited, sink);
        }
        head
    }

    fn begin_dropping<P>(&mut self, config: &Config<P>, now: Time) {
        self.dropping = true;
        let drops = self.count - self.last_count;
        let resumes = now.saturating_sub(self.drop_next) < config.interval * RESUMES_WITHIN;
        if drops > 1 && resumes {
            self.count = drops;
            self.newton_step();
        } else {
            (self.count, self.reciprocal) = (1, u16::MAX);
        }
        self.last_count = self.count;
        self.drop_next = self.control_law(config, now);
    }

    /// The packet at the head, and whether it may be dropped.
    fn head<P>(&mut self, queue: &mut Queue<'_, P>) -> (Option<Queued<P>>, bool) {
        let Some(head) = queue.buffer.dequeue() else {
            self.first_above_time = None;
            return (None, false);
        };
        if queue.now - head.since < queue.config.target || queue.buffer.bytes() <= queue.max_packet {
            self.first_above_time = None;
            return (Some(head), false);
        }
        match self.first_above_time {
            Some(time) => (Some(head), queue.now >= time),
            None => {
                self.first_above_time = Some(queue.now + queue.config.interval);
                (Some(head), false)
            }
        }
    }

    /// The time of the drop after one at `time`.
    fn control_law<P>(&self, config: &Config<P>, time: Time) -> Time {
        time + match config.law {
            Law::Exact => over_square_root(config.interval, self.count),
            Law::Newton => {
                let interval = u128::from(config.interval.as_ps());
                Time::from_ps(((interval * u128::from(self.reciprocal)) >> 16) as u64)
            }
        }
    }

    /// One step of Newton's method towards 1 / sqrt(count), in integers as in Linux.
    fn newton_step(&mut self) {
        let reciprocal = u64::from(self.reciprocal) << 16;
        let square = (reciprocal * reciprocal) >> 32;
        let step = (3_u64 << 32).wrapping_sub(u64::from(self.count).wrapping_mul(square)) >> 2;
        self.reciprocal = (step.wrapping_mul(reciprocal) >> 47) as u16;
    }

    /// Signals congestion by a packet from the head. If it can be marked it is sent, else it is dropped and
    /// the next one takes its place. Whether that one may be dropped too, or none if the packet was marked.
    fn signal<P>(
        &mut self,
        queue: &mut Queue<'_, P>,
        head: &mut Option<Queued<P>>,
        sink: &mut dyn Sink<P>,
    ) -> Option<bool> {
        let packet = &mut head.as_mut()?.packet;
        if (queue.config.mark)(&mut packet.payload) {
            sink.marked(packet);
            return None;
        }
        sink.dropped(packet, DropCause::QueueEarly);
        let (next, ok_to_drop) = self.head(queue);
        *head = next;
        Some(ok_to_drop)
    }
}

/// `interval` / sqrt(`count`), or the interval if the count is zero.
pub(super) fn over_square_root(interval: Time, count: u32) -> Time {
    let interval = u128::from(interval.as_ps());
    Time::from_ps((interval * interval / u128::from(count.max(1))).isqrt() as u64)
}

/// The packets that a controller looks at.
struct Queue<'a, P> {
    config: &'a Config<P>,
    buffer: &'a mut PacketBuffer<P>,
    max_packet: u64,
    now: Time,
}

/// Controlled delay.
struct CoDel<P> {
    config: Config<P>,
    limits: DropTail,
    buffer: PacketBuffer<P>,
    /// Length of the longest packet seen so far, bytes.
    max_packet: u64,
    controller: Controller,
}

impl<P> CoDel<P> {
    fn new(config: Config<P>, limits: DropTail) -> Self {
        Self { config, limits, buffer: PacketBuffer::new(), max_packet: 0, controller: Controller::NEW }
    }
}

impl<P: Send> QueueDiscipline<P> for CoDel<P> {
    fn enqueue(&mut self, packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        if !self.limits.has_room(self.buffer.packets(), self.buffer.bytes(), packet.bytes) {
            return sink.dropped(&packet, DropCause::QueueFull);
        }
        self.max_packet = self.max_packet.max(u64::from(packet.bytes));
        self.buffer.enqueue(packet, now);
    }

    fn dequeue(&mut self, now: Time, sink: &mut dyn Sink<P>) -> Option<Queued<P>> {
        self.controller.dequeue(&self.config, (&mut self.buffer, self.max_packet), now, sink)
    }

    fn len_packets(&self) -> usize {
        self.buffer.packets()
    }

    fn len_bytes(&self) -> u64 {
        self.buffer.bytes()
    }
}
