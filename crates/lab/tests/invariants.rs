//! Conservation and determinism over random scenarios.

use lab::plan::{
    self, Abr, Atm, AtmLine, AtmPort, Ccr, CellLaw, CellLink, CellSource, Clock, Curves, Deflation,
    DelayDraw, Eom, Erica, Flow, FramePolicy, Impairment, IndexLaw, Interpolation, LoadAverage, LossWindow,
    PartialAckTimer, PeriodFrom, Phase, Plan, Port, Probes, Queue, QueueControl, RateControl, SCHEMA,
    Service, Sizes, Stage, Tcp, TcpOptions, Times, Which, Workload,
};
use lab::{Host, build, run};
use proptest::prelude::*;
use sim::atm::FRAME_POLICIES;
use sim::link::LinkEvent;
use sim::{Event, Link, LinkId, Observer, Time};

const MS: u64 = 1_000_000_000;

/// Any policy, with any parameters.
fn policies(buffer: u32) -> impl Strategy<Value = FramePolicy> {
    (0..FRAME_POLICIES.len(), 0..=buffer, 1u32..=1_000_000).prop_map(|(kind, cells, ppm)| {
        let kind = &FRAME_POLICIES[kind];
        let value = |name: &str| if name.ends_with("_ppm") { ppm } else { cells };
        let parameters = kind.parameters.iter().map(|&name| (name.to_owned(), value(name))).collect();
        FramePolicy { name: kind.name.to_owned(), parameters }
    })
}

fn ports() -> impl Strategy<Value = Port> {
    (1u32..600).prop_flat_map(|buffer_cells| {
        let eom = prop_oneof![Just(Eom::Keep), Just(Eom::Drop)];
        (policies(buffer_cells), eom).prop_map(move |(policy, eom)| Port { buffer_cells, policy, eom })
    })
}

/// Nodes, links, and the senders and receivers of flows.
#[derive(Clone, Debug)]
struct Network {
    nodes: u32,
    links: Vec<plan::Link>,
    ends: Vec<(u32, u32)>,
}

/// Clients `0..pairs`, servers `pairs..2 pairs`, a cell trunk each way.
fn cell_trunks() -> impl Strategy<Value = Network> {
    (1u32..8, 1..60_u64, ports(), ports()).prop_map(|(pairs, delay_ms, forward, reverse)| {
        let cells = |from_first, to_first, port| plan::Link::Cells {
            from_first,
            to_first,
            hosts: pairs,
            cost: 1,
            access: CellLink { cell_time_ps: 2_831_198, delay_ps: 5_000_000 },
            trunk: CellLink { cell_time_ps: 9_422_222, delay_ps: delay_ms * MS },
            port,
        };
        Network {
            nodes: 2 * pairs,
            links: vec![cells(pairs, 0, forward), cells(0, pairs, reverse)],
            ends: (0..pairs).map(|pair| (pairs + pair, pair)).collect(),
        }
    })
}

fn erica(switches: [bool; 5], curves: Curves) -> Erica {
    Erica {
        interval_cells: 100,
        interval_ps: 10 * MS,
        delta_ppb: 100_000_000,
        queue_control: QueueControl::Hyperbolic(curves),
        ccr: if switches[0] { Ccr::Field } else { Ccr::Measured },
        load_average: if switches[1] { LoadAverage::Parts } else { LoadAverage::Ratio },
        load_weight_ppb: 300_000_000,
        vc_decay_ppb: if switches[2] { 900_000_000 } else { 0 },
        immediate_fair_share: switches[2],
        count_both_directions: switches[3],
        limit_jump: switches[4],
    }
}

