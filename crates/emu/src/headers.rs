//! The header fields that the network needs, and the flow of a packet in the plan.
//!
//! A packet belongs to the flow between its two addresses one of whose ports is the flow's server port; anything
//! else between two nodes (a ping, another program) travels with the first flow between them. Packets from a
//! relaying node, between addresses of no node, travel with the first flow of that node.

use crate::Setup;
use base::Ecn;
use core::net::Ipv4Addr;
use etherparse::{IpNumber, Ipv4HeaderSlice, TcpHeaderSlice, UdpHeaderSlice};
use lab::Plan;
use sim::HostId;
use std::collections::BTreeMap;

/// Bytes of an ICMP header.
const ICMP: usize = 8;
/// Least bytes of an IPv4 header.
pub(crate) const IPV4: usize = 20;

/// The header fields that the network needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Headers {
    pub(crate) source: Ipv4Addr,
    pub(crate) destination: Ipv4Addr,
    /// Of TCP or UDP, source and destination.
    pub(crate) ports: Option<(u16, u16)>,
    /// Length of the IP packet.
    pub(crate) len: usize,
    /// Length of its headers, including TCP or UDP.
    pub(crate) header_bytes: usize,
    /// Whether there is anything behind the headers.
    pub(crate) has_data: bool,
    /// Of TCP: the number of sequence numbers that it uses.
    pub(crate) takes: u32,
    /// Of TCP: sequence number of the byte after its last.
    pub(crate) end: Option<u32>,
    pub(crate) ecn: Ecn,
}

impl Headers {
    /// Which of the flows between its two addresses a packet belongs to, by its ports.
    pub(crate) fn flow(&self) -> u32 {
        self.ports.map_or(0, |(source, destination)| u32::from(source) << 16 | u32::from(destination))
    }
}

/// Reads the headers of an IPv4 packet; what follows it is ignored. None if it is none.
pub(crate) fn read(packet: &[u8]) -> Option<Headers> {
    let ip = Ipv4HeaderSlice::from_slice(packet).ok()?;
    let len = usize::from(ip.total_len());
    let content = packet.get(ip.slice().len()..len)?;
    let (ports, data, flags, seq) = match ip.protocol() {
        IpNumber::TCP if !ip.is_fragmenting_payload() => {
            let tcp = TcpHeaderSlice::from_slice(content).ok()?;
            let flags = u32::from(tcp.syn()) + u32::from(tcp.fin());
            let ports = (tcp.source_port(), tcp.destination_port());
            (Some(ports), content.len() - tcp.slice().len(), flags, Some(tcp.sequence_number()))
        }
        IpNumber::UDP if !ip.is_fragmenting_payload() => {
            let udp = UdpHeaderSlice::from_slice(content).ok()?;
            (Some((udp.source_port(), udp.destination_port())), content.len() - udp.slice().len(), 0, None)
        }
        _ => (None, content.len().saturating_sub(ICMP), 0, None),
    };
    Some(Headers {
        source: ip.source_addr(),
        destination: ip.destination_addr(),
        ports,
        len,
        header_bytes: len - data,
        has_data: data > 0,
        takes: data as u32 + flags,
        end: seq.map(|seq| seq.wrapping_add(data as u32 + flags)),
        ecn: lab::wire::ecn(ip.ecn()),
    })
}

/// Sets "congestion experienced" (RFC 3168) in the header of an IPv4 packet and updates its checksum (RFC 1624).
pub(crate) fn mark(packet: &mut [u8]) {
    let word = |bytes: &[u8]| u32::from(u16::from_be_bytes([bytes[0], bytes[1]]));
    let before = word(packet);
    packet[1] |= 0b11;
    // HC' = ~(~HC + ~m + m')
    let sum = (word(&packet[10..]) ^ 0xffff) + (before ^ 0xffff) + word(packet);
    let folded = (sum & 0xffff) + (sum >> 16);
    let folded = (folded & 0xffff) + (folded >> 16);
    packet[10..12].copy_from_slice(&(!(folded as u16)).to_be_bytes());
}

/// Sender and receiver of a packet.
type Ends = (HostId, HostId);

/// The hosts of the world between which packets travel.
pub(crate) struct Directory {
    by_port: BTreeMap<(Ipv4Addr, Ipv4Addr, u16), Ends>,
    by_address: BTreeMap<(Ipv4Addr, Ipv4Addr), Ends>,
    /// By the port of a node that relays.
    by_node: BTreeMap<usize, Ends>,
    /// Of each flow of a host, the highest end so far.
    highest: BTreeMap<(HostId, u32), u64>,
}

