//! Forwarding: which link a packet enters at the end of another.

use crate::in_flight::CompactLink;
use crate::packet::{HostId, LinkId, NodeId};
use crate::topology::Routes;
use base::Time;

/// Where a link ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At a node.
    Node(NodeId),
    /// At each host to which it delivers: a trunk with the access links of many.
    Addressee,
}

/// The links before and after a link, as far as the routes of all hosts leave no choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjacency {
    /// Whether all packets come from the same link, and none from a host.
    pub single_upstream: bool,
    /// Where packets go at the end of the link.
    pub next_hop: NextHop,
}

/// Where packets go at the end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextHop {
    /// All to hosts there.
    Hosts,
    /// All into the same link.
    Link(LinkId),
    /// To a link or a host that depends on their destination.
    Routed,
}

/// How packets are forwarded at the end of a link.
#[derive(Clone, Copy)]
pub(super) enum Forwarding {
    /// All are for hosts there.
    Deliver,
    /// All enter this link.
    To(LinkId),
    /// Each follows its route from this node.
    Route(NodeId),
}

impl From<End> for Forwarding {
    fn from(end: End) -> Self {
        match end {
            End::Node(node) => Self::Route(node),
            End::Addressee => Self::Deliver,
        }
    }
}

/// The place of a host in the world.
pub(super) struct HostState {
    pub(super) node: NodeId,
    /// The link that all its packets enter; none if that depends on their destination.
    pub(super) egress: CompactLink,
    /// When its next wake-up is scheduled; [`Time::NEVER`] if it is not.
    pub(super) wake_at: Time,
}

/// The link that a packet for a host enters; none if the host is there.
#[inline]
pub(super) fn next_hop(
    forwarding: Forwarding,
    hosts: &[HostState],
    routes: &Routes,
    to: HostId,
) -> CompactLink {
    match forwarding {
        Forwarding::Deliver => CompactLink::NONE,
        Forwarding::To(link) => link.into(),
        Forwarding::Route(node) => {
            let to = hosts[to.0 as usize].node;
            if node == to { CompactLink::NONE } else { route(routes, node, to).into() }
        }
    }
}

/// The first link of a route that is known to exist.
#[inline]
pub(super) fn route(routes: &Routes, from: NodeId, to: NodeId) -> LinkId {
    routes.next(from, to).expect("a route leads to every host")
}
