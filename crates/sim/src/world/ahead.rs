//! Reading ahead, in worlds too large for the caches of a processor: while events happen, memory brings what later ones
//! will need.
//!
//! The agenda tells what is in its next slot. Each of those events goes through [`STEPS`] steps, one whenever a few
//! others have happened, and each step asks for what the one before has made known: a packet says for whom it is, its
//! host where its connection lies, and that where its parts are. Nothing that happens depends on it.

use super::ways::Onward;
use super::{Due, Host, Line, TO_HOST, World};
use crate::event::CHUNK;
use crate::link::Link;
use crate::packet::{HostId, LinkId};
use prefetch_index::prefetch_index;
use std::slice::from_ref;

/// Steps of reading ahead for an event.
const STEPS: usize = 3;
/// A world with fewer hosts does not read ahead: they lie in the caches, and asking would only take time.
pub(super) const LARGE: usize = 5_000;

/// Asks for the memory in which a value begins.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    prefetch_index(from_ref(value), 0);
}

/// What an event will be about.
#[derive(Clone, Copy)]
pub(super) enum Soon {
    /// Its host acts.
    Acts(HostId),
    /// A packet for this host goes into a link.
    Passes(LinkId, HostId),
}

/// Events for which it is read ahead, by the next step.
pub(super) type Upcoming = [[Option<Soon>; CHUNK]; STEPS];

impl<H: Host, O> World<H, O> {
    /// Takes a step for each event that is known.
    #[inline(never)]
    pub(super) fn read_ahead(&mut self) {
        self.upcoming.rotate_right(1);
        self.upcoming[0] = self.next_upcoming();
        for (step, events) in self.upcoming.iter().enumerate() {
            for soon in events.iter().flatten() {
                match *soon {
                    Soon::Acts(host) => self.prefetch_host(host, step),
                    Soon::Passes(into, to) => self.prefetch_link(into, to, step),
                }
            }
        }
    }

    /// Looks at the packets of all of them first, for then it waits but once.
    fn next_upcoming(&mut self) -> [Option<Soon>; CHUNK] {
        self.agenda.ahead().map(|due| match due? {
            Due::Wake(host) => Some(Soon::Acts(host)),
            Due::Delivery(place) | Due::Transit(place) => {
                let arrival = self.packets.get(place.at())?;
                let to = arrival.packet.to;
                Some(if arrival.into == TO_HOST { Soon::Acts(to) } else { Soon::Passes(arrival.into, to) })
            }
            Due::Look(_) | Due::Loss(_) => None,
        })
    }

    fn prefetch_host(&self, id: HostId, step: usize) {
        let Some(host) = self.hosts.get(id.0 as usize) else { return };
        host.prefetch(step);
        let station = &self.stations[id.0 as usize];
        match step {
            0 => prefetch(station),
            1 => self.prefetch_line(station.way),
            _ => {
                if let Some(Line { link: Link::Fifo(link), .. }) = self.lines.get(station.way.0 as usize) {
                    link.prefetch_queue();
                }
            }
        }
    }

    /// The link that comes after, which it may go into at once.
    fn prefetch_link(&self, into: LinkId, to: HostId, step: usize) {
        let station = &self.stations[to.0 as usize];
        let Line { onward: Onward::From(node), .. } = self.lines[into.0 as usize] else { return };
        match step {
            0 => prefetch(station),
            1 => self.routes.prefetch(node, station.node),
            _ => self.prefetch_line(self.routes.next(node, station.node).unwrap_or(TO_HOST)),
        }
    }

