//! Queues of flows that take turns: the lists of new and old queues of FQ-CoDel, and the hash that sorts packets into queues.
//!
//! Source: RFC 8290, sections 4.1 to 4.2. Each queue has a deficit of bytes. The queue at the head of the list of new ones, or
//! else of old ones, sends while its deficit is above zero; then it gets a quantum and goes to the end of the old ones. A
//! queue that was empty joins the new ones with a whole quantum. A new one that has emptied goes once more to the
//! end of the old ones, so that a flow cannot stay new by sending a packet at a time; an old one that is empty
//! leaves the lists.
//!
//! Deviation: packets are sorted by a hash of the numbers of their hosts and of their flow, which stand for the addresses
//! and ports. The hash is SplitMix64, keyed by the run.
//!
//! A choice: the bytes of packets count in `memory_limit`, not the memory that they take.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | flows | queues | 1024 |
//! | quantum | bytes | 1514 |
//! | memory_limit | bytes, in all queues together | 32 MB |
//! | limits | as of drop-tail, for all queues together | 10,240 packets |

use super::fattest::Fattest;
use super::{DefaultValue, DropTail, LONGEST_FRAME, PacketBuffer, Parameter, Queued, Unit};
use crate::packet::Packet;
use base::Time;
use std::collections::VecDeque;

#[cfg(test)]
pub(super) mod tests;

/// Packets that may wait if a scenario does not say it.
pub(super) const LIMIT: u64 = 10_240;

pub(super) const FLOWS: Parameter = Parameter {
    name: "flows",
    unit: Unit::Count,
    default: DefaultValue::Is(1024),
    meaning: "Queues into which flows are hashed.",
};
pub(super) const QUANTUM: Parameter = Parameter {
    name: "quantum",
    unit: Unit::Size,
    default: DefaultValue::Is(LONGEST_FRAME),
    meaning: "Bytes that a queue may send in its turn.",
};
pub(super) const MEMORY_LIMIT: Parameter = Parameter {
    name: "memory_limit",
    unit: Unit::Size,
    default: DefaultValue::Is(32_000_000),
    meaning: "Limit for all queues together.",
};

/// The message for values of `flows`, `quantum` and `memory_limit` that no queues can have.
pub(super) fn check([flows, quantum, memory_limit]: [u64; 3]) -> Option<&'static str> {
    if !(1..=65_536).contains(&flows) {
        return Some("`flows` must be between 1 and 65536");
    }
    check_quantum(quantum).or_else(|| (memory_limit == 0).then_some("`memory_limit_bytes` must be positive"))
}

/// The message for a quantum with which no scheduler gets on.
pub(super) fn check_quantum(quantum: u64) -> Option<&'static str> {
    (!(1..=1_000_000).contains(&quantum)).then_some("`quantum_bytes` must be between 1 and 1000000")
}

/// The number of the queue, of so many, into which a packet goes.
pub(super) fn queue_of<P>(packet: &Packet<P>, key: u64, queues: usize) -> usize {
    let hosts = (u64::from(packet.from.0) << 32) | u64::from(packet.to.0);
    let hash = mix(mix(hosts ^ key).wrapping_add(u64::from(packet.flow)));
    ((u128::from(hash) * queues as u128) >> 64) as usize
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// In which list a queue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    None,
    New,
    Old,
}

/// A queue of one flow, or of several with the same hash. `S` is what a discipline keeps for each.
#[derive(Debug)]
pub(super) struct FlowQueue<P, S> {
    pub(super) buffer: PacketBuffer<P>,
    pub(super) state: S,
    deficit: i64,
    list: List,
}

/// Queues that take turns.
#[derive(Debug)]
pub(super) struct FlowQueues<P, S> {
    queues: Vec<FlowQueue<P, S>>,
    fattest: Fattest,
    new: VecDeque<u32>,
    old: VecDeque<u32>,
    quantum: i64,
    packets: usize,
    bytes: u64,
    limits: DropTail,
    memory_limit: u64,
    /// Of the hash.
    key: u64,
    /// Length of the longest packet seen so far, bytes.
    longest: u64,
}

/// What an arriving packet finds.
pub(super) struct Arrival {
    /// The number of its queue.
    pub(super) number: usize,
    /// Whether there is room for it.
    pub(super) has_room: bool,
}

