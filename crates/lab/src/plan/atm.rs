//! An ATM network as a plan describes it.
//!
//! Rates are in bit/s of whole cells, 424 bits each. Lines are one-directional and are identified by their
//! number; a port configuration may serve any number of lines, each of which has a port of its own.

use super::workload::Times;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Hosts with a network card each, switches, and lines between them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Atm {
    /// The plan's node that is host 0; the other hosts are the nodes after it.
    pub first: u32,
    /// How many hosts there are.
    pub hosts: u32,
    /// How many switches: points `hosts..hosts + switches` of the network.
    pub switches: u32,
    /// Lines. A host has at most one that begins there.
    pub lines: Vec<AtmLine>,
    /// Output ports of switches.
    pub ports: Vec<AtmPort>,
    /// The services of VCs.
    pub services: Vec<Service>,
    /// For each flow the service of its two VCs: an index of `services`.
    pub flow_services: Vec<usize>,
    /// Sources of cells without TCP.
    pub sources: Vec<CellSource>,
}

/// A line in one direction, between points of the network: hosts `0..hosts`, then switches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtmLine {
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// Time to send one 53-byte cell, ps.
    pub cell_time_ps: u64,
    /// One-way propagation delay, ps.
    pub delay_ps: u64,
    /// Its cost in a path; at least 1.
    pub cost: u32,
    /// The port before it: an index of `ports`; none for a line that begins at a host.
    #[serde(deserialize_with = "Option::deserialize")]
    pub port: Option<usize>,
}

/// An output port of a switch: a queue for each category, served in the order VBR, ABR, UBR. GFR is of the
/// category of UBR.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtmPort {
    /// Buffer for VBR, cells; none: unlimited. The cell being sent counts, here and below.
    #[serde(deserialize_with = "Option::deserialize")]
    pub vbr_buffer_cells: Option<u32>,
    /// Buffer for ABR, cells; none: unlimited.
    #[serde(deserialize_with = "Option::deserialize")]
    pub abr_buffer_cells: Option<u32>,
    /// Buffer for UBR, cells; none: unlimited.
    #[serde(deserialize_with = "Option::deserialize")]
    pub ubr_buffer_cells: Option<u32>,
    /// Share of the line for UBR before VBR and ABR (guaranteed rate), parts in 1e9.
    pub ubr_share_ppb: u32,
    /// How UBR cells wait.
    pub ubr_queueing: UbrQueueing,
    /// Decides which new UBR frames are refused.
    pub policy: FramePolicy,
    /// Whether the last cell (EOM) of a UBR frame that overflow has cut is kept.
    pub eom: Eom,
    /// How it computes the rates of ABR sources.
    pub rate_control: RateControl,
}

/// How cells of UBR and GFR wait at a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case", deny_unknown_fields)]
pub enum UbrQueueing {
    /// In one queue.
    Fifo {},
    /// In a queue for each VC, served by weighted fair queueing.
    PerVc {
        /// How VCs share the rate that the MCRs leave.
        excess: Excess,
    },
}

/// How VCs share the rate that the MCRs leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Excess {
    /// All VCs alike.
    Equal,
    /// In proportion to MCR; a VC without one counts as if its MCR were a cell a second.
    Proportional,
}

/// How a port controls the rates of ABR sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case", deny_unknown_fields)]
pub enum RateControl {
    /// Not at all.
    None {},
    /// By marking data cells (EFCI) while the ABR queue is longer than a threshold.
    Efci {
        /// The threshold, cells.
        threshold_cells: u32,
    },
    /// By explicit rates in backward RM cells.
    Erica(Erica),
}

/// ERICA; with a queue control that is not constant, ERICA+.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erica {
    /// A measurement interval ends after this many ABR cells ...
    pub interval_cells: u32,
    /// ... or after this time, ps, whichever comes first.
    pub interval_ps: u64,
    /// Overload up to which all get the highest recent allocation, parts in 1e9.
    pub delta_ppb: u32,
    /// The share of the ABR capacity that is the target.
    pub queue_control: QueueControl,
    /// How a VC's current rate is determined.
    pub ccr: Ccr,
    /// Which quantity is averaged for the load factor.
    pub load_average: LoadAverage,
    /// Weight of the newest interval in that average, parts in 1e9.
    pub load_weight_ppb: u32,
    /// The contribution of an idle VC to the active ones falls by this factor each interval, parts in 1e9; 0: at once
    /// to 0.
    pub vc_decay_ppb: u32,
    /// Whether a VC that was not active in the last interval lowers the fair share at once.
    pub immediate_fair_share: bool,
    /// Whether a VC counts as active if only its backward RM cells are seen.
    pub count_both_directions: bool,
    /// Whether a VC below the fair share gets no more than the fair share in one step.
    pub limit_jump: bool,
}

/// How a VC's current cell rate is determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ccr {
    /// By the field of its forward RM cells.
    Field,
    /// By counting its cells.
    Measured,
}

/// Which quantity of the load is averaged exponentially over intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoadAverage {
    /// Nothing.
    None,
    /// The load factor itself.
    Ratio,
    /// The input rate and the capacity, each by itself.
    Parts,
}