prop_compose! {
    /// A port with any buffers and frame policy, and each kind of rate control.
    fn atm_ports()(
        port in ports(),
        abr_buffer_cells in prop::option::of(1u32..600),
        vbr_buffer_cells in prop::option::of(1u32..20),
        switches in any::<[bool; 5]>(),
        kind in 0..4,
    ) -> AtmPort {
        let curves = Curves {
            target_delay_ps: 5 * MS,
            a_ppb: 1_150_000_000,
            b_ppb: 1_050_000_000,
            floor_ppb: 500_000_000,
        };
        AtmPort {
            vbr_buffer_cells,
            abr_buffer_cells,
            ubr_buffer_cells: Some(port.buffer_cells),
            policy: port.policy,
            eom: port.eom,
            rate_control: match kind {
                0 => RateControl::None {},
                1 => RateControl::Efci { threshold_cells: 100 },
                _ => RateControl::Erica(erica(switches, curves)),
            },
        }
    }
}

fn services() -> Vec<Service> {
    let abr = Abr {
        pcr_bps: 14_000_000,
        mcr_bps: 0,
        icr_bps: 2_000_000,
        nrm: 32,
        mrm: 2,
        trm_ps: 100 * MS,
        rif_inverse: 1,
        rdf_inverse: 16,
        adtf_ps: 500 * MS,
        tbe_cells: 16_777_215,
        crm: Some(40),
        cdf_inverse: Some(16),
        tcr_cells_s: 10,
        frtt_ps: None,
    };
    vec![Service::Abr(abr), Service::Ubr {}, Service::Vbr {}]
}

/// Clients `0..pairs`, servers `pairs..2 pairs`, a switch for each, a trunk of 4.5 Mbit/s between, and sources
/// of cells beside the flows.
fn atm_networks() -> impl Strategy<Value = Network> {
    let chosen = prop::collection::vec(0usize..3, 8);
    (1u32..6, 0..10_u64, atm_ports(), chosen, 0u32..3).prop_map(|(pairs, delay_ms, port, chosen, sources)| {
        let (near, far) = (2 * pairs, 2 * pairs + 1);
        let line = |from, to, cell_time_ps| {
            let port = (from >= 2 * pairs).then_some(0);
            AtmLine { from, to, cell_time_ps, delay_ps: delay_ms * MS, cost: 1, port }
        };
        let mut lines = vec![line(far, near, 94_222_222), line(near, far, 94_222_222)];
        for host in 0..2 * pairs {
            let switch = if host < pairs { near } else { far };
            lines.extend([line(host, switch, 27_263_374), line(switch, host, 27_263_374)]);
        }
        let turns = Times::Exponential { mean_ps: 100 * MS };
        let source = |number: u32| CellSource {
            from: pairs,
            to: 0,
            service: chosen[7 - number as usize],
            start_ps: 100 * MS,
            stop_ps: (number == 1).then_some(3_000 * MS),
            law: CellLaw::OnOff { rate_bps: 2_000_000, on: turns, off: turns },
        };
        let atm = Atm {
            first: 0,
            hosts: 2 * pairs,
            switches: 2,
            lines,
            ports: vec![port],
            services: services(),
            flow_services: chosen[..pairs as usize].to_vec(),
            sources: (0..sources).map(source).collect(),
        };
        Network {
            nodes: 2 * pairs,
            links: vec![plan::Link::Atm(Box::new(atm))],
            ends: (0..pairs).map(|pair| (pairs + pair, pair)).collect(),
        }
    })
}

/// Rate, delay and what is drawn beside it, queue and impairments of a link.
type Line = (u64, u64, Option<DelayDraw>, Queue, Vec<Impairment>);

fn which() -> impl Strategy<Value = Which> {
    prop::sample::select(vec![Which::All, Which::Data, Which::Acks])
}

