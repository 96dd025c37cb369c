//! Loss detection: what is lost, what is sent again, and when. One file per algorithm, named as in the RFCs.
//!
//! The connection does what is common to all: it moves `snd_una`, times segments, and on a time-out falls back to
//! `snd_una` (go-back-N). [`crate::congestion`] moves cwnd; it learns from a [`Verdict`] what each ACK means for a
//! recovery.
//!
//! To add one, see `docs/howto/add-a-recovery.md`.

use crate::congestion::{Cause, Phase};
use crate::options::DUP_THRESH;
use crate::sender::Sender;
use crate::timestamps::TIMESTAMP_TICK;
use base::Time;

mod newreno;
mod rack;
mod reno;
mod rfc6675;
mod sack_pipe;
mod timeout_only;

pub use newreno::NewReno;
pub use rack::RackOrNewReno;
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
    /// A segment of new data that starts at `snd_nxt` and ends here, whatever Nagle's algorithm says.
    Probe(u64),
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

/// How loss detection counts the data in flight, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Selectively acknowledged.
    pub sacked: u64,
    /// Thought lost.
    pub lost: u64,
    /// Sent again and not yet acknowledged.
    pub retransmitted: u64,
}

/// Reordering that a loss detection has seen, for observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reordering {
    /// By how many segments a segment was late, at most; at least [`DUP_THRESH`].
    pub extent: u64,
    /// ACKs that showed a segment to be late; one that SACKs such segments and acknowledges others counts twice.
    pub events: u32,
}

impl Default for Reordering {
    fn default() -> Self {
        Self { extent: u64::from(DUP_THRESH), events: 0 }
    }
}

/// What an ACK means, according to loss detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What it means for congestion control.
    pub phase: Phase,
    /// Bytes newly delivered, each counted once: those that were SACKed before are left out.
    pub delivered: u64,
    /// Whether an ACK of new data restarts the retransmission timer (RFC 6298, rule 5.3).
    pub restarts_rto: bool,
    /// It shows that the last reduction was needless: what that was for.
    pub spurious: Option<Cause>,
    /// With [`Phase::Entered`]: a recovery or a reduction ends before.
    pub ends: bool,
}

impl Verdict {
    /// `delivered` bytes arrived; the retransmission timer restarts.
    #[must_use]
    pub const fn new(phase: Phase, delivered: u64) -> Self {
        Self { phase, delivered, restarts_rto: true, spurious: None, ends: false }
    }
}

/// What an ACK says beside its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// What it acknowledges.
    pub ack: u64,
    /// Whether it is a duplicate ACK (RFC 5681, section 2).
    pub is_duplicate: bool,
    /// The timestamp that it echoes (RFC 7323): when that segment left, in ticks.
    pub echo: Option<u32>,
    /// Data that came a second time (RFC 2883).
    pub duplicate: Option<(u64, u64)>,
}

impl Feedback {
    /// Whether it echoes a segment that left before one that was sent at this time.
    #[must_use]
    pub fn echoes_earlier_than(&self, sent: Time) -> bool {
        let after = |echo: u32| (sent.div_floor(TIMESTAMP_TICK) as u32).wrapping_sub(echo) as i32;
        self.echo.is_some_and(|echo| after(echo) > 0)
    }
}

/// A timer of loss detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossTimer {
    /// Segments that have not arrived by then are lost.
    Reordering,
    /// A probe is sent to get an ACK.
    LossProbe,
}

/// When the timers of loss detection run out; [`Time::NEVER`] if a timer is off.
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

    /// `RecoverFS` of RFC 9937: bytes in flight when a recovery begins, without those SACKed before. The connection asks
    /// right after the ACK that began it.
    fn recover_fs(&self, sender: &Sender) -> u64 {
        sender.flight_size()
    }

    /// Whether it reads [`crate::transmit_queue::TransmitQueue::delivered`].
    fn needs_deliveries(&self) -> bool {
        false
    }

    /// The transmit queue has taken the SACK blocks of an ACK, if it carries any; `on_ack` or `on_dup_ack` follows. Returns
    /// true if they make the segment a duplicate ACK whatever else it carries. The feedback is there if
    /// [`Self::needs_timers`].
    fn on_sack(&mut self, now: Time, sender: &mut Sender, feedback: &Feedback) -> bool {
        let _ = (now, sender, feedback);
        false
    }

    /// The peer reported a mark, the first one of this window of data.
    fn on_ecn(&mut self, sender: &mut Sender) {
        let _ = sender;
    }

    /// An ACK reports a mark: no reduction of before is needless. [`Self::on_ack`] or [`Self::on_dup_ack`] may follow.
    fn on_marked_ack(&mut self) {}

    /// The retransmission timer ran out. Returns the new `SND.NXT`: `snd_una` to send everything once more, `snd_max` to
    /// send only what [`Self::next`] names.
    fn on_rto(&mut self, now: Time, sender: &mut Sender) -> u64;

    /// Whether it finds losses by time: it uses [`Self::deadlines`], [`Self::on_timer`] and [`Feedback`].
    fn needs_timers(&self) -> bool {
        false
    }

    /// When [`Self::on_timer`] is to be called. The connection asks after each ACK and each segment sent.
    fn deadlines(&self) -> Deadlines {
        Deadlines::NONE
    }

    /// The timer has reached its deadline. Returns true if a recovery begins.
    fn on_timer(&mut self, now: Time, sender: &mut Sender, timer: LossTimer) -> bool {
        let _ = (now, sender, timer);
        false
    }

    /// What may be sent now. The connection asks until there is nothing, or until the data or the receive window do not
    /// suffice.
    fn next(&mut self, now: Time, sender: &mut Sender, cwnd: u64) -> Option<Transmit>;

    /// The segment `[seq, end)` was sent, and the transmit queue has it already. Not called without a transmit queue.
    fn on_sent(&mut self, sender: &Sender, seq: u64, end: u64) {
        let _ = (sender, seq, end);
    }

    /// How the recovery stands. The connection adds [`CaState::Loss`] itself.
    fn state(&self, sender: &Sender) -> CaState {
        let _ = sender;
        CaState::Open
    }

    /// How it counts the data in flight.
    fn tally(&self, sender: &Sender) -> Tally {
        let _ = sender;
        Tally::default()
    }

    /// The same for observers, who ask seldom: what was lost and sent again counts as both.
    fn full_tally(&self, sender: &Sender) -> Tally {
        self.tally(sender)
    }

    /// Reordering so far.
    fn reordering(&self) -> Reordering {
        Reordering::default()
    }

    /// Probes of a tail so far.
    fn loss_probes(&self) -> u32 {
        0
    }

    /// The smallest RTT of late, if it measures it.
    fn min_rtt(&self) -> Option<Time> {
        None
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
