//! Observers: they see what happens and can change nothing.
//!
//! A world is generic over its observer, so the absent one, `()`, costs nothing.

use crate::host::Host;
use crate::link::{Component, LinkEvent, Report, Watch};
use crate::packet::{HostId, LinkId, Packet};
use base::Time;
use core::marker::PhantomData;

/// What the component of a host's world reports.
type ComponentEvent<H> = <<H as Host>::Component as Component<<H as Host>::Payload>>::Event;

/// What happens in a world.
pub enum Event<'a, H: Host> {
    /// A host has sent a packet into a link.
    Sent(LinkId, &'a Packet<H::Payload>),
    /// A packet has reached the end of one link, and the node there has forwarded it into another.
    Forwarded {
        /// The link over which it came.
        from: LinkId,
        /// The link that it enters.
        into: LinkId,
        /// The packet.
        packet: &'a Packet<H::Payload>,
    },
    /// A packet has reached its host over a link.
    Delivered(LinkId, &'a Packet<H::Payload>),
    /// Something happened on a link. A link reports it when it is next polled, or in advance if it knows,
    /// with the true time.
    Link(LinkId, LinkEvent<'a, H::Payload>),
    /// Something happened inside a component.
    Component(LinkId, ComponentEvent<H>),
    /// A host has handled a packet or a wake-up; this is its state now.
    Acted(HostId, &'a H),
}

impl<'a, H: Host> Event<'a, H> {
    /// What a link reports.
    #[inline(always)]
    pub(crate) fn on(link: LinkId, report: Report<'a, H::Payload, ComponentEvent<H>>) -> Self {
        match report {
            Report::Link(event) => Self::Link(link, event),
            Report::Component(event) => Self::Component(link, event),
        }
    }
}

/// An observer as a link sees it.
pub(crate) struct Watching<'a, H, O> {
    link: LinkId,
    observer: &'a mut O,
    host: PhantomData<H>,
}

impl<'a, H, O> Watching<'a, H, O> {
    #[inline(always)]
    pub(crate) fn new(link: LinkId, observer: &'a mut O) -> Self {
        Self { link, observer, host: PhantomData }
    }
}

impl<H: Host, O: Observer<H>> Watch<H::Payload, ComponentEvent<H>> for Watching<'_, H, O> {
    #[inline(always)]
    fn tell(&mut self, at: Time, report: Report<'_, H::Payload, ComponentEvent<H>>) {
        self.observer.on(at, &Event::on(self.link, report));
    }
}

/// Watches a world.
pub trait Observer<H: Host> {
    /// Whether it needs to know when a packet comes to this link from another one. The world asks once, at the
    /// beginning. The run is the same if it does not, and faster.
    fn follows(&self, _: LinkId) -> bool {
        true
    }

    /// Called with each event and the time at which it happened.
    fn on(&mut self, at: Time, event: &Event<'_, H>);
}

/// No observer.
impl<H: Host> Observer<H> for () {
    fn follows(&self, _: LinkId) -> bool {
        false
    }

    #[inline(always)]
    fn on(&mut self, _: Time, _: &Event<'_, H>) {}
}

/// An observer that may be missing.
impl<H: Host, O: Observer<H>> Observer<H> for Option<O> {
    fn follows(&self, link: LinkId) -> bool {
        self.as_ref().is_some_and(|observer| observer.follows(link))
    }

    #[inline(always)]
    fn on(&mut self, at: Time, event: &Event<'_, H>) {
        if let Some(observer) = self {
            observer.on(at, event);
        }
    }
}

/// Two observers.
impl<H: Host, A: Observer<H>, B: Observer<H>> Observer<H> for (A, B) {
    fn follows(&self, link: LinkId) -> bool {
        self.0.follows(link) || self.1.follows(link)
    }

    #[inline(always)]
    fn on(&mut self, at: Time, event: &Event<'_, H>) {
        self.0.on(at, event);
        self.1.on(at, event);
    }
}
