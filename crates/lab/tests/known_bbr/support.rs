//! A dumbbell: senders with RTTs of their own, a bottleneck whose rate may change, drop-tail, losses by chance.
//!
//! Node 0 is before the bottleneck, node 1 has all receivers, and each sender has a node behind an access link ten times as
//! fast as the bottleneck, which holds the delay, and before the bottleneck the losses by chance: as of an emulator, which drops
//! packets before it shapes them. Packets of data are 1500 bytes, of which 1448 are data.

use base::{Rate, Time};
use lab::build::Link;
use lab::workload::bulk::{Sink, Source};
use lab::{Host, Payload, TcpHost};
use sim::link::{Bernoulli, Impairment, Only, PPB, PacketCounters, PacketLink, Service};
use sim::queue::{DropTail, Fifo};
use sim::rng::Streams;
use sim::{Edge, End, HostId, LinkId, NodeId, Packet, Routes, World};
use std::sync::Arc;
use tcp::{Config, Connection, Flavor, TickClock};

pub(crate) const MSS: u64 = 1448;
pub(crate) const PACKET: u64 = 1500;
/// The part of the rate that is data.
pub(crate) const DATA: f64 = MSS as f64 / PACKET as f64;
const BOTTLENECK: LinkId = LinkId(0);
const NO_LIMIT: u64 = 1 << 40;

/// Rates of a link, each from a time on, bit/s.
#[derive(Clone, Debug)]
pub(crate) struct Rates(pub(crate) Vec<(Time, u64)>);

impl Service for Rates {
    fn finish(&mut self, start: Time, bytes: u32) -> Time {
        let rate = self.0.iter().rev().find(|(from, _)| *from <= start).expect("the first is from 0 on").1;
        Rate::from_bps(rate).finish(start, bytes)
    }
}

/// One sender.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sender {
    pub(crate) flavor: &'static str,
    pub(crate) start: Time,
    pub(crate) rtt: Time,
    pub(crate) receive_buffer: u64,
}

impl Sender {
    pub(crate) fn new(flavor: &'static str, rtt_ms: u64) -> Self {
        Self { flavor, start: Time::ZERO, rtt: Time::from_ms(rtt_ms), receive_buffer: 1 << 29 }
    }

    pub(crate) fn from(self, ms: u64) -> Self {
        Self { start: Time::from_ms(ms), ..self }
    }
}

/// The bottleneck.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) rates: Vec<(Time, u64)>,
    /// Packets that may wait.
    pub(crate) buffer: u64,
    /// Of the packets with data, that part is lost by chance.
    pub(crate) loss: f64,
    pub(crate) seed: u64,
}

impl Path {
    pub(crate) fn new(mbps: u64, buffer: u64) -> Self {
        Self { rates: vec![(Time::ZERO, mbps * 1_000_000)], buffer, loss: 0.0, seed: 1 }
    }

    /// Packets that fill it for so long.
    pub(crate) fn bdp(&self, rtt: Time) -> f64 {
        self.rates[0].1 as f64 * rtt.as_secs_f64() / (8 * PACKET) as f64
    }
}

/// A run that goes on.
pub(crate) struct Run {
    world: World<Host, ()>,
    flows: usize,
}

fn config(sender: &Sender) -> Config {
    let flavor = Flavor::named(sender.flavor).expect("a flavor");
    Config {
        flavor,
        options: flavor.presets,
        smss: 1460,
        initial_window: 10,
        initial_ssthresh: NO_LIMIT,
        receive_buffer: sender.receive_buffer,
        initial_receive_buffer: None,
        window_scale: Some(14),
        nagle: false,
        idle_restart: true,
        restart_window: None,
    }
}

fn link(
    id: u32,
    service: impl Service + 'static,
    delay: Time,
    limit: u64,
    impairments: Vec<Box<dyn Impairment<Payload>>>,
) -> Link<Payload> {
    let queue = Box::new(Fifo::new(DropTail::new(Some(limit as usize), None)));
    Link::Packets(Box::new(PacketLink::new(LinkId(id), queue, Box::new(service), delay, impairments)))
}

