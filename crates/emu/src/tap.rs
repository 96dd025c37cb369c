//! A capture: notes of packets at points of the network go through a bounded ring to a thread, which stores them and
//! writes the file when the run is over.
//!
//! The real-time thread allocates no memory and never waits: if the ring is full, a note is lost and counted.
//! A note shares the packet's buffer; the other thread copies the bytes that it needs.

use crate::frames::{Buffer, Frame};
use crate::headers;
use crate::host::End;
use atm::{AtmEvent, FrameDrop};
use base::Time;
use lab::capture::{Direction, Entry, Incident, Known, Place, Request, write};
use lab::causes::{LossCause, Reason};
use lab::plan::Plan;
use serde::Serialize;
use sim::link::{Fate, LinkEvent};
use sim::{Event, HostId, LinkId, Observer, Packet, PacketId};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Notes that may wait for the other thread.
pub(crate) const RING: usize = 1 << 14;
/// Packets at points that are kept: about a gigabyte of headers.
const MOST_ENTRIES: usize = 5_000_000;
/// The other thread polls at this interval, because waking it would cost the real-time thread a system call.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// What happened to a packet.
struct Note {
    id: PacketId,
    at: Time,
    what: What,
}

enum What {
    Passed { point: usize, direction: Option<Direction>, buffer: Arc<Buffer>, marked: bool, again: bool },
    Lost { link: u32, cause: LossCause },
    Marked { link: u32 },
    Doubled { link: u32, copy: PacketId },
    Delayed { by: Time },
}

/// What the wire of a link does to the packet that is leaving the link.
#[derive(Clone, Copy, Default)]
struct Wire {
    impairment: Option<usize>,
    frame_drop: Option<FrameDrop>,
    delay: Time,
    marks: bool,
    /// Whether a copy of the packet follows, to which all this applies too.
    duplicates: bool,
}

/// The observer in the real-time thread.
pub(crate) struct Tap {
    places: Vec<Place>,
    /// Node of each host.
    nodes: Vec<u32>,
    /// Where each link ends, if that is one node.
    ends: Vec<Option<u32>>,
    wire: Wire,
    ring: SyncSender<Note>,
    missed: u64,
}

/// The report of a capture.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Captured {
    /// For each point: packets, those of them lost further on, and those that had been sent before.
    points: Vec<Point>,
    /// Notes that are missing.
    missed: u64,
    /// Why there is no file.
    problem: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Point {
    packets: u64,
    lost: u64,
    retransmissions: u64,
}

impl Tap {
    /// The observer, and the thread that writes its notes.
    pub(crate) fn new(plan: &Plan, request: &Request, path: PathBuf) -> (Self, JoinHandle<Captured>) {
        let (ring, notes) = sync_channel(RING);
        let tap = Self {
            places: request.points.iter().map(|point| point.place).collect(),
            nodes: plan.nodes_of_hosts().collect(),
            ends: plan.ends_of_links().collect(),
            wire: Wire::default(),
            ring,
            missed: 0,
        };
        let (plan, request) = (plan.clone(), request.clone());
        let writer = thread::spawn(move || {
            let mut journal =
                Journal { request: &request, known: BTreeMap::new(), entries: Vec::new(), missed: 0 };
            journal.keep(&notes);
            journal.finish(&plan, &path)
        });
        (tap, writer)
    }

    /// Notes that found the ring full.
    pub(crate) fn missed(&self) -> u64 {
        self.missed
    }

    fn note(&mut self, at: Time, id: PacketId, what: What) {
        self.missed += u64::from(self.ring.try_send(Note { id, at, what }).is_err());
    }

    fn passed(&mut self, at: Time, place: Place, direction: Option<Direction>, packet: &Packet<Frame>) {
        let frame = &packet.payload;
        for point in 0..self.places.len() {
            if self.places[point] == place {
                let buffer = Arc::clone(&frame.buffer);
                let (marked, again) = (frame.marked, frame.again);
                self.note(at, packet.id, What::Passed { point, direction, buffer, marked, again });
            }
        }
    }

    fn node(&self, host: HostId) -> Place {
        Place::Node(self.nodes[host.0 as usize])
    }

    fn on_link(&mut self, at: Time, LinkId(link): LinkId, event: &LinkEvent<'_, Frame>) {
        match *event {
            LinkEvent::Impaired { number, fate, .. } => {
                self.wire.impairment = Some(number);
                match fate {
                    Fate::Delay(by) => self.wire.delay += by,
                    Fate::Mark => self.wire.marks = true,
                    Fate::Duplicate => self.wire.duplicates = true,
                    Fate::Pass | Fate::Lose => {}
                }
            }
            LinkEvent::Duplicated { packet, copy } => self.note(at, packet.id, What::Doubled { link, copy }),
            LinkEvent::Crossing { packet, .. } => {
                let wire = self.wire;
                self.wire =
                    if wire.duplicates { Wire { duplicates: false, ..wire } } else { Wire::default() };
                if wire.delay > Time::ZERO {
                    self.note(at, packet.id, What::Delayed { by: wire.delay });
                }
                if wire.marks {
                    self.note(at, packet.id, What::Marked { link });
                }
            }
            LinkEvent::Dropped(packet, cause) => {
                let Wire { impairment, frame_drop, .. } = std::mem::take(&mut self.wire);
                let cause = LossCause::new(cause, impairment, frame_drop);
                self.note(at, packet.id, What::Lost { link, cause });
            }
            LinkEvent::Marked(packet) => self.note(at, packet.id, What::Marked { link }),
            LinkEvent::Queued { .. } => {}
        }
    }

