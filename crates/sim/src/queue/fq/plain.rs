//! The order of operations of Linux's fq once more, with plain lists.

use super::*;
use crate::packet::{HostId, NodeId, PacketId};
use crate::queue::tests::{Seen, ids, packet};
use crate::queue::{DropTail, Ends, FlowEnd};
use proptest::prelude::*;

/// DSCPs of the flows: two in the middle band, and one in each other.
const DSCPS: [u8; 5] = [0, 46, 8, 0, 48];
const PRIO2BAND: [usize; 5] = [1, 0, 2, 1, 0];

const SECOND: i128 = 1_000_000_000_000;

/// Where a flow is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Detached(i128),
    Listed,
    Throttled,
}

struct PlainFlow {
    /// When each packet came, its number, its length, and whether it can be marked.
    q: Vec<(i128, u64, i128, bool)>,
    credit: i128,
    time_next_packet: i128,
    place: Place,
}

/// The parameters, in ps, bytes and bit/s; very large if off.
#[derive(Clone, Copy, Debug)]
struct Parameters {
    quantum: i128,
    initial_quantum: i128,
    flow_plimit: usize,
    max_rate: i128,
    low_rate_threshold: i128,
    refill_delay: i128,
    ce_threshold: i128,
    limit: usize,
}

struct Plain {
    its: Parameters,
    flows: Vec<Option<PlainFlow>>,
    new_flows: [Vec<usize>; 3],
    old_flows: [Vec<usize>; 3],
    credit: [i128; 3],
    band_nr: usize,
    /// Throttled flows, with the earliest first.
    delayed: Vec<(i128, usize)>,
    dropped: Vec<u64>,
    marked: Vec<u64>,
}

impl Plain {
    fn new(its: Parameters) -> Self {
        Self {
            its,
            flows: (0..5).map(|_| None).collect(),
            new_flows: Default::default(),
            old_flows: Default::default(),
            credit: [0; 3],
            band_nr: 0,
            delayed: vec![],
            dropped: vec![],
            marked: vec![],
        }
    }

    fn qlen(&self) -> usize {
        self.flows.iter().flatten().map(|flow| flow.q.len()).sum()
    }

    fn enqueue(&mut self, i: usize, number: u64, bytes: i128, capable: bool, now: i128) {
        if self.qlen() >= self.its.limit {
            return self.dropped.push(number);
        }
        let age = |flow: &PlainFlow| match flow.place {
            Place::Detached(since) => now - since,
            _ => 0,
        };
        if self.flows[i].as_ref().is_none_or(|flow| age(flow) > 3 * SECOND) {
            let (credit, place) = (self.its.initial_quantum, Place::Detached(now));
            self.flows[i] = Some(PlainFlow { q: vec![], credit, time_next_packet: 0, place });
        }
        let flow = self.flows[i].as_mut().unwrap();
        if flow.q.len() >= self.its.flow_plimit {
            return self.dropped.push(number);
        }
        if let Place::Detached(since) = flow.place {
            self.new_flows[PRIO2BAND[i]].push(i);
            flow.place = Place::Listed;
            if now > since + self.its.refill_delay {
                flow.credit = flow.credit.max(self.its.quantum);
            }
        }
        flow.q.push((now, number, bytes, capable));
    }

    fn check_throttled(&mut self, now: i128) {
        while let Some(&(time, i)) = self.delayed.first().filter(|first| first.0 <= now) {
            self.delayed.remove(0);
            assert_eq!(time, self.flows[i].as_ref().unwrap().time_next_packet);
            self.flows[i].as_mut().unwrap().place = Place::Listed;
            self.old_flows[PRIO2BAND[i]].push(i);
        }
    }

    fn dequeue(&mut self, now: i128) -> Option<u64> {
        if self.qlen() == 0 {
            return None;
        }
        self.check_throttled(now);
        let mut retry = 0;
        loop {
            let band = self.band_nr;
            if self.credit[band] <= 0 || (self.new_flows[band].is_empty() && self.old_flows[band].is_empty())
            {
                retry += 1;
                if retry > 3 {
                    return None;
                }
                loop {
                    self.band_nr = (self.band_nr + 1) % 3;
                    let quantum = [589_824, 196_608, 65_536][self.band_nr];
                    self.credit[self.band_nr] = quantum.min(self.credit[self.band_nr] + quantum);
                    if self.credit[self.band_nr] > 0 {
                        break;
                    }
                    retry = 1;
                }
                continue;
            }
            retry = 0;
            let from_new = !self.new_flows[band].is_empty();
            let head = if from_new { &mut self.new_flows[band] } else { &mut self.old_flows[band] };
            let i = head[0];
            let flow = self.flows[i].as_mut().unwrap();
            if flow.credit <= 0 {
                flow.credit += self.its.quantum;
                head.remove(0);
                self.old_flows[band].push(i);
                continue;
            }
            let Some(&(came, number, bytes, capable)) = flow.q.first() else {
                head.remove(0);
                if from_new {
                    self.old_flows[band].push(i);
                } else {
                    flow.place = Place::Detached(now);
                }
                continue;
            };
            let time_next_packet = came.max(flow.time_next_packet);
            if now < time_next_packet {
                head.remove(0);
                flow.time_next_packet = time_next_packet;
                flow.place = Place::Throttled;
                let at = self.delayed.iter().position(|other| other.0 > time_next_packet);
                self.delayed.insert(at.unwrap_or(self.delayed.len()), (time_next_packet, i));
                continue;
            }
            flow.q.remove(0);
            if now - time_next_packet - self.its.ce_threshold > 0 && capable {
                self.marked.push(number);
            }
            flow.credit -= bytes;
            self.credit[band] -= bytes;
            self.set_next_time(i, bytes, now);
            return Some(number);
        }
    }

