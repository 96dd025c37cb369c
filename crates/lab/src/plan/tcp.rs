//! A TCP as a plan describes it.

use serde::{Deserialize, Serialize};

/// A TCP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tcp {
    /// Its congestion control and loss recovery.
    pub flavor: Flavor,
    /// Options for which every flavor has a preset.
    pub options: TcpOptions,
    /// Sender maximum segment size, bytes.
    pub smss_bytes: u32,
    /// Initial window, segments.
    pub initial_window_segments: u32,
    /// Initial slow-start threshold, bytes.
    pub initial_ssthresh_bytes: u64,
    /// Largest receive buffer, bytes.
    pub receive_buffer_bytes: u64,
    /// Initial receive buffer, bytes, if it grows with the application's reads; absent if it does not grow.
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
    /// Options that only a study of the 1990s sets.
    pub historic: HistoricTcp,
}

/// A flavor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Flavor {
    /// A row of the table of flavors.
    Named(String),
    /// A congestion control whose code is in the plan.
    Code {
        /// Its code.
        python: Code,
    },
}

/// A class of Python.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Code {
    /// Name of the file, for messages.
    pub file: String,
    /// Name of the class.
    pub class: String,
    /// Text of the file.
    pub text: String,
}

impl Flavor {
    /// Its row of the table of flavors; none if a name is in no row.
    #[must_use]
    pub fn row(&self) -> Option<&'static tcp::Flavor> {
        match self {
            Self::Named(name) => tcp::Flavor::named(name),
            Self::Code { .. } => Some(&tcp::OUTSIDE),
        }
    }

    /// Its code, if it is in the plan.
    #[must_use]
    pub fn code(&self) -> Option<&Code> {
        match self {
            Self::Named(_) => None,
            Self::Code { python } => Some(python),
        }
    }
}

impl super::Plan {
    /// The code of each of its TCPs, where the plan has it.
    pub fn codes(&self) -> impl Iterator<Item = Option<&Code>> {
        self.tcps.iter().map(|tcp| tcp.flavor.code())
    }
}

impl From<&str> for Flavor {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

/// Options for which every flavor has a preset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TcpOptions {
    /// SACK is offered.
    pub sack: bool,
    /// At most this many SACK blocks in a segment; at most three with timestamps.
    pub sack_blocks: u8,
    /// Duplicates are reported in a SACK block.
    pub dsack: bool,
    /// Timestamps are offered.
    pub timestamps: bool,
    /// ECN is offered.
    pub ecn: bool,
    /// With ECN: how a receiver reports marks.
    pub ecn_feedback: EcnFeedback,
    /// With ECN: packets are ECT(1), else ECT(0).
    pub l4s: bool,
    /// A mark leaves more of cwnd than a loss (ABE).
    pub abe: bool,
    /// The first two duplicate ACKs send new data (limited transmit).
    pub limited_transmit: bool,
    /// cwnd falls in proportion to the delivered data (PRR).
    pub prr: bool,
    /// How a flavor with SACK finds losses.
    pub loss_detection: SackLossDetection,
    /// A probe after the last segments of a flight (TLP).
    pub tlp: bool,
    /// When that probe leaves.
    pub tlp_timer: TlpTimer,
    /// New data after a time-out show whether it was spurious (F-RTO).
    pub f_rto: bool,
    /// What a spurious reduction of cwnd restores.
    pub undo: Undo,
    /// A retransmission counts as lost if data sent later arrive.
    pub lost_retransmission_detection: bool,
    /// How much an ACK adds to cwnd.
    pub growth: Growth,
    /// With `growth` by bytes: at most this many segments that an ACK counts in slow start; none: all.
    #[serde(deserialize_with = "Option::deserialize")]
    pub growth_limit_segments: Option<u32>,
    /// How slow start ends before a loss.
    pub slow_start: SlowStart,
    /// cwnd and ssthresh are whole segments.
    pub whole_segments: bool,
    /// Whether segments leave at a rate, and which.
    pub pacing: Pacing,
    /// Segments of a connection that leave before pacing begins.
    pub unpaced_segments: u32,
    /// cwnd grows only while it limits the sender, and decays when idle.
    pub cwnd_validation: bool,
    /// The quantity from which ssthresh is computed after a loss.
    pub ssthresh_from: SsthreshFrom,
    /// No fast retransmit of data sent before a time-out or, in NewReno, before a recovery's end.
    pub careful_fast_retransmit: bool,
    /// How ssthresh is rounded then.
    pub ssthresh_rounding: SsthreshRounding,
    /// CUBIC: the factor for it, millionths.
    pub cubic_beta_ppm: u32,
    /// CUBIC: how it computes.
    pub cubic_arithmetic: CubicArithmetic,
    /// LEDBAT: the queueing delay that it aims at, ps.
    pub ledbat_target_ps: u64,
    /// NewReno: the effect of a partial ACK on cwnd.
    pub deflation: Deflation,
    /// NewReno: which partial ACKs restart the retransmission timer.
    pub partial_ack_timer: PartialAckTimer,
    /// How time-outs are counted.
    pub timers: Timers,
    /// Which quantity `min_rto_ps` limits.
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
    /// An ACK waits for at most this many segments.
    pub ack_every: u32,
    /// This many first ACKs of a connection do not wait.
    pub quick_acks: u32,
    /// This many bytes are acknowledged at once at the start, and again after each gap.
    pub quick_ack_bytes: u64,
    /// A segment stays timed while a recovery delays its ACK.
    pub recovery_samples: bool,
    /// Every ACK of data that was sent once is a sample of the RTT; else one segment of a window is timed.
    pub sample_every_ack: bool,
    /// The segment that probes a closed window.
    pub window_probe: WindowProbe,
}

