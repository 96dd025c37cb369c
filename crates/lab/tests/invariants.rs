//! Conservation and determinism over random scenarios.

#[path = "support/networks.rs"]
pub(crate) mod networks;
#[path = "support/workloads.rs"]
mod workloads;

use atm::AtmLink;
use base::Time;
use lab::plan::{
    self, Clock, CwndRounding, Deflation, Flow, FlowGroup, HistoricTcp, IndexLaw, Interpolation,
    PartialAckTimer, PeriodFrom, Phase, Plan, Probes, SCHEMA, Sizes, SsthreshFrom, Stage, Tcp, TcpOptions,
    Times, Workload,
};
use lab::{Host, Table, Values, build, run};
use networks::{MS, networks};
use proptest::prelude::*;
use sim::link::LinkEvent;
use sim::{Event, Link, LinkId, Observer};
use workloads::{arrivals, calls, video};

fn phases() -> impl Strategy<Value = Phase> {
    prop_oneof![Just(Phase::Open {}), (0..2_u64).prop_map(|n| Phase::Uniform { spread_ps: n * 50 * MS })]
}

prop_compose! {
    fn tcps()(
        flavor in prop::sample::select(lab::flavors()),
        smss_bytes in 64u32..10_000,
        initial_window_segments in 1u32..5,
        window_scale in 0u8..5,
        switches in any::<[bool; 7]>(),
        restart_window_segments in prop::option::of(1u32..5),
        ack_policy in (1u32..6, prop_oneof![Just(0), 0u64..30_000], any::<bool>()),
        delayed in any::<bool>(),
        growth in (prop_oneof![Just(CwndRounding::Down), Just(CwndRounding::None)], 1u32..9),
        retransmit_wait_ppm in 0u32..2_000_000,
    ) -> Tcp {
        let presets: TcpOptions = serde_json::from_str(&flavor.2).expect("presets are options");
        // Who does not grow by ACKs has neither.
        let (cwnd_rounding, cwnd_ack_batch) =
            if presets.growth == plan::Growth::Acks { growth } else { (CwndRounding::Up, 1) };
        let retransmit_wait_ppm = if flavor.0 == "sack" { retransmit_wait_ppm } else { 0 };
        Tcp {
            flavor: flavor.0.into(),
            options: TcpOptions {
                deflation: if delayed { Deflation::Partial } else { presets.deflation },
                partial_ack_timer: if delayed { PartialAckTimer::First } else { presets.partial_ack_timer },
                delayed_ack_ps: delayed.then_some(200 * MS),
                ack_timer: if ack_policy.2 { plan::AckTimer::FreeRunning } else { plan::AckTimer::PerAck },
                ack_every: ack_policy.0,
                quick_ack_bytes: ack_policy.1,
                recovery_samples: switches[0],
                lost_retransmission_detection: switches[1],
                careful_fast_retransmit: switches[6],
                ssthresh_from: if switches[3] { SsthreshFrom::Cwnd } else { SsthreshFrom::FlightSize },
                initial_rto_ps: 3000 * MS,
                min_rto_ps: 200 * MS,
                max_rto_ps: 64_000 * MS,
                ..presets
            },
            smss_bytes,
            initial_window_segments,
            initial_ssthresh_bytes: 56_250,
            receive_buffer_bytes: 65_535 << window_scale,
            receive_buffer_initial_bytes: None,
            window_scale: Some(window_scale),
            nagle: switches[0],
            sws_avoidance: switches[1],
            idle_restart: switches[2],
            restart_window_segments,
            historic: HistoricTcp {
                handshake_growth: switches[5],
                handshake_sample: switches[2],
                additive_constant: switches[4],
                cwnd_rounding,
                cwnd_ack_batch,
                retransmit_wait_ppm,
            },
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
    pub(crate) fn plans()(
        network in networks(),
        phase in phases(),
        tcps in [tcps(), tcps()],
        start_spread_ps in 0..3_000 * MS,
        first_is_class_0: bool,
        period_from in prop_oneof![Just(PeriodFrom::FirstRequest), Just(PeriodFrom::LastRequest)],
        bytes in prop::option::of(1u64..300_000),
        packet_bytes in 28u32..10_000,
        chosen in prop::collection::vec((0usize..2, 0usize..2, 0usize..8), 8),
        warm_up_ps in prop_oneof![Just(0), 0..3_000 * MS],
    ) -> Plan {
        let bulk = Workload::Bulk { bytes, start_ps: 50 * MS, start_spread_ps };
        let flow = |((sender, receiver), &(sender_tcp, receiver_tcp, workload))| {
            FlowGroup::from(Flow { sender, receiver, sender_tcp, receiver_tcp, workload, foreground: false, dscp: 0 })
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
                arrivals(),
                calls(first_is_class_0, start_spread_ps),
                video(first_is_class_0, start_spread_ps),
            ],
            flows: network.ends.into_iter().zip(&chosen).map(flow).collect(),
            probes: Probes::default(),
            queue_delays_of: vec![0],
            delays_of_flows: vec![0],
        }
    }
}

fn reals<'a>(table: &'a Table, column: &str) -> &'a [f64] {
    match table.columns.iter().find(|(name, _)| *name == column) {
        Some((_, Values::Reals(values))) => values,
        other => panic!("{column}: {other:?}"),
    }
}

