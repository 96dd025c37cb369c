//! A row of the table of queue disciplines. The core reads plans and makes queues from it; Python writes
//! the reference of scenarios from it.

use super::{Admission, DropTail, QueueDiscipline};
use crate::packet::{HostId, NodeId, Packet};
use base::{Ecn, Rate};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// A queue discipline. `P` is the content of packets.
pub struct Discipline<P> {
    /// Its name in plans and scenarios.
    pub name: &'static str,
    /// Its name in texts, before the word "queue".
    pub title: &'static str,
    /// Which packets it drops or marks, and the source of the algorithm; one line.
    pub summary: &'static str,
    /// Its parameters beside the limits, in the order in which `check` and `make` get the values.
    pub parameters: &'static [Parameter],
    /// Packets that may wait if a scenario sets no limit; none: a bandwidth-delay product.
    pub limit: Option<u64>,
    /// Whether it draws random numbers.
    pub is_random: bool,
    /// Returns a message if values of the parameters are wrong.
    pub check: fn(&[u64]) -> Option<&'static str>,
    /// Makes a discipline.
    pub make: Make<P>,
}

/// Makes a discipline from the values of its parameters and its setting.
pub type Constructor<P, Made> = fn(&[u64], &Setting<P>) -> Box<Made>;

/// How a discipline is made.
pub enum Make<P> {
    /// It has only the limits.
    Limits,
    /// It decides when a packet arrives.
    AtArrival(Constructor<P, dyn Admission<P>>),
    /// It also decides when a packet leaves.
    Queue(Constructor<P, dyn QueueDiscipline<P>>),
}

/// The link and the queue of a discipline.
pub struct Setting<P> {
    /// Rate of the link.
    pub rate: Rate,
    /// Limits of the queue.
    pub limits: DropTail,
    /// The ECN field of a packet.
    pub ecn: fn(&P) -> Ecn,
    /// Marks a packet as having met congestion; false if it cannot be marked.
    pub mark: fn(&mut P) -> bool,
    /// The queue's own stream of random numbers.
    pub rng: ChaCha8Rng,
    /// The ends of flows, by the number of their host.
    pub ends: Ends,
}

/// The ends of flows, by the number of their host; that of a host beyond the list is [`FlowEnd::default`].
#[derive(Clone, Debug, Default)]
pub struct Ends(Arc<[FlowEnd]>);

/// What queues know of an end of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowEnd {
    /// The computer at which it is; several flows may end there.
    pub node: NodeId,
    /// The DSCP of the packets that it sends (RFC 2474), 0 to 63.
    pub dscp: u8,
}

/// A parameter of a discipline.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Key in a scenario. In a plan the unit follows it: see [`Parameter::key`].
    pub name: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// Its value if a scenario does not set it.
    pub default: DefaultValue,
    /// What it is, in one line.
    pub meaning: &'static str,
}

/// The value of a parameter that a scenario does not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// This, in the unit of a plan; a flag is 0 or 1.
    Is(u64),
    /// It depends on the link, by rules of the scenario's compiler.
    Auto,
    /// The parameter is off: `null` in a plan, [`OFF`] as a value.
    Off,
}

/// The value of a parameter that is off.
pub const OFF: u64 = u64::MAX;

/// The unit of a parameter. Fractions are whole multiples of a small unit, so that equal plans are equal
/// byte for byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Yes or no: 1 or 0, a boolean in a plan.
    Flag,
    /// A share above 0 and at most 1, parts in 1e9.
    Share,
    /// An average number of packets, millionths.
    AveragePackets,
    /// A size, bytes.
    Size,
    /// A time, ps.
    Time,
    /// A whole number above 0.
    Count,
    /// How often a second, millionths.
    Frequency,
    /// A rate, bit/s.
    Rate,
    /// One of these words; the value is its place among them.
    Word(&'static [&'static str]),
}

impl Unit {
    /// Its name, for code that reads and writes its values.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Share => "share",
            Self::AveragePackets => "average_packets",
            Self::Size => "size",
            Self::Time => "time",
            Self::Count => "count",
            Self::Frequency => "frequency",
            Self::Rate => "rate",
            Self::Word(_) => "word",
        }
    }

    /// The words that it has; none unless it is of words.
    #[must_use]
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Word(words) => words,
            _ => &[],
        }
    }

    const fn suffix(self) -> &'static str {
        match self {
            Self::Flag | Self::Count | Self::Word(_) => "",
            Self::Share => "_ppb",
            Self::AveragePackets => "_ppm",
            Self::Size => "_bytes",
            Self::Time => "_ps",
            Self::Frequency => "_uhz",
            Self::Rate => "_bps",
        }
    }
}

impl Parameter {
    /// The setting for ECN that [`Setting::mark_if`] takes.
    pub(super) const fn ecn(is_on: bool) -> Self {
        Self {
            name: "ecn",
            unit: Unit::Flag,
            default: DefaultValue::Is(is_on as u64),
            meaning: "Marks packets with ECN instead of dropping them; a full queue still drops.",
        }
    }

    /// Its key in a plan.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{}{}", self.name, self.unit.suffix())
    }
}

impl Default for FlowEnd {
    fn default() -> Self {
        Self { node: NodeId(0), dscp: 0 }
    }
}

impl Ends {
    /// From the first host on.
    #[must_use]
    pub fn new(ends: impl IntoIterator<Item = FlowEnd>) -> Self {
        Self(ends.into_iter().collect())
    }

    fn of(&self, host: HostId) -> FlowEnd {
        self.0.get(host.0 as usize).copied().unwrap_or_default()
    }

    /// The DSCP of a packet.
    #[must_use]
    pub fn dscp<P>(&self, packet: &Packet<P>) -> u8 {
        self.of(packet.from).dscp
    }

    /// The computers between which a packet goes.
    #[must_use]
    pub fn nodes<P>(&self, packet: &Packet<P>) -> (NodeId, NodeId) {
        (self.of(packet.from).node, self.of(packet.to).node)
    }
}

impl<P> Setting<P> {
    /// The mark function of a discipline that has a setting for ECN.
    #[must_use]
    pub fn mark_if(&self, ecn: bool) -> fn(&mut P) -> bool {
        if ecn { self.mark } else { |_| false }
    }
}
