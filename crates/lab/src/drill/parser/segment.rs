//! Lines with a segment: `< [ce] P. 1:1001(1000) ack 1 win 257 <options>`.

use super::{Parsed, Parser};
use crate::drill::lexer::Token;
use crate::drill::problem::Problem;
use crate::drill::syntax::{Direction, Flags, IpField, Options, SegmentLine};

/// Sets the three flags that are a counter of marked packets with accurate ECN.
fn ace(counter: u8, flags: &mut Flags) {
    (flags.ae, flags.cwr, flags.ece) = (counter & 4 != 0, counter & 2 != 0, counter & 1 != 0);
}

/// Packets that are no TCP segments, or are encapsulated.
const OTHER_PACKETS: [&str; 8] = ["udp", "icmp", "ipv4", "ipv6", "gre", "GREv0", "mpls", "raw"];

impl Parser {
    /// A segment, beginning with its direction.
    pub(super) fn segment(&mut self, direction: Direction) -> Parsed<SegmentLine> {
        self.next += 1;
        let ip = self.ip(direction)?;
        self.no_ports()?;
        let flags = self.flags()?;
        let (seq, len) = self.sequence()?;
        let ack = if self.takes_word("ack") { Some(self.field("the acknowledgment number")?) } else { None };
        let at_window = self.at();
        let window = if self.takes_word("win") { Some(self.field("the window")?) } else { None };
        if window.is_none() && direction == Direction::Inbound {
            return Err(Problem::new(
                at_window,
                "an inbound segment has a window; write for example `win 257`",
            ));
        }
        if self.takes_word("urg") {
            return Err(self.here("urgent data is not supported"));
        }
        let options = self.options(direction)?;
        if self.peek() == Some(&Token::Sign('{')) {
            return Err(self.here("mutated packets `{...}` are not supported"));
        }
        Ok(SegmentLine { direction, ip, flags, seq, len, ack, window, options })
    }

    /// `[ce]`, `(ect0)`, `[tos 0x2]` or nothing.
    fn ip(&mut self, direction: Direction) -> Parsed<Option<IpField>> {
        let close = match self.peek() {
            Some(Token::Sign('[')) => ']',
            Some(Token::Sign('(')) => ')',
            _ => return Ok(None),
        };
        self.next += 1;
        let Some(Token::Word(word)) = self.peek().cloned() else {
            return Err(self.expected("an ECN codepoint: noecn, ect0, ect1, ect01, ce or tos 0x.."));
        };
        let field = match word.as_str() {
            "noecn" => IpField::NotEct,
            "ect0" => IpField::Ect0,
            "ect1" => IpField::Ect1,
            "ce" => IpField::Ce,
            "ect01" if direction == Direction::Outbound => IpField::AnyEct,
            "ect01" => return Err(self.here("[ect01] is for outbound segments only; write ect0 or ect1")),
            "tos" => {
                self.next += 1;
                self.tos(direction)?
            }
            "ttl" | "flowlabel" => {
                return Err(self.here(format!("`{word}` of the IP header is not supported")));
            }
            _ => return Err(self.expected("an ECN codepoint: noecn, ect0, ect1, ect01, ce or tos 0x..")),
        };
        self.next += 1;
        if self.peek() == Some(&Token::Sign(',')) {
            return Err(self.here("`flowlabel` of the IP header is not supported"));
        }
        self.wants(close)?;
        Ok(Some(field))
    }

    /// The octet of which TCP uses the lower two bits.
    fn tos(&mut self, direction: Direction) -> Parsed<IpField> {
        let Some(&Token::Hex(value)) = self.peek() else {
            return Err(self.expected("the octet in hexadecimal, for example 0x2"));
        };
        let octet =
            u8::try_from(value).map_err(|_| self.here(format!("{value:#x} does not fit into an octet")))?;
        if octet >> 2 != 0 && direction == Direction::Outbound {
            return Err(self.here(format!(
                "tos {octet:#x} asks for a DSCP, which is not supported; only its ECN bits are"
            )));
        }
        Ok(IpField::Tos(octet))
    }

