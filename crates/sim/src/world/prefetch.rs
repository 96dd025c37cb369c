//! Prefetching, in worlds too large for the caches of a processor: while the world processes events, the processor
//! loads the memory of later events.
//!
//! The event queue previews the events of its next slot. Each previewed event goes through [`STEPS`] steps, one
//! whenever a few events have been processed, and each step prefetches what the step before has made known: a packet
//! names its host, the host its egress link. No result depends on it.
//!
//! No other code is involved: address and size of a host or a link give its cache lines. Memory behind their pointers
//! is not prefetched.

use super::forwarding::Forwarding;
use super::{CompactLink, Host, Task, World};
use crate::event::CHUNK;
use crate::packet::{HostId, LinkId};
use prefetch_index::prefetch_index;
use std::ptr;

/// Steps of each event.
const STEPS: usize = 3;
/// A world with fewer hosts fits into the caches, where prefetching only takes time.
const MIN_HOSTS: usize = 5_000;
/// Bytes of a cache line.
const CACHE_LINE: usize = 64;

/// What an event will access.
#[derive(Clone, Copy)]
enum Access {
    /// This host acts.
    Host(HostId),
    /// A packet for this host enters a link.
    Link(LinkId, HostId),
}

/// The previewed events, by their next step.
pub(super) struct Prefetcher {
    steps: [[Option<Access>; CHUNK]; STEPS],
    /// Hosts whose prefetching is complete.
    #[cfg(test)]
    hosts: usize,
}

impl Prefetcher {
    /// None for a world that is too small.
    pub(super) fn for_hosts(hosts: usize) -> Option<Self> {
        (hosts >= MIN_HOSTS).then(Self::new)
    }

    fn new() -> Self {
        Self {
            steps: Default::default(),
            #[cfg(test)]
            hosts: 0,
        }
    }
}

impl<H: Host, O> World<H, O> {
    /// Takes a step for each previewed event, and previews more.
    #[inline(never)]
    pub(super) fn prefetch(&mut self) {
        let Some(mut prefetcher) = self.prefetcher.take() else { return };
        prefetcher.steps.rotate_right(1);
        prefetcher.steps[0] = self.next_accesses();
        for (step, accesses) in prefetcher.steps.iter().enumerate() {
            for access in accesses.iter().flatten() {
                match *access {
                    Access::Host(host) => self.prefetch_host(host, step),
                    Access::Link(link, to) => self.prefetch_link(link, to, step),
                }
            }
        }
        #[cfg(test)]
        {
            let is_host = |access: &&Access| matches!(access, Access::Host(_));
            prefetcher.hosts += prefetcher.steps[STEPS - 1].iter().flatten().filter(is_host).count();
        }
        self.prefetcher = Some(prefetcher);
    }

    /// What the next previewed events will access. Reads all their packets in a row, so that it waits for memory once.
    fn next_accesses(&mut self) -> [Option<Access>; CHUNK] {
        let tasks = self.queue.preview();
        self.queue.preview_storage().inspect(|storage| prefetch(*storage));
        tasks.map(|task| match task? {
            Task::Wake(host) => Some(Access::Host(host)),
            Task::Deliver(slot) | Task::Forward(slot) => {
                let in_flight = self.in_flight.get(slot.index())?;
                let to = in_flight.packet.to;
                Some(in_flight.next_hop.get().map_or(Access::Host(to), |link| Access::Link(link, to)))
            }
            Task::Poll(_) | Task::Lose(_) => None,
        })
    }

    fn prefetch_host(&self, id: HostId, step: usize) {
        let number = id.0 as usize;
        let (Some(host), Some(state)) = (self.hosts.get(number), self.host_states.get(number)) else {
            return;
        };
        match step {
            0 => prefetch(state),
            1 => prefetch(host),
            _ => self.prefetch_link_state(state.egress),
        }
    }

    /// Prefetches the link after this one, which the packet may enter at the same time.
    fn prefetch_link(&self, link: LinkId, to: HostId, step: usize) {
        let to = &self.host_states[to.0 as usize];
        let Forwarding::Route(node) = self.links[link.0 as usize].forwarding else { return };
        match step {
            0 => prefetch(to),
            1 => self.routes.entry(node, to.node).into_iter().for_each(prefetch),
            _ => self.prefetch_link_state(self.routes.next(node, to.node).into()),
        }
    }

    fn prefetch_link_state(&self, link: CompactLink) {
        link.get().and_then(|id| self.links.get(id.0 as usize)).into_iter().for_each(prefetch);
    }
}

