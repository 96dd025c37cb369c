//! One transfer: a backup, a source that never ends.
//!
//! | parameter | unit |
//! |---|---|
//! | size | bytes; none: without end |
//! | starts at | time |

use super::{Step, View, Workload};
use base::Time;

/// The bytes that a source without end writes at once: more than any run can carry.
const ENDLESS: u64 = 1 << 61;

/// Opens the connection, writes, and closes.
pub struct Source {
    bytes: Option<u64>,
    starts_at: Time,
}

impl Source {
    /// A source of `bytes` bytes.
    #[must_use]
    pub fn new(bytes: Option<u64>, starts_at: Time) -> Self {
        Self { bytes, starts_at }
    }
}

impl Workload for Source {
    fn starts_at(&self) -> Option<Time> {
        Some(self.starts_at)
    }

    fn next(&mut self, _: Time, view: View) -> Step {
        if view.opened.is_none() {
            Step::Open(0)
        } else if view.written == 0 {
            Step::Write(0, self.bytes.unwrap_or(ENDLESS))
        } else if self.bytes.is_some() && !view.closed {
            Step::Close(0)
        } else {
            Step::WaitUntil(Time::NEVER)
        }
    }
}

/// Receives, and closes when the whole transfer has arrived.
pub struct Sink {
    bytes: Option<u64>,
}

impl Sink {
    /// A sink that expects `bytes` bytes.
    #[must_use]
    pub fn new(bytes: Option<u64>) -> Self {
        Self { bytes }
    }
}

impl Workload for Sink {
    fn ignores_events(&self) -> bool {
        self.bytes.is_none()
    }

    fn next(&mut self, _: Time, view: View) -> Step {
        if self.bytes == Some(view.delivered) && !view.closed {
            Step::Close(0)
        } else {
            Step::WaitUntil(Time::NEVER)
        }
    }
}
