//! Drop-tail: first in, first out, and no entry when full.
//!
//! | parameter | unit |
//! |---|---|
//! | limits | packets, bytes, or both; what waits counts, what is being sent does not |

use std::collections::VecDeque;

use super::{Entry, QueueDiscipline};
use crate::link::DropCause;
use crate::packet::Packet;
use crate::time::Time;

/// A drop-tail queue.
#[derive(Debug)]
pub struct DropTail<P> {
    limit_packets: Option<usize>,
    limit_bytes: Option<u64>,
    packets: VecDeque<Packet<P>>,
    bytes: u64,
}

impl<P> DropTail<P> {
    /// An empty queue that holds at most so many packets and at most so many bytes.
    #[must_use]
    pub fn new(limit_packets: Option<usize>, limit_bytes: Option<u64>) -> Self {
        Self { limit_packets, limit_bytes, packets: VecDeque::new(), bytes: 0 }
    }

    pub(super) fn has_room_for(&self, bytes: u64) -> bool {
        self.limit_packets.is_none_or(|limit| self.packets.len() < limit)
            && self.limit_bytes.is_none_or(|limit| self.bytes + bytes <= limit)
    }
}

impl<P: Send> QueueDiscipline<P> for DropTail<P> {
    fn enqueue(&mut self, packet: Packet<P>, _: Time) -> Entry<P> {
        if !self.has_room_for(u64::from(packet.bytes)) {
            return Entry::Dropped(packet, DropCause::QueueFull);
        }
        self.bytes += u64::from(packet.bytes);
        self.packets.push_back(packet);
        Entry::Taken
    }

    fn dequeue(&mut self, _: Time) -> Option<Packet<P>> {
        let packet = self.packets.pop_front()?;
        self.bytes -= u64::from(packet.bytes);
        Some(packet)
    }

    fn len_packets(&self) -> usize {
        self.packets.len()
    }

    fn len_bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::HostId;
    use proptest::prelude::*;

    fn packet(bytes: u32) -> Packet<()> {
        Packet { from: HostId(0), to: HostId(1), bytes, payload: () }
    }

    proptest! {
        /// Against a plain list: order, limits, and the byte count.
        #[test]
        fn is_a_bounded_fifo(
            packets in prop::option::of(0usize..5),
            bytes in prop::option::of(0u64..300),
            steps in prop::collection::vec(prop::option::of(1u32..100), 0..60),
        ) {
            let mut queue = DropTail::new(packets, bytes);
            let mut plain: Vec<u32> = Vec::new();
            let sum = |plain: &[u32]| plain.iter().map(|&b| u64::from(b)).sum::<u64>();
            for step in steps {
                match step {
                    Some(size) => {
                        let room = packets.is_none_or(|limit| plain.len() < limit)
                            && bytes.is_none_or(|limit| sum(&plain) + u64::from(size) <= limit);
                        let full = Entry::Dropped(packet(size), DropCause::QueueFull);
                        let expected = if room { Entry::Taken } else { full };
                        prop_assert_eq!(queue.enqueue(packet(size), Time::ZERO), expected);
                        if room { plain.push(size); }
                    }
                    None => {
                        let first = if plain.is_empty() { None } else { Some(plain.remove(0)) };
                        prop_assert_eq!(queue.dequeue(Time::ZERO).map(|p| p.bytes), first);
                    }
                }
                prop_assert_eq!(queue.len_packets(), plain.len());
                prop_assert_eq!(queue.len_bytes(), sum(&plain));
            }
        }
    }
}
