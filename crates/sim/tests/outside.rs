//! Packets sent through `World::act` give the same run as packets that a host sends itself.

use base::{Rate, Time};
use proptest::prelude::*;
use sim::link::FifoLink;
use sim::queue::DropTail;
use sim::{
    Adjacency, Edge, End, Host, HostId, Link, LinkId, NextHop, NoComponent, NodeId, Outbox, Packet, Routes,
    World,
};

/// Sends packets of these lengths at these times, and notes what comes.
struct Noting {
    sends: Vec<(Time, u32)>,
    came: Vec<(Time, u32)>,
}

/// Sends a packet of `bytes` bytes to host 1.
fn send(outbox: &mut Outbox<'_, u32>, bytes: u32) {
    outbox.push(HostId(1), 0, bytes, bytes);
}

impl Host for Noting {
    type Payload = u32;
    type Component = NoComponent;

    fn receive(&mut self, now: Time, packet: &Packet<u32>, _: &mut Outbox<'_, u32>) {
        self.came.push((now, packet.payload));
    }

    fn wake(&mut self, now: Time, outbox: &mut Outbox<'_, u32>) {
        while let Some(&(_, bytes)) = self.sends.first().filter(|send| send.0 <= now) {
            self.sends.remove(0);
            send(outbox, bytes);
        }
    }

    fn next_wake(&self) -> Time {
        self.sends.first().map_or(Time::NEVER, |send| send.0)
    }
}

/// From host 0 over a bottleneck and an access link, which continues it, to host 1.
fn world(sends: Vec<(Time, u32)>) -> World<Noting, ()> {
    let edge = |from, to, link| Edge { from: NodeId(from), to: NodeId(to), cost: 1, link: LinkId(link) };
    let routes = Routes::shortest(3, &[edge(0, 1, 0), edge(1, 2, 1)]);
    let link = |bps, queue| {
        Link::Fifo(FifoLink::drop_tail(
            Rate::from_bps(bps),
            Time::from_ms(5),
            DropTail::new(Some(queue), None),
        ))
    };
    let links =
        vec![(link(8_000_000, 3), End::Node(NodeId(1))), (link(80_000_000, 1 << 40), End::Node(NodeId(2)))];
    let hosts = [(sends, 0), (vec![], 2)];
    let hosts = hosts.map(|(sends, node)| (Noting { sends, came: vec![] }, NodeId(node)));
    let adjacency = [
        Adjacency { single_upstream: false, next_hop: NextHop::Link(LinkId(1)) },
        Adjacency { single_upstream: true, next_hop: NextHop::Hosts },
    ];
    World::new(hosts, links, routes, ()).with_adjacency(&adjacency)
}

/// Three packets are in flight when it stops, and a host has one more to send.
#[test]
fn a_stopped_world_has_no_events_and_keeps_its_links() {
    let sends = [0, 1, 2, 50].map(|ms| (Time::from_ms(ms), 1000)).to_vec();
    let mut world = world(sends);
    world.advance_to(Time::from_ms(4));
    assert_eq!(world.packets(), 3);
    let hosts = world.stop();
    assert_eq!((hosts[0].sends.len(), hosts[1].came.len()), (1, 0));
    assert_eq!((world.next_event_time(), world.packets(), world.hosts().len()), (None, 0, 0));
    let offered =
        |link: &mut Link<u32>| link.packet_counters(Time::from_ms(4)).map(|sums| sums.packets_offered);
    assert_eq!(world.links_mut().map(offered).collect::<Vec<_>>(), [Some(3), Some(0)]);
    world.advance_to(Time::from_secs(1));
}

proptest! {
    #[test]
    fn packets_from_outside_travel_like_those_of_a_host(
        gaps in prop::collection::vec((0u64..3000, 40u32..1500), 1..60),
        pauses in prop::collection::vec(0u64..20_000, 0..20),
    ) {
        let mut at = Time::ZERO;
        let sends: Vec<(Time, u32)> = gaps
            .into_iter()
            .map(|(gap, bytes)| {
                at += Time::from_us(gap);
                (at, bytes)
            })
            .collect();
        let end = at + Time::from_secs(1);
        let mut alone = world(sends.clone());
        alone.advance_to(end);
        let mut driven = world(vec![]);
        let mut times: Vec<(Time, Option<u32>)> = sends.iter().map(|&(at, bytes)| (at, Some(bytes))).collect();
        // An advance without a packet changes nothing.
        times.extend(pauses.into_iter().map(|us| (Time::from_us(us), None)));
        times.sort_by_key(|time| time.0);
        for (at, bytes) in times {
            driven.advance_to(at);
            prop_assert_eq!(driven.now(), at);
            if let Some(bytes) = bytes {
                driven.act(HostId(0), |_, now, outbox| {
                    assert_eq!(now, at);
                    send(outbox, bytes);
                });
            }
        }
        driven.advance_to(end);
        prop_assert_eq!(&driven.hosts()[1].came, &alone.hosts()[1].came);
        prop_assert!(!driven.hosts()[1].came.is_empty());
    }

    /// Over two links of 5 ms each; the times of sending are left out.
    #[test]
    fn nothing_is_delivered_before_the_time_that_the_world_names(
        gaps in prop::collection::vec((0u64..3000, 40u32..1500), 1..60),
    ) {
        let mut driven = world(vec![]);
        let mut stops = 0;
        for (gap, bytes) in gaps {
            let enters = driven.now() + Time::from_us(gap);
            loop {
                let delivery = driven.next_delivery(Time::from_ms(5));
                let came = driven.hosts()[1].came.len();
                prop_assert!(Some(delivery) >= driven.next_event_time());
                if delivery >= enters {
                    break;
                }
                driven.advance_to(delivery - Time::from_ps(1));
                prop_assert_eq!(driven.hosts()[1].came.len(), came);
                driven.advance_to(delivery);
                stops += 1;
            }
            driven.advance_to(enters);
            driven.act(HostId(0), |_, _, outbox| send(outbox, bytes));
        }
        // One for a packet's delivery, and one where it could have been delivered if sending took no time.
        prop_assert!(stops <= 2 * driven.hosts()[1].came.len() + 1, "{} stops", stops);
    }
}
