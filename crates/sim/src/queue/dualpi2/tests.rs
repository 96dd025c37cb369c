//! The controller's numbers, coupled signals, the share of classic packets, and random steps in which nothing vanishes.

use super::*;
use crate::packet::{HostId, PacketId};
use crate::queue::tests::{Seen, unlimited};
use crate::queue::{Ends, OFF};
use crate::rng::Streams;
use base::Rate;
use proptest::prelude::*;

const MS: Time = Time::from_ms(1);
const GAINS: Gains = Gains { alpha: 0.16, beta: 3.2 };

pub(super) fn packet(number: u64, bytes: u32, ecn: Ecn) -> Packet<Ecn> {
    let (from, to) = (HostId(0), HostId(1));
    Packet { id: PacketId::sent(number), from, to, flow: 0, bytes, payload: ecn }
}

pub(super) fn setting(limits: DropTail, seed: u64) -> Setting<Ecn> {
    Setting {
        rate: Rate::from_bps(10_000_000),
        limits,
        ecn: |&ecn| ecn,
        mark,
        rng: Streams::new(seed).named("queue/0"),
        ends: Ends::default(),
    }
}

fn mark(ecn: &mut Ecn) -> bool {
    if *ecn != Ecn::NotEct {
        *ecn = Ecn::Ce;
    }
    *ecn == Ecn::Ce
}

/// The defaults, but for these parameters.
pub(super) fn values(changes: &[(&str, u64)]) -> Vec<u64> {
    let value = |its: &Parameter| {
        let changed = changes.iter().find(|change| change.0 == its.name).map(|change| change.1);
        let DefaultValue::Is(default) = its.default else { unreachable!("all have a default") };
        changed.unwrap_or(default)
    };
    let values: Vec<u64> = PARAMETERS.iter().map(value).collect();
    assert_eq!(check(&values), None);
    values
}

fn queue(changes: &[(&str, u64)]) -> DualPi2<Ecn> {
    DualPi2::new(&values(changes), &setting(unlimited(), 1))
}

/// M77: p' after each update, from delays of 0, 8, 24, 40 ... ms.
const M77: [f64; 10] = [0.0, 0.02448, 0.07712, 0.13232, 0.19008, 0.25040, 0.31328, 0.37872, 0.44672, 0.51728];

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn the_controller_follows_a_growing_delay() {
    let mut its = Controller::new(MS * 15, MS * 16, GAINS);
    for (n, expected) in (1..).zip(M77) {
        its.update((MS * (16 * n)).saturating_sub(MS * 24));
        assert!(is_close(its.probability, expected), "{n}: {} {expected}", its.probability);
    }
}

/// The same delays: of a packet that has come at 24 ms and stays. The updates are made at later calls, some of them
/// several at once, and the last at its very time.
#[test]
fn missed_updates_are_made_up_for() {
    for (first, last) in [(Ecn::Ect1, Ecn::Ect0), (Ecn::Ect0, Ecn::Ect1)] {
        let mut its = queue(&[]);
        its.enqueue(packet(0, 1500, first), MS * 24, &mut Seen::default());
        for (ms, updates) in [(31, 1), (32, 2), (70, 4), (95, 5), (159, 9), (160, 10)] {
            its.enqueue(packet(0, 1500, last), MS * ms, &mut Seen::default());
            let (found, expected) = (its.controller.probability, M77[updates - 1]);
            assert!(is_close(found, expected), "{ms} ms: {found} {expected}");
        }
    }
}

#[test]
fn codepoints_choose_the_queue() {
    let all = [Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce];
    let expected = [
        [Class::C, Class::L, Class::C, Class::L],
        [Class::C, Class::C, Class::L, Class::L],
        [Class::C, Class::L, Class::L, Class::L],
    ];
    for (mask, classes) in (0..).zip(expected) {
        for (ecn, class) in all.into_iter().zip(classes) {
            let mut its = queue(&[("ecn_mask", mask)]);
            its.enqueue(packet(0, 100, ecn), MS, &mut Seen::default());
            assert_eq!(its.classes.packets_of(class), 1, "{mask} {ecn:?}");
        }
    }
}

/// Keeps packets of both classes in the queue, and sends some: the bytes of L and of C after each.
fn share(its: &mut DualPi2<Ecn>, (l, c): (u32, u32), count: u64) -> Vec<[u64; 2]> {
    let mut bytes = [0; 2];
    let put = |its: &mut DualPi2<Ecn>, length, ecn| {
        its.enqueue(packet(0, length, ecn), Time::ZERO, &mut Seen::default());
    };
    (0..2).for_each(|_| put(its, l, Ecn::Ect1));
    (0..2).for_each(|_| put(its, c, Ecn::NotEct));
    let sent = (0..count).map(|_| {
        let head = its.dequeue(Time::ZERO, &mut Seen::default()).expect("both wait").packet;
        let is_l = head.payload == Ecn::Ect1;
        let (length, ecn) = if is_l { (l, Ecn::Ect1) } else { (c, Ecn::NotEct) };
        put(its, length, ecn);
        bytes[usize::from(!is_l)] += u64::from(head.bytes);
        bytes
    });
    sent.collect()
}

