//! One transfer over a path on which chosen packets meet chosen fates.
//!
//! 8 Mbit/s, so that a byte takes a microsecond; 100 ms there and back; segments of 1024 bytes; an
//! ACK for every segment; a window of 65 535 bytes; RTO at first and at least 1 s. The sender opens
//! the connection at 0 s and writes 60 segments at 10 s.

use crate::application::{Application, AtWork, Closes, Reads};
use crate::host::PeerHost;
use crate::network::Payload;
use crate::network::{LISTENER, Line, OPENER, Script, world};
use crate::ours;
use crate::smoltcp_stack::{Smoltcp, SmoltcpConfig};
use crate::stack::Stack;
use crate::trace::{Record, Trace};
use base::{Rate, Time};
use sim::link::Fate;
use sim::{Observer, Packet, World};
use tcp::{Segment, State};

pub(crate) const MSS: u64 = 1024;
pub(crate) const SEGMENTS: u64 = 60;
/// When the sender's application writes.
pub(crate) const START: Time = Time::from_secs(10);

/// Whose TCP an end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Ours, of this flavor.
    Ours(&'static str),
    Smoltcp,
}

impl Kind {
    pub(crate) fn name(self) -> String {
        match self {
            Self::Ours(flavor) => format!("`{flavor}`"),
            Self::Smoltcp => "smoltcp".into(),
        }
    }
}

/// Which packets something happens to: counted from 1 among those that the function is true of.
pub(crate) type Fates = (fn(&Packet<Payload>) -> bool, Vec<(u64, Fate)>);

/// A transfer.
#[derive(Clone)]
pub(crate) struct Transfer {
    pub(crate) sender: Kind,
    pub(crate) receiver: Kind,
    pub(crate) there: Fates,
    pub(crate) back: Fates,
    pub(crate) closes: Closes,
    pub(crate) receiver_closes: Closes,
    pub(crate) reads: Reads,
    pub(crate) receive_buffer: u64,
    /// Initial sequence numbers on the wire, of the sender and of the receiver.
    pub(crate) isns: [u32; 2],
}

/// Nothing happens.
pub(crate) fn undisturbed() -> Fates {
    (is_data, vec![])
}

/// The packets with these numbers are lost.
pub(crate) fn lose(counts: fn(&Packet<Payload>) -> bool, numbers: impl IntoIterator<Item = u64>) -> Fates {
    (counts, numbers.into_iter().map(|number| (number, Fate::Lose)).collect())
}

pub(crate) fn is_data(packet: &Packet<Payload>) -> bool {
    packet.payload.len > 0
}

pub(crate) fn is_syn(packet: &Packet<Payload>) -> bool {
    packet.payload.syn
}

pub(crate) fn is_fin(packet: &Packet<Payload>) -> bool {
    packet.payload.fin
}

pub(crate) fn is_data_or_fin(packet: &Packet<Payload>) -> bool {
    is_data(packet) || is_fin(packet)
}

pub(crate) fn is_pure_ack(packet: &Packet<Payload>) -> bool {
    packet.payload.end() == packet.payload.seq
}

impl Transfer {
    /// To a receiver of ours, undisturbed.
    pub(crate) fn of(sender: Kind) -> Self {
        // A receiver of the same flavor knows the same options; smoltcp's sender uses no SACK.
        let receiver = if sender == Kind::Smoltcp { Kind::Ours("reno") } else { sender };
        Self {
            sender,
            receiver,
            there: undisturbed(),
            back: undisturbed(),
            closes: Closes::AfterLastAck,
            receiver_closes: Closes::AfterPeer,
            reads: Reads::AtOnce,
            receive_buffer: 65_535,
            isns: [1_000, 2_000],
        }
    }

    /// The data segments with these numbers are lost.
    pub(crate) fn losing(mut self, numbers: impl IntoIterator<Item = u64>) -> Self {
        self.there = lose(is_data, numbers);
        self
    }

    fn stack(&self, kind: Kind, own_isn: u32, peer_isn: u32) -> Stack {
        match kind {
            Kind::Ours(flavor) => {
                let config = ours::like_smoltcp(flavor);
                ours::connection(tcp::Config { receive_buffer: self.receive_buffer, ..config })
            }
            Kind::Smoltcp => Stack::Smoltcp(Box::new(Smoltcp::new(&SmoltcpConfig {
                mss: MSS as u32,
                receive_buffer: self.receive_buffer as usize,
                send_buffer: 65_535,
                delayed_ack: None,
                nagle: true,
                isn: own_isn,
                peer_isn,
            }))),
        }
    }

