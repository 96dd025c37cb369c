//! The rules one by one, by hand; then properties against a policer and against a second implementation of rule 3.

use super::*;
use proptest::prelude::*;

const MS: Time = Time::from_ms(1);

/// A cell each millisecond at PCR; a BRM adds 62.5.
fn config() -> AbrConfig {
    AbrConfig { icr: 400.0, ..AbrConfig::tm40(1000.0, Time::ZERO) }
}

fn brm(er: f64) -> RmCell {
    RmCell { er, ccr: 0.0, mcr: 0.0, ci: false, ni: false, bn: false }
}

/// Sends as many cells as soon as they may leave; returns a letter for each.
fn send(source: &mut AbrSource, cells: usize, data: bool, backward: bool) -> String {
    (0..cells)
        .map(|_| match source.next_cell(source.eligible(), data, backward).expect("is eligible") {
            NextCell::Forward(_) => 'F',
            NextCell::Backward => 'B',
            NextCell::Data => 'd',
        })
        .collect()
}

#[test]
fn rule_2_begins_at_icr_with_a_forward_cell() {
    let mut source = AbrSource::new(&config());
    assert_eq!((source.acr(), source.eligible()), (400.0, Time::ZERO));
    assert_eq!(source.next_cell(Time::ZERO, false, false), None);
    // Rules 7 and 10.
    let forward = RmCell { er: 1000.0, ccr: 400.0, mcr: 0.0, ci: false, ni: false, bn: false };
    assert_eq!(source.next_cell(MS, true, false), Some(NextCell::Forward(forward)));
    assert_eq!(source.eligible(), Time::from_us(3_500)); // 1 ms + 1 / 400 s
    assert_eq!(source.next_cell(Time::from_us(3_499), true, false), None);
    assert_eq!(source.next_cell(Time::from_us(3_500), true, false), Some(NextCell::Data));
}

#[test]
fn rule_3_sends_31_others_after_a_forward_cell() {
    // 31 cells at 400 cells/s take 77.5 ms, less than Trm.
    let sent = send(&mut AbrSource::new(&config()), 66, true, false);
    assert_eq!(sent, format!("F{0}F{0}Fd", "d".repeat(31)));
}

#[test]
fn rule_3_sends_an_early_forward_cell_after_two_others_and_trm() {
    // 30 ms a cell: after 4 cells, 120 ms > 100 ms have passed.
    let slow = AbrConfig { icr: 1e3 / 30.0, ..config() };
    assert_eq!(send(&mut AbrSource::new(&slow), 9, true, false), "FdddFdddF");
    // 90 ms a cell: two others are sent first.
    let slower = AbrConfig { icr: 1e3 / 90.0, ..config() };
    assert_eq!(send(&mut AbrSource::new(&slower), 7, true, false), "FddFddF");
}

#[test]
fn rule_3_sends_one_backward_cell_between_forward_cells_while_data_waits() {
    let mut source = AbrSource::new(&config());
    assert_eq!(send(&mut source, 34, true, true), format!("FB{}FB", "d".repeat(30)));
    // Without data, every cell but the FRM.
    assert_eq!(send(&mut source, 32, false, true), format!("{}FB", "B".repeat(30)));
}

#[test]
fn rule_5_goes_back_to_icr_at_the_first_forward_cell_after_a_pause() {
    let mut source = AbrSource::new(&config());
    send(&mut source, 3, true, false); // at 0, 2.5 and 5 ms
    source.on_backward(MS * 6, &brm(700.0)); // 400 + 1000/16 = 462.5
    assert_eq!(source.acr(), 462.5);
    // Mrm cells are sent and 500 ms > Trm have passed since the FRM, but not more than ADTF.
    let retained = source.clone().next_cell(MS * 500, true, false);
    assert!(matches!(retained, Some(NextCell::Forward(RmCell { ccr: 462.5, .. }))));
    let after = source.next_cell(MS * 501, true, false);
    assert!(matches!(after, Some(NextCell::Forward(RmCell { ccr: 400.0, .. }))));
    assert_eq!(source.eligible(), Time::from_us(503_500));
}

#[test]
fn rule_5_leaves_an_acr_below_icr_and_waits_for_a_forward_cell() {
    let mut source = AbrSource::new(&config());
    send(&mut source, 1, true, false);
    source.on_backward(MS, &brm(700.0));
    // One cell since the FRM, and Mrm is 2: data, at the retained ACR.
    assert_eq!(source.next_cell(MS * 900, true, false), Some(NextCell::Data));
    assert_eq!(source.acr(), 462.5);
    source.on_backward(MS * 901, &brm(300.0));
    source.next_cell(MS * 910, true, false);
    assert!(matches!(source.next_cell(MS * 920, true, false), Some(NextCell::Forward(_))));
    assert_eq!(source.acr(), 300.0);
}

