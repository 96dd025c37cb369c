//! Reads the arguments of a call, each as its expected type.

use super::Fd;
use crate::drill::problem::Problem;
use crate::drill::syntax::{Call, Expr, ExprKind};

/// More than any script needs; sums of it do not overflow.
const MOST_BYTES: i64 = 1 << 40;

pub(super) struct Arguments<'a> {
    call: &'a Call,
}

impl<'a> Arguments<'a> {
    pub(super) fn of(call: &'a Call) -> Self {
        Self { call }
    }

    pub(super) fn name(&self) -> &'a str {
        &self.call.name
    }

    /// Itself, if there are as many arguments.
    pub(super) fn exactly(&self, count: usize) -> Result<&Self, Problem> {
        let found = self.call.arguments.len();
        if found == count {
            return Ok(self);
        }
        let message = format!("{} takes {count} arguments, not {found}", self.call.name);
        Err(Problem::new(self.call.at, message))
    }

    pub(super) fn get(&self, index: usize) -> Result<&'a Expr, Problem> {
        let missing =
            || Problem::new(self.call.at, format!("{} lacks its argument {}", self.call.name, index + 1));
        self.call.arguments.get(index).ok_or_else(missing)
    }

    /// A problem with an argument that is there.
    pub(super) fn wrong(&self, index: usize, message: impl Into<String>) -> Problem {
        Problem::new(self.call.arguments.get(index).map_or(self.call.at, |argument| argument.at), message)
    }

    pub(super) fn fd(&self, index: usize) -> Result<Fd, Problem> {
        match self.get(index)?.kind {
            ExprKind::Integer(fd) => Ok(fd),
            _ => Err(self.wrong(index, "expected a file descriptor (a whole number)")),
        }
    }

    pub(super) fn word(&self, index: usize) -> Result<&'a str, Problem> {
        match &self.get(index)?.kind {
            ExprKind::Word(word) => Ok(word),
            _ => Err(self.wrong(index, "expected a name")),
        }
    }

    /// Itself, if this is a buffer: `...` or a text, of which only the length matters.
    pub(super) fn buffer(&self, index: usize) -> Result<&Self, Problem> {
        match self.get(index)?.kind {
            ExprKind::Ellipsis | ExprKind::Text(..) => Ok(self),
            _ => Err(self.wrong(index, "expected a buffer: write `...`")),
        }
    }

    pub(super) fn bytes(&self, index: usize) -> Result<u64, Problem> {
        self.bytes_of(self.get(index)?)
    }

    pub(super) fn bytes_of(&self, expr: &Expr) -> Result<u64, Problem> {
        match expr.kind {
            ExprKind::Integer(bytes) | ExprKind::Hex(bytes) if (0..=MOST_BYTES).contains(&bytes) => {
                Ok(bytes as u64)
            }
            _ => Err(Problem::new(expr.at, "expected a number of bytes")),
        }
    }

    /// The one item of `[item]`, or the argument itself.
    pub(super) fn only_item(&self, index: usize) -> &'a Expr {
        let argument = &self.call.arguments[index];
        match &argument.kind {
            ExprKind::List(items) if items.len() == 1 => &items[0],
            _ => argument,
        }
    }

    /// The names in `A | B`; 0 for none.
    pub(super) fn flags(&self, index: usize, known: &[&'static str]) -> Result<Vec<&'a str>, Problem> {
        let argument = self.get(index)?;
        let parts = match &argument.kind {
            ExprKind::Or(parts) => parts.as_slice(),
            _ => std::slice::from_ref(argument),
        };
        let mut found = Vec::new();
        for part in parts {
            match &part.kind {
                ExprKind::Integer(0) | ExprKind::Hex(0) => {}
                ExprKind::Word(word) if known.contains(&word.as_str()) => found.push(word.as_str()),
                _ => {
                    let message = format!("`{part}` is not supported here; known are {}", known.join(", "));
                    return Err(Problem::new(part.at, message));
                }
            }
        }
        Ok(found)
    }

    /// All bytes of `[{..., 100}, {..., 200}]`.
    pub(super) fn vector(&self, index: usize) -> Result<u64, Problem> {
        self.vector_of(self.get(index)?)
    }

    fn vector_of(&self, list: &Expr) -> Result<u64, Problem> {
        let wrong =
            |expr: &Expr| Problem::new(expr.at, "expected a list of buffers, for example [{..., 1000}]");
        let ExprKind::List(buffers) = &list.kind else { return Err(wrong(list)) };
        let bytes = |buffer: &Expr| match &buffer.kind {
            ExprKind::Struct(parts) if parts.len() == 2 => self.bytes_of(&parts[1]),
            _ => Err(wrong(buffer)),
        };
        buffers.iter().map(bytes).sum()
    }

    /// All bytes of `{msg_name(...)=..., msg_iov(1)=[{..., 100}], msg_flags=0}`.
    pub(super) fn message(&self, index: usize) -> Result<u64, Problem> {
        let message = self.get(index)?;
        let ExprKind::Struct(fields) = &message.kind else {
            return Err(self.wrong(
                index,
                "expected a message, for example {msg_name(...)=..., msg_iov(1)=[{..., 9}], msg_flags=0}",
            ));
        };
        let mut bytes = None;
        for field in fields {
            let ExprKind::Assign(name, value) = &field.kind else {
                return Err(Problem::new(field.at, "expected name = value, a field of a message"));
            };
            match &name.kind {
                ExprKind::Apply(name, _) if name == "msg_name" => {}
                ExprKind::Apply(name, _) if name == "msg_iov" => bytes = Some(self.vector_of(value)?),
                ExprKind::Word(name) if name == "msg_flags" && matches!(value.kind, ExprKind::Integer(0)) => {
                }
                _ => return Err(Problem::new(field.at, format!("`{field}` of a message is not supported"))),
            }
        }
        bytes.ok_or_else(|| self.wrong(index, "this message has no msg_iov"))
    }
}