    fn world<O: Observer<PeerHost>>(&self, observer: O) -> World<PeerHost, O> {
        let [sender_isn, receiver_isn] = self.isns;
        let writes = Application {
            opens: Some(Time::ZERO),
            writes: vec![(START, SEGMENTS * MSS)],
            reads: Reads::AtOnce,
            closes: self.closes,
        };
        let (reads, closes) = (self.reads, self.receiver_closes);
        let reads = Application { opens: None, writes: vec![], reads, closes };
        let sender = self.stack(self.sender, sender_isn, receiver_isn);
        let receiver = self.stack(self.receiver, receiver_isn, sender_isn);
        let hosts = [
            PeerHost::new(LISTENER, sender, AtWork::new(writes)),
            PeerHost::new(OPENER, receiver, AtWork::new(reads)),
        ];
        let line = |fates: &Fates| Line {
            rate: Rate::from_bps(8_000_000),
            delay: Time::from_ms(50),
            queue_packets: None,
            impairments: vec![Box::new(Script::new(fates.0, fates.1.clone()))],
        };
        world(hosts, [line(&self.there), line(&self.back)], observer)
    }

    /// Runs it; everything arrives and both ends close.
    pub(crate) fn run(&self) -> Run {
        let mut world = self.world(Record::default());
        let ends = self.drive(&mut world);
        let closed = [State::Closed, State::TimeWait];
        assert!(ends.iter().all(|state| closed.contains(state)), "{:?} {ends:?}", self.sender);
        assert_eq!(world.hosts()[1].stack.delivered(), SEGMENTS * MSS, "{:?}", self.sender);
        let counted = match &world.hosts()[0].stack {
            Stack::Ours(connection, _) => Some(connection.counters().timeouts),
            Stack::Smoltcp(_) => None,
        };
        Run::of(world.into_observer(), counted)
    }

    /// Runs it and says in which states the sender and the receiver are after a quarter of an hour.
    pub(crate) fn ends(&self) -> [State; 2] {
        self.drive(&mut self.world(()))
    }

    /// Everything that happened, for a person.
    #[allow(dead_code, reason = "for whoever wants to see why a test fails")]
    pub(crate) fn trace(&self) -> String {
        let mut world = self.world(Trace::default());
        self.drive(&mut world);
        world.into_observer().into_text()
    }

    /// Bytes that have not arrived after a quarter of an hour.
    pub(crate) fn undelivered(&self) -> u64 {
        let mut world = self.world(());
        self.drive(&mut world);
        SEGMENTS * MSS - world.hosts()[1].stack.delivered()
    }

    fn drive<O: Observer<PeerHost>>(&self, world: &mut World<PeerHost, O>) -> [State; 2] {
        while let Some(next) = world.next_event_time().filter(|next| *next < Time::from_secs(900)) {
            world.advance_to(next);
        }
        [0, 1].map(|end| world.hosts()[end].stack.state())
    }
}

/// What came of a transfer.
pub(crate) struct Run {
    /// What the sender sent, and when.
    pub(crate) sent: Vec<(Time, Segment)>,
    /// What the receiver sent, and when.
    pub(crate) answered: Vec<(Time, Segment)>,
    /// From the writing of the data until the last byte was delivered.
    pub(crate) took: Time,
    /// Segments with data, a SYN or a FIN that the sender sent again.
    pub(crate) again: Vec<(Time, Segment)>,
    /// Time-outs: as our sender counts them, else those of `again` before which it had been silent for
    /// half a second.
    pub(crate) timeouts: u64,
    /// The latter in any case.
    pub(crate) pauses: u64,
}

impl Run {
    fn of(record: Record, timeouts: Option<u64>) -> Self {
        let (mut highest, mut last) = (0, Time::ZERO);
        let (mut again, mut pauses) = (Vec::new(), 0);
        let used: Vec<&(Time, Segment)> =
            record.sent.iter().filter(|sent| sent.1.end() > sent.1.seq).collect();
        for &(at, ref segment) in used {
            if segment.seq < highest {
                again.push((at, segment.clone()));
                pauses += u64::from(at - last >= Time::from_ms(500));
            }
            highest = segment.end().max(highest);
            last = at;
        }
        let took = record.delivered_at - START;
        let timeouts = timeouts.unwrap_or(pauses);
        Self { took, again, timeouts, pauses, sent: record.sent, answered: record.answered }
    }

    /// What can be compared of the sender's segments: when, from where to where, with what ACK.
    pub(crate) fn segments(&self) -> Vec<(Time, u64, u64, Option<u64>)> {
        self.sent.iter().map(|(at, segment)| (*at, segment.seq, segment.end(), segment.ack)).collect()
    }
}
