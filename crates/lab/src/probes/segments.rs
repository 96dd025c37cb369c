//! The segments of chosen flows one by one, as their senders see them: what a time-sequence diagram shows.

use super::log::{Log, OfFlows};
use super::under_way::UnderWay;
use crate::causes::{Reason, Sending};
use crate::columns::{Recorded, Table, Words};
use crate::error::Error;
use crate::host::{Host, Payload};
use crate::plan::Plan;
use crate::recorder::Recorder;
use base::Time;
use sim::link::LinkEvent;
use sim::{Event, HostId, LinkId, Observer, Packet, PacketId};
use tcp::Connection;

/// Memory of a row.
pub(super) const ROW_BYTES: usize = Log::<Row>::row_bytes(9);

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
pub(crate) struct SegmentTrace {
    flows: u32,
    known: OfFlows<Known>,
    log: Log<Row>,
    /// The rows of the segments that are in the network.
    under_way: UnderWay<usize>,
}

impl SegmentTrace {
    /// As the plan configures it; none if it does not.
    pub(crate) fn of(plan: &Plan) -> Option<Self> {
        (!plan.probes.segments_of.is_empty()).then(|| Self {
            flows: plan.flow_count(),
            known: OfFlows::new(plan, &plan.probes.segments_of),
            log: Log::new(plan),
            under_way: UnderWay::default(),
        })
    }

    /// The flow of a sender, if it is recorded. Hosts flows .. 2 flows are the senders.
    #[inline]
    fn flow_of(&self, sender: HostId) -> Option<u32> {
        sender.0.checked_sub(self.flows).filter(|flow| self.known.contains(*flow))
    }

    /// The sender of a flow sends a packet.
    #[inline(never)]
    fn sent(&mut self, at: Time, flow: u32, packet: &Packet<Payload>) {
        let Some(segment) = packet.payload.segment() else { return };
        let Some(known) = self.known.of(flow, packet.flow) else { return };
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

    /// A packet reaches the sender of a flow.
    #[inline(never)]
    fn delivered(&mut self, at: Time, flow: u32, packet: &Packet<Payload>) {
        let Some(segment) = packet.payload.segment() else { return };
        let Some(known) = self.known.of(flow, packet.flow) else { return };
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
    fn dropped(&mut self, id: PacketId) {
        if let Some(row) = self.under_way.take(id) {
            self.log.get_mut(row).lost = true;
        }
    }

    /// The sender of a flow has acted.
    #[inline(never)]
    fn acted(&mut self, at: Time, flow: u32, sender: &Host) {
        if !self.log.is_over(at) {
            for (number, connection) in sender.connections() {
                self.connection_acted(at, flow, number, connection);
            }
        }
    }

    #[inline]
    fn connection_acted(&mut self, at: Time, flow: u32, number: u32, connection: &Connection) {
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
    fn table(&self) -> Result<Table, Error> {
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

impl Observer<Host> for SegmentTrace {
    fn follows(&self, _: LinkId) -> bool {
        false
    }

    // Inlined, so that where an event happens only its own branch is left.
    #[inline(always)]
    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        match event {
            Event::Acted(id, host) => {
                if let Some(flow) = self.flow_of(*id) {
                    self.acted(at, flow, host);
                }
            }
            Event::Sent(_, packet) => {
                if let Some(flow) = self.flow_of(packet.from) {
                    self.sent(at, flow, packet);
                }
            }
            Event::Delivered(_, packet) => {
                if let Some(flow) = self.flow_of(packet.to) {
                    self.delivered(at, flow, packet);
                } else if self.flow_of(packet.from).is_some() {
                    self.under_way.take(packet.id);
                }
            }
            Event::Link(_, LinkEvent::Dropped(packet, _)) => self.dropped(packet.id),
            _ => {}
        }
    }
}

impl Recorder for SegmentTrace {
    fn record(&self, _: Time, tables: &mut Recorded) -> Result<(), Error> {
        tables.segments = self.table()?;
        Ok(())
    }
}
