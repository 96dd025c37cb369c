//! The receiving half: reordering, the advertised window, SACK generation.
//!
//! Source: RFC 9293 (acceptance), RFC 5681 section 4.2 (when to acknowledge at once), RFC 2018
//! section 4 (which blocks to report), RFC 2883 section 4 (duplicates first). An application that
//! reads at once leaves the whole buffer as the advertised window; data beyond it are cut off.
//!
//! A buffer that is tuned automatically grows by two bytes for each byte that comes and that the application reads at
//! once, or reads later. So it always holds twice what came in the last round trip, whatever that is: this is what
//! dynamic right-sizing asks for (Fisk and Feng 2001), and how fast Linux lets a window grow (`tcp_grow_window` in
//! net/ipv4/tcp_input.c). A sender that the arrivals clock, and that sends two segments for each at most, cannot overtake
//! it. What comes out of order counts with the next data in order: a window that changed with a duplicate ACK would make
//! it none. Deviation: Linux lets its buffer grow to twice what was read in a measured RTT (`tcp_rcv_space_adjust`) and
//! no further; here no RTT is measured, and a long transfer ends with the largest buffer. What a sender does is the same,
//! as long as cwnd limits it.
//!
//! | parameter | unit |
//! |---|---|
//! | receive buffer: at first, at most | bytes |
//! | window scale | shift of the window field |

use crate::ranges::RangeSet;
use crate::segment::SackBlocks;

/// The largest window that the field can carry without a scale.
const MOST_UNSCALED: u64 = u16::MAX as u64;

/// The receiving half of a connection.
#[derive(Clone, Debug, Default)]
pub struct Receiver {
    rcv_nxt: u64,
    highest: u64,
    /// What the buffer holds; what it may grow to.
    buffer: u64,
    most: u64,
    /// Up to where what has come has made it grow.
    tuned_for: u64,
    scale: u8,
    auto_read: bool,
    unread: u64,
    /// One above the highest sequence number that the peer was allowed to send; it falls only
    /// by what the scale cannot express.
    right_edge: u64,
    /// The highest right edge ever advertised: everything up to there is accepted (RFC 7323, 2.4).
    highest_edge: u64,
    /// The largest segment that came, bytes; 0 if none has.
    largest: u32,
    sack_blocks: u8,
    dsack: bool,
    /// Of a connection that never lost anything, none.
    disorder: Option<Box<Disorder>>,
}

/// What came out of order or twice.
#[derive(Clone, Debug, Default)]
struct Disorder {
    ranges: RangeSet,
    /// A sequence number of each block reported, most recent first.
    recent: Vec<u64>,
    /// What came a second time, to be reported once.
    duplicate: Option<(u64, u64)>,
    /// What was out of order at the last [`Receiver::note_early`].
    early: RangeSet,
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
    /// A receiver that expects `rcv_nxt`, reports so many blocks, and with `dsack` duplicates.
    #[must_use]
    pub fn new(rcv_nxt: u64, buffer: u64, sack_blocks: u8, dsack: bool) -> Self {
        Self {
            rcv_nxt,
            highest: rcv_nxt,
            buffer,
            most: buffer,
            tuned_for: rcv_nxt,
            scale: 0,
            auto_read: true,
            unread: 0,
            right_edge: rcv_nxt,
            highest_edge: rcv_nxt,
            largest: 0,
            sack_blocks,
            dsack,
            disorder: None,
        }
    }

    /// The same receiver with a buffer that begins with so many bytes and grows to what it is now; none: it stays.
    #[must_use]
    pub fn growing_from(self, initial: Option<u64>) -> Self {
        Self { buffer: initial.unwrap_or(self.buffer).min(self.most), ..self }
    }

    /// A receiver like this one, which has not read anything, that has received nothing.
    pub(crate) fn anew(&self) -> Self {
        let fresh = Self::new(0, self.most, self.sack_blocks, self.dsack);
        Self { auto_read: self.auto_read, buffer: self.buffer, ..fresh }
    }

    /// What the buffer holds, bytes.
    pub(crate) fn buffer(&self) -> u64 {
        self.buffer
    }