fn whole<'a>(table: &'a Table, column: &str) -> &'a [u64] {
    match table.columns.iter().find(|(name, _)| *name == column) {
        Some((_, Values::Integers(values))) => values,
        _ => &[],
    }
}

fn real<'a>(table: &'a Table, column: &str) -> &'a [f64] {
    match table.columns.iter().find(|(name, _)| *name == column) {
        Some((_, Values::Reals(values))) => values,
        _ => &[],
    }
}

/// Packets and bytes by fate.
#[derive(Default)]
struct Ledger {
    sent: (u64, u64),
    delivered: (u64, u64),
    dropped: (u64, u64),
}

impl Observer<Host> for Ledger {
    fn on(&mut self, _: Time, event: &Event<'_, Host>) {
        let (account, packet) = match event {
            Event::Sent(_, packet) => (&mut self.sent, packet),
            // A packet that is doubled is one more.
            Event::Link(_, LinkEvent::Duplicated { packet, .. }) => (&mut self.sent, packet),
            Event::Delivered(_, packet) => (&mut self.delivered, packet),
            Event::Link(_, LinkEvent::Dropped(packet, _)) => (&mut self.dropped, packet),
            _ => return,
        };
        account.0 += 1;
        account.1 += u64::from(packet.bytes);
    }
}

/// Follows packets over some links, a bit each.
struct Follower(u64);

impl Observer<Host> for Follower {
    fn follows(&self, link: LinkId) -> bool {
        (self.0 >> (link.0 % u64::BITS)) & 1 == 1
    }