/// Prefetches the cache lines of a value.
#[inline(always)]
fn prefetch<T>(value: &T) {
    let start = ptr::from_ref(value).addr();
    (0..size_of::<T>()).step_by(CACHE_LINE).for_each(|offset| prefetch_line(start + offset));
}

/// Prefetches the cache line at an address. [`prefetch_index`] adds an index to the address of a slice without looking
/// at the slice's length, so an empty slice reaches every address; a prefetch reads nothing and cannot fault.
#[inline(always)]
fn prefetch_line(address: usize) {
    const NOTHING: &[u8] = &[];
    prefetch_index(NOTHING, address.wrapping_sub(NOTHING.as_ptr().addr()));
}

#[cfg(test)]
mod tests {
    use super::Prefetcher;
    use crate::link::FifoLink;
    use crate::queue::DropTail;
    use crate::{
        Adjacency, Edge, End, Host, HostId, Link, LinkId, NextHop, NoComponent, NodeId, Outbox, Packet,
        Routes, World,
    };
    use base::{Rate, Time};

    const PAIRS: u32 = 300;

    /// Sends a packet back whenever one arrives.
    struct Player {
        id: u32,
        starts_at: Time,
        came: Vec<(Time, u32)>,
    }

    impl Player {
        fn send(&self, outbox: &mut Outbox<'_, ()>, bytes: u32) {
            outbox.push(HostId((self.id + PAIRS) % (2 * PAIRS)), 0, bytes, ());
        }
    }

    impl Host for Player {
        type Payload = ();
        type Component = NoComponent;

        fn receive(&mut self, now: Time, packet: &Packet<()>, outbox: &mut Outbox<'_, ()>) {
            self.came.push((now, packet.bytes));
            self.send(outbox, 40 + (packet.bytes * 37 + self.id) % 1000);
        }

        fn wake(&mut self, _: Time, outbox: &mut Outbox<'_, ()>) {
            self.starts_at = Time::NEVER;
            self.send(outbox, 40 + self.id);
        }

        fn next_wake(&self) -> Time {
            self.starts_at
        }
    }

    /// Players at nodes of their own, on both sides of a link that all share, in both directions; and how many hosts
    /// were prefetched.
    fn play(prefetches: bool) -> (Vec<Player>, usize) {
        let shared = [2 * PAIRS, 2 * PAIRS + 1];
        let (mut edges, mut links, mut adjacency) = (Vec::new(), Vec::new(), Vec::new());
        let mut link = |from, to, bps, around| {
            edges.push(Edge {
                from: NodeId(from),
                to: NodeId(to),
                cost: 1,
                link: LinkId(links.len() as u32),
            });
            let link =
                FifoLink::drop_tail(Rate::from_bps(bps), Time::from_us(700), DropTail::new(None, None));
            links.push((Link::Fifo(link), End::Node(NodeId(to))));
            adjacency.push(around);
        };
        let routed = Adjacency { single_upstream: false, next_hop: NextHop::Routed };
        link(shared[0], shared[1], 1_000_000_000, routed);
        link(shared[1], shared[0], 1_000_000_000, routed);
        for id in 0..2 * PAIRS {
            let side = id / PAIRS;
            let away = LinkId(side);
            link(
                id,
                shared[side as usize],
                10_000_000,
                Adjacency { next_hop: NextHop::Link(away), ..routed },
            );
            link(
                shared[side as usize],
                id,
                10_000_000,
                Adjacency { single_upstream: true, next_hop: NextHop::Hosts },
            );
        }
        let hosts = (0..2 * PAIRS).map(|id| {
            let starts_at = if id < PAIRS { Time::from_us(u64::from(id)) } else { Time::NEVER };
            (Player { id, starts_at, came: Vec::new() }, NodeId(id))
        });
        let routes = Routes::shortest(2 * PAIRS as usize + 2, &edges);
        let mut world = World::new(hosts, links, routes, ()).with_adjacency(&adjacency);
        world.prefetcher = prefetches.then(Prefetcher::new);
        world.advance_to(Time::from_ms(400));
        let prefetched = world.prefetcher.as_ref().map_or(0, |prefetcher| prefetcher.hosts);
        (world.stop(), prefetched)
    }

    #[test]
    fn no_result_depends_on_it_and_it_covers_most_events() {
        let ((with, prefetched), (without, none)) = (play(true), play(false));
        assert!(with.iter().zip(&without).all(|(one, other)| one.came == other.came));
        let came: usize = with.iter().map(|player| player.came.len()).sum();
        assert!(came > 10_000, "{came}");
        assert!(prefetched > came * 3 / 4, "of {came}: {prefetched}");
        assert_eq!(none, 0);
    }
}
