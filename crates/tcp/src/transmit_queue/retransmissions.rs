//! Retransmissions, until they arrive or are lost again.
//!
//! Source: RFC 8985 sections 3.1 and 6.2, for retransmissions only and without timers: something that was
//! sent later has arrived, so a retransmission that has not is lost. A retransmission is later than
//! another if it went out after it; new data are if they lie above all that had been sent by then.
//!
//! Deviations: the order of departure decides at once, without the reordering window of section
//! 6.2; nothing distinguishes a segment that was sent again from its first copy. As in present-day stacks
//! the loss of a retransmission does not reduce cwnd again (RFC 5681 section 4.3 asks for it).

use super::{NEVER_SENT_AGAIN, TransmitQueue};
use crate::ranges::RangeSet;
use std::collections::VecDeque;

/// The retransmissions of a recovery.
#[derive(Clone, Debug, Default)]
pub(super) struct Retransmissions {
    /// Those in flight, in the order of their departure.
    in_flight: VecDeque<Retransmission>,
    /// How many have left `in_flight`: the departure number of its first.
    first: u64,
    /// One above the highest departure number of those that have arrived.
    arrived: u64,
    /// Lost again, and not yet sent once more.
    lost: RangeSet,
}

/// `[seq, end)`, sent when all below `snd_max` had been.
#[derive(Clone, Copy, Debug)]
struct Retransmission {
    seq: u64,
    end: u64,
    snd_max: u64,
    /// The departure number of the retransmission before it of the same segment, or [`NEVER_SENT_AGAIN`].
    previous: u64,
}

impl Retransmission {
    fn has_arrived(&self, sacked: &RangeSet, snd_una: u64) -> bool {
        let seq = self.seq.max(snd_una);
        self.end <= seq || sacked.len_within(seq, self.end) == self.end - seq
    }
}

impl Retransmissions {
    /// Whether none is in flight.
    pub(super) fn is_empty(&self) -> bool {
        self.in_flight.is_empty()
    }

    /// Looks for those that have arrived among the retransmissions of one segment, of which this is the last.
    #[inline]
    pub(super) fn find_arrived(&mut self, last: u64, sacked: &RangeSet, snd_una: u64) {
        if last != NEVER_SENT_AGAIN {
            self.find_arrived_from(last, sacked, snd_una);
        }
    }

    #[inline(never)]
    fn find_arrived_from(&mut self, last: u64, sacked: &RangeSet, snd_una: u64) {
        let mut departure = last;
        while departure != NEVER_SENT_AGAIN && departure >= self.first.max(self.arrived) {
            let sent = &self.in_flight[(departure - self.first) as usize];
            if sent.has_arrived(sacked, snd_una) {
                self.arrived = departure + 1;
                return;
            }
            departure = sent.previous;
        }
    }

    /// Bytes that are lost again.
    fn lost(&self, sacked: &RangeSet) -> u64 {
        self.lost.iter().map(|(from, to)| to - from - sacked.len_within(from, to)).sum()
    }
}

impl TransmitQueue {
    /// A recovery begins or ends: nothing counts as sent again.
    pub(crate) fn forget_retransmissions(&mut self) {
        let first = self.retransmissions.first + self.retransmissions.in_flight.len() as u64;
        self.retransmissions = Retransmissions { first, arrived: first, ..Retransmissions::default() };
    }

    /// `[seq, end)` goes out again, and is to be looked for; nothing below it is lost again.
    pub(crate) fn note_retransmission(&mut self, seq: u64, end: u64, snd_max: u64) {
        let departure = self.retransmissions.first + self.retransmissions.in_flight.len() as u64;
        let last = self.segment_of(seq).map(|segment| &mut segment.last_departure);
        let previous = last.map_or(NEVER_SENT_AGAIN, |last| std::mem::replace(last, departure));
        let its = &mut self.retransmissions;
        its.lost.remove_below(end);
        its.in_flight.push_back(Retransmission { seq, end, snd_max, previous });
    }

    /// Looks for lost retransmissions after an ACK. True if there are new ones.
    pub(crate) fn find_lost_retransmissions(&mut self, snd_una: u64) -> bool {
        let edge = self.highest_sacked().max(snd_una);
        let Self { retransmissions: its, sacked, this_ack, .. } = self;
        its.lost.remove_below(snd_una);
        let mut news = false;
        while let Some(&first) = its.in_flight.front() {
            if its.first >= its.arrived && first.snd_max >= edge {
                break;
            }
            its.in_flight.pop_front();
            its.first += 1;
            if !first.has_arrived(sacked, snd_una) {
                let seq = first.seq.max(snd_una);
                this_ack.newly_lost += first.end - seq - sacked.len_within(seq, first.end);
                its.lost.insert(seq, first.end);
                news = true;
            }
        }
        news
    }

    /// The first segment that is lost again.
    pub(crate) fn lost_retransmission(&self) -> Option<(u64, u64)> {
        self.retransmissions.lost.iter().find_map(|(from, below)| self.hole(from, below))
    }

