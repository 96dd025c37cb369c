//! A TCP as a plan describes it.

use serde::{Deserialize, Serialize};

/// A TCP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tcp {
    /// Row of the table of flavors.
    pub flavor: String,
    /// What every flavor has a preset for.
    pub options: TcpOptions,
    /// Sender maximum segment size, bytes.
    pub smss_bytes: u32,
    /// Initial window, segments.
    pub initial_window_segments: u32,
    /// Initial slow-start threshold, bytes.
    pub initial_ssthresh_bytes: u64,
    /// Receive buffer, bytes: the most that it holds.
    pub receive_buffer_bytes: u64,
    /// What it holds at first, bytes, if it grows with what the application reads; not there if it does not grow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receive_buffer_initial_bytes: Option<u64>,
    /// Window scale that a host offers in its SYN; none: no scaling.
    #[serde(deserialize_with = "Option::deserialize")]
    pub window_scale: Option<u8>,
    /// Nagle's algorithm.
    pub nagle: bool,
    /// Sender-side silly window avoidance: no part of a segment is sent because the window
    /// ends within it.
    pub sws_avoidance: bool,
    /// cwnd falls back to the restart window when nothing was sent for an RTO.
    pub idle_restart: bool,
    /// Restart window, segments; none: the initial window.
    #[serde(deserialize_with = "Option::deserialize")]
    pub restart_window_segments: Option<u32>,
    /// What only a study of the 1990s sets.
    pub historic: HistoricTcp,
}

/// What every flavor has a preset for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TcpOptions {
    /// SACK is offered.
    pub sack: bool,
    /// SACK blocks in a segment at most; beside timestamps three.
    pub sack_blocks: u8,
    /// Duplicates are reported in a SACK block.
    pub dsack: bool,
    /// Timestamps are offered.
    pub timestamps: bool,
    /// ECN is offered.
    pub ecn: bool,
    /// The first two duplicate ACKs let out new data.
    pub limited_transmit: bool,
    /// cwnd falls in proportion to what is delivered.
    pub prr: bool,
    /// A retransmission is lost if something that was sent later arrives.
    pub lost_retransmission_detection: bool,
    /// What an ACK adds to cwnd.
    pub growth: Growth,
    /// With `growth` by bytes: segments that an ACK counts for in slow start; none: all.
    #[serde(deserialize_with = "Option::deserialize")]
    pub growth_limit_segments: Option<u32>,
    /// cwnd grows only while it limits the sender, and decays when idle.
    pub cwnd_validation: bool,
    /// What ssthresh becomes a part of after a loss.
    pub ssthresh_from: SsthreshFrom,
    /// No fast retransmit for data sent before a time-out, nor in NewReno before a recovery's end.
    pub careful_fast_retransmit: bool,
    /// What ssthresh is then cut to.
    pub ssthresh_rounding: SsthreshRounding,
    /// CUBIC: that part, millionths.
    pub cubic_beta_ppm: u32,
    /// NewReno: what a partial ACK does to cwnd.
    pub deflation: Deflation,
    /// NewReno: which partial ACKs restart the retransmission timer.
    pub partial_ack_timer: PartialAckTimer,
    /// How time-outs are counted.
    pub timers: Timers,
    /// What `min_rto_ps` is the floor of.
    pub min_rto_of: Floor,
    /// Time-out before the first RTT sample, ps.
    pub initial_rto_ps: u64,
    /// Smallest time-out, ps.
    pub min_rto_ps: u64,
    /// Largest time-out, ps.
    pub max_rto_ps: u64,
    /// Delayed ACK time-out, ps; none: every segment is acknowledged at once.
    #[serde(deserialize_with = "Option::deserialize")]
    pub delayed_ack_ps: Option<u64>,
    /// Which timer that is.
    pub ack_timer: AckTimer,
    /// Segments that an ACK waits for at most.
    pub ack_every: u32,
    /// The first ACKs of a connection that do not wait.
    pub quick_acks: u32,
    /// So many bytes are acknowledged at once at first, and again whenever something was missing.
    pub quick_ack_bytes: u64,
    /// A segment stays timed while a recovery holds up its ACK.
    pub recovery_samples: bool,
    /// What probes a closed window.
    pub window_probe: WindowProbe,
}

/// What reproduces an implementation, a simulator or a paper of the 1990s, and nothing later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoricTcp {
    /// The ACK of the SYN opens cwnd as that of a segment does, as in BSD.
    pub handshake_growth: bool,
    /// The ACK of the SYN is a measurement of the RTT; else the initial RTO holds for the first data, too.
    pub handshake_sample: bool,
    /// An eighth of a segment more for each ACK in congestion avoidance, as in 4.3BSD Reno.
    pub additive_constant: bool,
    /// What becomes of the fraction of a byte when cwnd grows by ACKs in congestion avoidance.
    pub cwnd_rounding: CwndRounding,
    /// ACKs that make cwnd grow together, by ACKs in congestion avoidance: N of them add
    /// N * SMSS * SMSS / cwnd.
    pub cwnd_ack_batch: u32,
    /// The flavor `sack`: how long a fast retransmit waits after the third duplicate ACK, millionths of SRTT.
    pub retransmit_wait_ppm: u32,
}

impl HistoricTcp {
    /// As the RFCs in force have it.
    pub const OFF: Self = Self {
        handshake_growth: false,
        handshake_sample: true,
        additive_constant: false,
        cwnd_rounding: CwndRounding::Up,
        cwnd_ack_batch: 1,
        retransmit_wait_ppm: 0,
    };
}

/// What an ACK adds to cwnd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Growth {
    /// A segment in slow start, a window's part of one afterwards.
    Acks,
    /// What it acknowledges is counted (RFC 3465).
    Bytes,
}

/// What becomes of the fraction of a byte when cwnd grows by ACKs in congestion avoidance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CwndRounding {
    /// It is cut, and a byte is the least that is added (RFC 5681).
    Up,
    /// It is cut, as in BSD: cwnd does not grow beyond SMSS * SMSS.
    Down,
    /// It is kept for the next time, as with floating point.
    None,
}

/// What ssthresh is cut to after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SsthreshRounding {
    /// Whole bytes.
    Bytes,
    /// Whole segments, as in BSD and where cwnd counts segments.
    Segments,
}

/// How time-outs are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timers {
    /// In whole ticks of the coarse clock.
    Ticks,
    /// To the picosecond.
    Fine,
}

/// What the smallest time-out is the floor of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Floor {
    /// The time-out.
    Rto,
    /// Four times the variance in it.
    Variance,
}

/// Which timer ends the wait of an ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AckTimer {
    /// One that begins with the first segment that waits.
    PerAck,
    /// One that never stops, with the phase of the node's clock, as in BSD.
    FreeRunning,
}

/// What probes a closed window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowProbe {
    /// One byte of new data.
    Octet,
    /// A segment without data.
    Ack,
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

/// What ssthresh becomes a part of after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SsthreshFrom {
    /// min(cwnd, rwnd), as in BSD and in the studies of the 1990s.
    Cwnd,
    /// The same, without the inflation of a recovery that a time-out ends, as in ns-2.
    CwndDeflated,
    /// `flight_size` (RFC 5681).
    FlightSize,
    /// The same, where no time-out raises ssthresh.
    FlightSizeBounded,
}
