//! The plan: the whole input of a run, in integers and SI units, as Python passes it.
//!
//! The columns of a run are a function of plan and seed, so a plan has no defaults: its compiler
//! (`ackclock.scenario`) has decided every number. Unknown keys are errors. Times
//! are picoseconds, sizes bytes or cells; a rational threshold is in parts per million, a
//! probability in parts per 1e9, so that equal plans are equal byte for byte.
//! See `docs/adr/0005-plan-schema.md` and `docs/adr/0006-networks-as-graphs.md`.

use serde::{Deserialize, Serialize};

mod atm;
mod check;
mod groups;
mod network;
mod numbers;
mod tcp;
mod variation;
mod workload;

pub use atm::{
    Abr, Atm, AtmLine, AtmPort, Ccr, CellLaw, CellSource, Curves, Eom, Erica, Excess, FramePolicy, Gfr,
    LoadAverage, QueueControl, RateControl, Service, UbrQueueing, Video,
};
pub use check::probes::MOST_ROWS;
pub(crate) use check::probes::{queues_of, rows_in_bins};
pub use groups::{Flow, LinksByNumber, PlacedLink};
pub use network::{CellLink, DelayDraw, Impairment, Link, Parameter, Port, Queue, Varies, Which};
pub use numbers::{InTurn, Numbers};
pub use tcp::{
    AckTimer, Code, CubicArithmetic, CwndRounding, Deflation, EcnFeedback, Flavor, Floor, Growth,
    HistoricTcp, Pacing, PartialAckTimer, SackLossDetection, SlowStart, SsthreshFrom, SsthreshRounding, Tcp,
    TcpOptions, Timers, TlpTimer, Undo, WindowProbe,
};
pub(crate) use variation::LTE_RETRANSMISSION_PS;
pub use variation::{Lte, Starlink, Variation, VariationStep, Wifi};
pub use workload::{
    Adaptation, Arrivals, IndexLaw, Interpolation, PeriodFrom, Sizes, Stage, Times, Workload,
};

/// One run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of this schema; [`SCHEMA`] is the one that this code reads.
    pub schema: u32,
    /// Simulated time, ps.
    pub duration_ps: u64,
    /// The first part of it, which the totals exclude, ps.
    pub warm_up_ps: u64,
    /// Number of nodes.
    pub nodes: u32,
    /// Links between them, each in one direction, and groups of links.
    pub links: Vec<Link>,
    /// How the coarse TCP timers tick at each node.
    pub clock: Clock,
    /// The TCPs that flows use.
    pub tcps: Vec<Tcp>,
    /// What flows carry.
    pub workloads: Vec<Workload>,
    /// Groups of flows; none if cell sources make all the traffic.
    pub flows: Vec<FlowGroup>,
    /// What to record in addition to the totals.
    pub probes: Probes,
    /// Links, or lines of an ATM network with a switch port, on which waiting times are measured; a plan that does not
    /// have the key has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queue_delays_of: Vec<u32>,
    /// Flows whose RTTs are kept, and whose packets' waiting times on those links are measured by themselves; a plan
    /// that does not have the key has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub delays_of_flows: Vec<u32>,
}

/// The schema version that this code reads.
pub const SCHEMA: u32 = 13;

/// Flows that differ only in their nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlowGroup {
    /// How many flows; a group without the key is one flow.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u32,
    /// The nodes from which the bulk of the data comes.
    pub sender: Numbers,
    /// The nodes to which it goes.
    pub receiver: Numbers,
    /// Which TCP the senders have: an index of `tcps`.
    pub sender_tcp: usize,
    /// Which TCP the receivers have.
    pub receiver_tcp: usize,
    /// What the applications do: an index of `workloads`.
    pub workload: usize,
    /// Whether losses and loss events are counted.
    pub foreground: bool,
    /// DSCP of the packets of both ends (RFC 2474); a group without the key has 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dscp: u8,
}

fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_one(number: &u32) -> bool {
    *number == 1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// How the coarse timers tick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Granularity of the TCP timers, ps.
    pub tick_ps: u64,
    /// The phase of a node's ticks.
    pub phase: Phase,
}

/// The phase of a node's ticks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Phase {
    /// A phase for each node, uniform in `[0, spread_ps)`; 0 is one common clock.
    Uniform {
        /// Width of the interval, ps.
        spread_ps: u64,
    },
    /// A connection's ticks count from the time when it was opened (at the end that waits: when
    /// the SYN arrived).
    Open {},
}

/// What to record beside the totals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probes {
    /// Width of the bins in which queue lengths are recorded, ps; none: not recorded.
    #[serde(deserialize_with = "Option::deserialize")]
    pub queue_bin_ps: Option<u64>,
    /// Width of the bins in which each flow's goodput is recorded, ps; none: not recorded.
    #[serde(deserialize_with = "Option::deserialize")]
    pub goodput_bin_ps: Option<u64>,
    /// Flows whose senders' cwnd is recorded at every change.
    pub cwnd_of: Vec<u32>,
    /// Width of the bins in which the ACR of ABR VCs is recorded, ps; none: not recorded.
    #[serde(deserialize_with = "Option::deserialize")]
    pub acr_bin_ps: Option<u64>,
    /// Width of the bins in which each sender's pacing rate, delivery rate, smallest RTT, data in flight and state are
    /// recorded, ps; none: not recorded.
    #[serde(deserialize_with = "Option::deserialize")]
    pub transport_bin_ps: Option<u64>,
    /// Whether the distributions of RTTs and waiting times are recorded, where they are measured; probes that do not have
    /// the key do not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub delays: bool,
    /// Links, or lines of an ATM network, whose queues are recorded; without the key all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_of: Option<Vec<u32>>,
    /// Flows whose senders' segments, and the ACKs that they get, are recorded one by one; without the key none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments_of: Vec<u32>,
    /// Flows whose senders' RTTs are recorded one by one; without the key none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rtt_of: Vec<u32>,
    /// Flows whose senders' states are recorded at every change; without the key none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states_of: Vec<u32>,
    /// Links whose packets are recorded one by one; without the key none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packets_of: Vec<u32>,
    /// From when on what has a row an event is recorded, ps: cwnd, segments, RTTs, states, packets.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub from_ps: u64,
    /// Until when, ps, that time excluded; without the key to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ps: Option<u64>,
}
