//! The packets of chosen links one by one: when each came, left and arrived, and what became of it.

use super::log::Window;
use super::under_way::UnderWay;
use crate::by_connection::ByConnection;
use crate::causes::LossCause;
use crate::columns::{self, Table, VALUE_BYTES, Words};
use crate::error::Error;
use crate::host::{Content, Host, Payload};
use crate::plan::{MOST_ROWS, Plan};
use crate::recorder::Recorder;
use atm::{AtmEvent, FrameDrop};
use base::{Ecn, Time};
use sim::link::{DropCause, LinkEvent};
use sim::{Event, LinkId, Observer, Packet, PacketId};
use tcp::Segment;

const TOO_MANY: &str = "`packets_of` gives more than 20000000 rows: name fewer links in probes.packets, or a shorter time in probes.from and probes.until";

/// Memory of a row, and of its values in the columns.
pub(super) const ROW_BYTES: usize = size_of::<Row>() + 15 * VALUE_BYTES;

/// What a packet is. The numbers are those of [`KINDS`].
#[derive(Clone, Copy)]
enum Kind {
    Data,
    Ack,
    Syn,
    Fin,
    Reset,
    Datagram,
}

const KINDS: [&str; 6] = ["data", "ack", "syn", "fin", "reset", "datagram"];

impl Kind {
    fn of(segment: &Segment) -> Self {
        if segment.syn {
            Self::Syn
        } else if segment.len > 0 {
            Self::Data
        } else if segment.rst {
            Self::Reset
        } else if segment.fin {
            Self::Fin
        } else {
            Self::Ack
        }
    }
}

/// A packet at a link.
struct Row {
    link: LinkId,
    flow: u32,
    connection: u32,
    packet: PacketId,
    kind: Kind,
    offered: Time,
    /// [`Time::NEVER`] if its last bit never does.
    left: Time,
    arrived: Time,
    /// [`Time::NEVER`] if it is not dropped before its last bit leaves.
    dropped: Time,
    /// Of the stream, the first byte of which has number 0.
    bytes: (u64, u64),
    length: u32,
    sent_again: bool,
    marked: bool,
    lost: Option<LossCause>,
}

/// What a host has sent on a connection.
#[derive(Clone, Copy, Default)]
struct Sent {
    /// One above the highest sequence number.
    highest: u64,
    /// The end of the data; a FIN is no byte of the stream.
    end: u64,
    /// How many packets in the network have data that had been sent before.
    again: u32,
}

/// A link that is recorded.
#[derive(Default)]
struct Recorded {
    packets: UnderWay<usize>,
    /// Why a frame was dropped last.
    frame_drop: Option<FrameDrop>,
}

/// The packets of chosen links.
pub(crate) struct PacketTrace {
    flows: u32,
    window: Window,
    links: Vec<Option<Recorded>>,
    /// By host.
    sent: Vec<ByConnection<Sent>>,
    /// Packets in the network whose data had been sent before.
    sent_again: UnderWay<()>,
    rows: Vec<Row>,
    most_rows: u64,
}

impl PacketTrace {
    /// As the plan configures it; none if it does not.
    pub(crate) fn of(plan: &Plan) -> Option<Self> {
        if plan.probes.packets_of.is_empty() {
            return None;
        }
        let recorded = |link| plan.probes.packets_of.contains(&link).then(Recorded::default);
        Some(Self {
            flows: plan.flow_count(),
            window: Window::new(&plan.probes),
            links: (0..plan.link_count()).map(recorded).collect(),
            sent: vec![ByConnection::default(); 2 * plan.flow_count() as usize],
            sent_again: UnderWay::default(),
            rows: Vec::new(),
            most_rows: MOST_ROWS,
        })
    }

