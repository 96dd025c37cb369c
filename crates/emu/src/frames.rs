//! Buffers, and packets in the network: a share of a buffer, and the properties that queues and impairments need.
//!
//! All buffers are made before the run. A buffer is free when only the pool holds a share of it. So links need not
//! return buffers when they drop, duplicate or deliver packets.

use base::Ecn;
use lab::Content;
use std::sync::Arc;

/// Bytes of an Ethernet header, for which each buffer has room before the packet.
pub(crate) const ETHERNET: usize = 14;

/// Room for a packet.
#[derive(Debug)]
pub(crate) struct Buffer {
    bytes: Box<[u8]>,
    /// Of the IP packet.
    len: usize,
}

impl Buffer {
    /// Room for a packet of so many bytes.
    pub(crate) fn new(packet_bytes: usize) -> Self {
        // One byte more, by which a packet that is too long is recognised; and not zero, so that the pages
        // are there before the run.
        Self { bytes: vec![0xff; ETHERNET + packet_bytes + 1].into(), len: 0 }
    }

    /// All of it, to receive into.
    pub(crate) fn room(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The Ethernet header.
    pub(crate) fn ethernet(&mut self) -> &mut [u8] {
        &mut self.bytes[..ETHERNET]
    }

    /// Sets the length of its IP packet.
    pub(crate) fn holds(&mut self, len: usize) {
        self.len = len;
    }

    /// The IP packet.
    pub(crate) fn packet(&self) -> &[u8] {
        &self.bytes[ETHERNET..ETHERNET + self.len]
    }

    /// The IP packet with its Ethernet header.
    pub(crate) fn frame(&self) -> &[u8] {
        &self.bytes[..ETHERNET + self.len]
    }
}

/// All buffers.
pub(crate) struct Pool {
    buffers: Vec<Arc<Buffer>>,
    packet_bytes: usize,
    next: usize,
    grown: u64,
}

impl Pool {
    /// `buffers` buffers, each for a packet of `packet_bytes` bytes.
    pub(crate) fn new(buffers: usize, packet_bytes: usize) -> Self {
        let mut pool = Self { buffers: Vec::new(), packet_bytes, next: 0, grown: 0 };
        pool.add(buffers.max(1));
        pool
    }

    /// Returns a free buffer. If all are in use, the pool doubles. That takes time, so `grown` counts it.
    pub(crate) fn free(&mut self) -> &mut Arc<Buffer> {
        let all = self.buffers.len();
        // Packets leave about in the order in which they came, so the next one is mostly free.
        let places = (self.next..all).chain(0..self.next);
        let free = places.into_iter().find(|&place| Arc::strong_count(&self.buffers[place]) == 1);
        let place = free.unwrap_or_else(|| {
            self.grown += 1;
            self.add(all);
            all
        });
        self.next = (place + 1) % self.buffers.len();
        &mut self.buffers[place]
    }

    /// Number of buffers.
    pub(crate) fn buffers(&self) -> usize {
        self.buffers.len()
    }

    /// How often there were too few.
    pub(crate) fn grown(&self) -> u64 {
        self.grown
    }

    fn add(&mut self, buffers: usize) {
        let packet_bytes = self.packet_bytes;
        self.buffers.extend(std::iter::repeat_with(|| Arc::new(Buffer::new(packet_bytes))).take(buffers));
    }
}

/// A packet in the network.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) buffer: Arc<Buffer>,
    pub(crate) has_data: bool,
    /// Its ECN field.
    pub(crate) ecn: Ecn,
    /// Whether the network has marked it.
    pub(crate) marked: bool,
    /// Where in its flow's stream it ends.
    pub(crate) stream_end: Option<u64>,
    /// Whether its stream already had all of its data.
    pub(crate) again: bool,
    /// How much later it entered the network than it arrived, ns.
    pub(crate) entered_late_ns: u64,
}

impl Content for Frame {
    fn has_data(&self) -> bool {
        self.has_data
    }

    fn ecn(&self) -> Ecn {
        self.ecn
    }

    fn mark(&mut self) -> bool {
        let is_capable = self.ecn != Ecn::NotEct;
        if is_capable {
            (self.ecn, self.marked) = (Ecn::Ce, true);
        }
        is_capable
    }

    fn stream_end(&self) -> Option<u64> {
        self.stream_end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_used_again_when_nobody_holds_it() {
        let mut pool = Pool::new(2, 100);
        let first = Arc::clone(pool.free());
        let second = Arc::clone(pool.free());
        assert!(!Arc::ptr_eq(&first, &second));
        let address = Arc::as_ptr(&first);
        let copy = Arc::clone(&first);
        drop(first);
        drop(copy);
        assert_eq!(Arc::as_ptr(pool.free()), address);
        assert_eq!((pool.buffers(), pool.grown()), (2, 0));
    }

    #[test]
    fn the_pool_grows_when_all_are_held() {
        let mut pool = Pool::new(2, 100);
        let held: Vec<_> = (0..3).map(|_| Arc::clone(pool.free())).collect();
        assert_eq!((pool.buffers(), pool.grown()), (4, 1));
        assert!(!Arc::ptr_eq(&held[1], &held[2]));
    }
}
