//! `ce_threshold`: marks each packet that has waited longer than a threshold, as DCTCP needs.
//!
//! Source: Linux 6, include/net/codel_impl.h and net/sched/sch_fq.c; RFC 8257, section 3.1.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | ce_threshold | ps | off |

use super::{DefaultValue, Parameter, Queued, Setting, Sink, Unit};
use base::Time;

/// The parameter of a discipline that has a threshold.
pub(super) const fn parameter(meaning: &'static str) -> Parameter {
    Parameter { name: "ce_threshold", unit: Unit::Time, default: DefaultValue::Off, meaning }
}

/// Packets that have waited longer are marked as they are sent.
pub(super) struct CeThreshold<P> {
    /// [`Time::NEVER`] if it is off.
    threshold: Time,
    mark: fn(&mut P) -> bool,
}

impl<P> CeThreshold<P> {
    /// From the value of the parameter.
    pub(super) fn new(value: u64, setting: &Setting<P>) -> Self {
        Self { threshold: Time::from_ps(value), mark: setting.mark }
    }

    /// Marks a packet that is sent after it has waited for so long.
    pub(super) fn apply(&self, sent: &mut Queued<P>, waited: Time, sink: &mut dyn Sink<P>) {
        if waited > self.threshold && (self.mark)(&mut sent.packet.payload) {
            sink.marked(&sent.packet);
        }
    }
}
