//! Routes: static shortest paths.
//!
//! Source: E. W. Dijkstra, "A note on two problems in connexion with graphs", 1959.
//!
//! A route is the path of least total cost; among equal ones, the one whose first link has the smallest number. Every
//! link costs at least 1, so each brings a packet nearer to its destination and there are no loops.

use crate::packet::{LinkId, NodeId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A link in the graph of routes. A link that several nodes share has an edge for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it begins.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// What it costs to use it; at least 1.
    pub cost: u32,
    /// The link.
    pub link: LinkId,
}

/// For each node, the link towards each other one.
#[derive(Clone, Debug)]
pub struct Routes {
    hops: Vec<Hop>,
    /// For a node with several egress links, the one towards each node.
    tables: Vec<Vec<Option<LinkId>>>,
}

/// The next hop from a node. Most nodes have one egress link or none, and then there is nothing to look up.
#[derive(Clone, Copy, Debug)]
enum Hop {
    Always(Option<LinkId>),
    /// By the table of this number.
    Table(u32),
}

impl Routes {
    /// The shortest paths between nodes `0..nodes`.
    ///
    /// # Panics
    /// If an edge names another node.
    #[must_use]
    pub fn shortest(nodes: usize, edges: &[Edge]) -> Self {
        let mut out: Vec<Vec<Edge>> = vec![Vec::new(); nodes];
        for edge in edges {
            out[edge.from.0 as usize].push(*edge);
        }
        let mut tables = Vec::new();
        let mut hop = |node: usize| {
            let first = out[node].first().map(|edge| edge.link);
            if out[node].iter().all(|edge| Some(edge.link) == first) {
                return Hop::Always(first);
            }
            tables.push(first_links(node, &out));
            Hop::Table(tables.len() as u32 - 1)
        };
        let hops = (0..nodes).map(&mut hop).collect();
        Self { hops, tables }
    }

    /// The egress link of a node that has only one.
    #[must_use]
    pub fn only(&self, at: NodeId) -> Option<LinkId> {
        match self.hops[at.0 as usize] {
            Hop::Always(link) => link,
            Hop::Table(_) => None,
        }
    }

    /// The link from `at` towards `to`. A node with a single egress link uses it whether or
    /// not it leads there.
    #[inline]
    #[must_use]
    pub fn next(&self, at: NodeId, to: NodeId) -> Option<LinkId> {
        match self.hops[at.0 as usize] {
            Hop::Always(link) => link,
            Hop::Table(number) => self.tables[number as usize][to.0 as usize],
        }
    }
}

/// The first link of the shortest path from `source` to each node (Dijkstra 1959).
fn first_links(source: usize, out: &[Vec<Edge>]) -> Vec<Option<LinkId>> {
    let mut first = vec![None; out.len()];
    let mut settled = vec![false; out.len()];
    // Ordered by cost, then by the first link of the path.
    let mut heap = BinaryHeap::from([Reverse((0_u64, None::<u32>, source))]);
    while let Some(Reverse((cost, via, node))) = heap.pop() {
        if std::mem::replace(&mut settled[node], true) {
            continue;
        }
        first[node] = via.map(LinkId);
        for edge in &out[node] {
            let via = via.unwrap_or(edge.link.0);
            heap.push(Reverse((cost + u64::from(edge.cost), Some(via), edge.to.0 as usize)));
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edge(link: u32, from: u32, to: u32, cost: u32) -> Edge {
        Edge { from: NodeId(from), to: NodeId(to), cost, link: LinkId(link) }
    }

    /// A square 0-1-3, 0-2-3; the path by 1 costs more unless all links cost the same.
    #[test]
    fn the_cheapest_path_and_on_a_tie_the_first_link() {
        let square = |cost| {
            let edges = [edge(0, 0, 1, cost), edge(1, 0, 2, 1), edge(2, 1, 3, 1), edge(3, 2, 3, 1)];
            Routes::shortest(4, &edges)
        };
        assert_eq!(square(1).next(NodeId(0), NodeId(3)), Some(LinkId(0)));
        assert_eq!(square(2).next(NodeId(0), NodeId(3)), Some(LinkId(1)));
        assert_eq!(square(2).next(NodeId(0), NodeId(1)), Some(LinkId(0)));
        assert_eq!(square(1).next(NodeId(3), NodeId(0)), None);
    }

    /// A table for each of them would be quadratic.
    #[test]
    fn nodes_without_a_choice_have_no_table() {
        let star: Vec<Edge> = (1..1000).map(|to| edge(to, 0, to, 1)).collect();
        let routes = Routes::shortest(1000, &star);
        assert_eq!(routes.tables.len(), 1);
        assert_eq!(routes.next(NodeId(5), NodeId(0)), None);
    }

    proptest! {
        /// Following the routes costs what Bellman and Ford find, for random graphs.
        #[test]
        fn routes_are_shortest(ends in prop::collection::vec((0u32..7, 0u32..7, 1u32..5), 1..30)) {
            let edges: Vec<Edge> = ends.iter().enumerate()
                .filter(|(_, (from, to, _))| from != to)
                .map(|(link, &(from, to, cost))| edge(link as u32, from, to, cost))
                .collect();
            let routes = Routes::shortest(7, &edges);
            for to in 0..7_u32 {
                let mut cost = [u64::MAX / 2; 7];
                cost[to as usize] = 0;
                for _ in 0..7 {
                    for e in &edges {
                        let by = cost[e.to.0 as usize] + u64::from(e.cost);
                        cost[e.from.0 as usize] = cost[e.from.0 as usize].min(by);
                    }
                }
                for from in (0..7_u32).filter(|&from| from != to && cost[from as usize] < u64::MAX / 2) {
                    let (mut at, mut paid) = (NodeId(from), 0);
                    while at != NodeId(to) {
                        let link = routes.next(at, NodeId(to)).unwrap();
                        let e = edges.iter().find(|e| e.link == link && e.from == at).unwrap();
                        paid += u64::from(e.cost);
                        at = e.to;
                    }
                    prop_assert_eq!(paid, cost[from as usize]);
                }
            }
        }
    }
}
