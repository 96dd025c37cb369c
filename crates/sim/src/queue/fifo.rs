//! First in, first out, behind an admission.

use std::collections::VecDeque;

use super::{Admission, Entry, QueueDiscipline, Verdict, Waiting};
use crate::packet::Packet;
use base::Time;

/// Packets that wait their turn once they were admitted.
#[derive(Debug)]
pub struct Fifo<P, A> {
    pub(super) admission: A,
    pub(super) packets: VecDeque<Packet<P>>,
    pub(super) bytes: u64,
    pub(super) idle_since: Option<Time>,
}

impl<P, A> Fifo<P, A> {
    /// An empty queue.
    #[must_use]
    pub fn new(admission: A) -> Self {
        Self { admission, packets: VecDeque::new(), bytes: 0, idle_since: Some(Time::ZERO) }
    }
}

impl<P: Send, A: Admission<P>> QueueDiscipline<P> for Fifo<P, A> {
    fn enqueue(&mut self, mut packet: Packet<P>, now: Time) -> Entry<P> {
        let waiting = Waiting { packets: self.packets.len(), bytes: self.bytes, idle_since: self.idle_since };
        let verdict = self.admission.admit(&mut packet, waiting, now);
        if let Verdict::Drop(cause) = verdict {
            return Entry::Dropped(packet, cause);
        }
        self.bytes += u64::from(packet.bytes);
        self.packets.push_back(packet);
        self.idle_since = None;
        if verdict == Verdict::Mark { Entry::Marked } else { Entry::Taken }
    }

    fn dequeue(&mut self, now: Time) -> Option<Packet<P>> {
        let Some(packet) = self.packets.pop_front() else {
            self.idle_since.get_or_insert(now);
            return None;
        };
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
    use crate::link::DropCause;
    use crate::packet::HostId;
    use crate::queue::DropTail;
    use proptest::prelude::*;

    fn packet(bytes: u32) -> Packet<()> {
        Packet { from: HostId(0), to: HostId(1), bytes, payload: () }
    }

    proptest! {
        /// Against a plain list: order, limits, and the byte count.
        #[test]
        fn with_limits_it_is_a_bounded_list(
            packets in prop::option::of(0usize..5),
            bytes in prop::option::of(0u64..300),
            steps in prop::collection::vec(prop::option::of(1u32..100), 0..60),
        ) {
            let mut queue = Fifo::new(DropTail::new(packets, bytes));
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
