//! The report of a script's run.

use super::problem::Position;
use base::Time;
use serde::Serialize;
use std::collections::BTreeMap;

/// The report of a script's run. Times are microseconds since its start.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// The first difference from the script; none if there is none.
    pub failure: Option<Failure>,
    /// Events of the script that happened.
    pub events: usize,
    /// When the last of them happened.
    pub us: u64,
    /// The whole exchange.
    pub trace: Vec<Line>,
    /// Segments that the endpoint sent after the last one that the script expects.
    pub left: Vec<Line>,
    /// Code blocks with the values that they can read.
    pub blocks: Vec<Block>,
    /// What shell lines changed.
    pub applied: Vec<Note>,
    /// Parts of the script without effect.
    pub not_applied: Vec<Note>,
}

/// A difference from the script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The line of the script.
    #[serde(flatten)]
    pub at: Position,
    /// Number of the event, from 0.
    pub event: usize,
    /// When it was noticed.
    pub us: u64,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What the script says.
    pub expected: String,
    /// The segments that came instead, with their times.
    pub came: Option<Line>,
}

/// A line of the exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// When.
    pub us: u64,
    /// `<`, `>`, `call`, `timer`, `window` or `shell`.
    pub kind: &'static str,
    /// What.
    pub text: String,
}

impl Line {
    pub(super) fn new(at: Time, kind: &'static str, text: impl Into<String>) -> Self {
        Self { us: microseconds(at), kind, text: text.into() }
    }
}

/// A code block and the values that it can read, as they were at its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block {
    /// Its place.
    #[serde(flatten)]
    pub at: Position,
    /// Number of the event, from 0.
    pub event: usize,
    /// When it came.
    pub us: u64,
    /// Its text.
    pub code: String,
    /// `tcpi_...` by name: segments, bytes, microseconds, or Linux's numbers of states.
    pub values: BTreeMap<&'static str, i64>,
}

/// A part of a script, and its effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Where it is said.
    #[serde(flatten)]
    pub at: Position,
    /// What is said.
    pub text: String,
    /// What became of it.
    pub reason: String,
}

/// Rounded.
pub(super) fn microseconds(time: Time) -> u64 {
    (time.as_ps() + 500_000) / 1_000_000
}
