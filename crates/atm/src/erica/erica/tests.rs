//! The algorithm step by step, worked by hand: a line of 100 000 cells/s and intervals of 5 ms.

use super::super::LoadAverage;
use super::*;
use proptest::prelude::*;

const RATE: f64 = 100_000.0;
const INTERVAL: Time = Time::from_ms(5);

fn queue(abr_cells: u32) -> PortQueue {
    PortQueue { abr_cells, cell_rate: RATE }
}

/// As 004, but intervals end by time alone.
fn config() -> EricaConfig {
    EricaConfig { interval_cells: u32::MAX, ..EricaConfig::OSU }
}

fn frm(ccr: f64) -> RmCell {
    RmCell { er: 150_000.0, ccr, mcr: 0.0, ci: false, ni: false, bn: false }
}

/// Ends the interval after so many cells of each VC and of others, with this queue.
fn interval(erica: &mut Erica, cells: &[u32], others: u32, abr_cells: u32) {
    let end = erica.interval_end();
    for (vc, &cells) in cells.iter().enumerate() {
        for _ in 0..cells {
            assert!(!erica.arrival(end, vc as u32));
        }
    }
    for _ in 0..others {
        erica.other_arrival(end);
    }
    erica.end_interval(end, &queue(abr_cells));
}

/// The ER that a BRM of this VC gets.
fn er(erica: &mut Erica, vc: u32) -> f64 {
    let mut rm = frm(0.0);
    erica.backward_rm(erica.start, vc, &mut rm, &queue(0));
    rm.er
}

/// A port with a target of 80 000, whose VCs have these rates by their FRMs, after an interval in which
/// they sent so many cells: 400 in all are a load of 1.
fn loaded(config: EricaConfig, cells: &[u32], rates: &[f64]) -> Erica {
    let mut erica = Erica::new(config, cells.len());
    for (vc, &ccr) in rates.iter().enumerate() {
        erica.forward_rm(Time::ZERO, vc as u32, &frm(ccr));
    }
    interval(&mut erica, cells, 100, 40);
    erica
}

#[test]
fn the_end_of_an_interval() {
    let erica = loaded(config(), &[100, 0, 150], &[0.0; 3]);
    let last = erica.measured.expect("an interval has ended");
    // Others 100 / 5 ms = 20 000, capacity 80 000; 40 cells take 0.5 ms = T0, so f = 1.
    assert_eq!(last.target, 80_000.0);
    assert_eq!(last.z, 0.625); // 250 / 5 ms = 50 000
    assert_eq!(last.fair_share, 40_000.0); // 2 active VCs
    assert_eq!((erica.max_alloc_previous, erica.max_alloc_current), (0.0, 40_000.0));
    assert_eq!((erica.start, erica.interval_end()), (INTERVAL, Time::from_ms(10)));
}

#[test]
fn the_queue_moves_the_target() {
    let target = |abr_cells| {
        let mut erica = Erica::new(config(), 1);
        interval(&mut erica, &[1], 100, abr_cells);
        erica.measured.expect("an interval has ended").target
    };
    assert_eq!(target(0), 84_000.0); // f(0) = 1.05
    assert_eq!(target(80).round(), 70_769.0); // 2 T0: 1.15 / 1.3 * 80 000
    assert_eq!(target(4_000), 40_000.0); // QDLF = 0.5
}

#[test]
fn enough_cells_end_an_interval() {
    let mut erica = Erica::new(EricaConfig::OSU, 1);
    let us = |cell: u64| Time::from_us(8 * cell);
    assert!((0..499).all(|cell| !erica.arrival(us(cell), 0)));
    assert!(erica.arrival(us(499), 0));
    erica.end_interval(us(499), &queue(0));
    // 500 cells in 3.992 ms against 105 000.
    let z = erica.measured.expect("an interval has ended").z;
    assert!((z - 500.0 / 3.992e-3 / 105_000.0).abs() < 1e-12);
    assert_eq!(erica.interval_end(), us(499) + INTERVAL);
}

#[test]
fn an_interval_takes_time() {
    let mut erica = Erica::new(EricaConfig { interval_cells: 2, ..EricaConfig::OSU }, 1);
    assert!(!erica.arrival(Time::ZERO, 0) && !erica.arrival(Time::ZERO, 0));
    erica.end_interval(Time::ZERO, &queue(0));
    assert!(erica.measured.is_none());
    assert_eq!(er(&mut erica, 0), 105_000.0); // f(0) = 1.05, and nothing else is known
    assert!(erica.arrival(Time::from_us(10), 0));
}

