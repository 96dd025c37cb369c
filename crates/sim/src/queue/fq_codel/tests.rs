//! Sparse flows, batches of drops, marks, and the text of RFC 8290 written down once more.

use super::*;
use crate::packet::{HostId, PacketId};
use crate::queue::codel::tests::PseudoCode;
use crate::queue::flows::{queue_of, tests::PlainTurns};
use crate::queue::tests::{
    SPARSE, Seen, beside_a_sparse_flow, ids, nothing_vanishes, of_flow, setting, steps_of_flows, unlimited,
    with_packets,
};
use crate::queue::{DropTail, OFF};
use proptest::prelude::*;

/// So that no two of the first six flows share a queue.
const QUEUES: u64 = 1024;
const QUANTUM: u64 = 1514;

/// With the defaults, but for ECN and the limits.
fn limited(ecn: bool, memory_limit: u64, limits: DropTail) -> Box<dyn QueueDiscipline<bool>> {
    let (target, interval) = (Time::from_ms(5).as_ps(), Time::from_ms(100).as_ps());
    let values = [QUEUES, QUANTUM, target, interval, u64::from(ecn), OFF, 0, memory_limit];
    assert_eq!(check(&values), None);
    make(&values, &setting(limits))
}

fn fq_codel(limits: DropTail, ecn: bool) -> Box<dyn QueueDiscipline<bool>> {
    limited(ecn, 32_000_000, limits)
}

/// M35: a packet of 64 bytes every 20 ms waits for what is being sent, and no longer than a quantum of each bulk flow takes
/// (RFC 8290). Five flows keep 50 packets of 1514 bytes each in the queue of a link of 10 Mbit/s.
#[test]
fn a_sparse_flow_waits_no_longer_than_a_quantum_of_each() {
    let mut queue = fq_codel(unlimited(), true);
    let serialization = |bytes: u32| Time::from_ps(u64::from(bytes) * 800_000);
    let (mut now, mut next_sparse, mut number) = (Time::ZERO, Time::ZERO, 0);
    let mut seen = Seen::default();
    let mut longest = Time::ZERO;
    let mut waiting = [0; 5];
    while now < Time::from_secs(10) {
        for flow in 0..5 {
            while waiting[flow as usize] < 50 {
                number += 1;
                waiting[flow as usize] += 1;
                queue.enqueue(of_flow(flow, number, 1514), now, &mut seen);
            }
        }
        let sent = queue.dequeue(now, &mut seen).expect("bulk flows wait");
        let ends = now + serialization(sent.packet.bytes);
        if sent.packet.from == HostId(99) {
            longest = longest.max(now - sent.since);
        } else {
            waiting[sent.packet.from.0 as usize] -= 1;
        }
        while next_sparse <= ends {
            number += 1;
            queue.enqueue(of_flow(99, number, 64), next_sparse.max(now), &mut seen);
            next_sparse += Time::from_ms(20);
        }
        now = ends;
    }
    assert!(longest > Time::ZERO && longest <= serialization(5 * 1514), "{longest}");
}

/// 100 packets may wait: the 101st lets the fattest queue lose half of its bytes at its head, and at most 64 packets.
#[test]
fn a_full_queue_drops_a_batch_of_the_fattest_flow() {
    let mut queue = fq_codel(DropTail::new(Some(200), None), true);
    let mut seen = Seen::default();
    (0..180).for_each(|number| queue.enqueue(of_flow(1, number, 1000), Time::ZERO, &mut seen));
    (180..200).for_each(|number| queue.enqueue(of_flow(2, number, 1000), Time::ZERO, &mut seen));
    assert_eq!(seen, Seen::default());
    queue.enqueue(of_flow(2, 200, 1000), Time::ZERO, &mut seen);
    let expected: Vec<_> = (0..64).map(|n| (PacketId::sent(n), DropCause::QueueFull)).collect();
    assert_eq!(seen.dropped, expected);
    (201..264).for_each(|number| queue.enqueue(of_flow(2, number, 1000), Time::ZERO, &mut seen));
    assert_eq!((seen.dropped.len(), queue.len_packets()), (64, 200));
    queue.enqueue(of_flow(3, 264, 1000), Time::ZERO, &mut seen);
    assert_eq!((seen.dropped.len(), queue.len_packets()), (64 + 58, 201 - 58), "half of 116");
}

/// A flow that builds no queue is not marked for one that does.
#[test]
fn codel_marks_the_flow_that_waits() {
    let (seen, _) = beside_a_sparse_flow(&mut *fq_codel(unlimited(), true), 1000);
    assert!(seen.dropped.is_empty() && seen.marked.len() > 10, "{} marks", seen.marked.len());
    assert!(seen.marked.iter().all(|&id| id < PacketId::sent(SPARSE)));
}

/// RFC 8290 with lists: the turns of `flows.rs`, and for each flow the pseudo-code of CoDel.
struct Plain {
    flows: Vec<PseudoCode>,
    /// The number of each flow's queue.
    numbers: Vec<usize>,
    turns: PlainTurns,
    limits: (usize, u64),
    full: Vec<u64>,
}

