//! Fast retransmit and fast recovery.
//!
//! Source: RFC 5681 section 3.2. Any new ACK ends the recovery, so several losses in one window
//! halve cwnd several times, or leave it to the timer; nothing prevents that, as in the Reno of
//! the 1990s.
//!
//! | parameter | what |
//! |---|---|
//! | careful fast retransmit | after a time-out no fast retransmit of what was sent before it: the go-back-N sends again what had arrived, and that comes back as duplicate ACKs (RFC 6582, section 3.2, and `bugFix_` of ns-2) |
//! | limited transmit | the first two duplicate ACKs let out a new segment each (RFC 3042) |
//!
//! | event | cwnd | sent |
//! |---|---|---|
//! | 3rd duplicate ACK | ssthresh + 3 SMSS | first unacknowledged segment |
//! | further ones | + SMSS | what the window lets out |
//! | new ACK | ssthresh | what the window lets out |

use super::{CaState, LossDetection, Transmit, Verdict, first_unacked, next_in_window};
use crate::congestion::Phase;
use crate::options::{DUP_THRESH, Options};
use crate::sender::Sender;
use base::Time;

/// Fast retransmit and fast recovery.
#[derive(Clone, Copy, Debug)]
pub struct Reno {
    limited_transmit: bool,
    dup_acks: u32,
    retransmit: bool,
    /// Whether a recovery begins only for data sent since the last time-out.
    careful: bool,
    /// One above the highest sequence number sent when a time-out came.
    recover: u64,
}

impl Reno {
    /// With these parameters.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            limited_transmit: options.limited_transmit,
            dup_acks: 0,
            retransmit: false,
            careful: options.careful_fast_retransmit,
            recover: 0,
        }
    }

    fn recovering(&self) -> bool {
        self.dup_acks >= DUP_THRESH
    }

    fn forget(&mut self) {
        self.dup_acks = 0;
        self.retransmit = false;
    }
}

impl LossDetection for Reno {
    fn on_ack(&mut self, _: Time, _: &mut Sender, acked: u64) -> Verdict {
        let phase = if self.recovering() { Phase::Exit } else { Phase::Open };
        self.forget();
        Verdict::new(phase, acked)
    }

    fn on_dup_ack(&mut self, _: Time, sender: &mut Sender, _: u64) -> Verdict {
        if self.careful && sender.snd_una <= self.recover {
            return Verdict::new(Phase::Open, 0);
        }
        self.dup_acks += 1;
        if self.dup_acks < DUP_THRESH {
            return Verdict::new(Phase::Open, 0);
        }
        if self.dup_acks > DUP_THRESH {
            return Verdict::new(Phase::Recovery, 0);
        }
        self.retransmit = true;
        Verdict::new(Phase::Entered, 0)
    }

    fn on_rto(&mut self, _: Time, sender: &mut Sender) -> u64 {
        self.recover = sender.snd_max;
        self.forget();
        sender.snd_una
    }

    fn next(&mut self, _: Time, sender: &mut Sender, cwnd: u64) -> Option<Transmit> {
        if std::mem::take(&mut self.retransmit) {
            return Some(first_unacked(sender));
        }
        let limited = if self.limited_transmit && !self.recovering() { self.dup_acks } else { 0 };
        next_in_window(sender, cwnd, limited)
    }

    fn state(&self, _: &Sender) -> CaState {
        match self.dup_acks {
            0 => CaState::Open,
            1..DUP_THRESH => CaState::Disorder,
            _ => CaState::Recovery,
        }
    }
}
