//! The connection under test, in the numbers of the script.
//!
//! In a script a SYN has the numbers of the header, and every other segment numbers relative to
//! the initial ones, as tcpdump prints them; all have 32 bits. The endpoint counts in 64 bits from
//! 0. A number of the script stands for the number nearest to the next expected one.

use super::syntax::{Direction, Flags, IpField, Options, SegmentLine, TcpOption};
use base::Time;
use std::collections::BTreeMap;
use tcp::{Connection, Ecn, Segment, Timestamps};

/// A segment that the endpoint has sent, as the script would write it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sent {
    pub(super) at: Time,
    pub(super) line: SegmentLine,
}

/// The connection, its initial sequence numbers in the script, and the script's timestamps.
pub(super) struct Endpoint {
    pub(super) connection: Connection,
    /// The MSS of its SYN, bytes.
    pub(super) advertised_mss: u32,
    local_isn: u32,
    remote_isn: u32,
    /// Timestamp values that the endpoint sent, by those of the script.
    echoes: BTreeMap<u32, u32>,
    /// The script's value less the endpoint's, from the first segment that has both.
    shift: Option<u32>,
}

impl Endpoint {
    pub(super) fn new(connection: Connection, advertised_mss: u32, local_isn: u32) -> Self {
        Self { connection, advertised_mss, local_isn, remote_isn: 0, echoes: BTreeMap::new(), shift: None }
    }

    /// A segment of the script as the endpoint receives it.
    pub(super) fn received(&mut self, line: &SegmentLine) -> Segment {
        let syn = line.flags.syn;
        if syn && self.connection.delivered() == 0 {
            self.remote_isn = line.seq;
        }
        let ahead = self.connection.delivered() + 1;
        let sent = self.connection.sender().snd_max;
        let seq =
            if syn { nearest(line.seq.wrapping_sub(self.remote_isn), 0) } else { nearest(line.seq, ahead) };
        let ack = line.ack.unwrap_or(0).wrapping_sub(if syn { self.local_isn } else { 0 });
        let mut segment = Segment {
            seq,
            len: u32::from(line.len),
            ack: line.flags.ack.then(|| nearest(ack, sent)),
            syn,
            fin: line.flags.fin,
            rst: line.flags.rst,
            psh: line.flags.psh,
            ae: line.flags.ae,
            ece: line.flags.ece,
            cwr: line.flags.cwr,
            ecn: codepoint(line.ip),
            window: line.window.unwrap_or(0),
            ..Segment::default()
        };
        if let Options::List(options) = &line.options {
            options.iter().for_each(|option| self.take_option(&mut segment, option, sent));
        }
        segment
    }

    fn take_option(&self, segment: &mut Segment, option: &TcpOption, sent: u64) {
        match option {
            TcpOption::Nop | TcpOption::Eol => {}
            TcpOption::Mss(mss) => segment.mss = Some(*mss),
            TcpOption::WindowScale(scale) => segment.window_scale = Some(*scale),
            TcpOption::SackPermitted => segment.sack_permitted = true,
            TcpOption::Sack(blocks) => {
                segment.sack =
                    blocks.iter().map(|block| (nearest(block.0, sent), nearest(block.1, sent))).collect();
            }
            TcpOption::Timestamps { value, echo } => {
                let echo = if segment.ack.is_some() { self.echoed(*echo) } else { *echo };
                segment.timestamps = Some(Timestamps { value: *value, echo });
            }
            TcpOption::AccEcn(accecn) => segment.accecn = Some(Box::new(*accecn)),
        }
    }

    /// The endpoint's own value for an echo in the script.
    fn echoed(&self, echo: u32) -> u32 {
        let exact = self.echoes.get(&echo).copied();
        exact.unwrap_or_else(|| echo.wrapping_sub(self.shift.unwrap_or(0)))
    }

