//! CoDel: controlled delay. It drops at the head when packets have waited too long for too long.
//!
//! Source: RFC 8289, sections 4 and 5 (the pseudo-code is in section 5); marks: RFC 3168, section 5.
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
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | target | ps | 5 ms |
//! | interval | ps | 100 ms |
//! | ecn | yes or no | no |
//! | limits | as of drop-tail | |

use super::{
    Backlog, DefaultValue, Discipline, DropTail, Make, PacketBuffer, Parameter, QueueDiscipline, Queued,
    Setting, Sink, Unit,
};
use crate::link::DropCause;
use crate::packet::Packet;
use base::Time;

#[cfg(test)]
mod tests;

/// Intervals after the last planned drop within which `count` resumes.
const RESUMES_WITHIN: u64 = 16;

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "codel",
        title: "CoDel",
        summary: "Drops or marks packets that have waited too long, at the head of the queue (RFC 8289).",
        parameters: PARAMETERS,
        is_random: false,
        check,
        make: Make::Queue(make),
    }
}

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "target",
        unit: Unit::Time,
        default: DefaultValue::Is(Time::from_ms(5).as_ps()),
        meaning: "Waiting time that is acceptable for longer than `interval`.",
    },
    Parameter {
        name: "interval",
        unit: Unit::Time,
        default: DefaultValue::Is(Time::from_ms(100).as_ps()),
        meaning: "How long waiting times may exceed `target`: about the longest round-trip time.",
    },
    Parameter {
        name: "ecn",
        unit: Unit::Flag,
        default: DefaultValue::Is(0),
        meaning: "Whether packets that can be are marked instead of dropped, except by a full queue.",
    },
];

fn check(values: &[u64]) -> Option<&'static str> {
    let &[target, interval, _] = values else { return None };
    let longest = Time::from_secs(1_000_000).as_ps();
    let is_time = |ps: u64| (1..=longest).contains(&ps);
    let problem = "`target_ps` and `interval_ps` must be positive and at most 1e18";
    (!is_time(target) || !is_time(interval)).then_some(problem)
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn QueueDiscipline<P>> {
    let &[target, interval, ecn] = values else { unreachable!("there is a value for each parameter") };
    let mark = setting.mark_if(ecn == 1);
    Box::new(CoDel::new(Time::from_ps(target), Time::from_ps(interval), setting.limits, mark))
}

/// Controlled delay.
struct CoDel<P> {
    target: Time,
    interval: Time,
    limits: DropTail,
    mark: fn(&mut P) -> bool,
    buffer: PacketBuffer<P>,
    /// Length of the longest packet seen so far, bytes.
    max_packet: u64,
    /// When dropping may start if sojourn times stay above `target`; none while they are below.
    first_above_time: Option<Time>,
    /// Whether it is in the dropping state, and when the next drop is due.
    dropping: bool,
    drop_next: Time,
    /// Drops since the dropping state was entered, and what they began with.
    count: u32,
    last_count: u32,
}

impl<P> CoDel<P> {
    fn new(target: Time, interval: Time, limits: DropTail, mark: fn(&mut P) -> bool) -> Self {
        Self {
            target,
            interval,
            limits,
            mark,
            buffer: PacketBuffer::new(),
            max_packet: 0,
            first_above_time: None,
            dropping: false,
            drop_next: Time::ZERO,
            count: 0,
            last_count: 0,
        }
    }

    /// The packet at the head, and whether it may be dropped.
    fn head(&mut self, now: Time) -> (Option<Queued<P>>, bool) {
        let Some(head) = self.buffer.dequeue() else {
            self.first_above_time = None;
            return (None, false);
        };
        if now - head.since < self.target || self.buffer.bytes() <= self.max_packet {
            self.first_above_time = None;
            return (Some(head), false);
        }
        match self.first_above_time {
            Some(time) => (Some(head), now >= time),
            None => {
                self.first_above_time = Some(now + self.interval);
                (Some(head), false)
            }
        }
    }

    /// The time of the drop after one at `time`.
    fn control_law(&self, time: Time) -> Time {
        let interval = u128::from(self.interval.as_ps());
        time + Time::from_ps((interval * interval / u128::from(self.count.max(1))).isqrt() as u64)
    }

    /// Signals congestion by a packet from the head. If it can be marked it is sent, else it is dropped and
    /// the next one takes its place. Whether that one may be dropped too, or none if the packet was marked.
    fn signal(&mut self, head: &mut Option<Queued<P>>, now: Time, sink: &mut dyn Sink<P>) -> Option<bool> {
        let packet = &mut head.as_mut()?.packet;
        if (self.mark)(&mut packet.payload) {
            sink.marked(packet);
            return None;
        }
        sink.dropped(packet, DropCause::QueueEarly);
        let (next, ok_to_drop) = self.head(now);
        *head = next;
        Some(ok_to_drop)
    }
}

impl<P: Send> QueueDiscipline<P> for CoDel<P> {
    fn enqueue(&mut self, packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        let (packets, bytes) = (self.buffer.packets(), self.buffer.bytes());
        if !self.limits.has_room(Backlog { packets, bytes, idle_since: None }, packet.bytes) {
            return sink.dropped(&packet, DropCause::QueueFull);
        }
        self.max_packet = self.max_packet.max(u64::from(packet.bytes));
        self.buffer.enqueue(packet, now);
    }

    fn dequeue(&mut self, now: Time, sink: &mut dyn Sink<P>) -> Option<Queued<P>> {
        let (mut head, ok_to_drop) = self.head(now);
        if self.dropping {
            self.dropping = ok_to_drop;
            while self.dropping && now >= self.drop_next {
                self.count = self.count.saturating_add(1);
                let signaled = self.signal(&mut head, now, sink);
                self.dropping = signaled != Some(false);
                if self.dropping {
                    self.drop_next = self.control_law(self.drop_next);
                }
                if signaled.is_none() {
                    break;
                }
            }
        } else if ok_to_drop {
            self.signal(&mut head, now, sink);
            self.dropping = true;
            let drops = self.count - self.last_count;
            let resumes = now.saturating_sub(self.drop_next) < self.interval * RESUMES_WITHIN;
            self.count = if drops > 1 && resumes { drops } else { 1 };
            self.last_count = self.count;
            self.drop_next = self.control_law(now);
        }
        head
    }

    fn len_packets(&self) -> usize {
        self.buffer.packets()
    }

    fn len_bytes(&self) -> u64 {
        self.buffer.bytes()
    }
}
