//! Random networks: every cell and packet is accounted for, and reading the network changes nothing.

use atm::abr::AbrConfig;
use atm::erica::{Efci, EricaConfig, RateControlConfig};
use atm::gfr::GfrConfig;
use atm::network::{
    AtmNetwork, Category, Cells, Excess, LineConfig, NetworkConfig, NetworkCounters, Paths, Service,
    SwitchPort, UbrQueueing, VcConfig,
};
use atm::{Eom, FRAME_POLICIES};
use base::Time;
use proptest::prelude::*;
use sim::rng::Streams;
use sim::{HostId, World};

use crate::support::{Happened, Log, Script, Scripted, cells_at, network, us, world};

/// Two hosts and what passes between them, both ways.
#[derive(Clone, Debug)]
struct Pair {
    hosts: (u32, u32),
    service: Category,
    /// What makes GFR of UBR.
    contract: Option<GfrConfig>,
    /// The source at the first host: packets, a law or, for ABR, always a cell.
    source: u8,
    /// Pauses before each packet or cell, us, and lengths of packets, cells.
    makes: Vec<(u64, u32)>,
    icr: u32,
}

#[derive(Clone, Debug)]
struct Input {
    /// The switch to which each further switch leads, and the time of a cell and the delay of the line, us.
    switches: Vec<(u32, u64, u64)>,
    /// The same of each host.
    hosts: Vec<(u32, u64, u64)>,
    buffers: [Option<u32>; 3],
    share_ppb: u32,
    queueing: UbrQueueing,
    policy: usize,
    eom: Eom,
    rate_control: u8,
    pairs: Vec<Pair>,
    /// Pauses between readings of the network, us.
    looks: Vec<u64>,
}

prop_compose! {
    /// Together on a line they promise no more than it has; some frames come too fast or are too long.
    fn contracts()(
        pcr_bps in 50_000_000u64..450_000_000,
        mcr_bps in prop_oneof![Just(0), 1u64..4_000_000],
        mbs_cells in 1u32..40,
        mfs_cells in 10u32..30,
        cdvt in 0u64..20,
        tagging: bool,
    ) -> GfrConfig {
        GfrConfig { pcr_bps, mcr_bps, mbs_cells, mfs_cells, cdvt: us(cdvt), tagging }
    }
}

prop_compose! {
    fn pairs()(
        from in 0u32..5,
        to in 0u32..5,
        service in prop_oneof![1 => Just(Category::Vbr), 1 => Just(Category::Abr), 2 => Just(Category::Ubr)],
        contract in prop::option::of(contracts()),
        source in 0u8..4,
        makes in prop::collection::vec((0u64..60, 1u32..20), 0..30),
        icr in 1_000u32..200_000,
    ) -> Pair {
        Pair { hosts: (from, to), service, contract, source, makes, icr }
    }
}

prop_compose! {
    /// A tree of switches, so that there is one way. Few distinct times, so that much happens at once.
    fn inputs()(
        switches in prop::collection::vec((0u32..4, 1u64..12, 0u64..40), 0..4),
        hosts in prop::collection::vec((0u32..5, 1u64..6, 0u64..20), 2..6),
        vbr in prop_oneof![Just(None), (0u32..20).prop_map(Some)],
        abr in prop_oneof![Just(None), (0u32..20).prop_map(Some)],
        ubr in prop_oneof![Just(None), (1u32..40).prop_map(Some)],
        share_ppb in prop_oneof![Just(0), 1u32..=1_000_000_000],
        queueing in prop::sample::select(vec![
            UbrQueueing::Fifo,
            UbrQueueing::PerVc(Excess::Equal),
            UbrQueueing::PerVc(Excess::Proportional),
        ]),
        policy in 0..FRAME_POLICIES.len(),
        eom in prop_oneof![Just(Eom::Keep), Just(Eom::Drop)],
        rate_control in 0u8..3,
        pairs in prop::collection::vec(pairs(), 1..8),
        looks in prop::collection::vec(0u64..300, 1..30),
    ) -> Input {
        let buffers = [vbr, abr, ubr];
        Input { switches, hosts, buffers, share_ppb, queueing, policy, eom, rate_control, pairs, looks }
    }
}

impl Input {
    fn port(&self) -> SwitchPort {
        let kind = &FRAME_POLICIES[self.policy];
        let buffer = self.buffers[2].unwrap_or(1000);
        let value = |name: &&str| match *name {
            "l_cells" => buffer / 5,
            name if name.ends_with("_ppm") => 800_000,
            _ => buffer * 4 / 5,
        };
        SwitchPort {
            vbr_buffer: self.buffers[0],
            abr_buffer: self.buffers[1],
            ubr_buffer: self.buffers[2],
            ubr_share_ppb: self.share_ppb,
            ubr_queueing: self.queueing,
            draws: Streams::new(0).named("dfba/0"),
            policy: (kind.make)(&kind.parameters.iter().map(value).collect::<Vec<_>>()),
            eom: self.eom,
            rate_control: match self.rate_control {
                0 => RateControlConfig::None,
                1 => RateControlConfig::Efci(Efci { threshold: 4 }),
                _ => RateControlConfig::Erica(EricaConfig {
                    interval_cells: 10,
                    interval: us(200),
                    ..EricaConfig::OSU
                }),
            },
        }
    }

