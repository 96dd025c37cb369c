//! Groups: what a plan says once and means many times, so that a plan of a million flows is as short as one of two.
//!
//! A group of flows, or of links, is a template and a count. Its members differ in numbers that follow a rule
//! ([`Numbers`]): of nodes, and of delays that are drawn. Flows and links are numbered through all groups, as if each
//! were written out. Nothing in the plan grows with the count.

use super::network::Link;
use super::numbers::Numbers;
use super::{FlowGroup, Plan};

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
