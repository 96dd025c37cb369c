//! A trunk between two ATM switches, from the sending hosts' network cards to the receiving ones.
//!
//! Each host has its own VC and access link, on which its frames follow one another. They compete at
//! the output port of the first switch. Nothing queues behind it, because an access link is faster
//! than the trunk. So one component models the whole: frames in, frames out.

use crate::report::{AtmEvent, FrameDrop, report_drop};
use crate::{Fate, Frame, PortConfig, PortCounters, PortEvents, TrainPort, aal5};
use base::Time;
use sim::link::{LinkEvent, Report, Ring, Watch};
use sim::{Packet, Waits};

/// The link between a host and its switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellAccess {
    /// Time to send a cell.
    pub cell_time: Time,
    /// Propagation delay.
    pub delay: Time,
}

impl CellAccess {
    /// Time from the first bit of a cell at one end to its last bit at the other.
    fn crossing(self) -> Time {
        self.cell_time + self.delay
    }
}

/// A trunk between two ATM switches.
pub struct CellTrunk<P> {
    port: TrainPort<Packet<P>>,
    /// The VC of each host that sends into the trunk, by the host's number.
    vcs: Vec<u32>,
    before: Time,
    cell_time: Time,
    beyond: Time,
    ring: Ring<P>,
    at_entrance: usize,
}

impl<P> CellTrunk<P> {
    /// An empty trunk of length `delay` with `access_links` of them, each a VC of its own. `vcs` has
    /// the VC of each host by the host's number; hosts that share an access link share its VC.
    #[must_use]
    pub fn new(
        port: PortConfig,
        delay: Time,
        access: CellAccess,
        access_links: usize,
        vcs: Vec<u32>,
    ) -> Self {
        let cell_time = port.cell_time;
        Self {
            port: TrainPort::new(port, &vec![access.cell_time; access_links]),
            vcs,
            before: access.crossing(),
            cell_time,
            beyond: delay + access.crossing(),
            ring: Ring::new(),
            at_entrance: 0,
        }
    }

    /// Totals of the port up to `now`.
    pub fn counters(&mut self, now: Time) -> PortCounters {
        self.port.counters(now)
    }

    /// Measures how long cells wait in the port.
    pub fn measure_waits(&mut self, waits: Waits) {
        self.port.measure_waits(waits);
    }

    /// How long cells waited in the port, if it was to measure it.
    #[must_use]
    pub fn waits(&self) -> Option<&Waits> {
        self.port.waits()
    }

    /// Time to send a cell.
    #[must_use]
    pub fn cell_time(&self) -> Time {
        self.cell_time
    }

    /// Cells queued in the port at `now`.
    pub fn queued_cells(&mut self, now: Time) -> u32 {
        self.port.queued(now)
    }

    pub(crate) fn send(&mut self, now: Time, packet: Packet<P>, watch: &mut impl Watch<P, AtmEvent>) {
        self.advance(now, watch);
        self.at_entrance += 1;
        self.port.offer(Frame {
            vc: self.vcs[packet.from.0 as usize],
            first: now + self.before,
            cells: aal5::cells(packet.bytes),
            tag: packet,
        });
    }

    /// The head of the ring, or the earliest time at which a frame still at the entrance could
    /// arrive: the next cell would have to be its last and find the port idle.
    pub(crate) fn next_event(&self) -> Time {
        let in_port = self.port.next_arrival().map_or(Time::NEVER, |at| at + self.cell_time + self.beyond);
        in_port.min(self.ring.next_arrival())
    }

    pub(crate) fn receive(&mut self, now: Time) -> Option<Packet<P>> {
        self.ring.pop_until(now)
    }

    pub(crate) fn packets(&self) -> usize {
        self.at_entrance + self.ring.len()
    }

    pub(crate) fn advance(&mut self, now: Time, watch: &mut impl Watch<P, AtmEvent>) {
        let Self { port, ring, beyond, at_entrance, .. } = self;
        port.advance(now, &mut Exit { ring, beyond: *beyond, at_entrance, watch });
    }
}

/// Handles the frames that leave the port.
struct Exit<'a, P, W> {
    ring: &'a mut Ring<P>,
    beyond: Time,
    at_entrance: &'a mut usize,
    watch: &'a mut W,
}

impl<P, W: Watch<P, AtmEvent>> PortEvents<Packet<P>> for Exit<'_, P, W> {
    fn decided(&mut self, at: Time, _: u32, queued: u32, admitted: bool) {
        self.watch.tell(at, Report::Component(AtmEvent::FrameDecided { queued, admitted }));
    }

    fn finished(&mut self, at: Time, packet: Packet<P>, fate: Fate) {
        *self.at_entrance -= 1;
        let cause = match fate {
            Fate::Carried(out) => {
                let arrives = out + self.beyond;
                self.watch.tell(at, Report::Link(LinkEvent::Crossing { packet: &packet, arrives }));
                return self.ring.push(arrives, packet);
            }
            Fate::Refused => FrameDrop::Refused,
            Fate::Cut | Fate::Joined => FrameDrop::Cut,
        };
        report_drop(at, &packet, cause, self.watch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Eom, Tail};
    use sim::{HostId, PacketId};

    /// 23 cells: the first is through the access link after 2 + 5 us, the others 2 us apart, so
    /// the port (10 us a cell) is never idle and sends the last one off at 7 + 230 us; then
    /// 1000 us of trunk and 7 us of access link.
    #[test]
    fn a_lone_frame_arrives_when_its_last_cell_does() {
        let port =
            PortConfig { cell_time: Time::from_us(10), buffer: 100, policy: Box::new(Tail), eom: Eom::Keep };
        let access = CellAccess { cell_time: Time::from_us(2), delay: Time::from_us(5) };
        let mut trunk = CellTrunk::new(port, Time::from_us(1000), access, 1, vec![u32::MAX, 0]);
        let packet = Packet {
            id: PacketId::sent(0),
            from: HostId(1),
            to: HostId(0),
            flow: 0,
            bytes: 1064,
            payload: (),
        };
        trunk.send(Time::ZERO, packet, &mut ());
        let mut now = Time::ZERO;
        while trunk.ring.pop_until(now).is_none() {
            assert!(trunk.next_event() > now, "an event that has passed wakes nobody");
            now = trunk.next_event();
            trunk.advance(now, &mut ());
        }
        assert_eq!(now, Time::from_us(7 + 230 + 1007));
    }
}