#[test]
fn rule_6_slows_down_while_nothing_comes_back() {
    let trm = Time::from_secs(10);
    let config = AbrConfig { crm: Some(2), cdf: 0.25, mcr: 200.0, trm, ..config() };
    let mut source = AbrSource::new(&config);
    let mut rates = Vec::new();
    for _ in 0..6 {
        send(&mut source, 32, true, false);
        rates.push(source.acr());
    }
    // The third FRM finds two without an answer: 400 * 0.75 = 300, * 0.75 = 225, then MCR.
    assert_eq!(rates, [400.0, 400.0, 300.0, 225.0, 200.0, 200.0]);
    // A BRM that a switch made is no answer, a turned one is.
    let now = source.eligible();
    source.on_backward(now, &RmCell { bn: true, ni: true, ..brm(1e9) });
    send(&mut source, 32, true, false);
    assert_eq!(source.unanswered, 7);
    source.on_backward(source.eligible(), &brm(1e9));
    assert_eq!(source.unanswered, 0);
}

#[test]
fn rules_8_and_9_move_acr() {
    let config = AbrConfig { mcr: 100.0, ..config() };
    let after = |rm: RmCell| {
        let mut source = AbrSource::new(&config);
        source.on_backward(Time::ZERO, &rm);
        source.acr()
    };
    let congested = RmCell { ci: true, ..brm(1e9) };
    assert_eq!(after(brm(1e9)), 462.5); // 400 + 1000/16
    assert_eq!(after(RmCell { ni: true, ..brm(1e9) }), 400.0);
    assert_eq!(after(congested), 375.0); // 400 - 400/16
    assert_eq!(after(RmCell { ni: true, ..congested }), 375.0);
    assert_eq!(after(RmCell { ci: true, ..brm(200.0) }), 200.0); // the ER is lower
    assert_eq!(after(brm(430.0)), 430.0);
    assert_eq!(after(brm(50.0)), 100.0); // MCR
}

#[test]
fn the_values_of_osu_jump_to_er() {
    let mut source = AbrSource::new(&AbrConfig::osu(1000.0, 10.0, Time::ZERO));
    source.on_backward(Time::ZERO, &brm(987.0));
    assert_eq!(source.acr(), 987.0);
    source.on_backward(Time::ZERO, &brm(2000.0));
    assert_eq!(source.acr(), 1000.0);
}

#[test]
fn rule_11_probes_at_tcr_when_acr_is_below() {
    let mut source = AbrSource::new(&config());
    send(&mut source, 1, true, false);
    assert_eq!((source.next_out_of_rate(), source.out_of_rate(MS)), (Time::NEVER, None));
    source.on_backward(MS, &brm(0.0));
    assert_eq!((source.acr(), source.eligible()), (0.0, Time::NEVER));
    assert_eq!(source.next_cell(MS * 900_000, true, true), None);
    let probe = source.out_of_rate(MS * 5).expect("ACR is below TCR");
    assert_eq!((probe.ccr, probe.er), (0.0, 1000.0));
    assert_eq!(source.next_out_of_rate(), MS * 105); // 1/10 s later
    assert_eq!(source.out_of_rate(MS * 104), None);
    // The answer lets it go on: by 1 ms, 0.4 of a cell had been earned.
    source.on_backward(MS * 110, &brm(600.0));
    assert_eq!(source.acr(), 62.5); // 0 + 1000/16
    assert_eq!(source.eligible(), Time::from_us(119_600)); // 110 ms + (1 - 0.4) / 62.5 s
    assert_eq!(source.next_out_of_rate(), Time::NEVER);
}

/// What may happen to a source: time passes, a BRM comes, or the line is free.
#[derive(Clone, Debug)]
enum Step {
    Pause(u64),
    Backward(RmCell),
    /// As soon as it may; what waits: data, a BRM.
    Send(bool, bool),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let er = prop_oneof![Just(0.0), 0.0..20.0, 0.0..200_000.0, Just(1e9)];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let backward = (er, flags)
        .prop_map(|(er, (ci, ni, bn))| Step::Backward(RmCell { er, ccr: 0.0, mcr: 0.0, ci, ni, bn }));
    let pause = prop_oneof![0_u64..100_000_000, 0_u64..900_000_000_000];
    let step = prop_oneof![
        1 => pause.prop_map(Step::Pause),
        2 => backward,
        8 => prop_oneof![4 => Just((true, false)), 3 => Just((true, true)), 1 => Just((false, true))]
            .prop_map(|(data, brm)| Step::Send(data, brm)),
    ];
    prop::collection::vec(step, 1..400)
}

prop_compose! {
    fn configs()(
        pcr in 100.0..200_000.0,
        mcr in prop_oneof![Just(0.0), 0.0..0.5],
        icr in 0.0..1.0,
        nrm in prop::sample::select(vec![4_u32, 8, 32]),
        rif in prop::sample::select(vec![1.0, 1.0 / 16.0, 1.0 / 4096.0]),
        crm in prop::option::of(1_u32..5),
    ) -> AbrConfig {
        AbrConfig { mcr: mcr * pcr, icr: icr * pcr, nrm, rif, crm, ..AbrConfig::tm40(pcr, Time::ZERO) }
    }
}

