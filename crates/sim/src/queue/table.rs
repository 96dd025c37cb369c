//! A row of the table of queue disciplines. The core reads plans and makes queues from it; Python writes
//! the reference of scenarios from it.

use super::{Admission, DropTail, QueueDiscipline};
use base::Rate;
use rand_chacha::ChaCha8Rng;

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
    /// Marks a packet as having met congestion; false if it cannot be marked.
    pub mark: fn(&mut P) -> bool,
    /// The queue's own stream of random numbers.
    pub rng: ChaCha8Rng,
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
}

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
        }
    }

    const fn suffix(self) -> &'static str {
        match self {
            Self::Flag => "",
            Self::Share => "_ppb",
            Self::AveragePackets => "_ppm",
            Self::Size => "_bytes",
            Self::Time => "_ps",
        }
    }
}

impl Parameter {
    /// Its key in a plan.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{}{}", self.name, self.unit.suffix())
    }
}

impl<P> Setting<P> {
    /// The mark function of a discipline that has a setting for ECN.
    #[must_use]
    pub fn mark_if(&self, ecn: bool) -> fn(&mut P) -> bool {
        if ecn { self.mark } else { |_| false }
    }
}