impl Plain {
    fn new(flows: u32, ecn: bool, limits: (usize, u64)) -> Self {
        let key = setting(unlimited()).rng.next_u64();
        let number = |flow| queue_of(&of_flow(flow, 0, 0), key, QUEUES as usize);
        let numbers: Vec<usize> = (0..flows).map(number).collect();
        let turns = PlainTurns::new(numbers.len(), QUANTUM);
        Self { flows: vec![PseudoCode::new(ecn); numbers.len()], numbers, turns, limits, full: vec![] }
    }

    fn packets(&self) -> usize {
        self.flows.iter().map(|flow| flow.q.len()).sum()
    }

    fn bytes(&self) -> u64 {
        self.flows.iter().map(PseudoCode::bytes).sum()
    }

    fn enqueue(&mut self, flow: usize, waits: (u64, u64, u64, bool)) {
        self.flows.iter_mut().for_each(|each| each.maxpacket = each.maxpacket.max(waits.2));
        self.flows[flow].q.push(waits);
        self.turns.enqueued(flow);
        if self.packets() > self.limits.0 || self.bytes() > self.limits.1 {
            self.drop_batch();
        }
    }

    fn drop_batch(&mut self) {
        let most = self.flows.iter().map(PseudoCode::bytes).max().unwrap();
        let are_fattest = (0..self.flows.len()).filter(|&flow| self.flows[flow].bytes() == most);
        let fattest = are_fattest.min_by_key(|&flow| self.numbers[flow]).unwrap();
        let q = &mut self.flows[fattest].q;
        let mut dropped = 0;
        for _ in 0..64 {
            let first = q.remove(0);
            self.full.push(first.1);
            dropped += first.2;
            if dropped >= most.div_ceil(2) {
                break;
            }
        }
    }

    fn dequeue(&mut self, now: u64) -> Option<u64> {
        let flows = &mut self.flows;
        self.turns.dequeue(|flow| {
            let waiting = flows[flow].q.clone();
            let sent = flows[flow].deque(i128::from(now))?;
            let its = waiting.iter().find(|waits| waits.1 == sent).unwrap();
            Some((sent, its.2 as u32))
        })
    }

    /// What CoDel has dropped since the last call, and what it has marked.
    fn signals(&mut self) -> [Vec<u64>; 2] {
        let take = |list: fn(&mut PseudoCode) -> &mut Vec<u64>, flows: &mut [PseudoCode]| {
            flows.iter_mut().flat_map(|flow| std::mem::take(list(flow))).collect()
        };
        [take(|flow| &mut flow.dropped, &mut self.flows), take(|flow| &mut flow.marked, &mut self.flows)]
    }
}

proptest! {
    /// Bursts of arrivals of four flows, departures, pauses and overloads, against the text of the RFC.
    #[test]
    fn agrees_with_the_rfc(
        ecn: bool,
        limits in (prop_oneof![1usize..20, 20usize..300], prop_oneof![Just(32_000_000u64), 1u64..60_000]),
        load in 40u8..70,
        steps in prop::collection::vec((0u64..60, 0u8..100, 0usize..7, 1u32..1500, any::<bool>()), 0..1000),
    ) {
        let mut queue = limited(ecn, limits.1, DropTail::new(Some(limits.0), None));
        let mut plain = Plain::new(4, ecn, limits);
        let mut now = Time::from_ms(1);
        for (number, (pause, kind, flow, bytes, capable)) in (0..).zip(steps) {
            // A few steps follow after a second, most after a millisecond or two.
            now += match pause { 0 => Time::from_secs(1), _ => Time::from_us(50 * pause) };
            let mut seen = Seen::default();
            if kind < load {
                // More than half of the packets are of one flow.
                let flow = if flow < 4 { flow } else { 0 };
                let its = Packet { payload: capable, ..of_flow(flow as u32, number, bytes) };
                queue.enqueue(its, now, &mut seen);
                plain.enqueue(flow, (now.as_ps(), number, u64::from(bytes), capable));
                let dropped = std::mem::take(&mut plain.full);
                let expected = ids(&dropped).into_iter().map(|id| (id, DropCause::QueueFull));
                prop_assert_eq!(seen, Seen { dropped: expected.collect(), marked: vec![] });
            } else {
                let sent = queue.dequeue(now, &mut seen).map(|sent| sent.packet.id);
                prop_assert_eq!(sent, plain.dequeue(now.as_ps()).map(PacketId::sent));
                // Several queues may have dropped, and have done so in the order of their turns.
                let mut dropped = seen.dropped_ids();
                dropped.sort();
                let [mut expected, marked] = plain.signals();
                expected.sort_unstable();
                prop_assert_eq!(dropped, ids(&expected));
                prop_assert_eq!(seen.marked, ids(&marked));
            }
            prop_assert_eq!((queue.len_packets(), queue.len_bytes()), (plain.packets(), plain.bytes()));
        }
    }

    #[test]
    fn with_any_limit_nothing_vanishes(limit in 1usize..60, steps in steps_of_flows()) {
        let mut queue = fq_codel(DropTail::new(Some(limit), None), false);
        nothing_vanishes(&mut *queue, limit, with_packets(steps), |_| true)?;
    }
}
