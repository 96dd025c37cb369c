//! Links: how packets get from one end to the other.
//!
//! Whatever a link does at its entrance, what has passed it waits in a [`Ring`] until it has
//! crossed, and only the head of the ring is an event.

use std::collections::VecDeque;

use crate::packet::Packet;
use crate::time::Time;

mod cell_trunk;
mod impairment;
mod packet_link;

pub use cell_trunk::{CellAccess, CellTrunk};
pub use impairment::{
    Bernoulli, Duplicate, Fate, GilbertElliott, Impairment, Jitter, Mark, PPB, ScriptedDrops,
};
pub use packet_link::{PacketCounters, PacketLink};

/// A link of either kind.
#[allow(clippy::large_enum_variant, reason = "a world has few links, and each is used at every event")]
pub enum Link<P> {
    /// Carries packets.
    Packets(PacketLink<P>),
    /// Carries packets as AAL5 frames through an ATM switch port.
    Cells(CellTrunk<P>),
}

/// Why a packet was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropCause {
    /// An impairment took it.
    Impairment,
    /// The queue discipline had no room for it.
    QueueFull,
    /// The queue discipline had room, and dropped it to tell of congestion.
    QueueEarly,
    /// The frame policy refused it.
    FrameRefused,
    /// Cells of it found the buffer full.
    FrameCut,
}

/// What happens on a link.
#[derive(Clone, Copy, Debug)]
pub enum LinkEvent<'a, P> {
    /// A packet was lost.
    Dropped(&'a Packet<P>, DropCause),
    /// A packet will arrive twice; two times it is told that it crosses.
    Duplicated(&'a Packet<P>),
    /// An impairment does something to the packet of which the next events tell.
    Impaired {
        /// Which of the line's impairments, from 0 on.
        number: usize,
        /// What it does.
        fate: Fate,
    },
    /// A packet has left the entrance and crosses. Of those that arrive at one time, the first to
    /// be told of arrives first.
    Crossing {
        /// The packet.
        packet: &'a Packet<P>,
        /// When it will arrive.
        arrives: Time,
    },
    /// The queue discipline has marked the packet that was offered last, and takes it in.
    Marked,
    /// A packet was taken in; so many wait now, the one being sent not counted.
    Queued {
        /// Packets waiting.
        packets: u64,
    },
    /// The first cell of a frame found this many cells in the buffer.
    FrameDecided {
        /// Cells queued before it.
        queued: u32,
        /// Whether the policy admitted it.
        admitted: bool,
    },
}

impl<P: Clone + Send> Link<P> {
    /// Takes a packet at `now`.
    pub fn send(&mut self, now: Time, packet: Packet<P>, watch: &mut impl FnMut(Time, LinkEvent<'_, P>)) {
        match self {
            Self::Packets(link) => link.send(now, packet, watch),
            Self::Cells(link) => link.send(now, packet, watch),
        }
    }

    /// Lets happen on the link what is due by `now`.
    pub fn advance(&mut self, now: Time, watch: &mut impl FnMut(Time, LinkEvent<'_, P>)) {
        match self {
            Self::Packets(link) => link.advance(now, watch),
            Self::Cells(link) => link.advance(now, watch),
        }
    }

    /// Takes out a packet that has crossed by `now`, the time of the last [`Link::advance`].
    pub fn receive(&mut self, now: Time) -> Option<Packet<P>> {
        match self {
            Self::Packets(link) => link.ring.pop_until(now),
            Self::Cells(link) => link.ring.pop_until(now),
        }
    }

    /// When the link wants to be asked again; [`Time::NEVER`] if nothing is on it.
    #[must_use]
    pub fn next_event(&self) -> Time {
        match self {
            Self::Packets(link) => link.next_event(),
            Self::Cells(link) => link.next_event(),
        }
    }

    /// Packets on the link: waiting, being sent, or crossing.
    #[must_use]
    pub fn packets(&self) -> usize {
        match self {
            Self::Packets(link) => link.packets(),
            Self::Cells(link) => link.packets(),
        }
    }
}

/// Packets that are crossing, in the order in which they arrive.
#[derive(Debug)]
struct Ring<P> {
    crossing: VecDeque<(Time, Packet<P>)>,
}

impl<P> Ring<P> {
    fn new() -> Self {
        Self { crossing: VecDeque::new() }
    }

    /// Takes a packet in, behind those that arrive no later: without jitter, at the end.
    fn push(&mut self, arrives: Time, packet: Packet<P>) {
        if self.crossing.back().is_none_or(|last| last.0 <= arrives) {
            return self.crossing.push_back((arrives, packet));
        }
        let place = self.crossing.partition_point(|crossing| crossing.0 <= arrives);
        self.crossing.insert(place, (arrives, packet));
    }

    fn next_arrival(&self) -> Time {
        self.crossing.front().map_or(Time::NEVER, |head| head.0)
    }

    fn pop_until(&mut self, now: Time) -> Option<Packet<P>> {
        if self.next_arrival() > now {
            return None;
        }
        self.crossing.pop_front().map(|head| head.1)
    }

    fn len(&self) -> usize {
        self.crossing.len()
    }
}
