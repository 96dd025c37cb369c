//! Hosts that send by a script, an observer that records everything, and small networks.

use atm::erica::RateControlConfig;
use atm::network::{
    AtmNetwork, CellLaw, Cells, LineConfig, NetworkConfig, NetworkCounters, Paths, Service, SwitchPort,
    UbrQueueing, VcConfig,
};
use atm::{AtmEvent, AtmLink, Eom, FrameDrop, Tail};
use base::Time;
use sim::link::{DropCause, LinkEvent};
use sim::rng::Streams;
use sim::{Edge, End, Event, Host, HostId, LinkId, NodeId, Observer, Outbox, Packet, Routes, World};

/// The link of a world.
pub(crate) type Link = sim::Link<u32, AtmLink<u32>>;

/// Sends packets of given lengths to a host at given times. A packet's content is its number among those of its
/// sender.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) to: HostId,
    /// When, and how long; in the order of time.
    pub(crate) packets: Vec<(Time, u32)>,
}

pub(crate) struct Scripted {
    script: Script,
    sent: usize,
}

impl Host for Scripted {
    type Payload = u32;
    type Component = AtmLink<u32>;

    fn receive(&mut self, _: Time, _: &Packet<u32>, _: &mut Outbox<u32>) {}

    fn wake(&mut self, now: Time, outbox: &mut Outbox<u32>) {
        while let Some(&(_, bytes)) = self.script.packets.get(self.sent).filter(|packet| packet.0 <= now) {
            outbox.push(self.script.to, 0, bytes, self.sent as u32);
            self.sent += 1;
        }
    }

    fn next_wake(&self) -> Time {
        self.script.packets.get(self.sent).map_or(Time::NEVER, |packet| packet.0)
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Happened {
    Sent(HostId, u32),
    Delivered(HostId, u32),
    Dropped(HostId, u32, FrameDrop),
    Crossing(HostId, u32, Time),
    CellSent(u32, bool),
    CellsQueued(u32, u32),
    Acr(u32, f64),
}

/// What happened, in the order in which it was reported.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Log {
    pub(crate) happened: Vec<(Time, Happened)>,
    /// Why the next packet is dropped.
    cause: Option<FrameDrop>,
}

impl Observer<Scripted> for Log {
    fn on(&mut self, at: Time, event: &Event<'_, Scripted>) {
        let happened = match event {
            Event::Sent(_, packet) => Happened::Sent(packet.from, packet.payload),
            Event::Delivered(_, packet) => Happened::Delivered(packet.from, packet.payload),
            Event::Component(_, AtmEvent::FrameDropped(cause)) => {
                self.cause = Some(*cause);
                return;
            }
            Event::Link(_, LinkEvent::Dropped(packet, DropCause::Component)) => {
                let cause = self.cause.take().expect("the component has said why");
                Happened::Dropped(packet.from, packet.payload, cause)
            }
            Event::Link(_, LinkEvent::Crossing { packet, arrives }) => {
                Happened::Crossing(packet.from, packet.payload, *arrives)
            }
            Event::Component(_, AtmEvent::CellSent { vc, data }) => Happened::CellSent(*vc, *data),
            Event::Component(_, AtmEvent::CellsQueued { port, queued }) => {
                Happened::CellsQueued(*port, *queued)
            }
            Event::Component(_, AtmEvent::Acr { vc, acr }) => Happened::Acr(*vc, *acr),
            _ => return,
        };
        self.happened.push((at, happened));
    }
}

/// A world with one link between all its hosts, of which host n follows script n.
pub(crate) fn world(link: Link, scripts: &[Script]) -> World<Scripted, Log> {
    let nodes = scripts.len() as u32;
    let host =
        |(number, script): (u32, &Script)| (Scripted { script: script.clone(), sent: 0 }, NodeId(number));
    // All routes lead over one extra node of the link.
    let edge = |from, to| Edge { from: NodeId(from), to: NodeId(to), cost: 1, link: LinkId(0) };
    let edges: Vec<Edge> = (0..nodes).flat_map(|node| [edge(node, nodes), edge(nodes, node)]).collect();
    let routes = Routes::shortest(nodes as usize + 1, &edges);
    let hosts = (0..).zip(scripts).map(host);
    World::new(hosts, vec![(link, End::Addressee)], routes, Log::default())
}

/// The network of a world.
pub(crate) fn network(world: &mut World<Scripted, Log>) -> &mut AtmNetwork<u32> {
    let link = world.links_mut().next();
    let Some(Link::Component(component)) = link else { panic!("a world of a component") };
    let AtmLink::Network(network) = &mut **component else { panic!("a world of an ATM network") };
    network
}

pub(crate) fn counters(world: &mut World<Scripted, Log>, now: Time) -> NetworkCounters {
    network(world).counters(now)
}

/// A cell at each of these times.
pub(crate) struct At(pub(crate) std::vec::IntoIter<Time>);

impl CellLaw for At {
    fn next_cell(&mut self) -> Time {
        self.0.next().unwrap_or(Time::NEVER)
    }
}

/// Cells at these times.
pub(crate) fn cells_at(times: Vec<Time>) -> Cells {
    Cells::Law(Box::new(At(times.into_iter())))
}

/// A port that loses nothing.
pub(crate) fn endless(rate_control: RateControlConfig) -> SwitchPort {
    SwitchPort {
        vbr_buffer: None,
        abr_buffer: None,
        ubr_buffer: None,
        ubr_share_ppb: 0,
        ubr_queueing: UbrQueueing::Fifo,
        draws: Streams::new(0).named("dfba/0"),
        policy: Box::new(Tail),
        eom: Eom::Keep,
        rate_control,
    }
}

/// What is needed of a network; paths and lines in both directions follow.
pub(crate) struct Plan {
    pub(crate) hosts: u32,
    pub(crate) switches: u32,
    pub(crate) lines: Vec<LineConfig>,
    /// From a host to another, what it carries there, the way back being its peer with nothing but RM cells.
    pub(crate) vcs: Vec<(u32, u32, Service, Cells)>,
}

impl Plan {
    pub(crate) fn new(hosts: u32, switches: u32) -> Self {
        Self { hosts, switches, lines: Vec::new(), vcs: Vec::new() }
    }

    /// A line in each direction, with NICs and ports at their beginnings.
    pub(crate) fn between(
        &mut self,
        a: u32,
        b: u32,
        cell_time: Time,
        delay: Time,
        port: impl Fn() -> SwitchPort,
    ) {
        for (from, to) in [(a, b), (b, a)] {
            let port = (from >= self.hosts).then(&port);
            self.lines.push(LineConfig { from, to, cell_time, delay, cost: 1, port });
        }
    }

    /// VC 2n is the n-th of the list, 2n + 1 the way back.
    pub(crate) fn network(self) -> AtmNetwork<u32> {
        let paths = Paths::new(self.hosts, self.switches, &self.lines);
        let mut vcs = Vec::new();
        for (from, to, service, cells) in self.vcs {
            let number = vcs.len() as u32;
            let path = |from, to| paths.find(from, to).expect("a path");
            vcs.push(VcConfig { path: path(from, to), peer: number + 1, service, cells });
            vcs.push(VcConfig { path: path(to, from), peer: number, service, cells: Cells::Nothing });
        }
        AtmNetwork::new(NetworkConfig { lines: self.lines, vcs }).expect("lines and VCs fit together")
    }

    pub(crate) fn link(self) -> Link {
        self.network().into()
    }
}

pub(crate) fn us(us: u64) -> Time {
    Time::from_us(us)
}
