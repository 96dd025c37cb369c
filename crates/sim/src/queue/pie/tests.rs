//! How the delay is found, and a constant overload.

use super::controller::ONE;
use super::*;
use crate::link::{DropCause, Link, PacketLink};
use crate::packet::{LinkId, PacketId};
use crate::queue::tests::{Seen, nothing_vanishes, packet, setting, unlimited};
use crate::rng::Streams;
use base::Rate;
use proptest::prelude::*;

pub(super) const MS: Time = Time::from_ms(1);
/// The defaults: 15 ms, 15 ms, 1/8 Hz, 5/4 Hz, 150 ms, no ECN, 10 %, timestamps.
pub(super) const VALUES: [u64; 8] =
    [15_000_000_000, 15_000_000_000, 125_000, 1_250_000, 150_000_000_000, 0, 100_000_000, 0];

pub(super) fn rng() -> ChaCha8Rng {
    Streams::new(7).named("queue/0")
}

/// With these places of [`VALUES`] changed.
pub(super) fn with(changes: &[(usize, u64)]) -> [u64; 8] {
    let mut values = VALUES;
    changes.iter().for_each(|&(place, value)| values[place] = value);
    values
}

pub(super) fn pie(values: &[u64], setting: Setting<bool>) -> Pie<bool> {
    Pie::new(Config::new(values, &setting), setting.limits, setting.rng)
}

#[test]
fn the_defaults_are_those_of_the_rfc() {
    let row = row::<bool>();
    let defaults: Vec<_> = row.parameters.iter().map(|parameter| parameter.default).collect();
    assert_eq!(defaults, VALUES.map(DefaultValue::Is));
    assert_eq!((row.check)(&VALUES), None);
    for (place, wrong) in
        [(0, 0), (1, 0), (2, 0), (3, 0), (6, 0), (0, u64::MAX), (3, u64::MAX), (6, u64::MAX)]
    {
        assert!((row.check)(&with(&[(place, wrong)])).is_some(), "{place} {wrong}");
    }
}

/// Of 17 packets of 1024 bytes the first leaves 16 KB behind: the others, at 1 ms each, are measured. Eight more then take 8 ms.
/// The next 16 KB take 2 ms a packet: 3/4 · 16 ms + 1/4 · 32 ms on average.
#[test]
fn the_rate_of_departures_gives_the_delay() {
    let mut queue = pie(&with(&[(7, 1), (1, MS.as_ps())]), setting(unlimited()));
    let mut seen = Seen::default();
    let mut put = |queue: &mut Pie<bool>, ms, packets| {
        (0..packets).for_each(|number| queue.enqueue(packet(number, 1024, false), MS * ms, &mut seen));
    };
    let take = |queue: &mut Pie<bool>, ms| {
        assert!(queue.dequeue(MS * ms, &mut Seen::default()).is_some());
        queue.controller.old_delay
    };
    put(&mut queue, 0, 17);
    assert!((1..18).all(|ms| take(&mut queue, ms) == Time::ZERO));
    put(&mut queue, 18, 8);
    assert_eq!(take(&mut queue, 19), MS * 8);
    put(&mut queue, 19, 10);
    let delays: Vec<Time> = (0..17).map(|times| take(&mut queue, 20 + 2 * times)).collect();
    assert_eq!(delays[..2], [MS * 17, MS * 16], "an update comes before what leaves at that time");
    assert_eq!(delays[16], MS, "the measurement ends with this one");
    put(&mut queue, 52, 4);
    assert_eq!(take(&mut queue, 53), MS * 5);
}