    fn lines(&self) -> Vec<LineConfig> {
        let hosts = self.hosts.len() as u32;
        let mut lines = Vec::new();
        let mut between = |a: u32, b: u32, cell_time, delay| {
            for (from, to) in [(a, b), (b, a)] {
                let port = (from >= hosts).then(|| self.port());
                lines.push(LineConfig {
                    from,
                    to,
                    cell_time: us(cell_time),
                    delay: us(delay),
                    cost: 1,
                    port,
                });
            }
        };
        for (host, &(switch, cell_time, delay)) in (0..).zip(&self.hosts) {
            between(host, hosts + switch % (self.switches.len() as u32 + 1), cell_time, delay);
        }
        for (number, &(other, cell_time, delay)) in (0..).zip(&self.switches) {
            between(hosts + number + 1, hosts + other % (number + 1), cell_time, delay);
        }
        lines
    }

    /// Pair n has the VCs and the hosts of the world 2n and 2n + 1.
    fn network(&self) -> AtmNetwork<u32> {
        let lines = self.lines();
        let hosts = self.hosts.len() as u32;
        let paths = Paths::new(hosts, self.switches.len() as u32 + 1, &lines);
        let mut vcs = Vec::new();
        for (number, pair) in (0..).zip(&self.pairs) {
            let (from, to) = pair.ends(hosts);
            let path = |from, to| paths.find(from, to).expect("a tree");
            let (there, back) = (pair.cells(), if pair.sends() { Cells::Packets } else { Cells::Nothing });
            vcs.push(VcConfig {
                path: path(from, to),
                peer: 2 * number + 1,
                service: pair.service(),
                cells: there,
            });
            vcs.push(VcConfig {
                path: path(to, from),
                peer: 2 * number,
                service: pair.service(),
                cells: back,
            });
        }
        AtmNetwork::new(NetworkConfig { lines, vcs }).expect("lines and VCs fit together")
    }

    fn scripts(&self) -> Vec<Script> {
        let pairs = (0..).zip(&self.pairs);
        pairs
            .flat_map(|(number, pair)| [pair.script(2 * number + 1, 1), pair.script(2 * number, 2)])
            .collect()
    }

    fn world(&self) -> World<Scripted, Log> {
        world(self.network().into(), &self.scripts())
    }
}

impl Pair {
    /// Two hosts that are not one.
    fn ends(&self, hosts: u32) -> (u32, u32) {
        let (from, to) = (self.hosts.0 % hosts, self.hosts.1 % hosts);
        (from, if from == to { (to + 1) % hosts } else { to })
    }

    fn is_ubr(&self) -> bool {
        self.service == Category::Ubr
    }

    fn sends(&self) -> bool {
        self.source < 2
    }

    fn service(&self) -> Service {
        let parameters = AbrConfig::osu(300_000.0, f64::from(self.icr), us(300));
        match self.service {
            Category::Vbr => Service::Vbr,
            Category::Abr => Service::Abr(parameters),
            Category::Ubr => self.contract.map_or(Service::Ubr, Service::Gfr),
        }
    }

    fn cells(&self) -> Cells {
        let mut now = Time::ZERO;
        let mut make = |make: &(u64, u32)| {
            now += us(make.0);
            now
        };
        match self.source {
            0 | 1 => Cells::Packets,
            2 if self.service == Category::Abr => Cells::Greedy { start: us(10), stop: us(1500) },
            _ => cells_at(self.makes.iter().map(&mut make).collect()),
        }
    }

    /// Packets with pauses this many times as long.
    fn script(&self, to: u32, slower: u64) -> Script {
        let mut now = Time::ZERO;
        let packet = |&(pause, cells): &(u64, u32)| {
            now += us(pause * slower);
            (now, cells * 48 - 40)
        };
        let packets = if self.sends() { self.makes.iter().map(packet).collect() } else { Vec::new() };
        Script { to: HostId(to), packets }
    }
}

