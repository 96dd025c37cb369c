//! Tokens -> the tree.
//!
//! Source: the grammar of packetdrill (Cardwell et al. 2013 and its later versions), by recursive
//! descent. An event that cannot be read is reported, and reading goes on at the next line that
//! begins like an event, so that all problems are reported at once.

mod call;
mod options;
mod segment;

use super::lexer::{Lexeme, Token, tokens};
use super::problem::{Position, Problem};
use super::syntax::{Action, Direction, Event, Flag, Script, When};
use base::Time;

/// Ten days: no script is longer, and sums of such times cannot overflow.
const LONGEST: Time = Time::from_secs(864_000);
/// The deepest nesting of brackets, which protects the stack.
const DEEPEST: u32 = 32;

type Parsed<T> = Result<T, Problem>;

/// The tree of the readable parts, and the problems.
pub(super) fn script(text: &str) -> (Script, Vec<Problem>) {
    let (mut tokens, problems) = tokens(text);
    let mut end = Position { line: 1, column: 1 };
    text.chars().for_each(|sign| match sign {
        '\n' => end = Position { line: end.line + 1, column: 1 },
        _ => end.column += 1,
    });
    let options = take_options(&mut tokens);
    define(&mut tokens, &options);
    let mut parser = Parser { tokens, next: 0, end, problems, depth: 0 };
    let events = parser.events();
    (Script { options, events }, parser.problems)
}

/// The `--name=value` at the top.
fn take_options(tokens: &mut Vec<Lexeme>) -> Vec<Flag> {
    let top = tokens.iter().take_while(|lexeme| matches!(lexeme.token, Token::Flag(..))).count();
    let named = |lexeme: Lexeme| match lexeme.token {
        Token::Flag(name, value) => Some(Flag { at: lexeme.at, name, value }),
        _ => None,
    };
    tokens.drain(..top).filter_map(named).collect()
}

/// Replaces each name of a `--define=NAME=VALUE` by its value.
fn define(lexemes: &mut [Lexeme], options: &[Flag]) {
    for value in options.iter().filter(|flag| flag.name == "define").filter_map(|flag| flag.value.as_deref())
    {
        let Some((name, value)) = value.split_once('=') else { continue };
        let Some(meant) = tokens(value).0.into_iter().next() else { continue };
        for lexeme in lexemes.iter_mut() {
            if matches!(&lexeme.token, Token::Word(word) if word == name) {
                lexeme.token = meant.token.clone();
            }
        }
    }
}

struct Parser {
    tokens: Vec<Lexeme>,
    next: usize,
    end: Position,
    problems: Vec<Problem>,
    depth: u32,
}

impl Parser {
    fn events(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while self.next < self.tokens.len() {
            let from = self.next;
            match self.event() {
                Ok(event) => events.push(event),
                Err(problem) => {
                    self.problems.push(problem);
                    self.skip_event(from);
                }
            }
        }
        events
    }

    /// Skips to the next line that begins like an event, beyond the one at `from`.
    fn skip_event(&mut self, from: usize) {
        self.next = self.next.max(from + 1);
        let begins = |lexeme: &Lexeme| {
            let time = matches!(lexeme.token, Token::Sign('+' | '*') | Token::Integer(_) | Token::Decimal(_));
            lexeme.first && (time || matches!(lexeme.token, Token::Shell(_) | Token::Flag(..)))
        };
        while self.tokens.get(self.next).is_some_and(|lexeme| !begins(lexeme)) {
            self.next += 1;
        }
    }

    fn event(&mut self) -> Parsed<Event> {
        let at = self.at();
        match self.peek() {
            Some(Token::Flag(name, _)) => {
                let message =
                    format!("the option --{name} stands below an event; options go to the top of a script");
                return Err(self.advance_with(message));
            }
            Some(Token::Shell(_)) => return Ok(Event { at, when: None, action: self.action(When::Any)? }),
            _ => {}
        }
        let when = self.when()?;
        let action = self.action(when)?;
        let outbound = matches!(&action, Action::Segment(line) if line.direction == Direction::Outbound);
        match when {
            When::Absolute(_) | When::Relative(_) => {}
            _ if outbound => {}
            When::Any => {
                return Err(Problem::new(
                    at,
                    "the time `*` is for outbound segments only; write when this happens",
                ));
            }
            _ => {
                return Err(Problem::new(
                    at,
                    "a range of times is for outbound segments only; write one time",
                ));
            }
        }
        Ok(Event { at, when: Some(when), action })
    }

