//! What of ATM can stand in a world as a component, and what it reports.

use crate::cell_trunk::CellTrunk;
use crate::network::AtmNetwork;
use base::Time;
use sim::link::{Component, DropCause, Link, LinkEvent, Report};
use sim::packet::Packet;

/// A component of a world that carries packets as AAL5 frames.
pub enum AtmLink<P> {
    /// Through one switch port, from many hosts to many, in one direction.
    Trunk(CellTrunk<P>),
    /// Through a network of switches, in all directions.
    Network(AtmNetwork<P>),
}

/// What happens in an ATM component besides what happens to its packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AtmEvent {
    /// The first cell of a frame found this many cells in the buffer.
    FrameDecided {
        /// Cells queued before it.
        queued: u32,
        /// Whether the policy admitted it.
        admitted: bool,
    },
    /// The packet that the next [`LinkEvent::Dropped`] names was lost for this reason.
    FrameDropped(FrameDrop),
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

/// Why the packet of a frame was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameDrop {
    /// The frame policy refused the frame.
    Refused,
    /// Cells of the frame found the buffer full.
    Cut,
    /// The frame did not conform to its VC's contract.
    Nonconforming,
}

impl<P> From<CellTrunk<P>> for Link<P, AtmLink<P>> {
    fn from(trunk: CellTrunk<P>) -> Self {
        Self::Component(Box::new(AtmLink::Trunk(trunk)))
    }
}

impl<P> From<AtmNetwork<P>> for Link<P, AtmLink<P>> {
    fn from(network: AtmNetwork<P>) -> Self {
        Self::Component(Box::new(AtmLink::Network(network)))
    }
}

/// What an ATM component reports.
pub(crate) type AtmReport<'a, P> = Report<'a, P, AtmEvent>;

/// Reports that a packet was lost, and why.
pub(crate) fn report_drop<P>(
    at: Time,
    packet: &Packet<P>,
    cause: FrameDrop,
    watch: &mut impl FnMut(Time, AtmReport<'_, P>),
) {
    watch(at, Report::Component(AtmEvent::FrameDropped(cause)));
    watch(at, Report::Link(LinkEvent::Dropped(packet, DropCause::Component)));
}

impl<P> Component<P> for AtmLink<P> {
    type Event = AtmEvent;

    fn send(&mut self, now: Time, packet: Packet<P>, watch: &mut impl FnMut(Time, AtmReport<'_, P>)) {
        match self {
            Self::Trunk(trunk) => trunk.send(now, packet, watch),
            Self::Network(network) => network.send(now, packet, watch),
        }
    }

    fn advance(&mut self, now: Time, watch: &mut impl FnMut(Time, AtmReport<'_, P>)) {
        match self {
            Self::Trunk(trunk) => trunk.advance(now, watch),
            Self::Network(network) => network.advance(now, watch),
        }
    }

    fn receive(&mut self, now: Time) -> Option<Packet<P>> {
        match self {
            Self::Trunk(trunk) => trunk.receive(now),
            Self::Network(network) => network.receive(now),
        }
    }

    fn next_event(&self) -> Time {
        match self {
            Self::Trunk(trunk) => trunk.next_event(),
            Self::Network(network) => network.next_event(),
        }
    }

    fn packets(&self) -> usize {
        match self {
            Self::Trunk(trunk) => trunk.packets(),
            Self::Network(network) => network.packets(),
        }
    }
}