#[test]
fn below_the_load_everyone_gets_the_fair_share_at_least() {
    // z = 250 / 400 = 0.625 as above; FairShare 80 000 / 3.
    let mut erica = loaded(config(), &[50, 100, 100], &[10_000.0, 20_000.0, 45_000.0]);
    let fair_share = 80_000.0 / 3.0;
    assert_eq!(er(&mut erica, 0), fair_share); // VCShare 16 000
    assert_eq!(er(&mut erica, 1), fair_share); // VCShare 32 000, but 20 000 < FairShare: no jump
    assert_eq!(erica.max_alloc_current, 32_000.0);
    assert_eq!(er(&mut erica, 2), 72_000.0); // 45 000 / 0.625
    assert_eq!(erica.max_alloc_current, 72_000.0);
    let mut jumping =
        loaded(EricaConfig { limit_jump: false, ..config() }, &[50, 100, 100], &[0.0, 20_000.0]);
    assert_eq!(er(&mut jumping, 1), 32_000.0);
}

#[test]
fn everyone_gets_the_largest_allocation_until_the_load_is_above_1_plus_delta() {
    let with_load = |cells: u32| {
        let mut erica = loaded(config(), &[200, 200], &[60_000.0, 45_000.0]);
        assert_eq!(er(&mut erica, 0), 60_000.0); // z = 1: the largest allocation of this interval
        interval(&mut erica, &[cells, 200], 100, 40);
        [er(&mut erica, 0), er(&mut erica, 1)].map(f64::round)
    };
    // z = 420 / 400 = 1.05: VC 1 gets more than its 45 000 / 1.05, and more than FairShare 40 000.
    assert_eq!(with_load(220), [60_000.0, 60_000.0]);
    // z = 1.25: 60 000 / 1.25 = 48 000; 45 000 / 1.25 = 36 000 is less than FairShare.
    assert_eq!(with_load(300), [48_000.0, 40_000.0]);
    // z = 440 / 400 is 1 + delta itself.
    assert_eq!(with_load(240), [60_000.0, 60_000.0]);
}

#[test]
fn a_vc_gets_one_rate_an_interval() {
    let mut erica = loaded(config(), &[200, 200], &[60_000.0, 20_000.0]);
    assert_eq!(er(&mut erica, 0), 60_000.0);
    erica.forward_rm(INTERVAL, 0, &frm(70_000.0));
    assert_eq!(er(&mut erica, 0), 60_000.0);
    interval(&mut erica, &[200, 200], 100, 40);
    assert_eq!(er(&mut erica, 0), 70_000.0);
    // What another switch gave stays if it is less.
    let mut rm = RmCell { er: 30_000.0, ..frm(0.0) };
    erica.backward_rm(INTERVAL, 0, &mut rm, &queue(0));
    assert_eq!(rm, RmCell { er: 30_000.0, ..frm(0.0) });
}

#[test]
fn nothing_is_above_the_target() {
    // z = 40 / 400 = 0.1: VCShare would be 500 000.
    let mut erica = loaded(config(), &[40, 0], &[50_000.0, 50_000.0]);
    assert_eq!(er(&mut erica, 0), 80_000.0);
    assert_eq!(erica.max_alloc_current, 80_000.0);
    // An idle interval: z = 0, target 1.05 * 100 000, and the same again.
    for _ in 0..2 {
        interval(&mut erica, &[], 0, 0);
        assert_eq!(er(&mut erica, 1), 105_000.0);
    }
    assert_eq!(erica.max_alloc_previous, 105_000.0);
    // Others take the whole line: 600 / 5 ms = 120 000.
    interval(&mut erica, &[10], 600, 70);
    assert_eq!((er(&mut erica, 0), er(&mut erica, 1)), (0.0, 0.0));
    assert_eq!(erica.measured.expect("four have ended").z, f64::INFINITY);
}

#[test]
fn a_measured_rate_is_that_of_the_last_interval() {
    let measured = EricaConfig { ccr: Ccr::Measured, ..config() };
    // z = 1; VC 0 sends 300 / 5 ms = 60 000 and says 1.
    let mut erica = loaded(measured, &[300, 100], &[1.0, 1.0]);
    assert_eq!(er(&mut erica, 0), 60_000.0);
    erica.arrival(Time::from_ms(6), 0);
    assert_eq!(erica.ccr(0, &erica.measured.expect("ended")), 60_000.0);
    interval(&mut erica, &[0, 500], 0, 0);
    // 1 cell / 5 ms.
    assert_eq!(erica.ccr(0, &erica.measured.expect("ended")), 200.0);
    interval(&mut erica, &[], 0, 0);
    assert_eq!(erica.ccr(0, &erica.measured.expect("ended")), 0.0);
    erica.arrival(Time::from_ms(16), 0);
    assert_eq!(erica.ccr(0, &erica.measured.expect("ended")), 0.0);
    interval(&mut erica, &[6], 0, 0);
    assert_eq!(erica.ccr(0, &erica.measured.expect("ended")), 1400.0); // 7 / 5 ms
}

fn with(averaging: Averaging) -> EricaConfig {
    EricaConfig { averaging, ..config() }
}

