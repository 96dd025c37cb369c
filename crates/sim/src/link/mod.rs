//! Links: how packets get from one end to the other.
//!
//! A packet link is a queue, a [`Service`] that sends the waiting packets, and a wire: a propagation delay and
//! impairments. A [`PacketLink`] combines any of these. A [`FifoLink`] does the same for queues that decide
//! when a packet arrives, at a fixed rate: it knows at once when the packet will reach the other end, and that
//! is the packet's only event. On the other links packets wait in a [`Ring`] while they cross the wire, and only
//! the first of them has an event.

use std::collections::VecDeque;

use crate::packet::{Packet, PacketId};
use crate::waits::Waits;
use base::Time;

mod component;
mod fifo_link;
mod impairment;
mod packet_link;
mod schedule;
mod service;
mod wire;

pub use component::{Component, NoComponent, Report, Watch};
pub use fifo_link::FifoLink;
pub use impairment::{
    Bernoulli, Duplicate, Fate, GilbertElliott, Impairment, Jitter, LossEvents, Mark, Only, PPB,
    ScheduledLoss, ScriptedDrops, TwoParameter,
};
pub use packet_link::{PacketCounters, PacketLink};
pub use schedule::Schedule;
pub use service::{Opportunities, RateSchedule, Service};

/// A link.
pub enum Link<P, C = NoComponent> {
    /// Carries packets that leave in order, and arrive in order unless they are lost.
    Fifo(FifoLink<P>),
    /// Carries packets with any queue and any impairments.
    Packets(Box<PacketLink<P>>),
    /// Carries packets through a network of another kind.
    Component(Box<C>),
}

/// The result of sending a packet into a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SendResult {
    /// It will arrive.
    ArrivesAt(Time),
    /// The wire will lose it: [`Link::lose`] must be called then.
    LostAt(Time),
    /// The link has stored it or dropped it.
    Consumed,
}

/// Why a packet was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropCause {
    /// An impairment lost it.
    Impairment,
    /// The queue had no room for it.
    QueueFull,
    /// The queue discipline dropped it to signal congestion, though there was room.
    QueueEarly,
    /// The component dropped it, for the reason that its last event gave.
    Component,
}

