//! What a sender knows: its sequence variables, the peer's window, and what it has in flight.
//!
//! Source: RFC 9293 section 3.3.1 (`SND.UNA`, `SND.NXT`, `SND.WND`); RFC 5681 section 2 (SMSS, cwnd, rwnd, `FlightSize`).

use crate::transmit_queue::TransmitQueue;
use base::Time;

/// A sender's variables. Bytes and sequence numbers.
#[derive(Clone, Debug)]
pub struct Sender {
    /// Sender maximum segment size.
    pub smss: u64,
    /// Oldest unacknowledged sequence number.
    pub snd_una: u64,
    /// Next sequence number to send; falls back to `snd_una` after a time-out.
    pub snd_nxt: u64,
    /// One above the highest sequence number sent.
    pub snd_max: u64,
    /// One above the last byte that the application has written.
    pub written: u64,
    /// The same for which there is receive window, too.
    pub sendable: u64,
    /// The peer's receive window, as last advertised.
    pub rwnd: u64,
    /// The largest window that the peer can advertise; cwnd does not grow beyond it.
    pub max_rwnd: u64,
    /// The smoothed RTT, once there is one.
    pub srtt: Option<Time>,
    /// The smallest RTT sample so far; [`Time::NEVER`] before the first.
    pub min_rtt: Time,
    /// When the last segment came, or the last timer ran out.
    pub now: Time,
    /// Whether the peer reports how much of the data is marked, and they can be.
    pub reports_marks: bool,
    /// Every segment in flight. None for a flavor that needs no record of them.
    pub(crate) queue: Option<Box<TransmitQueue>>,
}

impl Sender {
    /// Of a connection that has sent nothing.
    pub(crate) fn new(smss: u64, queue: Option<Box<TransmitQueue>>) -> Self {
        Self {
            smss,
            snd_una: 0,
            snd_nxt: 0,
            snd_max: 0,
            written: 1,
            sendable: 0,
            rwnd: smss,
            max_rwnd: smss,
            srtt: None,
            min_rtt: Time::NEVER,
            now: Time::ZERO,
            reports_marks: false,
            queue,
        }
    }

    /// Bytes sent and not yet acknowledged.
    #[must_use]
    pub const fn flight_size(&self) -> u64 {
        self.snd_max - self.snd_una
    }

    /// Whether new data could be sent but for the congestion window.
    #[must_use]
    pub const fn has_new_data(&self) -> bool {
        self.snd_max < self.sendable
    }

    /// The transmit queue.
    ///
    /// # Panics
    /// If the flavor has none: its loss detection does not say that it needs one.
    pub(crate) fn queue(&mut self) -> &mut TransmitQueue {
        self.queue.as_deref_mut().expect("a loss detection that reads the transmit queue asks for one")
    }
}

#[cfg(test)]
impl Default for Sender {
    fn default() -> Self {
        Self::new(536, None)
    }
}