/// What must hold at every instant.
fn check(input: &Input, world: &mut World<Scripted, Log>, now: Time) -> Result<(), TestCaseError> {
    let (packets, log) = (world.packets(), &world.observer().happened);
    let count = |is: fn(&Happened) -> bool| log.iter().filter(|happened| is(&happened.1)).count();
    let sent = count(|happened| matches!(happened, Happened::Sent(..)));
    let gone = count(|happened| matches!(happened, Happened::Delivered(..) | Happened::Dropped(..)));
    prop_assert_eq!(sent, gone + packets);
    let counters = network(world).counters(now);
    let on_way = network(world).cells_on_way(now);
    for (vc, on_way) in counters.vcs.iter().zip(on_way) {
        prop_assert_eq!(vc.cells_sent, vc.cells_received + vc.cells_lost + on_way);
        prop_assert!(vc.frames_eligible + vc.frames_tagged <= vc.frames);
        prop_assert!(vc.frames_delivered <= vc.frames);
        prop_assert!(vc.eligible_delivered + vc.eligible_lost <= vc.frames_eligible);
        prop_assert!(vc.cells_delivered <= vc.cells_received);
    }
    for (number, pair) in (0..).zip(&input.pairs).filter(|(_, pair)| pair.is_ubr()) {
        let vc = &counters.vcs[2 * number];
        if pair.sends() {
            let from = HostId(2 * number as u32);
            let of = |happened: &&(Time, Happened)| matches!(happened.1, Happened::Delivered(sender, _) if sender == from);
            prop_assert_eq!(vc.frames_delivered, world.observer().happened.iter().filter(of).count() as u64);
        } else {
            prop_assert_eq!([vc.frames_delivered, vc.cells_delivered], [vc.cells_received; 2]);
        }
    }
    for class in &counters.classes {
        let queued = u64::from(class.queued);
        prop_assert_eq!(class.cells_offered, class.cells_carried + class.cells_lost + queued);
        let buffer = input.buffers[class.category as usize];
        prop_assert!(class.max_queued <= buffer.unwrap_or(u32::MAX));
        prop_assert!(buffer.is_some() || class.cells_lost == 0 || class.category == Category::Ubr);
    }
    Ok(())
}

/// Every packet at most once and those of a VC in order; RM cells apart, a class loses what its VCs lose.
fn check_fates(input: &Input, log: &Log, counters: &NetworkCounters) -> Result<(), TestCaseError> {
    let mut next = vec![0; 2 * input.pairs.len()];
    let mut fates: Vec<(u32, u32)> = Vec::new();
    for (_, happened) in &log.happened {
        match *happened {
            Happened::Delivered(from, number) => {
                let next = &mut next[from.0 as usize];
                prop_assert!(number >= *next, "in order, and once");
                *next = number + 1;
                fates.push((from.0, number));
            }
            Happened::Dropped(from, number, _) => fates.push((from.0, number)),
            _ => {}
        }
    }
    let count = fates.len();
    fates.sort_unstable();
    fates.dedup();
    prop_assert_eq!(fates.len(), count, "a packet is delivered or dropped, and once");
    for (number, vc) in counters.vcs.iter().enumerate().filter(|(number, _)| input.pairs[number / 2].is_ubr())
    {
        let known = vc.eligible_delivered + vc.eligible_lost;
        prop_assert_eq!(vc.frames_eligible, known, "nothing is on its way any more: {}", number);
    }
    let lost: u64 = counters.classes.iter().map(|class| class.cells_lost).sum();
    let of_vcs: u64 = counters.vcs.iter().map(|vc| vc.cells_lost).sum();
    let rms: u64 = counters.vcs.iter().map(|vc| vc.frms_sent + vc.brms_sent).sum();
    prop_assert!((of_vcs..=of_vcs + rms).contains(&lost));
    Ok(())
}

/// After this time nothing is on its way, if no VC has been left without a rate.
const END: Time = Time::from_ms(200);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_is_lost_unbooked_and_nobody_sees_more_by_looking(input in inputs()) {
        let mut looked = input.world();
        let mut now = Time::ZERO;
        for &pause in &input.looks {
            now += us(pause);
            looked.advance_to(now);
            check(&input, &mut looked, now)?;
        }
        looked.advance_to(END);
        check(&input, &mut looked, END)?;
        let mut alone = input.world();
        alone.advance_to(END);
        let counters = network(&mut alone).counters(END);
        prop_assert_eq!(&counters, &network(&mut looked).counters(END));
        let log = alone.into_observer();
        check_fates(&input, &log, &counters)?;
        let sorted = |mut log: Log| {
            log.happened.sort_by_key(|happened| happened.0);
            log
        };
        prop_assert_eq!(sorted(log), sorted(looked.into_observer()));
    }

    /// With room for everything every cell and every packet arrives.
    #[test]
    fn with_endless_buffers_everything_arrives(input in inputs()) {
        let tail = FRAME_POLICIES.iter().position(|kind| kind.name == "tail").unwrap_or(0);
        let mut input = Input { buffers: [None; 3], policy: tail, rate_control: 0, ..input };
        for contract in input.pairs.iter_mut().filter_map(|pair| pair.contract.as_mut()) {
            // Every frame conforms.
            (contract.pcr_bps, contract.mfs_cells) = (1_000_000_000_000, 20);
        }
        let mut world = input.world();
        world.advance_to(END);
        let counters = network(&mut world).counters(END);
        prop_assert_eq!(world.packets(), 0);
        prop_assert!(counters.vcs.iter().all(|vc| vc.cells_sent == vc.cells_received));
        let sent = counters.vcs.iter().map(|vc| vc.frms_sent).sum::<u64>();
        let back = counters.vcs.iter().map(|vc| vc.brms_received).sum::<u64>();
        prop_assert!(back <= sent);
        let delivered = world.observer().happened.iter().filter(|happened| matches!(happened.1, Happened::Delivered(..))).count();
        let packets = input.scripts().iter().map(|script| script.packets.len()).sum::<usize>();
        prop_assert_eq!(delivered, packets);
    }
}