/// By timestamps the delay is that of the last packet that left, and zero once the queue is empty.
#[test]
fn timestamps_give_the_delay() {
    let mut queue = pie(&VALUES, setting(unlimited()));
    let mut seen = Seen::default();
    let mut old_delay = |queue: &mut Pie<bool>, ms, leaves| {
        if leaves {
            assert!(queue.dequeue(MS * ms, &mut seen).is_some());
        } else {
            queue.enqueue(packet(ms, 1000, false), MS * ms, &mut seen);
        }
        queue.controller.old_delay
    };
    let steps = [(0, false), (1, false), (11, true), (15, false), (20, true), (29, true), (30, false)];
    let delays = steps.map(|(ms, leaves)| old_delay(&mut queue, ms, leaves));
    // At 15 ms the last one had waited 11 ms, at 30 ms none waits any more.
    assert_eq!(delays, [0, 0, 0, 11, 11, 11, 0].map(|ms| MS * ms));
    assert_eq!(old_delay(&mut queue, 44, true), Time::ZERO);
}

#[test]
fn a_full_queue_drops_what_comes() {
    let mut queue = pie(&with(&[(5, 1)]), setting(DropTail::new(Some(1), None)));
    let mut seen = Seen::default();
    queue.enqueue(packet(1, 1000, true), Time::ZERO, &mut seen);
    queue.enqueue(packet(2, 1000, true), Time::ZERO, &mut seen);
    assert_eq!(seen.dropped, [(PacketId::sent(2), DropCause::QueueFull)]);
}

/// A link of 1 ms a packet to which one comes each 0.9 ms: the tenth must go, and the delay is the target's.
fn overload(changes: &[(usize, u64)]) -> (f64, f64, u64) {
    let queue = pie(&with(changes), Setting { rng: rng(), ..setting(DropTail::new(Some(1000), None)) });
    let service = Box::new(Rate::from_bps(8_000_000));
    let mut link: Link<_> =
        Link::Packets(Box::new(PacketLink::new(LinkId(0), Box::new(queue), service, Time::ZERO, vec![])));
    let mut until = |numbers: std::ops::Range<u64>| {
        let now = |number| Time::from_us(900) * number;
        for number in numbers.clone() {
            let _ = link.send(now(number), &mut packet(number, 1000, true), &mut ());
            while link.receive(now(number)).is_some() {}
        }
        link.packet_counters(now(numbers.end - 1)).expect("it carries packets")
    };
    let (before, after) = (until(0..50_000), until(50_000..250_000));
    let per_packet = |count: u64| count as f64 / 200_000.0;
    let ps = (after.queued_packets_ps - before.queued_packets_ps) as f64;
    assert_eq!(after.packets_dropped, after.packets_dropped_early);
    let dropped = per_packet(after.packets_dropped - before.packets_dropped);
    (ps / (200_000.0 * 900e6), dropped, after.max_queued_packets)
}

#[test]
fn a_constant_overload_keeps_the_delay_at_the_target() {
    for (changes, target) in [(vec![], 15.0), (vec![(7, 1)], 15.0), (vec![(0, 30_000_000_000)], 30.0)] {
        let (waiting, dropped, longest) = overload(&changes);
        assert!((waiting - target).abs() < 1.5, "{target}: {waiting}");
        assert!((dropped - 0.1).abs() < 1e-3, "{dropped}");
        assert!(longest < 400, "{longest}");
    }
}

proptest! {
    /// Values may be anything that is allowed.
    #[test]
    fn whatever_the_values_nothing_vanishes(
        times in prop::array::uniform3(prop_oneof![1..100u64, 1..1_000_000_000_000_000_000u64]),
        gains in prop::array::uniform2(1..=1_000_000_000_000u64),
        (ecn, mark_ecnth, by_rate) in (0..2u64, 1..=1_000_000_000u64, 0..2u64),
        limit in 1usize..60,
        steps in prop::collection::vec((0u64..40_000_000_000_000, prop::option::of(1u32..1500)), 0..400),
    ) {
        let values = [times[0], times[1], gains[0], gains[1], times[2], ecn, mark_ecnth, by_rate];
        prop_assert_eq!(check(&values), None);
        let mut queue = pie(&values, setting(DropTail::new(Some(limit), None)));
        let steps = (0..).zip(steps).map(|(number, (pause, bytes))| {
            (Time::from_ps(pause), bytes.map(|bytes| packet(number, bytes, number % 2 == 0)))
        });
        nothing_vanishes(&mut queue, limit, steps, |queue| queue.controller.p <= ONE)?;
    }
}
