//! The fast port against the plain one, on random trains, policies and access links.

use atm::{Eom, FRAME_POLICIES, Fate, Frame, PlainPort, PortConfig, PortCounters, PortEvents, TrainPort};
use base::Time;
use proptest::prelude::*;
use sim::Waits;

#[derive(Clone, Debug)]
struct Input {
    policy: usize,
    eom: Eom,
    buffer: u32,
    r: u32,
    z_ppm: u32,
    cell_time: u64,
    spacings: Vec<u64>,
    /// (pause since the offer before, VC, cells, lead of the first cell)
    frames: Vec<(u64, u32, u32, u64)>,
}

impl Input {
    fn config(&self) -> PortConfig {
        let kind = &FRAME_POLICIES[self.policy];
        let value = |name: &&str| if name.ends_with("_ppm") { self.z_ppm } else { self.r };
        let policy = (kind.make)(&kind.parameters.iter().map(value).collect::<Vec<_>>());
        PortConfig { cell_time: Time::from_ps(self.cell_time), buffer: self.buffer, policy, eom: self.eom }
    }

    fn spacings(&self) -> Vec<Time> {
        self.spacings.iter().map(|&ps| Time::from_ps(ps)).collect()
    }
}

prop_compose! {
    /// Few distinct times, so that cells often meet; half of the cases with equal access links.
    fn inputs()(
        vcs in 1usize..6,
        equal in any::<bool>(),
        policy in 0..FRAME_POLICIES.len(),
        eom in prop_oneof![Just(Eom::Keep), Just(Eom::Drop)],
        buffer in 1u32..40,
        r_percent in 0u32..100,
        z_ppm in 1u32..=1_000_000,
        cell_time in 1u64..12,
        all_spacings in prop::collection::vec(1u64..6, 6),
        frames in prop::collection::vec((0u64..30, 0u32..6, 1u32..12, 0u64..9), 1..80),
    ) -> Input {
        let spacing = |vc: usize| if equal { all_spacings[0] } else { all_spacings[vc] };
        Input {
            policy, eom, buffer, z_ppm, cell_time,
            r: buffer * r_percent / 100,
            spacings: (0..vcs).map(spacing).collect(),
            frames: frames.into_iter().map(|(pause, vc, cells, lead)| (pause, vc % vcs as u32, cells, lead)).collect(),
        }
    }
}

#[derive(Debug, Default, PartialEq)]
struct Log(Vec<(Time, u32, u32, String)>);

impl PortEvents<u32> for Log {
    fn decided(&mut self, at: Time, vc: u32, queued: u32, admitted: bool) {
        self.0.push((at, vc, queued, format!("admitted {admitted}")));
    }
    fn finished(&mut self, at: Time, tag: u32, fate: Fate) {
        self.0.push((at, tag, 0, format!("{fate:?}")));
    }
}

/// Both ports behind one face, so that one driver serves both.
trait Port {
    fn offer(&mut self, frame: Frame<u32>);
    fn advance(&mut self, until: Time, log: &mut Log);
    fn queued(&mut self, now: Time) -> u32;
    fn counters(&mut self, now: Time) -> PortCounters;
    fn measure_waits(&mut self, waits: Waits);
    fn waits(&self) -> Option<&Waits>;
}

macro_rules! port {
    ($name:ident) => {
        impl Port for $name<u32> {
            fn offer(&mut self, frame: Frame<u32>) {
                self.offer(frame);
            }
            fn advance(&mut self, until: Time, log: &mut Log) {
                self.advance(until, log);
            }
            fn queued(&mut self, now: Time) -> u32 {
                self.queued(now)
            }
            fn counters(&mut self, now: Time) -> PortCounters {
                self.counters(now)
            }
            fn measure_waits(&mut self, waits: Waits) {
                self.measure_waits(waits);
            }
            fn waits(&self) -> Option<&Waits> {
                self.waits()
            }
        }
    };
}
port!(TrainPort);
port!(PlainPort);

/// The log, the occupancy and totals after every offer, and how long cells waited after the first few frames.
fn drive(mut port: impl Port, input: &Input) -> (Log, Vec<(u32, PortCounters)>, Option<Waits>) {
    port.measure_waits(Waits::between(Time::from_ps(100), Time::from_ps(1000)));
    let mut log = Log::default();
    let mut snapshots = Vec::new();
    let mut now = Time::ZERO;
    for (tag, &(pause, vc, cells, lead)) in (0u32..).zip(&input.frames) {
        now += Time::from_ps(pause);
        port.advance(now, &mut log);
        snapshots.push((port.queued(now), port.counters(now)));
        port.offer(Frame { vc, first: now + Time::from_ps(1 + lead), cells, tag });
    }
    now += Time::from_ps(1_000_000);
    port.advance(now, &mut log);
    snapshots.push((port.queued(now), port.counters(now)));
    (log, snapshots, port.waits().cloned())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn equal_decisions_departures_and_occupancy(input in inputs()) {
        let fast = drive(TrainPort::new(input.config(), &input.spacings()), &input);
        let plain = drive(PlainPort::new(input.config(), &input.spacings()), &input);
        prop_assert_eq!(fast, plain);
    }

    /// Every cell that arrived was carried, is queued, or is booked as lost under one cause.
    #[test]
    fn cells_are_conserved(input in inputs()) {
        let (_, snapshots, _) = drive(TrainPort::new(input.config(), &input.spacings()), &input);
        for (queued, c) in snapshots {
            let lost = c.cells_refused + c.cells_overflowed + c.cells_cut;
            prop_assert_eq!(c.cells_offered, c.cells_carried + u64::from(queued) + lost);
            prop_assert_eq!(c.frames_offered, c.frames_delivered + c.frames_refused + c.frames_cut);
        }
    }
}
