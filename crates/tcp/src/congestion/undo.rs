//! What a reduction that turns out to be needless gives back.
//!
//! Source: RFC 4015 section 3 (steps 0 and 7), or Linux (`tcp_undo_cwnd_reduction` and its callers, `net/ipv4/tcp_input.c`).
//!
//! | | cwnd | ssthresh |
//! |---|---|---|
//! | RFC 4015 | flight size, and what the ACK acknowledges, an initial window at most | flight size before, or ssthresh before if that is larger |
//! | RFC 9438 section 4.9.2, CUBIC after a fast retransmit | as before | as before |
//! | Linux | as before | as before, or three quarters of cwnd before if that is more |
//!
//! What counts is the window before the *first* of several reductions: a time-out in a recovery, or a further one for the
//! same data, saves nothing (Linux: `prior_cwnd`). Whoever finds a reduction spurious vouches for all since then. A mark
//! proves congestion: with the reduction for it, or with an echo of one in a recovery, there is nothing to give back. A
//! window that has grown beyond what it was stays as it is (RFC 9438 section 4.9.2).
//!
//! No parameters.

use super::segment_count::WholeSegments;
use super::{CongestionWindow, SlowStart, Spurious};
use crate::options::Undo;
use crate::sender::Sender;

/// A window before a reduction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    cwnd: u64,
    ssthresh: u64,
    flight_size: u64,
    pub(super) slow_start: SlowStart,
}

impl Before {
    pub(super) fn new(window: &CongestionWindow, sender: &Sender, slow_start: &SlowStart) -> Self {
        Self {
            cwnd: window.cwnd(),
            ssthresh: window.ssthresh(),
            flight_size: sender.flight_size(),
            slow_start: *slow_start,
        }
    }

    /// Gives it back; `entirely` if the control asks for that.
    pub(super) fn restore(
        &self,
        window: &mut CongestionWindow,
        sender: &Sender,
        spurious: &Spurious,
        entirely: bool,
        whole: Option<&WholeSegments>,
    ) {
        let (cwnd, ssthresh) = match spurious.undo {
            Undo::Off => return,
            Undo::Rfc4015 if window.cwnd() >= self.cwnd => return,
            Undo::Rfc4015 if entirely => (self.cwnd, self.ssthresh),
            Undo::Rfc4015 => {
                let acked = spurious.acked.min(spurious.initial_window);
                (sender.flight_size() + acked, self.flight_size.max(self.ssthresh))
            }
            Undo::Linux => {
                let three_quarters = whole.map_or(self.cwnd / 4 * 3, |whole| whole.three_quarters(self.cwnd));
                let prior = self.ssthresh.max(three_quarters);
                (window.cwnd().max(self.cwnd), window.ssthresh().max(prior))
            }
        };
        window.set_cwnd(cwnd);
        window.set_ssthresh(ssthresh);
        window.count_max_cwnd();
    }
}