/// Options that reproduce implementations, simulators or papers of the 1990s.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoricTcp {
    /// The ACK of the SYN opens cwnd as that of a segment does, as in BSD.
    pub handshake_growth: bool,
    /// The ACK of the SYN is a measurement of the RTT; else the initial RTO holds for the first data, too.
    pub handshake_sample: bool,
    /// An eighth of a segment more for each ACK in congestion avoidance, as in 4.3BSD Reno.
    pub additive_constant: bool,
    /// How fractions of a byte are rounded when cwnd grows by ACKs in congestion avoidance.
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

/// How much an ACK adds to cwnd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Growth {
    /// A segment in slow start, a window's part of one afterwards.
    Acks,
    /// The acknowledged bytes (RFC 3465).
    Bytes,
}

/// How fractions of a byte are rounded when cwnd grows by ACKs in congestion avoidance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CwndRounding {
    /// Rounded down, but at least one byte is added (RFC 5681).
    Up,
    /// Rounded down, as in BSD: cwnd does not grow beyond SMSS * SMSS.
    Down,
    /// Kept for the next ACK, as with floating point.
    None,
}

/// How ssthresh is rounded after a loss.
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

/// Which quantity the smallest time-out limits.
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

/// The segment that probes a closed window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowProbe {
    /// One byte of new data.
    Octet,
    /// A segment without data.
    Ack,
}

/// The effect of a partial ACK on cwnd in NewReno.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deflation {
    /// Back to ssthresh.
    Full,
    /// Reduces it by the acknowledged bytes, then adds one segment (RFC 6582).
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

/// The quantity from which ssthresh is computed after a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SsthreshFrom {
    /// min(cwnd, rwnd), as in BSD and in the studies of the 1990s.
    Cwnd,
    /// The same, without the inflation of a recovery that a time-out ends, as in ns-2.
    CwndDeflated,
    /// `flight_size` (RFC 5681).
    FlightSize,
    /// The same, but no time-out raises ssthresh.
    FlightSizeBounded,
}

/// How a receiver reports marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EcnFeedback {
    /// ECE until CWR arrives (RFC 3168).
    Classic,
    /// ECE shows whether the last segment was marked (RFC 8257).
    Dctcp,
    /// Counters of marked packets and bytes (RFC 9768).
    Accurate,
}

/// How a flavor with SACK finds losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SackLossDetection {
    /// By time (RFC 8985).
    Rack,
    /// By the number of SACKed segments above (RFC 6675).
    Rfc6675,
}

/// When a tail loss probe leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TlpTimer {
    /// After 2 SRTT, and 200 ms more if one segment is in flight (RFC 8985, section 7.2).
    Rfc8985,
    /// After 2 SRTT, and 2 ms more, or the smallest time-out if one segment is in flight.
    Linux,
}

/// What a spurious reduction of cwnd restores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undo {
    /// Nothing.
    Off,
    /// ssthresh; and a cwnd that lets out no burst (RFC 4015).
    Rfc4015,
    /// cwnd and ssthresh.
    Linux,
}

/// How slow start ends before a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlowStart {
    /// It does not (RFC 5681).
    Standard,
    /// By a growing RTT, with a phase of slower growth (RFC 9406).
    HystartPlusPlus,
    /// By long trains of ACKs, or a growing RTT (Linux).
    Hystart,
}

/// Whether segments leave at a rate, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pacing {
    /// They leave as the window allows.
    Off,
    /// At a little more than a window in each SRTT.
    Rate,
    /// At the rate of the congestion control, if it has one.
    #[serde(rename = "cc")]
    CongestionControl,
}

/// How CUBIC computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CubicArithmetic {
    /// With real numbers (RFC 9438).
    Rfc9438,
    /// With the integers of Linux.
    Linux,
}