impl Directory {
    /// Of a plan: with n flows, hosts 0 .. n are the receivers and n .. 2n the senders.
    pub(crate) fn new(plan: &Plan, setup: &Setup) -> Self {
        let port = |node| setup.port_of(node).expect("the setup was checked");
        let address = |node| setup.ports[port(node)].address;
        let flows = plan.flow_count();
        let (mut by_port, mut by_address, mut by_node) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for ((number, flow), its) in (0..).zip(plan.each_flow()).zip(&setup.flows) {
            let (receiver, sender) = (HostId(number), HostId(flows + number));
            let (takes, gives) = (address(flow.receiver), address(flow.sender));
            for (from, to, ends) in [(gives, takes, (sender, receiver)), (takes, gives, (receiver, sender))] {
                by_port.insert((from, to, its.server_port), ends);
                by_address.entry((from, to)).or_insert(ends);
            }
            for (node, ends) in [(flow.sender, (sender, receiver)), (flow.receiver, (receiver, sender))] {
                if setup.ports[port(node)].relays {
                    by_node.entry(port(node)).or_insert(ends);
                }
            }
        }
        Self { by_port, by_address, by_node, highest: BTreeMap::new() }
    }

    /// Sender and receiver of a packet that came from a port; none if no flow connects them.
    pub(crate) fn ends(&self, headers: &Headers, port: usize) -> Option<Ends> {
        let (from, to) = (headers.source, headers.destination);
        let by_port = |port| self.by_port.get(&(from, to, port));
        let ports = headers.ports.and_then(|(source, destination)| by_port(destination).or(by_port(source)));
        let ends = ports.or_else(|| self.by_address.get(&(from, to)));
        // Broadcasts and multicasts are not forwarded.
        let relayed = || self.by_node.get(&port).filter(|_| !to.is_multicast() && !to.is_broadcast());
        ends.or_else(relayed).copied()
    }

    /// Where in its flow's stream a packet ends, with numbers that do not wrap; and whether the stream already had
    /// all of it.
    pub(crate) fn position(&mut self, from: HostId, headers: &Headers) -> Option<(u64, bool)> {
        let (flow, end) = (headers.flow(), headers.end?);
        let first = (1 << 32 | u64::from(end)) - u64::from(headers.takes);
        let highest = self.highest.entry((from, flow)).or_insert(first);
        let ahead = i64::from(end.wrapping_sub(*highest as u32).cast_signed());
        let end = highest.wrapping_add_signed(ahead);
        let again = headers.takes > 0 && end <= *highest;
        *highest = end.max(*highest);
        Some((end, again))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::wire::{Endpoint, Endpoints, Near, decode, encode};
    use tcp::Segment;

    fn endpoints(isn: u32) -> Endpoints {
        let end = |host, port| Endpoint { address: Ipv4Addr::new(192, 0, 2, host), port, isn };
        Endpoints { source: end(1, 40_000), destination: end(2, 5201), dscp: 0 }
    }

    fn data(seq: u64) -> Segment {
        Segment { seq, len: 100, ack: Some(1), ecn: Ecn::Ect0, ..Segment::default() }
    }

    #[test]
    fn reads_what_was_written() {
        let packet = encode(&data(1), &endpoints(7));
        let headers = read(&[&packet[..], &[0; 6]].concat()).expect("a packet");
        assert_eq!(headers.ports, Some((40_000, 5201)));
        assert_eq!((headers.len, headers.end), (140, Some(108)));
        assert!(headers.has_data && headers.ecn == Ecn::Ect0);
        let ack = encode(&Segment { ack: Some(1), seq: 1, ..Segment::default() }, &endpoints(7));
        let headers = read(&ack).expect("a packet");
        assert!(!headers.has_data && headers.ecn == Ecn::NotEct);
        assert_eq!(read(&packet[..139]), None, "cut short");
    }

    #[test]
    fn a_mark_leaves_the_checksum_right() {
        for seq in 0..500 {
            let mut packet = encode(&data(1 + seq), &endpoints(0));
            mark(&mut packet);
            let near = Near { seq: 1 + seq, ack: 1 };
            let marked = decode(&packet, &endpoints(0), near).expect("right checksums");
            assert_eq!(marked.ecn, Ecn::Ce);
        }
    }

    #[test]
    fn positions_do_not_wrap() {
        let mut directory = Directory {
            by_port: BTreeMap::new(),
            by_address: BTreeMap::new(),
            by_node: BTreeMap::new(),
            highest: BTreeMap::new(),
        };
        let isn = u32::MAX - 150;
        let mut end = |seq| {
            let headers = read(&encode(&data(seq), &endpoints(isn))).expect("a packet");
            let (end, again) = directory.position(HostId(0), &headers).expect("it has one");
            (end, again)
        };
        let (first, again) = end(1);
        assert!(!again);
        let others = [end(101), end(201), end(1), end(301)];
        let expected = [(100, false), (200, false), (0, true), (300, false)];
        assert_eq!(others, expected.map(|(more, again)| (first + more, again)));
    }
}
