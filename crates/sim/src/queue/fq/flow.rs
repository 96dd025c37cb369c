//! The queue of a flow in FQ, and when pacing lets it send.

use crate::queue::ce_threshold::CeThreshold;
use crate::queue::{DropTail, Ends, PacketBuffer, Queued, Sink};
use base::{Rate, Time};

/// How long an idle flow is remembered.
pub(super) const REMEMBERED: Time = Time::from_secs(3);
/// The longest that pacing lets a flow wait.
const LONGEST_WAIT: Time = Time::from_secs(1);

/// The parameters of the discipline.
pub(super) struct Config<P> {
    pub(super) quantum: i64,
    pub(super) initial_quantum: i64,
    pub(super) flow_limit: u64,
    pub(super) max_rate: Option<Rate>,
    /// Whether a flow is paced after each packet, and not only when its credit is spent.
    pub(super) paces_each: bool,
    pub(super) refill_delay: Time,
    pub(super) ce_threshold: CeThreshold<P>,
    pub(super) limits: DropTail,
    pub(super) ends: Ends,
}

/// The queue of a flow.
pub(super) struct FlowQueue<P> {
    pub(super) buffer: PacketBuffer<P>,
    pub(super) band: usize,
    /// Bytes that it may send in its turn; below zero if it has sent more.
    pub(super) credit: i64,
    /// From when on pacing lets it send; none if it has never been paced.
    pub(super) may_send: Option<Time>,
    /// Since when it is in no list and not held back.
    pub(super) idle_since: Option<Time>,
}

impl<P> FlowQueue<P> {
    /// The empty queue of a flow that was never seen.
    pub(super) fn new(config: &Config<P>, band: usize, now: Time) -> Self {
        let (buffer, credit) = (PacketBuffer::new(), config.initial_quantum);
        Self { buffer, band, credit, may_send: None, idle_since: Some(now) }
    }

    /// Takes the packet at the head, and sets when the next one may be sent.
    pub(super) fn send(
        &mut self,
        config: &Config<P>,
        now: Time,
        sink: &mut dyn Sink<P>,
    ) -> Option<Queued<P>> {
        let mut sent = self.buffer.dequeue()?;
        let ready = self.may_send.map_or(sent.since, |time| time.max(sent.since));
        config.ce_threshold.apply(&mut sent, now - ready, sink);
        self.credit -= i64::from(sent.packet.bytes);
        if let Some(rate) = config.max_rate {
            self.pace(config, rate, u64::from(sent.packet.bytes), now);
        }
        Some(sent)
    }

    /// Sets when the next packet may be sent after one of so many bytes.
    fn pace(&mut self, config: &Config<P>, rate: Rate, bytes: u64, now: Time) {
        let paced = if config.paces_each {
            self.credit = 0;
            bytes
        } else if self.credit > 0 {
            return;
        } else {
            bytes.max(config.quantum as u64)
        };
        let wait = rate.time_for(paced).min(LONGEST_WAIT);
        let late = self.may_send.map_or(Time::ZERO, |time| now - time);
        let half = Time::from_ps(wait.as_ps() / 2);
        self.may_send = Some(now + wait - late.min(half));
    }
}

/// Whether a flow that has been idle for so long counts as new.
pub(super) fn is_forgotten(since: Time, now: Time) -> bool {
    now - since > REMEMBERED
}
