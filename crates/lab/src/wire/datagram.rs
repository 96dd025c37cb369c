//! Datagrams as bytes: IPv4 and UDP headers with correct checksums (RFC 791, RFC 768). The data are zeros.

use super::{Endpoints, TIME_TO_LIVE, ip_dscp};
use etherparse::{IpNumber, Ipv4Header, UdpHeader};

/// Bytes of an IPv4 header without options and of a UDP header.
pub const DATAGRAM_HEADER_BYTES: u32 = 28;

const UDP_HEADER_BYTES: u32 = 8;

/// A datagram of `bytes` bytes with its headers as an IPv4 packet, with this number in the
/// identification field.
///
/// # Panics
/// If it is shorter than [`DATAGRAM_HEADER_BYTES`] or longer than [`super::MAX_PACKET_BYTES`].
#[must_use]
pub fn encode_datagram(bytes: u32, endpoints: &Endpoints, identification: u16) -> Vec<u8> {
    let data = vec![0; (bytes - DATAGRAM_HEADER_BYTES) as usize];
    let Endpoints { source, destination, .. } = endpoints;
    let (from, to) = (source.address.octets(), destination.address.octets());
    let mut ip = u16::try_from(data.len() as u32 + UDP_HEADER_BYTES)
        .ok()
        .and_then(|bytes| Ipv4Header::new(bytes, TIME_TO_LIVE, IpNumber::UDP, from, to).ok())
        .expect("a datagram fits into an IPv4 packet");
    ip.identification = identification;
    ip.dscp = ip_dscp(endpoints.dscp);
    ip.header_checksum = ip.calc_header_checksum();
    let udp = UdpHeader::with_ipv4_checksum(source.port, destination.port, &ip, &data)
        .expect("the length was checked");
    [&ip.to_bytes()[..], &udp.to_bytes(), &data].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Endpoint, MAX_PACKET_BYTES};
    use core::net::Ipv4Addr;
    use etherparse::{Ipv4Slice, UdpSlice};

    #[test]
    fn headers_say_what_they_should() {
        let end = |host, port| Endpoint { address: Ipv4Addr::new(192, 0, 2, host), port, isn: 0 };
        let ends = Endpoints { source: end(1, 1000), destination: end(2, 2000), dscp: 46 };
        for bytes in [DATAGRAM_HEADER_BYTES, 29, 1000, MAX_PACKET_BYTES] {
            let packet = encode_datagram(bytes, &ends, 7);
            assert_eq!(packet.len() as u32, bytes);
            let ip = Ipv4Slice::from_slice(&packet).expect("an IPv4 packet");
            let header = ip.header().to_header();
            assert_eq!(header.calc_header_checksum(), header.header_checksum);
            assert_eq!((header.identification, ip.payload_ip_number()), (7, IpNumber::UDP));
            assert_eq!(header.dscp.value(), 46);
            let udp = UdpSlice::from_slice(ip.payload().payload).expect("a datagram");
            assert_eq!((udp.source_port(), udp.destination_port()), (1000, 2000));
            let right = udp.to_header().calc_checksum_ipv4(&header, udp.payload()).expect("a length");
            assert_eq!(udp.checksum(), right);
            assert_eq!(u32::from(udp.length()), bytes - 20);
        }
    }
}
