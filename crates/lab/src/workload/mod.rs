//! What applications do. One file per model.

use sim::Time;

pub mod bulk;
pub mod www;

/// What an application sees of its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Bytes received in order so far.
    pub delivered: u64,
}

/// What an application does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It writes so many bytes, and is asked again.
    Write(u64),
    /// It waits, until this time or until more has been received.
    WaitUntil(Time),
    /// It closes its direction, and is not asked again.
    Close,
}

/// An application: it is asked what to do at the start, when the time has come for which it
/// waits, and when data has been received.
pub trait Workload: Send {
    /// When it opens the connection; none: it waits for its peer to do so.
    fn opens_at(&self) -> Option<Time> {
        None
    }
    /// What it does now.
    fn next(&mut self, now: Time, view: View) -> Step;
}
