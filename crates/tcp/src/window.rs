//! The sender's variables, as RFC 5681 and RFC 9293 name them.

/// What congestion control and loss recovery see and move. Bytes and sequence numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Sender maximum segment size.
    pub smss: u64,
    /// Oldest unacknowledged sequence number.
    pub snd_una: u64,
    /// Next sequence number to send; falls back to `snd_una` after a time-out.
    pub snd_nxt: u64,
    /// One above the highest sequence number sent.
    pub snd_max: u64,
    /// Congestion window.
    pub cwnd: u64,
    /// Slow-start threshold.
    pub ssthresh: u64,
    /// The peer's receive window, as last advertised.
    pub rwnd: u64,
    /// The largest window that the peer can advertise; cwnd does not grow beyond it.
    pub max_rwnd: u64,
}

impl Window {
    /// Bytes sent and not yet acknowledged.
    #[must_use]
    pub const fn flight_size(&self) -> u64 {
        self.snd_max - self.snd_una
    }

    /// One above the highest sequence number that the congestion window lets out.
    #[must_use]
    pub const fn cwnd_end(&self) -> u64 {
        self.snd_una + self.cwnd
    }
}
