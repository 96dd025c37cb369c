//! Where something stands in a script, and what is wrong there.

use serde::Serialize;
use std::fmt;

/// A place in a script. All places compare equal: where something stands does not change what it
/// says, so that two trees are equal if they say the same.
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

/// Something in a script that cannot be read, or that has no meaning here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Where it stands.
    #[serde(flatten)]
    pub at: Position,
    /// What is wrong, and what would be right.
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