    fn set_next_time(&mut self, i: usize, bytes: i128, now: i128) {
        let (its, flow) = (self.its, self.flows[i].as_mut().unwrap());
        let mut plen = bytes;
        if its.max_rate <= its.low_rate_threshold {
            flow.credit = 0;
        } else {
            plen = plen.max(its.quantum);
            if flow.credit > 0 {
                return;
            }
        }
        if its.max_rate < i128::from(OFF) {
            // Rounded to the nearest.
            let len = (16 * plen * SECOND + its.max_rate) / (2 * its.max_rate);
            let mut len = len.min(SECOND);
            if flow.time_next_packet > 0 {
                len -= (len / 2).min(now - flow.time_next_packet);
            }
            flow.time_next_packet = now + len;
        }
    }
}

fn parameters() -> impl Strategy<Value = [u64; 7]> {
    let ms = |range: std::ops::Range<u64>| range.prop_map(|ms| Time::from_ms(ms).as_ps());
    (
        prop_oneof![1u64..200, 200u64..4000],
        0u64..16_000,
        1u64..20,
        prop_oneof![Just(OFF), 1_000u64..550_001, 550_000u64..100_000_000],
        prop_oneof![Just(0), Just(550_000)],
        ms(0..100),
        prop_oneof![Just(OFF), ms(0..20)],
    )
        .prop_map(|(a, b, c, d, e, f, g)| [a, b, c, d, e, f, g])
}

fn queue(values: [u64; 7], limit: usize) -> Box<dyn QueueDiscipline<bool>> {
    let ends = DSCPS.map(|dscp| FlowEnd { node: NodeId(0), dscp });
    let limits = DropTail::new(Some(limit), None);
    assert_eq!(check(&values), None);
    make(&values, &Setting { ends: Ends::new(ends), ..crate::queue::tests::setting(limits) })
}

/// Lengths of packets, some of which exceed what a band may send in its turn.
fn lengths() -> impl Strategy<Value = u32> {
    prop_oneof![40 => 1u32..2000, 1 => 30_000u32..300_000]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// Random arrivals of flows in all bands, dequeues, also just when a flow may send, and pauses. What was enqueued
    /// is sent, dropped or waiting.
    #[test]
    fn agrees_with_plain_lists(
        values in parameters(),
        limit in 1usize..80,
        steps in prop::collection::vec((0u64..200, 0u8..20, 0usize..5, lengths(), any::<bool>()), 0..400),
    ) {
        let [quantum, initial_quantum, flow_plimit, max_rate, low_rate_threshold, refill_delay, ce_threshold] = values;
        let mut queue = queue(values, limit);
        let mut plain = Plain::new(Parameters {
            quantum: i128::from(quantum),
            initial_quantum: i128::from(initial_quantum),
            flow_plimit: flow_plimit as usize,
            max_rate: i128::from(max_rate),
            low_rate_threshold: i128::from(low_rate_threshold),
            refill_delay: i128::from(refill_delay),
            ce_threshold: i128::from(ce_threshold),
            limit,
        });
        let (mut now, mut seen, mut offered, mut sent) = (Time::ZERO, Seen::default(), 0, 0);
        for (number, (pause, kind, flow, bytes, capable)) in (0..).zip(steps) {
            now += match pause {
                0 => Time::from_secs(4),
                1..20 => Time::from_ms(pause * 3),
                _ => Time::from_us(pause),
            };
            if kind < 10 {
                offered += 1;
                let packet = Packet { from: HostId(flow as u32), ..packet(number, bytes, capable) };
                queue.enqueue(packet, now, &mut seen);
                plain.enqueue(flow, number, i128::from(bytes), capable, i128::from(now.as_ps()));
                continue;
            }
            for _ in 10..=kind {
                let next = queue.dequeue(now, &mut seen).map(|sent| sent.packet.id);
                prop_assert_eq!(next, plain.dequeue(i128::from(now.as_ps())).map(PacketId::sent));
                sent += usize::from(next.is_some());
                if next.is_none() && queue.len_packets() > 0 {
                    let ready = queue.ready_at(now);
                    prop_assert_eq!(i128::from(ready.as_ps()), plain.delayed[0].0);
                    prop_assert!(ready > now);
                    now = ready;
                }
            }
            prop_assert_eq!(queue.len_packets(), plain.qlen());
            prop_assert_eq!(queue.len_packets() + sent + seen.dropped.len(), offered);
        }
        prop_assert!(seen.dropped.iter().all(|dropped| dropped.1 == DropCause::QueueFull));
        prop_assert_eq!(seen.dropped_ids(), ids(&plain.dropped));
        prop_assert_eq!(&seen.marked, &ids(&plain.marked));
    }
}
