//! Impairments: what a link does to a packet beside queueing it.

use crate::packet::Packet;
use crate::time::Time;

/// Decides about each packet that enters a link.
pub trait Impairment<P>: Send {
    /// Whether the packet is lost.
    fn loses(&mut self, packet: &Packet<P>, now: Time) -> bool;
}

/// Loses the packets on a list, counted among those that `counts` is true of: the classic way to
/// show what a TCP does about one, two, three and four losses in a window.
pub struct ScriptedDrops<P> {
    counts: fn(&Packet<P>) -> bool,
    seen: u64,
    /// Numbers of the packets to lose, the first packet being 1.
    lost: Vec<u64>,
}

impl<P> ScriptedDrops<P> {
    /// Loses the packets whose numbers are in `lost`.
    #[must_use]
    pub fn new(counts: fn(&Packet<P>) -> bool, lost: Vec<u64>) -> Self {
        Self { counts, seen: 0, lost }
    }
}

impl<P> Impairment<P> for ScriptedDrops<P> {
    fn loses(&mut self, packet: &Packet<P>, _: Time) -> bool {
        if !(self.counts)(packet) {
            return false;
        }
        self.seen += 1;
        self.lost.contains(&self.seen)
    }
}
