//! Queue disciplines for packets: one file and one row of [`disciplines`] each.
//!
//! Most disciplines decide about a packet when it arrives, and send first in, first out. Such a discipline is
//! an [`Admission`]. A link then knows at once when the packet arrives at its other end
//! ([`crate::link::FifoLink`]). A discipline that drops at the head or chooses the next packet implements
//! [`QueueDiscipline`], for a [`crate::link::PacketLink`].
//!
//! To add one, see `docs/howto/add-a-queue-discipline.md`.

use crate::link::DropCause;
use crate::packet::Packet;
use base::Time;

mod bands;
mod bucket;
mod buffer;
mod cake;
mod ce_threshold;
mod cobalt;
mod codel;
mod drop_tail;
mod drr;
mod dualpi2;
mod fattest;
mod fifo;
mod flows;
mod fq;
mod fq_codel;
mod fq_pie;
mod pie;
mod policer;
mod priority;
mod red;
mod table;
mod token_bucket;

pub use buffer::{PacketBuffer, Queued};
pub use drop_tail::DropTail;
pub use fifo::Fifo;
pub use red::{Red, RedConfig};
pub use table::{Constructor, DefaultValue, Discipline, Ends, FlowEnd, Make, OFF, Parameter, Setting, Unit};

/// The longest Ethernet frame without its checksum, bytes: what Linux takes for the longest packet of a link.
const LONGEST_FRAME: u64 = 1514;

/// Every discipline, one a line, in the order in which they are listed to users.
#[must_use]
#[rustfmt::skip]
pub fn disciplines<P: Send + 'static>() -> Vec<Discipline<P>> {
    vec![
        drop_tail::row(),
        red::row(),
        codel::row(),
        cobalt::row(),
        fq_codel::row(),
        pie::row(),
        fq_pie::row(),
        cake::row(),
        dualpi2::row(),
        fq::row(),
        drr::row(),
        priority::row(),
        token_bucket::row(),
        policer::row(),
    ]
}

/// Receives the drops and marks of a discipline, at enqueue or at dequeue.
pub trait Sink<P> {
    /// A packet is dropped.
    fn dropped(&mut self, packet: &Packet<P>, cause: DropCause);
    /// A packet has been marked as having met congestion. It stays in the queue, or is being dequeued.
    fn marked(&mut self, packet: &Packet<P>);
}

/// Where packets wait for a link.
pub trait QueueDiscipline<P>: Send {
    /// Queues a packet, or drops it. It may drop others too.
    fn enqueue(&mut self, packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>);
    /// Returns the next packet to send, with the time at which it was enqueued. A link dequeues as soon as it can send;
    /// if there is none, it becomes idle, or asks [`QueueDiscipline::ready_at`] if packets wait.
    fn dequeue(&mut self, now: Time, sink: &mut dyn Sink<P>) -> Option<Queued<P>>;
    /// When [`QueueDiscipline::dequeue`] returns a packet, if none arrives before. A link asks only after `dequeue`
    /// returned none at `now` though packets wait, so only a discipline that holds packets back needs it: it returns a
    /// later time than `now`.
    fn ready_at(&self, now: Time) -> Time {
        let _ = now;
        Time::NEVER
    }
    /// Packets waiting.
    fn len_packets(&self) -> usize;
    /// Bytes waiting.
    fn len_bytes(&self) -> u64;
}

/// The queue that an arriving packet finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// Packets; the one being sent does not count.
    pub packets: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Since when the link has been idle; none if it is sending.
    pub idle_since: Option<Time>,
}

/// What an [`Admission`] decides about a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is queued.
    Enqueue,
    /// It is queued, and has been marked as having met congestion.
    Mark,
    /// It is dropped.
    Drop(DropCause),
}

/// A discipline that decides about each packet when it arrives, and sends first in, first out.
pub trait Admission<P>: Send {
    /// Decides about a packet that arrives at `now`.
    fn admit(&mut self, packet: &mut Packet<P>, backlog: Backlog, now: Time) -> Verdict;
}

impl<P> Admission<P> for Box<dyn Admission<P>> {
    fn admit(&mut self, packet: &mut Packet<P>, backlog: Backlog, now: Time) -> Verdict {
        (**self).admit(packet, backlog, now)
    }
}

#[cfg(test)]
mod tests;
