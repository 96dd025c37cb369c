//! Packets in a queue, each with the time at which it was enqueued.

use crate::packet::Packet;
use base::Time;
use std::collections::VecDeque;

/// A packet in a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queued<P> {
    /// When it was enqueued.
    pub since: Time,
    /// The packet.
    pub packet: Packet<P>,
}

/// Packets that wait, first in, first out.
#[derive(Debug)]
pub struct PacketBuffer<P> {
    packets: VecDeque<Queued<P>>,
    bytes: u64,
}

impl<P> PacketBuffer<P> {
    /// An empty buffer.
    #[must_use]
    pub fn new() -> Self {
        Self { packets: VecDeque::new(), bytes: 0 }
    }

    /// Puts a packet at the end.
    pub fn enqueue(&mut self, packet: Packet<P>, now: Time) {
        self.bytes += u64::from(packet.bytes);
        self.packets.push_back(Queued { since: now, packet });
    }

    /// Takes the packet at the head.
    pub fn dequeue(&mut self) -> Option<Queued<P>> {
        let head = self.packets.pop_front()?;
        self.bytes -= u64::from(head.packet.bytes);
        Some(head)
    }

    /// Takes the packet that came last.
    pub fn take_last(&mut self) -> Option<Packet<P>> {
        let last = self.packets.pop_back()?.packet;
        self.bytes -= u64::from(last.bytes);
        Some(last)
    }

    /// The packet at the head.
    #[must_use]
    pub fn head(&self) -> Option<&Queued<P>> {
        self.packets.front()
    }

    /// Its bytes.
    #[must_use]
    pub fn head_bytes(&self) -> Option<u64> {
        self.head().map(|head| u64::from(head.packet.bytes))
    }

    /// How many packets wait.
    #[must_use]
    pub fn packets(&self) -> usize {
        self.packets.len()
    }

    /// Their bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl<P> Default for PacketBuffer<P> {
    fn default() -> Self {
        Self::new()
    }
}
