//! The control law's drop times, and the pseudo-code of the RFC written down once more.

use super::*;
use crate::packet::PacketId;
use crate::queue::tests::{Seen, packet};
use proptest::prelude::*;

const TARGET: Time = Time::from_ms(5);
const INTERVAL: Time = Time::from_ms(100);

fn codel(ecn: bool, limits: DropTail) -> CoDel<bool> {
    CoDel::new(TARGET, INTERVAL, limits, if ecn { |capable| *capable } else { |_| false })
}

fn unlimited() -> DropTail {
    DropTail::new(None, None)
}

/// A queue in which packets have waited since 0, so long that all waiting times are above target.
fn standing(ecn: bool) -> CoDel<bool> {
    let mut queue = codel(ecn, unlimited());
    for number in 0..1000 {
        queue.enqueue(packet(number, 1000, true), Time::ZERO, &mut Seen::default());
    }
    queue
}

/// How many packets are dropped and marked by a dequeue.
fn signaled(queue: &mut CoDel<bool>, now: Time) -> (usize, usize) {
    let mut seen = Seen::default();
    assert!(queue.dequeue(now, &mut seen).is_some());
    assert!(seen.dropped.iter().all(|dropped| dropped.1 == DropCause::QueueEarly));
    (seen.dropped.len(), seen.marked.len())
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
    assert!(!queue.dropping && queue.dequeue(at(401), &mut Seen::default()).is_none());
}

#[test]
fn a_full_queue_drops_what_comes() {
    let mut queue = codel(true, DropTail::new(Some(1), None));
    let mut seen = Seen::default();
    queue.enqueue(packet(1, 1000, true), Time::ZERO, &mut seen);
    queue.enqueue(packet(2, 1000, true), Time::ZERO, &mut seen);
    assert_eq!(seen.dropped, [(PacketId::sent(2), DropCause::QueueFull)]);
}

/// The pseudo-code of RFC 8289, section 5, with a list as its queue and 0 for "not above target".
#[derive(Default)]
struct PseudoCode {
    q: Vec<(u64, u64, u64, bool)>,
    limit: usize,
    ecn: bool,
    maxpacket: u64,
    first_above_time: i128,
    drop_next: i128,
    count: i128,
    lastcount: i128,
    dropping: bool,
    dropped: Vec<u64>,
    marked: Vec<u64>,
}

impl PseudoCode {
    fn enqueue(&mut self, id: u64, bytes: u64, capable: bool, now: u64) {
        if self.q.len() == self.limit {
            return self.dropped.push(id);
        }
        self.maxpacket = self.maxpacket.max(bytes);
        self.q.push((now, id, bytes, capable));
    }

    fn dodequeue(&mut self, now: i128) -> (Option<(u64, bool)>, bool) {
        if self.q.is_empty() {
            self.first_above_time = 0;
            return (None, false);
        }
        let (since, id, _, capable) = self.q.remove(0);
        let bytes: u64 = self.q.iter().map(|waits| waits.2).sum();
        let mut ok_to_drop = false;
        if now - i128::from(since) < i128::from(TARGET.as_ps()) || bytes <= self.maxpacket {
            self.first_above_time = 0;
        } else if self.first_above_time == 0 {
            self.first_above_time = now + i128::from(INTERVAL.as_ps());
        } else if now >= self.first_above_time {
            ok_to_drop = true;
        }
        (Some((id, capable)), ok_to_drop)
    }

    /// The largest whole number of ps that is no more than interval / sqrt(count), by bisection.
    fn control_law(&self, t: i128) -> i128 {
        let interval = i128::from(INTERVAL.as_ps());
        let (mut low, mut high) = (0, interval + 1);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if middle * middle * self.count <= interval * interval { low = middle } else { high = middle }
        }
        t + low
    }

    fn marks(&mut self, head: Option<(u64, bool)>) -> bool {
        let (id, capable) = head.unwrap();
        let list = if self.ecn && capable { &mut self.marked } else { &mut self.dropped };
        list.push(id);
        self.ecn && capable
    }

    fn deque(&mut self, now: i128) -> Option<u64> {
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
        let mut plain = PseudoCode { limit, ecn, ..PseudoCode::default() };
        let (mut now, mut seen) = (Time::from_ms(1), Seen::default());
        for (number, (pause, kind, bytes, capable)) in (0..).zip(steps) {
            // A few steps follow after a second, most after a millisecond or two.
            now += match pause { 0 => Time::from_secs(1), _ => Time::from_us(50 * pause) };
            if kind < 51 {
                queue.enqueue(packet(number, bytes, capable), now, &mut seen);
                plain.enqueue(number, u64::from(bytes), capable, now.as_ps());
            } else {
                let sent = queue.dequeue(now, &mut seen).map(|sent| sent.packet.id);
                prop_assert_eq!(sent, plain.deque(i128::from(now.as_ps())).map(PacketId::sent));
            }
            prop_assert_eq!(queue.len_packets(), plain.q.len());
            prop_assert_eq!(queue.len_bytes(), plain.q.iter().map(|waits| waits.2).sum::<u64>());
        }
        let dropped: Vec<PacketId> = seen.dropped.iter().map(|dropped| dropped.0).collect();
        let sent = |ids: &[u64]| ids.iter().copied().map(PacketId::sent).collect::<Vec<_>>();
        prop_assert_eq!(dropped, sent(&plain.dropped));
        prop_assert_eq!(seen.marked, sent(&plain.marked));
    }
}
