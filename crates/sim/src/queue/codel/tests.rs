//! The control law's drop times, and the pseudo-code of the RFC written down once more.

use super::*;
use crate::packet::PacketId;
use crate::queue::OFF;
use crate::queue::tests::{Seen, ids, over_square_root, packet, setting, signaled, unlimited};
use proptest::prelude::*;

const TARGET: Time = Time::from_ms(5);
const INTERVAL: Time = Time::from_ms(100);

/// With the default times.
fn config(ecn: bool, ce_threshold: u64) -> Config<bool> {
    let values = [TARGET.as_ps(), INTERVAL.as_ps(), u64::from(ecn), ce_threshold, 0];
    Config::new(&values, &setting(unlimited()))
}

fn codel(ecn: bool, limits: DropTail) -> CoDel<bool> {
    CoDel::new(config(ecn, OFF), limits)
}

/// A queue in which packets have waited since 0, so long that all waiting times are above target.
fn standing(ecn: bool) -> CoDel<bool> {
    let mut queue = codel(ecn, unlimited());
    for number in 0..1000 {
        queue.enqueue(packet(number, 1000, true), Time::ZERO, &mut Seen::default());
    }
    queue
}

/// Above target from 10 ms on: the first drop comes an interval later, and the others 100, 170.7, 228.4,
/// 278.4 ms after it: each interval / sqrt(n) after the n-th.
#[test]
fn drops_follow_the_inverse_square_root_law() {
    for (ecn, one) in [(false, (1, 0)), (true, (0, 1))] {
        let mut queue = standing(ecn);
        assert_eq!(signaled(&mut queue, Time::from_ms(10)), (0, 0));
        let first = Time::from_ms(110);
        let after_first = [0, 100_000_000_000, 170_710_678_118, 228_445_705_036, 278_445_705_036];
        for ps in after_first {
            let due = first + Time::from_ps(ps);
            assert_eq!(signaled(&mut queue, due - Time::from_ps(1)), (0, 0), "{due}");
            assert_eq!(signaled(&mut queue, due), one, "{due}");
        }
    }
}

/// A dequeue that comes late drops all that was due by then.
#[test]
fn a_late_dequeue_catches_up() {
    let mut queue = standing(false);
    assert_eq!(signaled(&mut queue, Time::from_ms(10)), (0, 0));
    assert_eq!(signaled(&mut queue, Time::from_ms(110)), (1, 0));
    assert_eq!(signaled(&mut queue, Time::from_ms(110 + 229)), (3, 0));
}

/// A waiting time below target ends the dropping state, and a backlog of one packet too.
#[test]
fn stops_when_the_delay_is_below_target() {
    let mut queue = codel(false, unlimited());
    let at = |ms| Time::from_ms(ms);
    for number in 0..4 {
        queue.enqueue(packet(number, 1000, false), at(0), &mut Seen::default());
    }
    assert_eq!(signaled(&mut queue, at(10)), (0, 0));
    // Two wait behind this one: it is dropped, and the next leaves with one behind it.
    assert_eq!(signaled(&mut queue, at(110)), (1, 0));
    assert_eq!(queue.len_packets(), 1);
    assert_eq!(signaled(&mut queue, at(400)), (0, 0));
    assert!(!queue.controller.dropping && queue.dequeue(at(401), &mut Seen::default()).is_none());
}

#[test]
fn a_full_queue_drops_what_comes() {
    let mut queue = codel(true, DropTail::new(Some(1), None));
    let mut seen = Seen::default();
    queue.enqueue(packet(1, 1000, true), Time::ZERO, &mut seen);
    queue.enqueue(packet(2, 1000, true), Time::ZERO, &mut seen);
    assert_eq!(seen.dropped, [(PacketId::sent(2), DropCause::QueueFull)]);
}

/// The fraction follows 1 / sqrt(n) to a few parts in a thousand while n grows by one, and is far off after it has fallen.
#[test]
fn newtons_method_is_near_while_the_count_grows() {
    let mut its = Controller { count: 1, ..Controller::NEW };
    for n in 2..=1000_u32 {
        its.count = n;
        its.newton_step();
        if n > 3 {
            let ratio = f64::from(its.reciprocal) / 65_536.0 * f64::from(n).sqrt();
            assert!((0.96..1.001).contains(&ratio), "{n}: {ratio}");
        }
    }
    its.count = 10;
    its.newton_step();
    let interval = f64::from(its.reciprocal) / 65_536.0;
    assert!(interval < 0.05, "{interval}: that of 10 is 0.316, that of 1000 is 0.032");
}

/// What has waited longer than the threshold is marked, and what has waited as long is not.
#[test]
fn the_threshold_marks_whatever_the_state() {
    let mut queue = CoDel::new(config(false, Time::from_ms(1).as_ps()), unlimited());
    let mut seen = Seen::default();
    for (number, capable) in [(1, true), (2, true), (3, false)] {
        queue.enqueue(packet(number, 1000, capable), Time::ZERO, &mut seen);
    }
    for us in [1000, 1001, 1002] {
        queue.dequeue(Time::from_us(us), &mut seen);
    }
    assert_eq!((seen.marked, seen.dropped), (vec![PacketId::sent(2)], vec![]));
}

