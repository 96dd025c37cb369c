//! Queue disciplines for packets: one file per discipline.
//!
//! Most disciplines decide about a packet when it comes, and then let it wait its turn: an
//! [`Admission`], behind which packets stand in a [`Fifo`]. A discipline that chooses or drops when a
//! packet is taken out is a [`QueueDiscipline`] itself.

use crate::link::DropCause;
use crate::packet::Packet;
use base::Time;

mod drop_tail;
mod fifo;
mod red;

pub use drop_tail::DropTail;
pub use fifo::Fifo;
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

/// What waits for a link, as an arriving packet finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Packets; the one being sent does not count.
    pub packets: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Since when the link has had nothing to send; none if it sends.
    pub idle_since: Option<Time>,
}

/// What is to become of a packet that comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may wait.
    Take,
    /// It may wait, and has been marked as having met congestion.
    Mark,
    /// It is lost, and why.
    Drop(DropCause),
}

/// Decides whether a packet may wait.
pub trait Admission<P>: Send {
    /// A packet comes at `now` and finds what is waiting.
    fn admit(&mut self, packet: &mut Packet<P>, waiting: Waiting, now: Time) -> Verdict;
}

impl<P> Admission<P> for Box<dyn Admission<P>> {
    fn admit(&mut self, packet: &mut Packet<P>, waiting: Waiting, now: Time) -> Verdict {
        (**self).admit(packet, waiting, now)
    }
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
