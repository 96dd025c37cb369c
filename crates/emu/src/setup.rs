//! The setup that the launcher has made, as it reports it to the driver.

use crate::Error;
use core::net::Ipv4Addr;
use lab::Plan;
use lab::capture::Request;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The setup that the launcher has made.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// A port for each node at which a flow ends, in the order of the file descriptors.
    pub ports: Vec<Port>,
    /// How to distinguish the flows of the plan, in their order.
    pub flows: Vec<Flow>,
    /// The longest IP packet of the devices, bytes.
    pub packet_bytes: u32,
    /// Buffers to begin with.
    pub buffers: u32,
    /// The lateness from which a packet counts as late, ns.
    pub deadline_ns: u64,
    /// The capture; none: no capture.
    pub capture: Option<Capture>,
    /// The last part of a wait, which spins on the processor, ns.
    pub spin_ns: u64,
    /// Whether to wake for packets only, and not for events that move a packet to the next link. In virtual time a wake is two
    /// slow system calls; in real time it keeps the processor awake, and packets leave 10 us earlier in the median.
    pub few_wakes: bool,
}

/// A capture.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capture {
    /// What to capture, and where.
    pub request: Request,
    /// The file to write.
    pub path: PathBuf,
}

/// A device.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Port {
    /// The node of the plan behind it.
    pub node: u32,
    /// IPv4 address of that node.
    pub address: Ipv4Addr,
    /// Addresses on the cable; none: the device carries bare IP packets (TUN).
    pub ethernet: Option<Ethernet>,
    /// Whether there is a network behind the node: packets between addresses of no node are carried, too.
    #[serde(default)]
    pub relays: bool,
}

/// Ethernet addresses at both ends of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ethernet {
    /// Here.
    pub own: [u8; 6],
    /// Of the node.
    pub host: [u8; 6],
}

/// How to distinguish a flow of the plan from the others between the same nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    /// The port on which one of its ends listens.
    pub server_port: u16,
}

impl Setup {
    /// Reads a setup.
    ///
    /// # Errors
    /// If the text is not a setup.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text).map_err(|error| Error::Setup(error.to_string()))
    }

    /// The number of the port of a node.
    #[must_use]
    pub fn port_of(&self, node: u32) -> Option<usize> {
        self.ports.iter().position(|port| port.node == node)
    }

    pub(crate) fn check(&self, plan: &Plan) -> Result<(), Error> {
        let wrong = |what: String| Err(Error::Setup(what));
        if self.flows.len() != plan.flow_count() as usize {
            return wrong(format!("{} flows, and the plan has {}", self.flows.len(), plan.flow_count()));
        }
        let nodes: BTreeSet<u32> = self.ports.iter().map(|port| port.node).collect();
        let ends = plan.each_flow().flat_map(|flow| [flow.sender, flow.receiver]);
        if let Some(node) = ends.into_iter().find(|node| !nodes.contains(node)) {
            return wrong(format!("node {node} of the plan has no port"));
        }
        if nodes.len() < self.ports.len() {
            return wrong("a node has several ports".into());
        }
        if let Some(capture) = &self.capture {
            capture.request.check(plan).map_err(|error| Error::Setup(error.to_string()))?;
        }
        if !(576..=65_535).contains(&self.packet_bytes) {
            return wrong(format!("packet_bytes {}: IPv4 needs 576 to 65535", self.packet_bytes));
        }
        Ok(())
    }
}
