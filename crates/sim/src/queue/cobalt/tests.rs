//! BLUE's arithmetic, the times of signals, and the functions of sch_cake.c written down once more.

use super::*;
use crate::packet::PacketId;
use crate::queue::tests::{Seen, ids, over_square_root, packet, setting, signaled, unlimited};
use crate::rng::Streams;
use proptest::prelude::*;

const MS: Time = Time::from_ms(1);
const ONE: u32 = u32::MAX;

/// As the link of `setting` has it: 10 Mbit/s, at which no packet is long.
fn config(ecn: bool) -> Config<bool> {
    let mark: fn(&mut bool) -> bool = if ecn { |capable| *capable } else { |_| false };
    Config::new(Some(Rate::from_bps(10_000_000)), MS * 5, MS * 100, mark)
}

fn cobalt(ecn: bool, limits: DropTail) -> Cobalt<bool> {
    let setting = setting(limits);
    let buffer = PacketBuffer::new();
    Cobalt { config: config(ecn), limits, buffer, controller: Controller::NEW, rng: setting.rng }
}

/// Up by 2^24 of 2^32, which is 1/256, and down by 2^20, 1/4096; each not before 5 ms have passed.
#[test]
fn blue_changes_once_per_target() {
    let config = config(true);
    let mut its = Controller::NEW;
    let full = |its: &mut Controller, ms| {
        its.queue_full(&config, MS * ms);
        its.probability
    };
    assert_eq!([full(&mut its, 0), full(&mut its, 5)], [16_777_216; 2], "5 ms are not more than 5 ms");
    assert_eq!([full(&mut its, 6), full(&mut its, 7)], [33_554_432; 2]);
    let empty = |its: &mut Controller, ms| {
        its.queue_empty(&config, MS * ms);
        its.probability
    };
    assert_eq!([empty(&mut its, 11), empty(&mut its, 12)], [33_554_432, 32_505_856]);
    // 31 more steps to 0, of which the last finds just 2^20.
    let steps: Vec<u32> = (1..=32).map(|step| empty(&mut its, 12 + 6 * step)).collect();
    assert_eq!((steps[0], steps[29], steps[30], steps[31]), (31_457_280, 1_048_576, 0, 0));
}

/// 256 overflows make it 1, less the smallest fraction, and more do not make it wrap.
#[test]
fn blue_stops_at_one_and_at_zero() {
    let config = config(true);
    let mut its = Controller::NEW;
    (0..255).for_each(|step| its.queue_full(&config, MS * (6 * step)));
    assert_eq!(its.probability, ONE - 16_777_215);
    (255..300).for_each(|step| its.queue_full(&config, MS * (6 * step)));
    assert_eq!(its.probability, ONE);
    its.probability = 1000;
    its.queue_empty(&config, MS * 5000);
    assert_eq!(its.probability, 0);
}

/// A quarter of those that can be marked, too; the last one stays.
#[test]
fn blue_drops_at_random_and_never_marks() {
    let mut queue = cobalt(true, unlimited());
    let mut seen = Seen::default();
    queue.controller.probability = 1 << 30;
    (0..10_001).for_each(|number| queue.enqueue(packet(number, 100, true), Time::ZERO, &mut seen));
    while queue.dequeue(MS, &mut seen).is_some() {}
    let dropped = seen.dropped.len();
    assert!((2283..2717).contains(&dropped), "{dropped}: five standard deviations of 43.3");
    assert!(seen.marked.is_empty() && seen.dropped.iter().all(|its| its.1 == DropCause::QueueEarly));
    queue.controller.probability = ONE;
    queue.enqueue(packet(1, 100, false), MS, &mut seen);
    assert_eq!(signaled(&mut queue, MS), (0, 0), "the last packet");
}

/// Packets have waited since 0. One is sent below target, so that the queue counts as active; from 10 ms on times are above.
/// The first signal comes with the next packet, as there is no spacing yet; the others 70.7, 57.7, 50 ms later: 100 ms over
/// the roots of 2, 3 and 4.
#[test]
fn signals_follow_the_inverse_square_root_law() {
    for (ecn, one) in [(false, (1, 0)), (true, (0, 1))] {
        let mut queue = cobalt(ecn, unlimited());
        (0..1000).for_each(|n| queue.enqueue(packet(n, 1000, true), Time::ZERO, &mut Seen::default()));
        assert_eq!([signaled(&mut queue, MS), signaled(&mut queue, MS * 10)], [(0, 0); 2]);
        let first = MS * 10;
        for ps in [0, 70_710_678_118, 128_445_705_036, 178_445_705_036] {
            let due = first + Time::from_ps(ps);
            if ps > 0 {
                assert_eq!(signaled(&mut queue, due - Time::from_ps(1)), (0, 0), "{due}");
            }
            assert_eq!(signaled(&mut queue, due), one, "{due}");
        }
        assert_eq!(queue.controller.count, 5);
    }
}

