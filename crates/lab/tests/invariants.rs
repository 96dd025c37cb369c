//! Conservation and determinism over random scenarios.

use lab::plan::{
    CellLink, Clock, Deflation, Eom, FramePolicy, IndexLaw, LossWindow, PartialAckTimer, PeriodFrom, Phase,
    Plan, Port, Probes, SCHEMA, Tcp, Topology, Workload,
};
use lab::{TcpHost, build, run};
use proptest::prelude::*;
use sim::atm::FRAME_POLICIES;
use sim::link::LinkEvent;
use sim::{Event, Link, Observer, Time};

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

fn topologies() -> impl Strategy<Value = Topology> {
    (1..60_u64, ports(), ports()).prop_map(|(delay_ms, forward, reverse)| Topology::AtmDumbbell {
        access: CellLink { cell_time_ps: 2_831_198, delay_ps: 5_000_000 },
        trunk: CellLink { cell_time_ps: 9_422_222, delay_ps: delay_ms * MS },
        forward,
        reverse,
    })
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
        switches in any::<[bool; 5]>(),
        delayed in any::<bool>(),
    ) -> Tcp {
        let newreno = flavor.0.starts_with("newreno") && delayed;
        Tcp {
            flavor: flavor.0.to_owned(),
            deflation: newreno.then_some(Deflation::Partial),
            partial_ack_timer: newreno.then_some(PartialAckTimer::First),
            smss_bytes,
            initial_window_segments,
            initial_ssthresh_bytes: 56_250,
            receive_buffer_bytes: 65_535 << window_scale,
            window_scale,
            delayed_ack_ps: delayed.then_some(200 * MS),
            nagle: switches[0],
            sws_avoidance: switches[1],
            idle_restart: switches[2],
            loss_window: if switches[3] { LossWindow::Cwnd } else { LossWindow::FlightSize },
            additive_constant: switches[4],
            initial_rto_ticks: 30,
            min_rto_ticks: 2,
            max_rto_ticks: 640,
        }
    }
}

prop_compose! {
    fn plans()(
        topology in topologies(),
        phase in phases(),
        tcp in tcps(),
        pairs in 1u32..8,
        start_spread_ps in 0..3_000 * MS,
        first_is_class_0 in any::<bool>(),
        period_from in prop_oneof![Just(PeriodFrom::FirstRequest), Just(PeriodFrom::LastRequest)],
    ) -> Plan {
        Plan {
            schema: SCHEMA,
            duration_ps: 4_000 * MS,
            pairs,
            topology,
            clock: Clock { tick_ps: 100 * MS, phase },
            tcp,
            workload: Workload::WwwBatches {
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
            },
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
}

impl Observer<TcpHost> for Ledger {
    fn on(&mut self, _: Time, event: &Event<'_, TcpHost>) {
        let (account, packet) = match event {
            Event::Sent(_, packet) => (&mut self.sent, packet),
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
            let on_links: usize = world.links_mut().iter().map(Link::packets).sum();
            let Ledger { sent, delivered, dropped } = *world.observer();
            prop_assert_eq!(sent.0, delivered.0 + dropped.0 + on_links as u64);
            prop_assert!(sent.1 >= delivered.1 + dropped.1);
            for link in world.links_mut() {
                let Link::Cells(trunk) = link else { continue };
                let (queued, c) = (u64::from(trunk.queued_cells(now)), trunk.counters(now));
                let lost = c.cells_refused + c.cells_overflowed + c.cells_cut;
                prop_assert_eq!(c.cells_offered, c.cells_carried + queued + lost);
            }
            let (clients, servers) = world.hosts().split_at(plan.pairs as usize);
            for (client, server) in clients.iter().zip(servers) {
                for (from, to) in [(client, server), (server, client)] {
                    let (received, highest) = (to.connection().delivered(), to.connection().highest_received());
                    prop_assert!(received <= highest && highest <= from.written().0);
                    prop_assert!(from.connection().window().snd_una <= received + 1);
                }
            }
        }
    }

    /// A run is a function of plan and seed, and recording it changes nothing.
    #[test]
    fn observers_change_nothing(plan in plans(), seed: u64) {
        let bare = run(&plan, seed).unwrap();
        prop_assert_eq!(&bare, &run(&plan, seed).unwrap());
        let probes = Probes { queue_bin_ps: Some(10 * MS), cwnd_of: vec![0] };
        let observed = run(&Plan { probes, ..plan }, seed).unwrap();
        prop_assert_eq!(&bare.flows, &observed.flows);
        prop_assert_eq!(&bare.ports, &observed.ports);
        prop_assert!(!observed.queue.columns.is_empty() && !observed.cwnd.columns.is_empty());
    }
}
