//! The parameters of an endpoint.

use crate::flavor::Flavor;
use crate::recovery::NewRenoParameters;
use sim::time::Time;

/// The parameters of an endpoint. There are no defaults: a study states every one.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Loss recovery, congestion control and options, by name.
    pub flavor: &'static Flavor,
    /// NewReno's parameters in place of those of the flavor's row.
    pub newreno: Option<NewRenoParameters>,
    /// Sender maximum segment size, bytes.
    pub smss: u32,
    /// Initial window, segments.
    pub initial_window: u32,
    /// Initial slow-start threshold, bytes.
    pub initial_ssthresh: u64,
    /// Receive buffer, bytes.
    pub receive_buffer: u64,
    /// Window scale offered in the SYN.
    pub window_scale: u8,
    /// How long an ACK may wait for a second segment; none: not at all.
    pub delayed_ack: Option<Time>,
    /// Nagle's algorithm (RFC 896).
    pub nagle: bool,
    /// Sender-side silly window avoidance (RFC 1122, 4.2.3.4).
    pub sws_avoidance: bool,
    /// Restart from the initial window after an idle RTO (RFC 5681, 4.1).
    pub idle_restart: bool,
    /// What ssthresh becomes half of.
    pub loss_window: LossWindow,
    /// An eighth of a segment more for each ACK in congestion avoidance (RFC 2525, 2.6).
    pub additive_constant: bool,
    /// RTO before the first RTT sample, ticks.
    pub initial_rto: u32,
    /// Smallest RTO, ticks.
    pub min_rto: u32,
    /// Largest RTO, ticks.
    pub max_rto: u32,
}

/// What ssthresh becomes half of after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossWindow {
    /// min(cwnd, rwnd): BSD, and the studies of the 1990s.
    Cwnd,
    /// `flight_size`: RFC 5681, equation 4.
    FlightSize,
}
