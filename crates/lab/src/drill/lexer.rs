//! Text -> tokens.
//!
//! Source: the lexical rules of packetdrill (Cardwell et al. 2013), of which the longest match
//! wins: `1.5` is one number, `0...2` is a number, an ellipsis and a number, `S.` is a word and a
//! point. Beyond them `#` begins a comment, too.

use super::problem::{Position, Problem};

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Integer(i64),
    Hex(i64),
    /// With a point; kept as text, so that seconds are exact.
    Decimal(String),
    Word(String),
    /// Between double quotes.
    Text(String),
    /// Between back quotes.
    Shell(String),
    /// Between `%{` and `}%`.
    Code(String),
    /// `--name` or `--name=value`.
    Flag(String, Option<String>),
    /// `192.0.2.1`.
    Address(String),
    Ellipsis,
    Sign(char),
}

/// A token and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) at: Position,
    /// Whether it is the first one on its line.
    pub(super) first: bool,
    /// Whether it follows the token before directly.
    pub(super) touches: bool,
}

/// All tokens of a text, and the problems.
pub(super) fn tokens(text: &str) -> (Vec<Lexeme>, Vec<Problem>) {
    let mut lexer = Lexer { rest: text, at: Position { line: 1, column: 1 }, problems: Vec::new() };
    let mut found: Vec<Lexeme> = Vec::new();
    let mut last_line = 0;
    loop {
        let skipped = lexer.skip_blanks();
        let at = lexer.at;
        let Some(token) = lexer.next() else { break };
        let first = at.line != last_line;
        found.push(Lexeme { token, at, first, touches: !skipped });
        last_line = lexer.at.line;
    }
    (found, lexer.problems)
}

struct Lexer<'a> {
    rest: &'a str,
    at: Position,
    problems: Vec<Problem>,
}

impl<'a> Lexer<'a> {
    /// Takes the first `bytes`.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        for sign in taken.chars() {
            if sign == '\n' {
                self.at.line += 1;
                self.at.column = 1;
            } else {
                self.at.column += 1;
            }
        }
        taken
    }

    /// White space and comments. Whether there were any.
    fn skip_blanks(&mut self) -> bool {
        let before = self.rest.len();
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.take(blanks);
            if self.rest.starts_with("//") || self.rest.starts_with('#') {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.take(end);
            } else if self.rest.starts_with("/*") {
                self.enclosed("/*", "*/", "a comment");
            } else {
                return self.rest.len() < before;
            }
        }
    }

    /// The text between two marks; to the end of the text if the second one is missing.
    fn enclosed(&mut self, open: &str, close: &str, what: &str) -> &'a str {
        let at = self.at;
        self.take(open.len());
        if let Some(end) = self.rest.find(close) {
            let inside = self.take(end);
            self.take(close.len());
            return inside;
        }
        self.problems
            .push(Problem::new(at, format!("{what} begins here and does not end; close it with `{close}`")));
        self.take(self.rest.len())
    }

    /// The text between quotes, in which `\` escapes the next character.
    fn quoted(&mut self, quote: char, what: &str) -> &'a str {
        let at = self.at;
        self.take(1);
        let mut protected = false;
        for (index, sign) in self.rest.char_indices() {
            if sign == quote && !protected {
                let inside = self.take(index);
                self.take(1);
                return inside;
            }
            protected = sign == '\\' && !protected;
        }
        self.problems
            .push(Problem::new(at, format!("{what} begins here and does not end; close it with `{quote}`")));
        self.take(self.rest.len())
    }

    fn next(&mut self) -> Option<Token> {
        let sign = self.rest.chars().next()?;
        Some(match sign {
            '"' => Token::Text(self.quoted('"', "a text").to_owned()),
            '`' => Token::Shell(self.quoted('`', "a shell line").to_owned()),
            '%' if self.rest.starts_with("%{") => {
                Token::Code(self.enclosed("%{", "}%", "a code block").trim_matches([' ', '\t']).to_owned())
            }
            '.' if self.rest.starts_with("...") => {
                self.take(3);
                Token::Ellipsis
            }
            '-' if is_flag(self.rest) => self.flag(),
            _ => self.number().or_else(|| self.word()).unwrap_or_else(|| {
                self.take(sign.len_utf8());
                Token::Sign(sign)
            }),
        })
    }

    /// `--name=value`; the value is a quoted text or goes to the next blank.
    fn flag(&mut self) -> Token {
        self.take(2);
        let name = self.take(prefix(self.rest, is_of_word)).to_owned();
        let blanks = prefix(self.rest, |sign| sign == ' ' || sign == '\t');
        if !self.rest[blanks..].starts_with('=') {
            return Token::Flag(name, None);
        }
        self.take(blanks + 1);
        self.take(prefix(self.rest, |sign| sign == ' ' || sign == '\t'));
        let mut value = self
            .take(prefix(self.rest, |sign| !sign.is_whitespace() && sign != '"' && sign != '`'))
            .to_owned();
        for quote in ['"', '`'] {
            if self.rest.starts_with(quote) {
                value = format!("{value}{quote}{}{quote}", self.quoted(quote, "a value"));
            }
        }
        Token::Flag(name, Some(value))
    }

    /// The longest of: an address, a number with a point, a hexadecimal number, a whole number.
    fn number(&mut self) -> Option<Token> {
        let sign = usize::from(self.rest.starts_with('-'));
        let body = &self.rest[sign..];
        let digits = prefix(body, |sign| sign.is_ascii_digit());
        let fraction = fraction(&body[digits..]);
        if let Some(length) = address(body).filter(|_| sign == 0) {
            return Some(Token::Address(self.take(length).to_owned()));
        }
        if fraction > 0 {
            return Some(Token::Decimal(self.take(sign + digits + fraction).to_owned()));
        }
        let word = prefix(body, is_of_word);
        if digits > 0 && (digits == word || sign == 1) {
            let at = self.at;
            let text = self.take(sign + digits);
            let value = text.parse().unwrap_or_else(|_| {
                self.problems.push(Problem::new(at, format!("{text} is too large for a number")));
                0
            });
            return Some(Token::Integer(value));
        }
        let hex = body.strip_prefix("0x").filter(|hex| sign == 0 && !hex.is_empty());
        let value = hex.and_then(|hex| i64::from_str_radix(&hex[..word.saturating_sub(2)], 16).ok())?;
        self.take(word);
        Some(Token::Hex(value))
    }

    fn word(&mut self) -> Option<Token> {
        let length = prefix(self.rest, is_of_word);
        (length > 0).then(|| Token::Word(self.take(length).to_owned()))
    }
}