    /// Of what has happened by a time: columns `link`, `flow`, `connection`, `packet` (its number in the run), `kind`
    /// ("data", "ack", "syn", "fin", "reset", "datagram"), `offered_s` (it comes to the link), `left_s` (its last bit has
    /// left; nan if it has not), `arrived_s` (at the other end; likewise), `dropped_s` (before its last bit left), `low`, `high` (bytes of the stream from 0; of an
    /// ACK both are what it acknowledges; of datagrams with their headers), `bytes` (its length), `sent_again`, `marked`
    /// (1 if so; with CE when it leaves the link), `lost` (why; none if it is not).
    ///
    /// # Errors
    /// If there were more rows than may be recorded.
    fn table(&self, by: Time) -> Result<Table, Error> {
        if self.rows.len() as u64 > self.most_rows {
            return Err(Error::Value(TOO_MANY));
        }
        let mut table = Table::default();
        let integers = |of: fn(&Row) -> u64| self.rows.iter().map(of);
        let times = |of: fn(&Row) -> Time| {
            self.rows.iter().map(of).map(move |at| if at <= by { at.as_secs_f64() } else { f64::NAN })
        };
        table.integers("link", integers(|row| u64::from(row.link.0)));
        table.integers("flow", integers(|row| u64::from(row.flow)));
        table.integers("connection", integers(|row| u64::from(row.connection)));
        table.integers("packet", integers(|row| row.packet.number()));
        table.words("kind", self.rows.iter().map(|row| Some(row.kind as u32)), Words::of(&KINDS));
        table.reals("offered_s", times(|row| row.offered));
        table.reals("left_s", times(|row| row.left));
        table.reals("arrived_s", times(|row| row.arrived));
        table.reals("dropped_s", times(|row| row.dropped));
        table.integers("low", integers(|row| row.bytes.0));
        table.integers("high", integers(|row| row.bytes.1));
        table.integers("bytes", integers(|row| u64::from(row.length)));
        table.integers("sent_again", integers(|row| u64::from(row.sent_again)));
        table.integers("marked", integers(|row| u64::from(row.marked)));
        let mut words = Words::default();
        let lost = |row: &Row| row.lost.map(|cause| words.number_of(cause.words()));
        let lost: Vec<_> = self.rows.iter().map(lost).collect();
        table.words("lost", lost, words);
        Ok(table)
    }

    /// A host sends a packet.
    fn on_sent(&mut self, packet: &Packet<Payload>) {
        let Some(segment) = packet.payload.segment() else { return };
        let (seq, end) = (segment.seq, segment.end());
        if end > seq {
            let sent = self.sent[packet.from.0 as usize].of(packet.flow);
            if seq < sent.highest {
                self.sent_again.add(packet.id, ());
                sent.again += 1;
            }
            sent.highest = sent.highest.max(end);
            sent.end = sent.end.max(seq.saturating_sub(1) + u64::from(segment.len));
        }
    }

    /// A packet is gone from the network.
    #[inline(always)]
    fn forget(&mut self, packet: &Packet<Payload>) {
        if packet.payload.segment().is_some_and(|segment| segment.end() > segment.seq) {
            let sent = self.sent[packet.from.0 as usize].of(packet.flow);
            if sent.again > 0 && self.sent_again.take(packet.id).is_some() {
                sent.again -= 1;
            }
        }
    }

    /// Whether the data of a packet in the network had been sent before.
    fn was_sent_again(&mut self, packet: &Packet<Payload>) -> bool {
        self.sent[packet.from.0 as usize].of(packet.flow).again > 0 && self.sent_again.contains(packet.id)
    }

    /// A packet comes to a link.
    #[inline(always)]
    fn offer(&mut self, at: Time, link: LinkId, id: PacketId, packet: &Packet<Payload>) {
        let is_recorded = self.links[link.0 as usize].is_some() && self.window.contains(at);
        if is_recorded && self.rows.len() as u64 <= self.most_rows {
            self.add(at, link, id, packet);
        }
    }

