//! A capture: notes of what passes points of the network go through a bounded ring to a thread that keeps them, and
//! writes the file when the run is over.
//!
//! The real-time thread takes no memory and waits for nobody: if the ring is full, a note is lost and counted.
//! A note shares the packet's buffer; the bytes that are wanted are copied by the other thread.

use crate::frames::{Buffer, Frame};
use crate::headers;
use crate::host::End;
use atm::{AtmEvent, FrameDrop};
use base::Time;
use lab::capture::{Direction, Entry, Incident, Known, LossCause, Place, Reason, Request, write};
use lab::plan::{Link, Plan};
use serde::Serialize;
use sim::link::{Fate, LinkEvent};
use sim::{Event, HostId, LinkId, Observer, Packet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Notes that may wait for the other thread.
pub(crate) const RING: usize = 1 << 14;
/// Packets at points that are kept: about a gigabyte of headers.
const MOST_ENTRIES: usize = 5_000_000;
/// The other thread looks so often; to be woken would cost the real-time thread a call of the system.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// What happened to the packet with this number.
struct Note {
    serial: u64,
    at: Time,
    what: What,
}

enum What {
    Passed { point: usize, direction: Option<Direction>, buffer: Arc<Buffer>, marked: bool, again: bool },
    Lost { link: u32, cause: LossCause },
    Marked { link: u32 },
    Doubled { link: u32 },
    Delayed { by: Time },
}

/// What a link has told of the packet of which it will tell next.
#[derive(Clone, Copy, Default)]
struct OnLink {
    offered: u64,
    impairment: Option<usize>,
    frame_drop: Option<FrameDrop>,
    delay: Time,
    marks: bool,
}

/// The observer in the real-time thread.
pub(crate) struct Tap {
    places: Vec<Place>,
    /// Node of each host.
    nodes: Vec<u32>,
    /// Where each link ends, if that is one node.
    ends: Vec<Option<u32>>,
    links: Vec<OnLink>,
    ring: SyncSender<Note>,
    missed: u64,
}

/// What is told of a capture.
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
    /// The observer, and the thread that writes what it notes.
    pub(crate) fn new(plan: &Plan, request: &Request, path: PathBuf) -> (Self, JoinHandle<Captured>) {
        let (ring, notes) = sync_channel(RING);
        let receivers = plan.flows.iter().map(|flow| flow.receiver);
        let ends = plan.links.iter().map(|link| match *link {
            Link::Packets { to, .. } => Some(to),
            Link::Cells { .. } | Link::Atm(_) => None,
        });
        let tap = Self {
            places: request.points.iter().map(|point| point.place).collect(),
            nodes: receivers.chain(plan.flows.iter().map(|flow| flow.sender)).collect(),
            ends: ends.collect(),
            links: vec![OnLink::default(); plan.links.len()],
            ring,
            missed: 0,
        };
        let (plan, request) = (plan.clone(), request.clone());
        let writer = thread::spawn(move || {
            let mut journal =
                Journal { request: &request, known: Vec::new(), entries: Vec::new(), missed: 0 };
            journal.keep(&notes);
            journal.finish(&plan, &path)
        });
        (tap, writer)
    }

    /// Notes that found the ring full.
    pub(crate) fn missed(&self) -> u64 {
        self.missed
    }

    fn note(&mut self, at: Time, serial: u64, what: What) {
        self.missed += u64::from(self.ring.try_send(Note { serial, at, what }).is_err());
    }

    fn passed(&mut self, at: Time, place: Place, direction: Option<Direction>, packet: &Packet<Frame>) {
        let frame = &packet.payload;
        for point in 0..self.places.len() {
            if self.places[point] == place {
                let buffer = Arc::clone(&frame.buffer);
                let (marked, again) = (frame.marked, frame.again);
                self.note(at, frame.serial, What::Passed { point, direction, buffer, marked, again });
            }
        }
    }

    fn node(&self, host: HostId) -> Place {
        Place::Node(self.nodes[host.0 as usize])
    }

    fn on_link(&mut self, at: Time, LinkId(link): LinkId, event: &LinkEvent<'_, Frame>) {
        let on = &mut self.links[link as usize];
        match *event {
            LinkEvent::Impaired { number, fate } => {
                on.impairment = Some(number);
                match fate {
                    Fate::Delay(by) => on.delay += by,
                    Fate::Mark => on.marks = true,
                    Fate::Pass | Fate::Lose | Fate::Duplicate => {}
                }
            }
            LinkEvent::Duplicated(packet) => self.note(at, packet.payload.serial, What::Doubled { link }),
            LinkEvent::Crossing { packet, .. } => {
                let OnLink { delay: by, marks, .. } = std::mem::take(on);
                let serial = packet.payload.serial;
                if by > Time::ZERO {
                    self.note(at, serial, What::Delayed { by });
                }
                if marks {
                    self.note(at, serial, What::Marked { link });
                }
            }
            LinkEvent::Dropped(packet, cause) => {
                let OnLink { impairment, frame_drop, .. } = std::mem::take(on);
                let cause = LossCause::new(cause, impairment, frame_drop);
                self.note(at, packet.payload.serial, What::Lost { link, cause });
            }
            LinkEvent::Marked => {
                let offered = on.offered;
                self.note(at, offered, What::Marked { link });
            }
            LinkEvent::Queued { .. } => {}
        }
    }

    fn on_component(&mut self, LinkId(link): LinkId, event: AtmEvent) {
        if let AtmEvent::FrameDropped(cause) = event {
            self.links[link as usize].frame_drop = Some(cause);
        }
    }

    fn offered(&mut self, at: Time, LinkId(into): LinkId, packet: &Packet<Frame>) {
        self.links[into as usize].offered = packet.payload.serial;
        self.passed(at, Place::Entrance(into), None, packet);
    }
}

