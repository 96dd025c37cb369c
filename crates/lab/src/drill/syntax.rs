//! The tree of a script; `print.rs` prints it.

use super::problem::Position;
use base::Time;

/// A script: options, then events in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// `--name=value` lines.
    pub options: Vec<Flag>,
    /// What happens.
    pub events: Vec<Event>,
}

/// `--name` or `--name=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its place.
    pub at: Position,
    /// Without the dashes.
    pub name: String,
    /// As written.
    pub value: Option<String>,
}

/// Something that happens at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Where it begins.
    pub at: Position,
    /// When; none for a shell line without a time, which happens with the event before.
    pub when: Option<When>,
    /// What.
    pub action: Action,
}

/// When an event happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Since the start of the script.
    Absolute(Time),
    /// Since the event before.
    Relative(Time),
    /// At any time.
    Any,
    /// Between two times since the start.
    AbsoluteRange(Time, Time),
    /// Between two times since the event before.
    RelativeRange(Time, Time),
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A segment that arrives or is expected.
    Segment(SegmentLine),
    /// A system call.
    Call(Call),
    /// A line for a shell.
    Shell(String),
    /// A block of code that inspects the connection, and where it opens.
    Code(Position, String),
}

/// The way of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `<`: arrives at the endpoint.
    Inbound,
    /// `>`: the endpoint must send it.
    Outbound,
}

/// A line with a segment; numbers as in the header, relative to the initial ones unless it is a SYN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentLine {
    /// Which way it goes.
    pub direction: Direction,
    /// ECN codepoint, if written.
    pub ip: Option<IpField>,
    /// TCP flags.
    pub flags: Flags,
    /// First sequence number.
    pub seq: u32,
    /// Bytes of data.
    pub len: u16,
    /// Acknowledgment number, if written.
    pub ack: Option<u32>,
    /// Window field, if written.
    pub window: Option<u16>,
    /// Options.
    pub options: Options,
}

/// The parts of the IP header that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IpField {
    /// Codepoint 0.
    NotEct,
    /// Codepoint 1.
    Ect1,
    /// Codepoint 2.
    Ect0,
    /// Codepoint 3.
    Ce,
    /// Either ECT (outbound only).
    AnyEct,
    /// The whole octet.
    Tos(u8),
}

/// TCP flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, clippy::struct_excessive_bools, reason = "the flags of the header")]
pub struct Flags {
    pub syn: bool,
    pub fin: bool,
    pub rst: bool,
    pub psh: bool,
    pub ack: bool,
    pub ece: bool,
    pub cwr: bool,
    pub ae: bool,
}

/// The options of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Options {
    /// `<...>`: whatever they are (outbound only).
    Any,
    /// These.
    List(Vec<TcpOption>),
}

/// A TCP option.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the language")]
pub enum TcpOption {
    Nop,
    Eol,
    Mss(u16),
    WindowScale(u8),
    SackPermitted,
    /// Blocks as (left edge, right edge).
    Sack(Vec<(u32, u32)>),
    Timestamps {
        value: u32,
        echo: u32,
    },
    /// Counters of bytes by their ECN field.
    AccEcn(tcp::AccEcn),
}

/// A system call with its expected result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// When it returns, if it blocks; counted as the time of its event.
    pub until: Option<Time>,
    /// The place of the name.
    pub at: Position,
    /// Name of the call.
    pub name: String,
    /// Arguments.
    pub arguments: Vec<Expr>,
    /// What it returns.
    pub result: Expr,
    /// Name of the error, if it fails.
    pub errno: Option<String>,
    /// Words in parentheses at the end.
    pub note: Option<String>,
}

/// An expression and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// Where it begins.
    pub at: Position,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `...`
    Ellipsis,
    /// A whole number.
    Integer(i64),
    /// A hexadecimal number.
    Hex(i64),
    /// A name.
    Word(String),
    /// A text, and whether `...` follows.
    Text(String, bool),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `{a, b = c}`
    Struct(Vec<Expr>),
    /// `a | b`
    Or(Vec<Expr>),
    /// `name(a, b)`
    Apply(String, Vec<Expr>),
    /// `a = b`
    Assign(Box<Expr>, Box<Expr>),
}
