//! Hosts: the endpoints at the nodes of a world.

use crate::in_flight::{InFlight, PacketSlot};
use crate::link::Component;
use crate::packet::{HostId, Packet, PacketId};
use base::Time;
use slab::Slab;

/// A host receives packets and wake-ups, and answers with packets and with the time of its next wake-up.
pub trait Host {
    /// The content of the packets that hosts send to each other.
    type Payload: Clone + Send;
    /// The other kind of network between hosts, besides packet links; [`NoComponent`](crate::NoComponent) if nothing
    /// does.
    type Component: Component<Self::Payload>;

    /// Receives a packet.
    fn receive(&mut self, now: Time, packet: &Packet<Self::Payload>, outbox: &mut Outbox<'_, Self::Payload>);
    /// Handles a wake-up. It may come earlier than [`Host::next_wake`] said; the host must then do nothing.
    fn wake(&mut self, now: Time, outbox: &mut Outbox<'_, Self::Payload>);
    /// The time of the next wake-up that it needs; [`Time::NEVER`] if it needs none.
    fn next_wake(&self) -> Time;
}

/// Collects the packets that a host sends, in order.
pub struct Outbox<'a, P> {
    /// The host that sends.
    pub(crate) from: HostId,
    /// Packets that all hosts have sent so far.
    pub(crate) packets_sent: &'a mut u64,
    pub(crate) in_flight: &'a mut Slab<InFlight<P>>,
    pub(crate) sent: &'a mut Vec<PacketSlot>,
}

impl<P> Outbox<'_, P> {
    /// Sends a packet of one of the host's flows to another host. `bytes` is its length as an IP packet.
    // Inlined, so that the packet is built where it is stored.
    #[inline(always)]
    pub fn push(&mut self, to: HostId, flow: u32, bytes: u32, payload: P) {
        let id = PacketId::sent(*self.packets_sent);
        *self.packets_sent += 1;
        let packet = Packet { id, from: self.from, to, flow, bytes, payload };
        let slot = self.in_flight.insert(InFlight::new(packet));
        self.sent.push(PacketSlot(slot as u32));
    }
}
