//! Follows packets from link to link, and remembers what becomes of each.
//!
//! Packets have no number. A link tells of them in an order, though: a packet is offered, then lost
//! or on the line, and what is on the line arrives in the order of the arrival times. Of packets
//! that are equal in every respect the first is meant, which nobody could tell apart.

use super::reasons::Reason;
use crate::host::{Content, Payload};
use atm::{AtmEvent, FrameDrop};
use base::Time;
use sim::link::{DropCause, Fate, LinkEvent};
use sim::{LinkId, Packet};
use std::collections::VecDeque;
use std::ops::Index;
use tcp::{Ecn, Segment};

/// Number of a packet's journey: one for each packet that a host sent, or that a line copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Journey(u32);

/// Something that happened to a packet on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incident<What> {
    /// When.
    pub at: Time,
    /// Number of the link.
    pub link: u32,
    /// What.
    pub what: What,
}

/// Why a packet was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossCause {
    /// The queue discipline had no room for it.
    QueueFull,
    /// The queue discipline had room, and dropped it to tell of congestion.
    QueueEarly,
    /// An impairment took it: the one of this number on its link, if that is known.
    Impairment(Option<usize>),
    /// Its ATM frame was dropped.
    Frame(FrameDrop),
}

impl LossCause {
    /// From what a link says of a packet, and what it has said before: which impairment did something last, and why
    /// a frame was dropped last.
    #[must_use]
    pub fn new(cause: DropCause, impairment: Option<usize>, frame_drop: Option<FrameDrop>) -> Self {
        match cause {
            DropCause::QueueFull => Self::QueueFull,
            DropCause::QueueEarly => Self::QueueEarly,
            DropCause::Impairment => Self::Impairment(impairment),
            DropCause::Component => {
                Self::Frame(frame_drop.expect("a component reports why it drops a packet"))
            }
        }
    }
}

/// What is known of a packet when the run is over.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// How many packets its sender had sent before it.
    pub number: u64,
    /// Why it was sent, if not for the first time.
    pub reason: Option<Reason>,
    /// Where it was lost, and why.
    pub lost: Option<Incident<LossCause>>,
    /// Where a copy of it was made.
    pub doubled: Option<Incident<()>>,
    /// Where it was made, if it is a copy itself.
    pub copied: Option<Incident<()>>,
    /// How long impairments have held it up.
    pub delayed: Time,
    /// Where it was marked with CE.
    pub marked: Option<Incident<()>>,
}

/// All packets, and those on each link.
pub(super) struct Journeys {
    known: Vec<Known>,
    links: Vec<OnLink>,
    /// Packets that each host has sent.
    sent: Vec<u64>,
}

/// What is on a link.
#[derive(Default)]
struct OnLink {
    /// Offered, and not yet on the line.
    waiting: VecDeque<(Journey, Packet<Payload>)>,
    /// On the line, in the order of arrival.
    crossing: VecDeque<(Time, Journey)>,
    /// What the last impairment was that did something.
    impairment: Option<usize>,
    /// Why a frame was dropped last.
    frame_drop: Option<FrameDrop>,
    /// What impairments add to the way of the packet that is leaving.
    delay: Time,
    /// Whether a copy of it will leave after it.
    doubled: bool,
}

impl Index<Journey> for Journeys {
    type Output = Known;
    fn index(&self, journey: Journey) -> &Known {
        &self.known[journey.0 as usize]
    }
}

impl Journeys {
    pub(super) fn new(links: usize) -> Self {
        Self { known: Vec::new(), links: (0..links).map(|_| OnLink::default()).collect(), sent: Vec::new() }
    }

    /// A host sends a packet into a link.
    pub(super) fn begin(
        &mut self,
        link: LinkId,
        packet: &Packet<Payload>,
        reason: Option<Reason>,
    ) -> Journey {
        let host = packet.from.0 as usize;
        if self.sent.len() <= host {
            self.sent.resize(host + 1, 0);
        }
        let number = self.sent[host];
        self.sent[host] += 1;
        let journey = self.note(Known { number, reason, ..Known::default() });
        self.go_on(link, journey, packet);
        journey
    }

