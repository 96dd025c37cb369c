//! Flows over one bottleneck. The way back has no limit but its delay.

use base::{Rate, Time};
use lab::build::Link;
use lab::workload::bulk::{Sink, Source};
use lab::{Content, Host, Payload, TcpHost};
use sim::link::{PacketCounters, PacketLink, ScriptedDrops};
use sim::queue::{DropTail, Fifo};
use sim::{Edge, End, HostId, LinkId, NodeId, Routes};
use tcp::{Config, Connection, Flavor, Options, TickClock};

/// A segment of 1448 bytes with timestamps; with all headers a packet has 1500.
pub(crate) const SMSS: u32 = 1460;
pub(crate) const PACKET_BITS: f64 = 12_000.0;

const FASTER: u64 = 100;

/// The bottleneck.
pub(crate) struct Path {
    pub(crate) rate_bps: u64,
    /// Without a queue.
    pub(crate) rtt: Time,
    pub(crate) buffer_packets: usize,
    /// Data packets with these numbers are lost on the wire.
    pub(crate) lost: Vec<u64>,
}

impl Path {
    pub(crate) fn new(mbps: u64, rtt: Time, buffer_packets: usize) -> Self {
        Self { rate_bps: mbps * 1_000_000, rtt, buffer_packets, lost: vec![] }
    }

    /// Packets that fill the path without a queue.
    pub(crate) fn bdp_packets(&self) -> f64 {
        self.packets_per_second() * self.rtt.as_secs_f64()
    }

    pub(crate) fn packets_per_second(&self) -> f64 {
        self.rate_bps as f64 / PACKET_BITS
    }
}

/// A flavor with its presets, ten segments at first, and a peer whose window limits nothing.
pub(crate) fn config(flavor: &str) -> Config {
    let flavor = Flavor::named(flavor).expect("a flavor");
    Config {
        flavor,
        options: Options { delayed_ack: None, ..flavor.presets },
        smss: SMSS,
        initial_window: 10,
        initial_ssthresh: 1 << 40,
        receive_buffer: 1 << 29,
        initial_receive_buffer: None,
        window_scale: Some(14),
        nagle: false,
        idle_restart: true,
        restart_window: None,
    }
}

/// Flows without an end over a path.
pub(crate) struct World {
    world: sim::World<Host, ()>,
    flows: usize,
}

/// What a moment shows.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) at: Time,
    pub(crate) counters: PacketCounters,
    /// Of each flow: bytes delivered, and cwnd in segments.
    pub(crate) flows: Vec<(u64, f64)>,
}

impl World {
    /// Flows, and when each begins.
    pub(crate) fn new(path: &Path, flows: &[(Config, Time)]) -> Self {
        let clock = TickClock { tick: Time::from_ms(10), phase: Time::ZERO };
        let hosts = (0..).zip(flows).flat_map(|(number, &(config, start))| {
            let end = |peer, workload: Box<dyn lab::Workload>| {
                Host::Tcp(TcpHost::new(HostId(peer), (config.into(), clock), workload, false))
            };
            let source = end(2 * number + 1, Box::new(Source::new(None, start)));
            [(source, NodeId(0)), (end(2 * number, Box::new(Sink::new(None))), NodeId(1))]
        });
        let one_way = Time::from_ps(path.rtt.as_ps() / 2);
        let link = |id, rate, limit, lost| {
            let drops = ScriptedDrops::new(|packet: &sim::Packet<Payload>| packet.payload.has_data(), lost);
            let queue = Box::new(Fifo::new(DropTail::new(limit, None)));
            Link::Packets(Box::new(PacketLink::new(
                LinkId(id),
                queue,
                Box::new(rate),
                one_way,
                vec![Box::new(drops)],
            )))
        };
        let back = Rate::from_bps(path.rate_bps * FASTER);
        let links = vec![
            (
                link(0, Rate::from_bps(path.rate_bps), Some(path.buffer_packets), path.lost.clone()),
                End::Node(NodeId(1)),
            ),
            (link(1, back, None, vec![]), End::Node(NodeId(0))),
        ];
        let edge = |link, from, to| Edge { from: NodeId(from), to: NodeId(to), cost: 1, link: LinkId(link) };
        let routes = Routes::shortest(2, &[edge(0, 0, 1), edge(1, 1, 0)]);
        Self { world: sim::World::new(hosts, links, routes, ()), flows: flows.len() }
    }

    pub(crate) fn connection(&self, host: usize) -> &Connection {
        self.world.hosts()[host].connection().expect("both ends are of TCP")
    }

    pub(crate) fn at(&mut self, at: Time) -> Snapshot {
        self.world.advance_to(at);
        let counters = self.world.links_mut().next().and_then(|link| link.packet_counters(at));
        let flow = |number| {
            let sender = self.connection(2 * number);
            let cwnd = sender.window().cwnd() as f64 / sender.sender().smss as f64;
            (self.connection(2 * number + 1).delivered(), cwnd)
        };
        let flows = (0..self.flows).map(flow).collect();
        Snapshot { at, counters: counters.expect("the bottleneck carries packets"), flows }
    }

    /// Every so often, from a time to a time.
    pub(crate) fn every(&mut self, step: Time, from: Time, to: Time) -> Vec<Snapshot> {
        let steps = (to - from).div_floor(step);
        (0..=steps).map(|number| self.at(from + step * number)).collect()
    }
}

impl Snapshot {
    /// Mean number of packets that waited since then.
    pub(crate) fn mean_queue(&self, since: &Self) -> f64 {
        let waited = self.counters.queued_packets_ps - since.counters.queued_packets_ps;
        waited as f64 / (self.at - since.at).as_ps() as f64
    }

    /// What a flow has delivered since then, bytes per second.
    pub(crate) fn goodput(&self, since: &Self, flow: usize) -> f64 {
        (self.flows[flow].0 - since.flows[flow].0) as f64 / (self.at - since.at).as_secs_f64()
    }

    pub(crate) fn dropped(&self) -> u64 {
        self.counters.packets_dropped
    }
}
