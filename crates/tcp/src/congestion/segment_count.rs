//! cwnd in whole segments: what ACKs add up to until a segment more is due.
//!
//! Source: Linux, `tcp_cong_avoid_ai` (`net/ipv4/tcp_cong.c`). Segments are counted that ACKs deliver; with as many as a
//! number that the control names, cwnd grows by one.
//!
//! No parameters.

use super::CongestionWindow;
use crate::sender::Sender;

/// Delivered segments that have not yet let cwnd grow.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SegmentCount(u64);

impl SegmentCount {
    /// So many segments more are delivered, where each `per_segment` of them let cwnd grow by a segment.
    pub(super) fn grow(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        per_segment: u64,
        delivered: u64,
    ) {
        let mut segments = 0;
        // Those counted while more of them were due are worth one segment at once, not several.
        if self.0 >= per_segment {
            self.0 = 0;
            segments += 1;
        }
        self.0 += delivered;
        segments += self.0 / per_segment;
        self.0 %= per_segment;
        window.grow_to(window.cwnd() + segments * sender.smss, sender.max_rwnd);
    }

    /// A reduction begins the count anew.
    pub(super) fn clear(&mut self) {
        self.0 = 0;
    }
}

/// Bytes delivered that are not yet a whole segment, for a window of whole segments.
#[derive(Clone, Copy, Debug)]
pub(super) struct WholeSegments {
    /// Of a segment; 1 before the connection is established.
    smss: u64,
    left: u64,
}

impl WholeSegments {
    pub(super) const fn new() -> Self {
        Self { smss: 1, left: 0 }
    }

    pub(super) fn on_established(&mut self, smss: u64) {
        self.smss = smss;
    }

    /// Whole segments of these bytes and of what was left before, in bytes.
    pub(super) fn of_delivered(&mut self, bytes: u64) -> u64 {
        self.left += bytes;
        let whole = self.left / self.smss * self.smss;
        self.left -= whole;
        whole
    }

    /// Cuts what is not a whole segment off the window.
    pub(super) fn cut(&self, window: &mut CongestionWindow) {
        let (cwnd, ssthresh) = (window.cwnd(), window.ssthresh());
        window.set_cwnd((cwnd / self.smss * self.smss).max(self.smss));
        if ssthresh < u64::MAX {
            window.set_ssthresh(ssthresh / self.smss * self.smss);
        }
    }

    /// Three quarters of a window.
    pub(super) fn three_quarters(&self, cwnd: u64) -> u64 {
        let segments = cwnd / self.smss;
        (segments / 2 + segments / 4) * self.smss
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;

    #[test]
    fn a_segment_for_so_many_and_what_is_left_counts_for_the_next() {
        let Flow { mut window, sender } = Flow::new(1000, 10_000, 5000, 10_000);
        let mut count = SegmentCount::default();
        count.grow(&mut window, &sender, 10, 9);
        assert_eq!(window.cwnd(), 10_000);
        count.grow(&mut window, &sender, 10, 23);
        assert_eq!((window.cwnd(), count.0), (13_000, 2));
    }

    /// Nineteen of twenty are counted when two suffice: one segment for them, one for the two that come.
    #[test]
    fn what_was_counted_while_more_were_due_is_worth_one_segment() {
        let Flow { mut window, sender } = Flow::new(1000, 10_000, 5000, 10_000);
        let mut count = SegmentCount::default();
        count.grow(&mut window, &sender, 20, 19);
        count.grow(&mut window, &sender, 2, 3);
        assert_eq!((window.cwnd(), count.0), (12_000, 1));
    }

    #[test]
    fn bytes_wait_until_they_are_a_segment() {
        let mut whole = WholeSegments::new();
        whole.on_established(1000);
        assert_eq!([400, 400, 400, 2900].map(|bytes| whole.of_delivered(bytes)), [0, 0, 1000, 3000]);
        assert_eq!(whole.three_quarters(7000), 4000, "3 + 1 segments");
        let Flow { mut window, .. } = Flow::new(1000, 5999, u64::MAX, 0);
        whole.cut(&mut window);
        assert_eq!((window.cwnd(), window.ssthresh()), (5000, u64::MAX));
    }
}
