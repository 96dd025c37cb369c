//! The ATM networks that can be the component of a world.

use crate::cell_trunk::CellTrunk;
use crate::network::AtmNetwork;
use crate::report::AtmEvent;
use base::Time;
use sim::link::{Component, Link, Watch};
use sim::packet::Packet;

/// A component of a world that carries packets as AAL5 frames.
pub enum AtmLink<P> {
    /// Through one switch port, from many hosts to many, in one direction.
    Trunk(CellTrunk<P>),
    /// Through a network of switches, in all directions.
    Network(AtmNetwork<P>),
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

impl<P> Component<P> for AtmLink<P> {
    type Event = AtmEvent;

    fn send(&mut self, now: Time, packet: Packet<P>, watch: &mut impl Watch<P, AtmEvent>) {
        match self {
            Self::Trunk(trunk) => trunk.send(now, packet, watch),
            Self::Network(network) => network.send(now, packet, watch),
        }
    }

    fn advance(&mut self, now: Time, watch: &mut impl Watch<P, AtmEvent>) {
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
