//! Queue disciplines for packets: one file per discipline.

use crate::packet::Packet;
use crate::time::Time;

mod drop_tail;

pub use drop_tail::DropTail;

/// Where packets wait for a link.
pub trait QueueDiscipline<P>: Send {
    /// Takes a packet in, or hands it back if it is dropped.
    ///
    /// # Errors
    /// The packet itself, when there is no room for it.
    fn enqueue(&mut self, packet: Packet<P>, now: Time) -> Result<(), Packet<P>>;
    /// Takes the next packet out.
    fn dequeue(&mut self, now: Time) -> Option<Packet<P>>;
    /// Packets waiting.
    fn len_packets(&self) -> usize;
    /// Bytes waiting.
    fn len_bytes(&self) -> u64;
}
