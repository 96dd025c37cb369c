//! Prefetching, in worlds too large for the second cache of a processor: while the world processes events, the
//! processor loads the memory of later events.
//!
//! When a slot of the event queue begins, its events are known, and most of those of the next slot. The world then
//! prefetches the packets of the next slot, and the hosts and links of the slot that begins: a packet, which was
//! prefetched a slot before, names its host, and the host its egress link. No result depends on it.
//!
//! No other code is involved: address and size of a host or a link give its cache lines. Memory behind their pointers
//! is not prefetched.

use super::forwarding::Forwarding;
use super::{CompactLink, Host, InFlight, Task, World};
use crate::packet::{HostId, LinkId};
use prefetch_index::prefetch_index;
use std::ptr;

/// A world with fewer hosts fits into the second cache, from where prefetching takes more time than it saves.
const MIN_HOSTS: usize = 1_000;
/// Bytes of a cache line.
const CACHE_LINE: usize = 64;

/// Whether to prefetch in a world of so many hosts.
pub(super) fn is_worth_it(hosts: usize) -> bool {
    hosts >= MIN_HOSTS
}

impl<H: Host, O> World<H, O> {
    /// Prefetches for the slot of the event queue that begins, and for the next one.
    #[inline(never)]
    pub(super) fn prefetch(&self) {
        self.queue.storage_after_next_slot().into_iter().for_each(prefetch);
        self.queue.in_next_slot().filter_map(|task| self.packet_of(*task)).for_each(prefetch);
        for task in self.queue.in_current_slot() {
            if let Task::Wake(host) = *task {
                self.prefetch_host(host);
            } else if let Some(InFlight { next_hop, packet, .. }) = self.packet_of(*task) {
                match next_hop.get() {
                    None => self.prefetch_host(packet.to),
                    Some(link) => self.prefetch_link_after(link, packet.to),
                }
            }
        }
    }

    /// The packet of an event.
    #[inline(always)]
    fn packet_of(&self, task: Task) -> Option<&InFlight<H::Payload>> {
        match task {
            Task::Deliver(slot) | Task::Forward(slot) => self.in_flight.get(slot.index()),
            Task::Wake(_) | Task::Poll(_) | Task::Lose(_) => None,
        }
    }

    /// Prefetches a host that acts, and the link that its packets enter.
    fn prefetch_host(&self, id: HostId) {
        let number = id.0 as usize;
        let (Some(host), Some(state)) = (self.hosts.get(number), self.host_states.get(number)) else {
            return;
        };
        prefetch(host);
        self.prefetch_link_state(state.egress);
        #[cfg(test)]
        self.prefetched.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }

    /// Prefetches the link after this one, which a packet for this host may enter at the same time.
    fn prefetch_link_after(&self, link: LinkId, to: HostId) {
        let Some(state) = self.links.get(link.0 as usize) else { return };
        if let Forwarding::Route(node) = state.forwarding {
            let to = self.host_states[to.0 as usize].node;
            self.prefetch_link_state(self.routes.next(node, to).into());
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
        world.prefetches = prefetches;
        world.advance_to(Time::from_ms(400));
        let prefetched = world.prefetched.load(std::sync::atomic::Ordering::Relaxed);
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