    fn prefetch_line(&self, id: LinkId) {
        if let Some(line) = self.lines.get(id.0 as usize) {
            prefetch(line);
            prefetch(&line.apart_until);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::link::FifoLink;
    use crate::queue::DropTail;
    use crate::{
        Edge, End, Exit, Host, HostId, Link, LinkId, NoComponent, NodeId, Outbox, Packet, Passage, Routes,
        World,
    };
    use base::{Rate, Time};
    use std::cell::Cell;

    const PAIRS: u32 = 300;

    /// Sends packets to and fro with another.
    struct Player {
        id: u32,
        starts_at: Time,
        came: Vec<(Time, u32)>,
        asked: Cell<[usize; super::STEPS]>,
    }

    impl Player {
        fn packet(&self, bytes: u32) -> Packet<()> {
            let to = (self.id + PAIRS) % (2 * PAIRS);
            Packet { from: HostId(self.id), to: HostId(to), bytes, payload: () }
        }
    }

    impl Host for Player {
        type Payload = ();
        type Component = NoComponent;

        fn receive(&mut self, now: Time, packet: &Packet<()>, outbox: &mut Outbox<'_, ()>) {
            self.came.push((now, packet.bytes));
            outbox.push(self.packet(40 + (packet.bytes * 37 + self.id) % 1000));
        }

        fn wake(&mut self, _: Time, outbox: &mut Outbox<'_, ()>) {
            self.starts_at = Time::NEVER;
            outbox.push(self.packet(40 + self.id));
        }

        fn next_wake(&self) -> Time {
            self.starts_at
        }

        fn prefetch(&self, step: usize) {
            let mut asked = self.asked.get();
            asked[step] += 1;
            self.asked.set(asked);
        }
    }

    /// Players at nodes of their own, on both sides of a line that all share, in both directions.
    fn play(reads_ahead: bool) -> Vec<Player> {
        let shared = [2 * PAIRS, 2 * PAIRS + 1];
        let (mut edges, mut links, mut passages) = (Vec::new(), Vec::new(), Vec::new());
        let mut link = |from, to, bps, passage| {
            edges.push(Edge {
                from: NodeId(from),
                to: NodeId(to),
                cost: 1,
                link: LinkId(links.len() as u32),
            });
            let link =
                FifoLink::drop_tail(Rate::from_bps(bps), Time::from_us(700), DropTail::new(None, None));
            links.push((Link::Fifo(link), End::Node(NodeId(to))));
            passages.push(passage);
        };
        let open = Passage { single_entrance: false, exit: Exit::Open };
        link(shared[0], shared[1], 1_000_000_000, open);
        link(shared[1], shared[0], 1_000_000_000, open);
        for id in 0..2 * PAIRS {
            let side = id / PAIRS;
            let away = LinkId(side);
            link(id, shared[side as usize], 10_000_000, Passage { exit: Exit::Link(away), ..open });
            link(shared[side as usize], id, 10_000_000, Passage { single_entrance: true, exit: Exit::Hosts });
        }
        let hosts = (0..2 * PAIRS).map(|id| {
            let starts_at = if id < PAIRS { Time::from_us(u64::from(id)) } else { Time::NEVER };
            (Player { id, starts_at, came: Vec::new(), asked: Cell::default() }, NodeId(id))
        });
        let routes = Routes::shortest(2 * PAIRS as usize + 2, &edges);
        let mut world = World::new(hosts, links, routes, ()).with_passages(&passages);
        world.reads_ahead = reads_ahead;
        world.advance_to(Time::from_ms(400));
        world.stop()
    }

    #[test]
    fn nothing_depends_on_it_and_it_reaches_most() {
        let (with, without) = (play(true), play(false));
        assert!(with.iter().zip(&without).all(|(one, other)| one.came == other.came));
        let came: usize = with.iter().map(|player| player.came.len()).sum();
        assert!(came > 10_000, "{came}");
        let asked = |players: &[Player], step: usize| {
            players.iter().map(|player| player.asked.get()[step]).sum::<usize>()
        };
        let steps: Vec<usize> = (0..super::STEPS).map(|step| asked(&with, step)).collect();
        assert!(steps.iter().all(|asked| *asked > came * 3 / 4), "of {came}: {steps:?}");
        assert_eq!(asked(&without, 0), 0);
    }
}
