//! Loss recovery: what is sent again, and when. One file per algorithm, named as in the RFCs.
//!
//! To add one, see `docs/howto/add-a-recovery.md`. The connection does what is common to all: it
//! moves `snd_una`, times segments, and on a time-out halves the window and falls back to
//! `snd_una` (go-back-N). An algorithm says what else happens.

use crate::congestion::CongestionControl;
use crate::window::Window;

mod newreno;
mod reno;
mod sack_pipe;
mod vanilla;

pub use newreno::{Deflation, NewReno, NewRenoParameters, OnDupAck, PartialAckTimer};
pub use reno::Reno;
pub use sack_pipe::SackPipe;
pub use vanilla::Vanilla;

/// Duplicate ACKs that mean a loss.
pub const DUP_THRESH: u32 = 3;

/// What an ACK means for the retransmission timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// It starts anew.
    Restart,
    /// It goes on.
    Keep,
}

/// What may be sent next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transmit {
    /// A segment that starts at `seq` and ends at or before `end`, again.
    Again {
        /// First sequence number.
        seq: u64,
        /// Where it must end at the latest.
        end: u64,
    },
    /// A segment that starts at `snd_nxt` and ends at or before this.
    UpTo(u64),
}

/// What is sent again, and when.
pub trait LossRecovery: Send {
    /// `acked` bytes were newly acknowledged; `window.snd_una` has moved already.
    fn on_ack(&mut self, window: &mut Window, acked: u64, congestion: &mut dyn CongestionControl) -> Timer;

    /// A duplicate ACK came. True if it set off a fast retransmit.
    fn on_dup_ack(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) -> bool;

    /// SACK blocks came; `on_ack` or `on_dup_ack` follows.
    fn on_sack(&mut self, window: &Window, blocks: &[(u64, u64)]) {
        let _ = (window, blocks);
    }

    /// The retransmission timer ran out; the window has been set already.
    fn on_rto(&mut self, window: &Window);

    /// What may be sent now. Asked again and again until it offers nothing, or something that
    /// cannot be sent for want of data or receive window.
    fn next(&mut self, window: &Window) -> Option<Transmit>;

    /// The segment `[seq, end)` was sent.
    fn on_sent(&mut self, window: &Window, seq: u64, end: u64) {
        let _ = (window, seq, end);
    }

    /// Whether a recovery is going on.
    fn in_recovery(&self) -> bool {
        false
    }
}

/// What every algorithm does outside of recovery: send while the window is open.
fn next_in_window(window: &Window) -> Option<Transmit> {
    (window.snd_nxt < window.cwnd_end()).then_some(Transmit::UpTo(window.cwnd_end()))
}

/// The first unacknowledged segment, again.
fn first_unacked(window: &Window) -> Transmit {
    Transmit::Again { seq: window.snd_una, end: window.snd_una + window.smss }
}
