//! Groups: what a plan says once and means many times, so that a plan of a million flows is as short as one of two.
//!
//! A group of flows, or of links, is a template and a count. Its members differ in numbers that follow a rule
//! ([`Numbers`]): of nodes, and of delays that are drawn. Flows and links are numbered through all groups, as if each
//! were written out. Nothing in the plan grows with the count.

use super::network::Link;
use super::{FlowGroup, Plan};
use serde::{Deserialize, Serialize};

/// A number for each member of a group: the same for all of them, or numbers in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Numbers {
    /// The same number for all.
    Same(u32),
    /// Numbers in turn.
    InTurn(InTurn),
}

/// Member `k` has the number `first + ((begin + k) / each) % count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InTurn {
    /// The smallest number.
    pub first: u32,
    /// How many numbers there are; after the last one comes the first again.
    pub count: u32,
    /// How many members in a row have the same one.
    pub each: u32,
    /// Members that are skipped at the beginning.
    pub begin: u32,
}

impl Numbers {
    /// One number after the other, from `first` on, for `count` members.
    #[must_use]
    pub fn from(first: u32, count: u32) -> Self {
        Self::InTurn(InTurn { first, count, each: 1, begin: 0 })
    }

    /// The number of a member. The plan has been checked.
    #[inline]
    #[must_use]
    pub fn of(self, member: u32) -> u32 {
        match self {
            Self::Same(number) => number,
            Self::InTurn(InTurn { first, count, each, begin }) => {
                let turn = (u64::from(begin) + u64::from(member)) / u64::from(each);
                first + (turn % u64::from(count)) as u32
            }
        }
    }

    /// Whether every number that it can give is below a limit.
    pub(super) fn are_below(self, limit: u32) -> bool {
        match self {
            Self::Same(number) => number < limit,
            Self::InTurn(InTurn { first, count, each, .. }) => {
                count > 0 && each > 0 && first.checked_add(count - 1).is_some_and(|last| last < limit)
            }
        }
    }
}

impl From<u32> for Numbers {
    fn from(number: u32) -> Self {
        Self::Same(number)
    }
}

/// One flow: a TCP connection, a client's connections, or a stream of datagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The node from which the bulk of the data comes.
    pub sender: u32,
    /// The node to which it goes.
    pub receiver: u32,
    /// Which TCP the sender has: an index of `tcps`.
    pub sender_tcp: usize,
    /// Which TCP the receiver has.
    pub receiver_tcp: usize,
    /// What the applications do: an index of `workloads`.
    pub workload: usize,
    /// Whether its losses and loss events are counted.
    pub foreground: bool,
    /// DSCP of the packets of both its ends (RFC 2474).
    pub dscp: u8,
}

impl FlowGroup {
    fn flow(&self, member: u32) -> Flow {
        let &Self { sender_tcp, receiver_tcp, workload, foreground, dscp, .. } = self;
        let (sender, receiver) = (self.sender.of(member), self.receiver.of(member));
        Flow { sender, receiver, sender_tcp, receiver_tcp, workload, foreground, dscp }
    }
}

impl From<Flow> for FlowGroup {
    fn from(flow: Flow) -> Self {
        let Flow { sender, receiver, sender_tcp, receiver_tcp, workload, foreground, dscp } = flow;
        let (sender, receiver) = (sender.into(), receiver.into());
        Self { count: 1, sender, receiver, sender_tcp, receiver_tcp, workload, foreground, dscp }
    }
}

/// One link: a link of the plan that is no group, and which member of its group it is.
#[derive(Clone, Copy, Debug)]
pub struct PlacedLink<'a> {
    /// As the plan has it; a group's links name nodes by rules.
    pub link: &'a Link,
    member: u32,
}

impl PlacedLink<'_> {
    /// The number that a rule of this link gives.
    #[must_use]
    pub fn number(&self, numbers: Numbers) -> u32 {
        numbers.of(self.member)
    }

    /// Whether it leads from a node to another one.
    pub(super) fn joins_two_nodes(&self) -> bool {
        !matches!(self.link, Link::Packets { from, to, .. } if self.number(*from) == self.number(*to))
    }
}

impl Link {
    /// How many links this is, and which they are in turn.
    fn members(&self) -> (u32, &[Self]) {
        match self {
            Self::Group { count, links } => (*count, links),
            link => (1, std::slice::from_ref(link)),
        }
    }

    /// How many links this is.
    fn links(&self) -> u64 {
        let (count, links) = self.members();
        u64::from(count) * links.len() as u64
    }
}

impl Plan {
    /// How many flows there are. The plan has been checked.
    #[must_use]
    pub fn flow_count(&self) -> u32 {
        self.counted_flows() as u32
    }

    /// How many links there are. The plan has been checked.
    #[must_use]
    pub fn link_count(&self) -> u32 {
        self.counted_links() as u32
    }

    pub(super) fn counted_flows(&self) -> u64 {
        self.flows.iter().map(|group| u64::from(group.count)).sum()
    }

    pub(super) fn counted_links(&self) -> u64 {
        self.links.iter().map(Link::links).sum()
    }

