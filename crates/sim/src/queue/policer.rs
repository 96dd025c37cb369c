//! Policer: packets that exceed a rate are dropped or marked as they arrive, and none is delayed.
//!
//! Source: RFC 2698, section 3, in color-blind mode; without `peak_rate` RFC 2697 with an EBS of 0; marks: RFC 3168,
//! section 5. The buckets are those of `bucket.rs`. Flach et al. 2016, "An Internet-Wide Analysis of Traffic Policing",
//! finds that policed connections lose six times as many packets as others.
//!
//! A packet for which the bucket of `rate` holds tokens passes and takes them. With `peak_rate` a second bucket must
//! hold them too: what exceeds that rate is dropped. What exceeds `rate` alone is dropped, or with `action = "mark"`
//! marked; then it takes tokens of the second bucket only, and passes. Behind the policer is a drop-tail queue.
//!
//! Deviations and choices:
//! - What the policer drops takes no tokens, as in Linux 6, net/sched/act_police.c. The RFC only meters, and would let
//!   a packet take tokens of the peak rate that is dropped afterwards.
//! - A packet that the policer passes takes tokens, whether the queue behind it has room or not. One that finds the
//!   queue full counts as dropped by it, whatever the policer would have done.
//! - A packet that cannot be marked is dropped.
//! - A packet longer than a bucket is deep never passes, as in the RFC. It wants buckets that hold the longest packet.
//! - `burst` is 100 ms of 10 Mbit/s by default: what a connection has in flight at that rate if its round-trip time
//!   is 100 ms. `peak_burst` is ten packets of 1514 bytes, the least that Juniper's guide to policers recommends for a
//!   burst.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | rate (CIR) | bit/s | off: the link's rate |
//! | burst (CBS) | bytes | 125,000 |
//! | peak_rate (PIR) | bit/s | off |
//! | peak_burst (PBS) | bytes | 15,140 |
//! | action | drop or mark | drop |
//! | limits | as of drop-tail | |

use super::bucket::{self, Bucket};
use super::{
    Admission, Backlog, DefaultValue, Discipline, DropTail, Make, OFF, Parameter, Setting, Unit, Verdict,
};
use crate::link::DropCause;
use crate::packet::Packet;
use base::{Ecn, Time};

#[cfg(test)]
mod tests;

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "policer",
        title: "policed",
        summary: "Drops or marks packets that exceed a rate as they arrive, apart from a burst (RFC 2697, RFC 2698).",
        parameters: PARAMETERS,
        limit: None,
        is_random: false,
        check,
        make: Make::AtArrival(make),
    }
}

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "rate",
        unit: Unit::Rate,
        default: DefaultValue::Off,
        meaning: "Rate up to which packets pass (CIR); off: that of the link.",
    },
    Parameter {
        name: "burst",
        unit: Unit::Size,
        default: DefaultValue::Is(125_000),
        meaning: "Bytes that pass at once after a pause (CBS): the depth of the bucket.",
    },
    Parameter {
        name: "peak_rate",
        unit: Unit::Rate,
        default: DefaultValue::Off,
        meaning: "Rate above which packets are dropped whatever the action (PIR).",
    },
    Parameter {
        name: "peak_burst",
        unit: Unit::Size,
        default: DefaultValue::Is(15_140),
        meaning: "Bytes that may come faster than at `peak_rate` (PBS).",
    },
    Parameter {
        name: "action",
        unit: Unit::Word(&["drop", "mark"]),
        default: DefaultValue::Is(0),
        meaning: "What happens to packets above `rate`: marked or dropped; packets without ECN are always dropped.",
    },
];

fn check(values: &[u64]) -> Option<&'static str> {
    bucket::check(values.get(..4)?.try_into().ok()?)
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn Admission<P>> {
    let &[rate, burst, peak_rate, peak_burst, action] = values else {
        unreachable!("there is a value for each parameter")
    };
    let rate = if rate == OFF { setting.rate.as_bps() } else { rate };
    Box::new(Policer {
        committed: Bucket::full(rate, burst),
        peak: (peak_rate != OFF).then(|| Bucket::full(peak_rate, peak_burst)),
        marks: action == 1,
        ecn: setting.ecn,
        mark: setting.mark,
        limits: setting.limits,
    })
}

/// What RFC 2698 calls packets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Color {
    Green,
    Yellow,
    Red,
}

/// A policer with a queue behind it.
struct Policer<P> {
    committed: Bucket,
    peak: Option<Bucket>,
    /// Whether packets that exceed the committed rate alone are marked.
    marks: bool,
    ecn: fn(&P) -> Ecn,
    mark: fn(&mut P) -> bool,
    limits: DropTail,
}

impl<P> Policer<P> {
    fn color(&mut self, bytes: u64, now: Time) -> Color {
        self.committed.fill(now);
        if let Some(peak) = &mut self.peak {
            peak.fill(now);
            if !peak.holds(bytes) {
                return Color::Red;
            }
        }
        if self.committed.holds(bytes) { Color::Green } else { Color::Yellow }
    }

    fn take(&mut self, color: Color, bytes: u64) {
        if let Some(peak) = &mut self.peak {
            peak.take(bytes);
        }
        if color == Color::Green {
            self.committed.take(bytes);
        }
    }
}

impl<P> Admission<P> for Policer<P> {
    fn admit(&mut self, packet: &mut Packet<P>, backlog: Backlog, now: Time) -> Verdict {
        let bytes = u64::from(packet.bytes);
        let color = self.color(bytes, now);
        let passes = match color {
            Color::Green => true,
            Color::Yellow => self.marks && (self.ecn)(&packet.payload) != Ecn::NotEct,
            Color::Red => false,
        };
        if passes {
            self.take(color, bytes);
        }
        if !self.limits.has_room(backlog.packets, backlog.bytes, packet.bytes) {
            return Verdict::Drop(DropCause::QueueFull);
        }
        match color {
            Color::Green => Verdict::Enqueue,
            Color::Yellow if passes && (self.mark)(&mut packet.payload) => Verdict::Mark,
            Color::Yellow | Color::Red => Verdict::Drop(DropCause::QueueEarly),
        }
    }
}
