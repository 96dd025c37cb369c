//! Loss detection: what is lost, what is sent again, and when. One file per algorithm, named as in the RFCs.
//!
//! The connection does what is common to all: it moves `snd_una`, times segments, and on a time-out falls back to
//! `snd_una` (go-back-N). What happens to cwnd is the business of [`crate::congestion`], which is told what each ACK means
//! for a recovery.
//!
//! To add one, see `docs/howto/add-a-recovery.md`.

use crate::congestion::Phase;
use crate::sender::Sender;
use base::Time;

mod newreno;
mod reno;
mod rfc6675;
mod sack_pipe;
mod timeout_only;

pub use newreno::NewReno;
pub use reno::Reno;
pub use rfc6675::Rfc6675;
pub use sack_pipe::SackPipe;
pub use timeout_only::TimeoutOnly;

/// What may be sent next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transmit {
    /// A segment that starts at `seq` and ends at or before `end`, once more.
    Retransmit {
        /// First sequence number.
        seq: u64,
        /// Where it must end at the latest.
        end: u64,
    },
    /// A segment that starts at `snd_nxt` and ends at or before this.
    Next(u64),
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

/// What loss detection knows of the data in flight, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Selectively acknowledged.
    pub sacked: u64,
    /// Thought lost.
    pub lost: u64,
    /// Sent again and not yet acknowledged.
    pub retransmitted: u64,
}

/// What loss detection makes of an ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What it means for congestion control.
    pub phase: Phase,
    /// Bytes delivered as far as it tells, what was SACKed before left out.
    pub delivered: u64,
    /// Of an ACK of something new, whether the retransmission timer starts anew (RFC 6298, rule 5.3).
    pub restarts_rto: bool,
}

impl Verdict {
    /// So many bytes were delivered; the timer starts anew.
    #[must_use]
    pub const fn new(phase: Phase, delivered: u64) -> Self {
        Self { phase, delivered, restarts_rto: true }
    }
}

/// A timer of loss detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossTimer {
    /// What has not arrived by then is lost.
    Reordering,
    /// A probe asks for an ACK.
    LossProbe,
}

/// When the timers of loss detection run out; [`Time::NEVER`]: not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// Of [`LossTimer::Reordering`].
    pub reordering: Time,
    /// Of [`LossTimer::LossProbe`].
    pub loss_probe: Time,
}

impl Deadlines {
    /// No timer.
    pub const NONE: Self = Self { reordering: Time::NEVER, loss_probe: Time::NEVER };
}

/// What is lost, and what is sent again.
pub trait LossDetection: Send {
    /// Whether it reads the transmit queue.
    fn needs_transmit_queue(&self) -> bool {
        false
    }

    /// Something was newly acknowledged: `acked` bytes. `snd_una` has moved already.
    fn on_ack(&mut self, now: Time, sender: &mut Sender, acked: u64) -> Verdict;

    /// A duplicate ACK came, or one that SACKs something new.
    fn on_dup_ack(&mut self, now: Time, sender: &mut Sender, cwnd: u64) -> Verdict;

    /// `RecoverFS` of RFC 9937, asked for when an ACK has begun a recovery: bytes in flight, without what had been SACKed.
    fn recover_fs(&self, sender: &Sender) -> u64 {
        sender.flight_size()
    }

    /// SACK blocks, or none, came, and stand in the transmit queue; `on_ack` or `on_dup_ack` follows. True if they count as a duplicate ACK
    /// whatever else the segment is.
    fn on_sack(&mut self, now: Time, sender: &mut Sender) -> bool {
        let _ = (now, sender);
        false
    }

    /// The network told of congestion, for the first time in this window of data.
    fn on_ecn(&mut self, sender: &mut Sender) {
        let _ = sender;
    }

    /// The retransmission timer ran out. Gives `SND.NXT`, from which new data, or everything once more, is sent.
    fn on_rto(&mut self, now: Time, sender: &mut Sender) -> u64;

    /// Whether it asks for timers at all.
    fn needs_timers(&self) -> bool {
        false
    }

    /// When it wants [`LossDetection::on_timer`] to be called. Asked after each ACK and each segment sent.
    fn deadlines(&self) -> Deadlines {
        Deadlines::NONE
    }

    /// A time for which it has asked has come.
    fn on_timer(&mut self, now: Time, sender: &mut Sender, timer: LossTimer) {
        let _ = (now, sender, timer);
    }

    /// What may be sent now. Asked again and again until it offers nothing, or something that
    /// cannot be sent for want of data or receive window.
    fn next(&mut self, now: Time, sender: &mut Sender, cwnd: u64) -> Option<Transmit>;

    /// The segment `[seq, end)` was sent; the transmit queue has it already. Not called without one.
    fn on_sent(&mut self, sender: &Sender, seq: u64, end: u64) {
        let _ = (sender, seq, end);
    }

    /// How it stands; what a time-out began is added by the connection.
    fn state(&self, sender: &Sender) -> CaState {
        let _ = sender;
        CaState::Open
    }

    /// What it knows of the data in flight.
    fn tally(&self, sender: &Sender) -> Tally {
        let _ = sender;
        Tally::default()
    }
}

/// What every algorithm does outside of recovery: send while the window is open; with limited
/// transmit (RFC 3042) also a segment beyond it for each of the first two duplicate ACKs.
fn next_in_window(sender: &Sender, cwnd: u64, limited: u32) -> Option<Transmit> {
    let end = sender.snd_una + cwnd + u64::from(limited) * sender.smss;
    (sender.snd_nxt < end).then_some(Transmit::Next(end))
}

/// The first unacknowledged segment, once more.
fn first_unacked(sender: &Sender) -> Transmit {
    Transmit::Retransmit { seq: sender.snd_una, end: sender.snd_una + sender.smss }
}
