//! What CAKE takes for a flow and for a host, and the quantum of a flow among those of its hosts.
//!
//! Source: Linux 6, net/sched/sch_cake.c (`cake_hash`, `cake_get_flow_quantum`); the words are those of tc-cake(8).
//!
//! A host's load is the number of bulk flows that it sends, or that it receives. The quantum of a flow is divided by the load
//! of its source or of its destination, whichever is larger and counts.
//!
//! | isolation | in tc | a flow is | loads that count |
//! |---|---|---|---|
//! | triple | triple-isolate | a flow | of both hosts |
//! | dual_source | dual-srchost | a flow | of its source |
//! | dual_destination | dual-dsthost | a flow | of its destination |
//! | flows | flows | a flow | none |
//! | hosts | hosts | all between two hosts | none |
//! | source | srchost | all from a host | none |
//! | destination | dsthost | all to a host | none |
//! | none | flowblind | everything in a tin | none |
//!
//! Deviations: a host is a node of the network. Each has a number here, so two hosts never share a counter. Linux finds hosts
//! by an 8-way set-associative hash, where two may. The hash of flows is that of FQ-CoDel, in `flows.rs`.

use crate::packet::{HostId, NodeId, Packet};
use crate::queue::flows::queue_of;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// What is kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Isolation {
    Triple,
    DualSource,
    DualDestination,
    Flows,
    Hosts,
    Source,
    Destination,
    None,
}

impl Isolation {
    pub(super) const WORDS: &[&str] =
        &["triple", "dual_source", "dual_destination", "flows", "hosts", "source", "destination", "none"];

    /// By its place among the words.
    pub(super) fn of(word: u64) -> Self {
        let all = [
            Self::Triple,
            Self::DualSource,
            Self::DualDestination,
            Self::Flows,
            Self::Hosts,
            Self::Source,
            Self::Destination,
            Self::None,
        ];
        all[word as usize]
    }

    /// The hash of what is one flow.
    pub(super) fn tag<P>(self, packet: &Packet<P>, nodes: (NodeId, NodeId), key: u64) -> u32 {
        let (source, destination) = (HostId(nodes.0.0), HostId(nodes.1.0));
        let anyone = HostId(0);
        let (from, to, flow) = match self {
            Self::Triple | Self::DualSource | Self::DualDestination | Self::Flows => {
                (packet.from, packet.to, packet.flow)
            }
            Self::Hosts => (source, destination, 0),
            Self::Source => (source, anyone, 0),
            Self::Destination => (anyone, destination, 0),
            Self::None => return 0,
        };
        let ends = Packet { id: packet.id, from, to, flow, bytes: 0, payload: () };
        queue_of(&ends, key, u32::MAX as usize) as u32
    }
}

/// The number of a host as a source, and of one as a destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair {
    source: u32,
    destination: u32,
}

/// The hosts of a tin and their bulk flows.
#[derive(Debug, Default)]
pub(super) struct Hosts {
    numbers: BTreeMap<NodeId, u32>,
    loads: Vec<Load>,
}

/// Bulk flows that a host sends and receives.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    sent: u32,
    received: u32,
}

impl Hosts {
    /// The hosts between which a packet goes.
    pub(super) fn pair(&mut self, nodes: (NodeId, NodeId)) -> Pair {
        Pair { source: self.number(nodes.0), destination: self.number(nodes.1) }
    }

    fn number(&mut self, node: NodeId) -> u32 {
        let next = self.loads.len() as u32;
        let number = *self.numbers.entry(node).or_insert(next);
        if number == next {
            self.loads.push(Load::default());
        }
        number
    }

    /// A flow between these has become a bulk flow.
    pub(super) fn add(&mut self, pair: Pair) {
        self.loads[pair.source as usize].sent += 1;
        self.loads[pair.destination as usize].received += 1;
    }

    /// A flow between these is no bulk flow any more.
    pub(super) fn remove(&mut self, pair: Pair) {
        self.loads[pair.source as usize].sent -= 1;
        self.loads[pair.destination as usize].received -= 1;
    }

    /// The part of a quantum that a flow between these gets. What is lost in whole numbers is made up for at random.
    pub(super) fn quantum(&self, pair: Pair, whole: u32, isolation: Isolation, rng: &mut ChaCha8Rng) -> i64 {
        let mut load = 1;
        if matches!(isolation, Isolation::Triple | Isolation::DualSource) {
            load = load.max(self.loads[pair.source as usize].sent);
        }
        if matches!(isolation, Isolation::Triple | Isolation::DualDestination) {
            load = load.max(self.loads[pair.destination as usize].received);
        }
        let part = 65_535 / load;
        i64::from((whole * part + (rng.next_u32() >> 16)) >> 16)
    }
}
