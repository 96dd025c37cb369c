//! What applications do. One file per model.

use base::Time;

pub mod bulk;
pub mod cells;
pub mod datagrams;
pub mod laws;
pub mod pages;
pub mod sizes;
pub mod www;

/// What an application sees of one of its connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Its number.
    pub connection: u32,
    /// When this end opened it; none: it has not.
    pub opened: Option<Time>,
    /// When both ends had agreed to it.
    pub established: Option<Time>,
    /// Bytes that this end has written.
    pub written: u64,
    /// Bytes received in order so far.
    pub delivered: u64,
    /// Whether this end has closed its direction.
    pub closed: bool,
    /// Whether nothing more will come: all of the peer's data has, and its FIN; or a reset.
    pub ended: bool,
}

/// What an application does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It opens the connection of this number, which it has not opened before.
    Open(u32),
    /// It writes so many bytes on a connection.
    Write(u32, u64),
    /// It closes its direction of a connection.
    Close(u32),
    /// It waits, until this time or until something happens on a connection.
    WaitUntil(Time),
}

/// One connection that a client has finished with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Page that it belongs to, from 0.
    pub page: u64,
    /// When the page began.
    pub page_opened: Time,
    /// Stage of the page, from 0.
    pub stage: u32,
    /// Number of the connection.
    pub connection: u32,
    /// What came, bytes.
    pub bytes: u64,
    /// When the SYN was sent.
    pub opened: Time,
    /// When the request was sent.
    pub established: Time,
    /// When the last byte had come, and the FIN.
    pub completed: Time,
}

/// What a client of [`www`] has asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// Batch of the request, from 0.
    pub batch: u64,
    /// Its number in the batch, from 0.
    pub request: u32,
    /// Size of the file, bytes.
    pub bytes: u64,
    /// When the client made the request.
    pub requested: Time,
    /// When the last byte of the file had come; none: it has not.
    pub completed: Option<Time>,
}

/// An application. It is polled until it waits: first at its start, then at the time for which it waits, and when
/// something happens on a connection: data arrive, or the peer's direction ends.
pub trait Workload: Send {
    /// When it starts; none: it waits for its peer to open connections.
    fn starts_at(&self) -> Option<Time> {
        None
    }
    /// What it does now. `view` is of the connection on which something has happened, and else of the newest.
    fn next(&mut self, now: Time, view: View) -> Step;
    /// Whether it answers so fast that its answer carries the ACK of what it answers.
    fn piggybacks_acks(&self) -> bool {
        false
    }
    /// Whether it never reacts to what happens on a connection, and so need not be polled then.
    fn ignores_events(&self) -> bool {
        false
    }
    /// The connections of the pages that are complete.
    fn transfers(&self) -> &[Transfer] {
        &[]
    }
    /// What it has asked for in batches, in the order in which it did.
    fn responses(&self) -> &[Response] {
        &[]
    }
}
