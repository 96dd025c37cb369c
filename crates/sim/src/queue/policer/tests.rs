//! Which packets of a burst pass, worked out by hand, and the algorithm of RFC 2698 written down once more.

use super::*;
use crate::queue::tests::{Seen, packet, setting};
use crate::queue::{Fifo, QueueDiscipline};
use proptest::prelude::*;

const MBPS: u64 = 1_000_000;
const EARLY: Verdict = Verdict::Drop(DropCause::QueueEarly);
const FULL: Verdict = Verdict::Drop(DropCause::QueueFull);
const EMPTY: Backlog = Backlog { packets: 0, bytes: 0, idle_since: None };

fn policer(values: [u64; 5], limits: DropTail) -> Box<dyn Admission<bool>> {
    assert_eq!(check(&values), None);
    make(&values, &setting(limits))
}

fn unlimited(values: [u64; 5]) -> Box<dyn Admission<bool>> {
    policer(values, DropTail::new(None, None))
}

/// What becomes of packets that come at this time: bytes, and whether they can be marked.
fn admit(policer: &mut dyn Admission<bool>, us: u64, packets: &[(u32, bool)]) -> Vec<Verdict> {
    let verdict = |&(bytes, capable)| policer.admit(&mut packet(0, bytes, capable), EMPTY, Time::from_us(us));
    packets.iter().map(verdict).collect()
}

/// A byte each microsecond, and 4500 at first. Three packets of 1500 pass. 1000 bytes later 900 pass, and the 100 that
/// are left are 1500 after 1400 more. What is dropped takes none.
/// The link of the tests has 10 Mbit/s: 1250 bytes in 1 ms.
#[test]
fn without_a_rate_it_is_that_of_the_link() {
    let mut queue = unlimited([OFF, 1250, OFF, 15_140, 0]);
    assert_eq!(admit(&mut *queue, 0, &[(1250, false), (1, false)]), [Verdict::Enqueue, EARLY]);
    assert_eq!(admit(&mut *queue, 999, &[(1250, false)]), [EARLY]);
    assert_eq!(admit(&mut *queue, 1000, &[(1250, false), (1, false)]), [Verdict::Enqueue, EARLY]);
}

#[test]
fn a_burst_passes_and_the_rest_is_dropped() {
    let mut queue = unlimited([8 * MBPS, 4500, OFF, 15_140, 0]);
    let capable = [(1500, true); 5];
    let passes = Verdict::Enqueue;
    assert_eq!(admit(&mut *queue, 0, &capable), [passes, passes, passes, EARLY, EARLY]);
    assert_eq!(admit(&mut *queue, 1000, &[(1500, true), (900, true)]), [EARLY, passes]);
    assert_eq!(admit(&mut *queue, 2399, &[(1500, true)]), [EARLY]);
    assert_eq!(admit(&mut *queue, 2400, &[(1500, true), (1, true)]), [passes, EARLY]);
    assert_eq!(
        admit(&mut *queue, 1_000_000, &capable),
        [passes, passes, passes, EARLY, EARLY],
        "it is full again"
    );
    assert_eq!(
        admit(&mut *queue, 2_000_000, &[(4501, true), (4500, true)]),
        [EARLY, passes],
        "too long for ever"
    );
}

/// One packet of 1500 bytes conforms, and two do not exceed the peak. The second is marked, or dropped if it cannot be;
/// then the third takes the second's tokens. A marked one takes none of the committed rate: 750 us bring half a packet
/// to that bucket and a whole one to the other, and after as long again one conforms.
#[test]
fn what_exceeds_the_rate_is_marked_and_what_exceeds_the_peak_is_dropped() {
    let mut queue = unlimited([8 * MBPS, 1500, 16 * MBPS, 3000, 1]);
    let packets = [(1500, true), (1500, false), (1500, true), (1500, true)];
    assert_eq!(admit(&mut *queue, 0, &packets), [Verdict::Enqueue, EARLY, Verdict::Mark, EARLY]);
    assert_eq!(admit(&mut *queue, 750, &[(1500, true), (1500, true)]), [Verdict::Mark, EARLY]);
    assert_eq!(admit(&mut *queue, 1500, &[(1500, false), (1500, true)]), [Verdict::Enqueue, EARLY]);
    let mut queue = unlimited([8 * MBPS, 1500, 16 * MBPS, 3000, 0]);
    assert_eq!(admit(&mut *queue, 0, &packets), [Verdict::Enqueue, EARLY, EARLY, EARLY]);
    let mut queue = unlimited([8 * MBPS, 1500, OFF, 3000, 1]);
    assert_eq!(
        admit(&mut *queue, 0, &[(1500, true); 9])[1..],
        [Verdict::Mark; 8],
        "without a peak all are marked"
    );
}

/// A full queue drops what the policer passed, and what it would have dropped or marked, and marks nothing. The packet
/// that passed has taken its tokens.
#[test]
fn the_queue_is_behind_the_policer() {
    let mut queue = policer([8 * MBPS, 3000, OFF, 15_140, 1], DropTail::new(Some(2), None));
    let full = Backlog { packets: 2, bytes: 0, idle_since: None };
    for _ in 0..3 {
        let mut its = packet(0, 1500, true);
        assert_eq!((queue.admit(&mut its, full, Time::ZERO), its.payload), (FULL, true));
    }
    assert_eq!(admit(&mut *queue, 1499, &[(1500, false)]), [EARLY]);
    assert_eq!(admit(&mut *queue, 1500, &[(1500, false)]), [Verdict::Enqueue]);
}

