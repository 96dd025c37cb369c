//! Segments as bytes: encodes and decodes IPv4 and TCP headers with options and correct checksums.
//!
//! Source: RFC 791, RFC 9293 (header, MSS), RFC 7323 (window scale, timestamps), RFC 2018 (SACK),
//! RFC 3168 (ECN), RFC 9768 (AccECN). A wire has 32-bit sequence numbers that begin at an initial one; a
//! [`tcp::Segment`] has 64-bit numbers that begin at 0. [`encode`] adds the initial number and keeps
//! the low half; [`decode`] takes the number nearest to the expected one.
//!
//! Each option takes whole words, so that a packet is as long as [`tcp::Segment::packet_bytes`] says. SACK blocks for
//! which there is no room in the 40 bytes of options are left out (RFC 2018 section 3). Not there: urgent data, fragments.
//!
//! The simulator's data have no content. On a wire, the byte at position `p` of a stream is
//! [`content`]`(p)`, so a receiver can check whether it got the right bytes.

use core::net::Ipv4Addr;
use etherparse::checksum::Sum16BitWords;
use etherparse::err::LenError;
use etherparse::{IpDscp, IpEcn, IpNumber, Ipv4Header, Ipv4Slice, TcpHeader, TcpSlice};
use tcp::{Ecn, Segment};

/// The longest IPv4 packet, bytes.
pub const MAX_PACKET_BYTES: u32 = 65_535;

const TIME_TO_LIVE: u8 = 64;

/// One end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Its address.
    pub address: Ipv4Addr,
    /// Its port.
    pub port: u16,
    /// Its initial sequence number: that of its SYN.
    pub isn: u32,
}

/// Source and destination of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoints {
    /// Who sends it.
    pub source: Endpoint,
    /// Who is to have it.
    pub destination: Endpoint,
    /// The DSCP of the packet (RFC 2474).
    pub dscp: u8,
}

impl Endpoints {
    /// Those of the other direction.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { source: self.destination, destination: self.source, ..self }
    }
}

/// Numbers near which those of the next segment are expected: at most 2^31 away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Near {
    /// Near its sequence number; the receiver's `rcv_nxt` will do.
    pub seq: u64,
    /// Near its acknowledgment number; the receiver's `snd_una` will do.
    pub ack: u64,
}

/// Why bytes are not a segment between two endpoints.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The packet is shorter than its headers say.
    #[error("cut short: {0}")]
    Short(LenError),
    /// A header contradicts itself.
    #[error("no IPv4 or TCP header: {0}")]
    Header(String),
    /// It is not TCP in a single IPv4 packet.
    #[error("not an unfragmented TCP segment")]
    NotTcp,
    /// It is between other endpoints.
    #[error("from {0}:{1} to {2}:{3}: another connection")]
    Stranger(Ipv4Addr, u16, Ipv4Addr, u16),
    /// The checksum of the IPv4 header is wrong.
    #[error("the checksum of the IPv4 header is {0:#06x} and should be {1:#06x}")]
    HeaderChecksum(u16, u16),
    /// The checksum of the segment is wrong.
    #[error("the checksum of the segment is {0:#06x} and should be {1:#06x}")]
    Checksum(u16, u16),
    /// An option is not as its RFC says.
    #[error("a bad TCP option: {0}")]
    Option(String),
    /// A byte of data is not [`content`] of its position.
    #[error("the byte at position {0} of the stream is not the one that was sent")]
    Content(u64),
}

/// The byte at a position of a stream; the first byte after the SYN is at position 0.
///
/// It depends on the low 32 bits of the position, so data that were moved or left out are detected.
#[must_use]
pub const fn content(position: u64) -> u8 {
    (position ^ position >> 8 ^ position >> 16 ^ position >> 24) as u8
}

/// The position in its stream of a segment's first byte of data.
const fn first_position(segment: &Segment) -> u64 {
    // The SYN has number 0 and the first byte number 1.
    segment.seq.wrapping_add(segment.syn as u64).wrapping_sub(1)
}

