//! What goes over the wire. Data has a length and no content.

use base::Ecn;
use std::fmt;

/// Bytes of an IPv4 header and a TCP header, both without options.
pub const HEADER_BYTES: u32 = 40;

/// SACK blocks in one segment: at most four, or three beside a timestamp (RFC 2018, section 3).
pub const MAX_SACK_BLOCKS: usize = 4;

/// Bytes of options that a header has room for.
pub(crate) const MOST_OPTION_BYTES: u32 = 40;

/// Bytes of the timestamps option with the two NOPs that align it.
pub const TIMESTAMPS_BYTES: u32 = 12;

/// The AccECN option (RFC 9768, section 3.2.3): the low 24 bits of counters of payload bytes by their ECN field. Those at its
/// end may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccEcn {
    /// Order 1: ECT(1), CE, ECT(0). Else order 0: ECT(0), CE, ECT(1).
    pub ect1_first: bool,
    len: u8,
    fields: [[u8; 3]; MOST_COUNTERS],
}

/// Counters in an AccECN option.
const MOST_COUNTERS: usize = 3;

impl AccEcn {
    /// The low bits of these counters, in the order of the option; three at most.
    #[must_use]
    pub fn new(ect1_first: bool, counters: &[u64]) -> Self {
        let mut option = Self { ect1_first, ..Self::default() };
        for (field, counter) in option.fields.iter_mut().zip(counters) {
            let [.., a, b, c] = counter.to_be_bytes();
            *field = [a, b, c];
            option.len += 1;
        }
        option
    }

    /// The low 24 bits of its counters, in its order.
    pub fn fields(&self) -> impl Iterator<Item = u32> {
        let Self { len, fields, .. } = *self;
        fields.into_iter().take(usize::from(len)).map(|[a, b, c]| u32::from_be_bytes([0, a, b, c]))
    }

    /// The low 24 bits of the counter of payload bytes that came with this field, if the option has it.
    #[must_use]
    pub fn counter(&self, ecn: Ecn) -> Option<u32> {
        let at = match ecn {
            Ecn::NotEct => return None,
            Ecn::Ce => 1,
            Ecn::Ect1 => {
                if self.ect1_first {
                    0
                } else {
                    2
                }
            }
            Ecn::Ect0 => {
                if self.ect1_first {
                    2
                } else {
                    0
                }
            }
        };
        self.fields().nth(at)
    }

    /// Bytes of it in a header: kind, length, counters.
    #[must_use]
    pub const fn bytes(&self) -> u32 {
        2 + 3 * self.len as u32
    }
}

/// The timestamps option (RFC 7323, section 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timestamps {
    /// TSval: the sender's clock.
    pub value: u32,
    /// TSecr: the clock of the other end that is echoed.
    pub echo: u32,
}

/// A TCP segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// Sequence number of the SYN, or of the first byte.
    pub seq: u64,
    /// Bytes of data.
    pub len: u32,
    /// Cumulative acknowledgment; none without the ACK flag.
    pub ack: Option<u64>,
    /// Opens a connection.
    pub syn: bool,
    /// Ends a direction.
    pub fin: bool,
    /// Ends the connection at once.
    pub rst: bool,
    /// The sender had nothing more to send.
    pub psh: bool,
    /// Accurate ECN; with CWR and ECE it is a counter of three bits, once both ends have agreed to it.
    pub ae: bool,
    /// ECN-Echo.
    pub ece: bool,
    /// Congestion window reduced.
    pub cwr: bool,
    /// ECN field of the IP header.
    pub ecn: Ecn,
    /// Advertised window as in the header: unscaled in a SYN, else to be shifted.
    pub window: u16,
    /// Window scale option (SYN only).
    pub window_scale: Option<u8>,
    /// Maximum segment size option (SYN only), bytes.
    pub mss: Option<u16>,
    /// SACK-permitted option (SYN only).
    pub sack_permitted: bool,
    /// SACK option.
    pub sack: SackBlocks,
    /// Timestamps option.
    pub timestamps: Option<Timestamps>,
    /// AccECN option. Most segments have none.
    pub accecn: Option<Box<AccEcn>>,
}

