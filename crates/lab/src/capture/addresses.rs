//! The addresses and ports of hosts and flows.
//!
//! Receivers of data have addresses of 192.0.2.0/24 and senders of 198.51.100.0/24, which RFC 5737
//! reserves for documentation, numbered in the order of the flows. If these do not suffice, 198.18.0.0/16
//! and 198.19.0.0/16 follow, which RFC 2544 reserves for measurements. A node with both roles has the
//! address of its first one. Each flow has its own dynamic port at both ends, and each further
//! connection of a flow another one at the receiver, which opens it.
//! Initial sequence numbers are 0, so that a sequence number is the simulator's own.

use super::Error;
use crate::host::Payload;
use crate::plan::Plan;
use crate::wire::{Endpoint, Endpoints};
use core::net::Ipv4Addr;
use sim::{HostId, Packet};

/// First of the ports that are registered for nothing (RFC 6335).
const FIRST_PORT: u32 = 49_152;
const PORTS: u32 = 65_536 - FIRST_PORT;

/// The end of a connection at each host, in the order of the hosts.
pub(super) struct Addresses {
    ends: Vec<Endpoint>,
    /// The DSCP of each flow.
    dscps: Vec<u8>,
    flows: u32,
}

/// Addresses of one role, in the order in which they are given.
struct Range {
    documentation: [u8; 3],
    more: [u8; 2],
    given: u32,
}

impl Range {
    /// The next address; none if none is left.
    fn next(&mut self) -> Option<Ipv4Addr> {
        self.given += 1;
        let Self { documentation: [a, b, c], more: [d, e], given } = *self;
        let documentation = u8::try_from(given).ok().filter(|&host| host < u8::MAX);
        if let Some(host) = documentation {
            return Some(Ipv4Addr::new(a, b, c, host));
        }
        let [high, low] = u16::try_from(given - 254).ok().filter(|&host| host < u16::MAX)?.to_be_bytes();
        Some(Ipv4Addr::new(d, e, high, low))
    }
}

impl Addresses {
    /// Of the hosts of a plan.
    ///
    /// # Errors
    /// If there are more nodes than addresses.
    pub(super) fn of(plan: &Plan) -> Result<Self, Error> {
        let mut receivers = Range { documentation: [192, 0, 2], more: [198, 18], given: 0 };
        let mut senders = Range { documentation: [198, 51, 100], more: [198, 19], given: 0 };
        let mut of_nodes: Vec<Option<Ipv4Addr>> = vec![None; plan.nodes as usize];
        let mut give = |node: u32, range: &mut Range| {
            let its = &mut of_nodes[node as usize];
            *its = its.or_else(|| range.next());
            its.ok_or_else(|| Error::Request("there are more hosts than addresses for them".into()))
        };
        let (mut takes, mut gives) = (Vec::new(), Vec::new());
        for (number, flow) in (0..).zip(plan.each_flow()) {
            // Unlike for any two flows between the same two nodes.
            let (port, other) = (number % PORTS, (number + number / PORTS) % PORTS);
            let end = |address, port| Endpoint { address, port: (FIRST_PORT + port) as u16, isn: 0 };
            takes.push(end(give(flow.receiver, &mut receivers)?, port));
            gives.push(end(give(flow.sender, &mut senders)?, other));
        }
        takes.append(&mut gives);
        let dscps = plan.each_flow().map(|flow| flow.dscp).collect();
        Ok(Self { ends: takes, dscps, flows: plan.flow_count() })
    }

    /// Of a packet.
    pub(super) fn endpoints(&self, packet: &Packet<Payload>) -> Endpoints {
        let end = |host: HostId| self.end(host, packet.flow);
        let dscp = self.dscps[(packet.from.0 % self.flows) as usize];
        Endpoints { source: end(packet.from), destination: end(packet.to), dscp }
    }

    fn end(&self, host: HostId, flow: u32) -> Endpoint {
        let end = self.ends[host.0 as usize];
        if host.0 >= self.flows {
            return end;
        }
        let port = u64::from(end.port) - u64::from(FIRST_PORT) + u64::from(flow) * u64::from(self.flows);
        Endpoint { port: (u64::from(FIRST_PORT) + port % u64::from(PORTS)) as u16, ..end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_the_documentation_others_follow() {
        let mut range = Range { documentation: [192, 0, 2], more: [198, 18], given: 0 };
        let mut at = |wanted: u32| std::iter::from_fn(|| range.next()).nth(wanted as usize - 1);
        assert_eq!(at(1), Some(Ipv4Addr::new(192, 0, 2, 1)));
        assert_eq!(at(253), Some(Ipv4Addr::new(192, 0, 2, 254)));
        assert_eq!(at(1), Some(Ipv4Addr::new(198, 18, 0, 1)));
        assert_eq!(at(65_533), Some(Ipv4Addr::new(198, 18, 255, 254)));
        assert_eq!(range.next(), None);
    }
}
