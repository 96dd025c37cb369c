//! Queue disciplines for packets: one file per discipline.

use crate::link::DropCause;
use crate::packet::Packet;
use crate::time::Time;

mod drop_tail;
mod red;

pub use drop_tail::DropTail;
pub use red::{Red, RedConfig};

/// What a discipline has done with a packet that came.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Entry<P> {
    /// It waits.
    Taken,
    /// It waits, and has been marked as having met congestion.
    Marked,
    /// It is handed back: it is lost, and why.
    Dropped(Packet<P>, DropCause),
}

/// Where packets wait for a link.
pub trait QueueDiscipline<P>: Send {
    /// Takes a packet in, or hands it back if it is dropped.
    fn enqueue(&mut self, packet: Packet<P>, now: Time) -> Entry<P>;
    /// Takes the next packet out. A link asks as soon as it could send one: that there is none
    /// means that it is idle from now on.
    fn dequeue(&mut self, now: Time) -> Option<Packet<P>>;
    /// Packets waiting.
    fn len_packets(&self) -> usize;
    /// Bytes waiting.
    fn len_bytes(&self) -> u64;
}
