//! Tests of CAKE: what they share, its limits, and random steps in which nothing vanishes.

use super::*;
use crate::link::DropCause;
use crate::packet::{HostId, NodeId, PacketId};
use crate::queue::FlowEnd;
use crate::queue::tests::{Seen, packet, setting, unlimited};
use proptest::prelude::*;

mod departures;
mod pseudo_code;
mod sharing;

const US: Time = Time::from_us(1);

/// Values of the parameters by their places: "diffserv3" and "triple" are 0.
#[derive(Clone, Copy, Debug)]
struct Options {
    rate: u64,
    rtt: Time,
    priority: u64,
    isolation: u64,
    framing: u64,
    overhead: u64,
    mpu: u64,
    memory_limit: u64,
}

/// The defaults.
const OPTIONS: Options = Options {
    rate: OFF,
    rtt: Time::from_ms(100),
    priority: 0,
    isolation: 0,
    framing: 0,
    overhead: OFF,
    mpu: OFF,
    memory_limit: OFF,
};
/// At 8 Mbit/s a byte takes 1 us.
const SHAPED: Options = Options { rate: 8_000_000, ..OPTIONS };
const BEST_EFFORT: u64 = 2;
const FLOWS: u64 = 3;

/// With these ends of flows: node and DSCP of each host, by its number.
fn cake(options: Options, limits: DropTail, ends: &[(u32, u8)]) -> Cake<bool> {
    let end = |&(node, dscp)| FlowEnd { node: NodeId(node), dscp };
    let setting = Setting { ends: Ends::new(ends.iter().map(end)), ..setting(limits) };
    let Options { rate, rtt, priority, isolation, framing, overhead, mpu, memory_limit } = options;
    let values = [rate, rtt.as_ps(), priority, isolation, framing, overhead, mpu, memory_limit];
    assert_eq!(check(&values), None);
    Cake::new(&values, &setting)
}

/// A packet from one host to another that can be marked.
fn between(from: u32, to: u32, number: u64, bytes: u32) -> Packet<bool> {
    Packet { from: HostId(from), to: HostId(to), ..packet(number, bytes, true) }
}

fn id(sent: Option<Queued<bool>>) -> Option<PacketId> {
    sent.map(|sent| sent.packet.id)
}

/// The next packet over a link that is always ready, and when it is sent.
fn next(queue: &mut Cake<bool>, now: &mut Time, seen: &mut Seen) -> Option<Packet<bool>> {
    loop {
        if let Some(sent) = queue.dequeue(*now, seen) {
            return Some(sent.packet);
        }
        if queue.len_packets() == 0 {
            return None;
        }
        let ready = queue.ready_at(*now);
        assert!(*now < ready && ready < Time::NEVER, "{now} {ready}");
        *now = ready;
    }
}

#[test]
fn refuses_what_cannot_be() {
    let ms = Time::from_ms(100).as_ps();
    let problem = |values: [u64; 8]| check(&values).map(|problem| problem.split('`').nth(1).expect("a key"));
    assert_eq!(problem([OFF, ms, 0, 0, 0, OFF, OFF, OFF]), None);
    assert_eq!(problem([512, 1, 2, 7, 2, 65_535, 65_535, 1]), None);
    assert_eq!(problem([511, ms, 0, 0, 0, OFF, OFF, OFF]), Some("rate_bps"));
    assert_eq!(problem([OFF, 0, 0, 0, 0, OFF, OFF, OFF]), Some("rtt_ps"));
    assert_eq!(problem([OFF, ms, 0, 0, 0, 65_536, OFF, OFF]), Some("overhead_bytes"));
    assert_eq!(problem([OFF, ms, 0, 0, 0, OFF, 65_536, OFF]), Some("mpu_bytes"));
    assert_eq!(problem([OFF, ms, 0, 0, 0, OFF, OFF, 0]), Some("memory_limit_bytes"));
}

