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
use std::collections::VecDeque;

/// The retransmissions of a recovery.
#[derive(Clone, Debug, Default)]
pub(super) struct Resent {
    /// Those in flight, as they were sent.
    flying: VecDeque<Flying>,
    /// Lost again, and not yet sent once more.
    lost: RangeSet,
}

/// `[seq, end)`, sent when all below `snd_max` had been.
#[derive(Clone, Copy, Debug)]
struct Flying {
    seq: u64,
    end: u64,
    snd_max: u64,
}

impl Resent {
    /// `[seq, end)` goes out again; nothing below it is lost again.
    pub(super) fn on_sent(&mut self, seq: u64, end: u64, snd_max: u64) {
        self.lost.remove_below(end);
        self.flying.push_back(Flying { seq, end, snd_max });
    }

    /// Looks for losses after an ACK. True if there are new ones.
    pub(super) fn find_losses(&mut self, board: &Scoreboard, snd_una: u64) -> bool {
        self.lost.remove_below(snd_una);
        let arrived = |sent: &Flying| board.unsacked(sent.seq.max(snd_una), sent.end) == 0;
        let edge = board.highest().max(snd_una);
        let before_new_data = self.flying.iter().take_while(|sent| sent.snd_max < edge).count();
        let last_arrived = self.flying.iter().rposition(arrived).map_or(0, |at| at + 1);
        let mut news = false;
        for sent in self.flying.drain(..before_new_data.max(last_arrived)) {
            if !arrived(&sent) {
                self.lost.insert(sent.seq.max(snd_una), sent.end);
                news = true;
            }
        }
        news
    }

    /// The first segment that is lost again.
    pub(super) fn lost_hole(&self, board: &Scoreboard) -> Option<(u64, u64)> {
        self.lost.as_slice().iter().find_map(|&(from, below)| board.hole(from, below))
    }

    /// Bytes that are lost again.
    pub(super) fn lost(&self, board: &Scoreboard) -> u64 {
        self.lost.as_slice().iter().map(|&(from, to)| board.unsacked(from, to)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::Window;

    /// Ten segments of 100 bytes from 1 on; the first three are lost and sent again.
    fn three_again() -> (Resent, Scoreboard, Window) {
        let window = Window { smss: 100, snd_una: 1, snd_nxt: 1001, snd_max: 1001, ..Window::default() };
        let mut board = Scoreboard::default();
        (1..=10).for_each(|n| board.on_sent(1 + 100 * n));
        board.sack(&window, &[(301, 1001)]);
        let mut resent = Resent::default();
        for seq in [1, 101, 201] {
            resent.on_sent(seq, seq + 100, window.snd_max);
        }
        (resent, board, window)
    }

    #[test]
    fn what_left_before_one_that_arrived_is_lost_again() {
        let (mut resent, mut board, window) = three_again();
        assert!(!resent.find_losses(&board, 1), "only what was sent before has arrived");
        board.sack(&window, &[(101, 201)]);
        assert!(resent.find_losses(&board, 1));
        assert_eq!((resent.lost_hole(&board), resent.lost(&board)), (Some((1, 101)), 100));
        assert!(!resent.find_losses(&board, 1), "201 may yet come");
        resent.on_sent(1, 101, window.snd_max);
        assert_eq!((resent.lost_hole(&board), resent.lost(&board)), (None, 0));
        board.sack(&window, &[(1, 101)]);
        assert!(resent.find_losses(&board, 1), "1 left after 201 this time");
        assert_eq!(resent.lost_hole(&board), Some((201, 301)));
    }

    #[test]
    fn so_is_what_left_before_new_data_that_arrived() {
        let (mut resent, mut board, mut window) = three_again();
        board.on_sent(1101);
        window.snd_max = 1101;
        resent.on_sent(1, 101, window.snd_max);
        board.sack(&window, &[(1001, 1101)]);
        assert!(resent.find_losses(&board, 1));
        assert_eq!((resent.lost_hole(&board), resent.lost(&board)), (Some((1, 101)), 300));
    }

    #[test]
    fn what_arrives_after_all_is_not_lost() {
        let (mut resent, mut board, window) = three_again();
        board.sack(&window, &[(201, 301)]);
        assert!(resent.find_losses(&board, 1));
        assert_eq!(resent.lost(&board), 200);
        board.sack(&window, &[(1, 51)]);
        assert_eq!((resent.lost_hole(&board), resent.lost(&board)), (Some((51, 101)), 150));
        board.acknowledge(201);
        assert!(!resent.find_losses(&board, 201));
        assert_eq!(resent.lost_hole(&board), None);
    }
}
