//! The sockets of a script: file descriptors, their options, and the effects of their calls.
//!
//! A send buffer is limited once SO_SNDBUF is set, to twice its value as Linux has it, counted in
//! bytes not yet acknowledged. Data written with MSG_MORE or under TCP_CORK stay here until they fill a
//! segment or are released.

use super::calls::{Fd, Mode, Op, SocketOption, Value};
use base::Time;
use std::collections::BTreeMap;
use tcp::{Connection, State};

/// The smallest send buffer of Linux.
const LEAST_SEND_BUFFER: u64 = 4608;
/// The smallest receive buffer of Linux.
const LEAST_RECEIVE_BUFFER: u64 = 2304;
/// Initial values of SO_SNDBUF and SO_RCVBUF: the defaults of tcp_wmem and tcp_rmem.
const SEND_BUFFER: u64 = 16_384;
const RECEIVE_BUFFER: u64 = 131_072;

/// The object of a file descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Fresh,
    Listening,
    Connected,
    File,
}

/// A socket and its options.
#[derive(Clone, Debug)]
pub(super) struct Socket {
    pub(super) kind: Kind,
    pub(super) nonblocking: bool,
    pub(super) no_delay: bool,
    cork: bool,
    send_buffer: Option<u64>,
    pub(super) receive_buffer: Option<u64>,
    pub(super) max_segment: Option<u32>,
    linger_zero: bool,
    shut: bool,
    shut_read: bool,
}

impl Socket {
    pub(super) fn new(kind: Kind, nonblocking: bool) -> Self {
        Self {
            kind,
            nonblocking,
            no_delay: false,
            cork: false,
            send_buffer: None,
            receive_buffer: None,
            max_segment: None,
            linger_zero: false,
            shut: false,
            shut_read: false,
        }
    }

    /// The socket that accept() returns, with the options of the listening one.
    pub(super) fn accepted(&self, nonblocking: bool) -> Self {
        Self { kind: Kind::Connected, nonblocking, ..self.clone() }
    }

    fn send_limit(&self) -> u64 {
        self.send_buffer.unwrap_or(u64::MAX)
    }

    /// Sets an option that needs the socket alone.
    pub(super) fn set(&mut self, option: SocketOption, value: &Value) {
        match (option, value) {
            (SocketOption::NoDelay, Value::Number(on)) => self.no_delay = *on != 0,
            (SocketOption::Cork, Value::Number(on)) => self.cork = *on != 0,
            (SocketOption::SendBuffer, Value::Number(bytes)) => {
                self.send_buffer = Some((2 * bytes.unsigned_abs()).max(LEAST_SEND_BUFFER));
            }
            (SocketOption::ReceiveBuffer, Value::Number(bytes)) => {
                self.receive_buffer = Some((2 * bytes.unsigned_abs()).max(LEAST_RECEIVE_BUFFER));
            }
            (SocketOption::MaxSegment, Value::Number(bytes)) => self.max_segment = u32::try_from(*bytes).ok(),
            (SocketOption::Linger, Value::Linger(on, seconds)) => self.linger_zero = *on && *seconds == 0,
            _ => {}
        }
    }

    /// The value of an option; none if it is not known.
    pub(super) fn get(&self, option: SocketOption, smss: u64) -> Option<i64> {
        Some(match option {
            SocketOption::NoDelay => i64::from(self.no_delay),
            SocketOption::Cork => i64::from(self.cork),
            SocketOption::SendBuffer => self.send_buffer.unwrap_or(SEND_BUFFER) as i64,
            SocketOption::ReceiveBuffer => self.receive_buffer.unwrap_or(RECEIVE_BUFFER) as i64,
            SocketOption::MaxSegment => smss as i64,
            _ => return None,
        })
    }
}

