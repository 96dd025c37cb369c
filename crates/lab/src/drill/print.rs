//! A tree as text, so that it reads back as the same tree.

use super::syntax::{
    Action, Call, Direction, Event, Expr, ExprKind, Flag, Flags, IpField, Options, Script, SegmentLine,
    TcpOption, When,
};
use base::Time;
use std::fmt::{self, Display, Formatter};

impl Display for Script {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for option in &self.options {
            writeln!(f, "{option}")?;
        }
        for event in &self.events {
            writeln!(f, "{event}")?;
        }
        Ok(())
    }
}

impl Display for Flag {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "--{}", self.name)?;
        self.value.iter().try_for_each(|value| write!(f, "={value}"))
    }
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(when) = self.when {
            write!(f, "{when}")?;
        }
        if let Action::Call(Call { until: Some(until), .. }) = &self.action {
            write!(f, "...{}", Seconds(*until))?;
        }
        let space = if self.when.is_some() { " " } else { "" };
        match &self.action {
            Action::Segment(segment) => write!(f, "{space}{segment}"),
            Action::Call(call) => write!(f, "{space}{call}"),
            Action::Shell(text) => write!(f, "{space}`{text}`"),
            Action::Code(_, text) => write!(f, "{space}%{{ {text} }}%"),
        }
    }
}

/// Seconds, exact to the picosecond.
pub(super) struct Seconds(pub(super) Time);

impl Display for Seconds {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0.as_ps() / PS_PER_S, self.0.as_ps() % PS_PER_S);
        let digits = format!("{part:012}");
        match digits.trim_end_matches('0') {
            "" => write!(f, "{whole}"),
            digits => write!(f, "{whole}.{digits}"),
        }
    }
}

const PS_PER_S: u64 = 1_000_000_000_000;

impl Display for When {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Absolute(at) => write!(f, "{}", Seconds(at)),
            Self::Relative(after) => write!(f, "+{}", Seconds(after)),
            Self::Any => f.write_str("*"),
            Self::AbsoluteRange(from, to) => write!(f, "{}~{}", Seconds(from), Seconds(to)),
            Self::RelativeRange(from, to) => write!(f, "+{}~+{}", Seconds(from), Seconds(to)),
        }
    }
}

impl Display for SegmentLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.direction {
            Direction::Inbound => "< ",
            Direction::Outbound => "> ",
        })?;
        if let Some(ip) = self.ip {
            write!(f, "{ip} ")?;
        }
        let end = self.seq.wrapping_add(u32::from(self.len));
        write!(f, "{} {}:{end}({})", self.flags, self.seq, self.len)?;
        self.ack.iter().try_for_each(|ack| write!(f, " ack {ack}"))?;
        self.window.iter().try_for_each(|window| write!(f, " win {window}"))?;
        match &self.options {
            Options::Any => f.write_str(" <...>"),
            Options::List(options) if options.is_empty() => Ok(()),
            Options::List(options) => {
                f.write_str(" <")?;
                separated(f, options, ",")?;
                f.write_str(">")
            }
        }
    }
}

impl Display for IpField {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEct => f.write_str("[noecn]"),
            Self::Ect1 => f.write_str("[ect1]"),
            Self::Ect0 => f.write_str("[ect0]"),
            Self::Ce => f.write_str("[ce]"),
            Self::AnyEct => f.write_str("[ect01]"),
            Self::Tos(tos) => write!(f, "[tos {tos:#x}]"),
        }
    }
}

impl Display for Flags {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let named = [
            (self.syn, "S"),
            (self.fin, "F"),
            (self.rst, "R"),
            (self.psh, "P"),
            (self.ece, "E"),
            (self.cwr, "W"),
            (self.ae, "A"),
            (self.ack, "."),
        ];
        if named.iter().all(|(set, _)| !set) {
            return f.write_str("-");
        }
        named.iter().filter(|(set, _)| *set).try_for_each(|(_, name)| f.write_str(name))
    }
}

impl Display for TcpOption {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nop => f.write_str("nop"),
            Self::Eol => f.write_str("eol"),
            Self::Mss(mss) => write!(f, "mss {mss}"),
            Self::WindowScale(scale) => write!(f, "wscale {scale}"),
            Self::SackPermitted => f.write_str("sackOK"),
            Self::Sack(blocks) => {
                f.write_str("sack")?;
                blocks.iter().try_for_each(|(left, right)| write!(f, " {left}:{right}"))
            }
            Self::Timestamps { value, echo } => write!(f, "TS val {value} ecr {echo}"),
            Self::AccEcn(accecn) => write!(f, "{accecn}"),
        }
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        separated(f, &self.arguments, ", ")?;
        write!(f, ") = {}", self.result)?;
        self.errno.iter().try_for_each(|errno| write!(f, " {errno}"))?;
        self.note.iter().try_for_each(|note| write!(f, " ({note})"))
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Ellipsis => f.write_str("..."),
            ExprKind::Integer(value) => write!(f, "{value}"),
            ExprKind::Hex(value) => write!(f, "{value:#x}"),
            ExprKind::Word(word) => f.write_str(word),
            ExprKind::Text(text, more) => write!(f, "\"{text}\"{}", if *more { "..." } else { "" }),
            ExprKind::List(inside) => enclosed(f, "[", inside, "]"),
            ExprKind::Struct(inside) => enclosed(f, "{", inside, "}"),
            ExprKind::Or(parts) => separated(f, parts, " | "),
            ExprKind::Apply(name, arguments) => enclosed(f, &format!("{name}("), arguments, ")"),
            ExprKind::Assign(left, right) => write!(f, "{left} = {right}"),
        }
    }
}

fn enclosed(f: &mut Formatter<'_>, open: &str, inside: &[Expr], close: &str) -> fmt::Result {
    f.write_str(open)?;
    separated(f, inside, ", ")?;
    f.write_str(close)
}

fn separated<T: Display>(f: &mut Formatter<'_>, items: &[T], separator: &str) -> fmt::Result {
    for (number, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if number == 0 { "" } else { separator })?;
    }
    Ok(())
}

/// A segment without the direction in which it goes.
pub(super) fn without_direction(line: &SegmentLine) -> String {
    line.to_string()[2..].to_owned()
}