    /// A segment of the endpoint, as the script would write it.
    pub(super) fn sent(&self, at: Time, segment: &Segment) -> Sent {
        let (own, other) = if segment.syn { (self.local_isn, self.remote_isn) } else { (0, 0) };
        let line = SegmentLine {
            direction: Direction::Outbound,
            ip: Some(match segment.ecn {
                Ecn::NotEct => IpField::NotEct,
                Ecn::Ect1 => IpField::Ect1,
                Ecn::Ect0 => IpField::Ect0,
                Ecn::Ce => IpField::Ce,
            }),
            flags: Flags {
                syn: segment.syn,
                fin: segment.fin,
                rst: segment.rst,
                psh: segment.psh,
                ack: segment.ack.is_some(),
                ece: segment.ece,
                cwr: segment.cwr,
                ae: segment.ae,
            },
            seq: (segment.seq as u32).wrapping_add(own),
            len: segment.len.min(u32::from(u16::MAX)) as u16,
            ack: segment.ack.map(|ack| (ack as u32).wrapping_add(other)),
            window: Some(segment.window),
            options: Options::List(options_of(segment)),
        };
        Sent { at, line }
    }

    /// Puts the script's clock for the endpoint's into a segment, after the first pair of values
    /// has reported how they differ.
    pub(super) fn on_script_clock(&mut self, line: &mut SegmentLine, expected: &SegmentLine) {
        let Some((script, _)) = timestamps(expected) else { return };
        let Options::List(options) = &mut line.options else { return };
        for option in options {
            if let TcpOption::Timestamps { value, .. } = option {
                self.echoes.insert(script, *value);
                *value = value.wrapping_add(*self.shift.get_or_insert(script.wrapping_sub(*value)));
            }
        }
    }
}

/// Timestamp value and echo of a segment.
pub(super) fn timestamps(line: &SegmentLine) -> Option<(u32, u32)> {
    let Options::List(options) = &line.options else { return None };
    options.iter().find_map(|option| match option {
        TcpOption::Timestamps { value, echo } => Some((*value, *echo)),
        _ => None,
    })
}

/// Options in the order in which stacks write them.
fn options_of(segment: &Segment) -> Vec<TcpOption> {
    let mut options: Vec<TcpOption> = segment.mss.map(TcpOption::Mss).into_iter().collect();
    if segment.sack_permitted {
        options.push(TcpOption::SackPermitted);
    }
    options.extend(
        segment.timestamps.map(|stamps| TcpOption::Timestamps { value: stamps.value, echo: stamps.echo }),
    );
    options.extend(segment.window_scale.map(TcpOption::WindowScale));
    options.extend(segment.accecn.as_deref().copied().map(TcpOption::AccEcn));
    let blocks = segment.sack.as_slice();
    if !blocks.is_empty() {
        options.push(TcpOption::Sack(blocks.iter().map(|block| (block.0 as u32, block.1 as u32)).collect()));
    }
    options
}

fn codepoint(ip: Option<IpField>) -> Ecn {
    let bits = match ip {
        None | Some(IpField::NotEct | IpField::AnyEct) => 0,
        Some(IpField::Ect1) => 1,
        Some(IpField::Ect0) => 2,
        Some(IpField::Ce) => 3,
        Some(IpField::Tos(octet)) => octet & 3,
    };
    [Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce][usize::from(bits)]
}

/// The number nearest to `expected` whose low 32 bits are these; 0 for one before the start.
pub(super) fn nearest(low: u32, expected: u64) -> u64 {
    let ahead = low.wrapping_sub(expected as u32).cast_signed();
    expected.saturating_add_signed(i64::from(ahead))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_for_the_nearest() {
        assert_eq!(nearest(5, 1), 5);
        assert_eq!(nearest(0xffff_fff0, (1 << 32) + 16), (1 << 32) - 16);
        assert_eq!(nearest(16, (1 << 32) - 16), (1 << 32) + 16);
        assert_eq!(nearest(0xffff_ffff, 1), 0);
    }
}