fn impairments() -> impl Strategy<Value = Vec<Impairment>> {
    let one = prop_oneof![
        (0u32..50_000_000, which()).prop_map(|(loss_ppb, of)| Impairment::Bernoulli { loss_ppb, of }),
        which().prop_map(|of| Impairment::GilbertElliott {
            good_to_bad_ppb: 5_000_000,
            bad_to_good_ppb: 300_000_000,
            loss_good_ppb: 0,
            loss_bad_ppb: 800_000_000,
            of,
        }),
        (0u32..10_000_000, 1u32..6, which()).prop_map(|(rate_ppb, losses, of)| Impairment::LossEvents {
            rate_ppb,
            losses,
            of
        }),
        (0u32..10_000_000, 0u32..500_000_000, 1..200 * MS, which()).prop_map(
            |(event_ppb, loss_ppb, span_ps, of)| Impairment::TwoParameter {
                event_ppb,
                loss_ppb,
                span_ps,
                of
            }
        ),
        prop::collection::vec(1u64..60, 0..6).prop_map(|lost| Impairment::Scripted { lost }),
        (1..30 * MS).prop_map(|spread_ps| Impairment::Jitter { spread_ps }),
        (0u32..50_000_000).prop_map(|ppb| Impairment::Duplicate { ppb }),
        (0u32..50_000_000).prop_map(|ppb| Impairment::Mark { ppb }),
    ];
    prop::collection::vec(one, 0..3)
}

prop_compose! {
    /// RED with any parameters, and the limits of a drop-tail queue.
    fn red(limit_packets: Option<u64>, limit_bytes: Option<u64>)(
        min_thresh_ppm in 0u64..10_000_000,
        between_ppm in 1u64..20_000_000,
        max_p_ppb in 1u32..=1_000_000_000,
        weight_ppb in 1_000_000u32..=1_000_000_000,
        [gentle, adaptive, ecn] in any::<[bool; 3]>(),
        mean_packet_bytes in 1u32..2_000,
    ) -> Queue {
        Queue::Red {
            limit_packets,
            limit_bytes,
            min_thresh_ppm,
            max_thresh_ppm: min_thresh_ppm + between_ppm,
            max_p_ppb,
            weight_ppb,
            gentle,
            adaptive,
            ecn,
            mean_packet_bytes,
        }
    }
}

fn queues() -> impl Strategy<Value = Queue> {
    (1u64..60, any::<bool>()).prop_flat_map(|(limit, in_bytes)| {
        let (limit_packets, limit_bytes) =
            if in_bytes { (None, Some(limit * 2_000 + 10_000)) } else { (Some(limit), None) };
        let drop_tail = Queue::DropTail { limit_packets, limit_bytes };
        prop_oneof![2 => Just(drop_tail), 1 => red(limit_packets, limit_bytes)]
    })
}

prop_compose! {
    fn packet_links()(
        rate_bps in 500_000u64..50_000_000,
        delay_ps in 0..30 * MS,
        draw in prop::option::of((0u32..4, 0..30 * MS)),
        queue in queues(),
        impairments in impairments(),
    ) -> Line {
        let delay_draw = draw.map(|(number, spread_ps)| DelayDraw { number, spread_ps });
        (rate_bps, delay_ps, delay_draw, queue, impairments)
    }
}

/// A chain of nodes and a few links besides, each in both directions; flows between any two.
fn graphs() -> impl Strategy<Value = Network> {
    (2u32..7).prop_flat_map(|nodes| {
        let besides = prop::collection::vec((0..nodes, 0..nodes), 0..4);
        let ends = prop::collection::vec((0..nodes, 0..nodes), 1..6);
        let lines = prop::collection::vec(packet_links(), 24);
        (besides, ends, lines).prop_map(move |(besides, ends, lines)| {
            let chain = (1..nodes).map(|node| (node - 1, node));
            let pairs = chain.chain(besides.into_iter().filter(|(a, b)| a != b));
            let both = pairs.flat_map(|(a, b)| [(a, b), (b, a)]);
            let make = |((from, to), line): ((u32, u32), &Line)| {
                let (rate_bps, delay_ps, delay_draw, queue, impairments) = line.clone();
                plan::Link::Packets { from, to, cost: 1, rate_bps, delay_ps, delay_draw, queue, impairments }
            };
            let other = |(a, b): (u32, u32)| if a == b { (a, (b + 1) % nodes) } else { (a, b) };
            Network {
                nodes,
                links: both.zip(lines.iter().cycle()).map(make).collect(),
                ends: ends.into_iter().map(other).collect(),
            }
        })
    })
}

fn networks() -> impl Strategy<Value = Network> {
    prop_oneof![cell_trunks(), graphs(), atm_networks()]
}

