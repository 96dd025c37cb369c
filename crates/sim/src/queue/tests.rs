//! Helpers for tests of disciplines.

use super::*;
use crate::packet::{HostId, PacketId};

/// A packet that can be marked if its payload is true.
pub(super) fn packet(number: u64, bytes: u32, capable: bool) -> Packet<bool> {
    let (from, to) = (HostId(0), HostId(1));
    Packet { id: PacketId::sent(number), from, to, flow: 0, bytes, payload: capable }
}

/// What a discipline has dropped and marked.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Seen {
    pub(super) dropped: Vec<(PacketId, DropCause)>,
    pub(super) marked: Vec<PacketId>,
}

impl Sink<bool> for Seen {
    fn dropped(&mut self, packet: &Packet<bool>, cause: DropCause) {
        self.dropped.push((packet.id, cause));
    }

    fn marked(&mut self, packet: &Packet<bool>) {
        self.marked.push(packet.id);
    }
}

#[test]
fn names_and_keys_are_unique() {
    let rows = disciplines::<bool>();
    for (at, row) in rows.iter().enumerate() {
        assert!(rows[..at].iter().all(|other| other.name != row.name));
        for (at, parameter) in row.parameters.iter().enumerate() {
            assert!(row.parameters[..at].iter().all(|other| other.name != parameter.name));
            assert!(!["kind", "name", "limit"].contains(&parameter.name));
        }
    }
}

/// The defaults that a scenario has are allowed.
#[test]
fn defaults_make_sense() {
    for row in disciplines::<bool>() {
        let fixed = |parameter: &Parameter| match parameter.default {
            DefaultValue::Is(value) => Some(value),
            DefaultValue::Auto => None,
        };
        let values: Option<Vec<u64>> = row.parameters.iter().map(fixed).collect();
        if let Some(values) = values {
            assert_eq!((row.check)(&values), None, "{}", row.name);
        }
    }
}
