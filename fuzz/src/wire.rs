//! Packets of any bytes, and packets whose checksums are right whatever else they say.
//!
//! - Neither makes the reader panic.
//! - What is read, encodes to a packet that reads back as the same.

use super::bytes::Bytes;
use lab::wire::{Endpoint, Endpoints, Near, decode, decode_any_content, encode};
use std::net::Ipv4Addr;

const IP_HEADER_BYTES: usize = 20;
const LONGEST: usize = 2_000;

pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let raw = bytes.flag();
    let endpoint = |host, port, isn| Endpoint { address: Ipv4Addr::new(10, 0, 0, host), port, isn };
    let endpoints = Endpoints {
        source: endpoint(1, 1000, bytes.u32()),
        destination: endpoint(2, 80, bytes.u32()),
        dscp: 0,
    };
    let near = Near { seq: u64::from(bytes.u32()) << 8, ack: u64::from(bytes.u32()) << 8 };
    let rest = bytes.rest();
    let rest = &rest[..rest.len().min(LONGEST)];
    let packet = if raw { rest.to_vec() } else { packet(rest) };
    // The near numbers are only guesses, so any answer will do, but it must be the same again.
    let Ok((segment, data)) = decode_any_content(&packet, &endpoints, near) else { return };
    assert_eq!(segment.len as usize, data.len());
    let again = decode(
        &encode(&segment, &endpoints),
        &endpoints,
        Near { seq: segment.seq, ack: segment.ack.unwrap_or(near.ack) },
    );
    assert_eq!(again.as_ref(), Ok(&segment), "it does not read back");
}

/// An IPv4 packet between the two ends around the TCP header and data in `bytes`: ports, lengths and checksums are made right.
fn packet(bytes: &[u8]) -> Vec<u8> {
    let mut tcp = bytes.to_vec();
    tcp.resize(tcp.len().max(20), 0);
    tcp[..4].copy_from_slice(&[1000u16.to_be_bytes(), 80u16.to_be_bytes()].concat());
    tcp[16..18].fill(0);
    let length = tcp.len() as u16;
    let addresses = [10, 0, 0, 1, 10, 0, 0, 2];
    let pseudo = [&addresses[..], &[0, 6], &length.to_be_bytes()].concat();
    let sum = checksum(&[&pseudo[..], &tcp].concat());
    tcp[16..18].copy_from_slice(&sum.to_be_bytes());
    let total = (IP_HEADER_BYTES + tcp.len()) as u16;
    let mut ip = [&[0x45, 0], &total.to_be_bytes()[..], &[0, 0, 0, 0, 64, 6, 0, 0], &addresses].concat();
    let sum = checksum(&ip);
    ip[10..12].copy_from_slice(&sum.to_be_bytes());
    [ip, tcp].concat()
}

/// The Internet checksum (RFC 1071).
fn checksum(bytes: &[u8]) -> u16 {
    let words = bytes.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0)));
    let sum: u32 = words.sum();
    let sum = (sum & 0xffff) + (sum >> 16);
    !((sum & 0xffff) + (sum >> 16)) as u16
}