/// After a first episode with one signal, below target: two are forgotten, 100 ms apart. Then it waits for an interval.
#[test]
fn signals_are_forgotten_and_a_second_episode_waits() {
    let config = config(false);
    let mut its = Controller { count: 2, spacing: MS * 70, drop_next: MS * 1000, ..Controller::NEW };
    let mut rng = Streams::new(1).named("queue/0");
    let mut should_drop = |its: &mut Controller, ms, sojourn| {
        let mut head = Queued { since: MS * (ms - sojourn), packet: packet(0, 1000, false) };
        its.should_drop(&config, &mut head, MS * ms, &mut rng).drop
    };
    assert!(!should_drop(&mut its, 999, 0) && its.count == 2);
    assert!(!should_drop(&mut its, 1000, 0));
    assert_eq!((its.count, its.drop_next), (1, MS * 1100));
    assert!(!should_drop(&mut its, 1100, 0));
    assert_eq!((its.count, its.drop_next), (0, MS * 1200), "active for an interval");
    assert!(!should_drop(&mut its, 1150, 6));
    assert_eq!((its.count, its.drop_next), (1, MS * 1250));
    assert!(!should_drop(&mut its, 1249, 6) && should_drop(&mut its, 1250, 6));
    assert_eq!(its.count, 2);
}

/// Five signals, then hours without one: all are forgotten with the next packet.
#[test]
fn a_pause_of_hours_is_caught_up() {
    let config = config(false);
    let mut its = Controller { count: 5, drop_next: MS * 100, ..Controller::NEW };
    let now = Time::from_secs(10_000);
    let mut head = Queued { since: now, packet: packet(0, 1000, false) };
    assert!(!its.should_drop(&config, &mut head, now, &mut Streams::new(1).named("queue/0")).drop);
    assert_eq!((its.count, its.drop_next), (0, now + MS * 100));
}

/// At 1 Mbit/s 1514 bytes take 12.112 ms: the target is 18.168 ms, and the interval longer by the 13.168 ms more. At
/// 100 kbit/s they take 121.12 ms: the target is 181.68 ms, and the interval twice that.
#[test]
fn slow_links_have_longer_times() {
    let times = |bps| {
        let its = Config::<bool>::new(Some(Rate::from_bps(bps)), MS * 5, MS * 100, |_| false);
        [its.target, its.interval, its.allowed].map(|time| time.as_ps() / 1_000_000)
    };
    assert_eq!(times(1_000_000), [18_168, 113_168, 48_448]);
    assert_eq!(times(100_000), [181_680, 363_360, 484_480]);
    assert_eq!(times(1_000_000_000)[..2], [5_000, 100_000]);
    let none = Config::<bool>::new(None, MS * 5, MS * 100, |_| false);
    assert_eq!([none.target, none.interval, none.allowed], [MS * 5, MS * 100, Time::ZERO]);
}

/// Room is made at the head, and BLUE learns of it; a packet that never fits is dropped itself.
#[test]
fn a_full_queue_drops_those_that_have_waited_longest() {
    let mut queue = cobalt(true, DropTail::new(None, Some(3000)));
    let mut seen = Seen::default();
    for (number, bytes) in [(1, 1000), (2, 1000), (3, 1000), (4, 1500), (5, 4000)] {
        queue.enqueue(packet(number, bytes, true), Time::ZERO, &mut seen);
    }
    let expected: Vec<_> = (1..=5).map(|n| (PacketId::sent(n), DropCause::QueueFull)).collect();
    assert_eq!((seen.dropped, queue.len_packets()), (expected, 0));
    assert_eq!(queue.controller.probability, INCREASE);
}

/// `cobalt_queue_full`, `cobalt_queue_empty` and `cobalt_should_drop`, with signed times in ps.
#[derive(Clone, Debug)]
pub(in crate::queue) struct PlainCobalt {
    pub(in crate::queue) target: i128,
    pub(in crate::queue) interval: i128,
    pub(in crate::queue) mtu_time: i128,
    pub(in crate::queue) count: i128,
    pub(in crate::queue) drop_next: i128,
    pub(in crate::queue) p_drop: i128,
    over_root: i128,
    blue_timer: i128,
    dropping: bool,
}

impl PlainCobalt {
    /// As `cake_set_rate` has it; 0 bit/s is no rate.
    pub(in crate::queue) fn new(bps: i128, target: i128, interval: i128) -> Self {
        let mtu_time = if bps == 0 { 0 } else { (1514 * 8_000_000_000_000 + bps / 2) / bps };
        let raised = (mtu_time * 3 / 2).max(target);
        Self {
            target: raised,
            interval: (interval + raised - target).max(raised * 2),
            mtu_time,
            count: 0,
            drop_next: 0,
            p_drop: 0,
            over_root: 0,
            blue_timer: -1_000_000_000_000_000_000_000,
            dropping: false,
        }
    }

    fn control(&mut self) {
        self.over_root = over_square_root(self.interval, self.count.max(1));
        self.drop_next += self.over_root;
    }

    pub(in crate::queue) fn queue_full(&mut self, now: i128) {
        if now - self.blue_timer > self.target {
            self.p_drop = (self.p_drop + (1 << 24)).min((1 << 32) - 1);
            self.blue_timer = now;
        }
        self.dropping = true;
        self.drop_next = now;
        if self.count == 0 {
            self.count = 1;
        }
    }

