//! The two queues of DualPI2, and which of them has its turn.
//!
//! Source: Linux 6.18, net/sched/sch_dualpi2.c (`dequeue_packet`, `dualpi2_calculate_c_protection`) for the weights; RFC 9332,
//! appendix A.1, for the time-shifted FIFO.

use crate::link::PPB;
use crate::packet::Packet;
use crate::queue::{PacketBuffer, Queued};
use base::Time;

/// To which queue a packet belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// L4S.
    L,
    /// Classic.
    C,
}

impl Class {
    fn other(self) -> Self {
        match self {
            Self::L => Self::C,
            Self::C => Self::L,
        }
    }
}

/// Which queue has its turn if both have packets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scheduler {
    /// L unless the credit is above zero. Bytes times parts in 1e9.
    Wrr { credit: i64, at_start: i64, share_of_c: i64 },
    /// The one whose head is older, if those of L came so much earlier.
    TimeShift { shift: Time },
}

impl Scheduler {
    /// C gets such a share of the bytes, parts in 1e9.
    pub(super) fn wrr(share_of_c: u64, mtu: u64) -> Self {
        let share_of_c = share_of_c as i64;
        let at_start = mtu as i64 * (share_of_c - share_of_l(share_of_c));
        Self::Wrr { credit: at_start, at_start, share_of_c }
    }

    pub(super) fn time_shift(target: Time) -> Self {
        Self::TimeShift { shift: target * 2 }
    }
}

fn share_of_l(share_of_c: i64) -> i64 {
    i64::from(PPB) - share_of_c
}

/// When the head of a queue was enqueued.
fn since<P>(queue: &PacketBuffer<P>) -> Option<Time> {
    queue.head().map(|head| head.since)
}

/// The queues, by their class.
#[derive(Debug)]
pub(super) struct Classes<P> {
    queues: [PacketBuffer<P>; 2],
    scheduler: Scheduler,
}

impl<P> Classes<P> {
    pub(super) fn new(scheduler: Scheduler) -> Self {
        Self { queues: [PacketBuffer::new(), PacketBuffer::new()], scheduler }
    }

    pub(super) fn enqueue(&mut self, class: Class, packet: Packet<P>, now: Time) {
        self.queues[class as usize].enqueue(packet, now);
    }

    /// The head of the queue that has its turn.
    pub(super) fn dequeue(&mut self) -> Option<(Class, Queued<P>)> {
        let class = match self.queues.each_ref().map(since) {
            [None, None] => {
                self.start_anew();
                return None;
            }
            [Some(_), None] => Class::L,
            [None, Some(_)] => Class::C,
            [Some(l), Some(c)] => self.turn(l, c),
        };
        let head = self.queues[class as usize].dequeue()?;
        Some((class, head))
    }

    /// Which queue has its turn if the heads were enqueued at these times.
    fn turn(&self, l: Time, c: Time) -> Class {
        let is_l = match self.scheduler {
            Scheduler::Wrr { credit, .. } => credit <= 0,
            Scheduler::TimeShift { shift } => l < c.saturating_add(shift),
        };
        if is_l { Class::L } else { Class::C }
    }

    /// Counts a packet that has been dequeued and is sent. While the other queue is empty it takes nothing from it.
    pub(super) fn charge(&mut self, class: Class, bytes: u32) {
        let is_alone = self.packets_of(class.other()) == 0;
        if let Scheduler::Wrr { credit, share_of_c, .. } = &mut self.scheduler
            && !is_alone
        {
            *credit += match class {
                Class::L => i64::from(bytes) * *share_of_c,
                Class::C => -i64::from(bytes) * share_of_l(*share_of_c),
            };
        }
    }

    fn start_anew(&mut self) {
        if let Scheduler::Wrr { credit, at_start, .. } = &mut self.scheduler {
            *credit = *at_start;
        }
    }

    /// When the older head was enqueued.
    pub(super) fn oldest(&self) -> Option<Time> {
        self.queues.iter().filter_map(since).min()
    }

    pub(super) fn packets_of(&self, class: Class) -> usize {
        self.queues[class as usize].packets()
    }

    pub(super) fn packets(&self) -> usize {
        self.queues.iter().map(PacketBuffer::packets).sum()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.queues.iter().map(PacketBuffer::bytes).sum()
    }

    #[cfg(test)]
    pub(super) fn credit(&self) -> Option<i64> {
        match self.scheduler {
            Scheduler::Wrr { credit, .. } => Some(credit),
            Scheduler::TimeShift { .. } => None,
        }
    }
}
