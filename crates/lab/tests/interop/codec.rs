//! Between the network's segments and smoltcp's packets: `lab::wire` and the numbers that it needs.

use lab::wire::{self, Endpoint, Endpoints, Near};
use std::net::Ipv4Addr;
use tcp::Segment;

/// Translates for one endpoint that speaks in bytes.
pub(crate) struct Codec {
    /// From the peer to the endpoint.
    to_it: Endpoints,
    /// Next to what its segments say.
    near: Near,
}

impl Codec {
    /// For an endpoint with this initial sequence number and a peer with that one.
    pub(crate) fn new(own_isn: u32, peer_isn: u32) -> Self {
        let end = |host, port, isn| Endpoint { address: Ipv4Addr::new(192, 0, 2, host), port, isn };
        let to_it = Endpoints { source: end(1, 1025, peer_isn), destination: end(2, 1026, own_isn), dscp: 0 };
        Self { to_it, near: Near::default() }
    }

    /// The endpoint's address and port.
    pub(crate) fn own(&self) -> (Ipv4Addr, u16) {
        (self.to_it.destination.address, self.to_it.destination.port)
    }

    /// Its peer's.
    pub(crate) fn peer(&self) -> (Ipv4Addr, u16) {
        (self.to_it.source.address, self.to_it.source.port)
    }

    /// A segment of the peer's as bytes.
    pub(crate) fn encode(&mut self, segment: &Segment) -> Vec<u8> {
        self.near.ack = self.near.ack.max(segment.end());
        wire::encode(segment, &self.to_it)
    }

    /// A segment of the endpoint's.
    ///
    /// # Panics
    /// If it is none, if a byte of data is not the one that belongs there, or if the network would
    /// take it for shorter or longer than it is.
    pub(crate) fn decode(&mut self, bytes: &[u8]) -> Segment {
        let segment = wire::decode(bytes, &self.to_it.reversed(), self.near);
        let segment = segment.unwrap_or_else(|error| panic!("what smoltcp sent is no segment: {error}"));
        assert_eq!(segment.packet_bytes() as usize, bytes.len(), "{segment}");
        self.near.seq = self.near.seq.max(segment.end());
        segment
    }
}