    /// A component reports why it drops a packet, before it does.
    fn on_component(&mut self, event: AtmEvent) {
        if let AtmEvent::FrameDropped(cause) = event {
            self.wire.frame_drop = Some(cause);
        }
    }
}

impl Observer<End> for Tap {
    fn on(&mut self, at: Time, event: &Event<'_, End>) {
        match *event {
            Event::Acted(..) => {}
            Event::Sent(into, packet) => {
                self.passed(at, self.node(packet.from), Some(Direction::Out), packet);
                self.passed(at, Place::Entrance(into.0), None, packet);
            }
            Event::Forwarded { from, into, packet } => {
                self.passed(at, Place::Exit(from.0), None, packet);
                if let Some(node) = self.ends[from.0 as usize] {
                    self.passed(at, Place::Node(node), None, packet);
                }
                self.passed(at, Place::Entrance(into.0), None, packet);
            }
            Event::Delivered(from, packet) => {
                self.passed(at, Place::Exit(from.0), None, packet);
                self.passed(at, self.node(packet.to), Some(Direction::In), packet);
            }
            Event::Link(link, ref event) => self.on_link(at, link, event),
            Event::Component(_, event) => self.on_component(event),
        }
    }
}

/// All notes, in the other thread.
struct Journal<'a> {
    request: &'a Request,
    known: BTreeMap<PacketId, Known>,
    /// With the packets that they are of; what is known of those is put in at the end.
    entries: Vec<(PacketId, Entry)>,
    missed: u64,
}

impl Journal<'_> {
    /// Takes notes until the observer is gone.
    fn keep(&mut self, notes: &Receiver<Note>) {
        loop {
            match notes.try_recv() {
                Ok(note) => self.take(note),
                Err(TryRecvError::Empty) => thread::sleep(BETWEEN_LOOKS),
                Err(TryRecvError::Disconnected) => return,
            }
        }
    }

    fn take(&mut self, Note { id, at, what }: Note) {
        let known = self.known.entry(id).or_default();
        match what {
            What::Passed { point, direction, buffer, marked, again } => {
                known.reason = again.then_some(Reason::Unknown);
                if self.entries.len() == MOST_ENTRIES {
                    self.missed += 1;
                    return;
                }
                let (data, original_len) = self.bytes(&buffer, marked);
                let known = Known::default();
                self.entries.push((id, Entry { at, point, direction, data, original_len, known }));
            }
            What::Lost { link, cause } => known.lost = Some(Incident { at, link, what: cause }),
            What::Marked { link } => known.marked = Some(Incident { at, link, what: () }),
            What::Doubled { link, copy } => {
                let here = Some(Incident { at, link, what: () });
                known.doubled = here;
                let known = Known { copied: here, doubled: None, ..*known };
                self.known.insert(copy, known);
            }
            What::Delayed { by } => known.delayed += by,
        }
    }

    /// What is kept of a packet, and its length.
    fn bytes(&self, buffer: &Buffer, marked: bool) -> (Vec<u8>, u32) {
        let packet = buffer.packet();
        let headers = headers::read(packet).map_or(packet.len(), |headers| headers.header_bytes);
        let kept = (self.request.kept.bytes(headers as u32) as usize).min(packet.len());
        let mut data = packet[..kept].to_vec();
        if marked && kept >= headers::IPV4 {
            headers::mark(&mut data);
        }
        (data, packet.len() as u32)
    }

    fn finish(self, plan: &Plan, path: &PathBuf) -> Captured {
        let mut points = vec![Point::default(); self.request.points.len()];
        let known = self.known;
        let entries = self.entries.into_iter().map(|(id, entry)| {
            let known = known[&id];
            let point = &mut points[entry.point];
            point.packets += 1;
            point.lost += u64::from(known.lost.is_some());
            point.retransmissions += u64::from(known.reason.is_some());
            Entry { known, ..entry }
        });
        let file = write(plan, self.request, entries);
        let problem = std::fs::write(path, file).err().map(|error| error.to_string());
        Captured { points, missed: self.missed, problem }
    }
}

impl Captured {
    /// With the notes that the observer could not hand over.
    pub(crate) fn with_missed(self, missed: u64) -> Self {
        Self { missed: self.missed + missed, ..self }
    }
}