    /// Bytes that are lost again.
    pub(crate) fn lost_again(&self) -> u64 {
        self.retransmissions.lost(&self.sacked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Time;
    use proptest::prelude::*;

    /// A recovery of up to 20 segments of 100 bytes from 1 on, all but the first ten sent later.
    struct Recovery {
        queue: TransmitQueue,
        una: u64,
        max: u64,
    }

    impl Recovery {
        fn new() -> Self {
            let mut its = Self { queue: TransmitQueue::new(false), una: 1, max: 1 };
            (0..10).for_each(|_| its.new_data());
            its
        }

        /// The first three are lost and sent again.
        fn three_again() -> Self {
            let mut its = Self::new();
            its.sack(301, 1001);
            [1, 101, 201].into_iter().for_each(|seq| its.again(seq));
            its
        }

        fn again(&mut self, seq: u64) {
            self.queue.note_retransmission(seq, seq + 100, self.max);
        }

        fn new_data(&mut self) {
            self.max += 100;
            self.queue.on_sent(Time::ZERO, self.max - 100, self.max, self.max - self.una);
        }

        fn sack(&mut self, left: u64, right: u64) {
            self.queue.sack(self.una, self.max, &[(left, right)]);
        }

        fn acknowledge(&mut self, snd_una: u64) {
            self.una = snd_una;
            self.queue.acknowledge(snd_una);
        }

        fn find_losses(&mut self) -> bool {
            self.queue.find_lost_retransmissions(self.una)
        }

        fn lost(&self) -> (Option<(u64, u64)>, u64) {
            (self.queue.lost_retransmission(), self.queue.lost_again())
        }
    }

    #[test]
    fn what_left_before_one_that_arrived_is_lost_again() {
        let mut its = Recovery::three_again();
        assert!(!its.find_losses(), "only what was sent before has arrived");
        its.sack(101, 201);
        assert!(its.find_losses());
        assert_eq!(its.lost(), (Some((1, 101)), 100));
        assert!(!its.find_losses(), "201 may yet come");
        its.again(1);
        assert_eq!(its.lost(), (None, 0));
        its.sack(1, 101);
        assert!(its.find_losses(), "1 left after 201 this time");
        assert_eq!(its.lost().0, Some((201, 301)));
    }

    #[test]
    fn so_is_what_left_before_new_data_that_arrived() {
        let mut its = Recovery::three_again();
        its.new_data();
        its.again(1);
        its.sack(1001, 1101);
        assert!(its.find_losses());
        assert_eq!(its.lost(), (Some((1, 101)), 300));
    }

    #[test]
    fn what_arrives_after_all_is_not_lost() {
        let mut its = Recovery::three_again();
        its.sack(201, 301);
        assert!(its.find_losses());
        assert_eq!(its.lost().1, 200);
        its.sack(1, 51);
        assert_eq!(its.lost(), (Some((51, 101)), 150));
        its.acknowledge(201);
        assert!(!its.find_losses());
        assert_eq!(its.lost().0, None);
    }

    /// All that is in flight, looked through at every ACK.
    #[derive(Default)]
    struct Plain {
        in_flight: Vec<Retransmission>,
        lost: RangeSet,
    }

    impl Plain {
        fn find_losses(&mut self, queue: &TransmitQueue, snd_una: u64) -> bool {
            self.lost.remove_below(snd_una);
            let edge = queue.highest_sacked().max(snd_una);
            let before_new_data = self.in_flight.iter().take_while(|sent| sent.snd_max < edge).count();
            let has_arrived = |sent: &Retransmission| sent.has_arrived(&queue.sacked, snd_una);
            let arrived = self.in_flight.iter().rposition(has_arrived);
            let over = before_new_data.max(arrived.map_or(0, |at| at + 1));
            let lost: Vec<_> = self.in_flight.drain(..over).filter(|sent| !has_arrived(sent)).collect();
            lost.iter().for_each(|sent| {
                self.lost.insert(sent.seq.max(snd_una), sent.end);
            });
            !lost.is_empty()
        }
    }

    proptest! {
        /// Segments go out again whole or, where SACKs have left a hole within them, in part.
        #[test]
        fn agrees_with_a_look_through_all(
            steps in prop::collection::vec((0u8..6, 0u64..20, 1u64..300), 1..80),
        ) {
            let mut its = Recovery::new();
            let mut plain = Plain::default();
            for (kind, segment, len) in steps {
                let from = 1 + 100 * segment + if kind == 1 { len % 100 } else { 0 };
                let (una, max) = (its.una, its.max);
                match kind {
                    // Only what is neither acknowledged, SACKed nor in flight is sent again.
                    0 | 1 => {
                        let hole = its.queue.hole(from.max(una), max);
                        let Some((seq, end)) = hole else { continue };
                        let idle = plain.in_flight.iter().all(|sent| sent.end <= seq || sent.seq >= end);
                        if idle {
                            its.queue.note_retransmission(seq, end, max);
                            plain.lost.remove_below(end);
                            plain.in_flight.push(Retransmission { seq, end, snd_max: max, previous: NEVER_SENT_AGAIN });
                        }
                    }
                    2 if max < 2001 => its.new_data(),
                    3 => its.acknowledge(una.max(from + len % 100).min(max)),
                    _ => its.sack(from + len % 100, from + len % 100 + len),
                }
                let una = its.una;
                prop_assert_eq!(its.find_losses(), plain.find_losses(&its.queue, una));
                prop_assert!(its.queue.retransmissions.lost.iter().eq(plain.lost.iter()));
                prop_assert_eq!(its.queue.retransmissions.in_flight.len(), plain.in_flight.len());
            }
        }
    }
}