/// M42: L always waits. C gets a tenth of the bytes, give or take one of its packets, and the start: the credit is -0.8 MTU, so
/// that L may send 8 MTU before. At a credit of 0 it is still the turn of L.
#[test]
fn unresponsive_l4s_traffic_leaves_a_tenth() {
    let equal = share(&mut queue(&[]), (1500, 1500), 1000);
    let of_c: Vec<usize> = (1..1000).filter(|&at| equal[at][1] > equal[at - 1][1]).collect();
    assert_eq!(of_c, (9..1000).step_by(10).collect::<Vec<_>>());
    for (l, c) in [(200, 1500), (1500, 200), (977, 1201)] {
        for [of_l, of_c] in share(&mut queue(&[]), (l, c), 5000) {
            // Tenths of a byte. The last packet of C may take nine of each of its bytes, the last of L adds one.
            let credit = of_l as i64 - 9 * of_c as i64 - 8 * 1500;
            let least = -i64::max(8 * 1500, 9 * i64::from(c));
            assert!((least..=i64::from(l)).contains(&credit), "{credit}");
        }
        let [of_l, of_c] = share(&mut queue(&[]), (l, c), 5000)[4999];
        let due = (of_l + of_c) / 10;
        assert!(of_c.abs_diff(due) <= 1200 + u64::from(c), "{of_c} {due}");
    }
    let [of_l, of_c] = share(&mut queue(&[("c_protection", 400_000_000)]), (1000, 1000), 5000)[4999];
    assert!(of_c.abs_diff((of_l + of_c) * 4 / 10) <= 2000);
}

/// What one class sends while the other has nothing costs no credit, and an empty queue begins anew.
#[test]
fn the_credit_counts_only_while_both_wait() {
    let mut its = queue(&[]);
    let credit = |its: &DualPi2<Ecn>| its.classes.credit().map(|credit| credit / 100_000_000);
    let put = |its: &mut DualPi2<Ecn>, ecn| {
        its.enqueue(packet(0, 1000, ecn), Time::ZERO, &mut Seen::default());
    };
    let next = |its: &mut DualPi2<Ecn>| its.dequeue(Time::ZERO, &mut Seen::default());
    (0..3).for_each(|_| put(&mut its, Ecn::Ect1));
    assert!(next(&mut its).is_some());
    assert_eq!(credit(&its), Some(-8 * 1500));
    put(&mut its, Ecn::Ect0);
    assert!(next(&mut its).is_some() && next(&mut its).is_some());
    assert_eq!(credit(&its), Some(-8 * 1500 + 2 * 1000));
    assert!(next(&mut its).is_some());
    assert_eq!(credit(&its), Some(-8 * 1500 + 2 * 1000));
    assert!(next(&mut its).is_none());
    assert_eq!(credit(&its), Some(-8 * 1500));
}

/// A packet of L goes first if it has come less than 30 ms after that of C.
#[test]
fn a_time_shifted_queue_sends_what_has_waited_longest() {
    for (later, is_l) in [(0, true), (29, true), (30, false), (31, false)] {
        let mut its = queue(&[("scheduler", 1)]);
        its.enqueue(packet(0, 1500, Ecn::Ect0), MS, &mut Seen::default());
        its.enqueue(packet(1, 1500, Ecn::Ect1), MS * (1 + later), &mut Seen::default());
        let sent = its.dequeue(MS * 40, &mut Seen::default()).expect("two wait").packet;
        assert_eq!(sent.id == PacketId::sent(1), is_l, "{later}");
    }
}

/// How many of so many packets are dropped, and how many marked, at a probability p' and no sojourn time.
fn signals(its: &mut DualPi2<Ecn>, p: f64, ecn: Ecn, count: usize) -> (f64, f64) {
    let mut seen = Seen::default();
    its.controller.probability = p;
    for number in 0..count + 3 {
        its.enqueue(packet(number as u64, 1500, ecn), Time::ZERO, &mut seen);
    }
    while its.len_packets() > 3 {
        assert!(its.dequeue(Time::ZERO, &mut seen).is_some());
    }
    assert!(seen.dropped.iter().all(|dropped| dropped.1 == DropCause::QueueEarly));
    // The last dequeue may have dropped one or two of the three that should be left.
    let shares = (seen.dropped.len() as f64, seen.marked.len() as f64);
    (shares.0 / count as f64, shares.1 / count as f64)
}

