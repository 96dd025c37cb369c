//! What was sent again, until it arrives or is lost again.
//!
//! Source: RFC 8985 sections 3.1 and 6.2, for retransmissions only and without timers: something that was
//! sent later has arrived, so a retransmission that has not is lost. A retransmission is later than
//! another if it went out after it; new data are if they lie above all that had been sent by then.
//!
//! Deviations: the order of departure decides at once, without the reordering window of section
//! 6.2; nothing tells a segment that was sent again from its first copy. As in present-day stacks
//! the loss of a retransmission does not reduce cwnd again (RFC 5681 section 4.3 asks for it).

use super::scoreboard::Scoreboard;
use crate::ranges::RangeSet;
use std::collections::{BTreeMap, VecDeque};

/// The retransmissions of a recovery.
#[derive(Clone, Debug, Default)]
pub(super) struct Resent {
    /// Those in flight, in the order of their departure.
    in_flight: VecDeque<Retransmission>,
    /// How many have left `in_flight`: the departure number of its first.
    gone: u64,
    /// Departure numbers by sequence number. An ACK asks for those that it covers, since going through all of
    /// a large window costs too much.
    by_seq: BTreeMap<u64, u64>,
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
}

impl Retransmission {
    fn has_arrived(&self, board: &Scoreboard, snd_una: u64) -> bool {
        board.unsacked(self.seq.max(snd_una), self.end) == 0
    }
}

impl Resent {
    /// `[seq, end)` goes out again; nothing below it is lost again.
    pub(super) fn on_sent(&mut self, seq: u64, end: u64, snd_max: u64) {
        self.lost.remove_below(end);
        self.by_seq.insert(seq, self.gone + self.in_flight.len() as u64);
        self.in_flight.push_back(Retransmission { seq, end, snd_max });
    }

    /// SACK blocks have come, and stand in the scoreboard.
    pub(super) fn on_sack(&mut self, board: &Scoreboard, blocks: &[(u64, u64)], snd_una: u64) {
        if self.in_flight.is_empty() {
            return;
        }
        for &(left, _) in blocks {
            // A block may be the last part of a retransmission of which the rest came before.
            if let Some((from, below)) = board.sacked_range(left) {
                self.find_arrived(board, from, below, snd_una);
            }
        }
    }

    /// Looks for those that have arrived among what begins in `[from, below)`.
    fn find_arrived(&mut self, board: &Scoreboard, from: u64, below: u64, snd_una: u64) {
        for (_, &number) in self.by_seq.range(from..below) {
            if self.in_flight[(number - self.gone) as usize].has_arrived(board, snd_una) {
                self.arrived = self.arrived.max(number + 1);
            }
        }
    }

    /// Looks for losses after an ACK. True if there are new ones.
    pub(super) fn find_losses(&mut self, board: &Scoreboard, snd_una: u64) -> bool {
        self.lost.remove_below(snd_una);
        self.find_arrived(board, 0, snd_una, snd_una);
        let edge = board.highest().max(snd_una);
        let mut news = false;
        while let Some(&first) = self.in_flight.front() {
            if self.gone >= self.arrived && first.snd_max >= edge {
                break;
            }
            self.in_flight.pop_front();
            self.by_seq.remove(&first.seq);
            self.gone += 1;
            if !first.has_arrived(board, snd_una) {
                self.lost.insert(first.seq.max(snd_una), first.end);
                news = true;
            }
        }
        news
    }

    /// The first segment that is lost again.
    pub(super) fn lost_hole(&self, board: &Scoreboard) -> Option<(u64, u64)> {
        self.lost.iter().find_map(|(from, below)| board.hole(from, below))
    }