fn phases() -> impl Strategy<Value = Phase> {
    prop_oneof![Just(Phase::Open {}), (0..2_u64).prop_map(|n| Phase::Uniform { spread_ps: n * 50 * MS })]
}

prop_compose! {
    fn tcps()(
        flavor in prop::sample::select(lab::flavors()),
        smss_bytes in 64u32..10_000,
        initial_window_segments in 1u32..5,
        window_scale in 0u8..5,
        switches in any::<[bool; 6]>(),
        restart_window_segments in prop::option::of(1u32..5),
        ack_policy in (1u32..6, prop_oneof![Just(0), 0u64..30_000], any::<bool>()),
        delayed in any::<bool>(),
    ) -> Tcp {
        let presets: TcpOptions = serde_json::from_str(&flavor.2).expect("presets are options");
        Tcp {
            flavor: flavor.0.to_owned(),
            options: TcpOptions {
                deflation: if delayed { Deflation::Partial } else { presets.deflation },
                partial_ack_timer: if delayed { PartialAckTimer::First } else { presets.partial_ack_timer },
                delayed_ack_ps: delayed.then_some(200 * MS),
                ack_timer: if ack_policy.2 { plan::AckTimer::FreeRunning } else { plan::AckTimer::PerAck },
                ack_every: ack_policy.0,
                quick_ack_bytes: ack_policy.1,
                recovery_samples: switches[0],
                loss_window: if switches[3] { LossWindow::Cwnd } else { LossWindow::FlightSize },
                initial_rto_ps: 3000 * MS,
                min_rto_ps: 200 * MS,
                max_rto_ps: 64_000 * MS,
                ..presets
            },
            smss_bytes,
            initial_window_segments,
            initial_ssthresh_bytes: 56_250,
            receive_buffer_bytes: 65_535 << window_scale,
            window_scale: Some(window_scale),
            nagle: switches[0],
            sws_avoidance: switches[1],
            idle_restart: switches[2],
            restart_window_segments,
            handshake_growth: switches[5],
            additive_constant: switches[4],
        }
    }
}

fn www(start_spread_ps: u64, period_from: PeriodFrom, first_is_class_0: bool) -> Workload {
    Workload::WwwBatches {
        request_bytes: 128,
        period_ps: 2_000 * MS,
        period_from,
        start_spread_ps,
        requests: IndexLaw::PoissonTruncated,
        gap_min_ps: 100 * MS,
        gap_max_ps: 500 * MS,
        file_index: IndexLaw::Uniform,
        class_ppm: [200_000, 280_000, 400_000, 120_000, 0],
        first_is_class_0,
        first_alone: start_spread_ps.is_multiple_of(2),
    }
}

fn pages(start_spread_ps: u64) -> Workload {
    Workload::Pages {
        request_bytes: 80,
        stages: vec![Stage { connections: 1, objects: 1 }, Stage { connections: 3, objects: 2 }],
        sizes: Sizes::Quantiles {
            u_ppb: vec![500_000_000, 1_000_000_000],
            bytes: vec![100, 100_000],
            interpolation: Interpolation::Log,
        },
        pause: Times::Uniform { min_ps: 0, max_ps: 200 * MS },
        answers_with_ack: start_spread_ps.is_multiple_of(2),
        start_ps: 0,
        start_spread_ps,
    }
}

/// Single files on connections of their own.
fn sessions(start_spread_ps: u64) -> Workload {
    Workload::Pages {
        request_bytes: 80,
        stages: vec![Stage { connections: 1, objects: 1 }],
        sizes: Sizes::Pareto { mean_bytes: 48_000, shape_ppm: 1_200_000 },
        pause: Times::Exponential { mean_ps: 300 * MS },
        answers_with_ack: true,
        start_ps: 0,
        start_spread_ps,
    }
}

