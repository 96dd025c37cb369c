//! GFR: frames worked out by hand, and the guarantees of a contract against other traffic.

use std::sync::{Arc, Mutex};

use atm::gfr::GfrConfig;
use atm::network::{Cells, Excess, Service, SwitchPort, UbrQueueing, VcCounters};
use atm::{DoubleEpd, FramePolicy, PortView, erica::RateControlConfig};
use base::Time;
use proptest::prelude::*;
use sim::HostId;

use crate::support::{Plan, Script, counters, endless, us, world};

/// The trunk takes 10 us for a cell: 42.4 Mbit/s. A NIC takes 1 us.
const TRUNK: Time = Time::from_us(10);
const TRUNK_BPS: u64 = 42_400_000;
const NIC_BPS: u64 = 424_000_000;

fn contract(mcr_bps: u64, mbs_cells: u32, mfs_cells: u32) -> GfrConfig {
    GfrConfig { pcr_bps: NIC_BPS, mcr_bps, mbs_cells, mfs_cells, cdvt: Time::ZERO, tagging: true }
}

/// Hosts 0 to n - 1, each with a GFR VC to host n, and what they send: when, and how many cells. Counts of the VCs.
fn run(vcs: &[(GfrConfig, Vec<(Time, u32)>)], port: impl Fn() -> SwitchPort, until: Time) -> Vec<VcCounters> {
    let last = vcs.len() as u32;
    let mut plan = Plan::new(last + 1, 1);
    for host in 0..last {
        plan.between(host, last + 1, us(1), us(5), &port);
    }
    plan.between(last, last + 1, TRUNK, us(5), &port);
    let vc =
        |(host, (contract, _)): (u32, &(GfrConfig, _))| (host, last, Service::Gfr(*contract), Cells::Packets);
    plan.vcs = (0..).zip(vcs).map(vc).collect();
    let bytes = |&(at, cells): &(Time, u32)| (at, cells * 48 - 40);
    let script = |(_, frames): &(GfrConfig, Vec<(Time, u32)>)| {
        // The host of the world with an odd number is the way back, and sends nothing.
        let there = Script { to: HostId(1), packets: frames.iter().map(bytes).collect() };
        [there, Script { to: HostId(0), packets: Vec::new() }]
    };
    let scripts: Vec<Script> = vcs.iter().flat_map(script).collect();
    let mut world = world(plan.link(), &scripts);
    world.advance_to(until);
    counters(&mut world, until).vcs.into_iter().step_by(2).collect()
}

/// A cell at MCR takes 100 us, at PCR 1 us; MBS is 4, and so L = 3 (100 - 1) = 297 us. Frames of two cells come 1 us
/// apart.
///
/// | t, us | X' | | X |
/// |---|---|---|---|
/// | 0 | 0 | eligible | 100, 199 |
/// | 2 | 198 | eligible | 298, 397 |
/// | 4 | 396 | tagged | 397 |
/// | 102 | 298 | tagged | 397 |
/// | 104 | 296 | eligible | 396, 495 |
/// | 700 | 0, but six cells, and MFS is 4: the fifth is discarded | cut | |
/// | 2000 | 0 | eligible | |
#[test]
fn frames_by_hand() {
    let at = |t: u64, cells: u32| (us(t), cells);
    let frames = vec![at(0, 2), at(2, 2), at(4, 2), at(102, 2), at(104, 2), at(700, 6), at(2000, 2)];
    let counted = run(&[(contract(4_240_000, 4, 4), frames)], || endless(RateControlConfig::None), us(5000));
    let vc = &counted[0];
    assert_eq!((vc.frames, vc.frames_eligible, vc.frames_tagged), (7, 4, 2));
    assert_eq!((vc.frames_delivered, vc.eligible_delivered, vc.cells_delivered), (6, 4, 12));
    // Four cells of the frame that is too long pass, and so does its last cell, which separates it from the next frame.
    assert_eq!((vc.cells_sent, vc.cells_received, vc.cells_lost), (18, 17, 1));
}

/// What has not arrived by the time of the look is not counted: the last bit of a frame of two cells is at the far end
/// after 2 + 5 + 10 + 5 us and the 10 - 1 us that its second cell waits.
#[test]
fn a_frame_is_delivered_when_it_arrives() {
    for (until, delivered) in [(us(31) - Time::from_ps(1), 0), (us(31), 1)] {
        let frames = vec![(us(0), 2)];
        let counted = run(&[(contract(4_240_000, 4, 4), frames)], || endless(RateControlConfig::None), until);
        let vc = &counted[0];
        assert_eq!((vc.frames, vc.frames_delivered, vc.eligible_delivered), (1, delivered, delivered));
        assert_eq!(vc.cells_delivered, 2 * delivered);
    }
}

/// Records the views that it gets.
struct Shown(Arc<Mutex<Vec<PortView>>>);

impl FramePolicy for Shown {
    fn admits(&self, port: &PortView) -> bool {
        self.0.lock().expect("nobody panicked").push(*port);
        true
    }

    fn counts_vcs(&self) -> bool {
        true
    }

    fn needs_contracts(&self) -> bool {
        true
    }
}

