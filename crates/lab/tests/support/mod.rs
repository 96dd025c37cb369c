//! A sender of one file, a receiver, and losses as a test wants them.

#![allow(dead_code, reason = "not every test needs every part")]

use base::{Rate, Time};
use lab::build::Link;
use lab::trace::Trace;
use lab::workload::bulk::{Sink, Source};
use lab::{Content, Host, Payload, TcpHost};
use sim::link::{PacketLink, ScriptedDrops};
use sim::queue::{DropTail, Fifo};
use sim::{Edge, End, HostId, LinkId, NodeId, Packet, Routes, World};
use tcp::options::NewRenoParameters;
use tcp::{Config, Connection, Counters, Flavor, Options, State, TickClock, Timers};

const SENDER: HostId = HostId(0);
const RECEIVER: HostId = HostId(1);
pub(crate) const FILE_BYTES: u64 = 60_000;

/// Every parameter stated; a test changes what it is about.
pub(crate) fn config(flavor: &'static Flavor, newreno: Option<NewRenoParameters>) -> Config {
    let presets = flavor.presets;
    Config {
        flavor,
        options: Options {
            newreno: newreno.unwrap_or(presets.newreno),
            delayed_ack: None,
            initial_rto: Time::from_secs(3),
            min_rto: if presets.timers == Timers::Ticks { Time::from_secs(1) } else { presets.min_rto },
            max_rto: Time::from_secs(64),
            ..presets
        },
        smss: 1000,
        initial_window: 1,
        initial_ssthresh: 1_000_000,
        receive_buffer: 60_000,
        initial_receive_buffer: None,
        window_scale: Some(0),
        nagle: false,
        idle_restart: true,
        restart_window: None,
    }
}

fn link(id: LinkId, counts: fn(&Packet<Payload>) -> bool, lost: Vec<u64>) -> Link<Payload> {
    let drops = ScriptedDrops::new(counts, lost);
    Link::Packets(Box::new(PacketLink::new(
        id,
        Box::new(Fifo::new(DropTail::new(Some(10_000), None))),
        Box::new(Rate::from_bps(8_000_000)),
        Time::from_ms(50),
        vec![Box::new(drops)],
    )))
}

fn connection(host: &Host) -> &Connection {
    host.connection().expect("both ends are of TCP")
}

/// What came of a transfer.
pub(crate) struct Outcome {
    /// The sender's trace.
    pub(crate) trace: String,
    pub(crate) counters: Counters,
    /// When the last byte was acknowledged.
    pub(crate) done: Time,
}

/// Transfers the file; of the sender's data segments those with the numbers `lost` are lost, and of
/// the receiver's segments, its SYN included, those with the numbers `lost_back`.
pub(crate) fn transfer(config: Config, lost: Vec<u64>, lost_back: Vec<u64>) -> Outcome {
    let clock = TickClock { tick: Time::from_ms(100), phase: Time::ZERO };
    let end = |peer, workload: Box<dyn lab::Workload>| {
        Host::Tcp(TcpHost::new(peer, (config.into(), clock), workload, false))
    };
    let hosts = vec![
        (end(RECEIVER, Box::new(Source::new(Some(FILE_BYTES), Time::ZERO))), NodeId(0)),
        (end(SENDER, Box::new(Sink::new(Some(FILE_BYTES)))), NodeId(1)),
    ];
    let links = vec![
        (link(LinkId(0), |packet| packet.payload.has_data(), lost), End::Node(NodeId(1))),
        (link(LinkId(1), |_| true, lost_back), End::Node(NodeId(0))),
    ];
    let edge = |link, from, to| Edge { from: NodeId(from), to: NodeId(to), cost: 1, link: LinkId(link) };
    let routes = Routes::shortest(2, &[edge(0, 0, 1), edge(1, 1, 0)]);
    let mut world = World::new(hosts, links, routes, Trace::of(SENDER));
    let mut done = None;
    while let Some(next) = world.next_event_time() {
        world.advance_to(next);
        if connection(&world.hosts()[0]).sender().snd_una > FILE_BYTES {
            done.get_or_insert(next);
        }
        assert!(next < Time::from_secs(3600), "the transfer hangs");
    }
    let states = [State::TimeWait, State::Closed];
    assert!(world.hosts().iter().all(|host| states.contains(&connection(host).state())));
    assert_eq!(world.packets(), 0);
    assert_eq!(connection(&world.hosts()[1]).delivered(), FILE_BYTES);
    let counters = connection(&world.hosts()[0]).counters();
    Outcome { trace: world.into_observer().into_text(), counters, done: done.expect("all was acknowledged") }
}