/// Whether a share of `count` is within three standard deviations of what is expected.
fn is_likely(share: f64, expected: f64, count: usize) -> bool {
    (share - expected).abs() <= 3.0 * (expected * (1.0 - expected) / count as f64).sqrt() + 2.0 / count as f64
}

/// For both coins: L is marked with k p', C is dropped or marked with p'^2.
#[test]
fn signals_are_coupled() {
    let count = 40_000;
    for coin in [0, 1] {
        for (k, p) in [(2, 0.02), (2, 0.3), (2, 0.5), (1, 0.7), (3, 0.25)] {
            let of = |ecn, classic_ecn| {
                let changes = [("coin", coin), ("coupling_factor", k), ("ecn", classic_ecn)];
                signals(&mut queue(&changes), p, ecn, count)
            };
            let (dropped, marked) = of(Ecn::Ect1, 0);
            assert!(dropped == 0.0 && is_likely(marked, k as f64 * p, count), "{k} {p}: {marked}");
            for (ecn, classic_ecn) in [(Ecn::NotEct, 1), (Ecn::Ect0, 0)] {
                let (dropped, marked) = of(ecn, classic_ecn);
                assert!(marked == 0.0 && is_likely(dropped, p * p, count), "{k} {p}: {dropped}");
            }
            let (dropped, marked) = of(Ecn::Ect0, 1);
            assert!(dropped == 0.0 && is_likely(marked, p * p, count), "{k} {p}: {marked}");
        }
    }
}

/// Above k p' = 1 marks do not spare from drops, and what is left of L is marked.
#[test]
fn an_overload_drops_from_both() {
    let count = 40_000;
    for coin in [0, 1] {
        for p in [0.501, 0.6, 0.9] {
            let (dropped, marked) = signals(&mut queue(&[("coin", coin)]), p, Ecn::Ect1, count);
            assert!(is_likely(dropped, p * p, count), "{p}: {dropped}");
            assert!((dropped + marked - 1.0).abs() <= 2.0 / count as f64, "{p}: {dropped} {marked}");
            for ecn in [Ecn::Ect0, Ecn::NotEct] {
                let (dropped, marked) = signals(&mut queue(&[("coin", coin)]), p, ecn, count);
                assert!(marked == 0.0 && is_likely(dropped, p * p, count), "{p}: {dropped}");
            }
        }
    }
}

/// 3001 bytes wait behind the first packet, 3000 behind the second, less behind the others. With p' = 1 these two are dropped.
#[test]
fn a_short_queue_is_not_signaled_by_p() {
    for ecn in [Ecn::Ect0, Ecn::Ect1] {
        let mut its = queue(&[]);
        let mut seen = Seen::default();
        for (number, bytes) in [(0, 1500), (1, 1), (2, 1499), (3, 1500), (4, 1)] {
            its.enqueue(packet(number, bytes, ecn), Time::ZERO, &mut seen);
        }
        its.controller.probability = 1.0;
        while its.dequeue(Time::ZERO, &mut seen).is_some() {}
        let dropped = seen.dropped_ids();
        assert_eq!(dropped, [0, 1].map(PacketId::sent));
        assert_eq!(seen.marked, []);
    }
}

/// Each packet of L that has waited longer than 1 ms is marked, even the last; none that has waited 1 ms.
#[test]
fn the_step_marks_what_has_waited_longer() {
    let mut its = queue(&[]);
    let mut seen = Seen::default();
    let now = MS * 6;
    let arrivals =
        [(1, MS * 4), (2, MS * 5 - Time::from_ps(1)), (3, MS * 5), (4, MS * 5 + Time::from_ps(1)), (5, now)];
    for (number, since) in arrivals {
        its.enqueue(packet(number, 1500, Ecn::Ect1), since, &mut seen);
        its.enqueue(packet(10 + number, 1500, Ecn::Ect0), since, &mut seen);
    }
    let mut sent = 0;
    while its.classes.packets_of(Class::L) > 0 {
        sent += u32::from(its.dequeue(now, &mut seen).is_some());
    }
    assert_eq!((seen.marked, seen.dropped, sent), ([1, 2].map(PacketId::sent).to_vec(), vec![], 5));
    let mut alone = queue(&[]);
    let mut seen = Seen::default();
    alone.enqueue(packet(6, 100, Ecn::Ce), MS, &mut seen);
    let sent = alone.dequeue(MS * 3, &mut seen).expect("one waits");
    assert_eq!((seen.marked, sent.packet.payload), (vec![PacketId::sent(6)], Ecn::Ce));
}

