//! The request for a capture. Names are only shown; places are numbers of the plan.

use super::Error;
use crate::plan::{Link, Plan};
use crate::wire::MAX_PACKET_BYTES;
use serde::{Deserialize, Serialize};
use tcp::segment::HEADER_BYTES;

/// The most bytes of options in a TCP header.
const OPTION_BYTES: u32 = 40;

/// A request for a capture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The comment of the file.
    pub title: String,
    /// Name of each link of the plan.
    pub links: Vec<String>,
    /// Where packets are recorded; each point is an interface of the file.
    pub points: Vec<Point>,
    /// How much of each packet is kept.
    pub kept: Kept,
}

/// How much of a packet is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// Its headers, whatever their length.
    Headers,
    /// This many bytes, or all if it is shorter.
    Bytes(u32),
}

impl Kept {
    /// How many bytes are kept of a packet with headers of this length.
    #[must_use]
    pub fn bytes(self, headers: u32) -> u32 {
        match self {
            Self::Headers => headers,
            Self::Bytes(bytes) => bytes.max(1),
        }
    }
}

/// A point of the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub place: Place,
}

/// A point where packets are recorded, with the number of a node or link of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The packets that hosts at a node send and receive, and those that the node forwards.
    Node(u32),
    /// The packets that enter a link, before its queue.
    Entrance(u32),
    /// The packets that arrive at a link's other end.
    Exit(u32),
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// If the text is not a request.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        Ok(serde_json::from_str(text)?)
    }

    /// Checks that it fits a plan.
    ///
    /// # Errors
    /// If a point or a name is not one of the plan, or a packet would be longer than IPv4 allows.
    pub fn check(&self, plan: &Plan) -> Result<(), Error> {
        let wrong = |what: String| Err(Error::Request(what));
        let links = plan.link_count();
        if self.links.len() != links as usize {
            return wrong(format!("there are {links} links and {} names of links", self.links.len()));
        }
        for point in &self.points {
            let (number, limit) = match point.place {
                Place::Node(node) => (node, plan.nodes),
                Place::Entrance(link) | Place::Exit(link) => (link, links),
            };
            if number >= limit {
                return wrong(format!("`{}` is number {number} of {limit}", point.name));
            }
        }
        let longest = MAX_PACKET_BYTES - HEADER_BYTES - OPTION_BYTES;
        match plan.tcps.iter().map(|tcp| tcp.smss_bytes).max() {
            Some(smss) if smss > longest => {
                wrong(format!("an IPv4 packet has room for an SMSS of {longest} bytes, not {smss}"))
            }
            _ => Ok(()),
        }
    }

    /// The name of a link.
    pub(super) fn link(&self, link: u32) -> &str {
        &self.links[link as usize]
    }

    /// The description of a point.
    pub(super) fn describe(&self, place: Place, plan: &Plan) -> String {
        match place {
            Place::Node(node)
                if plan.each_flow().any(|flow| flow.sender == node || flow.receiver == node) =>
            {
                "what the host sends and receives".into()
            }
            Place::Node(_) => "what the node passes on".into(),
            Place::Entrance(link) => format!("what is offered to the link {}", self.link(link)),
            Place::Exit(link) => format!("what arrives over the link {}", self.link(link)),
        }
    }

    /// Rate of a point's link, bit/s, if it is one for packets.
    pub(super) fn rate(place: Place, plan: &Plan) -> Option<u64> {
        let (Place::Entrance(link) | Place::Exit(link)) = place else { return None };
        match *plan.find_links().get(link).link {
            Link::Packets { rate_bps, .. } => Some(rate_bps),
            _ => None,
        }
    }
}
