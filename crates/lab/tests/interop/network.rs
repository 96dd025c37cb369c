//! Two hosts and a line in each direction.

use crate::host::PeerHost;
use base::{Rate, Time};
use sim::link::{Fate, Impairment, PacketLink};
use sim::queue::{DropTail, Fifo};
use sim::{Edge, End, HostId, Link, LinkId, NodeId, Observer, Packet, Routes, World};
use tcp::Segment;

/// The content of packets.
pub(crate) type Payload = Box<Segment>;

/// The host that opens the connection, and the one that waits for it.
pub(crate) const OPENER: HostId = HostId(0);
pub(crate) const LISTENER: HostId = HostId(1);

/// One direction: rate, propagation delay, queue, and what the line does to packets.
pub(crate) struct Line {
    pub(crate) rate: Rate,
    pub(crate) delay: Time,
    pub(crate) queue_packets: Option<usize>,
    pub(crate) impairments: Vec<Box<dyn Impairment<Payload>>>,
}

impl Line {
    fn link(self, id: LinkId) -> Link<Payload> {
        let queue = Box::new(Fifo::new(DropTail::new(self.queue_packets, None)));
        Link::Packets(Box::new(PacketLink::new(id, queue, Box::new(self.rate), self.delay, self.impairments)))
    }
}

/// The opener and the listener, the line from the opener to the listener and the line back.
pub(crate) fn world<O: Observer<PeerHost>>(
    hosts: [PeerHost; 2],
    [there, back]: [Line; 2],
    observer: O,
) -> World<PeerHost, O> {
    let [opener, listener] = hosts;
    let edge = |link, from, to| Edge { from: NodeId(from), to: NodeId(to), cost: 1, link: LinkId(link) };
    let routes = Routes::shortest(2, &[edge(0, 0, 1), edge(1, 1, 0)]);
    let links =
        vec![(there.link(LinkId(0)), End::Node(NodeId(1))), (back.link(LinkId(1)), End::Node(NodeId(0)))];
    World::new(vec![(opener, NodeId(0)), (listener, NodeId(1))], links, routes, observer)
}

/// Applies a fate to chosen packets, counted from 1 among those for which `counts` is true.
pub(crate) struct Script {
    counts: fn(&Packet<Payload>) -> bool,
    fates: Vec<(u64, Fate)>,
    seen: u64,
}

impl Script {
    pub(crate) fn new(counts: fn(&Packet<Payload>) -> bool, fates: Vec<(u64, Fate)>) -> Self {
        Self { counts, fates, seen: 0 }
    }
}

impl Impairment<Payload> for Script {
    fn apply(&mut self, packet: &mut Packet<Payload>, _: Time) -> Fate {
        if !(self.counts)(packet) {
            return Fate::Pass;
        }
        self.seen += 1;
        self.fates.iter().find(|fate| fate.0 == self.seen).map_or(Fate::Pass, |fate| fate.1)
    }
}