/// A segment as an IPv4 packet.
///
/// # Panics
/// If the packet would be longer than [`MAX_PACKET_BYTES`].
#[must_use]
pub fn encode(segment: &Segment, endpoints: &Endpoints) -> Vec<u8> {
    encode_numbered(segment, endpoints, 0)
}

/// A segment as an IPv4 packet with this number in the identification field, by which tools distinguish
/// a packet that a link has duplicated from one that was sent twice.
///
/// # Panics
/// As [`encode`].
#[must_use]
pub fn encode_numbered(segment: &Segment, endpoints: &Endpoints, identification: u16) -> Vec<u8> {
    let first = first_position(segment);
    let data: Vec<u8> = (0..u64::from(segment.len)).map(|at| content(first.wrapping_add(at))).collect();
    let Endpoints { source, destination, .. } = endpoints;
    let (from, to) = (source.address.octets(), destination.address.octets());
    let mut tcp = tcp_header(segment, endpoints);
    let bytes = tcp.header_len() + data.len();
    let mut ip = u16::try_from(bytes)
        .ok()
        .and_then(|bytes| Ipv4Header::new(bytes, TIME_TO_LIVE, IpNumber::TCP, from, to).ok())
        .expect("a segment fits into an IPv4 packet");
    ip.ecn = ip_ecn(segment.ecn);
    ip.dscp = ip_dscp(endpoints.dscp);
    ip.identification = identification;
    ip.header_checksum = ip.calc_header_checksum();
    tcp.checksum = tcp.calc_checksum_ipv4(&ip, &data).expect("the length was checked");
    [&ip.to_bytes()[..], &tcp.to_bytes(), &data].concat()
}

fn tcp_header(segment: &Segment, endpoints: &Endpoints) -> TcpHeader {
    let Endpoints { source, destination, .. } = endpoints;
    let seq = on_wire(segment.seq, source.isn);
    let mut tcp = TcpHeader::new(source.port, destination.port, seq, segment.window);
    tcp.ack = segment.ack.is_some();
    tcp.acknowledgment_number = segment.ack.map_or(0, |ack| on_wire(ack, destination.isn));
    tcp.syn = segment.syn;
    tcp.fin = segment.fin;
    tcp.rst = segment.rst;
    tcp.psh = segment.psh;
    tcp.ns = segment.ae;
    tcp.ece = segment.ece;
    tcp.cwr = segment.cwr;
    tcp.set_options_raw(&options::encode(segment, destination.isn))
        .expect("SACK blocks are cut to what has room");
    tcp
}

/// The segment in an IPv4 packet from `endpoints.source` to `endpoints.destination`.
///
/// Options that are not known, the urgent pointer, and whatever follows the packet are ignored.
///
/// # Errors
/// If a header, an option, a checksum or a byte of data is wrong, or the packet belongs to somebody
/// else; see [`Error`].
pub fn decode(packet: &[u8], endpoints: &Endpoints, near: Near) -> Result<Segment, Error> {
    let (segment, data) = decode_any_content(packet, endpoints, near)?;
    let first = first_position(&segment);
    let positions = (0..).map(|at| first.wrapping_add(at));
    match positions.zip(data).find(|&(position, &byte)| byte != content(position)) {
        Some((position, _)) => Err(Error::Content(position)),
        None => Ok(segment),
    }
}

/// As [`decode`] for data of any content, which is returned beside the segment.
///
/// # Errors
/// As [`decode`], but for [`Error::Content`].
pub fn decode_any_content<'a>(
    packet: &'a [u8],
    endpoints: &Endpoints,
    near: Near,
) -> Result<(Segment, &'a [u8]), Error> {
    let (ecn, tcp) = tcp_slice(packet, endpoints)?;
    let Endpoints { source, destination, .. } = endpoints;
    let ack = tcp.ack().then(|| near_to(near.ack, tcp.acknowledgment_number(), destination.isn));
    let segment = Segment {
        seq: near_to(near.seq, tcp.sequence_number(), source.isn),
        len: tcp.payload().len() as u32,
        ack,
        syn: tcp.syn(),
        fin: tcp.fin(),
        rst: tcp.rst(),
        psh: tcp.psh(),
        ae: tcp.ns(),
        ece: tcp.ece(),
        cwr: tcp.cwr(),
        ecn,
        window: tcp.window_size(),
        ..Segment::default()
    };
    let sacks_near = ack.unwrap_or(near.ack);
    let segment = options::decode(segment, tcp.options(), |edge| near_to(sacks_near, edge, destination.isn))?;
    Ok((segment, tcp.payload()))
}

