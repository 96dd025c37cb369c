//! Applications, one file per model.

use base::Time;

pub mod arrivals;
pub mod bulk;
pub mod cells;
pub mod datagrams;
pub mod laws;
pub mod pages;
pub mod rpc;
pub mod sizes;
pub mod video;
pub mod www;

/// The state of a connection, as its application sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Its number.
    pub connection: u32,
    /// When this end opened it; none: it has not.
    pub opened: Option<Time>,
    /// When the handshake was complete at this end.
    pub established: Option<Time>,
    /// Bytes that this end has written.
    pub written: u64,
    /// Bytes received in order so far.
    pub delivered: u64,
    /// Whether this end has closed its direction.
    pub closed: bool,
    /// Whether nothing more will arrive: all of the peer's data and its FIN have arrived, or a reset.
    pub ended: bool,
}

/// The next action of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Opens the connection with this number, which it has not opened before.
    Open(u32),
    /// Writes this many bytes on a connection.
    Write(u32, u64),
    /// Closes its direction of a connection.
    Close(u32),
    /// Waits until this time, or until data or a FIN arrive on a connection.
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

/// A request of a client of [`www`], [`rpc`] or [`video`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// Batch of the request, call or chunk, from 0.
    pub batch: u64,
    /// Its number in the batch, from 0; of a chunk of video, its rung.
    pub request: u32,
    /// Size of the file, bytes.
    pub bytes: u64,
    /// When the client made the request.
    pub requested: Time,
    /// When the last byte of the file had come; none: it has not.
    pub completed: Option<Time>,
    /// Whether results need it even if the request was made in the warm-up: what a player of video holds then depends on
    /// all its chunks.
    pub counts_from_start: bool,
}

impl Response {
    /// Whether results of what begins at `from` need it.
    #[must_use]
    pub fn counts(&self, from: Time) -> bool {
        self.counts_from_start || self.requested >= from
    }
}

/// An application. Its host polls it until it waits: first at its start, then at the time for which it waits, and when
/// data arrive on a connection or the peer's direction ends.
pub trait Workload: Send {
    /// When it starts; none: it listens for connections of its peer.
    fn starts_at(&self) -> Option<Time> {
        None
    }
    /// Returns its next action. `view` shows the connection on which something arrived, or else the newest.
    fn next(&mut self, now: Time, view: View) -> Step;
    /// Whether it answers so fast that its answer carries the ACK of the request.
    fn piggybacks_acks(&self) -> bool {
        false
    }
    /// Whether it never reacts to arrivals on a connection, so that its host need not poll it then.
    fn ignores_events(&self) -> bool {
        false
    }
    /// The connections of the pages that are complete.
    fn transfers(&self) -> &[Transfer] {
        &[]
    }
    /// The requests that it has made in batches, in that order.
    fn responses(&self) -> &[Response] {
        &[]
    }
}
