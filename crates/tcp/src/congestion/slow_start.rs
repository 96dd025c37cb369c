//! Slow start, which the congestion controls share.
//!
//! Source: RFC 5681 equation 2, or RFC 3465 section 2.2: with byte counting an ACK adds what it
//! acknowledges, at most L segments of it, and after a time-out one (section 2.3). What is left of
//! the ACK when cwnd reaches ssthresh counts for congestion avoidance, as in present-day stacks.
//!
//! | parameter | unit |
//! |---|---|
//! | L | segments; none: no limit |

use super::Cause;
use crate::config::Growth;
use crate::window::Window;

/// Slow start.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlowStart {
    growth: Growth,
    after_rto: bool,
}

impl SlowStart {
    pub(super) fn new(growth: Growth) -> Self {
        Self { growth, after_rto: false }
    }

    /// Notes why cwnd fell.
    pub(super) fn on_loss(&mut self, cause: Cause) {
        self.after_rto = matches!(cause, Cause::Rto | Cause::RepeatedRto);
    }

    /// Lets cwnd grow by `acked` bytes; gives what of them is left above ssthresh.
    pub(super) fn grow(&self, window: &mut Window, acked: u64) -> u64 {
        if window.cwnd >= window.ssthresh {
            return acked;
        }
        match self.growth {
            Growth::Acks => {
                grow_to(window, window.cwnd + acked.min(window.smss));
                0
            }
            Growth::Bytes { limit } => {
                let limit = limit.map(|segments| if self.after_rto { 1 } else { segments });
                let most = limit.map_or(u64::MAX, |segments| u64::from(segments) * window.smss);
                let to_threshold = window.ssthresh - window.cwnd;
                let growth = acked.min(most).min(to_threshold);
                grow_to(window, window.cwnd + growth);
                if growth == to_threshold { acked.min(most) - growth } else { 0 }
            }
        }
    }
}

/// Lets cwnd grow to `cwnd`, but not beyond the largest window of the peer; a restart window above
/// that is not cut.
pub(super) fn grow_to(window: &mut Window, cwnd: u64) {
    window.cwnd = cwnd.min(window.max_rwnd.max(window.cwnd));
    window.max_cwnd = window.max_cwnd.max(window.cwnd);
}
