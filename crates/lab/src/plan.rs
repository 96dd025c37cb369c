//! The plan: everything that one run needs, in integers and SI units, as Python hands it over.
//!
//! A plan is what `(plan, seed) -> columns` is a function of, so it holds no default: whoever
//! compiles it (`ackclock.scenario`) has decided every number. Unknown keys are errors. Times
//! are picoseconds, sizes bytes or cells; a rational threshold is in parts per million, so that
//! two equal plans are equal byte for byte. See `docs/adr/0005-plan-schema.md`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of this schema; [`SCHEMA`] is the one that this code reads.
    pub schema: u32,
    /// Simulated time, ps.
    pub duration_ps: u64,
    /// Number of client-server pairs; each pair is one TCP connection.
    pub pairs: u32,
    /// The network between clients and servers.
    pub topology: Topology,
    /// How the coarse TCP timers of the hosts tick.
    pub clock: Clock,
    /// The TCP of every host.
    pub tcp: Tcp,
    /// What the clients ask for and the servers send.
    pub workload: Workload,
    /// What to record beside the totals.
    pub probes: Probes,
}

/// The schema version that this code reads.
pub const SCHEMA: u32 = 1;

/// The network between clients and servers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Topology {
    /// Hosts on access links of their own, two ATM switches, one trunk between them.
    AtmDumbbell {
        /// The link between a host and its switch, the same for every host.
        access: CellLink,
        /// The link between the switches.
        trunk: CellLink,
        /// Output port of the servers' switch onto the trunk (data).
        forward: Port,
        /// Output port of the clients' switch onto the trunk (requests and ACKs).
        reverse: Port,
    },
}

/// A link that carries cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellLink {
    /// Time to send one 53-byte cell, ps.
    pub cell_time_ps: u64,
    /// One-way propagation delay, ps.
    pub delay_ps: u64,
}

/// An ATM switch output port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Port {
    /// Buffer K, cells; the cell being sent counts.
    pub buffer_cells: u32,
    /// When a new frame is refused.
    pub policy: FramePolicy,
    /// What becomes of the last cell (EOM) of a frame that overflow has cut.
    pub eom: Eom,
}

/// When a port refuses a new frame: a row of `sim::atm::FRAME_POLICIES` and its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FramePolicy {
    /// Name of the policy.
    pub name: String,
    /// Its parameters by name: exactly those of the row.
    #[serde(flatten)]
    pub parameters: BTreeMap<String, u32>,
}

/// What becomes of the EOM cell of a frame that overflow has cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Eom {
    /// Kept if the buffer has room, so that the receiver can tell the next frame from this one.
    Keep,
    /// Discarded with the rest: the receiver joins the remains to the next frame and loses both.
    Drop,
}

/// How the coarse timers of the hosts tick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Granularity of the TCP timers, ps.
    pub tick_ps: u64,
    /// Where a host's ticks lie within the tick.
    pub phase: Phase,
}

/// Where a host's ticks lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Phase {
    /// A phase for each host, uniform in `[0, spread_ps)`; 0 is one common clock.
    Uniform {
        /// Width of the interval, ps.
        spread_ps: u64,
    },
    /// A connection's ticks count from the moment when its host opened it (a server: when the
    /// SYN arrived).
    Open {},
}

/// The TCP of every host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tcp {
    /// Row of the table of flavors: `vanilla`, `reno`, `newreno`, `newreno_hoe`, `sack_pipe`.
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

/// What the clients ask for and the servers send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Workload {
    /// Documents fetched in batches of requests over one persistent connection (000 section 4).
    WwwBatches {
        /// Size of a request, bytes.
        request_bytes: u32,
        /// From one batch to the next, ps.
        period_ps: u64,
        /// Where the period counts from.
        period_from: PeriodFrom,
        /// When the first batch starts: uniform in `[0, start_spread_ps)`; 0 is all at once.
        start_spread_ps: u64,
        /// Requests of one document: from 1 to 9.
        requests: IndexLaw,
        /// Shortest gap between requests, ps.
        gap_min_ps: u64,
        /// Longest gap between requests, ps.
        gap_max_ps: u64,
        /// Which of the nine sizes of its class a file has.
        file_index: IndexLaw,
        /// Probability of the file classes 0 to 4, parts per million; they sum to a million.
        class_ppm: [u32; 5],
        /// Whether the first request of a batch is always of class 0 (and the others are drawn
        /// from classes 1 to 4), or any request by chance.
        first_is_class_0: bool,
    },
}

/// Where the period between batches counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PeriodFrom {
    /// The first request of the batch before.
    FirstRequest,
    /// Its last request.
    LastRequest,
}

/// A law on the whole numbers from 1 to 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IndexLaw {
    /// Poisson of mean 5 given that it lies in 1 to 9 (mean 4.846).
    PoissonTruncated,
    /// Poisson of mean 5, what lies outside moved to 1 or 9 (mean 4.953).
    PoissonClamped,
    /// Every value equally likely (mean 5).
    Uniform,
    /// Always 5.
    Five,
}

/// What to record beside the totals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probes {
    /// Width of the bins in which queue lengths are recorded, ps; none: not recorded.
    #[serde(deserialize_with = "Option::deserialize")]
    pub queue_bin_ps: Option<u64>,
    /// Pairs whose servers' cwnd is recorded at every change.
    pub cwnd_of: Vec<u32>,
}
