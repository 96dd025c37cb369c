//! TCP options: `mss 1460,nop,nop,sack 1001:2001 3001:4001,TS val 100 ecr 200`.

use super::{Parsed, Parser};
use crate::drill::lexer::Token;
use crate::drill::problem::Problem;
use crate::drill::syntax::TcpOption;

/// Bytes that the options of a header may have.
const MOST_BYTES: usize = 40;
const KNOWN: &str = "a TCP option: mss, wscale, sackOK, sack, TS, ECN, nop or eol";
/// The counters of the two orders of the AccECN option; the first one tells which it is.
const COUNTERS: [[&str; 3]; 2] = [["e0b", "ceb", "e1b"], ["e1b", "ceb", "e0b"]];

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
            return Err(Problem::new(at, message));
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
            "ECN" => self.accecn(),
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

    /// `ECN e1b 1 ceb 0 e0b 1`, without some at the end or with all.
    fn accecn(&mut self) -> Parsed<TcpOption> {
        let starts_with = |name: &str| self.peek() == Some(&Token::Word(name.to_owned()));
        let ect1_first = !starts_with(COUNTERS[0][0]);
        let mut counters = Vec::new();
        for name in COUNTERS[usize::from(ect1_first)] {
            if !self.takes_word(name) {
                break;
            }
            let at = self.at();
            let counter: u32 = self.field("a counter of bytes")?;
            if counter >> 24 != 0 {
                return Err(Problem::new(at, format!("{counter} does not fit into 24 bits")));
            }
            counters.push(u64::from(counter));
        }
        Ok(TcpOption::AccEcn(tcp::AccEcn::new(ect1_first, &counters)))
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
        TcpOption::AccEcn(accecn) => accecn.bytes() as usize,
    }
}
