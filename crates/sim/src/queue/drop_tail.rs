//! Drop-tail: no entry when full.
//!
//! | parameter | unit |
//! |---|---|
//! | limits | packets, bytes, or both; what waits counts, what is being sent does not |

use super::{Admission, Verdict, Waiting};
use crate::link::DropCause;
use crate::packet::Packet;
use base::Time;

/// Packets that no memory holds.
const NEVER_REACHED: usize = 1_000_000_000;

/// Limits of what may wait.
#[derive(Clone, Copy, Debug)]
pub struct DropTail {
    packets: usize,
    bytes: u64,
}

impl DropTail {
    /// At most so many packets and at most so many bytes; none: no limit.
    #[must_use]
    pub fn new(packets: Option<usize>, bytes: Option<u64>) -> Self {
        Self { packets: packets.unwrap_or(usize::MAX), bytes: bytes.unwrap_or(u64::MAX) }
    }

    /// Whether no queue of a run gets so long.
    pub(crate) fn are_never_reached(self) -> bool {
        self.packets >= NEVER_REACHED && self.bytes == u64::MAX
    }

    /// Whether a packet of so many bytes may wait too.
    #[inline]
    pub(crate) fn has_room(self, waiting: Waiting, bytes: u32) -> bool {
        waiting.packets < self.packets && waiting.bytes + u64::from(bytes) <= self.bytes
    }
}

impl<P> Admission<P> for DropTail {
    fn admit(&mut self, packet: &mut Packet<P>, waiting: Waiting, _: Time) -> Verdict {
        if self.has_room(waiting, packet.bytes) { Verdict::Take } else { Verdict::Drop(DropCause::QueueFull) }
    }
}
