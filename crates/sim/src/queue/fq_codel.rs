//! FQ-CoDel: a queue for each flow, each with its own CoDel.
//!
//! Source: RFC 8290 (sections 4.1 to 4.2 for queues and scheduler, 5.2 for the parameters); the batch of drops: Linux 6,
//! net/sched/sch_fq_codel.c. The scheduler is in `flows.rs`, CoDel in `codel.rs`.
//!
//! A packet joins the queue of its flow's hash. If then too many packets or bytes wait, packets are dropped at the head of the
//! fattest queue: half of its bytes, and 64 packets at most.
//!
//! Deviations and choices:
//! - A queue's CoDel drops nothing while that queue holds no more than the longest packet of all flows, as RFC 8289 has it.
//!   Linux compares all that waits in all queues with its MTU.
//! - Linux counts the packets of a batch as drops of the queue's CoDel; here they are not.
//! - Packets that can be are marked by default, as in Linux.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | flows, quantum, memory_limit, limits | as of `flows.rs` | 1024, 1514, 32 MB, 10,240 packets |
//! | target, interval, ce_threshold, control_law | as of CoDel | 5 ms, 100 ms, off, exact |
//! | ecn | yes or no | yes |

use super::codel::{self, Config, Controller};
use super::flows::{self, FlowQueues};
use super::{Discipline, Make, Parameter, QueueDiscipline, Queued, Setting, Sink};
use crate::link::DropCause;
use crate::packet::Packet;
use base::Time;
use rand::Rng;

#[cfg(test)]
mod tests;

/// Packets that are dropped at once at most.
const BATCH: usize = 64;

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "fq_codel",
        title: "FQ-CoDel",
        summary: "Gives each flow a queue of its own with CoDel; flows take turns, sparse ones first (RFC 8290).",
        parameters: PARAMETERS,
        limit: Some(flows::LIMIT),
        is_random: true,
        check,
        make: Make::Queue(make),
    }
}

const PARAMETERS: &[Parameter] = &[
    flows::FLOWS,
    flows::QUANTUM,
    codel::TARGET,
    codel::INTERVAL,
    Parameter::ecn(true),
    codel::CE_THRESHOLD,
    codel::CONTROL_LAW,
    flows::MEMORY_LIMIT,
];

fn check(values: &[u64]) -> Option<&'static str> {
    let &[flows, quantum, ref of_codel @ .., memory_limit] = values else { return None };
    flows::check([flows, quantum, memory_limit]).or_else(|| codel::check(of_codel))
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn QueueDiscipline<P>> {
    let &[flows, quantum, ref of_codel @ .., memory_limit] = values else {
        unreachable!("there is a value for each parameter")
    };
    let (values, key) = ([flows, quantum, memory_limit], setting.rng.clone().next_u64());
    Box::new(FqCoDel {
        config: Config::new(of_codel, setting),
        queues: FlowQueues::new(values, setting.limits, key, Controller::NEW),
    })
}

/// A queue for each flow, each with its own CoDel.
struct FqCoDel<P> {
    config: Config<P>,
    queues: FlowQueues<P, Controller>,
}

impl<P> FqCoDel<P> {
    fn drop_batch(&mut self, sink: &mut dyn Sink<P>) {
        let fattest = self.queues.fattest();
        self.queues.take(fattest, |queue| {
            let enough = queue.buffer.bytes() / 2;
            for _ in 0..BATCH {
                let Some(dropped) = queue.buffer.dequeue() else { return };
                sink.dropped(&dropped.packet, DropCause::QueueFull);
                if queue.buffer.bytes() <= enough {
                    return;
                }
            }
        });
    }
}

impl<P: Send> QueueDiscipline<P> for FqCoDel<P> {
    fn enqueue(&mut self, packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        let arrival = self.queues.arrival(&packet);
        self.queues.enqueue(arrival.number, packet, now);
        if !arrival.has_room {
            self.drop_batch(sink);
        }
    }

    fn dequeue(&mut self, now: Time, sink: &mut dyn Sink<P>) -> Option<Queued<P>> {
        let (config, longest) = (&self.config, self.queues.longest());
        self.queues.dequeue(|queue| queue.state.dequeue(config, (&mut queue.buffer, longest), now, sink))
    }

    fn len_packets(&self) -> usize {
        self.queues.packets()
    }

    fn len_bytes(&self) -> u64 {
        self.queues.bytes()
    }
}