impl Observer<End> for Tap {
    fn on(&mut self, at: Time, event: &Event<'_, End>) {
        match *event {
            Event::Acted(..) => {}
            Event::Sent(into, packet) => {
                self.passed(at, self.node(packet.from), Some(Direction::Out), packet);
                self.offered(at, into, packet);
            }
            Event::Forwarded { from, into, packet } => {
                self.passed(at, Place::Exit(from.0), None, packet);
                if let Some(node) = self.ends[from.0 as usize] {
                    self.passed(at, Place::Node(node), None, packet);
                }
                self.offered(at, into, packet);
            }
            Event::Delivered(from, packet) => {
                self.passed(at, Place::Exit(from.0), None, packet);
                self.passed(at, self.node(packet.to), Some(Direction::In), packet);
            }
            Event::Link(link, ref event) => self.on_link(at, link, event),
            Event::Component(link, event) => self.on_component(link, event),
        }
    }
}

/// Everything that was noted, in the other thread.
struct Journal<'a> {
    request: &'a Request,
    /// Of each packet, by its number.
    known: Vec<Known>,
    /// With the numbers of their packets; what is known of them is put in at the end.
    entries: Vec<(u64, Entry)>,
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

    fn take(&mut self, Note { serial, at, what }: Note) {
        let place = serial as usize;
        if self.known.len() <= place {
            self.known.resize(place + 1, Known::default());
        }
        let known = &mut self.known[place];
        match what {
            What::Passed { point, direction, buffer, marked, again } => {
                known.reason = again.then_some(Reason::Unknown);
                if self.entries.len() == MOST_ENTRIES {
                    self.missed += 1;
                    return;
                }
                let (data, original_len) = self.bytes(&buffer, marked);
                let known = Known::default();
                self.entries.push((serial, Entry { at, point, direction, data, original_len, known }));
            }
            What::Lost { link, cause } => known.lost = Some(Incident { at, link, what: cause }),
            What::Marked { link } => known.marked = Some(Incident { at, link, what: () }),
            What::Doubled { link } => known.doubled = Some(Incident { at, link, what: () }),
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
        let entries = self.entries.into_iter().map(|(serial, entry)| {
            let known = known[serial as usize];
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
