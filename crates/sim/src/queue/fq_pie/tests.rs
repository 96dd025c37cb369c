//! Flows apart from each other, the limits, and all queues with a timer beside it.

use super::*;
use crate::link::DropCause;
use crate::packet::PacketId;
use crate::queue::flows::tests::PlainTurns;
use crate::queue::pie::pseudo_code::{PseudoCode, pause, values};
use crate::queue::tests::{
    SPARSE, Seen, beside_a_sparse_flow, nothing_vanishes, of_flow, setting, steps_of_flows, unlimited,
    with_packets,
};
use crate::queue::{DefaultValue, DropTail, disciplines};
use proptest::prelude::*;

/// The defaults of PIE's parameters with these places changed.
fn of_pie(changes: &[(usize, u64)]) -> Vec<u64> {
    let mut values: Vec<u64> = pie::PARAMETERS.iter().map(|its| default(its.default)).collect();
    changes.iter().for_each(|&(place, value)| values[place] = value);
    values
}

fn default(its: DefaultValue) -> u64 {
    let DefaultValue::Is(value) = its else { unreachable!("each has a default") };
    value
}

/// With these values of PIE's parameters.
fn limited(of_pie: &[u64], memory_limit: u64, limits: DropTail) -> FqPie<bool> {
    FqPie::new(&[&[1024, 1514], of_pie, &[memory_limit]].concat(), &setting(limits))
}

fn fq_pie(of_pie: &[u64], limits: DropTail) -> FqPie<bool> {
    limited(of_pie, 32_000_000, limits)
}

#[test]
fn the_defaults_are_those_of_linux() {
    let row = row::<bool>();
    let values: Vec<u64> = row.parameters.iter().map(|its| default(its.default)).collect();
    assert_eq!([values[0], values[1], values[10]], [1024, 1514, 32_000_000]);
    let ms = |ms| Time::from_ms(ms).as_ps();
    assert_eq!(values[2..10], [ms(15), ms(15), 2_000_000 / 16, 20_000_000 / 16, ms(150), 0, 100_000_000, 0]);
    assert_eq!((row.limit, (row.check)(&values)), (Some(10_240), None));
    for wrong in [0, 1, 2, 3, 4, 5, 8, 10] {
        let changed: Vec<u64> =
            (0..).zip(&values).map(|(at, &its)| if at == wrong { 0 } else { its }).collect();
        assert!((row.check)(&changed).is_some(), "{wrong}");
    }
    let made = disciplines::<bool>().into_iter().find(|row| row.name == "fq_pie").map(|row| row.make);
    let Some(Make::Queue(make)) = made else { unreachable!("it is in the table") };
    assert_eq!(make(&values, &setting(unlimited())).len_packets(), 0);
}

/// A flow that builds no queue loses nothing for one that does: 2 packets of 1000 bytes come where one leaves.
#[test]
fn pie_drops_of_the_flow_that_waits() {
    for ecn in [0, 1] {
        let mut queue = fq_pie(&of_pie(&[(5, ecn)]), unlimited());
        let (seen, longest) = beside_a_sparse_flow(&mut queue, 4000);
        assert!(longest <= Time::from_ms(2), "{longest}");
        assert!(seen.dropped.len() > 100 && seen.marked.is_empty() == (ecn == 0), "{ecn}");
        let early: Vec<PacketId> = seen.dropped.iter().map(|&(id, _)| id).chain(seen.marked).collect();
        assert!(early.iter().all(|&id| id < PacketId::sent(SPARSE)));
        assert!(seen.dropped.iter().all(|dropped| dropped.1 == DropCause::QueueEarly));
    }
}

/// What comes to a full queue is dropped, by packets and by bytes, and nothing of the longest queue.
#[test]
fn a_full_queue_drops_what_comes() {
    for (limit, memory_limit) in [(Some(101), u64::MAX), (None, 100_100)] {
        let mut queue = limited(&of_pie(&[]), memory_limit, DropTail::new(limit, None));
        let mut seen = Seen::default();
        (0..100).for_each(|number| queue.enqueue(of_flow(1, number, 1000), Time::ZERO, &mut seen));
        queue.enqueue(of_flow(2, 100, 100), Time::ZERO, &mut seen);
        assert_eq!(seen, Seen::default());
        queue.enqueue(of_flow(2, 101, 1), Time::ZERO, &mut seen);
        assert_eq!(seen.dropped, [(PacketId::sent(101), DropCause::QueueFull)]);
        assert_eq!((queue.len_packets(), queue.len_bytes()), (101, 100_100));
    }
}

proptest! {
    /// All queues are updated at all times, with one stream of random numbers.
    #[test]
    fn agrees_with_a_timer_for_all_queues(
        values in prop_oneof![Just(of_pie(&[(5, 1)])), values()],
        limit in 1usize..300,
        (load, unit) in (30u8..90, 1u64..30),
        steps in prop::collection::vec((0u64..1000, 0u8..100, 0usize..7, 1u32..1500, any::<bool>()), 0..1000),
    ) {
        let mut queue = fq_pie(&values, DropTail::new(Some(limit), None));
        let mut rng = queue.rng.clone();
        let (mut flows, mut turns) = (vec![PseudoCode::new(&values); 4], PlainTurns::new(4, 1514));
        let (mut now, mut longest) = (Time::ZERO, 0);
        for (number, (drawn, kind, flow, bytes, is_capable)) in (0..).zip(steps) {
            now += pause(drawn, unit);
            let ps = now.as_ps();
            flows.iter_mut().for_each(|its| its.until(ps));
            let mut seen = Seen::default();
            let waiting: usize = flows.iter().map(|its| its.queue.len()).sum();
            if kind < load {
                longest = longest.max(u64::from(bytes));
                // More than half of the packets are of one flow.
                let flow = if flow < 4 { flow } else { 0 };
                let waits = (ps, number, bytes);
                let is_full = waiting == limit;
                let expected = flows[flow].enque(waits, is_capable, longest, is_full, &mut rng);
                if !matches!(expected, Verdict::Drop(_)) {
                    turns.enqueued(flow);
                }
                let its = Packet { payload: is_capable, ..of_flow(flow as u32, number, bytes) };
                queue.enqueue(its, now, &mut seen);
                prop_assert_eq!(seen.verdict(), expected);
            } else {
                let sent = queue.dequeue(now, &mut seen).map(|sent| sent.packet.id);
                let expected = turns.dequeue(|flow| {
                    let bytes = flows[flow].queue.first()?.2;
                    Some((flows[flow].deque(ps)?, bytes))
                });
                prop_assert_eq!(sent, expected.map(PacketId::sent));
                prop_assert_eq!(seen, Seen::default());
            }
            let waiting: usize = flows.iter().map(|its| its.queue.len()).sum();
            prop_assert_eq!(queue.len_packets(), waiting);
            prop_assert_eq!(queue.len_bytes(), flows.iter().map(PseudoCode::bytes).sum::<u64>());
        }
    }

    #[test]
    fn with_any_values_nothing_vanishes(values in values(), limit in 1usize..60, steps in steps_of_flows()) {
        let mut queue = fq_pie(&values, DropTail::new(Some(limit), None));
        nothing_vanishes(&mut queue, limit, with_packets(steps), |_| true)?;
    }
}
