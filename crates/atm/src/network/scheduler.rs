//! Which cell a port sends next if it has a choice: first the category, then the VC.
//!
//! Source: TM 4.0 leaves the scheduler open; the studies of ABR and of VBR in the background serve VBR first, then ABR,
//! then UBR (GFR is of that category). UBR may have a [guaranteed rate](super::guaranteed_rate), below which it goes
//! before the others, and within it its VCs a [queue each](super::scfq). A cell that is being sent is not interrupted,
//! and the line is never idle while a cell waits. The scheduler makes all these choices; the port passes it arriving
//! cells and requests the next one.
//!
//! | parameter | unit |
//! |---|---|
//! | share of UBR | parts in 1e9 of the line; 0: strict priority |
//! | queueing of UBR | one FIFO, or a queue for each VC and its weight |

use std::collections::VecDeque;

use super::Category;
use super::cell::Cell;
use super::guaranteed_rate::GuaranteedRate;
use super::scfq::Scfq;
use super::vc_counts::VcCounts;
use base::Time;
use sim::Waits;

/// The queues of the categories, and the server.
pub(super) struct Scheduler {
    cell_time: Time,
    vbr: VecDeque<Waiting>,
    abr: VecDeque<Waiting>,
    ubr: UbrQueue,
    guaranteed: Option<GuaranteedRate>,
    /// The category of the cell that is being sent, and for UBR the number of its VC.
    sending: Option<(Category, u32)>,
    /// When the cell that was sent last has left.
    out: Time,
    /// Cells in each category; the one that is being sent counts until it has left.
    pub(super) queued: [u32; 3],
    /// Cells of each category that have left.
    pub(super) carried: [u64; 3],
    /// Cells in the queues, integrated over time: cells x ps.
    pub(super) queued_ps: [u128; 3],
    /// Until when they are integrated.
    seen_until: Time,
    /// The cells of each VC of UBR, if the frame policy needs them.
    pub(super) counts: Option<VcCounts>,
    /// How long cells wait, if it is to be measured.
    pub(super) waits: Option<Box<Waits>>,
}

/// A cell that waits, and since when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    cell: Cell,
    since: Time,
}

/// How cells of UBR wait.
pub(super) enum UbrQueue {
    /// All in one queue, each with the number of its VC.
    Fifo(VecDeque<(u32, Waiting)>),
    /// In a queue for each VC.
    PerVc(Scfq<Waiting>),
}

impl UbrQueue {
    fn is_empty(&self) -> bool {
        match self {
            Self::Fifo(queue) => queue.is_empty(),
            Self::PerVc(queues) => queues.is_empty(),
        }
    }

    fn push(&mut self, vc: u32, waiting: Waiting) {
        match self {
            Self::Fifo(queue) => queue.push_back((vc, waiting)),
            Self::PerVc(queues) => queues.push(vc, waiting),
        }
    }

    fn pop(&mut self) -> Option<(u32, Waiting)> {
        match self {
            Self::Fifo(queue) => queue.pop_front(),
            Self::PerVc(queues) => queues.pop(),
        }
    }
}

impl Scheduler {
    /// A scheduler with empty queues. With `counts` it counts the cells of UBR VCs.
    pub(super) fn new(
        cell_time: Time,
        ubr: UbrQueue,
        guaranteed: Option<GuaranteedRate>,
        counts: Option<VcCounts>,
    ) -> Self {
        Self {
            cell_time,
            vbr: VecDeque::new(),
            abr: VecDeque::new(),
            ubr,
            guaranteed,
            sending: None,
            out: Time::ZERO,
            queued: [0; 3],
            carried: [0; 3],
            queued_ps: [0; 3],
            seen_until: Time::ZERO,
            counts,
            waits: None,
        }
    }

    /// A cell of the VC that has this number in its category comes.
    pub(super) fn push(&mut self, now: Time, vc: u32, cell: Cell) {
        self.serve(now);
        self.queued[cell.category as usize] += 1;
        let waiting = Waiting { cell, since: now };
        match cell.category {
            Category::Vbr => self.vbr.push_back(waiting),
            Category::Abr => self.abr.push_back(waiting),
            Category::Ubr => {
                if let Some(guaranteed) = self.guaranteed.as_mut().filter(|_| self.ubr.is_empty()) {
                    guaranteed.begin(now);
                }
                self.ubr.push(vc, waiting);
                if let Some(counts) = &mut self.counts {
                    counts.add(vc);
                }
            }
        }
    }

    /// When the next cell can be chosen; none if none waits.
    pub(super) fn next_start(&self, now: Time) -> Option<Time> {
        let waits = !(self.vbr.is_empty() && self.abr.is_empty() && self.ubr.is_empty());
        waits.then(|| self.out.max(now))
    }

    /// The cell that begins to leave now, and when it will have left; none if none can.
    pub(super) fn start(&mut self, now: Time) -> Option<(Cell, Time)> {
        self.serve(now);
        if self.sending.is_some() {
            return None;
        }
        let (vc, Waiting { cell, since }) = self.take(now)?;
        if let Some(waits) = &mut self.waits {
            waits.record(now, now - since);
        }
        self.sending = Some((cell.category, vc));
        self.out = now.saturating_add(self.cell_time);
        Some((cell, self.out))
    }

    /// The next cell; of UBR with the number of its VC.
    fn take(&mut self, now: Time) -> Option<(u32, Waiting)> {
        if self.guaranteed.is_some_and(|guaranteed| guaranteed.is_due(now)) {
            let first = self.take_ubr(now);
            if first.is_some() {
                return first;
            }
        }
        if let Some(first) = self.vbr.pop_front().or_else(|| self.abr.pop_front()) {
            return Some((0, first));
        }
        self.take_ubr(now)
    }

    fn take_ubr(&mut self, now: Time) -> Option<(u32, Waiting)> {
        let first = self.ubr.pop()?;
        if let Some(guaranteed) = &mut self.guaranteed {
            guaranteed.served(now);
        }
        Some(first)
    }

    /// Takes out the cell that was being sent, if it has left by `now`.
    pub(super) fn serve(&mut self, now: Time) {
        if let Some((category, vc)) = self.sending.filter(|_| self.out <= now) {
            self.pass_time(self.out);
            self.sending = None;
            self.queued[category as usize] -= 1;
            self.carried[category as usize] += 1;
            if let Some(counts) = self.counts.as_mut().filter(|_| category == Category::Ubr) {
                counts.remove(vc);
            }
        }
        self.pass_time(now);
    }

    /// For how long the cell that is being sent has been at `now`, to which it has served; 0 if there is none.
    pub(super) fn sending(&self, now: Time) -> Time {
        let left = self.out.saturating_sub(now);
        if self.sending.is_none() { Time::ZERO } else { self.cell_time.saturating_sub(left) }
    }

    /// The cells that wait, in no particular order.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Cell> {
        let (fifo, per_vc) = match &self.ubr {
            UbrQueue::Fifo(queue) => (Some(queue.iter().map(|(_, waiting)| waiting)), None),
            UbrQueue::PerVc(queues) => (None, Some(queues.cells())),
        };
        let ubr = fifo.into_iter().flatten().chain(per_vc.into_iter().flatten());
        self.vbr.iter().chain(&self.abr).chain(ubr).map(|waiting| &waiting.cell)
    }

    fn pass_time(&mut self, now: Time) {
        let passed = u128::from((now - self.seen_until).as_ps());
        for (integral, queued) in self.queued_ps.iter_mut().zip(self.queued) {
            *integral += passed * u128::from(queued);
        }
        self.seen_until = now;
    }
}

#[cfg(test)]
mod tests;