    #[inline(never)]
    fn add(&mut self, at: Time, link: LinkId, id: PacketId, packet: &Packet<Payload>) {
        let Some(recorded) = &mut self.links[link.0 as usize] else { return };
        recorded.packets.add(id, self.rows.len());
        let (length, sent_again) = (packet.bytes, self.was_sent_again(packet));
        let (kind, bytes) = match &packet.payload {
            Payload::Segment(segment) => {
                let low = segment.seq.saturating_sub(1);
                let kind = Kind::of(segment);
                let bytes = match (kind, segment.ack) {
                    (Kind::Ack, Some(ack)) => {
                        let ack =
                            ack.saturating_sub(1).min(self.sent[packet.to.0 as usize].of(packet.flow).end);
                        (ack, ack)
                    }
                    _ => (low, low + u64::from(segment.len)),
                };
                (kind, bytes)
            }
            Payload::Datagram(number) => {
                let low = number * u64::from(length);
                (Kind::Datagram, (low, low + u64::from(length)))
            }
        };
        self.rows.push(Row {
            link,
            // The hosts are first all receivers, then all senders.
            flow: packet.from.0 % self.flows,
            connection: packet.flow,
            packet: id,
            kind,
            offered: at,
            left: Time::NEVER,
            arrived: Time::NEVER,
            dropped: Time::NEVER,
            bytes,
            length,
            sent_again,
            marked: false,
            lost: None,
        });
    }

    #[inline(never)]
    fn on_link(&mut self, at: Time, link: LinkId, event: &LinkEvent<'_, Payload>) {
        match *event {
            LinkEvent::Crossing { packet, arrives } => {
                if let Some(row) = self.take(link, packet.id) {
                    (row.left, row.arrived) = (at, arrives);
                    row.marked = packet.payload.ecn() == Ecn::Ce;
                }
            }
            LinkEvent::Dropped(packet, cause) => {
                let frame_drop = self.links[link.0 as usize].as_mut().and_then(|its| its.frame_drop.take());
                if let Some(row) = self.take(link, packet.id) {
                    row.lost = Some(LossCause::new(cause, None, frame_drop));
                    // On the wire, its last bit has just left.
                    *(if cause == DropCause::Impairment { &mut row.left } else { &mut row.dropped }) = at;
                }
                self.forget(packet);
            }
            LinkEvent::Duplicated { packet, copy } => {
                if self.was_sent_again(packet) {
                    self.sent_again.add(copy, ());
                    self.sent[packet.from.0 as usize].of(packet.flow).again += 1;
                }
                self.offer(at, link, copy, packet);
            }
            LinkEvent::Impaired { .. } | LinkEvent::Marked(_) | LinkEvent::Queued { .. } => {}
        }
    }

    fn take(&mut self, link: LinkId, id: PacketId) -> Option<&mut Row> {
        let row = self.links[link.0 as usize].as_mut()?.packets.take(id)?;
        Some(&mut self.rows[row])
    }
}

impl Observer<Host> for PacketTrace {
    fn follows(&self, link: LinkId) -> bool {
        self.links[link.0 as usize].is_some()
    }

    // Inlined, so that where an event happens only its own branch is left.
    #[inline(always)]
    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        match *event {
            Event::Sent(into, packet) => {
                self.on_sent(packet);
                self.offer(at, into, packet.id, packet);
            }
            Event::Forwarded { into, packet, .. } => self.offer(at, into, packet.id, packet),
            Event::Delivered(_, packet) => self.forget(packet),
            Event::Link(_, LinkEvent::Impaired { .. } | LinkEvent::Marked(_) | LinkEvent::Queued { .. }) => {}
            Event::Link(link, ref event) => {
                if self.links[link.0 as usize].is_some() {
                    self.on_link(at, link, event);
                } else if let LinkEvent::Dropped(packet, _) = event {
                    self.forget(packet);
                }
            }
            Event::Component(link, AtmEvent::FrameDropped(cause)) => {
                if let Some(recorded) = &mut self.links[link.0 as usize] {
                    recorded.frame_drop = Some(cause);
                }
            }
            Event::Component(..) | Event::Acted(..) => {}
        }
    }
}

impl Recorder for PacketTrace {
    fn record(&self, by: Time, tables: &mut columns::Recorded) -> Result<(), Error> {
        tables.packets = self.table(by)?;
        Ok(())
    }
}