    /// Bytes that are lost again.
    pub(super) fn lost(&self, board: &Scoreboard) -> u64 {
        self.lost.iter().map(|(from, to)| board.unsacked(from, to)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::Window;
    use proptest::prelude::*;

    /// A recovery of up to 20 segments of 100 bytes from 1 on, all but the first ten sent later.
    struct Recovery {
        resent: Resent,
        board: Scoreboard,
        window: Window,
    }

    impl Recovery {
        fn new() -> Self {
            let window = Window { smss: 100, snd_una: 1, snd_nxt: 1001, snd_max: 1001, ..Window::default() };
            let mut board = Scoreboard::default();
            (1..=10).for_each(|n| board.on_sent(1 + 100 * n));
            Self { resent: Resent::default(), board, window }
        }

        /// The first three are lost and sent again.
        fn three_again() -> Self {
            let mut its = Self::new();
            its.sack(301, 1001);
            [1, 101, 201].into_iter().for_each(|seq| its.again(seq));
            its
        }

        fn again(&mut self, seq: u64) {
            self.resent.on_sent(seq, seq + 100, self.window.snd_max);
        }

        fn new_data(&mut self) {
            self.window.snd_max += 100;
            self.board.on_sent(self.window.snd_max);
        }

        fn sack(&mut self, left: u64, right: u64) {
            self.board.sack(&self.window, &[(left, right)]);
            self.resent.on_sack(&self.board, &[(left, right)], self.window.snd_una);
        }

        fn acknowledge(&mut self, snd_una: u64) {
            self.window.snd_una = snd_una;
            self.board.acknowledge(snd_una);
        }

        fn find_losses(&mut self) -> bool {
            self.resent.find_losses(&self.board, self.window.snd_una)
        }

        fn lost(&self) -> (Option<(u64, u64)>, u64) {
            (self.resent.lost_hole(&self.board), self.resent.lost(&self.board))
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
        fn find_losses(&mut self, board: &Scoreboard, snd_una: u64) -> bool {
            self.lost.remove_below(snd_una);
            let edge = board.highest().max(snd_una);
            let before_new_data = self.in_flight.iter().take_while(|sent| sent.snd_max < edge).count();
            let arrived = self.in_flight.iter().rposition(|sent| sent.has_arrived(board, snd_una));
            let over = before_new_data.max(arrived.map_or(0, |at| at + 1));
            let lost: Vec<_> =
                self.in_flight.drain(..over).filter(|sent| !sent.has_arrived(board, snd_una)).collect();
            lost.iter().for_each(|sent| {
                self.lost.insert(sent.seq.max(snd_una), sent.end);
            });
            !lost.is_empty()
        }
    }

    proptest! {
        #[test]
        fn agrees_with_a_look_through_all(
            steps in prop::collection::vec((0u8..6, 0u64..20, 1u64..300), 1..80),
        ) {
            let mut its = Recovery::new();
            let mut plain = Plain::default();
            for (kind, segment, len) in steps {
                let seq = 1 + 100 * segment;
                let (una, max) = (its.window.snd_una, its.window.snd_max);
                match kind {
                    // Only what is neither acknowledged, SACKed nor in flight is sent again.
                    0 | 1 => {
                        let idle = plain.in_flight.iter().all(|sent| sent.seq != seq);
                        if una <= seq && seq < max && idle && its.board.unsacked(seq, seq + 100) == 100 {
                            its.again(seq);
                            plain.lost.remove_below(seq + 100);
                            plain.in_flight.push(Retransmission { seq, end: seq + 100, snd_max: max });
                        }
                    }
                    2 if max < 2001 => its.new_data(),
                    3 => its.acknowledge(una.max(seq + len % 100).min(max)),
                    _ => its.sack(seq + len % 100, seq + len % 100 + len),
                }
                let (board, una) = (&its.board, its.window.snd_una);
                prop_assert_eq!(its.resent.find_losses(board, una), plain.find_losses(board, una));
                prop_assert!(its.resent.lost.iter().eq(plain.lost.iter()));
                prop_assert_eq!(its.resent.in_flight.len(), plain.in_flight.len());
            }
        }
    }
}
