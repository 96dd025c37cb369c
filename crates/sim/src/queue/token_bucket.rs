//! Token bucket: a shaper. Packets wait until their tokens have come.
//!
//! Source: Linux 6, net/sched/sch_tbf.c; tc-tbf(8). The buckets are those of `bucket.rs`.
//!
//! Packets leave first in, first out. The one at the head leaves as soon as the bucket holds tokens for it, and takes
//! them. With `peak_rate` a second bucket must hold them too, so that a burst leaves at that rate. In no interval do
//! more bytes leave than `rate` x its length + `burst`.
//!
//! Deviations and choices:
//! - A packet that is longer than the bucket is deep leaves when the bucket is full, and the bucket owes the rest. The
//!   rate holds on average. Linux drops such a packet, so that a small `burst` would let no full packet through.
//! - With no `rate` there is no first bucket. One at the link's rate would hold nothing back: it is full again at the
//!   end of each transmission.
//! - Times are exact. Linux needs a `burst` of what comes in a tick of its timer; here any packet would do. The default
//!   is that of the example in tc-tbf(8), 5 kB of 1024 bytes each, which are three full packets.
//! - The second bucket holds one packet, as sch_tbf.c wants it: 1500 bytes and an Ethernet header.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | rate | bit/s | off: the link's rate |
//! | burst | bytes | 5120 |
//! | peak_rate | bit/s | off |
//! | peak_burst | bytes | 1514 |
//! | limits | as of drop-tail | |

use super::bucket::{self, Bucket};
use super::{
    DefaultValue, Discipline, DropTail, LONGEST_FRAME, Make, OFF, PacketBuffer, Parameter, QueueDiscipline,
    Queued, Setting, Sink, Unit,
};
use crate::link::DropCause;
use crate::packet::Packet;
use base::Time;

#[cfg(test)]
mod tests;

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "token_bucket",
        title: "token-bucket",
        summary: "Holds packets back so that they leave at no more than a rate, apart from a burst \
                  (a shaper, Linux's tbf).",
        parameters: PARAMETERS,
        limit: None,
        is_random: false,
        check,
        make: Make::Queue(make),
    }
}

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "rate",
        unit: Unit::Rate,
        default: DefaultValue::Off,
        meaning: "Rate at which packets leave on average; off: that of the link.",
    },
    Parameter {
        name: "burst",
        unit: Unit::Size,
        default: DefaultValue::Is(5120),
        meaning: "Bytes that may leave at once after a pause: the depth of the bucket.",
    },
    Parameter {
        name: "peak_rate",
        unit: Unit::Rate,
        default: DefaultValue::Off,
        meaning: "Rate at which a burst leaves; off: that of the link.",
    },
    Parameter {
        name: "peak_burst",
        unit: Unit::Size,
        default: DefaultValue::Is(LONGEST_FRAME),
        meaning: "Bytes that may leave faster than at `peak_rate`: a packet.",
    },
];

fn check(values: &[u64]) -> Option<&'static str> {
    bucket::check(values.try_into().ok()?)
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn QueueDiscipline<P>> {
    let &[rate, burst, peak_rate, peak_burst] = values else {
        unreachable!("there is a value for each parameter")
    };
    let buckets = [(rate, burst), (peak_rate, peak_burst)].into_iter().filter(|&(rate, _)| rate != OFF);
    Box::new(TokenBucket {
        limits: setting.limits,
        buffer: PacketBuffer::new(),
        buckets: buckets.map(|(rate, depth)| Bucket::full(rate, depth)).collect(),
    })
}

/// A queue behind token buckets.
struct TokenBucket<P> {
    limits: DropTail,
    buffer: PacketBuffer<P>,
    /// None, one, or two.
    buckets: Vec<Bucket>,
}

/// Bytes for which a bucket must hold tokens before a packet leaves: a packet that is too long needs a full one.
fn needed(bucket: &Bucket, bytes: u64) -> u64 {
    bytes.min(bucket.depth())
}

impl<P: Send> QueueDiscipline<P> for TokenBucket<P> {
    fn enqueue(&mut self, packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        if !self.limits.has_room(self.buffer.packets(), self.buffer.bytes(), packet.bytes) {
            return sink.dropped(&packet, DropCause::QueueFull);
        }
        self.buffer.enqueue(packet, now);
    }

    fn dequeue(&mut self, now: Time, _: &mut dyn Sink<P>) -> Option<Queued<P>> {
        let bytes = self.buffer.head_bytes()?;
        self.buckets.iter_mut().for_each(|bucket| bucket.fill(now));
        if !self.buckets.iter().all(|bucket| bucket.holds(needed(bucket, bytes))) {
            return None;
        }
        self.buckets.iter_mut().for_each(|bucket| bucket.take(bytes));
        self.buffer.dequeue()
    }

    fn ready_at(&self, _: Time) -> Time {
        let Some(bytes) = self.buffer.head_bytes() else { return Time::NEVER };
        let ready = self.buckets.iter().map(|bucket| bucket.holds_at(needed(bucket, bytes)));
        ready.max().unwrap_or(Time::NEVER)
    }

    fn len_packets(&self) -> usize {
        self.buffer.packets()
    }

    fn len_bytes(&self) -> u64 {
        self.buffer.bytes()
    }
}
