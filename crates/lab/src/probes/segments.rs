//! The segments of chosen flows one by one, as their senders see them: what a time-sequence diagram shows.

use super::log::{Log, OfFlows};
use super::under_way::UnderWay;
use crate::causes::{Reason, Sending};
use crate::columns::{Table, Words};
use crate::error::Error;
use crate::host::Payload;
use crate::plan::Plan;
use base::Time;
use sim::{HostId, Packet, PacketId};
use tcp::Connection;

const TOO_MANY: &str = "`segments_of` gives more than 20000000 rows: name fewer flows in probes.segments, or a shorter time in probes.from and probes.until";

/// What a row is about. The numbers are those of [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The sender sends data.
    Data,
    /// An ACK reaches the sender.
    Ack,
    /// The same ACK reports a range by SACK.
    Sack,
    /// The end of the receive window has moved.
    Window,
}

const KINDS: [&str; 4] = ["data", "ack", "sack", "window"];

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    kind: Kind,
    /// Bytes of the stream, the first of which has number 0.
    bytes: (u64, u64),
    sent_again: bool,
    lost: bool,
    reason: Option<Reason>,
}

impl Row {
    /// Of something that is not sent.
    const fn of(kind: Kind, bytes: (u64, u64)) -> Self {
        Self { kind, bytes, sent_again: false, lost: false, reason: None }
    }
}

/// One connection so far.
#[derive(Clone, Copy, Default)]
struct Known {
    /// The end of all data that were sent.
    end: u64,
    /// The end of the receive window.
    window_end: u64,
    sending: Sending,
}

/// The data that chosen senders send, with the fate of each segment, and the ACKs that reach them.
pub(super) struct SegmentTrace {
    flows: u32,
    known: OfFlows<Known>,
    log: Log<Row>,
    /// The rows of the segments that are in the network.
    under_way: UnderWay,
}

impl SegmentTrace {
    /// As the plan configures it.
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            flows: plan.flow_count(),
            known: OfFlows::new(plan, &plan.probes.segments_of),
            log: Log::new(plan),
            under_way: UnderWay::default(),
        }
    }

    /// What is known of a connection, if its flow is recorded. Hosts flows .. 2 flows are the senders.
    fn known(&mut self, sender: HostId, connection: u32) -> Option<(u32, &mut Known)> {
        let flow = sender.0.checked_sub(self.flows)?;
        Some((flow, self.known.of(flow, connection)?))
    }

    /// A host sends a packet.
    #[inline(never)]
    pub(super) fn sent(&mut self, at: Time, packet: &Packet<Payload>) {
        let Some(segment) = packet.payload.segment() else { return };
        let Some((flow, known)) = self.known(packet.from, packet.flow) else { return };
        let low = segment.seq.saturating_sub(1);
        let bytes = (low, low + u64::from(segment.len));
        let sent_again = low < known.end;
        known.end = known.end.max(bytes.1);
        let (_, reason) = known.sending.sent(segment);
        if segment.len > 0 {
            let rows = self.log.len();
            self.log.add(flow, packet.flow, at, Row { sent_again, reason, ..Row::of(Kind::Data, bytes) });
            if self.log.len() > rows {
                self.under_way.add(packet.id, rows);
            }
        }
    }

    /// A packet reaches its host.
    #[inline(never)]
    pub(super) fn delivered(&mut self, at: Time, packet: &Packet<Payload>) {
        let Some(segment) = packet.payload.segment() else { return };
        let Some((flow, known)) = self.known(packet.to, packet.flow) else {
            self.under_way.take(packet.id);
            return;
        };
        known.sending.delivered(segment);
        // The SYN has number 0, the first byte number 1. A FIN is no byte of the stream.
        let Some(ack) = segment.ack.map(|ack| ack.saturating_sub(1).min(known.end)) else { return };
        self.log.add(flow, packet.flow, at, Row::of(Kind::Ack, (ack, ack)));
        for &(low, high) in segment.sack.as_slice() {
            let bytes = (low.saturating_sub(1), high.saturating_sub(1));
            self.log.add(flow, packet.flow, at, Row::of(Kind::Sack, bytes));
        }
    }

    /// A packet is lost.
    #[inline(never)]
    pub(super) fn dropped(&mut self, id: PacketId) {
        if let Some(row) = self.under_way.take(id) {
            self.log.get_mut(row).lost = true;
        }
    }

    /// A sender has acted.
    #[inline]
    pub(super) fn acted(&mut self, at: Time, flow: u32, number: u32, connection: &Connection) {
        let Some(known) = self.known.of(flow, number) else { return };
        known.sending.acted(connection);
        let sender = connection.sender();
        let end = (sender.snd_una + sender.rwnd).saturating_sub(1);
        if connection.is_synchronized() && end != known.window_end {
            known.window_end = end;
            self.log.add(flow, number, at, Row::of(Kind::Window, (end, end)));
        }
    }

    /// Columns `flow`, `connection`, `time_s`, `kind` ("data", "ack", "sack", "window"), `low`, `high` (bytes of the
    /// stream from 0; of an ACK and of a window both are its end), `sent_again`, `lost` (1 if so), `reason` (why a
    /// segment was sent again, or beside its turn; none if that is not known).
    pub(super) fn table(&self) -> Result<Table, Error> {
        let mut table = self.log.table(TOO_MANY)?;
        let rows = || self.log.values();
        table.words("kind", rows().map(|row| Some(row.kind as u32)), Words::of(&KINDS));
        table.integers("low", rows().map(|row| row.bytes.0));
        table.integers("high", rows().map(|row| row.bytes.1));
        table.integers("sent_again", rows().map(|row| u64::from(row.sent_again)));
        table.integers("lost", rows().map(|row| u64::from(row.lost)));
        let mut words = Words::default();
        let number = |row: &Row| row.reason.and_then(Reason::words).map(|word| words.number_of(word));
        let reasons: Vec<_> = rows().map(number).collect();
        table.words("reason", reasons, words);
        Ok(table)
    }
}