#[test]
fn option_1_averages_the_load() {
    let ratio = with(Averaging { load: LoadAverage::Ratio(0.25), ..Averaging::OFF });
    let mut erica = loaded(ratio, &[400], &[0.0]);
    interval(&mut erica, &[800], 100, 40);
    assert_eq!(erica.measured.expect("ended").z, 1.25); // 0.75 * 1 + 0.25 * 2
    let parts = with(Averaging { load: LoadAverage::Parts(0.25), ..Averaging::OFF });
    let mut erica = loaded(parts, &[400], &[0.0]);
    interval(&mut erica, &[800], 300, 35);
    // Input 0.75 * 80 000 + 0.25 * 160 000 = 100 000; capacity 0.75 * 80 000 + 0.25 * 40 000 = 70 000,
    // of which 35 cells take 0.5 ms.
    let last = erica.measured.expect("ended");
    assert_eq!((last.z, last.target, last.fair_share), (100.0 / 70.0, 70_000.0, 70_000.0));
}

#[test]
fn option_2_lets_idle_vcs_decay() {
    let mut erica =
        loaded(with(Averaging { vc_decay: 0.5, ..Averaging::OFF }), &[100, 100, 100, 100], &[0.0; 4]);
    interval(&mut erica, &[400], 100, 40);
    assert_eq!(erica.measured.expect("ended").fair_share, 32_000.0); // 80 000 / (1 + 3 / 2)
    interval(&mut erica, &[400], 100, 40);
    assert_eq!(erica.measured.expect("ended").fair_share, 80_000.0 / 1.75); // 1 + 3 / 4
}

#[test]
fn option_3_makes_room_for_a_new_vc_at_once() {
    let immediate = with(Averaging { immediate_fair_share: true, ..Averaging::OFF });
    let mut erica = loaded(immediate, &[300, 100, 0, 0], &[0.0; 4]);
    assert_eq!(er(&mut erica, 1), 40_000.0);
    erica.arrival(Time::from_ms(6), 2);
    erica.arrival(Time::from_ms(6), 2);
    erica.arrival(Time::from_ms(6), 0);
    assert_eq!(er(&mut erica, 0), 80_000.0 / 3.0);
    erica.arrival(Time::from_ms(6), 3);
    assert_eq!(er(&mut erica, 2), 20_000.0);
    let mut idle = loaded(immediate, &[0, 0], &[0.0; 2]);
    idle.arrival(Time::from_ms(6), 1);
    assert_eq!(er(&mut idle, 1), 80_000.0); // the first one is no further one
}

#[test]
fn option_4_counts_vcs_by_their_backward_cells() {
    let both = with(Averaging { count_both_directions: true, ..Averaging::OFF });
    let mut erica = loaded(both, &[400, 0, 0], &[0.0; 3]);
    er(&mut erica, 2);
    er(&mut erica, 0);
    interval(&mut erica, &[400], 100, 40);
    assert_eq!(erica.measured.expect("ended").fair_share, 40_000.0);
}

proptest! {
    /// Whatever comes, with whatever options: no BRM leaves with more than it had, more than the target,
    /// or with a number that is none.
    #[test]
    fn a_rate_is_a_number_and_at_most_the_target(
        cells_of_intervals in prop::collection::vec(
            (prop::collection::vec(0_u32..60, 3), 0_u32..700, prop_oneof![Just(0), 0_u32..9000]), 1..30),
        rates in prop::collection::vec(prop_oneof![Just(0.0), 0.0..150_000.0], 3),
        options in (0_usize..3, prop_oneof![Just(0.0), 0.0..0.99], any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
        delta in 0.0..0.3,
    ) {
        let (load, vc_decay, immediate_fair_share, count_both_directions, limit_jump, measured) = options;
        let load = [LoadAverage::None, LoadAverage::Ratio(0.2), LoadAverage::Parts(0.2)][load];
        let averaging = Averaging { load, vc_decay, immediate_fair_share, count_both_directions };
        let ccr = if measured { Ccr::Measured } else { Ccr::Field };
        let mut erica = Erica::new(EricaConfig { averaging, ccr, limit_jump, delta, ..config() }, 3);
        for (cells, others, abr_cells) in cells_of_intervals {
            for vc in 0..3 {
                erica.forward_rm(erica.start, vc, &frm(rates[vc as usize]));
            }
            interval(&mut erica, &cells, others, abr_cells);
            let last = erica.measured.expect("ended");
            for vc in 0..3 {
                let given = er(&mut erica, vc);
                prop_assert!((0.0..=last.target.min(150_000.0)).contains(&given));
                if load == LoadAverage::None {
                    prop_assert!(last.target <= 1.05 * RATE);
                }
                if !immediate_fair_share {
                    prop_assert!(given >= last.fair_share.min(150_000.0));
                }
            }
            prop_assert!(erica.max_alloc_current.is_finite());
        }
    }
}
