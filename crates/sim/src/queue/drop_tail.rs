//! Drop-tail: a packet that finds the queue full is dropped.
//!
//! | parameter | unit |
//! |---|---|
//! | limits | packets, bytes, or both; the packet being sent does not count |

use super::{Admission, Backlog, Discipline, Make, Verdict};
use crate::link::DropCause;
use crate::packet::Packet;
use base::Time;

/// More packets than any memory holds.
const NEVER_REACHED: usize = 1_000_000_000;

pub(super) fn row<P>() -> Discipline<P> {
    Discipline {
        name: "drop_tail",
        title: "drop-tail",
        summary: "Drops packets that arrive at a full queue.",
        parameters: &[],
        limit: None,
        is_random: false,
        check: |_| None,
        make: Make::Limits,
    }
}

/// Limits of the queue.
#[derive(Clone, Copy, Debug)]
pub struct DropTail {
    packets: usize,
    bytes: u64,
}

impl DropTail {
    /// At most this many packets and bytes; none: no limit.
    #[must_use]
    pub fn new(packets: Option<usize>, bytes: Option<u64>) -> Self {
        Self { packets: packets.unwrap_or(usize::MAX), bytes: bytes.unwrap_or(u64::MAX) }
    }

    /// Whether no queue of a run gets so long.
    pub(crate) fn are_never_reached(self) -> bool {
        self.packets >= NEVER_REACHED && self.bytes == u64::MAX
    }

    /// Whether a packet of `length` bytes fits in if so many packets and bytes wait.
    #[inline]
    pub(crate) fn has_room(self, packets: usize, bytes: u64, length: u32) -> bool {
        packets < self.packets && bytes + u64::from(length) <= self.bytes
    }

    /// Whether so many packets and bytes are more than may wait.
    pub(super) fn are_exceeded(self, packets: usize, bytes: u64) -> bool {
        packets > self.packets || bytes > self.bytes
    }
}

impl<P> Admission<P> for DropTail {
    fn admit(&mut self, packet: &mut Packet<P>, backlog: Backlog, _: Time) -> Verdict {
        if self.has_room(backlog.packets, backlog.bytes, packet.bytes) {
            Verdict::Enqueue
        } else {
            Verdict::Drop(DropCause::QueueFull)
        }
    }
}