    /// A packet goes into a link.
    pub(super) fn go_on(&mut self, link: LinkId, journey: Journey, packet: &Packet<Payload>) {
        self.links[link.0 as usize].waiting.push_back((journey, packet.clone()));
    }

    /// The next packet of a link arrives.
    pub(super) fn arrive(&mut self, link: LinkId) -> Journey {
        let (_, journey) =
            self.links[link.0 as usize].crossing.pop_front().expect("what arrives has crossed");
        journey
    }

    /// A link tells what happened.
    pub(super) fn on_link(&mut self, at: Time, link: LinkId, event: &LinkEvent<'_, Payload>) {
        let number = link.0;
        let on = &mut self.links[number as usize];
        match *event {
            LinkEvent::Impaired { number, fate } => {
                on.impairment = Some(number);
                if let Fate::Delay(delay) = fate {
                    on.delay += delay;
                }
            }
            LinkEvent::Duplicated(packet) => {
                let place = on.first(packet);
                let (journey, offered) = on.waiting[place].clone();
                on.doubled = true;
                let incident = Some(Incident { at, link: number, what: () });
                self.known[journey.0 as usize].doubled = incident;
                // The one that leaves first is the original.
                let copy = self.note(Known { copied: incident, doubled: None, ..self[journey] });
                self.links[number as usize].waiting.insert(place + 1, (copy, offered));
            }
            LinkEvent::Crossing { packet, arrives } => {
                let (journey, offered) = on.take(on.first(packet));
                let place = on.crossing.partition_point(|crossing| crossing.0 <= arrives);
                on.crossing.insert(place, (arrives, journey));
                let known = &mut self.known[journey.0 as usize];
                known.delayed += on.delay;
                if !std::mem::take(&mut on.doubled) {
                    on.delay = Time::ZERO;
                }
                if is_marked(packet) && !is_marked(&offered) {
                    known.marked = Some(Incident { at, link: number, what: () });
                }
            }
            LinkEvent::Dropped(packet, cause) => {
                // A queue refuses the newest.
                let by_queue = matches!(cause, DropCause::QueueFull | DropCause::QueueEarly);
                let place = if by_queue { on.last(packet) } else { on.first(packet) };
                let (journey, _) = on.take(place);
                on.delay = Time::ZERO;
                let what = LossCause::new(cause, on.impairment, on.frame_drop);
                self.known[journey.0 as usize].lost = Some(Incident { at, link: number, what });
            }
            LinkEvent::Marked => {
                let (journey, offered) = on.waiting.back_mut().expect("what is marked was offered");
                offered.payload.mark();
                self.known[journey.0 as usize].marked = Some(Incident { at, link: number, what: () });
            }
            LinkEvent::Queued { .. } => {}
        }
    }

    /// An ATM component reports what happened.
    pub(super) fn on_component(&mut self, link: LinkId, event: AtmEvent) {
        if let AtmEvent::FrameDropped(cause) = event {
            self.links[link.0 as usize].frame_drop = Some(cause);
        }
    }

    fn note(&mut self, known: Known) -> Journey {
        self.known.push(known);
        Journey(self.known.len() as u32 - 1)
    }
}

impl OnLink {
    fn first(&self, packet: &Packet<Payload>) -> usize {
        let found = self.waiting.iter().position(|waiting| same(&waiting.1, packet));
        found.expect("a link tells of what was offered to it")
    }

    fn last(&self, packet: &Packet<Payload>) -> usize {
        let found = self.waiting.iter().rposition(|waiting| same(&waiting.1, packet));
        found.expect("a link tells of what was offered to it")
    }

    fn take(&mut self, place: usize) -> (Journey, Packet<Payload>) {
        self.waiting.remove(place).expect("its place was found")
    }
}

/// Whether two packets are one, marked with CE on its way or not.
fn same(one: &Packet<Payload>, other: &Packet<Payload>) -> bool {
    (one.from, one.to) == (other.from, other.to)
        && match (&one.payload, &other.payload) {
            (Payload::Segment(one), Payload::Segment(other)) => {
                Segment { ecn: other.ecn, ..one.clone() } == *other
            }
            (one, other) => one == other,
        }
}

fn is_marked(packet: &Packet<Payload>) -> bool {
    packet.payload.segment().is_some_and(|segment| segment.ecn == Ecn::Ce)
}
