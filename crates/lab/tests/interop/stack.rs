//! A TCP: ours or smoltcp's, behind the calls that a host and an application need.

use crate::smoltcp_stack::Smoltcp;
use base::Time;
use tcp::{Connection, Segment, State};

/// One end of a connection.
pub(crate) enum Stack {
    /// With the bytes that were written.
    Ours(Box<Connection>, u64),
    Smoltcp(Box<Smoltcp>),
}

impl Stack {
    pub(crate) fn ours(connection: Connection) -> Self {
        Self::Ours(Box::new(connection), 0)
    }

    /// Sets that its application reads by itself, rather than at once.
    pub(crate) fn read_slowly(&mut self) {
        if let Self::Ours(connection, _) = self {
            connection.set_auto_read(false);
        }
    }

    pub(crate) fn listen(&mut self) {
        match self {
            Self::Ours(connection, _) => connection.listen(),
            Self::Smoltcp(stack) => stack.listen(),
        }
    }

    pub(crate) fn connect(&mut self, now: Time) {
        match self {
            Self::Ours(connection, _) => connection.connect(),
            Self::Smoltcp(stack) => stack.connect(now),
        }
    }

    pub(crate) fn on_segment(&mut self, now: Time, segment: &Segment) {
        match self {
            Self::Ours(connection, _) => connection.on_segment(now, segment),
            Self::Smoltcp(stack) => stack.on_segment(now, segment),
        }
    }

    pub(crate) fn on_timer(&mut self, now: Time) {
        match self {
            Self::Ours(connection, _) => connection.on_timer(now),
            Self::Smoltcp(stack) => stack.run(now),
        }
    }

    /// The next segment to send. Called until there is none after everything else.
    pub(crate) fn poll(&mut self, now: Time) -> Option<Segment> {
        match self {
            Self::Ours(connection, _) => connection.poll(now),
            Self::Smoltcp(stack) => stack.poll(now),
        }
    }

    pub(crate) fn next_timer(&self) -> Time {
        match self {
            Self::Ours(connection, _) => connection.next_timer(),
            Self::Smoltcp(stack) => stack.next_timer(),
        }
    }

    /// Writes as much of `bytes` as there is room for, and says how much that was.
    pub(crate) fn write(&mut self, bytes: u64) -> u64 {
        match self {
            Self::Ours(connection, written) => {
                if bytes > 0 {
                    connection.write(bytes);
                    *written += bytes;
                }
                bytes
            }
            Self::Smoltcp(stack) => stack.write(bytes),
        }
    }

    pub(crate) fn close(&mut self) {
        match self {
            Self::Ours(connection, _) => connection.close(),
            Self::Smoltcp(stack) => stack.close(),
        }
    }

    /// Reads up to so many bytes.
    pub(crate) fn read(&mut self, bytes: u64) {
        match self {
            Self::Ours(connection, _) => connection.read(bytes.min(connection.readable())),
            Self::Smoltcp(stack) => stack.read(bytes),
        }
    }

    /// Bytes received in order so far.
    pub(crate) fn delivered(&self) -> u64 {
        match self {
            Self::Ours(connection, _) => connection.delivered(),
            Self::Smoltcp(stack) => stack.delivered(),
        }
    }

    /// Bytes written and not yet acknowledged.
    pub(crate) fn unacknowledged(&self) -> u64 {
        match self {
            Self::Ours(connection, written) => {
                // The SYN has number 0, the first byte number 1.
                let acknowledged = connection.sender().snd_una.saturating_sub(1);
                written.saturating_sub(acknowledged)
            }
            Self::Smoltcp(stack) => stack.unacknowledged(),
        }
    }

    /// Whether the handshake is over.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.state(), State::Closed | State::Listen | State::SynSent | State::SynReceived)
    }

    /// Whether everything of the peer's has come, its FIN included.
    pub(crate) fn peer_closed(&self) -> bool {
        match self {
            Self::Ours(connection, _) => connection.peer_closed(),
            Self::Smoltcp(stack) => stack.peer_closed(),
        }
    }

    pub(crate) fn state(&self) -> State {
        match self {
            Self::Ours(connection, _) => connection.state(),
            Self::Smoltcp(stack) => stack.state(),
        }
    }
}