impl Segment {
    /// The sequence number after this segment.
    #[must_use]
    pub const fn end(&self) -> u64 {
        self.seq + self.len as u64 + self.syn as u64 + self.fin as u64
    }

    /// Whether it does nothing but acknowledge.
    #[must_use]
    pub const fn is_bare_ack(&self) -> bool {
        self.len == 0 && self.ack.is_some() && !self.syn && !self.fin && !self.rst
    }

    /// The ACK of a FIN whose connection has been forgotten: what TIME-WAIT answers (RFC 9293,
    /// section 3.10.7.8).
    #[must_use]
    pub fn late_ack(&self) -> Option<Self> {
        let seq = self.ack.filter(|_| self.fin && !self.rst)?;
        let echo = |stamp: Timestamps| Timestamps { value: stamp.echo, echo: stamp.value };
        let timestamps = self.timestamps.map(echo);
        Some(Self { seq, ack: Some(self.end()), timestamps, ..Self::default() })
    }

    /// Length as an IPv4 packet, bytes: headers, options padded to words, data.
    #[inline]
    #[must_use]
    pub fn packet_bytes(&self) -> u32 {
        let mut options = 0;
        if self.mss.is_some() {
            options += 4;
        }
        if self.window_scale.is_some() {
            options += 4;
        }
        if self.timestamps.is_some() {
            options += TIMESTAMPS_BYTES;
        }
        // Beside timestamps, SACK-permitted takes the place of their two NOPs.
        if self.sack_permitted && self.timestamps.is_none() {
            options += 4;
        }
        options += self.sack.packet_bytes();
        if let Some(accecn) = &self.accecn {
            options += accecn.bytes().next_multiple_of(4);
        }
        HEADER_BYTES + options + self.len
    }
}

impl fmt::Display for Segment {
    /// In the style of tcpdump: `1:1025(1024) ack 129 win 65535 <sack 2049:3073>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = [
            (self.syn, "SYN "),
            (self.fin, "FIN "),
            (self.rst, "RST "),
            (self.ae, "AE "),
            (self.ece, "ECE "),
            (self.cwr, "CWR "),
            (self.ecn == Ecn::Ce, "CE "),
        ];
        for (_, flag) in flags.iter().filter(|flag| flag.0) {
            f.write_str(flag)?;
        }
        if self.len > 0 || self.syn || self.fin {
            write!(f, "{}:{}({}) ", self.seq, self.seq + u64::from(self.len), self.len)?;
        }
        if let Some(ack) = self.ack {
            write!(f, "ack {ack} ")?;
        }
        write!(f, "win {}", self.window)?;
        for (left, right) in self.sack.as_slice() {
            write!(f, " <sack {left}:{right}>")?;
        }
        if let Some(Timestamps { value, echo }) = self.timestamps {
            write!(f, " <TS val {value} ecr {echo}>")?;
        }
        if let Some(accecn) = &self.accecn {
            write!(f, " <{accecn}>")?;
        }
        Ok(())
    }
}

impl fmt::Display for AccEcn {
    /// In the style of packetdrill: `ECN e1b 1 ceb 0 e0b 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = if self.ect1_first { ["e1b", "ceb", "e0b"] } else { ["e0b", "ceb", "e1b"] };
        f.write_str("ECN")?;
        names.iter().zip(self.fields()).try_for_each(|(name, field)| write!(f, " {name} {field}"))
    }
}

/// The blocks of a SACK option, each as (left edge, right edge). Most segments have none, and go
/// from hand to hand: so the blocks are kept apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SackBlocks(Option<Box<Blocks>>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Blocks {
    blocks: [(u64, u64); MAX_SACK_BLOCKS],
    len: usize,
}

