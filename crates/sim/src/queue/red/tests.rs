//! Hand-worked averages, and chances.

use super::*;
use crate::link::{Link, PacketLink};
use crate::packet::LinkId;
use crate::queue::tests::{Seen, packet as numbered};
use crate::queue::{Fifo, QueueDiscipline};
use crate::rng::Streams;
use base::Rate;

pub(super) const MS: Time = Time::from_ms(1);

/// A packet that can be marked if its payload says so.
pub(super) fn packet(bytes: u32, capable: bool) -> Packet<bool> {
    numbered(0, bytes, capable)
}

/// A RED queue whose packets come and leave one by one.
pub(super) trait OneByOne {
    fn offer(&mut self, packet: Packet<bool>, now: Time) -> Verdict;
    fn next(&mut self, now: Time) -> Option<Packet<bool>>;
}

impl OneByOne for Fifo<bool, Red<bool>> {
    fn offer(&mut self, packet: Packet<bool>, now: Time) -> Verdict {
        let mut seen = Seen::default();
        self.enqueue(packet, now, &mut seen);
        seen.verdict()
    }

    fn next(&mut self, now: Time) -> Option<Packet<bool>> {
        self.dequeue(now, &mut Seen::default()).map(|sent| sent.packet)
    }
}

/// Thresholds 5 and 15, as in most papers; an average that is the length itself.
const CONFIG: RedConfig = RedConfig {
    min_thresh: 5.0,
    max_thresh: 15.0,
    max_p: 0.1,
    weight: 1.0,
    gentle: false,
    adaptive: false,
    mean_packet: MS,
};

fn red(config: RedConfig, limit: usize, seed: u64) -> Fifo<bool, Red<bool>> {
    Fifo::new(Red::new(
        config,
        DropTail::new(Some(limit), None),
        |capable| *capable,
        Streams::new(seed).named("queue/0"),
    ))
}

/// A queue in which `waiting` packets wait, whatever the average has become.
fn with_waiting(config: RedConfig, waiting: u64) -> Fifo<bool, Red<bool>> {
    let mut queue = red(config, 1000, 1);
    for _ in 0..waiting {
        queue.buffer.enqueue(packet(1000, false), Time::ZERO);
    }
    queue.idle_since = None;
    queue
}

/// With weight 1/4: 0, then 1/4 of 1, then 3/4 of that and 1/4 of 2, ...
#[test]
fn the_average_moves_towards_the_length() {
    let mut queue = red(RedConfig { weight: 0.25, ..CONFIG }, 100, 1);
    let averages = [0.0, 0.25, 0.6875, 1.265_625];
    for expected in averages {
        assert_eq!(queue.offer(packet(1000, false), Time::ZERO), Verdict::Enqueue);
        assert_eq!(queue.admission.average.to_bits(), f64::to_bits(expected));
    }
    // One has gone: three are found.
    assert!(queue.next(MS).is_some());
    let _ = queue.offer(packet(1000, false), MS);
    assert_eq!(queue.admission.average.to_bits(), f64::to_bits(0.75 * 1.265_625 + 0.25 * 3.0));
}

/// Idle from 10 ms to 13.7 ms with packets of 1 ms: three that find nothing, and the one that comes.
#[test]
fn an_idle_link_lets_the_average_decay() {
    let mut queue = red(RedConfig { weight: 0.5, ..CONFIG }, 100, 1);
    let _ = queue.offer(packet(1000, false), Time::ZERO);
    assert!(queue.next(Time::ZERO).is_some());
    queue.admission.average = 8.0;
    // Empty, and still sending: the length is 0, and no time is made up for.
    let _ = queue.offer(packet(1000, false), MS * 9);
    assert_eq!(queue.admission.average.to_bits(), f64::to_bits(4.0));
    assert!(queue.next(MS * 9).is_some() && queue.next(MS * 10).is_none());
    let _ = queue.offer(packet(1000, false), Time::from_us(13_700));
    assert_eq!(queue.admission.average.to_bits(), f64::to_bits(4.0 / 8.0 / 2.0));
}

/// A packet that is dropped leaves the link as idle as it was, and what was idle counts once.
#[test]
fn a_drop_does_not_end_the_idleness() {
    let mut queue = red(RedConfig { weight: 0.5, ..CONFIG }, 100, 1);
    queue.admission.average = 1024.0;
    let dropped = |entry| matches!(entry, Verdict::Drop(DropCause::QueueEarly));
    assert!(dropped(queue.offer(packet(1000, true), MS * 3)));
    assert_eq!(queue.admission.average.to_bits(), f64::to_bits(64.0));
    assert!(dropped(queue.offer(packet(1000, true), MS * 4)));
    assert_eq!(queue.admission.average.to_bits(), f64::to_bits(16.0));
}

