//! A FIFO of cells with a server that sends one cell each cell time while any are queued.
//!
//! Departures are no events: the departure time of a cell is known when it arrives, and cells that have left
//! are removed when the queue is read.

use std::collections::VecDeque;

use super::policy::PortView;
use base::Time;
use sim::Waits;

/// The FIFO and its server. Cells that have left are removed when the queue is read.
pub(super) struct CellQueue {
    pub(super) cell_time: Time,
    /// Cells that have not left; the one being sent is among them.
    pub(super) len: u32,
    /// Cells that have left.
    pub(super) served: u64,
    /// When the cell at the head has left.
    head_out: Time,
    /// When the cell at the tail has left.
    pub(super) tail_out: Time,
    by_vc: Option<ByVc>,
    /// Waiting times of cells, if they are measured.
    pub(super) waits: Option<Box<Waits>>,
}

/// Which VC each queued cell belongs to, and how many each has.
pub(super) struct ByVc {
    /// Runs of cells of one VC: the VC and their number.
    runs: VecDeque<(u32, u32)>,
    queued: Vec<u32>,
    active: u32,
}

impl CellQueue {
    /// An empty queue. With `vcs` it counts the cells of each of that many VCs.
    pub(super) fn new(cell_time: Time, vcs: Option<usize>) -> Self {
        Self {
            cell_time,
            len: 0,
            served: 0,
            head_out: Time::ZERO,
            tail_out: Time::ZERO,
            by_vc: vcs.map(ByVc::new),
            waits: None,
        }
    }

    /// The view of a frame policy that decides about a frame of a VC.
    pub(super) fn view(&self, buffer: u32, vc: u32) -> PortView {
        let (vc_queued, active_vcs) = self.by_vc.as_ref().map_or((0, 0), |by_vc| by_vc.seen_by(vc));
        PortView { buffer, queued: self.len, vc_queued, active_vcs, ..PortView::default() }
    }

    /// Takes out the cells that have left by `now`; one that leaves at `now` makes room for one
    /// that arrives at `now`.
    #[inline]
    pub(super) fn serve(&mut self, now: Time) {
        while self.len > 0 && self.head_out <= now {
            self.len -= 1;
            self.served += 1;
            self.head_out = self.head_out.saturating_add(self.cell_time);
            if let Some(by_vc) = &mut self.by_vc {
                by_vc.pop();
            }
        }
    }

    /// Queues a cell and returns when it will have left.
    #[inline]
    pub(super) fn push(&mut self, now: Time, vc: u32) -> Time {
        let start = self.tail_out.max(now);
        if let Some(waits) = &mut self.waits {
            waits.record(start, start - now);
        }
        self.tail_out = start.saturating_add(self.cell_time);
        if self.len == 0 {
            self.head_out = self.tail_out;
        }
        self.len += 1;
        if let Some(by_vc) = &mut self.by_vc {
            by_vc.push(vc, 1);
        }
        self.tail_out
    }

    /// Queues cells of which each finds the server busy; returns when the last will have left. The first comes at
    /// `first`, and each `spacing` after the one before, which is no more than a cell time.
    pub(super) fn push_several(&mut self, vc: u32, first: Time, spacing: Time, count: u32) -> Time {
        if let Some(waits) = &mut self.waits {
            let longer = self.cell_time - spacing;
            waits.record_series(
                self.tail_out,
                self.tail_out - first,
                self.cell_time,
                longer,
                u64::from(count),
            );
        }
        self.tail_out += self.cell_time * u64::from(count);
        self.len += count;
        if let Some(by_vc) = &mut self.by_vc {
            by_vc.push(vc, count);
        }
        self.tail_out
    }

    /// For how long the cell at the head has been sent at `now`, to which the queue has been served.
    pub(super) fn sending(&self, now: Time) -> Time {
        let left = self.head_out.saturating_sub(now);
        if self.len == 0 { Time::ZERO } else { self.cell_time.saturating_sub(left) }
    }

    /// The time that the queued cells will still spend in the queue after `now`: cells x ps.
    pub(super) fn time_still_due(&self, now: Time) -> u128 {
        let head = self.head_out.saturating_sub(now).as_ps();
        let behind = u64::from(self.len) * u64::from(self.len.saturating_sub(1)) / 2;
        u128::from(self.len) * u128::from(head) + u128::from(behind) * u128::from(self.cell_time.as_ps())
    }
}

impl ByVc {
    /// No cells, for `vcs` VCs.
    pub(super) fn new(vcs: usize) -> Self {
        Self { runs: VecDeque::new(), queued: vec![0; vcs], active: 0 }
    }

    /// Cells of this VC, and VCs that have any.
    pub(super) fn seen_by(&self, vc: u32) -> (u32, u32) {
        (self.queued[vc as usize], self.active)
    }

    /// Cells come to the end of the queue.
    pub(super) fn push(&mut self, vc: u32, count: u32) {
        match self.runs.back_mut() {
            Some(run) if run.0 == vc => run.1 += count,
            _ => self.runs.push_back((vc, count)),
        }
        let queued = &mut self.queued[vc as usize];
        self.active += u32::from(*queued == 0);
        *queued += count;
    }

    /// The cell at the head has left.
    pub(super) fn pop(&mut self) {
        let run = self.runs.front_mut().expect("as many cells here as in the queue");
        let vc = run.0;
        run.1 -= 1;
        if run.1 == 0 {
            self.runs.pop_front();
        }
        let queued = &mut self.queued[vc as usize];
        *queued -= 1;
        self.active -= u32::from(*queued == 0);
    }
}