    /// Begins at `rcv_nxt`, with this scale of the window field.
    pub(crate) fn start(&mut self, rcv_nxt: u64, scale: u8) {
        // The SYN of an active open has advertised a window already.
        let (highest, right_edge) = (rcv_nxt, rcv_nxt + self.advertised());
        let (highest_edge, tuned_for) = (right_edge, rcv_nxt);
        *self = Self { rcv_nxt, highest, right_edge, highest_edge, tuned_for, scale, ..std::mem::take(self) };
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

    /// The largest segment that came, bytes.
    pub(crate) fn largest(&self) -> Option<u64> {
        (self.largest > 0).then_some(u64::from(self.largest))
    }

    /// Whether nothing is missing below [`Receiver::highest`].
    pub(crate) fn is_complete(&self) -> bool {
        self.disorder.as_ref().is_none_or(|disorder| disorder.ranges.is_empty())
    }

    /// Sequence numbers received out of order: above a gap.
    pub(crate) fn out_of_order(&self) -> u64 {
        self.disorder.as_ref().map_or(0, |disorder| disorder.ranges.len())
    }

    /// Notes what is out of order now, for [`Receiver::delivered_early`].
    pub(crate) fn note_early(&mut self) {
        if let Some(disorder) = &mut self.disorder {
            disorder.early.clone_from(&disorder.ranges);
        }
    }

    /// Of what was out of order when that was noted, how much is in order by now.
    pub(crate) fn delivered_early(&self) -> u64 {
        self.disorder.as_ref().map_or(0, |disorder| disorder.early.len_within(0, self.rcv_nxt))
    }

    /// Bytes in order that the application has not read.
    pub(crate) fn unread(&self) -> u64 {
        self.unread
    }

    pub(crate) fn set_auto_read(&mut self, on: bool) {
        self.auto_read = on;
        if on {
            let read = std::mem::take(&mut self.unread);
            self.grow(read);
            self.tuned_for = self.rcv_nxt;
        }
    }

    /// The application reads.
    pub(crate) fn read(&mut self, bytes: u64) {
        self.unread -= bytes;
        self.grow(bytes);
    }

    /// Lets the buffer grow by twice so much.
    fn grow(&mut self, bytes: u64) {
        self.buffer = self.most.min(self.buffer + 2 * bytes);
    }

    /// How much further the window could reach than the peer knows, bytes.
    pub(crate) fn window_gain(&self) -> u64 {
        (self.rcv_nxt + self.room()).saturating_sub(self.right_edge)
    }

    /// Whether the window reaches to `end` at least.
    pub(crate) fn has_room_for(&self, end: u64) -> bool {
        end <= self.highest_edge
    }

    /// The free part of the buffer, as far as the window field can express it.
    fn room(&self) -> u64 {
        self.buffer.saturating_sub(self.unread).min(MOST_UNSCALED << self.scale)
    }

    /// Takes `[start, end)`.
    #[inline]
    pub fn receive(&mut self, start: u64, end: u64) -> Arrival {
        self.note_duplicate(start, end);
        let end = end.min(self.highest_edge);
        if end <= self.rcv_nxt || start >= end {
            return Arrival::OutOfOrder;
        }
        self.largest = self.largest.max((end - start) as u32);
        self.highest = self.highest.max(end);
        let in_order = start <= self.rcv_nxt;
        let before = self.rcv_nxt;
        if in_order && self.is_complete() {
            self.rcv_nxt = end;
            self.deliver(before);
            return Arrival::InOrder;
        }
        let disorder = self.disorder.get_or_insert_default();
        let block = disorder.ranges.insert(start.max(self.rcv_nxt), end);
        if in_order {
            self.rcv_nxt = block.1;
            disorder.ranges.remove_below(self.rcv_nxt);
            self.deliver(before);
        } else {
            disorder.report(start, self.sack_blocks);
        }
        Arrival::OutOfOrder
    }

    /// The FIN comes next. It needs no room, so it is taken even if the window is closed.
    pub(crate) fn take_fin(&mut self) {
        self.rcv_nxt += 1;
        self.highest = self.highest.max(self.rcv_nxt);
        self.right_edge = self.right_edge.max(self.rcv_nxt);
        self.highest_edge = self.highest_edge.max(self.rcv_nxt);
        if let Some(disorder) = &mut self.disorder {
            disorder.ranges.remove_below(self.rcv_nxt);
        }
    }

    fn deliver(&mut self, before: u64) {
        if !self.auto_read {
            self.unread += self.rcv_nxt - before;
        } else if self.buffer < self.most {
            let came = self.highest - std::mem::replace(&mut self.tuned_for, self.highest);
            self.grow(came);
        }
    }

    /// Remembers what of `[start, end)` came before (RFC 2883, section 4).
    pub(crate) fn note_duplicate(&mut self, start: u64, end: u64) {
        if !self.dsack || start >= end {
            return;
        }
        let old = Some((start, end.min(self.rcv_nxt))).filter(|old| old.0 < old.1);
        let again = || self.disorder.as_ref().and_then(|disorder| disorder.ranges.overlap(start, end));
        if let Some(duplicate) = old.or_else(again) {
            self.disorder.get_or_insert_default().duplicate = Some(duplicate);
        }
    }

    /// Whether there is anything to report in a SACK option.
    pub(crate) fn has_sack(&self) -> bool {
        let has_blocks = |disorder: &Disorder| disorder.duplicate.is_some() || !disorder.ranges.is_empty();
        self.disorder.as_deref().is_some_and(has_blocks)
    }

    /// The SACK option to send, with so many blocks at most: what came twice, the block that was
    /// received last, then those reported before.
    pub(crate) fn take_sack(&mut self, most: usize) -> SackBlocks {
        let Some(Disorder { ranges, recent, duplicate, .. }) = self.disorder.as_deref_mut() else {
            return SackBlocks::default();
        };
        let blocks = recent.iter().filter_map(|&seq| ranges.containing(seq));
        duplicate.take().into_iter().chain(blocks).take(most.min(usize::from(self.sack_blocks))).collect()
    }

    /// The window field of a SYN.
    pub(crate) fn advertise_unscaled(&mut self) -> u16 {
        let scale = std::mem::take(&mut self.scale);
        let field = self.advertise();
        self.scale = scale;
        field
    }

    /// The window field to advertise. The right edge does not fall, and
    /// moves only by what is worth a segment (RFC 9293, section 3.8.6.2.2).
    pub(crate) fn advertise(&mut self) -> u16 {
        let scale = self.scale;
        if self.auto_read || self.window_gain() >= self.worth() {
            self.right_edge = self.right_edge.max(self.rcv_nxt + self.room());
        }
        let field = (self.advertised() >> scale).min(MOST_UNSCALED);
        self.right_edge = self.right_edge.min(self.rcv_nxt + (field << scale)).max(self.rcv_nxt);
        self.highest_edge = self.highest_edge.max(self.right_edge);
        field as u16
    }

    /// What is worth telling the peer of, bytes.
    fn worth(&self) -> u64 {
        u64::from(self.largest.max(1)).min(self.buffer / 2).max(1)
    }

    /// The window as it was last advertised, less what has come since, bytes.
    pub(crate) fn advertised(&self) -> u64 {
        self.right_edge.saturating_sub(self.rcv_nxt)
    }
}

impl Disorder {
    /// Puts the block of `seq` at the head of those to report.
    fn report(&mut self, seq: u64, blocks: u8) {
        let ranges = &self.ranges;
        let block = ranges.containing(seq);
        self.recent.retain(|&other| {
            let its = ranges.containing(other);
            its.is_some() && its != block
        });
        self.recent.insert(0, seq);
        self.recent.truncate(usize::from(blocks));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A receiver whose whole buffer the peer knows of.
    fn open(mut receiver: Receiver) -> Receiver {
        receiver.advertise();
        receiver
    }

    #[test]
    fn the_first_block_is_the_one_received_last() {
        let mut receiver = open(Receiver::new(1, 10_000, 3, false));
        for start in [101, 301, 501, 701] {
            assert_eq!(receiver.receive(start, start + 100), Arrival::OutOfOrder);
        }
        assert_eq!(receiver.take_sack(4).as_slice(), [(701, 801), (501, 601), (301, 401)]);
        receiver.receive(401, 501);
        assert_eq!(receiver.take_sack(4).as_slice(), [(301, 601), (701, 801)]);
        receiver.receive(1, 101);
        assert_eq!(receiver.rcv_nxt(), 201);
        assert_eq!(receiver.take_sack(4).as_slice(), [(301, 601), (701, 801)]);
        assert_eq!(receiver.highest(), 801);
    }

    #[test]
    fn data_beyond_the_window_is_cut_off() {
        let mut receiver = open(Receiver::new(1, 100, 3, false));
        assert_eq!(receiver.receive(1, 301), Arrival::InOrder);
        assert_eq!(receiver.rcv_nxt(), 101);
    }

    /// RFC 2883, section 4: duplicates first, each once, then the blocks.
    #[test]
    fn what_came_twice_is_reported_once() {
        let mut receiver = open(Receiver::new(1, 10_000, 4, true));
        for (start, end) in [(101, 301), (401, 501), (701, 801)] {
            receiver.receive(start, end);
        }
        receiver.take_sack(4);
        receiver.receive(1, 601);
        assert_eq!(receiver.take_sack(4).as_slice(), [(101, 301), (701, 801)]);
        receiver.receive(601, 801);
        assert_eq!(receiver.take_sack(4).as_slice(), [(701, 801)]);
        receiver.receive(1, 101);
        assert_eq!(receiver.take_sack(4).as_slice(), [(1, 101)]);
        assert_eq!(receiver.take_sack(4).as_slice(), []);
    }

    /// The application reads nothing, then everything: the window closes, and opens again when that
    /// is worth a segment.
    #[test]
    fn the_window_is_what_is_free() {
        let mut receiver = open(Receiver::new(1, 1000, 3, false));
        receiver.set_auto_read(false);
        assert_eq!(receiver.advertise(), 1000);
        receiver.receive(1, 601);
        assert_eq!(receiver.advertise(), 400);
        receiver.receive(601, 1101);
        assert_eq!((receiver.rcv_nxt(), receiver.advertise()), (1001, 0));
        receiver.read(499);
        assert_eq!(receiver.advertise(), 0);
        receiver.read(1);
        assert_eq!(receiver.advertise(), 500);
    }

    #[test]
    fn a_buffer_grows_by_twice_what_is_read_and_no_further_than_it_may() {
        let mut receiver = open(Receiver::new(1, 10_000, 3, false).growing_from(Some(1000)));
        assert_eq!(receiver.advertise(), 1000);
        receiver.receive(1, 501);
        assert_eq!((receiver.advertise(), receiver.buffer()), (2000, 2000));
        receiver.receive(601, 701);
        assert_eq!(receiver.advertise(), 2000, "the ACK of what comes out of order is a duplicate");
        receiver.receive(501, 601);
        assert_eq!(receiver.advertise(), 2400);
        receiver.receive(801, 901);
        receiver.receive(701, 711);
        assert_eq!(receiver.advertise(), 2800, "it counts with the next in order");
        receiver.receive(711, 801);
        receiver.set_auto_read(false);
        receiver.receive(901, 1901);
        assert_eq!(receiver.advertise(), 1610, "what waits for the application has not been read");
        receiver.read(1000);
        assert_eq!(receiver.advertise(), 4800);
        receiver.set_auto_read(true);
        for at in [1901, 2901, 3901, 4901] {
            receiver.receive(at, at + 1000);
        }
        assert_eq!(receiver.advertise(), 10_000);
        assert_eq!(Receiver::new(1, 1000, 3, false).growing_from(None).buffer(), 1000);
    }

    /// Bytes 101 to 200 and 301 to 400 came early; the gap before the first is filled later.
    #[test]
    fn what_came_early_counts_when_its_gap_is_filled() {
        let mut receiver = open(Receiver::new(1, 10_000, 3, false));
        receiver.receive(101, 201);
        receiver.receive(301, 401);
        receiver.note_early();
        assert_eq!((receiver.out_of_order(), receiver.delivered_early()), (200, 0));
        receiver.receive(401, 501);
        assert_eq!((receiver.out_of_order(), receiver.delivered_early()), (300, 0));
        receiver.receive(1, 101);
        assert_eq!((receiver.out_of_order(), receiver.delivered_early()), (200, 100));
        receiver.receive(201, 301);
        assert_eq!((receiver.out_of_order(), receiver.delivered_early()), (0, 200));
    }

    proptest! {
        /// Segments in any order: what is delivered is what a plain set of bytes says, and no
        /// block names a byte that is missing.
        #[test]
        fn delivers_exactly_what_is_complete(segments in prop::collection::vec((1u64..40, 1u64..10), 0..40)) {
            let mut receiver = open(Receiver::new(1, 1_000, 3, false));
            let mut have = std::collections::BTreeSet::new();
            for (start, len) in segments {
                receiver.receive(start, start + len);
                have.extend(start..start + len);
                let next = (1..).find(|seq| !have.contains(seq)).unwrap();
                prop_assert_eq!(receiver.rcv_nxt(), next);
                prop_assert_eq!(next - 1 + receiver.out_of_order(), have.len() as u64);
                for (left, right) in receiver.take_sack(4).as_slice() {
                    prop_assert!(*left > next && (*left..*right).all(|seq| have.contains(&seq)));
                }
            }
        }
    }
}
