//! Congestion control: the sole owner of cwnd, ssthresh and the pacing rate.
//!
//! One file per algorithm. The connection passes every ACK to it, during a recovery too, every reason to send less, and
//! every segment sent. [`crate::loss`] decides what is lost and what to retransmit.
//!
//! Controls that react to losses have three parts ([`LossBased`]): slow start, congestion avoidance (one file each: Reno,
//! CUBIC ...) and a reduction (halving, with inflation or without; proportional rate reduction).
//!
//! To add one, see `docs/howto/add-a-congestion-control.md`. Another program can bring its own at run time ([`outside`]).

use crate::options::Undo;
use crate::sender::Sender;
use crate::sender_state::SenderState;
use crate::transmit_queue::{LostSegment, QueueSample};
use base::Time;

mod bbr;
mod bbr3;
#[cfg(test)]
mod bottleneck;
mod cubic;
mod dctcp;
#[cfg(test)]
mod flow;
mod halving;
mod ledbat;
mod loss_based;
pub mod outside;
pub(crate) mod pacing_rate;
mod prague;
mod prr;
mod random;
mod reno;
mod segment_count;
mod slow_start;
mod threshold;
mod undo;
mod validation;
mod vegas;
mod westwood;
mod window;
mod windowed_filter;

pub use bbr::Bbr;
pub use bbr3::Bbr3;
pub use cubic::Cubic;
pub use dctcp::Dctcp;
pub use halving::Halving;
pub use ledbat::Ledbat;
pub use loss_based::{CongestionAvoidance, LossBased, Reduction};
pub use prague::Prague;
pub use reno::Reno;
pub use slow_start::SlowStart;
pub use vegas::Vegas;
pub use westwood::Westwood;
pub use window::{CongestionWindow, Pacing};

/// How cwnd moves.
pub trait CongestionControl: Send {
    /// Which inputs it uses. The connection computes no others.
    fn needs(&self) -> Needs {
        Needs { sent: true, queue_samples: true, path_samples: true, marks: false }
    }

    /// Gives it a number for its random choices, before the connection opens. Returns whether it makes any.
    fn seed(&mut self, number: u64) -> bool {
        let _ = number;
        false
    }

    /// A SYN came, so SMSS is known, and with it the initial window in bytes.
    fn on_syn(&mut self, window: &mut CongestionWindow, initial_window: u64);

    /// The SYN was acknowledged, perhaps after its loss. The sample counts it as a full segment.
    fn on_established(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        syn_was_lost: bool,
        sample: &AckSample,
    );

    /// An ACK came: of something new, or a duplicate one. `snd_una` has moved already.
    fn on_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample);

    /// There is a reason to send less.
    fn on_congestion(&mut self, window: &mut CongestionWindow, sender: &Sender, congestion: &Congestion);

    /// A segment was sent; the sequence variables count it already.
    fn on_sent(&mut self, window: &mut CongestionWindow, sender: &Sender, sent: Sent);

    /// The last reason to send less turns out to be none: what counted as lost had arrived. The ACK that shows it follows.
    fn on_spurious(&mut self, window: &mut CongestionWindow, sender: &Sender, spurious: &Spurious) {
        let _ = (window, sender, spurious);
    }

    /// Nothing was sent for longer than a time-out, and now something is (RFC 5681, section 4.1).
    fn on_idle(&mut self, window: &mut CongestionWindow, idle: Idle);

    /// How it stands, in one word or a line for traces; empty if cwnd and ssthresh say it all.
    fn state(&self) -> String {
        String::new()
    }

    /// How the sender stands, if the window and loss detection do not say it. It ends with a loss, or goes on in a recovery.
    fn sender_state(&self) -> Option<SenderState> {
        None
    }
}

