//! By hand, and what holds for all.

use super::super::cell::{Kind, Mark};
use super::super::scfq::Scfq;
use super::*;
use proptest::prelude::*;

const PPB: u32 = 1_000_000_000;

/// Of the VC with this number in its category, and the number of the cell among those of the VC.
fn cell(category: Category, vc: u32, value: u32) -> Cell {
    Cell { vc, value, hop: 0, kind: Kind::Filler, category, last: true, mark: Mark::None }
}

fn scheduler(cell_time: Time, share_ppb: u32, weights: Option<&[u128]>) -> Scheduler {
    let fifo = || UbrQueue::Fifo(VecDeque::new());
    let queue = weights.map_or_else(fifo, |weights| UbrQueue::PerVc(Scfq::new(weights)));
    let counts = VcCounts::new([0; 8].into_iter());
    Scheduler::new(cell_time, queue, GuaranteedRate::new(share_ppb, cell_time), Some(counts))
}

/// When a cell begins to leave, and which.
type Started = (Time, Category, u32, u32);

/// Cells of (category, VC) that come at these times, in order, and what is sent until nothing is left.
fn run(mut scheduler: Scheduler, arrivals: &[(Time, Category, u32)]) -> Vec<Started> {
    let mut arrivals = (0..).zip(arrivals).peekable();
    let (mut now, mut sent) = (Time::ZERO, Vec::new());
    let mut waits = Waits::between(Time::ZERO, Time::NEVER);
    scheduler.waits = Some(Box::new(waits.clone()));
    let came: Vec<Time> = arrivals.clone().map(|(_, arrival)| arrival.0).collect();
    loop {
        let start = scheduler.next_start(now);
        match (arrivals.peek(), start) {
            (Some(&(number, &(at, category, vc))), start) if start.is_none_or(|start| at <= start) => {
                now = at;
                scheduler.push(now, vc, cell(category, vc, number));
                arrivals.next();
            }
            (_, Some(start)) => {
                now = start;
                let (cell, out) = scheduler.start(now).expect("it said that it could");
                assert_eq!(out, now + scheduler.cell_time);
                waits.record(now, now - came[cell.value as usize]);
                sent.push((now, cell.category, cell.vc, cell.value));
            }
            (_, None) => {
                assert_eq!(scheduler.waits.as_deref(), Some(&waits));
                return sent;
            }
        }
    }
}

/// A cell takes 1 us; UBR has a quarter, T = 4 us. VBR has a cell at any time from 0 on; UBR has four cells from 0 on.
///
/// | t | TAT | sent | TAT then |
/// |---|---|---|---|
/// | 0 | 0 | UBR | 4 |
/// | 1, 2, 3 | 4 | VBR | |
/// | 4 | 4 | UBR | 8 |
/// | 5, 6, 7 | 8 | VBR | |
/// | 8 | 8 | UBR | 12 |
///
/// VBR has no more cells from 10 on: the fourth goes before it is due, at 10 and not 12.
#[test]
fn a_guaranteed_quarter() {
    let us = Time::from_us;
    let vbr = (0..7).map(|n| (us(n), Category::Vbr, 0));
    let mut arrivals: Vec<_> = (0..4).map(|_| (us(0), Category::Ubr, 0)).chain(vbr).collect();
    arrivals.sort_by_key(|arrival| arrival.0);
    let sent = run(scheduler(us(1), PPB / 4, None), &arrivals);
    let ubr: Vec<Time> = sent.iter().filter(|cell| cell.1 == Category::Ubr).map(|cell| cell.0).collect();
    assert_eq!(ubr, [0, 4, 8, 10].map(us));
    assert!(sent.iter().enumerate().all(|(number, cell)| cell.0 == us(number as u64)));
}

/// What is sent while VBR is away is not held against UBR, and what is not sent is not kept for it. A cell takes 1 us,
/// T = 4 us. UBR has eight cells from 0 on, and the line until VBR comes at 7: the last began at 6, and so TAT is 10,
/// when the eighth goes. Its next cells come at 30: one is due at once, and one four later.
#[test]
fn no_debts_and_no_savings() {
    let us = Time::from_us;
    let mut arrivals: Vec<_> = (0..8).map(|_| (us(0), Category::Ubr, 0)).collect();
    arrivals.extend((0..40).map(|_| (us(7), Category::Vbr, 0)));
    arrivals.extend((0..2).map(|_| (us(30), Category::Ubr, 0)));
    let sent = run(scheduler(us(1), PPB / 4, None), &arrivals);
    let ubr: Vec<Time> = sent.iter().filter(|cell| cell.1 == Category::Ubr).map(|cell| cell.0).collect();
    assert_eq!(ubr, [0, 1, 2, 3, 4, 5, 6, 10, 30, 34].map(us));
}

/// The category first, then the VC: VC 1 of UBR has three times the weight of VC 0.
#[test]
fn fair_queueing_within_the_guarantee() {
    let us = Time::from_us;
    let mut arrivals: Vec<_> = (0..8).map(|_| (us(0), Category::Vbr, 0)).collect();
    arrivals.extend((0..8).map(|n| (us(0), Category::Ubr, n / 4)));
    let sent = run(scheduler(us(1), PPB / 2, Some(&[1, 3])), &arrivals);
    let ubr: Vec<u32> = sent.iter().filter(|cell| cell.1 == Category::Ubr).map(|cell| cell.2).collect();
    // Tags 3, 6, 9, 12 and 1, 2, 3, 4; of equal ones the smaller number.
    assert_eq!(ubr, [1, 1, 0, 1, 1, 0, 0, 0]);
    let halves: Vec<Category> = sent[..4].iter().map(|cell| cell.1).collect();
    assert_eq!(halves, [Category::Ubr, Category::Vbr, Category::Ubr, Category::Vbr]);
}