    fn when(&mut self) -> Parsed<When> {
        if self.takes('*') {
            return Ok(When::Any);
        }
        let at = self.at();
        let relative = self.takes('+');
        let from = self.time()?;
        if !self.takes('~') {
            return Ok(if relative { When::Relative(from) } else { When::Absolute(from) });
        }
        if self.takes('+') != relative {
            return Err(Problem::new(
                at,
                "the two ends of a range of times are of one kind: write 1~2 or +1~+2",
            ));
        }
        let to = self.time()?;
        if to < from {
            return Err(Problem::new(at, "the range of times ends before it begins"));
        }
        Ok(if relative { When::RelativeRange(from, to) } else { When::AbsoluteRange(from, to) })
    }

    /// Seconds.
    fn time(&mut self) -> Parsed<Time> {
        let wanted = "a time in seconds, for example 0.1 or +.1";
        let text = match self.peek() {
            Some(Token::Decimal(text)) => text.clone(),
            Some(Token::Integer(whole)) => whole.to_string(),
            _ => return Err(self.expected(wanted)),
        };
        let time = seconds(&text).filter(|time| *time <= LONGEST);
        let time = time.ok_or_else(|| {
            self.here(format!("{text} is no time: at least 0, at most {} s", LONGEST.as_secs_f64()))
        })?;
        self.next += 1;
        Ok(time)
    }

    fn action(&mut self, when: When) -> Parsed<Action> {
        match self.peek() {
            Some(Token::Shell(text)) => {
                let text = text.clone();
                self.next += 1;
                Ok(Action::Shell(text))
            }
            Some(Token::Code(text)) => {
                let (at, text) = (self.at(), text.clone());
                self.next += 1;
                Ok(Action::Code(at, text))
            }
            Some(Token::Sign('<')) => self.segment(Direction::Inbound).map(Action::Segment),
            Some(Token::Sign('>')) => self.segment(Direction::Outbound).map(Action::Segment),
            Some(Token::Word(_) | Token::Ellipsis) => self.call(when).map(Action::Call),
            _ => {
                Err(self
                    .expected("a segment (`<` or `>`), a system call, `shell` or %{ code }% after the time"))
            }
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|lexeme| &lexeme.token)
    }

    fn at(&self) -> Position {
        self.tokens.get(self.next).map_or(self.end, |lexeme| lexeme.at)
    }

    fn here(&self, message: impl Into<String>) -> Problem {
        Problem::new(self.at(), message)
    }

    /// A problem with the next token, which is skipped.
    fn advance_with(&mut self, message: String) -> Problem {
        let problem = self.here(message);
        self.next += 1;
        problem
    }

    fn expected(&self, what: &str) -> Problem {
        match self.peek() {
            Some(token) => self.here(format!("expected {what}; found {}", shown(token))),
            None => self.here(format!("expected {what}; the script ends here")),
        }
    }

    /// Takes this sign if it is next.
    fn takes(&mut self, sign: char) -> bool {
        let is_next = self.peek() == Some(&Token::Sign(sign));
        self.next += usize::from(is_next);
        is_next
    }

    /// Takes this word if it is next.
    fn takes_word(&mut self, word: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Word(next)) if next == word);
        self.next += usize::from(is_next);
        is_next
    }

    fn wants(&mut self, sign: char) -> Parsed<()> {
        if self.takes(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    /// A whole number that fits into a field of the header.
    fn field<T: TryFrom<i64>>(&mut self, what: &str) -> Parsed<T> {
        let Some(&Token::Integer(value)) = self.peek() else {
            return Err(self.expected(&format!("{what}, a whole number")));
        };
        let bits = 8 * size_of::<T>();
        let field = T::try_from(value)
            .map_err(|_| self.here(format!("{value} does not fit: {what} has {bits} bits")))?;
        self.next += 1;
        Ok(field)
    }
}

/// Decimal seconds, exact to the picosecond; none if negative or too large.
fn seconds(text: &str) -> Option<Time> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part: u64 = format!("{part:0<12}")[..12].parse().ok()?;
    Some(Time::from_ps(whole.checked_mul(1_000_000_000_000)?.checked_add(part)?))
}

/// The name of a token in a message.
fn shown(token: &Token) -> String {
    match token {
        Token::Integer(value) => format!("`{value}`"),
        Token::Hex(value) => format!("`{value:#x}`"),
        Token::Decimal(text) | Token::Word(text) | Token::Address(text) => format!("`{text}`"),
        Token::Text(_) => "a text".to_owned(),
        Token::Shell(_) => "a shell line".to_owned(),
        Token::Code(_) => "a code block".to_owned(),
        Token::Flag(name, _) => format!("the option --{name}"),
        Token::Ellipsis => "`...`".to_owned(),
        Token::Sign(sign) => format!("`{sign}`"),
    }
}