/// The share of the ABR capacity that is the target: constant or, in ERICA+, a function of the queueing delay
/// that is 1 at its target and never below the floor. Parts in 1e9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum QueueControl {
    /// The same share for any queue.
    Constant {
        /// The part.
        target_ppb: u32,
    },
    /// Two hyperbolas.
    Hyperbolic(Curves),
    /// A hyperbola below the target and an inverse one above.
    InverseHyperbolic(Curves),
    /// Two straight lines.
    Linear {
        /// The target, ps.
        target_delay_ps: u64,
        /// By how much it is higher for a delay shorter by one target.
        slope_under_ppb: u32,
        /// By how much it is lower for a delay longer by one target.
        slope_over_ppb: u32,
        /// The least part.
        floor_ppb: u32,
    },
    /// Steps.
    Step {
        /// The target, ps.
        target_delay_ps: u64,
        /// Factor of the delay from one step to the next.
        a_ppb: u32,
        /// The part below the target.
        b_ppb: u32,
        /// Height of a step.
        step_ppb: u32,
        /// The least part.
        floor_ppb: u32,
    },
}

/// Curves below and above a target delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curves {
    /// The target, ps.
    pub target_delay_ps: u64,
    /// Curve above it.
    pub a_ppb: u32,
    /// Curve below it, and its value without a queue.
    pub b_ppb: u32,
    /// The least part.
    pub floor_ppb: u32,
}

/// The service of a VC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case", deny_unknown_fields)]
pub enum Service {
    /// Available bit rate: sources and destinations after TM 4.0.
    Abr(Abr),
    /// Unspecified bit rate: a network card sends as fast as its line.
    Ubr {},
    /// Guaranteed frame rate: UBR with a contract, which the first switch enforces.
    Gfr(Gfr),
    /// Variable bit rate: served first, at the rate of the source.
    Vbr {},
}

/// A GFR contract, by its names in TM 4.1. Rates are of whole cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gfr {
    /// Peak cell rate, bit/s.
    pub pcr_bps: u64,
    /// Minimum cell rate, bit/s.
    pub mcr_bps: u64,
    /// Maximum burst size, cells.
    pub mbs_cells: u32,
    /// Maximum frame size, cells.
    pub mfs_cells: u32,
    /// Cell delay variation tolerance, ps.
    pub cdvt_ps: u64,
    /// Whether frames that are not eligible are tagged.
    pub tagging: bool,
}

/// Parameters of an ABR source, by their names in TM 4.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Abr {
    /// Peak cell rate, bit/s.
    pub pcr_bps: u64,
    /// Minimum cell rate, bit/s.
    pub mcr_bps: u64,
    /// Initial cell rate, bit/s; TBE may limit it to less.
    pub icr_bps: u64,
    /// Cells for each forward RM cell, including itself.
    pub nrm: u32,
    /// Cells that must have been sent before an early forward RM cell.
    pub mrm: u32,
    /// Time that must have passed before an early forward RM cell, ps.
    pub trm_ps: u64,
    /// 1 / RIF.
    pub rif_inverse: u32,
    /// 1 / RDF.
    pub rdf_inverse: u32,
    /// Time since the last forward RM cell after which ACR falls back to ICR, ps.
    pub adtf_ps: u64,
    /// Transient buffer exposure, cells.
    pub tbe_cells: u32,
    /// Forward RM cells without an answer before ACR falls; none: it does not.
    #[serde(deserialize_with = "Option::deserialize")]
    pub crm: Option<u32>,
    /// 1 / CDF; none: CDF is 0.
    #[serde(deserialize_with = "Option::deserialize")]
    pub cdf_inverse: Option<u32>,
    /// Rate of out-of-rate RM cells at most, cells/s.
    pub tcr_cells_s: u32,
    /// Fixed round-trip time, ps; none: that of the VC's path there and its opposite's back.
    #[serde(deserialize_with = "Option::deserialize")]
    pub frtt_ps: Option<u64>,
}

/// A source of cells without TCP. It has two VCs; the one back carries RM cells only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellSource {
    /// The host where it is.
    pub from: u32,
    /// The host to which it sends.
    pub to: u32,
    /// The service of its VCs: an index of `services`.
    pub service: usize,
    /// When it begins, ps.
    pub start_ps: u64,
    /// When it makes no more cells, ps; none: never.
    #[serde(deserialize_with = "Option::deserialize")]
    pub stop_ps: Option<u64>,
    /// When it makes cells.
    pub law: CellLaw,
}

/// The times at which a source makes cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum CellLaw {
    /// There is always one to send. Only for ABR.
    Greedy {},
    /// At a constant rate.
    Constant {
        /// The rate, bit/s.
        rate_bps: u64,
    },
    /// At a constant rate while it is on.
    OnOff {
        /// The rate while on, bit/s.
        rate_bps: u64,
        /// How long it is on.
        on: Times,
        /// How long it is off.
        off: Times,
    },
    /// Frames of video of random sizes, the cells of each spread evenly over its time.
    Video(Video),
}

/// Frames of video. The logarithms of their sizes are normal, with the same correlation from each to the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Video {
    /// From one frame to the next, ps.
    pub frame_ps: u64,
    /// The types of the frames, repeated for ever: letters I, P, B.
    pub gop: String,
    /// Mean sizes of frames of type I, P and B, bytes.
    pub mean_bytes: [u64; 3],
    /// Standard deviation of a size over its mean, parts per million.
    pub cv_ppm: u32,
    /// Correlation of a logarithm, less its mean, with that of the frame before, parts per million.
    pub correlation_ppm: u32,
}

/// Which new frames a port refuses: a row of `atm::FRAME_POLICIES` and its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FramePolicy {
    /// Name of the policy.
    pub name: String,
    /// Its parameters by name: exactly those of the row.
    #[serde(flatten)]
    pub parameters: BTreeMap<String, u32>,
}

/// Whether the EOM cell of a frame that overflow has cut is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Eom {
    /// Kept if the buffer has room, so that the receiver sees where the next frame begins.
    Keep,
    /// Discarded with the other cells: the receiver joins the remains to the next frame and loses both.
    Drop,
}
