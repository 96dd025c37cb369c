//! Components: whole networks of another kind, such as one of switches, that a world treats as one link.

use super::LinkEvent;
use crate::packet::Packet;
use base::Time;
use std::convert::Infallible;

/// A part of the network with its own way to carry packets: they enter at one side and leave at the other. The world
/// uses a component only through these methods.
pub trait Component<P> {
    /// What a component reports besides the [`LinkEvent`]s of its packets.
    type Event: Copy;

    /// Accepts a packet at `now`.
    fn send(&mut self, now: Time, packet: Packet<P>, watch: &mut impl Watch<P, Self::Event>);

    /// Processes everything that is due by `now`.
    fn advance(&mut self, now: Time, watch: &mut impl Watch<P, Self::Event>);

    /// Takes out a packet that has crossed by `now`, the time of the last [`Component::advance`].
    fn receive(&mut self, now: Time) -> Option<Packet<P>>;

    /// When [`Component::advance`] must be called again; [`Time::NEVER`] if no packet is in the component.
    fn next_event(&self) -> Time;

    /// Packets in the component: waiting, being sent, or crossing.
    fn packets(&self) -> usize;
}

/// What a link reports to observers.
#[derive(Clone, Copy, Debug)]
pub enum Report<'a, P, E> {
    /// What happens to packets on any link.
    Link(LinkEvent<'a, P>),
    /// What happens inside a component.
    Component(E),
}

/// Is told what happens on a link.
///
/// A trait and not a function, so that the compiler can inline it: then an event that no observer uses costs nothing.
pub trait Watch<P, E> {
    /// Something happened at a time.
    fn tell(&mut self, at: Time, report: Report<'_, P, E>);
}

impl<P, E, F: FnMut(Time, Report<'_, P, E>)> Watch<P, E> for F {
    #[inline(always)]
    fn tell(&mut self, at: Time, report: Report<'_, P, E>) {
        self(at, report);
    }
}

/// Nobody watches.
impl<P, E> Watch<P, E> for () {
    #[inline(always)]
    fn tell(&mut self, _: Time, _: Report<'_, P, E>) {}
}

/// The component of a world that has none.
pub enum NoComponent {}

impl<P> Component<P> for NoComponent {
    type Event = Infallible;

    fn send(&mut self, _: Time, _: Packet<P>, _: &mut impl Watch<P, Infallible>) {
        match *self {}
    }

    fn advance(&mut self, _: Time, _: &mut impl Watch<P, Infallible>) {
        match *self {}
    }

    fn receive(&mut self, _: Time) -> Option<Packet<P>> {
        match *self {}
    }

    fn next_event(&self) -> Time {
        match *self {}
    }

    fn packets(&self) -> usize {
        match *self {}
    }
}
