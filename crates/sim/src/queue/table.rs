//! What a row of the table of queue disciplines says: from it a plan is read, a queue made, and the
//! reference of scenarios written.

use super::{Admission, DropTail, QueueDiscipline};
use base::Rate;
use rand_chacha::ChaCha8Rng;

/// A queue discipline. `P` is what the hosts say to each other.
pub struct Discipline<P> {
    /// By which plans and scenarios ask for it.
    pub name: &'static str,
    /// How prose calls it, before the word "queue".
    pub title: &'static str,
    /// Which packets it drops or marks, and whose algorithm it is; one line.
    pub summary: &'static str,
    /// What it has beside the limits, in the order in which `check` and `make` get the values.
    pub parameters: &'static [Parameter],
    /// Whether it draws random numbers.
    pub is_random: bool,
    /// What is wrong with values of the parameters, if anything is.
    pub check: fn(&[u64]) -> Option<&'static str>,
    /// Makes one.
    pub make: Make<P>,
}

/// Makes one from the values of its parameters, for a place.
pub type Constructor<P, Made> = fn(&[u64], &Setting<P>) -> Box<Made>;

/// How a discipline is made.
pub enum Make<P> {
    /// It is nothing but the limits.
    Limits,
    /// It decides when a packet arrives.
    AtArrival(Constructor<P, dyn Admission<P>>),
    /// It decides when a packet leaves, too.
    Queue(Constructor<P, dyn QueueDiscipline<P>>),
}

/// Where a discipline is used.
pub struct Setting<P> {
    /// Of the link.
    pub rate: Rate,
    /// How much may wait.
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
    /// What it is counted in.
    pub unit: Unit,
    /// What holds if a scenario does not say.
    pub default: DefaultValue,
    /// What it is, in one line.
    pub meaning: &'static str,
}

/// What a parameter holds if a scenario does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// This, in the unit of a plan; a flag is 0 or 1.
    Is(u64),
    /// It follows the link, by rules of the scenario's compiler.
    Auto,
}

/// What a parameter is counted in. Real numbers are whole multiples of a small unit, so that equal plans
/// are equal byte for byte.
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
    /// Its name, for whoever reads and writes values of it.
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
    /// How packets are marked by a discipline that has a setting for ECN.
    #[must_use]
    pub fn mark_if(&self, ecn: bool) -> fn(&mut P) -> bool {
        if ecn { self.mark } else { |_| false }
    }
}
