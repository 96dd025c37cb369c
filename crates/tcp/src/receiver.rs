//! The receiving half: reordering, the advertised window, SACK generation.
//!
//! Source: RFC 9293 (acceptance), RFC 5681 section 4.2 (when to acknowledge at once), RFC 2018
//! section 4 (which blocks to report). The application reads at once, so the advertised window
//! is the whole buffer; data beyond it is cut off.
//!
//! | parameter | unit |
//! |---|---|
//! | receive buffer | bytes |
//! | window scale | shift of the window field |

use crate::ranges::RangeSet;
use crate::segment::{MAX_SACK_BLOCKS, SackBlocks};

/// The receiving half of a connection.
#[derive(Clone, Debug)]
pub struct Receiver {
    rcv_nxt: u64,
    highest: u64,
    buffer: u64,
    out_of_order: RangeSet,
    /// A sequence number of each block reported, most recent first.
    recent: Vec<u64>,
}

/// What a segment of data meant to the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It was next in order and nothing is missing.
    InOrder,
    /// It filled (part of) a gap, came too early or was a duplicate: acknowledge at once.
    OutOfOrder,
}

impl Receiver {
    /// A receiver that expects `rcv_nxt`.
    #[must_use]
    pub fn new(rcv_nxt: u64, buffer: u64) -> Self {
        Self { rcv_nxt, highest: rcv_nxt, buffer, out_of_order: RangeSet::default(), recent: Vec::new() }
    }

    /// Next sequence number expected in order.
    #[must_use]
    pub fn rcv_nxt(&self) -> u64 {
        self.rcv_nxt
    }

    /// One above the highest sequence number received.
    #[must_use]
    pub fn highest(&self) -> u64 {
        self.highest
    }

    /// Takes `[start, end)`.
    pub fn receive(&mut self, start: u64, end: u64) -> Arrival {
        let end = end.min(self.rcv_nxt + self.buffer);
        if end <= self.rcv_nxt || start >= end {
            return Arrival::OutOfOrder;
        }
        self.highest = self.highest.max(end);
        let in_order = start <= self.rcv_nxt;
        if in_order && self.out_of_order.as_slice().is_empty() {
            self.rcv_nxt = end;
            return Arrival::InOrder;
        }
        let block = self.out_of_order.insert(start.max(self.rcv_nxt), end);
        if in_order {
            self.rcv_nxt = block.1;
            self.out_of_order.remove_below(self.rcv_nxt);
        } else {
            self.report(start);
        }
        Arrival::OutOfOrder
    }

    /// Puts the block of `seq` at the head of those to report.
    fn report(&mut self, seq: u64) {
        let out_of_order = &self.out_of_order;
        let block = out_of_order.containing(seq);
        self.recent.retain(|&other| {
            let its = out_of_order.containing(other);
            its.is_some() && its != block
        });
        self.recent.insert(0, seq);
        self.recent.truncate(MAX_SACK_BLOCKS);
    }

    /// The SACK option to send: the block that was received last, then those reported before.
    #[must_use]
    pub fn sack(&self) -> SackBlocks {
        self.recent.iter().filter_map(|&seq| self.out_of_order.containing(seq)).collect()
    }

    /// The window field to advertise, with the scale in use.
    #[must_use]
    pub fn window(&self, scale: u8) -> u16 {
        (self.buffer >> scale).min(u64::from(u16::MAX)) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_block_is_the_one_received_last() {
        let mut receiver = Receiver::new(1, 10_000);
        for start in [101, 301, 501, 701] {
            assert_eq!(receiver.receive(start, start + 100), Arrival::OutOfOrder);
        }
        assert_eq!(receiver.sack().as_slice(), [(701, 801), (501, 601), (301, 401)]);
        receiver.receive(401, 501);
        assert_eq!(receiver.sack().as_slice(), [(301, 601), (701, 801)]);
        receiver.receive(1, 101);
        assert_eq!(receiver.rcv_nxt(), 201);
        assert_eq!(receiver.sack().as_slice(), [(301, 601), (701, 801)]);
        assert_eq!(receiver.highest(), 801);
    }

    #[test]
    fn data_beyond_the_window_is_cut_off() {
        let mut receiver = Receiver::new(1, 100);
        assert_eq!(receiver.receive(1, 301), Arrival::InOrder);
        assert_eq!(receiver.rcv_nxt(), 101);
    }

    proptest! {
        /// Segments in any order: what is delivered is what a plain set of bytes says, and no
        /// block names a byte that is missing.
        #[test]
        fn delivers_exactly_what_is_complete(segments in prop::collection::vec((1u64..40, 1u64..10), 0..40)) {
            let mut receiver = Receiver::new(1, 1_000);
            let mut have = std::collections::BTreeSet::new();
            for (start, len) in segments {
                receiver.receive(start, start + len);
                have.extend(start..start + len);
                let next = (1..).find(|seq| !have.contains(seq)).unwrap();
                prop_assert_eq!(receiver.rcv_nxt(), next);
                for (left, right) in receiver.sack().as_slice() {
                    prop_assert!(*left > next && (*left..*right).all(|seq| have.contains(&seq)));
                }
            }
        }
    }
}