    pub(in crate::queue) fn queue_empty(&mut self, now: i128) {
        if self.p_drop != 0 && now - self.blue_timer > self.target {
            self.p_drop = (self.p_drop - (1 << 20)).max(0);
            self.blue_timer = now;
        }
        self.dropping = false;
        if self.count != 0 && now - self.drop_next >= 0 {
            self.count -= 1;
            self.control();
        }
    }

    /// Whether the packet is marked, and whether it is dropped.
    pub(in crate::queue) fn should_drop(
        &mut self,
        now: i128,
        since: i128,
        capable: bool,
        rng: &mut ChaCha8Rng,
    ) -> (bool, bool) {
        let sojourn = now - since;
        let mut schedule = now - self.drop_next;
        let over_target = sojourn > self.target && sojourn > self.mtu_time * 4;
        let mut next_due = self.count != 0 && schedule >= 0;
        let (mut marked, mut drop) = (false, false);
        if over_target {
            if !self.dropping {
                self.dropping = true;
                self.drop_next = now + self.over_root;
            }
            if self.count == 0 {
                self.count = 1;
            }
        } else if self.dropping {
            self.dropping = false;
        }
        if next_due && self.dropping {
            marked = capable;
            drop = !marked;
            self.count += 1;
            self.control();
            schedule = now - self.drop_next;
        } else {
            while next_due {
                self.count -= 1;
                self.control();
                schedule = now - self.drop_next;
                next_due = self.count != 0 && schedule >= 0;
            }
        }
        if self.p_drop != 0 && !drop && i128::from(rng.next_u32()) < self.p_drop {
            drop = true;
        }
        if self.count == 0 {
            self.drop_next = now + self.interval;
        } else if schedule > 0 && !drop {
            self.drop_next = now;
        }
        (marked, drop)
    }
}

proptest! {
    /// Bursts of arrivals, departures, pauses and overflows, against the functions above around a list.
    #[test]
    fn agrees_with_the_plain_functions(
        ecn: bool,
        seed: u64,
        limit in prop_oneof![1usize..20, 40usize..120],
        p_drop in prop_oneof![Just(0u32), any::<u32>()],
        bps in prop_oneof![Just(10_000_000u64), 512u64..5_000_000],
        target in prop_oneof![Just(5_000_000_000u64), 1u64..50_000_000_000],
        interval in prop_oneof![Just(100_000_000_000u64), 1u64..200_000_000_000],
        steps in prop::collection::vec((0u64..60, 0u8..100, 1u32..1500, any::<bool>()), 0..800),
    ) {
        let limits = DropTail::new(Some(limit), None);
        let times = [target, interval].map(Time::from_ps);
        let config = Config::new(Some(Rate::from_bps(bps)), times[0], times[1], config(ecn).mark);
        let rng = Streams::new(seed).named("queue/0");
        let mut queue = Cobalt { rng, config, ..cobalt(ecn, limits) };
        let mut rng = queue.rng.clone();
        let mut plain = PlainCobalt::new(i128::from(bps), i128::from(target), i128::from(interval));
        (queue.controller.probability, plain.p_drop) = (p_drop, i128::from(p_drop));
        let mut q: Vec<(i128, u64, u32, bool)> = vec![];
        let (mut dropped, mut marked) = (vec![], vec![]);
        let (mut time, mut seen) = (MS, Seen::default());
        for (number, (pause, kind, bytes, capable)) in (0..).zip(steps) {
            // A few steps follow after a second, most after a millisecond or two.
            time += match pause { 0 => Time::from_secs(1), _ => Time::from_us(50 * pause) };
            let now = i128::from(time.as_ps());
            if kind < 52 {
                queue.enqueue(packet(number, bytes, capable), time, &mut seen);
                q.push((now, number, bytes, capable));
                while q.len() > limit {
                    plain.queue_full(now);
                    dropped.push(q.remove(0).1);
                }
            } else {
                let expected = loop {
                    if q.is_empty() {
                        plain.queue_empty(now);
                        break None;
                    }
                    let (since, number, _, capable) = q.remove(0);
                    let (marks, drops) = plain.should_drop(now, since, ecn && capable, &mut rng);
                    if drops && !q.is_empty() {
                        dropped.push(number);
                        continue;
                    }
                    if marks { marked.push(number) }
                    break Some(PacketId::sent(number));
                };
                prop_assert_eq!(queue.dequeue(time, &mut seen).map(|sent| sent.packet.id), expected);
            }
            prop_assert_eq!(queue.len_packets(), q.len());
            prop_assert_eq!(queue.len_bytes(), q.iter().map(|waits| u64::from(waits.2)).sum::<u64>());
            prop_assert_eq!(i128::from(queue.controller.count), plain.count);
            prop_assert_eq!(i128::from(queue.controller.probability), plain.p_drop);
        }
        prop_assert_eq!(seen.dropped_ids(), ids(&dropped));
        prop_assert_eq!(seen.marked, ids(&marked));
    }
}