/// What a call gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Returns(i64),
    Fails(&'static str),
    /// It blocks; on a non-blocking socket the call fails with this error.
    Waits(&'static str),
    /// It returns a new file descriptor.
    Opens,
}

/// All sockets, and the written data that are held back.
#[derive(Clone, Debug, Default)]
pub(super) struct Sockets {
    by_fd: BTreeMap<Fd, Socket>,
    /// Bytes written and not yet passed to the connection.
    held: u64,
    /// Bytes written in all.
    written: u64,
    /// Bytes read.
    pub(super) read: u64,
    /// When held bytes are released by time.
    pub(super) held_until: Option<Time>,
    /// The socket of the connection was closed or shut down for writing.
    pub(super) closing: bool,
    /// The reset of the connection has been reported.
    reset_reported: bool,
    connect_reported: bool,
    accepted: bool,
}

impl Sockets {
    pub(super) fn insert(&mut self, fd: Fd, socket: Socket) {
        self.by_fd.insert(fd, socket);
    }

    pub(super) fn remove(&mut self, fd: Fd) {
        self.by_fd.remove(&fd);
    }

    pub(super) fn get(&self, fd: Fd) -> Option<&Socket> {
        self.by_fd.get(&fd)
    }

    pub(super) fn get_mut(&mut self, fd: Fd) -> Option<&mut Socket> {
        self.by_fd.get_mut(&fd)
    }

    /// The socket that listens or connects.
    pub(super) fn of_connection(&self) -> Option<&Socket> {
        let mut sockets = self.by_fd.values();
        sockets
            .clone()
            .find(|socket| socket.kind == Kind::Connected)
            .or_else(|| sockets.find(|s| s.kind == Kind::Listening))
    }

    pub(super) fn listens(&self) -> bool {
        self.by_fd.values().any(|socket| socket.kind == Kind::Listening)
    }

    /// Whether accept() has a connection to give.
    pub(super) fn accept(&mut self, connection: Option<&Connection>) -> Outcome {
        let there = connection.is_some_and(|connection| is_open(connection.state()));
        if !there || std::mem::replace(&mut self.accepted, true) {
            Outcome::Waits("EAGAIN")
        } else {
            Outcome::Opens
        }
    }

    /// The state of a connect() that has begun.
    pub(super) fn connected(&mut self, connection: &Connection) -> Outcome {
        match connection.state() {
            State::SynSent | State::SynReceived => Outcome::Waits("EALREADY"),
            State::Closed if connection.was_reset() => {
                self.reset_reported = true;
                Outcome::Fails("ECONNREFUSED")
            }
            State::Closed => Outcome::Fails("ETIMEDOUT"),
            _ if std::mem::replace(&mut self.connect_reported, true) => Outcome::Fails("EISCONN"),
            _ => Outcome::Returns(0),
        }
    }

    /// SO_ERROR: reported once.
    pub(super) fn error(&mut self, connection: Option<&Connection>) -> &'static str {
        let reset = connection.is_some_and(Connection::was_reset);
        if !reset || std::mem::replace(&mut self.reset_reported, true) {
            return "";
        }
        if self.written == 0 && self.read == 0 { "ECONNREFUSED" } else { "ECONNRESET" }
    }

    /// read() and its kin.
    pub(super) fn read(&mut self, fd: Fd, connection: &mut Connection, bytes: u64, mode: Mode) -> Outcome {
        let ended = self.by_fd.get(&fd).is_some_and(|socket| socket.shut_read) || connection.peer_closed();
        let readable = connection.readable();
        let wanted = if mode.wait_all { bytes } else { 1 };
        if readable > 0 && (readable >= wanted || ended) {
            let taken = readable.min(bytes);
            if !mode.peek {
                connection.read(taken);
                self.read += taken;
            }
            return Outcome::Returns(taken as i64);
        }
        match connection.state() {
            _ if connection.was_reset() && !std::mem::replace(&mut self.reset_reported, true) => {
                Outcome::Fails("ECONNRESET")
            }
            _ if bytes == 0 || ended || connection.was_reset() => Outcome::Returns(0),
            State::Listen => Outcome::Fails("ENOTCONN"),
            _ => Outcome::Waits("EAGAIN"),
        }
    }

    /// write() and similar calls; `done` counts the bytes that earlier attempts of the call have written.
    pub(super) fn write(
        &mut self,
        fd: Fd,
        connection: &mut Connection,
        bytes: u64,
        mode: Mode,
        done: &mut u64,
    ) -> Outcome {
        let Some(socket) = self.by_fd.get(&fd) else { return Outcome::Fails("EBADF") };
        if connection.was_reset() && !std::mem::replace(&mut self.reset_reported, true) {
            return Outcome::Fails("ECONNRESET");
        }
        if socket.shut || connection.was_reset() || connection.state() == State::Closed {
            return Outcome::Fails("EPIPE");
        }
        if !is_open(connection.state()) {
            return Outcome::Waits("EAGAIN");
        }
        let acknowledged = connection.sender().snd_una.saturating_sub(1).min(self.written);
        let room = socket.send_limit().saturating_sub(self.written - acknowledged);
        let taken = room.min(bytes - *done);
        let holds = socket.cork || mode.more;
        self.written += taken;
        self.held += taken;
        *done += taken;
        self.give(connection, holds);
        match *done == bytes {
            true => Outcome::Returns(bytes as i64),
            false if *done > 0 && (socket_waits_not(self.by_fd.get(&fd)) || mode.dont_wait) => {
                Outcome::Returns(*done as i64)
            }
            false => Outcome::Waits("EAGAIN"),
        }
    }

    /// Passes written bytes to the connection; if `holds`, whole segments only.
    fn give(&mut self, connection: &mut Connection, holds: bool) {
        let smss = connection.sender().smss.max(1);
        let given = if holds { self.held / smss * smss } else { self.held };
        self.held -= given;
        if given > 0 {
            connection.write(given);
        }
        if self.held == 0 {
            self.held_until = None;
        }
    }

    /// Passes all held bytes to the connection.
    pub(super) fn release(&mut self, connection: &mut Connection) {
        self.give(connection, false);
    }

    /// An ACK releases bytes held by MSG_MORE, but not those held by a cork.
    pub(super) fn on_ack(&mut self, connection: &mut Connection) {
        if self.held > 0 && !self.by_fd.values().any(|socket| socket.cork) {
            self.release(connection);
        }
    }

    /// Held bytes are released after an RTO if nothing is in flight whose ACK could release them.
    pub(super) fn arm(&mut self, now: Time, connection: &Connection) {
        if self.held > 0 && self.held_until.is_none() && connection.sender().flight_size() == 0 {
            self.held_until = Some(now.saturating_add(connection.info().rto));
        }
    }

    /// Bytes written and not yet acknowledged.
    pub(super) fn unacknowledged(&self, connection: &Connection) -> u64 {
        self.written.saturating_sub(connection.sender().snd_una.saturating_sub(1))
    }

    /// close() of the socket of the connection.
    pub(super) fn close(&mut self, fd: Fd, connection: &mut Connection) {
        let linger_zero = self.by_fd.get(&fd).is_some_and(|socket| socket.linger_zero);
        self.release(connection);
        if linger_zero || connection.readable() > 0 || connection.state() == State::SynSent {
            // Unread data are lost, so the peer gets a reset (RFC 2525, 2.17). In SYN-SENT
            // there is nothing to end (RFC 9293, 3.10.4).
            connection.abort();
        } else if !std::mem::replace(&mut self.closing, true) {
            connection.close();
        }
    }

    /// shutdown().
    pub(super) fn shut(&mut self, fd: Fd, connection: &mut Connection, read: bool, write: bool) -> Outcome {
        if !is_open(connection.state()) {
            return Outcome::Fails("ENOTCONN");
        }
        if let Some(socket) = self.by_fd.get_mut(&fd) {
            socket.shut |= write;
            socket.shut_read |= read;
        }
        if write {
            self.release(connection);
            if !std::mem::replace(&mut self.closing, true) {
                connection.close();
            }
        }
        Outcome::Returns(0)
    }

    /// Whether a socket of the connection is open.
    pub(super) fn is_connected(&self) -> bool {
        self.by_fd.values().any(|socket| socket.kind == Kind::Connected)
    }

    /// Another connection begins.
    pub(super) fn forget_connection(&mut self) {
        *self = Self { by_fd: std::mem::take(&mut self.by_fd), ..Self::default() };
    }
}

fn socket_waits_not(socket: Option<&Socket>) -> bool {
    socket.is_some_and(|socket| socket.nonblocking)
}

/// Whether data can be written or read.
pub(super) fn is_open(state: State) -> bool {
    !matches!(state, State::Closed | State::Listen | State::SynSent | State::SynReceived)
}

/// The socket of a call; none for calls that make one.
pub(super) fn fd_of(op: &Op) -> Option<Fd> {
    Some(match *op {
        Op::Socket { .. } | Op::Open => return None,
        Op::Bind(fd)
        | Op::Listen(fd)
        | Op::Connect(fd)
        | Op::Close(fd)
        | Op::GetFlags(fd)
        | Op::Accept { fd, .. }
        | Op::Read { fd, .. }
        | Op::Write { fd, .. }
        | Op::Shutdown { fd, .. }
        | Op::SetOption { fd, .. }
        | Op::GetOption { fd, .. }
        | Op::SetFlags { fd, .. }
        | Op::Queue { fd, .. } => fd,
    })
}