/// tc-cake(8) shows 5000000 bytes for 100 Mbit/s and 100 ms.
#[test]
fn the_memory_limit_suits_the_rate() {
    let rtt = Time::from_ms(100);
    assert_eq!(memory(Some(100_000_000), rtt), 5_000_000);
    assert_eq!(memory(Some(10_000_000), rtt), 4_194_304);
    assert_eq!(memory(None, rtt), u64::MAX);
    assert_eq!(memory(Some(u64::MAX - 1), Time::from_secs(1_000_000)), u64::MAX);
}

/// Ten packets of 1000 bytes fit: the eleventh costs the fattest flow its oldest packet, whoever sends it.
#[test]
fn a_full_memory_drops_the_head_of_the_fattest_flow() {
    for (memory_limit, limits) in [
        (10_000, unlimited()),
        (OFF, DropTail::new(Some(10), None)),
        (OFF, DropTail::new(None, Some(10_000))),
    ] {
        // The fattest is in another tin than the others.
        let mut queue = cake(Options { memory_limit, ..OPTIONS }, limits, &[(0, 8), (1, 0), (2, 46)]);
        let mut seen = Seen::default();
        let mut put = |from, number| {
            queue.enqueue(between(from, 3, number, 1000), Time::ZERO, &mut seen);
            seen.dropped.clone()
        };
        (0..8).for_each(|number| assert_eq!(put(0, number), []));
        assert_eq!([put(1, 8), put(2, 9)], [[], []]);
        let dropped = |numbers: std::ops::Range<u64>| {
            numbers.map(|n| (PacketId::sent(n), DropCause::QueueFull)).collect::<Vec<_>>()
        };
        assert_eq!([put(1, 10), put(0, 11), put(2, 12)], [dropped(0..1), dropped(0..2), dropped(0..3)]);
        assert_eq!((queue.len_packets(), queue.len_bytes()), (10, 10_000));
    }
}

/// Of flows of the same length that of the first tin pays.
#[test]
fn of_equal_flows_the_first_one_is_the_fattest() {
    for (first, second) in [(0, 1), (1, 0)] {
        let mut queue = cake(Options { memory_limit: 1000, ..OPTIONS }, unlimited(), &[(0, 0), (1, 46)]);
        let mut seen = Seen::default();
        queue.enqueue(between(first, 2, u64::from(first), 600), Time::ZERO, &mut seen);
        queue.enqueue(between(second, 2, u64::from(second), 600), Time::ZERO, &mut seen);
        assert_eq!(seen.dropped, [(PacketId::sent(0), DropCause::QueueFull)]);
    }
}

#[test]
fn a_packet_that_never_fits_is_dropped() {
    let mut queue = cake(Options { memory_limit: 999, ..OPTIONS }, unlimited(), &[]);
    let mut seen = Seen::default();
    queue.enqueue(between(0, 1, 0, 1000), Time::ZERO, &mut seen);
    assert_eq!(seen.dropped, [(PacketId::sent(0), DropCause::QueueFull)]);
    assert_eq!((id(queue.dequeue(Time::ZERO, &mut seen)), queue.len_bytes()), (None, 0));
}

/// An unresponsive flow that overflows its queue meets BLUE: of 1000 packets at p = 1/256 about four are dropped.
#[test]
fn each_flow_has_its_own_cobalt() {
    let limits = DropTail::new(Some(1000), None);
    let mut queue = cake(Options { priority: BEST_EFFORT, ..OPTIONS }, limits, &[]);
    let mut seen = Seen::default();
    (0..=1000).for_each(|number| queue.enqueue(between(0, 1, number, 1000), Time::ZERO, &mut seen));
    assert_eq!(seen.dropped.len(), 1);
    while queue.dequeue(Time::ZERO, &mut seen).is_some() {}
    let early = seen.dropped.iter().filter(|dropped| dropped.1 == DropCause::QueueEarly).count();
    assert!((1..14).contains(&early), "{early}");
    // One that waits for long is marked: it has a queue with no overflows.
    seen = Seen::default();
    (0..100).for_each(|number| queue.enqueue(between(2, 3, number, 1000), Time::ZERO, &mut seen));
    while queue.dequeue(Time::from_ms(500), &mut seen).is_some() {}
    assert!(seen.dropped.is_empty() && !seen.marked.is_empty(), "{seen:?}");
}