/// At a constant rate, or on and off.
fn datagrams(packet_bytes: u32, turns: bool, start_spread_ps: u64) -> Workload {
    Workload::Datagrams {
        rate_bps: 1_000_000,
        packet_bytes,
        on: turns.then_some(Times::Pareto { mean_ps: 600 * MS, shape_ppm: 1_500_000 }),
        off: turns.then_some(Times::Exponential { mean_ps: 200 * MS }),
        start_ps: 10 * MS,
        start_spread_ps,
    }
}

prop_compose! {
    fn plans()(
        network in networks(),
        phase in phases(),
        tcps in [tcps(), tcps()],
        start_spread_ps in 0..3_000 * MS,
        first_is_class_0: bool,
        period_from in prop_oneof![Just(PeriodFrom::FirstRequest), Just(PeriodFrom::LastRequest)],
        bytes in prop::option::of(1u64..300_000),
        packet_bytes in 28u32..10_000,
        chosen in prop::collection::vec((0usize..2, 0usize..2, 0usize..5), 8),
        warm_up_ps in prop_oneof![Just(0), 0..3_000 * MS],
    ) -> Plan {
        let bulk = Workload::Bulk { bytes, start_ps: 50 * MS, start_spread_ps };
        let flow = |((sender, receiver), &(sender_tcp, receiver_tcp, workload))| {
            Flow { sender, receiver, sender_tcp, receiver_tcp, workload, foreground: false }
        };
        Plan {
            schema: SCHEMA,
            duration_ps: 4_000 * MS,
            warm_up_ps,
            nodes: network.nodes,
            links: network.links,
            clock: Clock { tick_ps: 100 * MS, phase },
            tcps: tcps.to_vec(),
            workloads: vec![
                www(start_spread_ps, period_from, first_is_class_0),
                bulk,
                pages(start_spread_ps),
                sessions(start_spread_ps),
                datagrams(packet_bytes, first_is_class_0, start_spread_ps),
            ],
            flows: network.ends.into_iter().zip(&chosen).map(flow).collect(),
            probes: Probes::default(),
        }
    }
}

/// Packets and bytes by fate.
#[derive(Default)]
struct Ledger {
    sent: (u64, u64),
    delivered: (u64, u64),
    dropped: (u64, u64),
    /// Bytes that lines have doubled.
    doubled: u64,
}

