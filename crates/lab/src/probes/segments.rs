//! The segments of chosen flows one by one, as their senders see them: what a time-sequence diagram shows.

use crate::columns::{Table, Words};
use crate::error::Error;
use crate::host::{Host, Payload};
use crate::plan::{MOST_ROWS, Plan};
use base::Time;
use sim::link::LinkEvent;
use sim::{Event, Observer, Packet, PacketId};
use std::collections::BTreeMap;
use tcp::Segment;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    flow: u32,
    connection: u32,
    at: Time,
    kind: Kind,
    /// Bytes of the stream, the first of which has number 0.
    bytes: (u64, u64),
    sent_again: bool,
    lost: bool,
}

/// One connection so far.
#[derive(Clone, Copy, Default)]
struct Known {
    /// The end of all data that were sent.
    end: u64,
    /// The end of the receive window.
    window_end: u64,
}

/// The data that chosen senders send, with the fate of each segment, and the ACKs that reach them, in a span of time.
pub struct SegmentTrace {
    flows: u32,
    from: Time,
    until: Time,
    /// For each flow, its connections if it is watched.
    known: Vec<Option<BTreeMap<u32, Known>>>,
    rows: Vec<Row>,
    /// The rows of the segments that are in the network.
    under_way: BTreeMap<PacketId, usize>,
    most_rows: u64,
}

impl SegmentTrace {
    /// As the plan configures it.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let wanted = plan.probes.segments.as_ref();
        let mut known = vec![None; wanted.map_or(0, |_| plan.flows.len())];
        for &flow in wanted.iter().flat_map(|its| &its.flows) {
            known[flow as usize] = Some(BTreeMap::new());
        }
        Self {
            flows: plan.flows.len() as u32,
            from: Time::from_ps(wanted.map_or(0, |its| its.from_ps)),
            until: Time::from_ps(wanted.map_or(0, |its| its.until_ps)),
            known,
            rows: Vec::new(),
            under_way: BTreeMap::new(),
            most_rows: MOST_ROWS,
        }
    }

    /// Columns `flow`, `connection`, `time_s`, `kind` ("data", "ack", "sack", "window"), `low`, `high` (bytes of the
    /// stream from 0; of an ACK and of a window both are its end), `sent_again`, `lost` (1 if so).
    ///
    /// # Errors
    /// If there were more rows than may be recorded.
    pub fn into_table(self) -> Result<Table, Error> {
        let mut table = Table::default();
        if self.known.iter().all(Option::is_none) {
            return Ok(table);
        }
        if self.rows.len() as u64 > self.most_rows {
            return Err(Error::Value(
                "`segments` gives more than 20000000 rows: name fewer flows in probes.segments, or a shorter time in probes.segments_from and probes.segments_until",
            ));
        }
        let rows = || self.rows.iter();
        let mut words = Words::default();
        KINDS.iter().for_each(|&kind| _ = words.number_of(kind.into()));
        table.integers("flow", rows().map(|row| u64::from(row.flow)));
        table.integers("connection", rows().map(|row| u64::from(row.connection)));
        table.reals("time_s", rows().map(|row| row.at.as_secs_f64()));
        table.words("kind", self.rows.iter().map(|row| Some(row.kind as u32)), words);
        table.integers("low", rows().map(|row| row.bytes.0));
        table.integers("high", rows().map(|row| row.bytes.1));
        table.integers("sent_again", rows().map(|row| u64::from(row.sent_again)));
        table.integers("lost", rows().map(|row| u64::from(row.lost)));
        Ok(table)
    }

    /// What is known of a connection, if its flow is watched. Hosts flows .. 2 flows are the senders.
    fn known(&mut self, sender: u32, connection: u32) -> Option<(u32, &mut Known)> {
        let flow = sender.checked_sub(self.flows)?;
        let known = self.known.get_mut(flow as usize)?.as_mut()?;
        Some((flow, known.entry(connection).or_default()))
    }

    /// Adds a row; one too many says that there were too many.
    fn add(&mut self, row: Row) {
        if (self.from..self.until).contains(&row.at) && self.rows.len() as u64 <= self.most_rows {
            self.rows.push(row);
        }
    }

    fn on_sent(&mut self, at: Time, packet: &Packet<Payload>, segment: &Segment) {
        let Some((flow, known)) = self.known(packet.from.0, packet.flow) else { return };
        let bytes = (segment.seq.saturating_sub(1), segment.seq.saturating_sub(1) + u64::from(segment.len));
        let sent_again = bytes.0 < known.end;
        known.end = known.end.max(bytes.1);
        if segment.len > 0 {
            let rows = self.rows.len();
            let kind = Kind::Data;
            self.add(Row { flow, connection: packet.flow, at, kind, bytes, sent_again, lost: false });
            if self.rows.len() > rows {
                self.under_way.insert(packet.id, rows);
            }
        }
    }

    fn on_delivered(&mut self, at: Time, packet: &Packet<Payload>, segment: &Segment) {
        self.under_way.remove(&packet.id);
        let Some((flow, known)) = self.known(packet.to.0, packet.flow) else { return };
        // The SYN has number 0, the first byte number 1. A FIN is no byte of the stream.
        let Some(ack) = segment.ack.map(|ack| ack.saturating_sub(1).min(known.end)) else { return };
        let row = Row {
            flow,
            connection: packet.flow,
            at,
            kind: Kind::Ack,
            bytes: (ack, ack),
            sent_again: false,
            lost: false,
        };
        self.add(row);
        for &(low, high) in segment.sack.as_slice() {
            self.add(Row { kind: Kind::Sack, bytes: (low.saturating_sub(1), high.saturating_sub(1)), ..row });
        }
    }

    fn on_acted(&mut self, at: Time, id: u32, host: &Host) {
        for (connection, its) in host.connections() {
            let Some((flow, known)) = self.known(id, connection) else { return };
            let sender = its.sender();
            let end = (sender.snd_una + sender.rwnd).saturating_sub(1);
            if its.is_synchronized() && end != known.window_end {
                known.window_end = end;
                let (kind, bytes) = (Kind::Window, (end, end));
                self.add(Row { flow, connection, at, kind, bytes, sent_again: false, lost: false });
            }
        }
    }
}

impl Observer<Host> for SegmentTrace {
    const FOLLOWS_PACKETS: bool = false;

    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        if self.known.is_empty() {
            return;
        }
        match event {
            Event::Sent(_, packet) => {
                packet.payload.segment().into_iter().for_each(|its| self.on_sent(at, packet, its));
            }
            Event::Delivered(_, packet) => {
                packet.payload.segment().into_iter().for_each(|its| self.on_delivered(at, packet, its));
            }
            Event::Link(_, LinkEvent::Dropped(packet, _)) => {
                if let Some(row) = self.under_way.remove(&packet.id) {
                    self.rows[row].lost = true;
                }
            }
            Event::Acted(id, host) => self.on_acted(at, id.0, host),
            _ => {}
        }
    }
}