    fn no_ports(&self) -> Parsed<()> {
        match (self.peek(), self.tokens.get(self.next + 1).map(|lexeme| &lexeme.token)) {
            (Some(Token::Integer(_)), Some(Token::Sign('>'))) => {
                Err(self.here("ports in a segment are not supported: there is one connection"))
            }
            (Some(Token::Word(word)), _) if OTHER_PACKETS.contains(&word.as_str()) => {
                Err(self.here(format!("`{word}` packets are not supported; only TCP segments are")))
            }
            _ => Ok(()),
        }
    }

    /// `S.`, `P.`, `.`, `SEW`, `P.5` or `P5.`, `-` for none.
    fn flags(&mut self) -> Parsed<Flags> {
        let mut flags = Flags::default();
        if self.takes('-') {
            return Ok(flags);
        }
        let from = self.next;
        while let Some(lexeme) = self.tokens.get(self.next) {
            if self.next > from && !lexeme.touches {
                break;
            }
            match &lexeme.token {
                Token::Word(word) => self.flag_letters(&word.clone(), &mut flags)?,
                Token::Sign('.') => flags.ack = true,
                // `.5`: an ACK whose counter of marked packets is 5.
                Token::Decimal(text) => {
                    let counter = text.strip_prefix('.').map(str::to_owned);
                    flags.ack = true;
                    match counter.as_deref().map(str::as_bytes) {
                        Some(&[digit @ b'0'..=b'7']) => ace(digit - b'0', &mut flags),
                        _ => return Err(self.here("the counter in the flags is one digit from 0 to 7")),
                    }
                }
                _ => break,
            }
            self.next += 1;
        }
        if self.next == from {
            return Err(self.expected("TCP flags: letters of SFRPEWA and `.` for ACK, or `-` for none"));
        }
        Ok(flags)
    }

    fn flag_letters(&self, word: &str, flags: &mut Flags) -> Parsed<()> {
        for letter in word.chars() {
            let flag = match letter {
                'S' => &mut flags.syn,
                'F' => &mut flags.fin,
                'R' => &mut flags.rst,
                'P' => &mut flags.psh,
                'E' => &mut flags.ece,
                'W' => &mut flags.cwr,
                'A' => &mut flags.ae,
                '0'..='7' => {
                    ace(letter as u8 - b'0', flags);
                    continue;
                }
                'U' => return Err(self.here("the flag U (urgent data) is not supported")),
                _ => {
                    return Err(self
                        .here(format!("`{letter}` is no TCP flag; they are S F R P E W A and `.` for ACK")));
                }
            };
            *flag = true;
        }
        Ok(())
    }

    /// `1:1001(1000)`.
    fn sequence(&mut self) -> Parsed<(u32, u16)> {
        let at = self.at();
        let seq: u32 = self.field("the sequence number")?;
        self.wants(':')?;
        let end: u32 = self.field("the sequence number after the data")?;
        self.wants('(')?;
        let len: u16 = self.field("the length of the data")?;
        self.wants(')')?;
        let right = seq.wrapping_add(u32::from(len));
        if right != end {
            return Err(Problem::new(
                at,
                format!("{seq}:{end}({len}) does not agree; {len} bytes from {seq} end at {right}"),
            ));
        }
        Ok((seq, len))
    }

    fn options(&mut self, direction: Direction) -> Parsed<Options> {
        if !self.takes('<') {
            return Ok(Options::List(Vec::new()));
        }
        if self.peek() == Some(&Token::Ellipsis) {
            if direction == Direction::Inbound {
                return Err(self.here("<...> is for outbound segments only; write which options come"));
            }
            self.next += 1;
            self.wants('>')?;
            return Ok(Options::Any);
        }
        self.option_list().map(Options::List)
    }
}
