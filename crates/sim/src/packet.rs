//! Packets.

/// A place in the network, by number: links begin and end there, and hosts stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A host, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostId(pub u32);

/// A link, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub u32);

/// Identifies a packet within its world.
///
/// The packets that hosts send are numbered from 0 on, in the order of sending. A copy that a link
/// makes has an identity of its own, numbered by that link alone, so that the order in which links
/// are advanced does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PacketId(u64);

impl PacketId {
    /// Bits for the numbers of one source: the hosts together, or the copies of one link.
    const BITS: u32 = 40;

    /// The packet that hosts send after `number` others.
    #[inline(always)]
    #[must_use]
    pub const fn sent(number: u64) -> Self {
        Self(number)
    }

    /// Its number: of what hosts send, how many they had sent before. A copy has a higher number than any of those.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }

    /// The copy that a link makes after `number` others.
    #[must_use]
    pub const fn copied(link: LinkId, number: u64) -> Self {
        Self(((link.0 as u64 + 1) << Self::BITS) | number)
    }
}

/// A flow: who sends, who receives, and which of theirs it is.
pub type FlowKey = (HostId, HostId, u32);

/// A packet. `P` is the content that hosts send to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet<P> {
    /// Its identity, which it keeps from its sender to its receiver.
    pub id: PacketId,
    /// Who sent it.
    pub from: HostId,
    /// Its destination.
    pub to: HostId,
    /// Its flow among those from `from` to `to`, which a pair of ports would identify.
    pub flow: u32,
    /// Its length as an IP packet, bytes.
    pub bytes: u32,
    /// Its content.
    pub payload: P,
}

impl<P> Packet<P> {
    /// Its flow.
    #[must_use]
    pub const fn flow_key(&self) -> FlowKey {
        (self.from, self.to, self.flow)
    }
}