fn is_of_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

/// Length of the longest prefix of such characters, bytes.
fn prefix(text: &str, of: impl Fn(char) -> bool) -> usize {
    text.find(|sign| !of(sign)).unwrap_or(text.len())
}

/// Length of a prefix such as `.123`, bytes.
fn fraction(text: &str) -> usize {
    let digits = text.strip_prefix('.').map_or(0, |after| prefix(after, |sign| sign.is_ascii_digit()));
    if digits > 0 { 1 + digits } else { 0 }
}

/// Length of a prefix such as `1.2.3.4`, bytes.
fn address(text: &str) -> Option<usize> {
    let mut length = prefix(text, |sign| sign.is_ascii_digit());
    if length == 0 {
        return None;
    }
    for _ in 0..3 {
        match fraction(&text[length..]) {
            0 => return None,
            part => length += part,
        }
    }
    Some(length)
}

fn is_flag(text: &str) -> bool {
    text.strip_prefix("--").is_some_and(|name| prefix(name, is_of_word) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Token> {
        let (found, problems) = tokens(text);
        assert_eq!(problems, []);
        found.into_iter().map(|lexeme| lexeme.token).collect()
    }

    #[test]
    fn the_longest_match_wins() {
        use Token::{Decimal, Ellipsis, Hex, Integer, Sign, Word};
        let word = |text: &str| Word(text.to_owned());
        let decimal = |text: &str| Decimal(text.to_owned());
        assert_eq!(kinds("0...0.2"), [Integer(0), Ellipsis, decimal("0.2")]);
        assert_eq!(kinds("+.01"), [Sign('+'), decimal(".01")]);
        assert_eq!(kinds("SE. 0:0(0)")[..3], [word("SE"), Sign('.'), Integer(0)]);
        assert_eq!(kinds("-1 - 0x1f 10ms"), [Integer(-1), Sign('-'), Hex(31), word("10ms")]);
        assert_eq!(kinds("192.0.2.1"), [Token::Address("192.0.2.1".to_owned())]);
    }

    #[test]
    fn comments_say_nothing_and_blocks_go_over_lines() {
        assert_eq!(kinds("// a\n/* b\n*/ # c\n`x\\`y\nz`"), [Token::Shell("x\\`y\nz".to_owned())]);
        assert_eq!(kinds("%{ print(1)\nprint(2) }%"), [Token::Code("print(1)\nprint(2)".to_owned())]);
    }

    #[test]
    fn values_of_flags_go_to_the_next_blank() {
        let flag = |name: &str, value: &str| Token::Flag(name.to_owned(), Some(value.to_owned()));
        assert_eq!(
            kinds("--remote_ip=192.0.2.1/24 --define=CC=\"reno x\""),
            [flag("remote_ip", "192.0.2.1/24"), flag("define", "CC=\"reno x\""),]
        );
    }

    #[test]
    fn unterminated_text_is_reported_at_its_beginning() {
        let (_, problems) = tokens("1\n  \"abc");
        assert_eq!(problems[0].at.order(), (2, 3));
    }
}
