//! A TCP as a plan describes it.

use serde::{Deserialize, Serialize};

/// A TCP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tcp {
    /// Row of the table of flavors: `vanilla`, `reno`, `newreno`, `newreno_hoe`, `newreno_full`,
    /// `sack`.
    pub flavor: String,
    /// NewReno: what a partial ACK does to cwnd, instead of the flavor's own setting.
    #[serde(deserialize_with = "Option::deserialize")]
    pub deflation: Option<Deflation>,
    /// NewReno: which partial ACKs restart the retransmission timer, instead of the flavor's own.
    #[serde(deserialize_with = "Option::deserialize")]
    pub partial_ack_timer: Option<PartialAckTimer>,
    /// Sender maximum segment size, bytes.
    pub smss_bytes: u32,
    /// Initial window, segments.
    pub initial_window_segments: u32,
    /// Initial slow-start threshold, bytes.
    pub initial_ssthresh_bytes: u64,
    /// Receive buffer, bytes.
    pub receive_buffer_bytes: u64,
    /// Window scale that a host offers in its SYN.
    pub window_scale: u8,
    /// Delayed ACK time-out, ps; none: every segment is acknowledged at once.
    #[serde(deserialize_with = "Option::deserialize")]
    pub delayed_ack_ps: Option<u64>,
    /// Nagle's algorithm.
    pub nagle: bool,
    /// Sender-side silly window avoidance: no part of a segment is sent because the window
    /// ends within it.
    pub sws_avoidance: bool,
    /// cwnd falls back to the initial window when nothing was sent for an RTO.
    pub idle_restart: bool,
    /// What half the window is taken of after a loss.
    pub loss_window: LossWindow,
    /// An eighth of a segment more for each ACK in congestion avoidance, as in 4.3BSD Reno.
    pub additive_constant: bool,
    /// Time-out before the first RTT sample, ticks.
    pub initial_rto_ticks: u32,
    /// Smallest time-out, ticks.
    pub min_rto_ticks: u32,
    /// Largest time-out, ticks.
    pub max_rto_ticks: u32,
}

/// What a partial ACK does to cwnd in NewReno.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deflation {
    /// Back to ssthresh.
    Full,
    /// Less by what was acknowledged, plus one segment (RFC 6582).
    Partial,
}

/// Which partial ACKs restart the retransmission timer in NewReno.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartialAckTimer {
    /// Only the first ("impatient").
    First,
    /// Every one ("slow but steady").
    Every,
}

/// What ssthresh is half of after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossWindow {
    /// min(cwnd, rwnd), as in BSD and in the studies of the 1990s.
    Cwnd,
    /// `flight_size` (RFC 5681).
    FlightSize,
}