#[test]
fn refuses_rates_and_depths_that_let_nothing_through() {
    let message = |values: [u64; 5]| check(&values).unwrap_or("none");
    assert_eq!(message([0, 1, OFF, 1, 0]), "`rate_bps` must be positive");
    assert_eq!(message([1, 0, OFF, 1, 0]), "`burst_bytes` must be positive");
    assert_eq!(message([1, 1, 0, 1, 0]), "`peak_rate_bps` must be positive");
    assert_eq!(message([1, 1, OFF, 0, 0]), "`peak_burst_bytes` must be positive");
    assert_eq!(message([9, 1, 8, 1, 0]), "`peak_rate_bps` must not be below `rate_bps`");
    assert_eq!(message([OFF, 1, 8, 1, 0]), "none");
}

/// RFC 2698, section 3, color-blind, with tokens in bits x 10^12; only what passes takes tokens.
struct Rfc2698 {
    cir: i128,
    cbs: i128,
    tc: i128,
    pir: Option<i128>,
    pbs: i128,
    tp: i128,
    at: i128,
}

const SCALE: i128 = 8_000_000_000_000;

impl Rfc2698 {
    fn new([cir, cbs, pir, pbs]: [u64; 4]) -> Self {
        let (cbs, pbs) = (i128::from(cbs) * SCALE, i128::from(pbs) * SCALE);
        let pir = (pir != OFF).then_some(i128::from(pir));
        Self { cir: i128::from(cir), cbs, tc: cbs, pir, pbs, tp: pbs, at: 0 }
    }

    /// `marked` if a packet that exceeds the committed rate can be.
    fn packet(&mut self, bytes: u32, marked: bool, now: Time) -> Verdict {
        let (b, t) = (i128::from(bytes) * SCALE, i128::from(now.as_ps()));
        self.tc = self.cbs.min(self.tc + self.cir * (t - self.at));
        self.tp = self.pbs.min(self.tp + self.pir.unwrap_or(0) * (t - self.at));
        self.at = t;
        if self.pir.is_some() && self.tp - b < 0 {
            return EARLY;
        }
        if self.tc - b < 0 {
            if !marked {
                return EARLY;
            }
            self.tp -= b;
            return Verdict::Mark;
        }
        self.tp -= b;
        self.tc -= b;
        Verdict::Enqueue
    }
}

/// Whether no interval has more of these bytes than the rate and the depth allow.
fn is_bounded(passed: &[(Time, u32)], rate: u64, depth: u64) -> bool {
    (0..passed.len()).all(|first| {
        let mut bits = 0;
        passed[first..].iter().all(|&(time, bytes)| {
            bits += i128::from(bytes) * SCALE;
            let lasts = i128::from((time - passed[first].0).as_ps());
            bits <= i128::from(depth) * SCALE + i128::from(rate) * lasts
        })
    })
}

fn rates() -> impl Strategy<Value = [u64; 4]> {
    (1_000u64..100_000_000, 1u64..6000, prop::option::of(0u64..100_000_000), 1u64..6000).prop_map(
        |(rate, burst, more, peak_burst)| [rate, burst, more.map_or(OFF, |more| rate + more), peak_burst],
    )
}

proptest! {
    /// Random arrivals against the RFC, in front of a queue that is emptied now and then. What was enqueued is sent,
    /// dropped or waiting, and in no interval too much passes.
    #[test]
    fn agrees_with_the_rfc(
        values in rates(),
        action in 0u64..2,
        limit in 1usize..30,
        steps in prop::collection::vec((0u64..1000, prop::option::weighted(0.7, (1u32..3000, any::<bool>()))), 0..300),
    ) {
        let [rate, burst, peak_rate, peak_burst] = values;
        let admission = policer([rate, burst, peak_rate, peak_burst, action], DropTail::new(Some(limit), None));
        let (mut queue, mut plain) = (Fifo::new(admission), Rfc2698::new(values));
        let (mut now, mut offered, mut dropped, mut sent) = (Time::ZERO, 0, 0, 0);
        let (mut green, mut passed) = (vec![], vec![]);
        for (number, (pause, step)) in (0..).zip(steps) {
            now += if pause < 20 { Time::from_ms(pause) } else { Time::from_ps(pause * 1_234_567) };
            let Some((bytes, capable)) = step else {
                sent += usize::from(queue.dequeue(now, &mut Seen::default()).is_some());
                continue;
            };
            offered += 1;
            let (waiting, mut its) = (queue.len_packets(), Seen::default());
            queue.enqueue(packet(number, bytes, capable), now, &mut its);
            let verdict = its.verdict();
            dropped += its.dropped.len();
            let by_rfc = plain.packet(bytes, action == 1 && capable, now);
            prop_assert_eq!(verdict, if waiting == limit { FULL } else { by_rfc });
            if by_rfc != EARLY {
                passed.push((now, bytes));
            }
            if by_rfc == Verdict::Enqueue {
                green.push((now, bytes));
            }
            prop_assert_eq!(offered, sent + dropped + queue.len_packets());
        }
        prop_assert!(is_bounded(&green, rate, burst));
        prop_assert!(peak_rate == OFF || is_bounded(&passed, peak_rate, peak_burst));
    }
}
