//! Instructions of disciplines with a queue for each flow, alone and with many flows. Run with `make bench`.
//!
//! Each case makes 10,000 steps after it has filled the queue. In a step a packet of the next flow comes, and one leaves.
//! With an overload two come for each that leaves, and the queue is full: it drops one for each step. A step takes a
//! ten-thousandth of what is shown. Filling the queue does not count.
//!
//! FQ-CoDel has 1024 queues, for which flows compete if there are more, or 65,536.

#![allow(missing_docs, reason = "the macros make items without documentation")]

use base::{Ecn, Rate, Time};
use gungraun::{library_benchmark, library_benchmark_group, main};
use sim::link::DropCause;
use sim::queue::{DefaultValue, DropTail, Ends, Make, OFF, QueueDiscipline, Setting, Sink, disciplines};
use sim::rng::Streams;
use sim::{HostId, Packet, PacketId};
use std::hint::black_box;

const STEPS: u64 = 10_000;
/// Packets that may wait: the default of FQ-CoDel.
const LIMIT: u64 = 10_240;
/// The place of "flows" among the isolations of CAKE.
const FLOWS: u64 = 3;

struct Load {
    queue: Box<dyn QueueDiscipline<()>>,
    flows: u64,
    /// Packets that come in a step.
    arrivals: u64,
    sent: u64,
    now: Time,
}

struct Dropped(u64);

impl Sink<()> for Dropped {
    fn dropped(&mut self, _: &Packet<()>, _: DropCause) {
        self.0 += 1;
    }

    fn marked(&mut self, _: &Packet<()>) {}
}

/// FQ-CoDel with so many queues, which contain so many packets of so many flows; `arrivals` in each step.
fn fq_codel(queues: u64, flows: u64, waiting: u64, arrivals: u64) -> Load {
    // No step takes so long: CoDel drops nothing.
    let long = Time::from_secs(1000).as_ps();
    let changes = [("flows", queues), ("target", long), ("interval", long)];
    load("fq_codel", &changes, (flows, waiting, arrivals))
}

/// CAKE, which has 1024 queues for best effort. All flows are between the same hosts: with another isolation each turn of a
/// flow would be a part of a quantum, so that a packet would take as many turns as there are flows.
fn cake(flows: u64, waiting: u64, arrivals: u64) -> Load {
    let changes = [("rtt", Time::from_secs(20_000).as_ps()), ("isolation", FLOWS)];
    load("cake", &changes, (flows, waiting, arrivals))
}

/// A discipline with its defaults, but for these parameters.
fn load(name: &str, changes: &[(&str, u64)], (flows, waiting, arrivals): (u64, u64, u64)) -> Load {
    let row = disciplines::<()>().into_iter().find(|row| row.name == name).expect("a discipline");
    let value = |its: &sim::queue::Parameter| {
        let changed = changes.iter().find(|change| change.0 == its.name).map(|change| change.1);
        changed.unwrap_or(match its.default {
            DefaultValue::Is(value) => value,
            DefaultValue::Off | DefaultValue::Auto => OFF,
        })
    };
    let values: Vec<u64> = row.parameters.iter().map(value).collect();
    assert_eq!((row.check)(&values), None);
    let Make::Queue(make) = row.make else { unreachable!("it decides at departures too") };
    let setting = Setting {
        rate: Rate::from_bps(1_000_000_000),
        limits: DropTail::new(Some(LIMIT as usize), None),
        ecn: |()| Ecn::NotEct,
        mark: |()| false,
        rng: Streams::new(1).named("queue"),
        ends: Ends::default(),
    };
    let mut load = Load { queue: make(&values, &setting), flows, arrivals, sent: 0, now: Time::ZERO };
    (0..waiting).for_each(|_| load.arrive(&mut Dropped(0)));
    load
}

impl Load {
    fn arrive(&mut self, dropped: &mut Dropped) {
        let (id, from) = (PacketId::sent(self.sent), HostId((self.sent % self.flows) as u32));
        let packet = Packet { id, from, to: HostId(u32::MAX), flow: 0, bytes: 1500, payload: () };
        self.queue.enqueue(packet, self.now, dropped);
        self.sent += 1;
    }
}

#[library_benchmark]
#[bench::fq_codel_with_10_flows(fq_codel(1024, 10, 1000, 1))]
#[bench::fq_codel_with_1000_flows(fq_codel(1024, 1000, 1000, 1))]
#[bench::fq_codel_with_10000_flows(fq_codel(1024, 10_000, 10_000, 1))]
#[bench::fq_codel_with_10000_flows_apart(fq_codel(65_536, 10_000, 10_000, 1))]
#[bench::fq_codel_overloaded_by_10_flows(fq_codel(1024, 10, LIMIT, 2))]
#[bench::fq_codel_overloaded_by_1000_flows(fq_codel(1024, 1000, LIMIT, 2))]
#[bench::fq_codel_overloaded_by_10000_flows(fq_codel(1024, 10_000, LIMIT, 2))]
#[bench::fq_codel_overloaded_by_10000_flows_apart(fq_codel(65_536, 10_000, LIMIT, 2))]
#[bench::cake_with_10_flows(cake(10, 100, 1))]
#[bench::cake_with_1000_flows(cake(1000, 100, 1))]
#[bench::cake_overloaded_by_10_flows(cake(10, LIMIT, 2))]
#[bench::cake_overloaded_by_1000_flows(cake(1000, LIMIT, 2))]
fn steps(mut load: Load) -> (u64, Load) {
    let mut dropped = Dropped(0);
    for _ in 0..STEPS {
        load.now += Time::from_us(12);
        (0..load.arrivals).for_each(|_| load.arrive(&mut dropped));
        black_box(load.queue.dequeue(load.now, &mut dropped));
    }
    (dropped.0, load)
}

library_benchmark_group!(name = queue, benchmarks = steps);
main!(library_benchmark_groups = queue);
