//! Slow start, which the congestion controls share.
//!
//! Source: RFC 5681 equation 2, or RFC 3465 section 2.2: with byte counting an ACK adds what it
//! acknowledges, at most L segments of it, and after a time-out one (section 2.3). What is left of
//! the ACK when cwnd reaches ssthresh counts for congestion avoidance, as in present-day stacks.
//!
//! | parameter | unit |
//! |---|---|
//! | L | segments; none: no limit |

use super::{Cause, CongestionWindow};
use crate::options::Growth;
use crate::sender::Sender;

/// Slow start.
#[derive(Clone, Copy, Debug)]
pub struct SlowStart {
    growth: Growth,
    after_rto: bool,
}

impl SlowStart {
    pub(super) const fn new(growth: Growth) -> Self {
        Self { growth, after_rto: false }
    }

    /// Notes why cwnd fell.
    pub(super) fn on_loss(&mut self, cause: Cause) {
        self.after_rto = matches!(cause, Cause::Rto | Cause::RepeatedRto);
    }

    /// Lets cwnd grow by `acked` bytes; gives what of them is left above ssthresh.
    pub(super) fn grow(&self, window: &mut CongestionWindow, sender: &Sender, acked: u64) -> u64 {
        let (cwnd, smss, max_rwnd) = (window.cwnd(), sender.smss, sender.max_rwnd);
        if cwnd >= window.ssthresh() {
            return acked;
        }
        match self.growth {
            Growth::Acks => {
                window.grow_to(cwnd + acked.min(smss), max_rwnd);
                0
            }
            Growth::Bytes { limit } => {
                let limit = limit.map(|segments| if self.after_rto { 1 } else { segments });
                let most = limit.map_or(u64::MAX, |segments| u64::from(segments) * smss);
                let to_threshold = window.ssthresh() - cwnd;
                let growth = acked.min(most).min(to_threshold);
                window.grow_to(cwnd + growth, max_rwnd);
                if growth == to_threshold { acked.min(most) - growth } else { 0 }
            }
        }
    }
}
