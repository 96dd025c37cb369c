//! Congestion control: how cwnd grows, and what is left of it after a loss.
//!
//! One file per algorithm; what is sent again, and when, is [`crate::recovery`]'s business.

use crate::window::Window;

mod reno;

pub use reno::Reno;

/// Why cwnd has to fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Duplicate ACKs told of a loss.
    FastRetransmit,
    /// The retransmission timer ran out for the first time for this data.
    Rto,
    /// It ran out again before anything new was acknowledged.
    RepeatedRto,
}

/// How cwnd moves.
pub trait CongestionControl: Send {
    /// `acked` bytes were newly acknowledged outside of recovery.
    fn on_ack(&mut self, window: &mut Window, acked: u64);
    /// The slow-start threshold after a loss.
    fn ssthresh(&mut self, window: &Window, cause: Cause) -> u64;
}