impl Observer<Host> for Ledger {
    fn on(&mut self, _: Time, event: &Event<'_, Host>) {
        let (account, packet) = match event {
            Event::Sent(_, packet) => (&mut self.sent, packet),
            // A packet that is doubled is one more.
            Event::Link(_, LinkEvent::Duplicated(packet)) => {
                self.doubled += u64::from(packet.bytes);
                (&mut self.sent, packet)
            }
            Event::Delivered(_, packet) => (&mut self.delivered, packet),
            Event::Link(_, LinkEvent::Dropped(packet, _)) => (&mut self.dropped, packet),
            _ => return,
        };
        account.0 += 1;
        account.1 += u64::from(packet.bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// At every instant looked at, what was sent was delivered, dropped, or is on a link; cells
    /// likewise at every port; and nobody receives what was not written.
    #[test]
    fn nothing_appears_and_nothing_vanishes(plan in plans(), seed: u64) {
        let mut world = build::world(&plan, seed, Ledger::default()).unwrap();
        for step in 1..=40 {
            let now = Time::from_ms(100 * step);
            world.advance_to(now);
            let on_links: Vec<u64> = (0..plan.links.len() as u32).map(|id| world.packets_on(LinkId(id)) as u64).collect();
            prop_assert_eq!(world.packets() as u64, on_links.iter().sum::<u64>());
            let Ledger { sent, delivered, dropped, doubled } = *world.observer();
            prop_assert_eq!(sent.0, delivered.0 + dropped.0 + world.packets() as u64);
            prop_assert!(sent.1 >= delivered.1 + dropped.1);
            for (link, left) in world.links_mut().zip(on_links) {
                match link {
                    Link::Cells(trunk) => {
                        let (queued, c) = (u64::from(trunk.queued_cells(now)), trunk.counters(now));
                        let lost = c.cells_refused + c.cells_overflowed + c.cells_cut;
                        prop_assert_eq!(c.cells_offered, c.cells_carried + queued + lost);
                    }
                    Link::Atm(network) => {
                        let counters = network.counters(now);
                        for c in counters.classes {
                            prop_assert_eq!(c.cells_offered, c.cells_carried + u64::from(c.queued) + c.cells_lost);
                            prop_assert!(c.queued <= c.max_queued);
                        }
                        for vc in counters.vcs {
                            prop_assert!(vc.cells_received + vc.cells_lost <= vc.cells_sent);
                        }
                    }
                    Link::Fifo(_) | Link::Packets(_) => {
                        let c = link.packet_counters(now).expect("it carries packets");
                        prop_assert!(c.packets_offered <= c.packets_sent + c.packets_dropped + left);
                        prop_assert!(c.busy <= now && c.packets_lost <= c.packets_sent);
                        prop_assert!(c.packets_dropped_early <= c.packets_dropped);
                    }
                }
            }
            let (receivers, senders) = world.hosts().split_at(plan.flows.len());
            for (receiver, sender) in receivers.iter().zip(senders) {
                for (from, to) in [(receiver, sender), (sender, receiver)] {
                    let (taken, given) = (to.totals(), from.totals());
                    // A datagram that was doubled is received twice.
                    let most = given.written + if from.connection().is_none() { doubled } else { 0 };
                    prop_assert!(taken.delivered <= taken.received && taken.received <= most);
                    for (number, sending) in from.connections() {
                        let Some(taking) = to.connections().find(|each| each.0 == number) else { continue };
                        prop_assert!(sending.window().snd_una <= taking.1.delivered() + 2);
                    }
                }
            }
        }
    }

    /// Packets that somebody follows from link to link come at the same times and in the same order as
    /// those whose way over several links is one step.
    #[test]
    fn following_packets_changes_nothing(plan in plans(), seed: u64) {
        let mut followed = build::world(&plan, seed, Ledger::default()).unwrap();
        let mut alone = build::world(&plan, seed, ()).unwrap();
        for step in 1..=7 {
            let now = Time::from_ps(plan.duration_ps / 7 * step);
            followed.advance_to(now);
            alone.advance_to(now);
            let counters = |link: &mut Link<_>| match link {
                Link::Atm(network) => format!("{:?}", network.counters(now)),
                link => format!("{:?}", link.packet_counters(now)),
            };
            let links: Vec<_> = followed.links_mut().map(counters).collect();
            prop_assert_eq!(links, alone.links_mut().map(counters).collect::<Vec<_>>());
        }
        let totals = |hosts: &[Host]| hosts.iter().map(|host| (host.totals(), host.last_delivery())).collect::<Vec<_>>();
        prop_assert_eq!(totals(followed.hosts()), totals(alone.hosts()));
        prop_assert_eq!(followed.packets(), alone.packets());
    }

    /// A run is a function of plan and seed, and recording it changes nothing.
    #[test]
    fn observers_change_nothing(plan in plans(), seed: u64) {
        let bare = run(&plan, seed).unwrap();
        prop_assert_eq!(format!("{bare:?}"), format!("{:?}", run(&plan, seed).unwrap()));
        let probes = Probes { queue_bin_ps: Some(10 * MS), goodput_bin_ps: Some(50 * MS), cwnd_of: vec![0], acr_bin_ps: Some(10 * MS) };
        let observed = run(&Plan { probes, ..plan }, seed).unwrap();
        prop_assert_eq!(format!("{:?}", bare.flows), format!("{:?}", observed.flows));
        prop_assert_eq!(&bare.links, &observed.links);
        prop_assert_eq!(&bare.ports, &observed.ports);
        prop_assert_eq!(&bare.classes, &observed.classes);
        prop_assert_eq!(format!("{:?}", bare.vcs), format!("{:?}", observed.vcs));
        prop_assert_eq!(format!("{:?}", bare.responses), format!("{:?}", observed.responses));
        prop_assert!(!observed.queue.columns.is_empty() && !observed.cwnd.columns.is_empty());
    }
}
