//! Links: how packets get from one end to the other.
//!
//! A [`FifoLink`] knows at once when a packet will arrive, which is an event of its own. On the other links
//! what has passed the entrance waits in a [`Ring`] until it has crossed, and only the head of the ring is
//! an event.

use std::collections::VecDeque;

use crate::atm::network::AtmNetwork;
use crate::packet::Packet;
use base::Time;

mod cell_trunk;
mod fifo_link;
mod impairment;
mod packet_link;

pub use cell_trunk::{CellAccess, CellTrunk};
pub use fifo_link::FifoLink;
pub use impairment::{
    Bernoulli, Duplicate, Fate, GilbertElliott, Impairment, Jitter, LossEvents, Mark, Only, PPB,
    ScriptedDrops, TwoParameter,
};
pub use packet_link::{PacketCounters, PacketLink};

/// A link.
pub enum Link<P> {
    /// Carries packets that leave in order, and are lost or arrive in order.
    Fifo(FifoLink<P>),
    /// Carries packets, whatever happens to them.
    Packets(Box<PacketLink<P>>),
    /// Carries packets as AAL5 frames through an ATM switch port.
    Cells(Box<CellTrunk<P>>),
    /// Carries packets as AAL5 frames through a network of ATM switches, in all directions.
    Atm(Box<AtmNetwork<P>>),
}

/// What becomes of a packet that goes into a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// It arrives.
    Arrives(Time),
    /// It leaves, and is then lost; [`Link::lose`] is to be told of it at that time.
    IsLost(Time),
    /// The link keeps a copy of it, or has dropped it.
    Gone,
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
    /// It did not conform to its VC's contract.
    FrameNonconforming,
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
    /// A cell begins to leave a NIC of an ATM network.
    CellSent {
        /// Number of the VC on which it travels.
        vc: u32,
        /// Whether it is data, and no RM cell.
        data: bool,
    },
    /// A cell was queued at a switch port of an ATM network.
    CellsQueued {
        /// Number of the line that begins at the port.
        port: u32,
        /// Cells queued now in all categories; the one being sent is among them.
        queued: u32,
    },
    /// The source of a VC has another ACR.
    Acr {
        /// Number of the VC.
        vc: u32,
        /// Allowed cell rate, cells/s.
        acr: f64,
    },
}

impl<P: Clone + Send> Link<P> {
    /// Lets happen on the link what is due by `now`. A [`FifoLink`] has told of it already.
    pub fn advance(&mut self, now: Time, watch: &mut impl FnMut(Time, LinkEvent<'_, P>)) {
        match self {
            Self::Fifo(_) => {}
            Self::Packets(link) => link.advance(now, watch),
            Self::Cells(link) => link.advance(now, watch),
            Self::Atm(network) => network.advance(now, watch),
        }
    }

    /// Takes out a packet that has crossed by `now`, the time of the last [`Link::advance`].
    pub(crate) fn receive(&mut self, now: Time) -> Option<Packet<P>> {
        match self {
            Self::Fifo(_) => None,
            Self::Packets(link) => link.ring.pop_until(now),
            Self::Cells(link) => link.ring.pop_until(now),
            Self::Atm(network) => network.receive(now),
        }
    }

    /// When the link wants to be asked again; [`Time::NEVER`] if nothing is on it.
    pub(crate) fn next_event(&self) -> Time {
        match self {
            Self::Fifo(_) => Time::NEVER,
            Self::Packets(link) => link.next_event(),
            Self::Cells(link) => link.next_event(),
            Self::Atm(network) => network.next_event(),
        }
    }

    /// Packets that it keeps: waiting, being sent, or crossing.
    pub(crate) fn packets(&self) -> usize {
        match self {
            Self::Fifo(_) => 0,
            Self::Packets(link) => link.packets(),
            Self::Cells(link) => link.packets(),
            Self::Atm(network) => network.packets(),
        }
    }

    /// Totals up to `now`; none of a link that carries cells.
    pub fn packet_counters(&mut self, now: Time) -> Option<PacketCounters> {
        match self {
            Self::Fifo(link) => Some(link.counters(now)),
            Self::Packets(link) => Some(link.counters(now)),
            Self::Cells(_) | Self::Atm(_) => None,
        }
    }
}

impl<P: Clone + Send> Link<P> {
    /// Takes a packet at `now`.
    #[inline]
    pub(crate) fn send(
        &mut self,
        now: Time,
        packet: &mut Packet<P>,
        watch: &mut impl FnMut(Time, LinkEvent<'_, P>),
    ) -> Passing {
        if let Self::Fifo(link) = self {
            return link.send(now, packet, watch);
        }
        self.send_copy(now, packet, watch);
        Passing::Gone
    }

    /// A packet is lost of which the link has said so.
    pub(crate) fn lose(
        &mut self,
        now: Time,
        packet: &Packet<P>,
        watch: &mut impl FnMut(Time, LinkEvent<'_, P>),
    ) {
        if let Self::Fifo(link) = self {
            link.lose(now, packet, watch);
        }
    }

    #[inline(never)]
    fn send_copy(&mut self, now: Time, packet: &Packet<P>, watch: &mut impl FnMut(Time, LinkEvent<'_, P>)) {
        match self {
            Self::Fifo(_) => {}
            Self::Packets(link) => link.send(now, packet.clone(), watch),
            Self::Cells(link) => link.send(now, packet.clone(), watch),
            Self::Atm(network) => network.send(now, packet.clone(), watch),
        }
    }
}

/// Packets that are crossing, in the order in which they arrive.
#[derive(Debug)]
pub(crate) struct Ring<P> {
    crossing: VecDeque<(Time, Packet<P>)>,
}

impl<P> Ring<P> {
    pub(crate) fn new() -> Self {
        Self { crossing: VecDeque::new() }
    }

    /// Takes a packet in, behind those that arrive no later: without jitter, at the end.
    pub(crate) fn push(&mut self, arrives: Time, packet: Packet<P>) {
        if self.crossing.back().is_none_or(|last| last.0 <= arrives) {
            return self.crossing.push_back((arrives, packet));
        }
        let place = self.crossing.partition_point(|crossing| crossing.0 <= arrives);
        self.crossing.insert(place, (arrives, packet));
    }

    pub(crate) fn next_arrival(&self) -> Time {
        self.crossing.front().map_or(Time::NEVER, |head| head.0)
    }

    pub(crate) fn pop_until(&mut self, now: Time) -> Option<Packet<P>> {
        if self.next_arrival() > now {
            return None;
        }
        self.crossing.pop_front().map(|head| head.1)
    }

    pub(crate) fn len(&self) -> usize {
        self.crossing.len()
    }
}
