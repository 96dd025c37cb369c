//! What a sender knows of its data in flight: the scoreboard of RFC 6675.
//!
//! Source: RFC 6675 sections 2 and 4. A range counts as lost when `DupThresh` SACKed ranges, or
//! more than (`DupThresh` - 1) * SMSS SACKed bytes, lie above it.

use super::DUP_THRESH;
use crate::ranges::RangeSet;
use crate::window::Window;
use std::collections::VecDeque;

/// The scoreboard.
#[derive(Clone, Debug, Default)]
pub(super) struct Scoreboard {
    sacked: RangeSet,
    /// Where each segment that is not yet acknowledged ends.
    ends: VecDeque<u64>,
    /// Everything below this that is not SACKed is lost.
    lost_below: u64,
}

impl Scoreboard {
    /// Takes SACK blocks; gives how many bytes are SACKed that were not.
    pub(super) fn sack(&mut self, window: &Window, blocks: &[(u64, u64)]) -> u64 {
        let before = self.sacked.len();
        for &(left, right) in blocks {
            if window.snd_una <= left && left < right && right <= window.snd_max {
                self.sacked.insert(left, right);
            }
        }
        self.sacked.len() - before
    }

    /// Lets `[left, right)` be all that is SACKed.
    pub(super) fn assume_sacked(&mut self, left: u64, right: u64) {
        self.sacked = RangeSet::default();
        if left < right {
            self.sacked.insert(left, right);
        }
    }

    /// Forgets what is acknowledged.
    pub(super) fn acknowledge(&mut self, snd_una: u64) {
        self.sacked.remove_below(snd_una);
        self.ends.drain(..self.ends.partition_point(|&end| end <= snd_una));
    }

    /// A segment that ends at `end` was sent.
    pub(super) fn on_sent(&mut self, end: u64) {
        if self.ends.back().is_none_or(|&last| last < end) {
            self.ends.push_back(end);
        }
    }

    /// `IsLost`, for all sequence numbers at once. True if more is lost than before.
    pub(super) fn find_losses(&mut self, smss: u64) -> bool {
        let enough_bytes = u64::from(DUP_THRESH - 1) * smss;
        let mut bytes = 0;
        let enough = self.sacked.iter().rev().enumerate().find_map(|(n, (start, end))| {
            bytes += end - start;
            (bytes > enough_bytes || n as u32 + 1 >= DUP_THRESH).then_some(start)
        });
        enough.is_some_and(|edge| self.lose_below(edge))
    }

    /// Counts everything below `edge` that is not SACKed as lost. True if that is news.
    pub(super) fn lose_below(&mut self, edge: u64) -> bool {
        let before = self.lost_below;
        self.lost_below = before.max(edge);
        edge > before && self.sacked.gap(before).is_none_or(|gap| gap.0 < edge)
    }

    /// Whether the first unacknowledged segment is lost.
    pub(super) fn head_is_lost(&self, window: &Window) -> bool {
        self.lost_below > window.snd_una && self.sacked.containing(window.snd_una).is_none()
    }

    /// The first segment at or above `from` and below `below` that is not SACKed, as it was sent.
    pub(super) fn hole(&self, from: u64, below: u64) -> Option<(u64, u64)> {
        let seq = self.sacked.containing(from).map_or(from, |range| range.1);
        let hole_end = self.sacked.gap(seq).map_or(below, |gap| gap.1).min(below);
        let segment = self.ends.partition_point(|&end| end <= seq);
        let end = self.ends.get(segment).copied().unwrap_or(hole_end).min(hole_end);
        (seq < end).then_some((seq, end))
    }

    /// The lost segment at or above `from`.
    pub(super) fn lost_hole(&self, from: u64) -> Option<(u64, u64)> {
        self.hole(from, self.lost_below)
    }

    /// The SACKed range around `seq`.
    pub(super) fn sacked_range(&self, seq: u64) -> Option<(u64, u64)> {
        self.sacked.containing(seq)
    }

    /// One above the highest SACKed sequence number.
    pub(super) fn highest(&self) -> u64 {
        self.sacked.iter().next_back().map_or(0, |range| range.1)
    }

    /// Bytes SACKed.
    pub(super) fn sacked(&self) -> u64 {
        self.sacked.len()
    }

    /// Bytes of `[from, to)` that are not SACKed.
    pub(super) fn unsacked(&self, from: u64, to: u64) -> u64 {
        to.saturating_sub(from) - self.sacked.len_within(from, to)
    }

    /// Bytes lost and not yet sent again by themselves.
    pub(super) fn lost(&self, window: &Window) -> u64 {
        self.unsacked(window.snd_una, self.lost_below.min(window.snd_max))
    }

    /// `SetPipe`, with everything below `high_rxt` sent again.
    pub(super) fn pipe(&self, window: &Window, high_rxt: u64) -> u64 {
        let alive = self.unsacked(self.lost_below.max(window.snd_una), window.snd_max);
        alive + self.unsacked(window.snd_una, high_rxt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window() -> Window {
        Window { smss: 100, snd_una: 1, snd_nxt: 1001, snd_max: 1001, ..Window::default() }
    }

    fn board(blocks: &[(u64, u64)]) -> Scoreboard {
        let mut board = Scoreboard::default();
        (1..=10).for_each(|n| board.on_sent(1 + 100 * n));
        board.sack(&window(), blocks);
        board
    }

    #[test]
    fn more_than_two_segments_above_or_three_ranges_mean_a_loss() {
        assert!(!board(&[(101, 301)]).find_losses(100));
        assert!(board(&[(101, 302)]).find_losses(100));
        assert!(board(&[(101, 201), (301, 302), (401, 402)]).find_losses(100));
        let mut one = board(&[(101, 201), (301, 601)]);
        assert!(one.find_losses(100));
        assert_eq!((one.lost_hole(1), one.lost_hole(101)), (Some((1, 101)), Some((201, 301))));
        assert_eq!(one.lost_hole(301), None);
        assert!(!one.find_losses(100), "nothing new");
    }

    /// Ten segments, 2 and 4 to 6 SACKed: 1 and 3 are lost, 7 to 10 are in the pipe.
    #[test]
    fn pipe_leaves_out_what_is_lost_or_sacked_and_counts_what_was_sent_again() {
        let mut board = board(&[(101, 201), (301, 601)]);
        board.find_losses(100);
        assert_eq!(board.pipe(&window(), 1), 400);
        assert_eq!(board.pipe(&window(), 101), 500);
        assert_eq!(board.pipe(&window(), 301), 600);
        assert_eq!(board.lost(&window()), 200);
    }

    #[test]
    fn holes_are_the_segments_that_were_sent() {
        let board = board(&[(401, 451)]);
        assert_eq!(board.hole(1, 1001), Some((1, 101)));
        assert_eq!(board.hole(401, 1001), Some((451, 501)));
        assert_eq!(board.hole(301, 351), Some((301, 351)));
        assert_eq!(board.hole(1001, 1001), None);
    }
}
