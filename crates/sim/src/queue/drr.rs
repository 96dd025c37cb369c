//! DRR: deficit round robin. Flows take turns, and each may send as many bytes as the others.
//!
//! Source: Shreedhar and Varghese 1995, "Efficient Fair Queuing using Deficit Round Robin", section 3; buffer stealing:
//! McKenney 1990, "Stochastic Fairness Queuing", as in Linux 6, net/sched/sch_sfq.c.
//!
//! Each flow has a queue of its own. Queues with packets are in a list. The one at the head sends while its packets fit
//! into its deficit, then its deficit grows by `quantum` and it goes to the end of the list. What is left of a deficit
//! stays for the next turn. A queue that has sent all is forgotten; it comes back at the end of the list, with one
//! quantum. If too many packets or bytes wait, the longest queue loses the packet that came last.
//!
//! Deviations and choices:
//! - The paper hashes flows into queues, so that some share one. Here no two do: a map finds the queue, in a time that
//!   grows with the logarithm of the number of queues. All else takes a constant time if no packet is longer than the
//!   quantum.
//! - The paper adds the quantum when a turn begins; here, as in Linux's sch_drr.c, it is there when a queue enters the
//!   list, and is added when a turn ends. The order is the same.
//! - The arriving packet counts in its queue before the longest is chosen, as in Linux's SFQ. So it is dropped itself
//!   if its own flow has the longest queue, also if others are as long.
//! - Length counts in bytes, of which flows get equal shares, as in ns-2; Linux's SFQ counts packets. A set ordered by
//!   length finds the longest queue; to keep it takes the logarithm of the number of queues for each packet.
//! - The longest queue loses its last packet, as in Linux's SFQ by default; ns-2 drops its first.
//! - A queue that loses its only packet stays in the list until its turn, as the paper's active list has it.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | quantum | bytes | 1514 |
//! | limits | as of drop-tail, for all queues together | |

use super::flows::{QUANTUM, check_quantum};
use super::{Discipline, DropTail, Make, PacketBuffer, QueueDiscipline, Queued, Setting, Sink};
use crate::link::DropCause;
use crate::packet::{FlowKey, Packet};
use base::Time;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

#[cfg(test)]
mod tests;

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "drr",
        title: "DRR",
        summary: "Gives each flow a queue of its own; they take turns and send equally many bytes \
                  (Shreedhar and Varghese 1995).",
        parameters: &[QUANTUM],
        limit: None,
        is_random: false,
        check,
        make: Make::Queue(make),
    }
}

fn check(values: &[u64]) -> Option<&'static str> {
    let &[quantum] = values else { return None };
    check_quantum(quantum)
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn QueueDiscipline<P>> {
    let &[quantum] = values else { unreachable!("there is a value for each parameter") };
    Box::new(Drr::new(quantum, setting.limits))
}

/// The queue of a flow.
struct FlowQueue<P> {
    buffer: PacketBuffer<P>,
    /// Bytes that it may send in its turn.
    deficit: u64,
}

/// Deficit round robin.
struct Drr<P> {
    quantum: u64,
    limits: DropTail,
    /// The queues in the list.
    queues: BTreeMap<FlowKey, FlowQueue<P>>,
    /// The list: whose turn it is, and who follows.
    turns: VecDeque<FlowKey>,
    /// The queues with packets, by their bytes.
    by_length: BTreeSet<(u64, FlowKey)>,
    packets: usize,
    bytes: u64,
}

impl<P> Drr<P> {
    fn new(quantum: u64, limits: DropTail) -> Self {
        Self {
            quantum,
            limits,
            queues: BTreeMap::new(),
            turns: VecDeque::new(),
            by_length: BTreeSet::new(),
            packets: 0,
            bytes: 0,
        }
    }

    /// Changes the buffer of a flow that is in the list.
    fn change<T>(&mut self, flow: FlowKey, change: impl FnOnce(&mut PacketBuffer<P>) -> T) -> T {
        let buffer = &mut self.queues.get_mut(&flow).expect("it is in the list").buffer;
        let (packets, bytes) = (buffer.packets(), buffer.bytes());
        let changed = change(buffer);
        self.by_length.remove(&(bytes, flow));
        if buffer.packets() > 0 {
            self.by_length.insert((buffer.bytes(), flow));
        }
        self.packets = self.packets - packets + buffer.packets();
        self.bytes = self.bytes - bytes + buffer.bytes();
        changed
    }

    /// The longest queue; that of `arriving` if others are as long.
    fn longest(&self, arriving: FlowKey) -> FlowKey {
        let &(bytes, flow) = self.by_length.last().expect("packets wait");
        if self.by_length.contains(&(bytes, arriving)) { arriving } else { flow }
    }

    fn forget_first(&mut self) {
        if let Some(flow) = self.turns.pop_front() {
            self.queues.remove(&flow);
        }
    }
}

impl<P: Send> QueueDiscipline<P> for Drr<P> {
    fn enqueue(&mut self, packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        let flow = packet.flow_key();
        self.queues.entry(flow).or_insert_with(|| {
            self.turns.push_back(flow);
            FlowQueue { buffer: PacketBuffer::new(), deficit: self.quantum }
        });
        self.change(flow, |buffer| buffer.enqueue(packet, now));
        while self.limits.are_exceeded(self.packets, self.bytes) {
            if let Some(last) = self.change(self.longest(flow), PacketBuffer::take_last) {
                sink.dropped(&last, DropCause::QueueFull);
            }
        }
    }

    fn dequeue(&mut self, _: Time, _: &mut dyn Sink<P>) -> Option<Queued<P>> {
        loop {
            let flow = *self.turns.front()?;
            let queue = self.queues.get_mut(&flow).expect("it is in the list");
            let Some(bytes) = queue.buffer.head_bytes() else {
                self.forget_first();
                continue;
            };
            if bytes <= queue.deficit {
                queue.deficit -= bytes;
                let is_last = queue.buffer.packets() == 1;
                let sent = self.change(flow, PacketBuffer::dequeue);
                if is_last {
                    self.forget_first();
                }
                return sent;
            }
            queue.deficit += self.quantum;
            self.turns.rotate_left(1);
        }
    }

    fn len_packets(&self) -> usize {
        self.packets
    }

    fn len_bytes(&self) -> u64 {
        self.bytes
    }
}