    fn on(&mut self, _: Time, _: &Event<'_, Host>) {}
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// At each of several times, every packet sent was delivered, dropped, or is on a link, and likewise the cells
    /// at every port. No application receives data that were not written.
    #[test]
    fn nothing_appears_and_nothing_vanishes(plan in plans(), seed: u64) {
        let mut world = build::world(&plan, seed, Ledger::default()).unwrap();
        for step in 1..=40 {
            let now = Time::from_ms(100 * step);
            world.advance_to(now);
            let on_links: Vec<u64> = (0..plan.links.len() as u32).map(|id| world.packets_on(LinkId(id)) as u64).collect();
            prop_assert_eq!(world.packets() as u64, on_links.iter().sum::<u64>());
            let Ledger { sent, delivered, dropped } = *world.observer();
            prop_assert_eq!(sent.0, delivered.0 + dropped.0 + world.packets() as u64);
            prop_assert!(sent.1 >= delivered.1 + dropped.1);
            for (link, left) in world.links_mut().zip(on_links) {
                match link {
                    Link::Component(component) => match &mut **component {
                        AtmLink::Trunk(trunk) => {
                            let (queued, c) = (u64::from(trunk.queued_cells(now)), trunk.counters(now));
                            let lost = c.cells_refused + c.cells_overflowed + c.cells_cut;
                            prop_assert_eq!(c.cells_offered, c.cells_carried + queued + lost);
                        }
                        AtmLink::Network(network) => {
                            let counters = network.counters(now);
                            for c in counters.classes {
                                prop_assert_eq!(c.cells_offered, c.cells_carried + u64::from(c.queued) + c.cells_lost);
                                prop_assert!(c.queued <= c.max_queued);
                            }
                            for vc in counters.vcs {
                                prop_assert!(vc.cells_received + vc.cells_lost <= vc.cells_sent);
                            }
                        }
                    },
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
                    prop_assert!(taken.delivered <= taken.received);
                    prop_assert!(taken.received <= taken.highest_received);
                    prop_assert!(taken.highest_received <= given.written);
                    for (number, sending) in from.connections() {
                        let Some(taking) = to.connections().find(|each| each.0 == number) else { continue };
                        prop_assert!(sending.sender().snd_una <= taking.1.delivered() + 2);
                    }
                }
            }
        }
    }

    /// In any part of a run a link is busy for no longer than that part lasts. A receiver delivers no more bytes in order
    /// than arrived in that part, apart from bytes that arrived before it.
    #[test]
    fn no_share_of_the_measured_time_is_above_1(plan in plans(), seed: u64, part in 1..500 * MS) {
        for warm_up_ps in [plan.warm_up_ps, plan.duration_ps - part, 0] {
            let columns = run(&Plan { warm_up_ps, ..plan.clone() }, seed).unwrap();
            for busy in real(&columns.links, "utilisation").iter().chain(real(&columns.ports, "utilisation")) {
                prop_assert!((0.0..=1.0).contains(busy), "{busy}");
            }
            let of = |name| whole(&columns.flows, name);
            let rows = of("delivered_bytes").iter().zip(of("delivered_early_bytes")).zip(of("received_bytes"));
            for ((delivered, early), received) in rows {
                prop_assert!(early <= delivered && delivered - early <= *received);
            }
        }
    }

    /// Packets that somebody follows from link to link, or over some links, come at the same times and in the same order
    /// as those whose way over several links is one step.
    #[test]
    fn following_packets_changes_nothing(plan in plans(), seed: u64, some_links in prop_oneof![Just(u64::MAX), any::<u64>()]) {
        let mut followed = build::world(&plan, seed, Follower(some_links)).unwrap();
        let mut alone = build::world(&plan, seed, ()).unwrap();
        for step in 1..=7 {
            let now = Time::from_ps(plan.duration_ps / 7 * step);
            followed.advance_to(now);
            alone.advance_to(now);
            let counters = |link: &mut Link<_, AtmLink<_>>| match link {
                Link::Component(component) => match &mut **component {
                    AtmLink::Trunk(trunk) => format!("{:?}", trunk.counters(now)),
                    AtmLink::Network(network) => format!("{:?}", network.counters(now)),
                },
                link => format!("{:?}", link.packet_counters(now)),
            };
            let links: Vec<_> = followed.links_mut().map(counters).collect();
            prop_assert_eq!(links, alone.links_mut().map(counters).collect::<Vec<_>>());
        }
        let totals = |hosts: &[Host]| hosts.iter().map(|host| (host.totals(), host.last_delivery())).collect::<Vec<_>>();
        prop_assert_eq!(totals(followed.hosts()), totals(alone.hosts()));
        prop_assert_eq!(followed.packets(), alone.packets());
    }

    /// The RTTs that a flow keeps are those whose mean its row has, and its packets wait as those of the link do.
    #[test]
    fn delays_of_a_flow_are_its_own(plan in plans(), seed: u64) {
        let probes = Probes { delays: true, ..Probes::default() };
        let columns = run(&Plan { probes, ..plan }, seed).unwrap();
        let sum = |table: &Table| if table.columns.is_empty() { 0 } else { whole(table, "count").iter().sum() };
        let samples = if columns.rtts.columns.is_empty() { 0 } else { whole(&columns.flows, "rtt_samples")[0] };
        prop_assert_eq!(sum(&columns.rtt_bins), samples);
        if samples > 0 {
            let [kept, counted] = [(&columns.rtts, "mean_s"), (&columns.flows, "rtt_mean_s")].map(|(table, name)| reals(table, name)[0]);
            prop_assert!((kept - counted).abs() <= 1e-9 * counted, "{} {}", kept, counted);
        }
        prop_assert!(sum(&columns.flow_queue_delay_bins) <= sum(&columns.queue_delay_bins));
        if !columns.flow_queue_delays.columns.is_empty() {
            let [own, all] = [&columns.flow_queue_delays, &columns.queue_delays].map(|table| reals(table, "max_s")[0]);
            prop_assert!(own.is_nan() || own <= all);
        }
    }
}
