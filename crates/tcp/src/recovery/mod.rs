//! Loss recovery: what is sent again, and when. One file per algorithm, named as in the RFCs.
//!
//! To add one, see `docs/howto/add-a-recovery.md`. The connection does what is common to all: it
//! moves `snd_una`, times segments, and on a time-out halves the window and falls back to
//! `snd_una` (go-back-N). An algorithm says what else happens.

use crate::congestion::{Ack, Cause, CongestionControl};
use crate::window::Window;

mod newreno;
mod prr;
mod reno;
mod resent;
mod sack_pipe;
mod sack_rfc6675;
mod scoreboard;
mod vanilla;

pub use newreno::{Deflation, NewReno, NewRenoParameters, OnDupAck, PartialAckTimer};
pub use reno::Reno;
pub use sack_pipe::SackPipe;
pub use sack_rfc6675::SackRfc6675;
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

/// How a recovery stands, in the order of Linux' `tcpi_ca_state`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum CaState {
    /// Nothing is wrong.
    #[default]
    Open,
    /// Duplicate ACKs or SACKs came, not yet enough to mean a loss.
    Disorder,
    /// cwnd falls because the network marked packets.
    Cwr,
    /// Fast recovery.
    Recovery,
    /// Recovery from a time-out.
    Loss,
}

/// What a recovery knows of the data in flight, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Selectively acknowledged.
    pub sacked: u64,
    /// Thought lost.
    pub lost: u64,
    /// Sent again and not yet acknowledged.
    pub retransmitted: u64,
}

/// What is sent again, and when.
pub trait LossRecovery: Send {
    /// Something was newly acknowledged; `window.snd_una` has moved already.
    fn on_ack(&mut self, window: &mut Window, ack: &Ack, congestion: &mut dyn CongestionControl) -> Timer;

    /// A duplicate ACK came, or one that SACKs something new. True if it set off a fast retransmit.
    fn on_dup_ack(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) -> bool;

    /// Whether what a fast retransmit sends waits for [`LossRecovery::on_wait_over`]. A new ACK or a time-out
    /// ends the wait, too.
    fn is_waiting(&self) -> bool {
        false
    }

    /// The wait of a fast retransmit is over.
    fn on_wait_over(&mut self) {}

    /// SACK blocks came; `on_ack` or `on_dup_ack` follows. True if they count as a duplicate ACK
    /// whatever else the segment is.
    fn on_sack(&mut self, window: &Window, blocks: &[(u64, u64)]) -> bool {
        let _ = (window, blocks);
        false
    }

    /// The network told of congestion, for the first time in this window of data.
    fn on_ecn(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) {
        window.ssthresh = congestion.ssthresh(window, Cause::Ecn);
        window.cwnd = window.ssthresh;
    }

    /// The retransmission timer ran out; the window has been set already.
    fn on_rto(&mut self, window: &mut Window);

    /// What may be sent now. Asked again and again until it offers nothing, or something that
    /// cannot be sent for want of data or receive window.
    fn next(&mut self, window: &Window) -> Option<Transmit>;

    /// The segment `[seq, end)` was sent.
    fn on_sent(&mut self, window: &Window, seq: u64, end: u64) {
        let _ = (window, seq, end);
    }

    /// How it stands; what a time-out began is added by the connection.
    fn state(&self) -> CaState {
        CaState::Open
    }

    /// What it knows of the data in flight.
    fn tally(&self, window: &Window) -> Tally {
        let _ = window;
        Tally::default()
    }
}

/// What every algorithm does outside of recovery: send while the window is open; with limited
/// transmit (RFC 3042) also a segment beyond it for each of the first two duplicate ACKs.
fn next_in_window(window: &Window, limited: u32) -> Option<Transmit> {
    let end = window.cwnd_end() + u64::from(limited) * window.smss;
    (window.snd_nxt < end).then_some(Transmit::UpTo(end))
}

/// The first unacknowledged segment, again.
fn first_unacked(window: &Window) -> Transmit {
    Transmit::Again { seq: window.snd_una, end: window.snd_una + window.smss }
}
