//! A link that carries packets: a queue, a transmitter, a propagation delay.

use super::{DropCause, Impairment, LinkEvent, Ring};
use crate::packet::Packet;
use crate::queue::QueueDiscipline;
use crate::time::{Rate, Time};

/// A link that carries packets.
pub struct PacketLink<P> {
    rate: Rate,
    delay: Time,
    queue: Box<dyn QueueDiscipline<P>>,
    impairment: Option<Box<dyn Impairment<P>>>,
    /// The packet being sent and when its last bit leaves.
    sending: Option<(Time, Packet<P>)>,
    pub(super) ring: Ring<P>,
}

impl<P> PacketLink<P> {
    /// An empty link.
    #[must_use]
    pub fn new(
        rate: Rate,
        delay: Time,
        queue: Box<dyn QueueDiscipline<P>>,
        impairment: Option<Box<dyn Impairment<P>>>,
    ) -> Self {
        Self { rate, delay, queue, impairment, sending: None, ring: Ring::new() }
    }

    pub(super) fn send(
        &mut self,
        now: Time,
        packet: Packet<P>,
        watch: &mut impl FnMut(Time, LinkEvent<'_, P>),
    ) {
        self.advance(now);
        if self.impairment.as_mut().is_some_and(|impairment| impairment.loses(&packet, now)) {
            return watch(now, LinkEvent::Dropped(&packet, DropCause::Impairment));
        }
        if let Err(packet) = self.queue.enqueue(packet, now) {
            return watch(now, LinkEvent::Dropped(&packet, DropCause::QueueFull));
        }
        if self.sending.is_none() {
            self.start(now);
        }
    }

    pub(super) fn next_event(&self) -> Time {
        let sent = self.sending.as_ref().map_or(Time::NEVER, |sending| sending.0);
        sent.min(self.ring.next_arrival())
    }

    pub(super) fn packets(&self) -> usize {
        self.queue.len_packets() + usize::from(self.sending.is_some()) + self.ring.len()
    }

    /// Ends the transmissions that are over by `now`.
    pub(super) fn advance(&mut self, now: Time) {
        while let Some((sent, packet)) = self.sending.take_if(|sending| sending.0 <= now) {
            self.ring.push(sent + self.delay, packet);
            self.start(sent);
        }
    }

    fn start(&mut self, now: Time) {
        if let Some(packet) = self.queue.dequeue(now) {
            self.sending = Some((now + self.rate.time_for(u64::from(packet.bytes)), packet));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::HostId;
    use crate::queue::DropTail;

    fn packet(number: u32) -> Packet<u32> {
        Packet { from: HostId(0), to: HostId(1), bytes: 1000, payload: number }
    }

    /// 1000 bytes at 8 Mbit/s take 1 ms; the link is 10 ms long; two may wait.
    #[test]
    fn sends_in_order_and_drops_the_fourth() {
        let queue = Box::new(DropTail::new(2));
        let mut link = PacketLink::new(Rate::from_bps(8_000_000), Time::from_ms(10), queue, None);
        let mut dropped = Vec::new();
        for number in 1..=4 {
            link.send(Time::ZERO, packet(number), &mut |_, event| {
                if let LinkEvent::Dropped(packet, cause) = event {
                    dropped.push((packet.payload, cause));
                }
            });
        }
        assert_eq!(dropped, [(4, DropCause::QueueFull)]);
        let mut arrivals = Vec::new();
        while link.next_event() < Time::NEVER {
            let now = link.next_event();
            link.advance(now);
            while let Some(packet) = link.ring.pop_until(now) {
                arrivals.push((packet.payload, now));
            }
        }
        assert_eq!(arrivals, [(1, Time::from_ms(11)), (2, Time::from_ms(12)), (3, Time::from_ms(13))]);
        assert_eq!(link.packets(), 0);
    }
}
