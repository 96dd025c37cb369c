//! Links that change in the course of a run.

use serde::{Deserialize, Serialize};

/// How much later an interval of a mobile network arrives that is sent again.
pub(crate) const LTE_RETRANSMISSION_PS: u64 = 8_000_000_000;

/// How the rate, the delay or the loss of a link changes. The rate and the delay of the link are what a model varies, and
/// what a scenario's compiler reckons with; steps have their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Variation {
    /// Given steps.
    Steps {
        /// In the order of time; the first at 0.
        steps: Vec<VariationStep>,
        /// After it the steps begin anew, ps; none: the last one holds.
        #[serde(deserialize_with = "Option::deserialize")]
        period_ps: Option<u64>,
    },
    /// Opportunities to deliver so many bytes at once; the delay is that of the link.
    Opportunities {
        /// When, ps, and how many at that time; in order.
        times: Vec<(u64, u32)>,
        /// After it they begin anew, ps; no earlier than the last one.
        period_ps: u64,
        /// Bytes of each.
        bytes: u32,
    },
    /// A low-orbit satellite.
    Starlink(Starlink),
    /// A cell of a mobile network.
    Lte(Lte),
    /// A shared radio channel.
    Wifi(Wifi),
}

impl Variation {
    /// The longest one-way propagation delay, of a link whose own is `delay_ps`, ps.
    pub(crate) fn longest_delay(&self, delay_ps: u64) -> u64 {
        match self {
            Self::Steps { steps, .. } => steps.iter().map(|step| step.delay_ps).max().unwrap_or(delay_ps),
            Self::Starlink(its) => delay_ps + its.delay_spread_ps + its.jitter_ps,
            Self::Lte(_) => delay_ps + LTE_RETRANSMISSION_PS,
            Self::Opportunities { .. } | Self::Wifi(_) => delay_ps,
        }
    }
}

/// What holds from a time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariationStep {
    /// From when on, ps.
    pub at_ps: u64,
    /// Rate, bit/s; 0: nothing is sent.
    pub rate_bps: u64,
    /// One-way propagation delay, ps.
    pub delay_ps: u64,
    /// Probability that a packet is lost, parts per 1e9.
    pub loss_ppb: u32,
}

/// A satellite every 15 s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Starlink {
    /// When the first one changes, ps.
    pub phase_ps: u64,
    /// A slot's delay is up to this longer than that of the link, ps.
    pub delay_spread_ps: u64,
    /// Within a slot it is up to this longer, ps.
    pub jitter_ps: u64,
    /// How often that changes, ps.
    pub jitter_every_ps: u64,
    /// Standard deviation of the slots' rates by their mean, parts per million.
    pub rate_cv_ppm: u32,
    /// The shortest and the longest outage at the end of a slot, ps.
    pub outage_ps: (u64, u64),
    /// Probability that a packet is lost, parts per 1e9.
    pub loss_ppb: u32,
}

/// A cell that serves its users by proportional fairness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lte {
    /// Users of the cell, this one included.
    pub users: u32,
    /// Coherence time of the fading, ps.
    pub coherence_ps: u64,
    /// Mean ratio of signal and noise, parts per million.
    pub snr_ppm: u32,
    /// Standard deviation of the shadowing by its mean, parts per million.
    pub shadowing_cv_ppm: u32,
    /// Time constant of the shadowing, ps.
    pub shadowing_time_ps: u64,
    /// Time constant of the averages of proportional fairness, ps.
    pub averaging_ps: u64,
    /// Share of intervals that are sent again, parts per 1e9.
    pub retransmissions_ppb: u32,
}

/// A station on a shared channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wifi {
    /// Mean wait for the channel, ps.
    pub contention_ps: u64,
    /// How long a transmission may last, ps.
    pub txop_ps: u64,
}