/// Which inputs a congestion control uses beside the ACKs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// [`CongestionControl::on_sent`].
    pub sent: bool,
    /// [`AckSample::queue`], as far as the flavor has a transmit queue.
    pub queue_samples: bool,
    /// [`QueueSample::path`]; the flavor then has a transmit queue.
    pub path_samples: bool,
    /// [`AckSample::marked`]: it decides itself when to react to marks. As long as [`Sender::reports_marks`],
    /// [`CongestionControl::on_congestion`] does not come for them.
    pub marks: bool,
}

/// An ACK as congestion control sees it. Bytes.
#[derive(Clone, Copy, Debug)]
pub struct AckSample<'a> {
    /// When it came.
    pub now: Time,
    /// Whether a recovery is going on.
    pub phase: Phase,
    /// Whether it reports a mark of congestion.
    pub ece: bool,
    /// Cumulatively acknowledged by it; 0 for a duplicate ACK.
    pub acked: u64,
    /// Newly delivered according to this ACK: acknowledged or SACKed, each byte once.
    pub delivered: u64,
    /// Bytes of those that were marked on their way, as far as the peer says so; with classic feedback 0.
    pub marked: u64,
    /// The smoothed RTT, once there is one.
    pub srtt: Option<Time>,
    /// The RTT of the segment sent last of those that it delivers, if that was sent once; the flavor has RACK then.
    pub rtt: Option<Time>,
    /// In the network now, as loss detection counts it; 0 if the control needs no path samples.
    pub in_flight: u64,
    /// Segments found to be lost since the last ACK; for a control that needs path samples.
    pub losses: &'a [LostSegment],
    /// A sample of the transmit queue, if there is one and the control needs it.
    pub queue: Option<&'a QueueSample>,
}

impl AckSample<'_> {
    /// An ACK of `acked` bytes outside of a recovery, with no other information.
    #[must_use]
    #[inline(always)]
    pub const fn open(now: Time, acked: u64, srtt: Option<Time>) -> Self {
        Self {
            now,
            phase: Phase::Open,
            ece: false,
            acked,
            delivered: acked,
            marked: 0,
            srtt,
            rtt: None,
            in_flight: 0,
            losses: &[],
            queue: None,
        }
    }
}

/// What an ACK means for a recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No recovery is going on, or one from a time-out in slow start.
    Open,
    /// It has begun a recovery; [`CongestionControl::on_congestion`] came just before.
    Entered,
    /// It belongs to a recovery, or to a reduction because of marks.
    Recovery,
    /// It ends one.
    Exit,
    /// It has begun a recovery and ends it: a probe has repaired the only loss. [`CongestionControl::on_congestion`] came
    /// just before.
    Repaired,
}

/// A reason to send less.
#[derive(Clone, Copy, Debug)]
pub struct Congestion {
    /// Which.
    pub cause: Cause,
    /// `RecoverFS` of RFC 9937: bytes in flight when a recovery or a reduction begins, without what had been SACKed.
    pub recover_fs: u64,
    /// Whether a fast recovery was going on when the retransmission timer ran out.
    pub in_recovery: bool,
}

/// A reason to send less that was none.
#[derive(Clone, Copy, Debug)]
pub struct Spurious {
    /// Which.
    pub cause: Cause,
    /// Bytes that the ACK which shows it has acknowledged.
    pub acked: u64,
    /// The initial window, bytes.
    pub initial_window: u64,
    /// Which window it leaves.
    pub undo: Undo,
}

/// Why cwnd has to fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Loss detection has found a loss.
    Loss,
    /// The retransmission timer ran out for the first time for this data.
    Rto,
    /// It ran out again before anything new was acknowledged.
    RepeatedRto,
    /// The network marked a packet (RFC 3168).
    Ecn,
}

/// A segment that was sent.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// When.
    pub now: Time,
    /// Sequence numbers of it.
    pub bytes: u64,
    /// Whether nothing was in flight before.
    pub was_idle: bool,
}

/// A pause in sending.
#[derive(Clone, Copy, Debug)]
pub struct Idle {
    /// How long nothing was sent.
    pub time: Time,
    /// Time-out.
    pub rto: Time,
    /// Restart window, bytes.
    pub restart_window: u64,
}
