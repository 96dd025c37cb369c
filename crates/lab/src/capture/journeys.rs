//! Follows packets from link to link, and records the fate of each.

use crate::causes::{LossCause, Reason};
use crate::host::Payload;
use atm::{AtmEvent, FrameDrop};
use base::Time;
use sim::link::{Fate, LinkEvent};
use sim::{LinkId, Packet, PacketId};
use std::collections::BTreeMap;
use std::ops::Index;

/// Number of a packet's journey: one for each packet that a host sent, or that a link copied.
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

/// The record of a packet at the end of the run.
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
    /// How long impairments have delayed it.
    pub delayed: Time,
    /// Where it was marked with CE.
    pub marked: Option<Incident<()>>,
}

/// All packets.
pub(super) struct Journeys {
    known: Vec<Known>,
    /// The journeys of the packets that are in the network.
    under_way: BTreeMap<PacketId, Journey>,
    /// What the wire of a link does to the packet that is leaving the link.
    wire: Wire,
    /// Packets that each host has sent.
    sent: Vec<u64>,
}

/// What a link does to the packet that is leaving it. Delay and mark hold once the packet crosses: one that is
/// lost by a later impairment was neither delayed nor marked.
#[derive(Clone, Copy, Default)]
struct Wire {
    /// The last impairment that did something.
    impairment: Option<usize>,
    /// Why a frame was dropped.
    frame_drop: Option<FrameDrop>,
    delay: Time,
    marks: bool,
    /// Whether a copy of the packet follows, to which all this applies too.
    duplicates: bool,
}

impl Index<Journey> for Journeys {
    type Output = Known;
    fn index(&self, journey: Journey) -> &Known {
        &self.known[journey.0 as usize]
    }
}

impl Journeys {
    pub(super) fn new() -> Self {
        Self { known: Vec::new(), under_way: BTreeMap::new(), wire: Wire::default(), sent: Vec::new() }
    }

    /// A host sends a packet.
    pub(super) fn begin(&mut self, packet: &Packet<Payload>, reason: Option<Reason>) -> Journey {
        let host = packet.from.0 as usize;
        if self.sent.len() <= host {
            self.sent.resize(host + 1, 0);
        }
        let number = self.sent[host];
        self.sent[host] += 1;
        self.note(packet.id, Known { number, reason, ..Known::default() })
    }

    /// The journey of a packet that is in the network.
    pub(super) fn of(&self, id: PacketId) -> Journey {
        self.under_way[&id]
    }

    /// A packet has reached its host.
    pub(super) fn end(&mut self, id: PacketId) -> Journey {
        self.under_way.remove(&id).expect("it is in the network")
    }

    /// Something happens on a link.
    pub(super) fn on_link(&mut self, at: Time, LinkId(link): LinkId, event: &LinkEvent<'_, Payload>) {
        let here = Some(Incident { at, link, what: () });
        match *event {
            LinkEvent::Impaired { number, fate, .. } => {
                self.wire.impairment = Some(number);
                match fate {
                    Fate::Delay(delay) => self.wire.delay += delay,
                    Fate::Mark => self.wire.marks = true,
                    Fate::Pass | Fate::Lose | Fate::Duplicate => {}
                }
            }
            LinkEvent::Duplicated { packet, copy } => {
                self.wire.duplicates = true;
                let original = self.known(packet.id);
                original.doubled = here;
                let known = Known { copied: here, doubled: None, ..*original };
                self.note(copy, known);
            }
            LinkEvent::Crossing { packet, .. } => {
                let wire = self.wire;
                self.wire =
                    if wire.duplicates { Wire { duplicates: false, ..wire } } else { Wire::default() };
                let known = self.known(packet.id);
                known.delayed += wire.delay;
                if wire.marks {
                    // A packet that came with a mark keeps its record.
                    known.marked = known.marked.or(here);
                }
            }
            LinkEvent::Dropped(packet, cause) => {
                let wire = std::mem::take(&mut self.wire);
                let what = LossCause::new(cause, wire.impairment, wire.frame_drop);
                self.known(packet.id).lost = Some(Incident { at, link, what });
                self.end(packet.id);
            }
            LinkEvent::Marked(packet) => self.known(packet.id).marked = here,
            LinkEvent::Queued { .. } => {}
        }
    }

    /// An ATM component reports why it drops a packet, before it does.
    pub(super) fn on_component(&mut self, event: AtmEvent) {
        if let AtmEvent::FrameDropped(cause) = event {
            self.wire.frame_drop = Some(cause);
        }
    }

    fn known(&mut self, id: PacketId) -> &mut Known {
        let Journey(number) = self.of(id);
        &mut self.known[number as usize]
    }

    fn note(&mut self, id: PacketId, known: Known) -> Journey {
        self.known.push(known);
        let journey = Journey(self.known.len() as u32 - 1);
        self.under_way.insert(id, journey);
        journey
    }
}