/// What was here before there were shares and queues for VCs: the first category that has a cell.
fn strict_priority(cell_time: Time, arrivals: &[(Time, Category, u32)]) -> Vec<Started> {
    let mut waiting: Vec<_> =
        (0..).zip(arrivals).map(|(number, &(at, kind, vc))| (at, kind, vc, number)).collect();
    let (mut now, mut sent) = (Time::ZERO, Vec::new());
    while let Some(first) = waiting.iter().map(|cell| cell.0).min() {
        now = now.max(first);
        let come = waiting.iter().enumerate().filter(|(_, cell)| cell.0 <= now);
        let (place, _) = come.min_by_key(|(place, cell)| (cell.1, *place)).expect("one has come");
        let (_, category, vc, number) = waiting.remove(place);
        sent.push((now, category, vc, number));
        now += cell_time;
    }
    sent
}

prop_compose! {
    fn arrivals()(
        cells in prop::collection::vec((prop_oneof![3 => Just(0u64), 1 => 1u64..40], 0usize..4, 0u32..4), 1..150),
    ) -> Vec<(Time, Category, u32)> {
        let mut now = Time::ZERO;
        let categories = [Category::Vbr, Category::Abr, Category::Ubr, Category::Ubr];
        let arrival = |(pause, category, vc): (u64, usize, u32)| {
            now += Time::from_ps(pause);
            (now, categories[category], vc)
        };
        cells.into_iter().map(arrival).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Without a share and with one queue, cell by cell what strict priority did.
    #[test]
    fn without_a_share_it_is_strict_priority(arrivals in arrivals(), cell_ps in 1u64..20) {
        let cell_time = Time::from_ps(cell_ps);
        let sent = run(scheduler(cell_time, 0, None), &arrivals);
        prop_assert_eq!(sent, strict_priority(cell_time, &arrivals));
    }

    /// The line is idle only when nothing waits; VBR goes before ABR and each in its order; UBR gets its share of any
    /// time in which it has cells, but for two; and no cell is lost.
    #[test]
    fn with_a_share(
        arrivals in arrivals(),
        cell_ps in 1u64..20,
        share_ppb in 0u32..=PPB,
        weights in prop::option::of(prop::collection::vec(1u128..5, 4)),
    ) {
        let cell_time = Time::from_ps(cell_ps);
        let sent = run(scheduler(cell_time, share_ppb, weights.as_deref()), &arrivals);
        let strict = strict_priority(cell_time, &arrivals);
        let times = |sent: &[Started]| sent.iter().map(|cell| cell.0).collect::<Vec<_>>();
        prop_assert_eq!(times(&sent), times(&strict));
        // VBR keeps strict priority over ABR, whatever UBR gets: the line never sends an ABR cell while a VBR cell
        // waits.
        let order = |vc: Option<u32>, category| {
            let of = move |cell: &&Started| cell.1 == category && vc.is_none_or(|vc| vc == cell.2);
            sent.iter().filter(of).map(|cell| cell.3).collect::<Vec<u32>>()
        };
        prop_assert!(order(None, Category::Vbr).is_sorted() && order(None, Category::Abr).is_sorted());
        prop_assert!((0..4).all(|vc| order(Some(vc), Category::Ubr).is_sorted()));
        let begun: Vec<Time> = (0..arrivals.len() as u32).map(|number| {
            sent.iter().find(|cell| cell.3 == number).expect("every cell is sent").0
        }).collect();
        for cell in sent.iter().filter(|cell| cell.1 == Category::Abr) {
            let overtaken = |number: usize| arrivals[number].1 == Category::Vbr && arrivals[number].0 <= cell.0;
            prop_assert!((0..arrivals.len()).all(|number| !overtaken(number) || begun[number] <= cell.0));
        }
        check_share(&arrivals, &sent, &begun, cell_time, share_ppb)?;
    }
}

/// In any time from a cell's beginning to another's in which cells of UBR wait, UBR begins to send `t/T - 2` or more.
fn check_share(
    arrivals: &[(Time, Category, u32)],
    sent: &[Started],
    begun: &[Time],
    cell_time: Time,
    share_ppb: u32,
) -> Result<(), TestCaseError> {
    let waits_from = |at: Time| {
        // Until when cells of UBR wait without a break, if one does at `at`.
        let mut until = at;
        let ubr = || (0..arrivals.len()).filter(|&number| arrivals[number].1 == Category::Ubr);
        while let Some(number) = ubr().find(|&number| arrivals[number].0 <= until && begun[number] > until) {
            until = begun[number];
        }
        until
    };
    for from in sent.iter().map(|cell| cell.0) {
        let until = waits_from(from);
        for to in sent.iter().map(|cell| cell.0).filter(|&to| from < to && to <= until) {
            let ubr =
                sent.iter().filter(|cell| cell.1 == Category::Ubr && from <= cell.0 && cell.0 < to).count();
            let due = u128::from((to - from).as_ps()) * u128::from(share_ppb);
            let each = u128::from(cell_time.as_ps()) * u128::from(PPB);
            prop_assert!(due <= (ubr as u128 + 2) * each, "{from} {to} {ubr}");
        }
    }
    Ok(())
}
