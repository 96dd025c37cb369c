//! Links as a plan describes them.

use super::atm::{Atm, Eom, FramePolicy};
use super::numbers::Numbers;
use super::variation::Variation;
use crate::error::Error;
use serde::{Deserialize, Serialize};
use sim::queue::{DefaultValue, Discipline, OFF, Unit, disciplines};
use std::collections::BTreeMap;

/// A link in one direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Link {
    /// A queue, a service and a wire for packets.
    Packets {
        /// Node where it begins.
        from: Numbers,
        /// Node where it ends.
        to: Numbers,
        /// What a route pays for it; at least 1.
        cost: u32,
        /// Rate, bit/s.
        rate_bps: u64,
        /// One-way propagation delay, ps.
        delay_ps: u64,
        /// A random extra delay, drawn in each run; none: nothing.
        #[serde(deserialize_with = "Option::deserialize")]
        delay_draw: Option<DelayDraw>,
        /// How it changes; a link without the key does not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        varies: Option<Varies>,
        /// Where packets wait.
        queue: Queue,
        /// The impairments of the wire, in order.
        impairments: Vec<Impairment>,
    },
    /// Access links, an ATM switch port, a trunk and access links again: every one of `hosts`
    /// nodes from `from_first` on sends over it to every one of as many from `to_first` on.
    Cells {
        /// First of the sending nodes.
        from_first: u32,
        /// First of the receiving nodes.
        to_first: u32,
        /// How many nodes there are on each side.
        hosts: u32,
        /// What a route pays for it; at least 1.
        cost: u32,
        /// The link between a node and its switch, the same for every node.
        access: CellLink,
        /// The link between the switches.
        trunk: CellLink,
        /// Output port of the sending nodes' switch onto the trunk.
        port: Port,
    },
    /// An ATM network. A plan that has one has no other link.
    Atm(Box<Atm>),
    /// The same links so many times in turn: the links of hosts that are alike.
    Group {
        /// How many times.
        count: u32,
        /// Links that carry packets. Their numbers of member `k` of the group are those of its `k`-th time.
        links: Vec<Self>,
    },
}

impl Link {
    /// Whether a packet may arrive twice.
    pub(crate) fn duplicates(&self) -> bool {
        let Self::Packets { impairments, .. } = self else { return false };
        impairments.iter().any(|each| matches!(each, Impairment::Duplicate { .. }))
    }
}

/// How a link changes. Random changes are drawn from the stream `path/<number>`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Varies {
    /// Links with the same number draw the same.
    pub number: u32,
    /// What changes.
    pub how: Variation,
}

/// A delay that is drawn in each run: uniform in `[0, spread_ps)`, from the stream `delay/<number>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DelayDraw {
    /// Links with the same number have the same draw, as a share of their spreads.
    pub number: Numbers,
    /// Width of the interval, ps.
    pub spread_ps: u64,
}

/// The queue of a link: a row of [`sim::queue::disciplines`], with its parameters. At least one limit
/// is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    /// Name of the discipline.
    pub name: String,
    /// Packets waiting at most.
    #[serde(deserialize_with = "Option::deserialize")]
    pub limit_packets: Option<u64>,
    /// Bytes waiting at most.
    #[serde(deserialize_with = "Option::deserialize")]
    pub limit_bytes: Option<u64>,
    /// The parameters by their keys in a plan: exactly those of the row.
    #[serde(flatten)]
    pub parameters: BTreeMap<String, Parameter>,
}

/// A parameter of a queue discipline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Parameter {
    /// It is off.
    Off,
    /// Yes or no.
    Flag(bool),
    /// A number, in the unit of its key.
    Number(u64),
    /// One of the words that it has.
    Word(String),
}

impl Queue {
    /// Drop-tail with a limit in packets.
    #[must_use]
    pub fn drop_tail(limit_packets: u64) -> Self {
        let (name, parameters) = ("drop_tail".into(), BTreeMap::new());
        Self { name, limit_packets: Some(limit_packets), limit_bytes: None, parameters }
    }

