//! How a sender stands, for observers that look at every ACK.

use core::fmt;

/// How a sender stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SenderState {
    /// cwnd grows by what each ACK acknowledges: it is below ssthresh.
    SlowStart,
    /// HyStart++ has slowed that down, in the round of this number, from 1 on (RFC 9406).
    ConservativeSlowStart(u32),
    /// Neither slow start nor a recovery.
    CongestionAvoidance,
    /// A fast recovery.
    Recovery,
    /// After a time-out, until what was outstanding then is acknowledged.
    TimeoutRecovery,
    /// A phase of the congestion control's own, and a part of it; that is empty if it has none.
    Own(&'static str, &'static str),
}

impl fmt::Display for SenderState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SlowStart => f.write_str("slow start"),
            Self::ConservativeSlowStart(round) => write!(f, "conservative slow start {round}"),
            Self::CongestionAvoidance => f.write_str("congestion avoidance"),
            Self::Recovery => f.write_str("recovery"),
            Self::TimeoutRecovery => f.write_str("time-out recovery"),
            Self::Own(phase, "") => f.write_str(phase),
            Self::Own(phase, part) => write!(f, "{phase} {part}"),
        }
    }
}
