//! Socket options: supported, without effect, and not supported.

use super::arguments::Arguments;
use crate::drill::problem::Problem;
use crate::drill::syntax::ExprKind;
use tcp::FLAVORS;

/// An option of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::drill) enum SocketOption {
    NoDelay,
    Cork,
    SendBuffer,
    ReceiveBuffer,
    MaxSegment,
    Congestion,
    Linger,
    /// The error of the last call that did not block.
    Error,
    /// Without effect on what a script can observe; it is listed.
    Without(&'static str),
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::drill) enum Value {
    Number(i64),
    Text(String),
    /// SO_LINGER: whether, and how many seconds.
    Linger(bool, i64),
    /// Not to be compared.
    Any,
}

/// Options without an effect that a script could observe.
const WITHOUT: &[&str] = &[
    "SO_REUSEADDR",
    "SO_REUSEPORT",
    "SO_BINDTODEVICE",
    "SO_PRIORITY",
    "SO_RCVTIMEO",
    "SO_SNDTIMEO",
    "SO_SNDLOWAT",
    "IP_BIND_ADDRESS_NO_PORT",
    "IP_FREEBIND",
    "IP_LOCAL_PORT_RANGE",
    "IP_MTU_DISCOVER",
    "IPV6_MTU_DISCOVER",
    "IP_TOS",
    "IPV6_TCLASS",
    "IP_RECVERR",
    "IP_TRANSPARENT",
    "TCP_DEFER_ACCEPT",
    "TCP_INQ",
    "TCP_NOTSENT_LOWAT",
    "TCP_QUICKACK",
];
const LEVELS: &[&str] =
    &["SOL_SOCKET", "SOL_TCP", "IPPROTO_TCP", "SOL_IP", "IPPROTO_IP", "SOL_IPV6", "IPPROTO_IPV6"];

/// The option that the second and third argument name.
pub(super) fn named(arguments: &Arguments<'_>) -> Result<SocketOption, Problem> {
    let level = arguments.word(1)?;
    if !LEVELS.contains(&level) {
        return Err(arguments
            .wrong(1, format!("the level `{level}` is not supported; known are {}", LEVELS.join(", "))));
    }
    let name = arguments.word(2)?;
    Ok(match name {
        "TCP_NODELAY" => SocketOption::NoDelay,
        "TCP_CORK" => SocketOption::Cork,
        "SO_SNDBUF" | "SO_SNDBUFFORCE" => SocketOption::SendBuffer,
        "SO_RCVBUF" | "SO_RCVBUFFORCE" => SocketOption::ReceiveBuffer,
        "TCP_MAXSEG" => SocketOption::MaxSegment,
        "TCP_CONGESTION" => SocketOption::Congestion,
        "SO_LINGER" => SocketOption::Linger,
        "SO_ERROR" => SocketOption::Error,
        _ => match WITHOUT.iter().find(|known| **known == name) {
            Some(known) => SocketOption::Without(known),
            None => return Err(arguments.wrong(2, format!("the socket option `{name}` is not supported"))),
        },
    })
}

/// `[1]`, `"reno"`, `[{onoff=1, linger=0}]` or `...`.
pub(super) fn value(arguments: &Arguments<'_>, index: usize, option: SocketOption) -> Result<Value, Problem> {
    arguments.get(index)?;
    let item = arguments.only_item(index);
    Ok(match &item.kind {
        ExprKind::Integer(value) | ExprKind::Hex(value) => Value::Number(*value),
        ExprKind::Text(text, _) => Value::Text(text.clone()),
        ExprKind::Ellipsis => Value::Any,
        ExprKind::Struct(fields) if option == SocketOption::Linger => {
            let number = |field: usize| match fields.get(field).map(|field| &field.kind) {
                Some(ExprKind::Assign(_, value)) => match value.kind {
                    ExprKind::Integer(value) => Some(value),
                    _ => None,
                },
                _ => None,
            };
            match (number(0), number(1)) {
                (Some(on), Some(seconds)) => Value::Linger(on != 0, seconds),
                _ => return Err(arguments.wrong(index, "write {onoff=1, linger=0}")),
            }
        }
        _ if matches!(option, SocketOption::Without(_)) => Value::Any,
        _ => {
            return Err(
                arguments.wrong(index, "expected the value of the option: [number], [\"name\"] or ...")
            );
        }
    })
}

/// The congestion controls that a flavor has, in Linux's names.
fn congestion_controls() -> String {
    let mut names: Vec<_> = FLAVORS.iter().map(|flavor| format!("\"{}\"", flavor.in_linux)).collect();
    names.dedup();
    names.join(" and ")
}

/// Whether an option can be set to this.
pub(super) fn check(arguments: &Arguments<'_>, option: SocketOption, value: &Value) -> Result<(), Problem> {
    let wrong = |message: &str| Err(arguments.wrong(3, message));
    match (option, value) {
        (SocketOption::Error, _) => wrong("SO_ERROR can only be asked for, with getsockopt"),
        (SocketOption::Congestion, Value::Text(name)) if FLAVORS.iter().any(|each| each.in_linux == name) => {
            Ok(())
        }
        (SocketOption::Congestion, _) => {
            wrong(&format!("the congestion controls are {}", congestion_controls()))
        }
        (SocketOption::Linger, Value::Linger(false, _) | Value::Linger(true, 0)) => Ok(()),
        (SocketOption::Linger, _) => {
            wrong("lingering is supported with {onoff=1, linger=0} and {onoff=0, ...} only")
        }
        (SocketOption::SendBuffer | SocketOption::ReceiveBuffer, Value::Number(1..=0x7fff_ffff)) => Ok(()),
        (SocketOption::MaxSegment, Value::Number(1..=65_495)) => Ok(()),
        (SocketOption::NoDelay | SocketOption::Cork, Value::Number(_)) | (SocketOption::Without(_), _) => {
            Ok(())
        }
        _ => wrong("this value is not supported; write a number, as [1]"),
    }
}
