//! TCP options: `mss 1460,nop,nop,sack 1001:2001 3001:4001,TS val 100 ecr 200`.

use super::{Parsed, Parser};
use crate::drill::lexer::Token;
use crate::drill::syntax::TcpOption;

/// Bytes that the options of a header may have.
const MOST_BYTES: usize = 40;
const KNOWN: &str = "a TCP option: mss, wscale, sackOK, sack, TS, nop or eol";

impl Parser {
    /// Options up to the closing `>`.
    pub(super) fn option_list(&mut self) -> Parsed<Vec<TcpOption>> {
        let at = self.at();
        let mut options = vec![self.option()?];
        while self.takes(',') {
            options.push(self.option()?);
        }
        if self.peek() != Some(&Token::Sign('>')) {
            return Err(self.expected("`,` and a further option, or `>`"));
        }
        self.next += 1;
        let bytes: usize = options.iter().map(bytes_of).sum();
        if bytes > MOST_BYTES {
            let message = format!("these options have {bytes} bytes; a header has room for {MOST_BYTES}");
            return Err(crate::drill::problem::Problem::new(at, message));
        }
        Ok(options)
    }

    fn option(&mut self) -> Parsed<TcpOption> {
        let Some(Token::Word(name)) = self.peek().cloned() else {
            return Err(self.expected(KNOWN));
        };
        if matches!(name.as_str(), "md5" | "FO" | "FOEXP" | "mp_capable" | "AO") {
            return Err(self.here(format!("the TCP option `{name}` is not supported")));
        }
        let from = self.next;
        self.next += 1;
        match name.as_str() {
            "nop" => Ok(TcpOption::Nop),
            "eol" => Ok(TcpOption::Eol),
            "mss" => self.field("the segment size").map(TcpOption::Mss),
            "wscale" => self.field("the window scale").map(TcpOption::WindowScale),
            "sackOK" => Ok(TcpOption::SackPermitted),
            "sack" => self.blocks().map(TcpOption::Sack),
            "TS" => self.timestamps(),
            _ => {
                self.next = from;
                Err(self.expected(KNOWN))
            }
        }
    }

    /// One or more `left:right`.
    fn blocks(&mut self) -> Parsed<Vec<(u32, u32)>> {
        let mut blocks = Vec::new();
        while blocks.is_empty() || matches!(self.peek(), Some(Token::Integer(_))) {
            let left = self.field("the left edge of a block")?;
            self.wants(':')?;
            blocks.push((left, self.field("the right edge of a block")?));
        }
        Ok(blocks)
    }

    fn timestamps(&mut self) -> Parsed<TcpOption> {
        if !self.takes_word("val") {
            return Err(self.expected("`val` and the value, as in TS val 100 ecr 200"));
        }
        let value = self.field("the timestamp value")?;
        if !self.takes_word("ecr") {
            return Err(self.expected("`ecr` and the echo, as in TS val 100 ecr 200"));
        }
        Ok(TcpOption::Timestamps { value, echo: self.field("the timestamp echo")? })
    }
}

fn bytes_of(option: &TcpOption) -> usize {
    match option {
        TcpOption::Nop | TcpOption::Eol => 1,
        TcpOption::Mss(_) => 4,
        TcpOption::WindowScale(_) => 3,
        TcpOption::SackPermitted => 2,
        TcpOption::Sack(blocks) => 2 + 8 * blocks.len(),
        TcpOption::Timestamps { .. } => 10,
    }
}