/// The pseudo-code of RFC 8289, section 5, with a list as its queue and 0 for "not above target".
#[derive(Clone, Default)]
pub(in crate::queue) struct PseudoCode {
    /// When each packet came, its number, its length, and whether it can be marked.
    pub(in crate::queue) q: Vec<(u64, u64, u64, bool)>,
    ecn: bool,
    pub(in crate::queue) maxpacket: u64,
    first_above_time: i128,
    drop_next: i128,
    count: i128,
    lastcount: i128,
    dropping: bool,
    pub(in crate::queue) dropped: Vec<u64>,
    pub(in crate::queue) marked: Vec<u64>,
}

impl PseudoCode {
    pub(in crate::queue) fn new(ecn: bool) -> Self {
        Self { ecn, ..Self::default() }
    }

    pub(in crate::queue) fn bytes(&self) -> u64 {
        self.q.iter().map(|waits| waits.2).sum()
    }

    fn dodequeue(&mut self, now: i128) -> (Option<(u64, bool)>, bool) {
        if self.q.is_empty() {
            self.first_above_time = 0;
            return (None, false);
        }
        let (since, id, _, capable) = self.q.remove(0);
        let mut ok_to_drop = false;
        if now - i128::from(since) < i128::from(TARGET.as_ps()) || self.bytes() <= self.maxpacket {
            self.first_above_time = 0;
        } else if self.first_above_time == 0 {
            self.first_above_time = now + i128::from(INTERVAL.as_ps());
        } else if now >= self.first_above_time {
            ok_to_drop = true;
        }
        (Some((id, capable)), ok_to_drop)
    }

    fn control_law(&self, t: i128) -> i128 {
        t + over_square_root(i128::from(INTERVAL.as_ps()), self.count)
    }

    fn marks(&mut self, head: Option<(u64, bool)>) -> bool {
        let (id, capable) = head.unwrap();
        let list = if self.ecn && capable { &mut self.marked } else { &mut self.dropped };
        list.push(id);
        self.ecn && capable
    }

    pub(in crate::queue) fn deque(&mut self, now: i128) -> Option<u64> {
        let (mut p, mut ok_to_drop) = self.dodequeue(now);
        if self.dropping {
            if !ok_to_drop {
                self.dropping = false;
            }
            while now >= self.drop_next && self.dropping {
                self.count += 1;
                if self.marks(p) {
                    self.drop_next = self.control_law(self.drop_next);
                    break;
                }
                (p, ok_to_drop) = self.dodequeue(now);
                if ok_to_drop {
                    self.drop_next = self.control_law(self.drop_next);
                } else {
                    self.dropping = false;
                }
            }
        } else if ok_to_drop {
            if !self.marks(p) {
                (p, _) = self.dodequeue(now);
            }
            self.dropping = true;
            let delta = self.count - self.lastcount;
            self.count = 1;
            if delta > 1 && now - self.drop_next < 16 * i128::from(INTERVAL.as_ps()) {
                self.count = delta;
            }
            self.drop_next = self.control_law(now);
            self.lastcount = self.count;
        }
        p.map(|p| p.0)
    }
}

proptest! {
    /// Bursts of arrivals, departures, and pauses, against the pseudo-code.
    #[test]
    fn agrees_with_the_pseudo_code(
        ecn: bool,
        limit in 1usize..80,
        steps in prop::collection::vec((0u64..60, 0u8..100, 1u32..1500, any::<bool>()), 0..800),
    ) {
        let mut queue = codel(ecn, DropTail::new(Some(limit), None));
        let mut plain = PseudoCode::new(ecn);
        let (mut now, mut seen) = (Time::from_ms(1), Seen::default());
        for (number, (pause, kind, bytes, capable)) in (0..).zip(steps) {
            // A few steps follow after a second, most after a millisecond or two.
            now += match pause { 0 => Time::from_secs(1), _ => Time::from_us(50 * pause) };
            if kind < 51 {
                queue.enqueue(packet(number, bytes, capable), now, &mut seen);
                if plain.q.len() == limit {
                    plain.dropped.push(number);
                } else {
                    plain.maxpacket = plain.maxpacket.max(u64::from(bytes));
                    plain.q.push((now.as_ps(), number, u64::from(bytes), capable));
                }
            } else {
                let sent = queue.dequeue(now, &mut seen).map(|sent| sent.packet.id);
                prop_assert_eq!(sent, plain.deque(i128::from(now.as_ps())).map(PacketId::sent));
            }
            prop_assert_eq!(queue.len_packets(), plain.q.len());
            prop_assert_eq!(queue.len_bytes(), plain.bytes());
        }
        prop_assert_eq!(seen.dropped_ids(), ids(&plain.dropped));
        prop_assert_eq!(seen.marked, ids(&plain.marked));
    }
}
