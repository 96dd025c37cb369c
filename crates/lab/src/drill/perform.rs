//! The effects of a system call on the sockets and on the connection.

use super::calls::{Fd, Op, SocketOption, Value};
use super::endpoint::Endpoint;
use super::report::Note;
use super::runner::Runner;
use super::shell;
use super::sockets::{Kind, Outcome, Socket};
use crate::plan;
use base::Time;
use tcp::{Connection, TickClock};

/// O_RDWR and O_NONBLOCK as fcntl reports them.
const READ_WRITE: i64 = 0x2;
const NONBLOCK: i64 = 0x800;

impl Runner<'_> {
    /// Tries a call; `done` counts what earlier attempts of it have written.
    ///
    /// An error names what is not available.
    pub(super) fn attempt(&mut self, op: &Op, done: &mut u64) -> Result<Outcome, String> {
        match op {
            Op::Socket { .. } | Op::Open => return Ok(Outcome::Opens),
            _ => {}
        }
        let fd = super::sockets::fd_of(op).unwrap_or(-1);
        let Some(kind) = self.sockets.get(fd).map(|socket| socket.kind) else {
            return Ok(Outcome::Fails("EBADF"));
        };
        match *op {
            Op::Bind(_) => Ok(Outcome::Returns(0)),
            Op::Listen(_) => Ok(self.listen(fd)),
            Op::Accept { .. } if kind == Kind::Listening => {
                let connection = self.endpoint.as_ref().map(|endpoint| &endpoint.connection);
                Ok(self.sockets.accept(connection))
            }
            Op::Accept { .. } => Ok(Outcome::Fails("EINVAL")),
            Op::Connect(_) => self.connect(fd),
            Op::Close(_) => Ok(self.close(fd, kind)),
            Op::SetFlags { nonblocking, .. } => {
                self.with_socket(fd, |socket| socket.nonblocking = nonblocking);
                Ok(Outcome::Returns(0))
            }
            Op::GetFlags(_) => {
                let nonblocking = self.sockets.get(fd).is_some_and(|socket| socket.nonblocking);
                Ok(Outcome::Returns(READ_WRITE | if nonblocking { NONBLOCK } else { 0 }))
            }
            Op::SetOption { option, ref value, .. } => self.set_option(fd, kind, option, value),
            Op::GetOption { option, ref value, .. } => self.get_option(fd, option, value),
            _ => self.transfer(op, fd, kind, done),
        }
    }

    /// Calls that move data, or query it.
    fn transfer(&mut self, op: &Op, fd: Fd, kind: Kind, done: &mut u64) -> Result<Outcome, String> {
        let Some(endpoint) = self.endpoint.as_mut().filter(|_| kind == Kind::Connected) else {
            return Ok(Outcome::Fails(if matches!(op, Op::Write { .. }) { "EPIPE" } else { "ENOTCONN" }));
        };
        let connection = &mut endpoint.connection;
        Ok(match *op {
            Op::Read { bytes, mode, .. } => self.sockets.read(fd, connection, bytes, mode),
            Op::Write { bytes, mode, .. } => self.sockets.write(fd, connection, bytes, mode, done),
            Op::Shutdown { read, write, .. } => self.sockets.shut(fd, connection, read, write),
            Op::Queue { out, bytes, .. } => {
                let found = if out { self.sockets.unacknowledged(connection) } else { connection.readable() };
                if bytes.is_some_and(|bytes| bytes != found) {
                    return Err(format!("it reports {found} bytes"));
                }
                Outcome::Returns(0)
            }
            _ => Outcome::Returns(0),
        })
    }

    fn with_socket(&mut self, fd: Fd, change: impl FnOnce(&mut Socket)) {
        if let Some(socket) = self.sockets.get_mut(fd) {
            change(socket);
        }
    }

    fn listen(&mut self, fd: Fd) -> Outcome {
        self.with_socket(fd, |socket| socket.kind = Kind::Listening);
        Outcome::Returns(0)
    }

    fn connect(&mut self, fd: Fd) -> Result<Outcome, String> {
        let fresh = self.sockets.get(fd).is_some_and(|socket| socket.kind == Kind::Fresh);
        if fresh && self.is_over() {
            self.forget_connection();
        }
        if let Some(endpoint) = &self.endpoint {
            if fresh {
                return Err("a second connection beside one that is open is not supported".to_owned());
            }
            return Ok(self.sockets.connected(&endpoint.connection));
        }
        self.with_socket(fd, |socket| socket.kind = Kind::Connected);
        let mut endpoint = self.make_endpoint(true)?;
        endpoint.connection.connect();
        self.endpoint = Some(endpoint);
        Ok(Outcome::Waits("EINPROGRESS"))
    }

    fn close(&mut self, fd: Fd, kind: Kind) -> Outcome {
        if let Some(endpoint) = self.endpoint.as_mut().filter(|_| kind == Kind::Connected) {
            self.sockets.close(fd, &mut endpoint.connection);
        }
        self.sockets.remove(fd);
        Outcome::Returns(0)
    }

    fn set_option(
        &mut self,
        fd: Fd,
        kind: Kind,
        option: SocketOption,
        value: &Value,
    ) -> Result<Outcome, String> {
        if let (SocketOption::Congestion, Value::Text(name)) = (option, value) {
            self.choose_congestion(name)?;
        }
        if let SocketOption::Without(name) = option {
            self.note(name, "has no meaning here");
        }
        if option == SocketOption::ReceiveBuffer && self.endpoint.is_some() {
            self.note("SO_RCVBUF", "the connection exists already; its buffer keeps its size");
        }
        self.with_socket(fd, |socket| socket.set(option, value));
        let on = !matches!(value, Value::Number(0));
        let Some(endpoint) = self.endpoint.as_mut().filter(|_| kind == Kind::Connected) else {
            return Ok(Outcome::Returns(0));
        };
        match option {
            SocketOption::NoDelay => endpoint.connection.set_nagle(!on),
            SocketOption::Cork => {}
            _ => return Ok(Outcome::Returns(0)),
        }
        if on == (option == SocketOption::NoDelay) {
            self.sockets.release(&mut endpoint.connection);
        }
        Ok(Outcome::Returns(0))
    }

    fn choose_congestion(&mut self, name: &str) -> Result<(), String> {
        if self.endpoint.is_some() {
            return Err("the congestion control of an existing connection cannot be changed".to_owned());
        }
        let result = shell::congestion(&mut self.host, name);
        let (list, reason) = match result {
            Ok(reason) => (&mut self.report.applied, reason),
            Err(reason) => (&mut self.report.not_applied, reason),
        };
        list.push(Note { at: self.at, text: format!("TCP_CONGESTION \"{name}\""), reason });
        Ok(())
    }

    fn get_option(&mut self, fd: Fd, option: SocketOption, value: &Value) -> Result<Outcome, String> {
        let connection = self.endpoint.as_ref().map(|endpoint| &endpoint.connection);
        if option == SocketOption::Error {
            let error = self.sockets.error(connection);
            let found = errno(error);
            return match value {
                Value::Number(wanted) if *wanted != found => {
                    Err(format!("it reports the error {found} {error}"))
                }
                _ => Ok(Outcome::Returns(0)),
            };
        }
        let smss = connection.map_or(0, |connection| connection.sender().smss);
        let smss =
            self.sockets.get(fd).and_then(|s| s.max_segment).filter(|_| smss == 0).map_or(smss, u64::from);
        let found = self.sockets.get(fd).and_then(|socket| socket.get(option, smss));
        match (value, found) {
            (Value::Number(wanted), Some(found)) if *wanted != found => Err(format!("it reports {found}")),
            (Value::Number(_), None) => {
                self.note("getsockopt", "what this option reports has no meaning here");
                Ok(Outcome::Returns(0))
            }
            _ => Ok(Outcome::Returns(0)),
        }
    }

    /// The endpoint with the settings of the plan, the script's options and its shell lines.
    pub(super) fn make_endpoint(&self, active: bool) -> Result<Endpoint, String> {
        let tcp = self.tcp(active)?;
        if let Some(code) = tcp.flavor.code() {
            return Err(crate::Error::Code { file: code.file.clone() }.to_string());
        }
        let config = crate::build::tcp_config(&tcp).map_err(|error| error.to_string())?;
        let clock = TickClock { tick: Time::from_ps(self.setup.tick_ps.max(1)), phase: Time::ZERO };
        let mut connection = Connection::new(config, clock);
        connection.set_auto_read(false);
        if self.sockets.of_connection().is_some_and(|socket| socket.no_delay) {
            connection.set_nagle(false);
        }
        Ok(Endpoint::new(connection, tcp.smss_bytes, self.checked.offer.isn))
    }

    /// The TCP of the plan, with the settings of the script and its host.
    fn tcp(&self, active: bool) -> Result<plan::Tcp, String> {
        let offer = self.checked.offer;
        let socket = self.sockets.of_connection();
        let mut host = self.host.clone();
        let mut put = |key: &str, value: serde_json::Value| {
            if !self.host.keeps(key) {
                host.put(key, value);
            }
        };
        put("nagle", true.into());
        if let Some(bytes) = socket.and_then(|socket| socket.max_segment) {
            put("smss_bytes", bytes.into());
        }
        let by_socket = socket.and_then(|socket| socket.receive_buffer).map(|bytes| bytes / 2);
        let in_syn = offer.window.filter(|window| *window < u16::MAX).map(u64::from);
        if let Some(bytes) = in_syn.or(by_socket) {
            put("receive_buffer_bytes", bytes.into());
        }
        if self.host.no_window_scale {
            put("window_scale", serde_json::Value::Null);
        } else if offer.is_there {
            put("window_scale", offer.window_scale.into());
        }
        if active && offer.is_there && !offer.timestamps {
            put("timestamps", false.into());
        }
        if active && self.host.ecn_passive_only {
            put("ecn", false.into());
        }
        serde_json::from_value(host.tcp.into()).map_err(|error| format!("the TCP of the setup: {error}"))
    }
}

/// Linux's number of an error.
fn errno(name: &str) -> i64 {
    match name {
        "ECONNRESET" => 104,
        "ETIMEDOUT" => 110,
        "ECONNREFUSED" => 111,
        _ => 0,
    }
}
