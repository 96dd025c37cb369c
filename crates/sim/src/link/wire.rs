//! The wire of a link: its propagation delay and its impairments.

use super::{DropCause, Fate, Impairment, LinkEvent, Ring, Schedule};
use crate::packet::{LinkId, Packet, PacketId};
use base::Time;

/// Carries packets from a transmitter to the other end of its link.
pub(super) struct Wire<P> {
    /// The link of the wire; part of the identity of copies.
    link: LinkId,
    delay: Schedule<Time>,
    /// The shortest that the delay ever is.
    pub(super) least_delay: Time,
    /// When the last packet arrives, without what impairments add. A shorter delay lets no packet overtake another.
    last_arrival: Time,
    impairments: Vec<Box<dyn Impairment<P>>>,
    pub(super) crossing: Ring<P>,
    pub(super) lost: u64,
    pub(super) duplicated: u64,
    pub(super) marked: u64,
}

impl<P: Clone> Wire<P> {
    pub(super) fn new(link: LinkId, delay: Schedule<Time>, impairments: Vec<Box<dyn Impairment<P>>>) -> Self {
        Self {
            link,
            least_delay: delay.values().min().unwrap_or(Time::ZERO),
            delay,
            last_arrival: Time::ZERO,
            impairments,
            crossing: Ring::new(),
            lost: 0,
            duplicated: 0,
            marked: 0,
        }
    }

    /// Applies the impairments to a packet whose last bit was sent at `sent`, and carries the result.
    pub(super) fn carry(
        &mut self,
        sent: Time,
        mut packet: Packet<P>,
        watch: &mut impl FnMut(Time, LinkEvent<'_, P>),
    ) {
        self.last_arrival = self.last_arrival.max(sent + self.delay.at(sent));
        let mut arrives = self.last_arrival;
        for (number, impairment) in self.impairments.iter_mut().enumerate() {
            let fate = impairment.apply(&mut packet, sent);
            if fate != Fate::Pass {
                watch(sent, LinkEvent::Impaired { packet: &packet, number, fate });
            }
            match fate {
                Fate::Pass => {}
                Fate::Lose => {
                    self.lost += 1;
                    return watch(sent, LinkEvent::Dropped(&packet, DropCause::Impairment));
                }
                Fate::Mark => self.marked += 1,
                Fate::Delay(time) => arrives += time,
                Fate::Duplicate => {
                    let copy = PacketId::copied(self.link, self.duplicated);
                    self.duplicated += 1;
                    watch(sent, LinkEvent::Duplicated { packet: &packet, copy });
                    watch(sent, LinkEvent::Crossing { packet: &packet, arrives });
                    self.crossing.push(arrives, packet.clone());
                    packet.id = copy;
                }
            }
        }
        watch(sent, LinkEvent::Crossing { packet: &packet, arrives });
        self.crossing.push(arrives, packet);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::{Duplicate, Jitter, PPB};
    use crate::packet::HostId;
    use crate::rng::Streams;

    /// From 5 ms on the wire is 10 ms shorter: what is sent then does not overtake what was sent before.
    #[test]
    fn a_shorter_delay_keeps_the_order() {
        let delay =
            Schedule::new(vec![(Time::ZERO, Time::from_ms(20)), (Time::from_ms(5), Time::from_ms(10))], None);
        let mut wire = Wire::new(LinkId(0), delay, vec![]);
        assert_eq!(wire.least_delay, Time::from_ms(10));
        let mut arrivals = Vec::new();
        for ms in [3, 4, 5, 15] {
            let (id, from, to) = (PacketId::sent(ms), HostId(0), HostId(1));
            let packet = Packet { id, from, to, flow: 0, bytes: 1000, payload: 0_u32 };
            wire.carry(Time::from_ms(ms), packet, &mut |_, event| {
                if let LinkEvent::Crossing { arrives, .. } = event {
                    arrivals.push(arrives);
                }
            });
        }
        assert_eq!(arrivals, [23, 24, 24, 25].map(Time::from_ms));
    }

    /// Two impairments double each packet. The second applies to the copy that the first makes, not to the original.
    #[test]
    fn every_copy_has_an_identity_of_its_own() {
        let rng = || Streams::new(1).named("test");
        let twice = || -> Box<dyn Impairment<u32>> { Box::new(Duplicate::new(PPB, rng())) };
        let jitter = Box::new(Jitter::new(Time::from_ms(9), rng()));
        let mut wire = Wire::new(LinkId(3), Time::from_ms(1).into(), vec![twice(), jitter, twice()]);
        let mut copies = Vec::new();
        for number in 0..100 {
            let (id, from, to) = (PacketId::sent(number), HostId(0), HostId(1));
            let packet = Packet { id, from, to, flow: 0, bytes: 1000, payload: number as u32 };
            wire.carry(Time::from_us(number), packet, &mut |_, event| {
                if let LinkEvent::Duplicated { packet, copy } = event {
                    copies.push((packet.id, copy));
                }
            });
        }
        let copied = |number| PacketId::copied(LinkId(3), number);
        assert_eq!(
            copies[..3],
            [(PacketId::sent(0), copied(0)), (copied(0), copied(1)), (PacketId::sent(1), copied(2)),]
        );
        let mut arrived = Vec::new();
        while let Some(packet) = wire.crossing.pop_until(Time::NEVER) {
            arrived.push(packet.id);
        }
        arrived.sort();
        assert!((arrived.len(), wire.duplicated) == (300, 200) && arrived.is_sorted_by(|a, b| a < b));
    }
}
