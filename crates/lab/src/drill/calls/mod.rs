//! System calls of the tree -> their meaning.
//!
//! An unsupported call is a problem, reported before anything runs.

mod arguments;
mod options;

use super::problem::Problem;
use super::syntax::{Call, Expr, ExprKind};
use arguments::Arguments;
pub(super) use options::{SocketOption, Value};

/// A file descriptor of the script.
pub(super) type Fd = i64;

/// What a call does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Op {
    Socket {
        nonblocking: bool,
    },
    /// A file to send from.
    Open,
    Bind(Fd),
    Listen(Fd),
    Accept {
        fd: Fd,
        nonblocking: bool,
    },
    Connect(Fd),
    Read {
        fd: Fd,
        bytes: u64,
        mode: Mode,
    },
    Write {
        fd: Fd,
        bytes: u64,
        mode: Mode,
    },
    Close(Fd),
    Shutdown {
        fd: Fd,
        read: bool,
        write: bool,
    },
    SetOption {
        fd: Fd,
        option: SocketOption,
        value: Value,
    },
    GetOption {
        fd: Fd,
        option: SocketOption,
        value: Value,
    },
    SetFlags {
        fd: Fd,
        nonblocking: bool,
    },
    GetFlags(Fd),
    /// Bytes that can be read (SIOCINQ), or that are not yet acknowledged (SIOCOUTQ).
    Queue {
        fd: Fd,
        out: bool,
        bytes: Option<u64>,
    },
}

/// The flags of a read or write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mode {
    pub(super) dont_wait: bool,
    pub(super) more: bool,
    pub(super) peek: bool,
    pub(super) wait_all: bool,
}

const SOCKET_FLAGS: &[&str] = &["SOCK_STREAM", "SOCK_NONBLOCK", "SOCK_CLOEXEC"];
const OPEN_FLAGS: &[&str] = &["O_RDWR", "O_RDONLY", "O_WRONLY", "O_NONBLOCK"];
const SEND_FLAGS: &[&str] = &["MSG_DONTWAIT", "MSG_MORE", "MSG_NOSIGNAL"];
const RECEIVE_FLAGS: &[&str] = &["MSG_DONTWAIT", "MSG_PEEK", "MSG_WAITALL", "MSG_NOSIGNAL"];
const KNOWN: &str = "socket, bind, listen, accept, accept4, connect, read, readv, recv, recvfrom, recvmsg, write, \
                     writev, send, sendto, sendmsg, sendfile, open, close, shutdown, setsockopt, getsockopt, fcntl, ioctl";

/// What a call means.
pub(super) fn meaning(call: &Call) -> Result<Op, Problem> {
    let arguments = Arguments::of(call);
    match call.name.as_str() {
        "socket" => socket(&arguments),
        "open" => Ok(Op::Open),
        "bind" => arguments.exactly(3).and_then(|a| Ok(Op::Bind(a.fd(0)?))),
        "listen" => arguments.exactly(2).and_then(|a| Ok(Op::Listen(a.fd(0)?))),
        "accept" => arguments.exactly(3).and_then(|a| Ok(Op::Accept { fd: a.fd(0)?, nonblocking: false })),
        "accept4" => arguments.exactly(4).and_then(|a| {
            let nonblocking = a.flags(3, SOCKET_FLAGS)?.contains(&"SOCK_NONBLOCK");
            Ok(Op::Accept { fd: a.fd(0)?, nonblocking })
        }),
        "connect" => arguments.exactly(3).and_then(|a| Ok(Op::Connect(a.fd(0)?))),
        "close" => arguments.exactly(1).and_then(|a| Ok(Op::Close(a.fd(0)?))),
        "shutdown" => shutdown(&arguments),
        "read" | "readv" | "recv" | "recvfrom" | "recvmsg" => read(&arguments),
        "write" | "writev" | "send" | "sendto" | "sendmsg" | "sendfile" => write(&arguments),
        "setsockopt" => set_option(&arguments),
        "getsockopt" => get_option(&arguments),
        "fcntl" => fcntl(&arguments),
        "ioctl" => ioctl(&arguments),
        name => Err(Problem::new(
            call.at,
            format!("the system call `{name}` is not supported; there are {KNOWN}"),
        )),
    }
}

fn socket(arguments: &Arguments<'_>) -> Result<Op, Problem> {
    arguments.exactly(3)?;
    let flags = arguments.flags(1, SOCKET_FLAGS)?;
    if !flags.contains(&"SOCK_STREAM") {
        return Err(arguments.wrong(1, "only SOCK_STREAM sockets are supported"));
    }
    arguments.flags(2, &["IPPROTO_TCP"])?;
    Ok(Op::Socket { nonblocking: flags.contains(&"SOCK_NONBLOCK") })
}