/// A cell that was sent, and what waited.
struct Sent {
    at: Time,
    cell: NextCell,
    data: bool,
    brm: bool,
}

/// What a source did: its cells, and its ACR from which time on.
struct Trace {
    sent: Vec<Sent>,
    acr: Vec<(Time, f64)>,
}

fn run(config: &AbrConfig, steps: &[Step]) -> Trace {
    let mut source = AbrSource::new(config);
    let mut now = Time::ZERO;
    let mut trace = Trace { sent: Vec::new(), acr: vec![(now, source.acr())] };
    for step in steps {
        match *step {
            Step::Pause(ps) => now += Time::from_ps(ps),
            Step::Backward(rm) => source.on_backward(now, &rm),
            Step::Send(data, brm) => {
                if source.eligible() > now + Time::from_secs(5) {
                    continue;
                }
                now = now.max(source.eligible());
                let cell = source.next_cell(now, data, brm).expect("something waits");
                trace.sent.push(Sent { at: now, cell, data, brm });
            }
        }
        trace.acr.push((now, source.acr()));
    }
    trace
}

/// Cells that ACR allows until each of these times: its integral.
fn allowed(acr: &[(Time, f64)], times: impl Iterator<Item = Time>) -> Vec<f64> {
    times
        .map(|until| {
            let ends = acr.iter().skip(1).map(|&(at, _)| at).chain([Time::NEVER]);
            acr.iter()
                .zip(ends)
                .map(|(&(from, rate), to)| rate * to.min(until).saturating_sub(from).as_ps() as f64 * 1e-12)
                .sum()
        })
        .collect()
}

proptest! {
    /// Between any two instants: at most the integral of ACR, plus one cell.
    #[test]
    fn a_policer_finds_nothing(config in configs(), steps in steps()) {
        let trace = run(&config, &steps);
        let allowed = allowed(&trace.acr, trace.sent.iter().map(|sent| sent.at));
        let mut least = f64::INFINITY;
        for (n, allowed) in allowed.iter().enumerate() {
            // Cells i to n, n - i + 1 of them, against allowed(n) - allowed(i) + 1. A time is whole
            // picoseconds, in which 2e-7 cells are earned.
            least = least.min(n as f64 - allowed);
            prop_assert!(n as f64 - allowed - least < 1e-6);
        }
    }

    /// A source that always has data and that nobody slows sends all that ACR allows.
    #[test]
    fn nothing_that_is_allowed_is_lost(config in configs(), rates in prop::collection::vec((0.01..1.0, 1_u64..40), 1..20)) {
        let config = AbrConfig { icr: config.pcr, mcr: 0.0, crm: None, rif: 1.0, ..config };
        let mut source = AbrSource::new(&config);
        let (mut cells, mut allowed, mut now) = (0.0, 0.0, Time::ZERO);
        for (share, ms) in rates {
            source.on_backward(now, &brm(share * config.pcr));
            let until = now + MS * ms;
            while source.eligible() <= until {
                source.next_cell(source.eligible(), true, false).expect("data waits");
                cells += 1.0;
            }
            allowed += source.acr() * ms as f64 * 1e-3;
            now = until;
        }
        // The first cell needs nothing to be earned.
        prop_assert!(cells <= allowed + 1.0 + 1e-6 && cells >= allowed - 1e-6, "{cells} {allowed}");
    }

    #[test]
    fn acr_stays_within_mcr_and_pcr(config in configs(), steps in steps()) {
        for (_, acr) in run(&config, &steps).acr {
            prop_assert!((config.mcr..=config.pcr).contains(&acr));
        }
    }

    /// A second implementation of rule 3, which decides each cell from all cells sent before.
    #[test]
    fn cells_have_the_order_of_rule_3(config in configs(), steps in steps()) {
        let sent = run(&config, &steps).sent;
        for (n, Sent { at, cell, data, brm }) in sent.iter().enumerate() {
            let last = sent[..n].iter().rposition(|other| matches!(other.cell, NextCell::Forward(_)));
            let forward = last.is_none_or(|last| {
                let others = n - last - 1;
                others == config.nrm as usize - 1 || (others >= 2 && *at - sent[last].at >= MS * 100)
            });
            let since = &sent[last.unwrap_or(0)..n];
            let had_brm = since.iter().any(|other| other.cell == NextCell::Backward);
            match cell {
                NextCell::Forward(rm) => {
                    prop_assert!(forward);
                    prop_assert_eq!((rm.er, rm.mcr, rm.ci, rm.ni, rm.bn), (config.pcr, config.mcr, false, false, false));
                }
                NextCell::Backward => prop_assert!(!forward && *brm && (!had_brm || !data)),
                NextCell::Data => prop_assert!(!forward && *data && (!brm || had_brm)),
            }
        }
    }
}
