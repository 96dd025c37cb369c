//! How long a segment may be late before it counts as lost.
//!
//! Source: RFC 8985 sections 6.2 (steps 3 and 4) and 3.3.2. A quarter of the smallest RTT once reordering was seen, and before
//! that only while neither a recovery nor three SACKed segments speak for a loss. Duplicates that the receiver reports show that
//! the window was too small: it grows by a quarter once in a round trip, up to SRTT, and falls back after 16 recoveries
//! without one.
//!
//! | parameter | value |
//! |---|---|
//! | unit of the window | 1/4 of the smallest RTT |
//! | recoveries until it falls back | 16 |
//! | SACKed segments that end the wait | 3 |

use super::super::Reordering;
use crate::options::DUP_THRESH;
use crate::sender::Sender;
use crate::transmit_queue::Delivered;
use base::Time;

const RECOVERIES: u32 = 16;

/// `RACK.reo_wnd` and what it is computed from.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReorderingWindow {
    /// `RACK.fack`: one above the highest sequence number that was delivered.
    fack: u64,
    /// `RACK.reordering_seen`.
    seen: bool,
    /// `RACK.dsack_round`: a duplicate was reported; until this is acknowledged, others are of the same round.
    dsack_round: Option<u64>,
    /// `RACK.reo_wnd_mult`.
    multiplier: u64,
    /// `RACK.reo_wnd_persist`.
    persist: u32,
    notes: Reordering,
}

impl Default for ReorderingWindow {
    fn default() -> Self {
        Self {
            fack: 0,
            seen: false,
            dsack_round: None,
            multiplier: 1,
            persist: RECOVERIES,
            notes: Reordering::default(),
        }
    }
}

impl ReorderingWindow {
    /// An ACK delivers these: one below what was delivered before came late. Among themselves they have no order.
    pub(super) fn on_delivered(&mut self, its: &[Delivered], smss: u64) {
        let before = self.fack;
        self.fack = its.iter().map(|segment| segment.end).fold(before, u64::max);
        for is_acked in [false, true] {
            let is_late =
                |its: &&Delivered| its.is_acked == is_acked && its.end < before && !its.was_sent_again;
            if let Some(first) = its.iter().filter(is_late).map(|late| late.seq).min() {
                self.seen = true;
                self.notes.events += 1;
                self.notes.extent = self.notes.extent.max((self.fack - first).div_ceil(smss));
            }
        }
    }

    /// Whether a segment was later than [`DUP_THRESH`] others.
    pub(super) fn is_beyond_threshold(&self) -> bool {
        self.notes.extent > u64::from(DUP_THRESH)
    }

    /// A time-out came though enough was SACKed: segments are hardly as late as it seemed (Linux, `tcp_enter_loss`).
    pub(super) fn forget_extent(&mut self) {
        self.notes.extent = u64::from(DUP_THRESH);
    }

    /// What observers see of it.
    pub(super) fn notes(&self) -> Reordering {
        self.notes
    }

    /// An ACK came, which reports a duplicate or not.
    pub(super) fn on_ack(&mut self, sender: &Sender, has_duplicate: bool) {
        self.dsack_round = self.dsack_round.filter(|&round| sender.snd_una < round);
        if has_duplicate && self.dsack_round.is_none() {
            self.dsack_round = Some(sender.snd_max);
            self.multiplier += 1;
            self.persist = RECOVERIES;
        }
    }

    /// A recovery is over.
    pub(super) fn on_recovered(&mut self) {
        self.persist = self.persist.saturating_sub(1);
        if self.persist == 0 {
            self.multiplier = 1;
        }
    }

    /// How long after the RTT a segment may come. `is_recovering` from a loss or a time-out.
    pub(super) fn time(&self, sender: &Sender, min_rtt: Time, is_recovering: bool) -> Time {
        let sacked = sender.queue.as_ref().map_or(0, |queue| queue.sacked_segments());
        if !self.seen && (is_recovering || sacked >= DUP_THRESH) {
            return Time::ZERO;
        }
        let quarters = min_rtt.as_ps().saturating_mul(self.multiplier) / 4;
        Time::from_ps(quarters).min(sender.srtt.unwrap_or(min_rtt))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Time = Time::from_ms;

    fn delivered(end: u64, was_sent_again: bool) -> Delivered {
        Delivered { seq: end - 1000, end, last_sent: Time::ZERO, was_sent_again, is_acked: false }
    }

    fn sender() -> Sender {
        Sender { snd_una: 1, snd_max: 5001, srtt: Some(MS(90)), ..Sender::default() }
    }

    #[test]
    fn without_reordering_a_recovery_does_not_wait() {
        let window = ReorderingWindow::default();
        assert_eq!(window.time(&sender(), MS(80), false), MS(20));
        assert_eq!(window.time(&sender(), MS(80), true), Time::ZERO);
    }

    #[test]
    fn a_late_segment_is_reordering_and_a_retransmission_is_none() {
        for (was_sent_again, wait) in [(false, MS(20)), (true, Time::ZERO)] {
            let mut window = ReorderingWindow::default();
            window.on_delivered(&[delivered(2001, false)], 1000);
            window.on_delivered(&[delivered(1001, was_sent_again)], 1000);
            assert_eq!(window.time(&sender(), MS(80), true), wait);
        }
    }

    /// A delayed ACK of the first segment, sent because the third one came, SACKs that: nothing came late.
    #[test]
    fn what_one_ack_delivers_has_no_order() {
        let mut window = ReorderingWindow::default();
        let acked = Delivered { is_acked: true, ..delivered(1001, false) };
        window.on_delivered(&[delivered(3001, false), acked], 1000);
        assert_eq!(
            (window.time(&sender(), MS(80), true), window.notes()),
            (Time::ZERO, Reordering::default())
        );
        window.on_delivered(&[delivered(2001, false)], 1000);
        assert_eq!(window.time(&sender(), MS(80), true), MS(20));
        assert_eq!(window.notes(), Reordering { extent: 3, events: 1 });
    }

    /// As Linux counts: what is SACKed and what is acknowledged by itself, by the first that came late.
    #[test]
    fn observers_see_how_often_and_by_how_much() {
        let mut window = ReorderingWindow::default();
        window.on_delivered(&[delivered(10_001, false)], 1000);
        window.on_delivered(&[delivered(4001, false)], 1000);
        assert_eq!(window.notes(), Reordering { extent: 7, events: 1 });
        let acked = |end| Delivered { is_acked: true, ..delivered(end, false) };
        window.on_delivered(&[acked(1001), acked(2001), acked(3001), delivered(5001, true)], 1000);
        assert_eq!(window.notes(), Reordering { extent: 10, events: 2 });
    }

    /// Reports of duplicates widen it once a round trip, up to SRTT; 16 recoveries later it is a quarter again.
    #[test]
    fn duplicates_widen_it_once_a_round_trip() {
        let mut window = ReorderingWindow { seen: true, ..ReorderingWindow::default() };
        let mut sender = sender();
        window.on_ack(&sender, true);
        window.on_ack(&sender, true);
        assert_eq!(window.time(&sender, MS(80), true), MS(40));
        for round in 1..5 {
            sender.snd_una = 5001 * round;
            sender.snd_max = 5001 * (round + 1);
            window.on_ack(&sender, true);
        }
        assert_eq!(window.time(&sender, MS(80), true), MS(90), "SRTT at most");
        (0..15).for_each(|_| window.on_recovered());
        assert_eq!(window.time(&sender, MS(80), true), MS(90));
        window.on_recovered();
        assert_eq!(window.time(&sender, MS(80), true), MS(20));
    }
}
