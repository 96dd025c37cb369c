//! A scenario drawn at random: two endpoints, two applications, two lines.
//!
//! Everything follows from the seed. Each part is drawn from a stream of its own, so that a new
//! part changes no other.

use crate::application::{Application, AtWork, Closes, Reads};
use crate::draw::Draw;
use crate::host::PeerHost;
use crate::network::Payload;
use crate::network::{LISTENER, Line, OPENER, world};
use crate::ours;
use crate::smoltcp_stack::{Smoltcp, SmoltcpConfig};
use crate::stack::Stack;
use base::{Rate, Time};
use sim::link::{Bernoulli, Duplicate, GilbertElliott, Impairment, Jitter, Mark, PPB};
use sim::rng::Streams;
use sim::{Observer, World};
use tcp::{Config, Ecn};

/// Whose TCP opens the connection, and whose waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pair {
    OursToOurs,
    OursToSmoltcp,
    SmoltcpToOurs,
}

impl Pair {
    pub(crate) const ALL: [Self; 3] = [Self::OursToOurs, Self::OursToSmoltcp, Self::SmoltcpToOurs];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OursToOurs => "ours -> ours",
            Self::OursToSmoltcp => "ours -> smoltcp",
            Self::SmoltcpToOurs => "smoltcp -> ours",
        }
    }
}

/// One end's TCP.
#[derive(Clone, Debug)]
enum Tcp {
    Ours(Box<Config>),
    Smoltcp(SmoltcpConfig),
}

/// What a line does to packets; the numbers are parts in 1e9.
#[derive(Clone, Copy, Debug)]
enum Harm {
    Loss(u32),
    Bursts { begin: u32, end: u32, loss: u32 },
    Jitter(Time),
    Duplication(u32),
    Marks(u32),
}

/// One direction of the path.
#[derive(Clone, Debug)]
struct Path {
    rate_bps: u64,
    delay: Time,
    queue_packets: usize,
    harms: Vec<Harm>,
}

/// A scenario.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    seed: u64,
    pub(crate) pair: Pair,
    tcps: [Tcp; 2],
    applications: [Application; 2],
    paths: [Path; 2],
}

impl Scenario {
    /// The scenario of a seed: half of them are between two of ours.
    pub(crate) fn of(seed: u64) -> Self {
        let pair = [Pair::OursToOurs, Pair::OursToOurs, Pair::OursToSmoltcp, Pair::SmoltcpToOurs]
            [(seed % 4) as usize];
        let part = |name: &str| Draw::new(seed, name);
        let isns = [part("isn/0").isn(), part("isn/1").isn()];
        let smoltcps = [pair == Pair::SmoltcpToOurs, pair == Pair::OursToSmoltcp];
        let tcp = |end: usize| {
            let mut draw = part(&format!("tcp/{end}"));
            if smoltcps[end] {
                Tcp::Smoltcp(smoltcp(&mut draw, isns[end], isns[1 - end]))
            } else {
                Tcp::Ours(Box::new(ours::any(&mut draw)))
            }
        };
        let application = |end: usize| application(&mut part(&format!("application/{end}")), end);
        let path = |end: usize| path(&mut part(&format!("path/{end}")));
        let mut applications = [application(0), application(1)];
        if applications.iter().all(|application| application.closes == Closes::AfterPeer) {
            // Somebody has to be the first.
            applications[(seed / 4 % 2) as usize].closes = Closes::WithTheData;
        }
        Self { seed, pair, tcps: [tcp(0), tcp(1)], applications, paths: [path(0), path(1)] }
    }

    /// Bytes that each end writes.
    pub(crate) fn bytes(&self) -> [u64; 2] {
        [self.applications[0].bytes(), self.applications[1].bytes()]
    }

    /// The scenario as a world.
    pub(crate) fn world<O: Observer<PeerHost>>(&self, observer: O) -> World<PeerHost, O> {
        let host = |end: usize| {
            let peer = [LISTENER, OPENER][end];
            let stack = match &self.tcps[end] {
                Tcp::Ours(config) => ours::stack(config, &mut Draw::new(self.seed, &format!("clock/{end}"))),
                Tcp::Smoltcp(config) => Stack::Smoltcp(Box::new(Smoltcp::new(config))),
            };
            PeerHost::new(peer, stack, AtWork::new(self.applications[end].clone()))
        };
        let hosts = [host(0), host(1)];
        world(hosts, [self.line(0), self.line(1)], observer)
    }

