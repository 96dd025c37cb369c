//! A sender of one file, a receiver, and losses as a test wants them.

#![allow(dead_code, reason = "not every test needs every part")]

use lab::trace::Trace;
use lab::{Step, TcpHost, View, Workload};
use sim::link::{PacketLink, ScriptedDrops};
use sim::queue::DropTail;
use sim::{HostId, Link, LinkId, Packet, Rate, Time, World};
use tcp::recovery::NewRenoParameters;
use tcp::{Config, Connection, Counters, Flavor, LossWindow, Segment, State, TickClock};

const SENDER: HostId = HostId(0);
const RECEIVER: HostId = HostId(1);
pub(crate) const FILE_BYTES: u64 = 60_000;

/// Writes a file and closes.
struct Source {
    written: bool,
}

impl Workload for Source {
    fn opens_at(&self) -> Option<Time> {
        Some(Time::ZERO)
    }

    fn next(&mut self, _: Time, _: View) -> Step {
        if std::mem::replace(&mut self.written, true) { Step::Close } else { Step::Write(FILE_BYTES) }
    }
}

/// Closes when the whole file has come.
struct Sink;

impl Workload for Sink {
    fn next(&mut self, _: Time, view: View) -> Step {
        if view.delivered == FILE_BYTES { Step::Close } else { Step::WaitUntil(Time::NEVER) }
    }
}

/// Every parameter stated; a test changes what it is about.
pub(crate) fn config(flavor: &'static Flavor, newreno: Option<NewRenoParameters>) -> Config {
    Config {
        flavor,
        newreno,
        smss: 1000,
        initial_window: 1,
        initial_ssthresh: 1_000_000,
        receive_buffer: 60_000,
        window_scale: 0,
        delayed_ack: None,
        nagle: false,
        sws_avoidance: true,
        idle_restart: true,
        loss_window: LossWindow::FlightSize,
        additive_constant: false,
        initial_rto: 30,
        min_rto: 10,
        max_rto: 640,
    }
}

fn link(counts: fn(&Packet<Segment>) -> bool, lost: Vec<u64>) -> Link<Segment> {
    let drops = ScriptedDrops::new(counts, lost);
    Link::Packets(PacketLink::new(
        Rate::from_bps(8_000_000),
        Time::from_ms(50),
        Box::new(DropTail::new(10_000)),
        Some(Box::new(drops)),
    ))
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
    let end = |id, peer, workload| {
        let connection = Connection::new(config, clock);
        TcpHost::new(id, peer, connection, workload, false)
    };
    let hosts = vec![
        (end(SENDER, RECEIVER, Box::new(Source { written: false })), LinkId(0)),
        (end(RECEIVER, SENDER, Box::new(Sink)), LinkId(1)),
    ];
    let links = vec![link(|packet| packet.payload.len > 0, lost), link(|_| true, lost_back)];
    let mut world = World::new(hosts, links, Trace::of(SENDER));
    let mut done = None;
    while let Some(next) = world.next_event_time() {
        world.advance_to(next);
        if world.hosts()[0].connection().window().snd_una > FILE_BYTES {
            done.get_or_insert(next);
        }
        assert!(next < Time::from_secs(3600), "the transfer hangs");
    }
    let states = [State::TimeWait, State::Closed];
    assert!(world.hosts().iter().all(|host| states.contains(&host.connection().state())));
    assert!(world.links_mut().iter().all(|link| link.packets() == 0));
    assert_eq!(world.hosts()[1].connection().delivered(), FILE_BYTES);
    let counters = world.hosts()[0].connection().counters();
    Outcome { trace: world.into_observer().into_text(), counters, done: done.expect("all was acknowledged") }
}
