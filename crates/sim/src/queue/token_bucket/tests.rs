//! Departure times worked out by hand, and tokens counted as fractions.

use super::*;
use crate::link::{Link, PacketLink};
use crate::packet::{LinkId, PacketId};
use crate::queue::tests::{self, Seen, packet, setting};
use base::Rate;
use proptest::prelude::*;

const MBPS: u64 = 1_000_000;

fn shaper(values: [u64; 4], limits: DropTail) -> Box<dyn QueueDiscipline<bool>> {
    assert_eq!(check(&values), None);
    make(&values, &setting(limits))
}

fn unlimited(values: [u64; 4]) -> Box<dyn QueueDiscipline<bool>> {
    shaper(values, DropTail::new(None, None))
}

fn put(queue: &mut dyn QueueDiscipline<bool>, lengths: &[u32], now: Time) {
    lengths.iter().for_each(|&bytes| queue.enqueue(packet(0, bytes, false), now, &mut Seen::default()));
}

fn departures(queue: &mut dyn QueueDiscipline<bool>, now: Time) -> Vec<Time> {
    tests::departures(queue, now).into_iter().map(|departure| departure.0).collect()
}

fn us<const N: usize>(times: [u64; N]) -> [Time; N] {
    times.map(Time::from_us)
}

/// A byte each microsecond, and 3000 at once: two packets of 1500 leave at once, then one each 1.5 ms. The bucket is
/// full again 3 ms after the last, and no fuller after that.
#[test]
fn a_burst_leaves_at_once_and_the_rest_at_the_rate() {
    let mut queue = unlimited([8 * MBPS, 3000, OFF, 1514]);
    put(&mut *queue, &[1500; 5], Time::ZERO);
    assert_eq!(departures(&mut *queue, Time::ZERO), us([0, 0, 1500, 3000, 4500]));
    put(&mut *queue, &[1500; 3], Time::from_us(6500));
    assert_eq!(departures(&mut *queue, Time::from_us(6500)), us([6500, 7500, 9000]));
    let hours = Time::from_secs(100_000);
    put(&mut *queue, &[1500; 3], hours);
    assert_eq!(departures(&mut *queue, hours), us([0, 0, 1500]).map(|time| hours + time));
}

/// At 7 Mbit/s a packet of 1500 bytes takes 12/7 ms. The n-th leaves when n x 1500 - 1514 bytes have come, to the
/// picosecond.
#[test]
fn departure_times_do_not_drift() {
    let mut queue = unlimited([7 * MBPS, 1514, OFF, 1514]);
    put(&mut *queue, &[1500; 50_000], Time::ZERO);
    let times = departures(&mut *queue, Time::ZERO);
    let ps = [0, 1_698_285_715, 3_412_571_429, 5_126_857_143, 6_841_142_858];
    assert_eq!(times[..5], ps.map(Time::from_ps));
    for (n, time) in (2_u128..).zip(&times[1..]) {
        assert_eq!(u128::from(time.as_ps()), ((n * 1500 - 1514) * 8_000_000_000_000).div_ceil(7_000_000));
    }
}

/// 1 Mbit/s and 6000 bytes, at no more than 4 Mbit/s and a packet of 1500: four packets follow each other after 3 ms,
/// and the others after 12 ms. While the fourth waits, 1 Mbit/s has brought 1125 bytes, so the fifth is as early as it
/// can be.
#[test]
fn a_burst_leaves_at_the_peak_rate() {
    let mut queue = unlimited([MBPS, 6000, 4 * MBPS, 1500]);
    put(&mut *queue, &[1500; 7], Time::ZERO);
    assert_eq!(departures(&mut *queue, Time::ZERO), us([0, 3000, 6000, 9000, 12_000, 24_000, 36_000]));
    let mut queue = unlimited([OFF, 6000, 4 * MBPS, 3000]);
    put(&mut *queue, &[1500; 4], Time::ZERO);
    assert_eq!(departures(&mut *queue, Time::ZERO), us([0, 0, 3000, 6000]), "the peak rate alone");
}

/// A bucket of 1000 bytes, one of which comes each microsecond: 1500 bytes leave when it is full, and it owes 500 then.
#[test]
fn a_packet_that_is_too_long_waits_for_a_full_bucket() {
    let mut queue = unlimited([8 * MBPS, 1000, OFF, 1514]);
    put(&mut *queue, &[1500, 1500, 300, 1000], Time::ZERO);
    assert_eq!(departures(&mut *queue, Time::ZERO), us([0, 1500, 2300, 3300]));
}

#[test]
fn holds_nothing_back_without_rates_and_drops_what_has_no_room() {
    let mut queue = shaper([OFF, 5120, OFF, 1514], DropTail::new(Some(2), None));
    let mut seen = Seen::default();
    (0..3).for_each(|number| queue.enqueue(packet(number, 60_000, false), Time::ZERO, &mut seen));
    assert_eq!(seen.dropped, [(PacketId::sent(2), DropCause::QueueFull)]);
    assert_eq!(departures(&mut *queue, Time::ZERO), us([0, 0]));
}

