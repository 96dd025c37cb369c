//! What stands at the nodes of a world.

use super::{Arrival, Place, TO_HOST};
use crate::link::Component;
use crate::packet::Packet;
use base::Time;
use slab::Slab;

/// What stands at a node. A host is told of packets and of time; it answers with
/// packets, and with the time at which it wants to be woken.
pub trait Host {
    /// What hosts say to each other.
    type Payload: Clone + Send;
    /// What may stand between hosts besides packet links; [`NoComponent`](crate::NoComponent) if nothing does.
    type Component: Component<Self::Payload>;

    /// Takes a packet.
    fn receive(&mut self, now: Time, packet: &Packet<Self::Payload>, outbox: &mut Outbox<'_, Self::Payload>);
    /// Is woken. A host may be woken earlier than it asked for and then does nothing.
    fn wake(&mut self, now: Time, outbox: &mut Outbox<'_, Self::Payload>);
    /// When it wants to be woken next; [`Time::NEVER`] if not at all.
    fn next_wake(&self) -> Time;
    /// Asks for the memory in which it lies, and in further steps, from 0 on, for what that points to: it will act soon.
    fn prefetch(&self, step: usize) {
        let _ = step;
    }
}

/// Takes the packets that a host wants to send, in order.
pub struct Outbox<'a, P> {
    pub(super) packets: &'a mut Slab<Arrival<P>>,
    pub(super) sent: &'a mut Vec<Place>,
}

impl<P> Outbox<'_, P> {
    /// Takes a packet.
    // It is written at once where it stays until it arrives.
    #[inline(always)]
    pub fn push(&mut self, packet: Packet<P>) {
        let place = self.packets.insert(Arrival { over: TO_HOST, into: TO_HOST, packet });
        self.sent.push(Place(place as u32));
    }
}
