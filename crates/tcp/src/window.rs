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
    /// One above the highest sequence number for which there are data and receive window.
    pub sendable: u64,
    /// Congestion window.
    pub cwnd: u64,
    /// Slow-start threshold.
    pub ssthresh: u64,
    /// The peer's receive window, as last advertised.
    pub rwnd: u64,
    /// The largest window that the peer can advertise; cwnd does not grow beyond it.
    pub max_rwnd: u64,
    /// Whether cwnd is what limits the sender, as far as anybody asks (`cwnd_validation`).
    pub cwnd_limited: bool,
    /// The largest cwnd since there is a connection, or since [`crate::Connection::forget_max_cwnd`]. What
    /// a recovery inflates cwnd by does not count.
    pub max_cwnd: u64,
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

    /// Whether new data could be sent but for the congestion window.
    #[must_use]
    pub const fn has_new_data(&self) -> bool {
        self.snd_max < self.sendable
    }
}

impl Default for Window {
    /// Of a connection that has sent nothing.
    fn default() -> Self {
        Self {
            smss: 536,
            snd_una: 0,
            snd_nxt: 0,
            snd_max: 0,
            sendable: 0,
            cwnd: 536,
            ssthresh: u64::MAX,
            rwnd: 536,
            max_rwnd: 536,
            cwnd_limited: true,
            max_cwnd: 0,
        }
    }
}
