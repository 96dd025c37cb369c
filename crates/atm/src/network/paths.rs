//! Which lines a VC takes.

use super::LineConfig;
use sim::topology::{Edge, Routes};
use sim::{LinkId, NodeId};

/// The paths between the hosts of an ATM network: of fewest cost, of equal ones over the line with the smallest number
/// where they part, and never through a host.
pub struct Paths {
    points: u32,
    routes: Routes,
    /// Where each line ends.
    ends: Vec<u32>,
}

impl Paths {
    /// Of `hosts` hosts, the first points, and `switches` switches, the others.
    ///
    /// # Panics
    /// If a line leads from or to another point.
    #[must_use]
    pub fn new(hosts: u32, switches: u32, lines: &[LineConfig]) -> Self {
        let points = hosts + switches;
        // A host is two nodes, so no path leads through it.
        let from = |point| NodeId(if point < hosts { points + point } else { point });
        let edge = |(number, line): (u32, &LineConfig)| Edge {
            from: from(line.from),
            to: NodeId(line.to),
            cost: line.cost,
            link: LinkId(number),
        };
        let edges: Vec<Edge> = (0..).zip(lines).map(edge).collect();
        let ends = lines.iter().map(|line| line.to).collect();
        Self { points, routes: Routes::shortest((points + hosts) as usize, &edges), ends }
    }

    /// The lines from one host to another; none if there is no path.
    #[must_use]
    pub fn find(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        let mut path = Vec::new();
        let mut at = self.points + from;
        // A path passes no point twice.
        while path.len() <= self.points as usize {
            let LinkId(line) = self.routes.next(NodeId(at), NodeId(to))?;
            path.push(line);
            at = self.ends[line as usize];
            if at == to {
                return Some(path);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Time;

    fn line(from: u32, to: u32, cost: u32) -> LineConfig {
        let (cell_time, delay) = (Time::from_us(1), Time::ZERO);
        LineConfig { from, to, cell_time, delay, cost, port: None }
    }

    /// Hosts 0, 1, 2; switches 3, 4. Host 2 is on both switches and cheap, but no path leads through a host.
    #[test]
    fn no_path_leads_through_a_host() {
        let lines =
            [line(0, 3, 1), line(3, 4, 9), line(4, 1, 1), line(3, 2, 1), line(2, 4, 1), line(2, 3, 1)];
        let paths = Paths::new(3, 2, &lines);
        assert_eq!(paths.find(0, 1), Some(vec![0, 1, 2]));
        assert_eq!(paths.find(0, 2), Some(vec![0, 3]));
        assert_eq!(paths.find(2, 1), Some(vec![4, 2]));
        assert_eq!(paths.find(1, 0), None);
        assert_eq!(paths.find(2, 0), None);
    }

    /// Of two paths that cost the same, the line named first.
    #[test]
    fn the_line_named_first_wins_a_tie() {
        let lines = [line(0, 2, 1), line(2, 3, 1), line(2, 4, 1), line(4, 1, 1), line(3, 1, 1)];
        assert_eq!(Paths::new(2, 3, &lines).find(0, 1), Some(vec![0, 1, 4]));
    }
}