impl<P, S: Clone> FlowQueues<P, S> {
    /// Empty queues, by the values of `flows`, `quantum` and `memory_limit`; the key is that of the hash.
    pub(super) fn new(values: [u64; 3], limits: DropTail, key: u64, state: S) -> Self {
        let [queues, quantum, memory_limit] = values;
        let queues = queues as usize;
        let empty =
            || FlowQueue { buffer: PacketBuffer::new(), state: state.clone(), deficit: 0, list: List::None };
        Self {
            queues: std::iter::repeat_with(empty).take(queues).collect(),
            fattest: Fattest::new(queues),
            new: VecDeque::new(),
            old: VecDeque::new(),
            quantum: quantum as i64,
            packets: 0,
            bytes: 0,
            limits,
            memory_limit,
            key,
            longest: 0,
        }
    }
}

impl<P, S> FlowQueues<P, S> {
    /// Packets in all queues.
    pub(super) fn packets(&self) -> usize {
        self.packets
    }

    /// Bytes in all queues.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Length of the longest packet seen so far, bytes.
    pub(super) fn longest(&self) -> u64 {
        self.longest
    }

    /// Looks at a packet that arrives.
    pub(super) fn arrival(&mut self, packet: &Packet<P>) -> Arrival {
        let bytes = u64::from(packet.bytes);
        self.longest = self.longest.max(bytes);
        let number = queue_of(packet, self.key, self.queues.len());
        let fits = self.bytes + bytes <= self.memory_limit;
        Arrival { number, has_room: fits && self.limits.has_room(self.packets, self.bytes, packet.bytes) }
    }

    /// A queue by its number.
    pub(super) fn queue(&mut self, number: usize) -> &mut FlowQueue<P, S> {
        &mut self.queues[number]
    }

    /// Puts a packet into a queue.
    pub(super) fn enqueue(&mut self, number: usize, packet: Packet<P>, now: Time) {
        self.packets += 1;
        self.bytes += u64::from(packet.bytes);
        let queue = &mut self.queues[number];
        queue.buffer.enqueue(packet, now);
        self.fattest.set(number, queue.buffer.bytes());
        if queue.list == List::None {
            (queue.list, queue.deficit) = (List::New, self.quantum);
            self.new.push_back(number as u32);
        }
    }

    /// The packet of the queue whose turn it is, as `send` takes it from there: none if it has nothing left to send.
    pub(super) fn dequeue(
        &mut self,
        mut send: impl FnMut(&mut FlowQueue<P, S>) -> Option<Queued<P>>,
    ) -> Option<Queued<P>> {
        loop {
            let number = *self.new.front().or_else(|| self.old.front())? as usize;
            if self.queues[number].deficit <= 0 {
                self.queues[number].deficit += self.quantum;
                self.move_to_old(number);
                continue;
            }
            if let Some(sent) = self.take(number, &mut send) {
                self.queues[number].deficit -= i64::from(sent.packet.bytes);
                return Some(sent);
            }
            if self.queues[number].list == List::New && !self.old.is_empty() {
                self.move_to_old(number);
            } else {
                self.leave(number);
            }
        }
    }

    /// Takes from a queue as `take` does, whether it is its turn or not.
    pub(super) fn take<T>(&mut self, number: usize, take: impl FnOnce(&mut FlowQueue<P, S>) -> T) -> T {
        let queue = &mut self.queues[number];
        let (packets, bytes) = (queue.buffer.packets(), queue.buffer.bytes());
        let taken = take(queue);
        self.packets -= packets - queue.buffer.packets();
        self.bytes -= bytes - queue.buffer.bytes();
        self.fattest.set(number, queue.buffer.bytes());
        taken
    }

    /// The queue with the most bytes; the first of them.
    pub(super) fn fattest(&mut self) -> usize {
        self.fattest.find()
    }

    fn leave(&mut self, number: usize) {
        let queue = &mut self.queues[number];
        let list = if queue.list == List::New { &mut self.new } else { &mut self.old };
        list.pop_front();
        queue.list = List::None;
    }

    fn move_to_old(&mut self, number: usize) {
        self.leave(number);
        self.queues[number].list = List::Old;
        self.old.push_back(number as u32);
    }
}