/// What the checksum of a header should be. Of its bytes: parsed, it lacks the reserved bit.
fn header_checksum(header: &[u8]) -> u16 {
    let (before, after) = (&header[..10], &header[12..]);
    Sum16BitWords::new().add_slice(before).add_slice(after).ones_complement().to_be()
}

/// The ECN codepoint and the TCP segment of a packet whose headers and checksums are right.
fn tcp_slice<'a>(packet: &'a [u8], endpoints: &Endpoints) -> Result<(Ecn, TcpSlice<'a>), Error> {
    use etherparse::err::{ipv4, tcp};
    let ip = Ipv4Slice::from_slice(packet).map_err(|error| match error {
        ipv4::SliceError::Len(error) => Error::Short(error),
        other => Error::Header(other.to_string()),
    })?;
    let header = ip.header();
    let right = header_checksum(header.slice());
    if header.header_checksum() != right {
        return Err(Error::HeaderChecksum(header.header_checksum(), right));
    }
    if ip.payload_ip_number() != IpNumber::TCP || ip.is_payload_fragmented() {
        return Err(Error::NotTcp);
    }
    let tcp = TcpSlice::from_slice(ip.payload().payload).map_err(|error| match error {
        tcp::HeaderSliceError::Len(error) => Error::Short(error),
        tcp::HeaderSliceError::Content(error) => Error::Header(error.to_string()),
    })?;
    let right = tcp.calc_checksum_ipv4(header.source(), header.destination());
    let right = right.map_err(|error| Error::Header(error.to_string()))?;
    if tcp.checksum() != right {
        return Err(Error::Checksum(tcp.checksum(), right));
    }
    let found = (header.source_addr(), tcp.source_port(), header.destination_addr(), tcp.destination_port());
    let Endpoints { source, destination, .. } = endpoints;
    if found != (source.address, source.port, destination.address, destination.port) {
        return Err(Error::Stranger(found.0, found.1, found.2, found.3));
    }
    Ok((ecn(header.ecn()), tcp))
}

/// The low half of a number, counted from the initial one.
const fn on_wire(number: u64, isn: u32) -> u32 {
    (number as u32).wrapping_add(isn)
}

/// Of all numbers whose low half is `wire`, the one nearest to `near`; never one before the initial one.
const fn near_to(near: u64, wire: u32, isn: u32) -> u64 {
    let distance = wire.wrapping_sub(isn).wrapping_sub(near as u32);
    let ahead = near.wrapping_add(distance as u64);
    let behind = (1 << 32) - distance as u64;
    if distance < 1 << 31 || behind > near { ahead } else { near - behind }
}

fn ip_dscp(dscp: u8) -> IpDscp {
    IpDscp::try_new(dscp).unwrap_or(IpDscp::ZERO)
}

const fn ip_ecn(ecn: Ecn) -> IpEcn {
    match ecn {
        Ecn::NotEct => IpEcn::NotEct,
        Ecn::Ect1 => IpEcn::Ect1,
        Ecn::Ect0 => IpEcn::Ect0,
        Ecn::Ce => IpEcn::CongestionExperienced,
    }
}

/// The ECN field as the IP library has it.
#[must_use]
pub const fn ecn(ecn: IpEcn) -> Ecn {
    match ecn {
        IpEcn::NotEct => Ecn::NotEct,
        IpEcn::Ect1 => Ecn::Ect1,
        IpEcn::Ect0 => Ecn::Ect0,
        IpEcn::CongestionExperienced => Ecn::Ce,
    }
}

mod datagram;
mod options;
#[cfg(test)]
mod tests;

pub use datagram::{DATAGRAM_HEADER_BYTES, encode_datagram};