#[test]
fn a_power_is_that_many_factors() {
    for exponent in [0, 1, 2, 5, 64, 1000] {
        let factors = (0..exponent).fold(1.0, |product, _| product * 0.998);
        assert!((power(0.998, exponent) / factors - 1.0).abs() < 1e-12);
    }
    assert_eq!(power(0.998, u64::MAX).to_bits(), 0, "underflows to nothing");
    assert_eq!(power(0.0, 0).to_bits(), f64::to_bits(1.0));
}

/// Lengths around the thresholds, and the probabilities of the two variants there.
#[test]
fn the_probability_grows_with_the_average() {
    let gentle = |average| match average {
        4 => None,
        5 => Some(0.0),
        10 => Some(0.05),
        15 => Some(0.1),
        20 => Some(0.1 + 0.9 / 3.0),
        _ => Some(1.0),
    };
    for average in [4, 5, 10, 15, 20, 30, 40] {
        for variant in [true, false] {
            let mut queue = red(RedConfig { gentle: variant, ..CONFIG }, 100, 1);
            queue.admission.average = f64::from(average);
            let expected = if !variant && average >= 15 { Some(1.0) } else { gentle(average) };
            let close = |p: f64| (p - expected.expect("a probability")).abs() < 1e-15;
            assert!(queue.admission.probability().map_or(expected.is_none(), close), "{average} {variant}");
        }
    }
}

/// Ten wait: p is 1/20, and 1 to 20 packets from one drop to the next are equally likely. 50 000
/// distances, 2500 of each, give or take five standard deviations of 49.
#[test]
fn drops_are_spaced_uniformly() {
    let mut queue = with_waiting(CONFIG, 10);
    let mut distances = [0_u32; 21];
    let mut distance = 0;
    while distances.iter().sum::<u32>() < 50_000 {
        distance += 1;
        match queue.offer(packet(1000, false), Time::ZERO) {
            Verdict::Drop(_) => distances[std::mem::take(&mut distance)] += 1,
            _ => assert!(queue.next(Time::ZERO).is_some()),
        }
    }
    assert_eq!(distances[0], 0);
    assert!(distances[1..].iter().all(|&count| count.abs_diff(2500) < 245), "{distances:?}");
}

/// Mean and standard deviation of the distances for other averages: (1/p + 1) / 2, and that of a
/// uniform law.
#[test]
fn drops_are_as_frequent_as_the_average_asks() {
    for (waiting, steps) in [(6, 100.0), (9, 25.0), (10, 20.0)] {
        let mut queue = with_waiting(CONFIG, waiting);
        let (arrivals, mut drops) = (400_000, 0);
        for _ in 0..arrivals {
            match queue.offer(packet(1000, false), Time::ZERO) {
                Verdict::Drop(_) => drops += 1,
                _ => assert!(queue.next(Time::ZERO).is_some()),
            }
        }
        let mean = f64::from(arrivals) / f64::from(drops);
        let spread = ((steps * steps - 1.0) / 12.0_f64).sqrt() / f64::from(drops).sqrt();
        assert!((mean - (steps + 1.0) / 2.0).abs() < 5.0 * spread, "{waiting}: {mean}");
    }
}

/// The same chances, but a packet that can be marked is taken in; a full queue marks nothing.
#[test]
fn marks_what_can_be_marked_and_has_room() {
    let count = |capable, limit| {
        let mut queue = with_waiting(CONFIG, 10);
        queue.admission.limits = DropTail::new(Some(limit), None);
        let (mut marked, mut early, mut full) = (0, 0, 0);
        for _ in 0..1000 {
            match queue.offer(packet(1000, capable), Time::ZERO) {
                Verdict::Enqueue => assert!(queue.next(Time::ZERO).is_some()),
                Verdict::Mark => {
                    marked += 1;
                    assert!(queue.next(Time::ZERO).is_some());
                }
                Verdict::Drop(DropCause::QueueEarly) => early += 1,
                Verdict::Drop(_) => full += 1,
            }
        }
        (marked, early, full)
    };
    let (marked, dropped) = (count(true, 1000), count(false, 1000));
    assert!(marked.0 > 50 && marked.1 == 0 && marked.2 == 0, "{marked:?}");
    assert_eq!((0, marked.0, 0), dropped, "the same numbers are drawn");
    assert_eq!(count(true, 10), (0, 0, 1000));
}

/// Where p is 1, a packet is dropped even if it could be marked.
#[test]
fn marks_nothing_where_all_is_dropped() {
    for (gentle, waiting) in [(false, 15), (true, 30)] {
        let mut queue = with_waiting(RedConfig { gentle, ..CONFIG }, waiting);
        let entry = queue.offer(packet(1000, true), Time::ZERO);
        assert_eq!(entry, Verdict::Drop(DropCause::QueueEarly));
    }
}