impl Run {
    pub(crate) fn new(path: &Path, senders: &[Sender]) -> Self {
        let flows = senders.len() as u32;
        let clock = TickClock { tick: Time::from_ms(100), phase: Time::ZERO };
        let streams = Streams::new(path.seed);
        let end = |number: u32, config: Config, workload: Box<dyn lab::Workload>| {
            use rand::Rng;
            let peer = HostId(if number < flows { number + flows } else { number - flows });
            let choices = streams.named(&format!("congestion/{number}")).next_u64();
            Host::Tcp(TcpHost::new(peer, (Arc::new(config), clock), workload, false).choosing_by(choices))
        };
        let sources = (0..flows).zip(senders).map(|(n, sender)| {
            (end(n, config(sender), Box::new(Source::new(None, sender.start))), NodeId(2 + n))
        });
        let sinks = (0..flows)
            .zip(senders)
            .map(|(n, sender)| (end(flows + n, config(sender), Box::new(Sink::new(None))), NodeId(1)));
        let hosts: Vec<_> = sources.chain(sinks).collect();
        let fastest = path.rates.iter().map(|its| its.1).max().expect("there is a rate");
        let fast = Rate::from_bps(10 * fastest);
        let loss_ppb = (path.loss * f64::from(PPB)) as u32;
        let impairments = |to: u32, n: u32| -> Vec<Box<dyn Impairment<Payload>>> {
            if to > 0 || loss_ppb == 0 {
                return Vec::new();
            }
            let lossy = Bernoulli::new(loss_ppb, streams.named(&format!("loss/{n}")));
            vec![Box::new(Only::new(|packet: &Packet<Payload>| packet.bytes > 100, lossy))]
        };
        let mut links = vec![
            (link(0, Rates(path.rates.clone()), Time::ZERO, path.buffer, vec![]), End::Node(NodeId(1))),
            (link(1, fast, Time::ZERO, NO_LIMIT, vec![]), End::Node(NodeId(0))),
        ];
        let edge = |link, from, to| Edge { from: NodeId(from), to: NodeId(to), cost: 1, link: LinkId(link) };
        let mut edges = vec![edge(0, 0, 1), edge(1, 1, 0)];
        for (n, sender) in (0..).zip(senders) {
            let half = Time::from_ps(sender.rtt.as_ps() / 2);
            for (to, from) in [(0, 2 + n), (2 + n, 0)] {
                let id = links.len() as u32;
                links.push((link(id, fast, half, NO_LIMIT, impairments(to, n)), End::Node(NodeId(to))));
                edges.push(edge(id, from, to));
            }
        }
        let routes = Routes::shortest(2 + flows as usize, &edges);
        Self { world: World::new(hosts, links, routes, ()), flows: flows as usize }
    }

    pub(crate) fn to(&mut self, ms: u64) -> &mut Self {
        self.world.advance_to(Time::from_ms(ms));
        self
    }

    /// The sender of a flow.
    pub(crate) fn sender(&self, flow: usize) -> &Connection {
        self.world.hosts()[flow].connection().expect("all are of TCP")
    }

    /// Bytes of data that each receiver has received.
    pub(crate) fn received(&self) -> Vec<u64> {
        let receivers = &self.world.hosts()[self.flows..];
        receivers.iter().map(|host| host.connection().expect("all are of TCP").received()).collect()
    }

    /// What has passed the bottleneck.
    pub(crate) fn bottleneck(&mut self) -> PacketCounters {
        let now = self.world.now();
        let link = self.world.links_mut().nth(BOTTLENECK.0 as usize).expect("it is the first link");
        link.packet_counters(now).expect("it carries packets")
    }

    /// Packets that wait before the bottleneck, on the mean of the next microsecond.
    pub(crate) fn waiting(&mut self) -> u64 {
        let before = self.bottleneck().queued_packets_ps;
        let now = self.world.now();
        self.world.advance_to(now + Time::from_us(1));
        let passed = self.bottleneck().queued_packets_ps - before;
        (passed as f64 / Time::from_us(1).as_ps() as f64).round() as u64
    }

    /// Packets of all flows in flight.
    pub(crate) fn in_flight(&self) -> f64 {
        (0..self.flows).map(|flow| self.sender(flow).in_flight() as f64 / MSS as f64).sum()
    }

    /// Data received of each flow between two times, Mbit/s.
    pub(crate) fn goodputs(&mut self, from_ms: u64, to_ms: u64) -> Vec<f64> {
        let before = self.to(from_ms).received();
        let after = self.to(to_ms).received();
        let mbps = |bytes: u64| bytes as f64 * 8.0 / 1000.0 / (to_ms - from_ms) as f64;
        after.iter().zip(before).map(|(after, before)| mbps(after - before)).collect()
    }

    /// Of the packets that came to the bottleneck between two times, the part that it dropped.
    pub(crate) fn drop_rate(&mut self, from_ms: u64, to_ms: u64) -> f64 {
        let before = self.to(from_ms).bottleneck();
        let after = self.to(to_ms).bottleneck();
        (after.packets_dropped - before.packets_dropped) as f64
            / (after.packets_offered - before.packets_offered) as f64
    }

    /// The mean of the packets that waited in each of so many milliseconds up to a time, and the state of the first
    /// flow at the end of each.
    pub(crate) fn queue(&mut self, step_ms: u64, until_ms: u64) -> Vec<(f64, String)> {
        let mut now = self.world.now().as_ps() / Time::from_ms(1).as_ps();
        let mut before = self.bottleneck().queued_packets_ps;
        let mut queue = Vec::new();
        while now < until_ms {
            now += step_ms;
            let after = self.to(now).bottleneck().queued_packets_ps;
            let mean = (after - before) as f64 / Time::from_ms(step_ms).as_ps() as f64;
            before = after;
            queue.push((mean, self.sender(0).congestion_state()));
        }
        queue
    }
}
