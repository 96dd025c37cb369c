//! System calls: `+0...0.2 connect(3, ..., ...) = -1 ETIMEDOUT (Connection timed out)`.

use super::{DEEPEST, Parsed, Parser};
use crate::drill::lexer::Token;
use crate::drill::problem::Problem;
use crate::drill::syntax::{Call, Expr, ExprKind, When};

impl Parser {
    /// A call; a blocking one has the end of its time before its name.
    pub(super) fn call(&mut self, when: When) -> Parsed<Call> {
        let until = self.until(when)?;
        let at = self.at();
        let Some(Token::Word(name)) = self.peek().cloned() else {
            return Err(self.expected("the name of a system call"));
        };
        self.next += 1;
        let arguments = self.arguments()?;
        self.wants('=')?;
        let result = self.expr()?;
        let errno = match self.peek().cloned() {
            Some(Token::Word(errno)) => {
                self.next += 1;
                Some(errno)
            }
            _ => None,
        };
        let note = self.note()?;
        Ok(Call { until, at, name, arguments, result, errno, note })
    }

    fn until(&mut self, when: When) -> Parsed<Option<base::Time>> {
        if self.peek() != Some(&Token::Ellipsis) {
            return Ok(None);
        }
        let at = self.at();
        self.next += 1;
        let relative = self.takes('+');
        let until = self.time()?;
        let (from, agrees) = match when {
            When::Relative(from) => (from, true),
            When::Absolute(from) => (from, !relative),
            _ => {
                return Err(Problem::new(
                    at,
                    "a call that blocks begins at one time: write 0...0.2 or +0...0.2",
                ));
            }
        };
        if !agrees {
            return Err(Problem::new(
                at,
                "the end of a call that begins at an absolute time is absolute: write 0...0.2",
            ));
        }
        if until < from {
            return Err(Problem::new(at, "the call returns before it begins"));
        }
        Ok(Some(until))
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.wants('(')?;
        self.exprs(')')
    }

    /// Expressions with commas between, up to the closing sign.
    fn exprs(&mut self, close: char) -> Parsed<Vec<Expr>> {
        let mut found = Vec::new();
        if self.takes(close) {
            return Ok(found);
        }
        loop {
            found.push(self.expr()?);
            if self.takes(close) {
                return Ok(found);
            }
            if !self.takes(',') {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
    }

    fn expr(&mut self) -> Parsed<Expr> {
        if self.depth >= DEEPEST {
            return Err(self.here("too many brackets within brackets"));
        }
        self.depth += 1;
        let found = self.assignment();
        self.depth -= 1;
        found
    }

    fn assignment(&mut self) -> Parsed<Expr> {
        let left = self.alternatives()?;
        let named = matches!(left.kind, ExprKind::Word(_) | ExprKind::Apply(..));
        if !named || !self.takes('=') {
            return Ok(left);
        }
        let right = self.expr()?;
        Ok(Expr { at: left.at, kind: ExprKind::Assign(Box::new(left), Box::new(right)) })
    }

    fn alternatives(&mut self) -> Parsed<Expr> {
        let first = self.primary()?;
        if self.peek() != Some(&Token::Sign('|')) {
            return Ok(first);
        }
        let at = first.at;
        let mut parts = vec![first];
        while self.takes('|') {
            parts.push(self.primary()?);
        }
        Ok(Expr { at, kind: ExprKind::Or(parts) })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let at = self.at();
        let Some(token) = self.peek().cloned() else {
            return Err(self.expected("a value"));
        };
        self.next += 1;
        let kind = match token {
            Token::Ellipsis => ExprKind::Ellipsis,
            Token::Integer(value) => ExprKind::Integer(value),
            Token::Hex(value) => ExprKind::Hex(value),
            Token::Word(name) if self.takes('(') => ExprKind::Apply(name, self.exprs(')')?),
            Token::Word(name) => ExprKind::Word(name),
            Token::Text(text) => self.text(text),
            Token::Sign('[') => ExprKind::List(self.exprs(']')?),
            Token::Sign('{') => ExprKind::Struct(self.exprs('}')?),
            _ => {
                self.next -= 1;
                return Err(self.expected("a value"));
            }
        };
        Ok(Expr { at, kind })
    }

    /// Texts in a row are one; `...` may follow.
    fn text(&mut self, mut text: String) -> ExprKind {
        while let Some(Token::Text(more)) = self.peek() {
            text.push_str(more);
            self.next += 1;
        }
        let more = self.peek() == Some(&Token::Ellipsis);
        self.next += usize::from(more);
        ExprKind::Text(text, more)
    }

    /// Words in parentheses.
    fn note(&mut self) -> Parsed<Option<String>> {
        if !self.takes('(') {
            return Ok(None);
        }
        let mut words = Vec::new();
        loop {
            match self.peek().cloned() {
                Some(Token::Word(word)) => words.push(word),
                Some(Token::Integer(value)) => words.push(value.to_string()),
                Some(Token::Sign(')')) if !words.is_empty() => {
                    self.next += 1;
                    return Ok(Some(words.join(" ")));
                }
                Some(Token::Sign(sign @ ('|' | ',' | '\'' | '-' | '/'))) => words.push(sign.to_string()),
                _ => return Err(self.expected("words that end with `)`")),
            }
            self.next += 1;
        }
    }
}