fn options() -> impl Strategy<Value = Options> {
    let size = || prop_oneof![Just(OFF), 1u64..2000];
    let rate = prop_oneof![Just(OFF), 512u64..10_000, 100_000u64..50_000_000];
    let memory_limit = prop_oneof![2 => Just(OFF), 1 => 1u64..30_000];
    (rate, 1u64..200, (0u64..3, 0u64..8, 0u64..3), size(), size(), memory_limit).prop_map(
        |(rate, ms, (priority, isolation, framing), overhead, mpu, memory_limit)| {
            let rtt = Time::from_ms(ms);
            Options { rate, rtt, priority, isolation, framing, overhead, mpu, memory_limit }
        },
    )
}

/// A pause in us, and either a packet that comes (its sender, bytes, whether it can be marked) or one that may leave.
type Step = (u64, Option<(u32, u32, bool)>);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let pause = prop_oneof![8 => 0u64..200, 4 => 0u64..3_000, 1 => 0u64..400_000];
    let packet = prop::option::weighted(0.55, (0u32..7, 1u32..1515, any::<bool>()));
    prop::collection::vec((pause, packet), 0..500)
}

/// Hosts 0 to 6 send: three from one node, two tins of each kind, and two to the same node.
const ENDS: [(u32, u8); 14] = [
    (1, 0),
    (1, 0),
    (1, 46),
    (2, 0),
    (3, 8),
    (4, 38),
    (4, 0),
    (5, 0),
    (6, 0),
    (6, 0),
    (7, 0),
    (7, 0),
    (7, 0),
    (5, 0),
];

fn from_host((host, bytes, capable): (u32, u32, bool), number: u64) -> Packet<bool> {
    Packet { payload: capable, ..between(host, host + 7, number, bytes) }
}

proptest! {
    /// What was enqueued is waiting, sent or dropped; packets of a flow keep their order; and a link that is always ready
    /// sends no packet before the one before it has taken its time at the rate.
    #[test]
    fn nothing_vanishes_and_the_shaper_keeps_its_rate(options in options(), limit in 1usize..60, steps in steps()) {
        let mut queue = cake(options, DropTail::new(Some(limit), None), &ENDS);
        let (mut now, mut seen) = (Time::ZERO, Seen::default());
        let (mut offered, mut sent): (usize, Vec<(HostId, PacketId)>) = (0, vec![]);
        let mut earliest = Time::ZERO;
        for (number, (pause, step)) in (0..).zip(steps) {
            let until = now + US * pause;
            loop {
                if let Some(head) = queue.dequeue(now, &mut seen) {
                    prop_assert!(now >= earliest);
                    let rate = Rate::from_bps(if options.rate == OFF { u64::MAX } else { options.rate });
                    earliest = now + rate.time_for(queue.framing.length(head.packet.bytes));
                    let last = sent.iter().rev().find(|its| its.0 == head.packet.from);
                    prop_assert!(last.is_none_or(|its| its.1 < head.packet.id));
                    sent.push((head.packet.from, head.packet.id));
                } else if queue.len_packets() > 0 && queue.ready_at(now) <= until {
                    now = queue.ready_at(now);
                } else {
                    break;
                }
            }
            now = until;
            if let Some(step) = step {
                queue.enqueue(from_host(step, number), now, &mut seen);
                offered += 1;
            }
            prop_assert!(queue.len_packets() <= limit);
            prop_assert!(options.memory_limit == OFF || queue.len_bytes() <= options.memory_limit);
            prop_assert_eq!(queue.len_packets() + sent.len() + seen.dropped.len(), offered);
        }
    }
}