impl SackBlocks {
    /// Bytes of the option, with the NOPs that align it; 0 without blocks.
    #[inline]
    pub(crate) fn packet_bytes(&self) -> u32 {
        self.0.as_ref().map_or(0, |blocks| if blocks.len > 0 { 4 + 8 * blocks.len as u32 } else { 0 })
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// The blocks, most recent first.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[(u64, u64)] {
        self.0.as_ref().map_or(&[], |blocks| &blocks.blocks[..blocks.len])
    }
}

impl FromIterator<(u64, u64)> for SackBlocks {
    /// Takes the first [`MAX_SACK_BLOCKS`].
    fn from_iter<I: IntoIterator<Item = (u64, u64)>>(blocks: I) -> Self {
        let mut option: Option<Box<Blocks>> = None;
        for block in blocks.into_iter().take(MAX_SACK_BLOCKS) {
            let option = option.get_or_insert_default();
            option.blocks[option.len] = block;
            option.len += 1;
        }
        Self(option)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_with_and_without_options() {
        let syn = Segment {
            syn: true,
            mss: Some(1024),
            window_scale: Some(5),
            sack_permitted: true,
            ..Segment::default()
        };
        assert_eq!(syn.packet_bytes(), 52);
        let with_timestamps = Segment { timestamps: Some(Timestamps::default()), ..syn.clone() };
        assert_eq!(with_timestamps.packet_bytes(), 60);
        let sack = [(10, 20), (30, 40), (50, 60)].into_iter().collect();
        assert_eq!(Segment { ack: Some(5), sack, ..Segment::default() }.packet_bytes(), 68);
        assert_eq!(Segment { len: 1024, ..Segment::default() }.packet_bytes(), 1064);
    }

    /// RFC 9768, table 5: 2, 5, 8 or 11 bytes, which take whole words.
    #[test]
    fn accecn_has_its_counters_in_either_order_and_may_be_cut() {
        for (counters, bytes) in [(0, 44), (1, 48), (2, 48), (3, 52)] {
            let option = AccEcn::new(true, &[7, 8, 9][..counters]);
            let ack = Segment { ack: Some(5), accecn: Some(Box::new(option)), ..Segment::default() };
            assert_eq!(ack.packet_bytes(), bytes);
            let found = [Ecn::Ect1, Ecn::Ce, Ecn::Ect0].map(|ecn| option.counter(ecn));
            let all = [Some(7), Some(8), Some(9)];
            assert!((0..3).all(|n| found[n] == all[n].filter(|_| n < counters)), "{found:?}");
        }
        let option = AccEcn::new(false, &[1 << 24 | 5, 8, 9]);
        assert_eq!(option.to_string(), "ECN e0b 5 ceb 8 e1b 9");
        assert_eq!((option.counter(Ecn::Ect0), option.counter(Ecn::NotEct)), (Some(5), None));
    }

    #[test]
    fn a_late_fin_gets_the_ack_of_time_wait_and_nothing_else_does() {
        let stamps = Some(Timestamps { value: 7, echo: 3 });
        let fin = Segment { seq: 10, ack: Some(55), fin: true, timestamps: stamps, ..Segment::default() };
        let ack = fin.late_ack().unwrap();
        assert_eq!((ack.seq, ack.ack, ack.fin), (55, Some(11), false));
        assert_eq!(ack.timestamps, Some(Timestamps { value: 3, echo: 7 }));
        assert_eq!(Segment { fin: false, ..fin.clone() }.late_ack(), None);
        assert_eq!(Segment { rst: true, ..fin }.late_ack(), None);
    }

    #[test]
    fn reads_like_tcpdump() {
        let sack = [(2049, 3073)].into_iter().collect();
        let segment =
            Segment { seq: 1, len: 1024, ack: Some(129), window: 65535, sack, ..Segment::default() };
        assert_eq!(segment.to_string(), "1:1025(1024) ack 129 win 65535 <sack 2049:3073>");
    }
}
