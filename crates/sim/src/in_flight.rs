//! Packets in flight: each is written once, where it stays until it arrives or is lost.

use crate::packet::{LinkId, Packet};

/// Where a packet in flight is stored.
#[derive(Clone, Copy)]
pub(crate) struct PacketSlot(pub(crate) u32);

impl PacketSlot {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A packet in flight.
pub(crate) struct InFlight<P> {
    /// The link that it is on; none yet if its host has just sent it.
    pub(crate) link: CompactLink,
    /// The link that it enters at the end of that one; none if its host is there.
    pub(crate) next_hop: CompactLink,
    pub(crate) packet: Packet<P>,
}

impl<P> InFlight<P> {
    /// A packet that its host has just sent.
    #[inline]
    pub(crate) fn new(packet: Packet<P>) -> Self {
        Self { link: CompactLink::NONE, next_hop: CompactLink::NONE, packet }
    }
}

/// An `Option<LinkId>` in the size of a [`LinkId`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct CompactLink(u32);

impl CompactLink {
    pub(crate) const NONE: Self = Self(u32::MAX);

    #[inline]
    pub(crate) fn get(self) -> Option<LinkId> {
        (self != Self::NONE).then_some(LinkId(self.0))
    }

    /// The link, where the caller knows that there is one.
    #[inline]
    pub(crate) fn link(self) -> LinkId {
        debug_assert!(self != Self::NONE);
        LinkId(self.0)
    }
}

impl From<Option<LinkId>> for CompactLink {
    #[inline]
    fn from(link: Option<LinkId>) -> Self {
        link.map_or(Self::NONE, Self::from)
    }
}

impl From<LinkId> for CompactLink {
    #[inline]
    fn from(link: LinkId) -> Self {
        Self(link.0)
    }
}
