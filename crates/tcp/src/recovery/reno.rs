//! Fast retransmit and fast recovery.
//!
//! Source: RFC 5681 section 3.2. Any new ACK ends the recovery, so several losses in one window
//! halve cwnd several times, or leave it to the timer; nothing prevents that, as in the Reno of
//! the 1990s. No parameters.
//!
//! | event | cwnd | sent |
//! |---|---|---|
//! | 3rd duplicate ACK | ssthresh + 3 SMSS | first unacknowledged segment |
//! | further ones | + SMSS | what the window lets out |
//! | new ACK | ssthresh | what the window lets out |

use super::{DUP_THRESH, LossRecovery, Timer, Transmit, first_unacked, next_in_window};
use crate::congestion::{Cause, CongestionControl};
use crate::window::Window;

/// Fast retransmit and fast recovery.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reno {
    dup_acks: u32,
    retransmit: bool,
}

impl LossRecovery for Reno {
    fn on_ack(&mut self, window: &mut Window, acked: u64, congestion: &mut dyn CongestionControl) -> Timer {
        if self.in_recovery() {
            window.cwnd = window.ssthresh;
        } else {
            congestion.on_ack(window, acked);
        }
        *self = Self::default();
        Timer::Restart
    }

    fn on_dup_ack(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) -> bool {
        self.dup_acks += 1;
        if self.dup_acks > DUP_THRESH {
            window.cwnd += window.smss;
        }
        if self.dup_acks != DUP_THRESH {
            return false;
        }
        window.ssthresh = congestion.ssthresh(window, Cause::FastRetransmit);
        window.cwnd = window.ssthresh + u64::from(DUP_THRESH) * window.smss;
        self.retransmit = true;
        true
    }

    fn on_rto(&mut self, _: &Window) {
        *self = Self::default();
    }

    fn next(&mut self, window: &Window) -> Option<Transmit> {
        if std::mem::take(&mut self.retransmit) {
            return Some(first_unacked(window));
        }
        next_in_window(window)
    }

    fn in_recovery(&self) -> bool {
        self.dup_acks >= DUP_THRESH
    }
}