/// VC 0 has a frame of five cells, of which the first comes to the port at 6 us, VC 1 three cells from 26 us on and one
/// at 30 us. The trunk takes 10 us for a cell: at 26 two cells have left. A cell at MCR takes 100 us and MBS is 2, so
/// the second frame of VC 1 is tagged. X is that of all queues.
#[test]
fn policies_see_the_class_the_vc_and_the_contracts() {
    for queueing in [UbrQueueing::Fifo, UbrQueueing::PerVc(Excess::Equal)] {
        let shown = Arc::new(Mutex::new(Vec::new()));
        let port = || SwitchPort {
            ubr_buffer: Some(50),
            ubr_queueing: queueing,
            policy: Box::new(Shown(Arc::clone(&shown))),
            ..endless(RateControlConfig::None)
        };
        let vcs = [
            (contract(2_120_000, 4, 20), vec![(us(0), 5)]),
            (contract(4_240_000, 2, 20), vec![(us(20), 3), (us(24), 1)]),
        ];
        let counted = run(&vcs, port, us(5000));
        assert_eq!((counted[1].frames_eligible, counted[1].frames_tagged), (1, 1));
        let view = |queued, vc_queued, active_vcs, clp, vc_mcr, active_mcr| PortView {
            buffer: 50,
            queued,
            vc_queued,
            active_vcs,
            clp,
            vc_mcr,
            active_mcr,
        };
        let expected = [
            view(0, 0, 0, false, 2_120_000, 0),
            view(3, 0, 1, false, 4_240_000, 2_120_000),
            view(6, 3, 2, true, 4_240_000, 6_360_000),
        ];
        assert_eq!(*shown.lock().expect("nobody panicked"), expected, "{queueing:?}");
    }
}

/// MCRs that add up to 90 % of the trunk at most, and lengths of frames.
fn vcs() -> impl Strategy<Value = Vec<(u64, u32)>> {
    let vc = (prop_oneof![1 => Just(0u64), 4 => 1u64..1000], 1u32..20);
    prop::collection::vec(vc, 1..6).prop_map(|parts| {
        let all: u64 = parts.iter().map(|part| part.0).sum::<u64>().max(1);
        parts.into_iter().map(|(part, cells)| (TRUNK_BPS * 9 / 10 * part / all, cells)).collect()
    })
}

fn queueings() -> impl Strategy<Value = UbrQueueing> {
    prop::sample::select(vec![
        UbrQueueing::PerVc(Excess::Equal),
        UbrQueueing::PerVc(Excess::Proportional),
        UbrQueueing::Fifo,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Each VC has frames at all times. With a queue each, all get their MCRs.
    #[test]
    fn greedy_vcs_get_their_mcrs(vcs in vcs(), equal: bool) {
        let end = Time::from_ms(40);
        let excess = if equal { Excess::Equal } else { Excess::Proportional };
        let port = || SwitchPort { ubr_queueing: UbrQueueing::PerVc(excess), ..endless(RateControlConfig::None) };
        // More than the trunk can carry.
        let greedy = |&(mcr_bps, cells): &(u64, u32)| {
            let frames = (0..5_000 / cells).map(|_| (Time::ZERO, cells)).collect();
            (contract(mcr_bps, 2 * cells, cells), frames)
        };
        let counted = run(&vcs.iter().map(greedy).collect::<Vec<_>>(), port, end);
        for (vc, (mcr_bps, cells)) in counted.iter().zip(&vcs) {
            let promised = mcr_bps * 40 / 1000 / 424;
            // The cells on their way at the end, a frame that is not whole, and a cell for each VC.
            let least = promised.saturating_sub(3 + u64::from(*cells) + vcs.len() as u64);
            prop_assert!(vc.cells_delivered >= least, "{} of {promised}", vc.cells_delivered);
        }
    }

    /// With tagging and two thresholds no eligible frame is lost, whatever the queues are: above L nothing but eligible
    /// frames comes in, and of these no more than the bursts of the contracts and what the trunk carries meanwhile.
    #[test]
    fn eligible_frames_are_not_lost(
        vcs in vcs(),
        queueing in queueings(),
        l in 0u32..60,
        pauses in prop::collection::vec((0u32..5, 0u64..400), 1..400),
    ) {
        let of_vcs = |of: fn(&(u64, u32)) -> u32| vcs.iter().map(of).sum::<u32>();
        // Up to a frame of each VC comes in after the thresholds have been passed.
        let h = l + of_vcs(|vc| vc.1) + of_vcs(|vc| 3 * vc.1);
        let buffer = h + of_vcs(|vc| vc.1);
        let port = || SwitchPort {
            ubr_buffer: Some(buffer + 1),
            ubr_queueing: queueing,
            policy: Box::new(DoubleEpd { l, h }),
            ..endless(RateControlConfig::None)
        };
        let mut now = Time::ZERO;
        let mut frames: Vec<Vec<(Time, u32)>> = vec![Vec::new(); vcs.len()];
        for (vc, pause) in pauses {
            now += us(pause);
            let vc = vc as usize % vcs.len();
            frames[vc].push((now, vcs[vc].1));
        }
        let contract = |&(mcr_bps, cells): &(u64, u32)| contract(mcr_bps, 2 * cells, cells);
        let vcs: Vec<_> = vcs.iter().map(contract).zip(frames).collect();
        let counted = run(&vcs, port, now + Time::from_ms(50));
        for vc in &counted {
            prop_assert_eq!((vc.frames_eligible, vc.eligible_lost), (vc.eligible_delivered, 0));
            prop_assert_eq!(vc.frames_eligible + vc.frames_tagged, vc.frames);
        }
    }
}
