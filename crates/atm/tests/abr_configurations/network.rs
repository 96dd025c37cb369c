//! Switches in a row, sources that always have a cell, on-off VBR beside them, and what is seen of them.

use atm::abr::AbrConfig;
use atm::erica::RateControlConfig;
use atm::network::{
    AtmNetwork, Category, CellLaw, Cells, LineConfig, NetworkConfig, NetworkCounters, Paths, Service,
    SwitchPort, UbrQueueing, VcConfig,
};
use atm::{AtmLink, CELL_BYTES, Eom, Tail};
use base::{Rate, Time};
use sim::rng::Streams;
use sim::{End, Host, Link, Outbox, Packet, Routes, World};

/// Bits of a cell.
const CELL_BITS: f64 = CELL_BYTES as f64 * 8.0;
const ACCESS_BPS: u64 = 155_520_000;
const ACCESS_DELAY: Time = Time::from_us(5);

/// Switches 0 to n in a row, with a trunk of this rate, bit/s, between each and the next.
pub(crate) struct Row {
    pub(crate) trunks_bps: Vec<u64>,
    pub(crate) trunk_delay: Time,
    pub(crate) sources: Vec<Source>,
    /// VBR over each trunk; none: no VBR.
    pub(crate) vbr: Option<OnOff>,
    /// Of every port.
    pub(crate) rate_control: RateControlConfig,
    /// RIF of every source.
    pub(crate) rif: f64,
}

/// A greedy ABR source.
#[derive(Clone)]
pub(crate) struct Source {
    /// The switches at which it enters and leaves.
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) pcr_bps: f64,
    pub(crate) start: Time,
    pub(crate) stop: Time,
}

/// From one switch to another, always.
pub(crate) fn greedy(from: u32, to: u32) -> Source {
    Source { from, to, pcr_bps: ACCESS_BPS as f64, start: Time::ZERO, stop: Time::NEVER }
}

/// Cells at a rate for a while, and then none for as long.
#[derive(Clone, Copy)]
pub(crate) struct OnOff {
    pub(crate) rate_bps: f64,
    pub(crate) period: Time,
}

struct OnOffCells {
    spacing: Time,
    period: Time,
    next: Time,
}

impl CellLaw for OnOffCells {
    fn next_cell(&mut self) -> Time {
        let this = self.next;
        self.next += self.spacing;
        if self.next.as_ps() % (2 * self.period.as_ps()) >= self.period.as_ps() {
            self.next = self.period * 2 * (self.next.as_ps() / (2 * self.period.as_ps()) + 1);
        }
        this
    }
}

/// Nobody sends packets.
struct Nobody;

impl Host for Nobody {
    type Payload = ();
    type Component = AtmLink<()>;
    fn receive(&mut self, _: Time, _: &Packet<()>, _: &mut Outbox<()>) {}
    fn wake(&mut self, _: Time, _: &mut Outbox<()>) {}
    fn next_wake(&self) -> Time {
        Time::NEVER
    }
}

/// A network at work.
pub(crate) struct Running {
    world: World<Nobody, ()>,
    trunks: Vec<u32>,
    trunks_bps: Vec<u64>,
    sources: usize,
    seen: (Time, NetworkCounters),
}

/// What was seen over a while.
pub(crate) struct Seen {
    /// Mean ACR of each source, bit/s.
    pub(crate) acr_bps: Vec<f64>,
    /// Of each trunk: share of the time in which it was sending.
    pub(crate) utilisation: Vec<f64>,
    /// Of each trunk: mean of the ABR cells queued, as the time in which an empty trunk sends them, s.
    pub(crate) delay_s: Vec<f64>,
    /// Cells lost since the start, of any category at any port.
    pub(crate) lost: u64,
}