/// What happens on a link.
#[derive(Clone, Copy, Debug)]
pub enum LinkEvent<'a, P> {
    /// A packet was lost.
    Dropped(&'a Packet<P>, DropCause),
    /// An impairment has made a copy of a packet. The packet crosses first; the copy meets the
    /// impairments that follow.
    Duplicated {
        /// The packet.
        packet: &'a Packet<P>,
        /// The identity of its copy.
        copy: PacketId,
    },
    /// An impairment does something to a packet.
    Impaired {
        /// The packet.
        packet: &'a Packet<P>,
        /// Number of the impairment on the wire, from 0 on.
        number: usize,
        /// What it does.
        fate: Fate,
    },
    /// A packet has been sent and crosses the wire. Of those that arrive at one time, the one whose event
    /// comes first arrives first.
    Crossing {
        /// The packet.
        packet: &'a Packet<P>,
        /// When it will arrive.
        arrives: Time,
    },
    /// The queue discipline has marked a packet.
    Marked(&'a Packet<P>),
    /// The queue has changed.
    Queued {
        /// Packets that wait now, without the one being sent.
        packets: u64,
        /// When the last of them begins to be sent, and so one fewer waits, if the link knows that beforehand. Then it
        /// does not report it any more, nor packets that do not wait.
        begins: Option<Time>,
    },
}

impl<P: Clone + Send, C: Component<P>> Link<P, C> {
    /// Processes everything that is due by `now`. A [`FifoLink`] has nothing left to do: it reports in advance.
    pub fn advance(&mut self, now: Time, watch: &mut impl Watch<P, C::Event>) {
        match self {
            Self::Fifo(_) => {}
            Self::Packets(link) => link.advance(now, &mut |at, event| watch.tell(at, Report::Link(event))),
            Self::Component(component) => component.advance(now, watch),
        }
    }

    /// Takes out a packet that has crossed by `now`, the time of the last [`Link::advance`].
    pub(crate) fn receive(&mut self, now: Time) -> Option<Packet<P>> {
        match self {
            Self::Fifo(_) => None,
            Self::Packets(link) => link.receive(now),
            Self::Component(component) => component.receive(now),
        }
    }

    /// When the link must be polled next; [`Time::NEVER`] if it stores no packet.
    pub(crate) fn next_event(&self) -> Time {
        match self {
            Self::Fifo(_) => Time::NEVER,
            Self::Packets(link) => link.next_event(),
            Self::Component(component) => component.next_event(),
        }
    }

    /// Packets that it stores: waiting, being sent, or crossing.
    pub(crate) fn packets(&self) -> usize {
        match self {
            Self::Fifo(_) => 0,
            Self::Packets(link) => link.packets(),
            Self::Component(component) => component.packets(),
        }
    }

    /// Totals up to `now`; none of a component.
    pub fn packet_counters(&mut self, now: Time) -> Option<PacketCounters> {
        match self {
            Self::Fifo(link) => Some(link.counters(now)),
            Self::Packets(link) => Some(link.counters(now)),
            Self::Component(_) => None,
        }
    }

    /// Measures how long packets wait; a component measures by itself.
    pub fn measure_waits(&mut self, waits: Waits) {
        match self {
            Self::Fifo(link) => link.waits = Some(Box::new(waits)),
            Self::Packets(link) => link.waits = Some(Box::new(waits)),
            Self::Component(_) => {}
        }
    }

    /// How long packets waited, if the link was to measure it.
    #[must_use]
    pub fn waits(&self) -> Option<&Waits> {
        match self {
            Self::Fifo(link) => link.waits.as_deref(),
            Self::Packets(link) => link.waits.as_deref(),
            Self::Component(_) => None,
        }
    }

    /// Sends a packet into the link at `now`.
    #[inline]
    pub(crate) fn send(
        &mut self,
        now: Time,
        packet: &mut Packet<P>,
        watch: &mut impl Watch<P, C::Event>,
    ) -> SendResult {
        if let Self::Fifo(link) = self {
            return link.send(now, packet, watch);
        }
        self.send_copy(now, packet, watch);
        SendResult::Consumed
    }

    /// Reports the loss of a packet for which [`Link::send`] returned [`SendResult::LostAt`], at that time.
    pub(crate) fn lose(&mut self, now: Time, packet: &Packet<P>, watch: &mut impl Watch<P, C::Event>) {
        if let Self::Fifo(link) = self {
            link.lose(now, packet, watch);
        }
    }

    #[inline(never)]
    fn send_copy(&mut self, now: Time, packet: &Packet<P>, watch: &mut impl Watch<P, C::Event>) {
        match self {
            Self::Fifo(_) => {}
            Self::Packets(link) => {
                link.send(now, packet.clone(), &mut |at, event| watch.tell(at, Report::Link(event)));
            }
            Self::Component(component) => component.send(now, packet.clone(), watch),
        }
    }
}

/// Packets that are crossing, in the order in which they arrive.
#[derive(Debug)]
pub struct Ring<P> {
    crossing: VecDeque<(Time, Packet<P>)>,
}

impl<P> Default for Ring<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P> Ring<P> {
    /// An empty ring.
    #[must_use]
    pub fn new() -> Self {
        Self { crossing: VecDeque::new() }
    }

    /// Inserts a packet after those that arrive no later: without jitter, at the end.
    pub fn push(&mut self, arrives: Time, packet: Packet<P>) {
        if self.crossing.back().is_none_or(|last| last.0 <= arrives) {
            return self.crossing.push_back((arrives, packet));
        }
        let place = self.crossing.partition_point(|crossing| crossing.0 <= arrives);
        self.crossing.insert(place, (arrives, packet));
    }

    /// When the first packet arrives; [`Time::NEVER`] if the ring is empty.
    #[must_use]
    pub fn next_arrival(&self) -> Time {
        self.crossing.front().map_or(Time::NEVER, |head| head.0)
    }

    /// Takes out the first packet if it has arrived by `now`.
    pub fn pop_until(&mut self, now: Time) -> Option<Packet<P>> {
        if self.next_arrival() > now {
            return None;
        }
        self.crossing.pop_front().map(|head| head.1)
    }

    /// Packets in the ring.
    #[must_use]
    pub fn len(&self) -> usize {
        self.crossing.len()
    }

    /// Whether the ring has no packet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.crossing.is_empty()
    }
}