/// Of the two probabilities the larger counts: at 1 ms the ramp's 0.5, unless k p' is above it.
#[test]
fn l4s_packets_get_the_larger_probability() {
    let count = 40_000;
    for (p, expected) in [(0.0, 0.5), (0.1, 0.5), (0.3, 0.6)] {
        let mut its = queue(&[("l_aqm", 1)]);
        let mut seen = Seen::default();
        for number in 0..count + 3 {
            its.enqueue(packet(number as u64, 1500, Ecn::Ect1), Time::ZERO, &mut seen);
        }
        its.controller.probability = p;
        (0..count).for_each(|_| assert!(its.dequeue(MS, &mut seen).is_some()));
        let share = seen.marked.len() as f64 / count as f64;
        assert!(is_likely(share, expected, count), "{p}: {share}");
    }
}

#[test]
fn a_full_queue_drops_what_comes() {
    let mut its = DualPi2::new(&values(&[]), &setting(DropTail::new(Some(2), None), 1));
    let mut seen = Seen::default();
    for (number, ecn) in [(1, Ecn::Ect1), (2, Ecn::NotEct), (3, Ecn::Ect1), (4, Ecn::Ect0)] {
        its.enqueue(packet(number, 1000, ecn), Time::ZERO, &mut seen);
    }
    assert_eq!(seen.dropped, [3, 4].map(|number| (PacketId::sent(number), DropCause::QueueFull)));
}

/// The message for one value of a parameter.
fn with(name: &str, value: u64) -> Option<&'static str> {
    let at = PARAMETERS.iter().position(|its| its.name == name).expect("a parameter");
    let mut values = values(&[]);
    values[at] = value;
    check(&values)
}

#[test]
fn nonsense_is_refused() {
    let wrong = [
        ("target", 0),
        ("target", OFF),
        ("t_update", 999_999),
        ("t_update", OFF),
        ("alpha", 0),
        ("beta", 0),
        ("coupling_factor", 0),
        ("c_protection", 0),
        ("c_protection", 1_000_000_001),
        ("mtu", 0),
        ("mtu", 1_000_001),
    ];
    for (name, value) in wrong {
        assert!(with(name, value).is_some_and(|message| message.contains(name)), "{name} {value}");
    }
    assert_eq!([with("ramp_range", 0), with("ramp_start", OFF), with("ramp_min_length", OFF)], [None; 3]);
}

/// A value of a parameter: of the usual size, or as small or as large as the type has it.
fn any_value(its: &'static Parameter) -> impl Strategy<Value = u64> {
    let DefaultValue::Is(default) = its.default else { unreachable!("all have a default") };
    let value = match its.unit {
        Unit::Flag => (0..2_u64).boxed(),
        Unit::Word(words) => (0..words.len() as u64).boxed(),
        Unit::Share => (1..=1_000_000_000_u64).boxed(),
        _ => prop_oneof![2 => default / 3..=default * 3, 1 => 1..10_u64, 1 => 1_000_000..=u64::MAX].boxed(),
    };
    value.prop_filter("allowed", |&value| with(its.name, value).is_none())
}

proptest! {
    /// With any parameters, every packet that was enqueued still waits, or was sent, or was dropped. Classic packets keep
    /// their order.
    #[test]
    fn nothing_vanishes(
        values in PARAMETERS.iter().map(any_value).collect::<Vec<_>>(),
        limit in 1usize..60,
        steps in prop::collection::vec(
            (0u64..100, prop::option::weighted(0.55, (0usize..4, 1u32..1500))), 0..400,
        ),
    ) {
        let mut its = DualPi2::new(&values, &setting(DropTail::new(Some(limit), None), 1));
        let (mut seen, mut now) = (Seen::default(), Time::ZERO);
        let (mut offered, mut sent, mut last) = (0, 0, None);
        for (number, (pause, step)) in (0..).zip(steps) {
            now += match pause {
                0 => Time::from_secs(3600),
                1..10 => MS * pause,
                _ => Time::from_us(5 * pause),
            };
            if let Some((ecn, bytes)) = step {
                let ecn = [Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce][ecn];
                its.enqueue(packet(number, bytes, ecn), now, &mut seen);
                offered += 1;
            } else if let Some(head) = its.dequeue(now, &mut seen) {
                sent += 1;
                // Whatever the mask, packets without ECN are in C.
                if head.packet.payload == Ecn::NotEct {
                    prop_assert!(last.is_none_or(|id| id < head.packet.id));
                    last = Some(head.packet.id);
                }
            }
            let p = its.controller.probability;
            prop_assert!((0.0..=1.0).contains(&p), "{}", p);
            prop_assert!(its.len_packets() <= limit);
            prop_assert_eq!(its.len_packets() + sent + seen.dropped.len(), offered);
            prop_assert_eq!(its.len_bytes() > 0, its.len_packets() > 0);
        }
    }
}