impl Row {
    pub(crate) fn run(self) -> Running {
        let switches = self.trunks_bps.len() as u32 + 1;
        let vbr_trunks = if self.vbr.is_some() { switches - 1 } else { 0 };
        let hosts = 2 * (self.sources.len() as u32 + vbr_trunks);
        let mut network =
            Building { hosts, rate_control: self.rate_control, next_host: 0, lines: Vec::new() };
        for (at, &bps) in (0..).zip(&self.trunks_bps) {
            network.between(hosts + at, hosts + at + 1, bps, self.trunk_delay);
        }
        let mut wanted = Vec::new();
        for source in &self.sources {
            let osu = AbrConfig::osu(source.pcr_bps / CELL_BITS, 10e6 / CELL_BITS, Time::ZERO);
            let config = AbrConfig { rif: self.rif, ..osu };
            let cells = Cells::Greedy { start: source.start, stop: source.stop };
            wanted.push((network.pair(source.from, source.to), Service::Abr(config), cells));
        }
        for trunk in 0..vbr_trunks {
            let OnOff { rate_bps, period } = self.vbr.expect("there is VBR");
            let spacing = Time::from_ps((CELL_BITS / rate_bps * 1e12) as u64);
            let law = OnOffCells { spacing, period, next: Time::ZERO };
            wanted.push((network.pair(trunk, trunk + 1), Service::Vbr, Cells::Law(Box::new(law))));
        }
        let paths = Paths::new(hosts, switches, &network.lines);
        let mut vcs = Vec::new();
        for ((from, to), service, cells) in wanted {
            let number = vcs.len() as u32;
            let path = |from, to| paths.find(from, to).expect("switches in a row are connected");
            vcs.push(VcConfig { path: path(from, to), peer: number + 1, service, cells });
            vcs.push(VcConfig { path: path(to, from), peer: number, service, cells: Cells::Nothing });
        }
        let lines = network.lines;
        let mut network = AtmNetwork::new(NetworkConfig { lines, vcs }).expect("lines and VCs fit");
        let seen = (Time::ZERO, network.counters(Time::ZERO));
        let links = vec![(network.into(), End::Addressee)];
        Running {
            world: World::new(Vec::new(), links, Routes::shortest(1, &[]), ()),
            // Each trunk is a line there and a line back.
            trunks: (0..switches - 1).map(|trunk| 2 * trunk).collect(),
            trunks_bps: self.trunks_bps,
            sources: self.sources.len(),
            seen,
        }
    }
}

/// Lines, in pairs.
struct Building {
    hosts: u32,
    rate_control: RateControlConfig,
    next_host: u32,
    lines: Vec<LineConfig>,
}

impl Building {
    fn between(&mut self, a: u32, b: u32, bps: u64, delay: Time) {
        for (from, to) in [(a, b), (b, a)] {
            let port = (from >= self.hosts).then(|| SwitchPort {
                vbr_buffer: None,
                abr_buffer: Some(20_000),
                ubr_buffer: None,
                ubr_share_ppb: 0,
                ubr_queueing: UbrQueueing::Fifo,
                draws: Streams::new(0).named("dfba/0"),
                policy: Box::new(Tail),
                eom: Eom::Keep,
                rate_control: self.rate_control,
            });
            let cell_time = Rate::from_bps(bps).time_for(u64::from(CELL_BYTES));
            self.lines.push(LineConfig { from, to, cell_time, delay, cost: 1, port });
        }
    }

    /// A host at each of these switches.
    fn pair(&mut self, from: u32, to: u32) -> (u32, u32) {
        let mut host = |switch| {
            self.between(self.next_host, self.hosts + switch, ACCESS_BPS, ACCESS_DELAY);
            self.next_host += 1;
            self.next_host - 1
        };
        (host(from), host(to))
    }
}

impl Running {
    /// Runs until `now`, and returns what was seen since the last call.
    pub(crate) fn until(&mut self, now: Time) -> Seen {
        self.world.advance_to(now);
        let Some(Link::Component(component)) = self.world.links_mut().next() else {
            panic!("a world of one component")
        };
        let AtmLink::Network(network) = &mut **component else { panic!("a network") };
        let after = network.counters(now);
        let (since, before) = std::mem::replace(&mut self.seen, (now, after));
        let after = &self.seen.1;
        let passed = (now - since).as_secs_f64();
        let acr = |counters: &NetworkCounters, vc: usize| counters.vcs[vc].acr_cells.expect("is ABR");
        let acr_bps = |source| (acr(after, 2 * source) - acr(&before, 2 * source)) * CELL_BITS / passed;
        let carried = |counters: &NetworkCounters, line| -> u64 {
            counters.classes.iter().filter(|class| class.line == line).map(|class| class.cells_carried).sum()
        };
        let queued_s = |counters: &NetworkCounters, line| -> f64 {
            let abr =
                counters.classes.iter().find(|class| class.line == line && class.category == Category::Abr);
            abr.expect("ABR crosses each trunk").queued_ps as f64 * 1e-12
        };
        let trunks =
            || self.trunks.iter().zip(&self.trunks_bps).map(|(&line, &bps)| (line, CELL_BITS / bps as f64));
        Seen {
            acr_bps: (0..self.sources).map(acr_bps).collect(),
            utilisation: trunks()
                .map(|(line, cell_s)| {
                    (carried(after, line) - carried(&before, line)) as f64 * cell_s / passed
                })
                .collect(),
            delay_s: trunks()
                .map(|(line, cell_s)| (queued_s(after, line) - queued_s(&before, line)) / passed * cell_s)
                .collect(),
            lost: after.classes.iter().map(|class| class.cells_lost).sum(),
        }
    }
}