    /// The flows in the order of their numbers.
    pub fn each_flow(&self) -> impl Iterator<Item = Flow> + Clone + '_ {
        self.flows.iter().flat_map(|group| (0..group.count).map(|member| group.flow(member)))
    }

    /// The links in the order of their numbers.
    pub fn each_link(&self) -> impl Iterator<Item = PlacedLink<'_>> + Clone {
        self.links.iter().flat_map(|part| {
            let (count, links) = part.members();
            (0..count).flat_map(move |member| links.iter().map(move |link| PlacedLink { link, member }))
        })
    }

    /// The links as they are written: of each group those of the first member.
    pub fn written_links(&self) -> impl Iterator<Item = &Link> + Clone {
        self.links.iter().flat_map(|part| part.members().1)
    }

    /// The node of each host: first of the receivers, then of the senders.
    pub fn nodes_of_hosts(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        self.each_flow().map(|flow| flow.receiver).chain(self.each_flow().map(|flow| flow.sender))
    }

    /// The node at which each link ends; none of links of cells, which end at many.
    pub fn ends_of_links(&self) -> impl Iterator<Item = Option<u32>> + '_ {
        self.each_link().map(|placed| match *placed.link {
            Link::Packets { to, .. } => Some(placed.number(to)),
            _ => None,
        })
    }

    /// Finds links by their numbers.
    #[must_use]
    pub fn find_links(&self) -> LinksByNumber<'_> {
        let ends = self.links.iter().scan(0, |end, part| {
            *end += part.links();
            Some(*end)
        });
        LinksByNumber { parts: &self.links, ends: ends.collect() }
    }
}

/// The links of a plan by their numbers.
pub struct LinksByNumber<'a> {
    parts: &'a [Link],
    /// The number after the last one of each part.
    ends: Vec<u64>,
}

impl<'a> LinksByNumber<'a> {
    /// The link with a number.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn get(&self, number: u32) -> PlacedLink<'a> {
        let number = u64::from(number);
        let at = self.ends.partition_point(|&end| end <= number);
        let (_, links) = self.parts[at].members();
        let within = number - at.checked_sub(1).map_or(0, |before| self.ends[before]);
        let each = links.len() as u64;
        PlacedLink { link: &links[(within % each) as usize], member: (within / each) as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Clock, Phase, Probes, Queue};

    fn link(from: impl Into<Numbers>, to: impl Into<Numbers>) -> Link {
        Link::Packets {
            from: from.into(),
            to: to.into(),
            cost: 1,
            rate_bps: 1,
            delay_ps: 0,
            delay_draw: None,
            varies: None,
            queue: Queue::drop_tail(1),
            impairments: vec![],
        }
    }

    fn ends(placed: PlacedLink<'_>) -> (u32, u32) {
        let Link::Packets { from, to, .. } = *placed.link else { unreachable!("all carry packets") };
        (placed.number(from), placed.number(to))
    }

    #[test]
    fn numbers_follow_their_rule() {
        let all = |numbers: Numbers, members| (0..members).map(|member| numbers.of(member)).collect::<Vec<_>>();
        assert_eq!(all(7.into(), 3), [7, 7, 7]);
        assert_eq!(all(Numbers::from(4, 3), 3), [4, 5, 6]);
        let clients_of_servers = Numbers::InTurn(InTurn { first: 4, count: 3, each: 2, begin: 0 });
        assert_eq!(all(clients_of_servers, 5), [4, 4, 5, 5, 6]);
        let shared_hosts = Numbers::InTurn(InTurn { first: 0, count: 3, each: 1, begin: 2 });
        assert_eq!(all(shared_hosts, 5), [2, 0, 1, 2, 0]);
    }

    #[test]
    fn the_limits_of_a_rule_are_those_of_its_numbers() {
        assert!(Numbers::from(4, 3).are_below(7) && !Numbers::from(4, 3).are_below(6));
        assert!(!Numbers::from(u32::MAX, 2).are_below(u32::MAX), "the sum would overflow");
        let of = |count, each| Numbers::InTurn(InTurn { first: 0, count, each, begin: 0 });
        assert!(!of(0, 1).are_below(9) && !of(1, 0).are_below(9), "it would divide by zero");
    }

    #[test]
    fn links_have_the_numbers_that_they_would_have_written_out() {
        let parts = vec![
            link(6, 7),
            Link::Group { count: 3, links: vec![link(Numbers::from(0, 3), 6), link(6, Numbers::from(0, 3))] },
            link(7, 6),
        ];
        let plan = Plan {
            schema: crate::plan::SCHEMA,
            duration_ps: 1,
            warm_up_ps: 0,
            nodes: 8,
            links: parts,
            clock: Clock { tick_ps: 1, phase: Phase::Open {} },
            tcps: vec![],
            workloads: vec![],
            flows: vec![],
            probes: Probes::default(),
            queue_delays_of: vec![],
            delays_of_flows: vec![],
        };
        let expected = [(6, 7), (0, 6), (6, 0), (1, 6), (6, 1), (2, 6), (6, 2), (7, 6)];
        assert_eq!(plan.each_link().map(ends).collect::<Vec<_>>(), expected);
        let by_number = plan.find_links();
        assert_eq!((0..plan.link_count()).map(|n| ends(by_number.get(n))).collect::<Vec<_>>(), expected);
    }
}
