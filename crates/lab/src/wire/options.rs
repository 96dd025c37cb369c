//! TCP options as bytes, both ways.
//!
//! Each option takes whole words, with NOPs before it; SACK-permitted stands, before timestamps, in the place of theirs. The
//! order is that in which stacks send them. Options that fit only without NOPs stand without.

use super::{Error, on_wire};
use etherparse::{TcpOptionElement, TcpOptionReadError, TcpOptions, TcpOptionsIterator};
use tcp::{AccEcn, SackBlocks, Segment, Timestamps};

const NOP: u8 = 1;
const MSS: u8 = 2;
const WINDOW_SCALE: u8 = 3;
const SACK_PERMITTED: u8 = 4;
const SACK: u8 = 5;
const TIMESTAMPS: u8 = 8;
/// The two orders of the AccECN option (RFC 9768, section 3.2.3).
const ACCECN: [u8; 2] = [172, 174];

/// The options of a segment, without the SACK blocks for which there is no room.
pub(super) fn encode(segment: &Segment, acked_isn: u32) -> Vec<u8> {
    let blocks = segment.sack.as_slice();
    (0..=blocks.len())
        .rev()
        .flat_map(|most| [true, false].map(|aligned| laid_out(segment, &blocks[..most], acked_isn, aligned)))
        .find(|options| options.len() <= TcpOptions::MAX_LEN)
        .expect("without SACK blocks there is room for the others")
}

fn laid_out(segment: &Segment, blocks: &[(u64, u64)], acked_isn: u32, aligned: bool) -> Vec<u8> {
    let mut options = Options { bytes: Vec::new(), aligned };
    if let Some(mss) = segment.mss {
        options.push(MSS, &mss.to_be_bytes());
    }
    if segment.sack_permitted {
        // Two bytes of NOPs fewer stand before the timestamps then.
        options.push_before(
            SACK_PERMITTED,
            &[],
            if segment.timestamps.is_some() { TIMESTAMPS_BYTES } else { 0 },
        );
    }
    if let Some(Timestamps { value, echo }) = segment.timestamps {
        options.push(TIMESTAMPS, &[value.to_be_bytes(), echo.to_be_bytes()].concat());
    }
    if let Some(shift) = segment.window_scale {
        options.push(WINDOW_SCALE, &[shift]);
    }
    if let Some(accecn) = &segment.accecn {
        let fields: Vec<u8> =
            accecn.fields().flat_map(|field| field.to_be_bytes().into_iter().skip(1)).collect();
        options.push(ACCECN[usize::from(accecn.ect1_first)], &fields);
    }
    if !blocks.is_empty() {
        let edges = blocks.iter().flat_map(|&(left, right)| [left, right]);
        let edges: Vec<u8> = edges.flat_map(|edge| on_wire(edge, acked_isn).to_be_bytes()).collect();
        options.push(SACK, &edges);
    }
    options.bytes
}

/// Bytes of the timestamps option.
const TIMESTAMPS_BYTES: usize = 10;

struct Options {
    bytes: Vec<u8>,
    aligned: bool,
}

impl Options {
    fn push(&mut self, kind: u8, value: &[u8]) {
        self.push_before(kind, value, 0);
    }

    /// Appends an option after which an option of so many bytes follows, so that both end with a word.
    fn push_before(&mut self, kind: u8, value: &[u8], following: usize) {
        let bytes = 2 + value.len();
        let end = self.bytes.len() + bytes + following;
        if self.aligned {
            self.bytes.extend(std::iter::repeat_n(NOP, end.next_multiple_of(4) - end));
        }
        self.bytes.extend([kind, bytes as u8]);
        self.bytes.extend(value);
    }
}

/// Sets the fields of a segment from its options; `unwrap` converts the edges of SACK blocks.
pub(super) fn decode(
    mut segment: Segment,
    mut rest: &[u8],
    unwrap: impl Fn(u32) -> u64,
) -> Result<Segment, Error> {
    loop {
        let mut option = TcpOptionsIterator::from_slice(rest);
        match option.next() {
            None => return Ok(segment),
            Some(Ok(element)) => {
                take_option(&mut segment, &element, &unwrap);
                rest = option.rest();
            }
            // RFC 9293 section 3.1: an option that is not known has a length and is ignored.
            Some(Err(error @ TcpOptionReadError::UnknownId(kind))) => {
                let bytes = rest.get(1).map_or(0, |&bytes| usize::from(bytes));
                let option = (bytes >= 2).then(|| rest.split_at_checked(bytes)).flatten();
                let (option, after) = option.ok_or_else(|| Error::Option(error.to_string()))?;
                if let Some(order) = ACCECN.iter().position(|&its| its == kind) {
                    segment.accecn = Some(Box::new(accecn(order == 1, &option[2..])));
                }
                rest = after;
            }
            Some(Err(error)) => return Err(Error::Option(error.to_string())),
        }
    }
}

/// RFC 9768, section 3.2.3: of a length that is not known the whole counters count.
fn accecn(ect1_first: bool, value: &[u8]) -> AccEcn {
    let counters =
        value.chunks_exact(3).map(|bytes| u64::from(u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]])));
    let counters: Vec<u64> = counters.collect();
    AccEcn::new(ect1_first, &counters)
}

fn take_option(segment: &mut Segment, element: &TcpOptionElement, unwrap: impl Fn(u32) -> u64) {
    match *element {
        TcpOptionElement::Noop => {}
        TcpOptionElement::MaximumSegmentSize(mss) => segment.mss = Some(mss),
        TcpOptionElement::WindowScale(shift) => segment.window_scale = Some(shift),
        TcpOptionElement::SelectiveAcknowledgementPermitted => segment.sack_permitted = true,
        TcpOptionElement::SelectiveAcknowledgement(first, others) => {
            let blocks = [Some(first)].into_iter().chain(others).flatten();
            let blocks = blocks.map(|(left, right)| (unwrap(left), unwrap(right)));
            segment.sack = blocks.collect::<SackBlocks>();
        }
        TcpOptionElement::Timestamp(value, echo) => segment.timestamps = Some(Timestamps { value, echo }),
    }
}
