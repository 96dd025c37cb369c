//! Where packets go at the end of a link.

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

/// Where the packets go that leave a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// To hosts at its end.
    Hosts,
    /// All into one other link.
    Link(LinkId),
    /// That depends on whom they are for.
    Open,
}

/// How packets come into a link, and where they go from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Whether they come from one other link alone, and from no host.
    pub single_entrance: bool,
    /// Where they go.
    pub exit: Exit,
}

/// No link: a packet has reached its host.
pub(super) const TO_HOST: LinkId = LinkId(u32::MAX);

/// No link: it depends on whom a packet is for.
pub(super) const SEVERAL: LinkId = LinkId(u32::MAX);

/// Where packets go at the end of a link.
#[derive(Clone, Copy)]
pub(super) enum Onward {
    /// To hosts.
    Hosts,
    /// All into one other link.
    Into(LinkId),
    /// From this node by their routes.
    From(NodeId),
}

/// Where a host stands, and when it will be woken.
pub(super) struct Station {
    pub(super) node: NodeId,
    /// The link that all its packets enter; [`SEVERAL`] if there is not but one.
    pub(super) way: LinkId,
    /// [`Time::NEVER`] if it will not be woken.
    pub(super) wake: Time,
}

/// The link that takes on a packet for a host; [`TO_HOST`] if it is there.
#[inline]
pub(super) fn onward(onward: Onward, stations: &[Station], routes: &Routes, to: HostId) -> LinkId {
    match onward {
        Onward::Hosts => TO_HOST,
        Onward::Into(link) => link,
        Onward::From(node) => {
            let to = stations[to.0 as usize].node;
            if node == to { TO_HOST } else { routes.next(node, to).expect("a route leads to every host") }
        }
    }
}
