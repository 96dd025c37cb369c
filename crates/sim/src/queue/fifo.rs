//! First in, first out, behind an admission.

use super::{Admission, Backlog, PacketBuffer, QueueDiscipline, Queued, Sink, Verdict};
use crate::packet::Packet;
use base::Time;

/// A queue of the packets that an admission accepts.
#[derive(Debug)]
pub struct Fifo<P, A> {
    pub(super) admission: A,
    pub(super) buffer: PacketBuffer<P>,
    pub(super) idle_since: Option<Time>,
}

impl<P, A> Fifo<P, A> {
    /// An empty queue.
    #[must_use]
    pub fn new(admission: A) -> Self {
        Self { admission, buffer: PacketBuffer::new(), idle_since: Some(Time::ZERO) }
    }
}

impl<P: Send, A: Admission<P>> QueueDiscipline<P> for Fifo<P, A> {
    fn enqueue(&mut self, mut packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        let (packets, bytes) = (self.buffer.packets(), self.buffer.bytes());
        let backlog = Backlog { packets, bytes, idle_since: self.idle_since };
        match self.admission.admit(&mut packet, backlog, now) {
            Verdict::Enqueue => {}
            Verdict::Mark => sink.marked(&packet),
            Verdict::Drop(cause) => return sink.dropped(&packet, cause),
        }
        self.buffer.enqueue(packet, now);
        self.idle_since = None;
    }

    fn dequeue(&mut self, now: Time, _: &mut dyn Sink<P>) -> Option<Queued<P>> {
        let head = self.buffer.dequeue();
        if head.is_none() {
            self.idle_since.get_or_insert(now);
        }
        head
    }

    fn len_packets(&self) -> usize {
        self.buffer.packets()
    }

    fn len_bytes(&self) -> u64 {
        self.buffer.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::DropCause;
    use crate::queue::DropTail;
    use crate::queue::tests::{Seen, packet};
    use proptest::prelude::*;

    proptest! {
        /// Against a plain list: order, limits, and the byte count.
        #[test]
        fn with_limits_it_is_a_bounded_list(
            packets in prop::option::of(0usize..5),
            bytes in prop::option::of(0u64..300),
            steps in prop::collection::vec(prop::option::of(1u32..100), 0..60),
        ) {
            let mut queue = Fifo::new(DropTail::new(packets, bytes));
            let mut plain = Vec::new();
            let sum = |plain: &[(u64, u32)]| plain.iter().map(|&(_, bytes)| u64::from(bytes)).sum::<u64>();
            for (number, step) in (0..).zip(steps) {
                let mut seen = Seen::default();
                match step {
                    Some(size) => {
                        let room = packets.is_none_or(|limit| plain.len() < limit)
                            && bytes.is_none_or(|limit| sum(&plain) + u64::from(size) <= limit);
                        let packet = packet(number, size, true);
                        let refused = (packet.id, DropCause::QueueFull);
                        queue.enqueue(packet, Time::ZERO, &mut seen);
                        prop_assert_eq!(seen.dropped, if room { vec![] } else { vec![refused] });
                        if room { plain.push((number, size)); }
                    }
                    None => {
                        let first = if plain.is_empty() { None } else { Some(plain.remove(0)) };
                        let sent = queue.dequeue(Time::ZERO, &mut seen);
                        let first = first.map(|(number, size)| packet(number, size, true));
                        prop_assert_eq!(sent.map(|sent| sent.packet), first);
                        prop_assert_eq!(seen, Seen::default());
                    }
                }
                prop_assert_eq!(queue.len_packets(), plain.len());
                prop_assert_eq!(queue.len_bytes(), sum(&plain));
            }
        }
    }
}
