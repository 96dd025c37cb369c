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

/// What a link carries. `P` is what the hosts say to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet<P> {
    /// Who sent it.
    pub from: HostId,
    /// For whom it is.
    pub to: HostId,
    /// Its length as an IP packet, bytes.
    pub bytes: u32,
    /// Its content.
    pub payload: P,
}
