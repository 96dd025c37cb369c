//! Drop-tail: first in, first out, and no entry when full.
//!
//! | parameter | unit |
//! |---|---|
//! | limit | packets waiting, the one being sent not counted |

use std::collections::VecDeque;

use super::QueueDiscipline;
use crate::packet::Packet;
use crate::time::Time;

/// A drop-tail queue.
#[derive(Debug)]
pub struct DropTail<P> {
    limit: usize,
    packets: VecDeque<Packet<P>>,
    bytes: u64,
}

impl<P> DropTail<P> {
    /// An empty queue that holds at most `limit` packets.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, packets: VecDeque::new(), bytes: 0 }
    }
}

impl<P: Send> QueueDiscipline<P> for DropTail<P> {
    fn enqueue(&mut self, packet: Packet<P>, _: Time) -> Result<(), Packet<P>> {
        if self.packets.len() >= self.limit {
            return Err(packet);
        }
        self.bytes += u64::from(packet.bytes);
        self.packets.push_back(packet);
        Ok(())
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
        /// Against a plain list: order, limit, and the byte count.
        #[test]
        fn is_a_bounded_fifo(limit in 0usize..5, steps in prop::collection::vec(prop::option::of(1u32..100), 0..60)) {
            let mut queue = DropTail::new(limit);
            let mut plain: Vec<u32> = Vec::new();
            for step in steps {
                match step {
                    Some(bytes) => {
                        let room = plain.len() < limit;
                        prop_assert_eq!(queue.enqueue(packet(bytes), Time::ZERO).is_ok(), room);
                        if room { plain.push(bytes); }
                    }
                    None => {
                        let first = if plain.is_empty() { None } else { Some(plain.remove(0)) };
                        prop_assert_eq!(queue.dequeue(Time::ZERO).map(|p| p.bytes), first);
                    }
                }
                prop_assert_eq!(queue.len_packets(), plain.len());
                prop_assert_eq!(queue.len_bytes(), plain.iter().map(|&b| u64::from(b)).sum::<u64>());
            }
        }
    }
}