fn shutdown(arguments: &Arguments<'_>) -> Result<Op, Problem> {
    arguments.exactly(2)?;
    let (read, write) = match arguments.word(1)? {
        "SHUT_RD" => (true, false),
        "SHUT_WR" => (false, true),
        "SHUT_RDWR" => (true, true),
        _ => return Err(arguments.wrong(1, "expected a way to shut down: SHUT_RD, SHUT_WR or SHUT_RDWR")),
    };
    Ok(Op::Shutdown { fd: arguments.fd(0)?, read, write })
}

fn read(arguments: &Arguments<'_>) -> Result<Op, Problem> {
    let (bytes, flags) = match arguments.name() {
        "read" => (arguments.exactly(3)?.buffer(1)?.bytes(2)?, None),
        "readv" => (arguments.exactly(3)?.vector(1)?, None),
        "recv" => (arguments.exactly(4)?.buffer(1)?.bytes(2)?, Some(3)),
        "recvfrom" => (arguments.exactly(6)?.buffer(1)?.bytes(2)?, Some(3)),
        _ => (arguments.exactly(3)?.message(1)?, Some(2)),
    };
    Ok(Op::Read { fd: arguments.fd(0)?, bytes, mode: mode(arguments, flags, RECEIVE_FLAGS)? })
}

fn write(arguments: &Arguments<'_>) -> Result<Op, Problem> {
    let (bytes, flags) = match arguments.name() {
        "write" => (arguments.exactly(3)?.buffer(1)?.bytes(2)?, None),
        "writev" => (arguments.exactly(3)?.vector(1)?, None),
        "send" => (arguments.exactly(4)?.buffer(1)?.bytes(2)?, Some(3)),
        "sendto" => (arguments.exactly(6)?.buffer(1)?.bytes(2)?, Some(3)),
        "sendfile" => (arguments.exactly(4)?.bytes(3)?, None),
        _ => (arguments.exactly(3)?.message(1)?, Some(2)),
    };
    Ok(Op::Write { fd: arguments.fd(0)?, bytes, mode: mode(arguments, flags, SEND_FLAGS)? })
}

fn mode(
    arguments: &Arguments<'_>,
    flags: Option<usize>,
    known: &'static [&'static str],
) -> Result<Mode, Problem> {
    let Some(index) = flags else { return Ok(Mode::default()) };
    let set = arguments.flags(index, known)?;
    Ok(Mode {
        dont_wait: set.contains(&"MSG_DONTWAIT"),
        more: set.contains(&"MSG_MORE"),
        peek: set.contains(&"MSG_PEEK"),
        wait_all: set.contains(&"MSG_WAITALL"),
    })
}

fn set_option(arguments: &Arguments<'_>) -> Result<Op, Problem> {
    arguments.exactly(5)?;
    let option = options::named(arguments)?;
    let value = options::value(arguments, 3, option)?;
    options::check(arguments, option, &value)?;
    Ok(Op::SetOption { fd: arguments.fd(0)?, option, value })
}

fn get_option(arguments: &Arguments<'_>) -> Result<Op, Problem> {
    arguments.exactly(5)?;
    let option = options::named(arguments)?;
    let value = options::value(arguments, 3, option)?;
    Ok(Op::GetOption { fd: arguments.fd(0)?, option, value })
}

fn fcntl(arguments: &Arguments<'_>) -> Result<Op, Problem> {
    match arguments.word(1)? {
        "F_GETFL" | "F_GETFD" | "F_SETFD" => Ok(Op::GetFlags(arguments.fd(0)?)),
        "F_SETFL" => {
            let set = arguments.exactly(3)?.flags(2, OPEN_FLAGS)?;
            Ok(Op::SetFlags { fd: arguments.fd(0)?, nonblocking: set.contains(&"O_NONBLOCK") })
        }
        _ => Err(arguments.wrong(1, "fcntl knows F_GETFL, F_SETFL, F_GETFD and F_SETFD here")),
    }
}

fn ioctl(arguments: &Arguments<'_>) -> Result<Op, Problem> {
    arguments.exactly(3)?;
    let out = match arguments.word(1)? {
        "SIOCINQ" | "FIONREAD" => false,
        "SIOCOUTQ" | "TIOCOUTQ" => true,
        _ => return Err(arguments.wrong(1, "ioctl knows SIOCINQ, FIONREAD and SIOCOUTQ here")),
    };
    let bytes = match &arguments.only_item(2).kind {
        ExprKind::Ellipsis => None,
        _ => Some(arguments.bytes_of(arguments.only_item(2))?),
    };
    Ok(Op::Queue { fd: arguments.fd(0)?, out, bytes })
}

/// The number that a call must return; none if any will do.
pub(super) fn returned(call: &Call) -> Result<Option<i64>, Problem> {
    match call.result {
        Expr { kind: ExprKind::Integer(value) | ExprKind::Hex(value), .. } => Ok(Some(value)),
        Expr { kind: ExprKind::Ellipsis, .. } => Ok(None),
        Expr { at, .. } => Err(Problem::new(at, "expected a result of the call: a number, or `...` for any")),
    }
}