    /// The row of its discipline, and the values of its parameters in the row's order.
    ///
    /// # Errors
    /// If there is no such discipline, or its parameters are not exactly those of the row.
    pub fn discipline<P: Send + 'static>(&self) -> Result<(Discipline<P>, Vec<u64>), Error> {
        let row = disciplines().into_iter().find(|row| row.name == self.name);
        let row = row.ok_or_else(|| Error::Queue(self.name.clone()))?;
        let value = |its: &sim::queue::Parameter| match (self.parameters.get(&its.key())?, its.unit) {
            (Parameter::Off, _) => (its.default == DefaultValue::Off).then_some(OFF),
            (&Parameter::Flag(is_on), Unit::Flag) => Some(u64::from(is_on)),
            (Parameter::Word(word), Unit::Word(words)) => {
                words.iter().position(|each| each == word).map(|place| place as u64)
            }
            (_, Unit::Flag | Unit::Word(_)) | (Parameter::Flag(_) | Parameter::Word(_), _) => None,
            (&Parameter::Number(number), _) => Some(number),
        };
        let values: Option<Vec<u64>> = row.parameters.iter().map(value).collect();
        match values {
            Some(values) if values.len() == self.parameters.len() => Ok((row, values)),
            _ => Err(Error::QueueParameters(row.name, parameter_keys(row.parameters))),
        }
    }
}

/// The keys of parameters in a plan, and which of them are flags.
fn parameter_keys(parameters: &[sim::queue::Parameter]) -> String {
    let key = |parameter: &sim::queue::Parameter| match parameter.unit {
        Unit::Flag => format!("{} (true or false)", parameter.key()),
        Unit::Word(words) => format!("{} ({})", parameter.key(), words.join(", ")),
        _ => parameter.key(),
    };
    let keys: Vec<String> = parameters.iter().map(key).collect();
    if keys.is_empty() { "none".into() } else { keys.join(", ") }
}

/// An impairment of a wire. Probabilities are in parts per 1e9.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Impairment {
    /// Loses each packet with the same probability.
    Bernoulli {
        /// Probability of loss.
        loss_ppb: u32,
        /// Which packets.
        of: Which,
    },
    /// A wire with a good and a bad state, which changes after each packet with these probabilities.
    GilbertElliott {
        /// From good to bad.
        good_to_bad_ppb: u32,
        /// From bad to good.
        bad_to_good_ppb: u32,
        /// Probability of loss when good.
        loss_good_ppb: u32,
        /// Probability of loss when bad.
        loss_bad_ppb: u32,
        /// Which packets.
        of: Which,
    },
    /// Loss events of a fixed number of consecutive packets (003 section IV-B).
    LossEvents {
        /// Probability that a packet outside of events begins one.
        rate_ppb: u32,
        /// Packets lost in each event.
        losses: u32,
        /// Which packets.
        of: Which,
    },
    /// The loss model of 003 section II-B: a packet outside of events may begin one and is lost, and
    /// others are lost while it lasts.
    TwoParameter {
        /// Probability that a packet outside of events begins one.
        event_ppb: u32,
        /// Probability of loss of the further packets of an event.
        loss_ppb: u32,
        /// How long an event lasts, ps.
        span_ps: u64,
        /// Which packets.
        of: Which,
    },
    /// Loses segments with data by number.
    Scripted {
        /// Numbers of the segments to lose; the first on this link is 1.
        lost: Vec<u64>,
    },
    /// Delays each packet by its own random time.
    Jitter {
        /// The delay is uniform in `[0, spread_ps)`, ps.
        spread_ps: u64,
    },
    /// Duplicates packets.
    Duplicate {
        /// Probability.
        ppb: u32,
    },
    /// Marks ECN-capable packets as having met congestion, and loses others.
    Mark {
        /// Probability.
        ppb: u32,
    },
}

/// The packets to which an impairment applies; the others pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// All.
    All,
    /// Segments with data, and datagrams.
    Data,
    /// Of these, those with new data: retransmissions pass.
    NewData,
    /// Segments without data.
    Acks,
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
    /// Decides which new frames are refused.
    pub policy: FramePolicy,
    /// Whether the last cell (EOM) of a frame that overflow has cut is kept.
    pub eom: Eom,
}