    fn line(&self, end: usize) -> Line {
        let path = &self.paths[end];
        let streams = Streams::new(self.seed);
        let impairment = |(number, harm): (usize, &Harm)| -> Box<dyn Impairment<Payload>> {
            let rng = streams.named(&format!("impairment/{end}/{number}"));
            match *harm {
                Harm::Loss(ppb) => Box::new(Bernoulli::new(ppb, rng)),
                Harm::Bursts { begin, end, loss } => {
                    Box::new(GilbertElliott::new([begin, end], [0, loss], rng))
                }
                Harm::Jitter(spread) => Box::new(Jitter::new(spread, rng)),
                Harm::Marks(ppb) => Box::new(Mark::new(ppb, mark, rng)),
                Harm::Duplication(ppb) => Box::new(Duplicate::new(ppb, rng)),
            }
        };
        Line {
            rate: Rate::from_bps(path.rate_bps),
            delay: path.delay,
            queue_packets: Some(path.queue_packets),
            impairments: path.harms.iter().enumerate().map(impairment).collect(),
        }
    }
}

/// Marks a packet of an ECN-capable sender, as a router does.
fn mark(segment: &mut Payload) -> bool {
    let capable = segment.ecn != Ecn::NotEct;
    if capable {
        segment.ecn = Ecn::Ce;
    }
    capable
}

fn smoltcp(draw: &mut Draw, isn: u32, peer_isn: u32) -> SmoltcpConfig {
    SmoltcpConfig {
        mss: draw.mss(),
        receive_buffer: draw.buffer() as usize,
        send_buffer: draw.between(2_000, 65_535) as usize,
        delayed_ack: draw.maybe(70).then(|| Time::from_ms(draw.between(1, 300))),
        nagle: draw.maybe(50),
        isn,
        peer_isn,
    }
}

/// The opener writes nearly always, the listener half of the time.
fn application(draw: &mut Draw, end: usize) -> Application {
    let opens = (end == 0).then(|| Time::from_us(draw.between(0, 2_000_000)));
    let bytes = if draw.maybe([95, 50][end]) { draw.bytes(80_000) } else { 0 };
    let writes = match draw.between(0, 2) {
        0 => vec![(Time::ZERO, bytes)],
        1 => {
            let parts = draw.between(2, 12);
            let at = |part| Time::from_us(part * draw.between(1, 500_000));
            let times: Vec<Time> = (0..parts).map(at).collect();
            let mut times = times;
            times.sort_unstable();
            let share = |part: u64| bytes * (part + 1) / parts - bytes * part / parts;
            times.into_iter().zip((0..parts).map(share)).collect()
        }
        _ => vec![(Time::from_us(draw.between(0, 5_000_000)), bytes)],
    };
    let reads = if draw.maybe(75) {
        Reads::AtOnce
    } else {
        Reads::Slowly {
            from: Time::from_us(draw.between(0, 8_000_000)),
            period: Time::from_us(draw.between(5_000, 1_500_000)),
            bytes: draw.between(500, 12_000),
        }
    };
    let closes = [Closes::WithTheData, Closes::AfterLastAck, Closes::AfterPeer][draw.between(0, 2) as usize];
    Application { opens, writes, reads, closes }
}

fn path(draw: &mut Draw) -> Path {
    let percent = |parts: u64| parts as u32 * (PPB / 100);
    let mut harms = Vec::new();
    if draw.maybe(50) {
        harms.push(Harm::Loss(draw.between(0, 150_000_000) as u32));
    }
    if draw.maybe(20) {
        let (begin, end) = (percent(draw.between(1, 5)), percent(draw.between(30, 60)));
        harms.push(Harm::Bursts { begin, end, loss: percent(draw.between(40, 100)) });
    }
    if draw.maybe(35) {
        harms.push(Harm::Jitter(Time::from_us(draw.between(100, 200_000))));
    }
    if draw.maybe(30) {
        harms.push(Harm::Duplication(draw.between(0, 200_000_000) as u32));
    }
    if draw.maybe(20) {
        harms.push(Harm::Marks(draw.between(0, 100_000_000) as u32));
    }
    Path {
        rate_bps: draw.between(1, 1000) * [10_000, 100_000, 1_000_000][draw.between(0, 2) as usize],
        delay: Time::from_us(draw.between(10, 300_000)),
        queue_packets: if draw.maybe(60) { 1_000 } else { draw.between(2, 30) as usize },
        harms,
    }
}
