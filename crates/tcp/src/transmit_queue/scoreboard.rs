//! The transmit queue as the scoreboard of RFC 6675.
//!
//! Source: RFC 6675 sections 2 and 4. A range counts as lost when `DupThresh` SACKed ranges, or
//! more than (`DupThresh` - 1) * SMSS SACKed bytes, lie above it. So one edge says what is lost: everything below it that is
//! not SACKed.

use super::TransmitQueue;
use crate::options::DUP_THRESH;
use crate::ranges::RangeSet;

impl TransmitQueue {
    /// Lets `[left, right)` be all that is SACKed.
    pub(crate) fn assume_sacked(&mut self, left: u64, right: u64) {
        self.sacked = RangeSet::default();
        if left < right {
            self.sacked.insert(left, right);
        }
    }

    /// `IsLost`, for all sequence numbers at once. True if more is lost than before.
    pub(crate) fn find_losses(&mut self, smss: u64) -> bool {
        let enough_bytes = u64::from(DUP_THRESH - 1) * smss;
        let mut bytes = 0;
        let enough = self.sacked.iter().rev().enumerate().find_map(|(n, (start, end))| {
            bytes += end - start;
            (bytes > enough_bytes || n as u32 + 1 >= DUP_THRESH).then_some(start)
        });
        enough.is_some_and(|edge| self.lose_below(edge))
    }

    /// Counts everything below `edge` that is not SACKed as lost. True if that is news.
    pub(crate) fn lose_below(&mut self, edge: u64) -> bool {
        let before = self.lost_below;
        self.lost_below = before.max(edge);
        let news = edge > before && self.sacked.gap(before).is_none_or(|gap| gap.0 < edge);
        if news {
            let from = self.segments.front().map_or(edge, |first| first.seq).max(before);
            self.this_ack.newly_lost += self.unsacked(from, edge);
        }
        news
    }

    /// Whether the first unacknowledged segment is lost.
    pub(crate) fn head_is_lost(&self, snd_una: u64) -> bool {
        self.lost_below > snd_una && self.sacked.containing(snd_una).is_none()
    }

    /// The first segment at or above `from` and below `below` that is not SACKed, as it was sent.
    pub(crate) fn hole(&self, from: u64, below: u64) -> Option<(u64, u64)> {
        let seq = self.sacked.containing(from).map_or(from, |range| range.1);
        let hole_end = self.sacked.gap(seq).map_or(below, |gap| gap.1).min(below);
        let end = self.segment_end(seq).unwrap_or(hole_end).min(hole_end);
        (seq < end).then_some((seq, end))
    }

    /// The lost segment at or above `from`.
    pub(crate) fn lost_hole(&self, from: u64) -> Option<(u64, u64)> {
        self.hole(from, self.lost_below)
    }

    /// One above the highest SACKed sequence number.
    pub(crate) fn highest_sacked(&self) -> u64 {
        self.sacked.iter().next_back().map_or(0, |range| range.1)
    }

    /// Bytes of `[from, to)` that are not SACKed.
    pub(crate) fn unsacked(&self, from: u64, to: u64) -> u64 {
        to.saturating_sub(from) - self.sacked.len_within(from, to)
    }

    /// Bytes lost and not yet sent again by themselves.
    pub(crate) fn lost(&self, snd_una: u64, snd_max: u64) -> u64 {
        self.unsacked(snd_una, self.lost_below.min(snd_max))
    }

    /// `SetPipe`, with everything below `high_rxt` sent again.
    pub(crate) fn pipe(&self, snd_una: u64, snd_max: u64, high_rxt: u64) -> u64 {
        let alive = self.unsacked(self.lost_below.max(snd_una), snd_max);
        alive + self.unsacked(snd_una, high_rxt) - self.lost_again()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Time;

    const OUT: (u64, u64) = (1, 1001);

    /// Ten segments of 100 bytes from 1 on, and what is SACKed of them.
    fn board(blocks: &[(u64, u64)]) -> TransmitQueue {
        let mut queue = TransmitQueue::new(false);
        (1..=10).for_each(|n| queue.on_sent(Time::ZERO, 100 * n - 99, 1 + 100 * n, 100 * n));
        queue.sack(OUT.0, OUT.1, blocks);
        queue
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
        assert_eq!(board.pipe(OUT.0, OUT.1, 1), 400);
        assert_eq!(board.pipe(OUT.0, OUT.1, 101), 500);
        assert_eq!(board.pipe(OUT.0, OUT.1, 301), 600);
        assert_eq!(board.lost(OUT.0, OUT.1), 200);
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
