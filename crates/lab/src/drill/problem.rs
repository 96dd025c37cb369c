//! Problems in a script, with their places.

use serde::Serialize;
use std::fmt;

/// A place in a script. All places compare equal, so that two trees are equal if they have the same
/// content.
#[derive(Clone, Copy, Debug, Default, Eq, Serialize)]
pub struct Position {
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
}

impl PartialEq for Position {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Position {
    /// The place as a key to sort by.
    #[must_use]
    pub const fn order(self) -> (u32, u32) {
        (self.line, self.column)
    }
}

/// A part of a script that cannot be read, or is not supported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Its place.
    #[serde(flatten)]
    pub at: Position,
    /// What is wrong, and what is correct.
    pub message: String,
}

impl Problem {
    /// A problem at a place.
    pub fn new(at: Position, message: impl Into<String>) -> Self {
        Self { at, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.at.line, self.at.column, self.message)
    }
}
