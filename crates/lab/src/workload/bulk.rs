//! One transfer: ftp, a backup, a source that never ends.
//!
//! | parameter | unit |
//! |---|---|
//! | size | bytes; none: without end |
//! | opens at | time |

use super::{Step, View, Workload};
use sim::Time;

/// What a source without end writes at once: more than any run can carry.
const ENDLESS: u64 = 1 << 61;

/// Opens the connection, writes, and closes.
pub struct Source {
    bytes: Option<u64>,
    opens_at: Time,
    written: bool,
}

impl Source {
    /// A source of so many bytes.
    #[must_use]
    pub fn new(bytes: Option<u64>, opens_at: Time) -> Self {
        Self { bytes, opens_at, written: false }
    }
}

impl Workload for Source {
    fn opens_at(&self) -> Option<Time> {
        Some(self.opens_at)
    }

    fn next(&mut self, _: Time, _: View) -> Step {
        match (std::mem::replace(&mut self.written, true), self.bytes) {
            (false, bytes) => Step::Write(bytes.unwrap_or(ENDLESS)),
            (true, Some(_)) => Step::Close,
            (true, None) => Step::WaitUntil(Time::NEVER),
        }
    }
}

/// Takes all, and closes when the whole transfer has come.
pub struct Sink {
    bytes: Option<u64>,
}

impl Sink {
    /// A sink of so many bytes.
    #[must_use]
    pub fn new(bytes: Option<u64>) -> Self {
        Self { bytes }
    }
}

impl Workload for Sink {
    fn next(&mut self, _: Time, view: View) -> Step {
        if self.bytes == Some(view.delivered) { Step::Close } else { Step::WaitUntil(Time::NEVER) }
    }
}