/// From 0.1: to 0.11 above the band, to 0.099 below it, nothing within; once in half a second.
#[test]
fn max_p_follows_the_average_each_half_second() {
    let adapted = |waiting, max_p, arrivals: &[u64]| {
        let mut queue = with_waiting(RedConfig { adaptive: true, max_p, ..CONFIG }, waiting);
        for &ms in arrivals {
            if queue.offer(packet(1000, false), MS * ms) == Verdict::Enqueue {
                assert!(queue.next(MS * ms).is_some());
            }
        }
        queue.admission.max_p
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} {b}");
    close(adapted(12, 0.1, &[499]), 0.1);
    close(adapted(12, 0.1, &[500, 501, 999]), 0.11);
    close(adapted(12, 0.1, &[500, 1000]), 0.12);
    close(adapted(12, 0.1, &[999, 1000, 5000]), 0.13);
    close(adapted(8, 0.1, &[500]), 0.09);
    for within in [9, 10, 11] {
        close(adapted(within, 0.1, &[500, 1000]), 0.1);
    }
    // A quarter of what is small; and never beyond 0.5 and 0.01.
    close(adapted(12, 0.02, &[500]), 0.025);
    close(adapted(12, 0.495, &[500, 1000, 1500]), 0.5);
    close(adapted(8, 0.0105, &[500, 1000, 1500]), 0.01);
}

/// A link of 1 ms a packet to which one comes each 0.9 ms: a tenth must go.
fn overload(config: RedConfig) -> (f64, f64, u64) {
    let queue = red(RedConfig { weight: 0.002, ..config }, 1000, 5);
    let link =
        PacketLink::new(LinkId(0), Box::new(queue), Box::new(Rate::from_bps(8_000_000)), Time::ZERO, vec![]);
    let mut link: Link<_> = Link::Packets(Box::new(link));
    let mut until = |numbers: std::ops::Range<u64>| {
        let now = |number| Time::from_us(900) * number;
        for number in numbers.clone() {
            let _ = link.send(now(number), &mut packet(1000, false), &mut ());
            while link.receive(now(number)).is_some() {}
        }
        link.packet_counters(now(numbers.end - 1)).expect("it carries packets")
    };
    let (before, after) = (until(0..10_000), until(10_000..200_000));
    assert_eq!(after.packets_dropped, after.packets_dropped_early);
    let ps = (after.queued_packets_ps - before.queued_packets_ps) as f64;
    let dropped = (after.packets_dropped - before.packets_dropped) as f64;
    (ps / (190_000.0 * 900e6), dropped / 190_000.0, after.max_queued_packets)
}

/// One of ten is dropped when drops are 10 packets apart on average: 1/p is 19, so arrivals find
/// 5 + 10 (1/19) / `max_p` on average. Over time it is half a packet more: the one that has just come.
#[test]
fn a_constant_overload_keeps_the_queue_between_the_thresholds() {
    let (queue, dropped, longest) = overload(CONFIG);
    let expected = 5.0 + 10.0 / 19.0 / 0.1 + 0.5;
    assert!((queue - expected).abs() < 0.2, "{queue} {expected}");
    assert!((dropped - 0.1).abs() < 1e-3, "{dropped}");
    assert!(longest < 40, "{longest}");
}

/// With too small a `max_p` the average would lie above `max_thresh`; adapted, it is in its band.
#[test]
fn an_adaptive_queue_finds_its_band() {
    let config = RedConfig { gentle: true, max_p: 0.02, ..CONFIG };
    let (fixed, _, _) = overload(config);
    let (adapted, _, _) = overload(RedConfig { adaptive: true, ..config });
    assert!(fixed > 15.0, "{fixed}");
    assert!((9.0..11.0).contains(&adapted), "{adapted}");
}

/// What this queue does is the same on every machine and in every version.
#[test]
fn the_bits_are_the_same_everywhere() {
    let config = RedConfig { weight: 0.002, gentle: true, adaptive: true, ..CONFIG };
    let mut queue = red(config, 60, 9);
    let mut dropped = 0_u32;
    for number in 0..20_000_u64 {
        let now = Time::from_us(number * 700 + number / 1000 * 5_000);
        dropped += u32::from(matches!(queue.offer(packet(1000, false), now), Verdict::Drop(_)));
        if number % 4 != 0 {
            let _ = queue.next(now);
        }
    }
    assert_eq!(
        (queue.admission.average.to_bits(), queue.admission.max_p.to_bits(), dropped),
        (4_622_085_788_083_808_999, 4_598_607_565_109_503_986, 5019)
    );
}
