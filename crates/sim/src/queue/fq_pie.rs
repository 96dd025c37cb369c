//! FQ-PIE: a queue for each flow, each with its own PIE.
//!
//! Source: Linux 6, net/sched/sch_fq_pie.c; RFC 8033 for PIE, which is in `pie.rs`; RFC 8290, sections 4.1 to 4.2, for the
//! scheduler, which is in `flows.rs`.
//!
//! A packet comes to the queue of its flow's hash. It is dropped if too many packets or bytes wait in all queues together.
//! Else that queue's PIE decides, by what waits there.
//!
//! Deviations and choices:
//! - Linux updates all queues by a timer, 2048 of them at once at most. Here a queue makes up for its updates when a packet
//!   comes or its turn does, so that an idle queue costs nothing. All queues are updated at the same times, as in Linux.
//! - In Linux `memory_limit` is only counted: what exceeds it is still enqueued. Here it is dropped.
//! - The longest packet of all flows stands for the MTU.
//! - The controller is that of `pie.rs`, with its deviations, not Linux's.
//! - Marks are off by default, as in Linux; FQ-CoDel has them on there, and here too.
//! - A packet that comes to a full queue is dropped, as in Linux; nothing is taken from a longer queue.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | flows, quantum, memory_limit, limits | as of `flows.rs` | 1024, 1514, 32 MB, 10,240 packets |
//! | target, t_update, alpha, beta, max_burst, ecn, mark_ecnth, delay | as of PIE | as of PIE |

use super::flows::{self, Arrival, FlowQueues};
use super::pie::{self, Config, Controller, Found};
use super::{Discipline, Make, Parameter, QueueDiscipline, Queued, Setting, Sink, Verdict};
use crate::packet::Packet;
use base::Time;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

#[cfg(test)]
mod tests;

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "fq_pie",
        title: "FQ-PIE",
        summary: "Gives each flow a queue of its own with PIE; flows take turns, sparse ones first (Linux).",
        parameters: PARAMETERS,
        limit: Some(flows::LIMIT),
        is_random: true,
        check,
        make: Make::Queue(make),
    }
}

const PARAMETERS: &[Parameter] = {
    let [target, t_update, alpha, beta, max_burst, ecn, mark_ecnth, delay] = pie::PARAMETERS;
    let (flows, quantum, memory_limit) = (flows::FLOWS, flows::QUANTUM, flows::MEMORY_LIMIT);
    &[flows, quantum, target, t_update, alpha, beta, max_burst, ecn, mark_ecnth, delay, memory_limit]
};

fn check(values: &[u64]) -> Option<&'static str> {
    let &[flows, quantum, ref of_pie @ .., memory_limit] = values else { return None };
    flows::check([flows, quantum, memory_limit]).or_else(|| pie::check(of_pie))
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn QueueDiscipline<P>> {
    Box::new(FqPie::new(values, setting))
}

/// A queue for each flow, each with its own controller.
struct FqPie<P> {
    config: Config<P>,
    rng: ChaCha8Rng,
    queues: FlowQueues<P, Controller>,
}

impl<P> FqPie<P> {
    fn new(values: &[u64], setting: &Setting<P>) -> Self {
        let &[flows, quantum, ref of_pie @ .., memory_limit] = values else {
            unreachable!("there is a value for each parameter")
        };
        let (config, mut rng) = (Config::new(of_pie, setting), setting.rng.clone());
        let (values, key) = ([flows, quantum, memory_limit], rng.next_u64());
        let queues = FlowQueues::new(values, setting.limits, key, Controller::new(&config));
        Self { config, rng, queues }
    }
}

impl<P: Send> QueueDiscipline<P> for FqPie<P> {
    fn enqueue(&mut self, mut packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        let Arrival { number, has_room } = self.queues.arrival(&packet);
        let max_packet = self.queues.longest();
        let queue = self.queues.queue(number);
        let found = Found { bytes: queue.buffer.bytes(), max_packet, has_room };
        match queue.state.admit(&self.config, &mut packet, found, now, &mut self.rng) {
            Verdict::Enqueue => {}
            Verdict::Mark => sink.marked(&packet),
            Verdict::Drop(cause) => return sink.dropped(&packet, cause),
        }
        self.queues.enqueue(number, packet, now);
    }

    fn dequeue(&mut self, now: Time, _: &mut dyn Sink<P>) -> Option<Queued<P>> {
        let config = &self.config;
        self.queues.dequeue(|queue| queue.state.dequeue(config, &mut queue.buffer, now))
    }

    fn len_packets(&self) -> usize {
        self.queues.packets()
    }

    fn len_bytes(&self) -> u64 {
        self.queues.bytes()
    }
}