/// A link of 10 Mbit/s sends 1250 bytes within 1 ms. Behind 2 Mbit/s one begins every 5 ms; and a link that was busy
/// meanwhile takes two that it may send by then.
#[test]
fn a_link_sends_when_the_shaper_lets_it() {
    let queue = unlimited([2 * MBPS, 2500, OFF, 1514]);
    let rate = Box::new(Rate::from_bps(10 * MBPS));
    let mut link: Link<bool> =
        Link::Packets(Box::new(PacketLink::new(LinkId(0), queue, rate, Time::ZERO, vec![])));
    let mut watch = |_, _: crate::link::Report<'_, bool, _>| {};
    let mut arrivals = vec![];
    for (number, ms) in [(0, 0), (1, 0), (2, 0), (3, 0), (4, 100)] {
        let now = Time::from_ms(ms);
        while link.next_event() <= now {
            let time = link.next_event();
            link.advance(time, &mut watch);
            arrivals.extend(std::iter::from_fn(|| link.receive(time)).map(|_| time));
        }
        let _ = link.send(now, &mut packet(number, 1250, false), &mut watch);
    }
    assert_eq!(arrivals, us([1000, 2000, 6000, 11_000]));
    assert_eq!((link.next_event(), link.packets()), (Time::from_ms(101), 1));
}

/// A bucket that counts tokens in bits x 10^12, with a sign.
struct Tokens {
    rate: i128,
    depth: i128,
    tokens: i128,
    at: i128,
}

const SCALE: i128 = 8_000_000_000_000;

impl Tokens {
    fn new(rate: u64, depth: u64) -> Self {
        let depth = i128::from(depth) * SCALE;
        Self { rate: i128::from(rate), depth, tokens: depth, at: 0 }
    }

    fn at(&self, now: i128) -> i128 {
        self.depth.min(self.tokens + self.rate * (now - self.at))
    }

    fn suffice(&self, bytes: u32, now: i128) -> bool {
        self.at(now) >= self.depth.min(i128::from(bytes) * SCALE)
    }

    fn take(&mut self, bytes: u32, now: i128) {
        self.tokens = self.at(now) - i128::from(bytes) * SCALE;
        self.at = now;
    }
}

fn rates() -> impl Strategy<Value = [u64; 4]> {
    let rate = || prop_oneof![1 => Just(OFF), 4 => 1_000u64..100_000_000];
    (rate(), 1u64..6000, rate(), 1u64..3000).prop_map(|(rate, burst, peak, peak_burst)| {
        [rate, burst, peak.max(if rate == OFF { 0 } else { rate }), peak_burst]
    })
}

/// A packet's time, in ps, and its bytes.
type Departure = (i128, u32);

/// Whether no interval has more departures than the rate and the depth allow. The last one may be longer than the
/// bucket is deep.
fn is_bounded(departures: &[Departure], rate: u64, depth: u64) -> bool {
    let depth = i128::from(depth) * SCALE;
    (0..departures.len()).all(|first| {
        let (since, mut before) = (departures[first].0, 0);
        departures[first..].iter().all(|&(time, bytes)| {
            let bits = i128::from(bytes) * SCALE;
            let fits = before + bits.min(depth) <= depth + i128::from(rate) * (time - since);
            before += bits;
            fits
        })
    })
}

proptest! {
    /// Random arrivals and dequeues, some of them just when a packet may leave, against the plain buckets. What was
    /// enqueued is sent, dropped or waiting, and no interval has too much.
    #[test]
    fn agrees_with_plain_buckets(
        values in rates(),
        limit in 1usize..30,
        steps in prop::collection::vec((0u64..1000, 0u8..10, 1u32..3000), 0..300),
    ) {
        let mut queue = shaper(values, DropTail::new(Some(limit), None));
        let [rate, burst, peak_rate, peak_burst] = values;
        let on = |rate, depth| (rate != OFF).then(|| Tokens::new(rate, depth));
        let mut plain: Vec<Tokens> = [on(rate, burst), on(peak_rate, peak_burst)].into_iter().flatten().collect();
        let (mut waiting, mut departures): (Vec<(u64, u32)>, Vec<Departure>) = (vec![], vec![]);
        let (mut now, mut seen, mut offered) = (Time::ZERO, Seen::default(), 0);
        for (number, (pause, kind, bytes)) in (0..).zip(steps) {
            // In most steps little time passes, in some nearly a second.
            now += if pause < 20 { Time::from_ms(pause * 50) } else { Time::from_ps(pause * 1_234_567) };
            if kind < 5 {
                offered += 1;
                queue.enqueue(packet(number, bytes, false), now, &mut seen);
                if waiting.len() < limit {
                    waiting.push((number, bytes));
                }
                continue;
            }
            let may_leave = |plain: &[Tokens], bytes, now: Time| {
                plain.iter().all(|tokens| tokens.suffice(bytes, i128::from(now.as_ps())))
            };
            for _ in 0..kind - 4 {
                let sent = queue.dequeue(now, &mut seen).map(|sent| sent.packet.id);
                let Some(&(number, bytes)) = waiting.first() else { break };
                if may_leave(&plain, bytes, now) {
                    prop_assert_eq!(sent, Some(PacketId::sent(waiting.remove(0).0)));
                    departures.push((i128::from(now.as_ps()), bytes));
                    plain.iter_mut().for_each(|tokens| tokens.take(bytes, i128::from(now.as_ps())));
                } else {
                    prop_assert_eq!(sent, None, "{} has to wait", number);
                    let ready = queue.ready_at(now);
                    prop_assert!(may_leave(&plain, bytes, ready));
                    prop_assert!(!may_leave(&plain, bytes, ready - Time::from_ps(1)));
                    now = ready;
                }
            }
            prop_assert_eq!(queue.len_packets(), waiting.len());
            prop_assert_eq!(offered, seen.dropped.len() + departures.len() + waiting.len());
        }
        for (rate, depth) in [(rate, burst), (peak_rate, peak_burst)] {
            prop_assert!(rate == OFF || is_bounded(&departures, rate, depth));
        }
    }
}
