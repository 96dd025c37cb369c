//! Which cell a port sends next if it has several categories: strict priority, VBR before ABR before UBR.
//!
//! Source: TM 4.0 leaves the scheduler open; the studies of ABR and of VBR in the background serve VBR first.
//! A cell that is being sent is not interrupted. What is chosen, and when, is all here: the port says that a cell
//! has come and asks for the next one.

use std::collections::VecDeque;

use super::Category;
use super::cell::Cell;
use crate::atm::cell_queue::ByVc;
use crate::time::Time;

/// A FIFO for each category, and a server that takes from the first that is not empty.
pub(super) struct StrictPriority {
    cell_time: Time,
    queues: [VecDeque<(u32, Cell)>; 3],
    /// The category of the cell that is being sent.
    sending: Option<Category>,
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
    /// The cells of each VC of UBR, if somebody asks.
    pub(super) by_vc: Option<ByVc>,
}

impl StrictPriority {
    /// Empty. With `vcs` it counts the cells of each of so many VCs of UBR.
    pub(super) fn new(cell_time: Time, vcs: Option<usize>) -> Self {
        Self {
            cell_time,
            queues: Default::default(),
            sending: None,
            out: Time::ZERO,
            queued: [0; 3],
            carried: [0; 3],
            queued_ps: [0; 3],
            seen_until: Time::ZERO,
            by_vc: vcs.map(ByVc::new),
        }
    }

    /// A cell of the VC that has this number in its category comes.
    pub(super) fn push(&mut self, now: Time, vc: u32, cell: Cell) {
        self.serve(now);
        self.queued[cell.category as usize] += 1;
        self.queues[cell.category as usize].push_back((vc, cell));
        if let Some(by_vc) = self.by_vc.as_mut().filter(|_| cell.category == Category::Ubr) {
            by_vc.push(vc, 1);
        }
    }

    /// When the next cell can be chosen; none if none waits.
    pub(super) fn next_start(&self, now: Time) -> Option<Time> {
        self.queues.iter().any(|queue| !queue.is_empty()).then(|| self.out.max(now))
    }

    /// The cell that begins to leave now, and when it will have left; none if none can.
    pub(super) fn start(&mut self, now: Time) -> Option<(Cell, Time)> {
        self.serve(now);
        if self.sending.is_some() {
            return None;
        }
        let cell = self.queues.iter_mut().find_map(VecDeque::pop_front)?.1;
        self.sending = Some(cell.category);
        self.out = now.saturating_add(self.cell_time);
        Some((cell, self.out))
    }

    /// Takes out the cell that was being sent, if it has left by `now`.
    pub(super) fn serve(&mut self, now: Time) {
        if let Some(category) = self.sending.filter(|_| self.out <= now) {
            self.pass_time(self.out);
            self.sending = None;
            self.queued[category as usize] -= 1;
            self.carried[category as usize] += 1;
            if let Some(by_vc) = self.by_vc.as_mut().filter(|_| category == Category::Ubr) {
                by_vc.pop();
            }
        }
        self.pass_time(now);
    }

    /// The cells that wait, in no particular order.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Cell> {
        self.queues.iter().flatten().map(|waiting| &waiting.1)
    }

    fn pass_time(&mut self, now: Time) {
        let passed = u128::from((now - self.seen_until).as_ps());
        for (integral, queued) in self.queued_ps.iter_mut().zip(self.queued) {
            *integral += passed * u128::from(queued);
        }
        self.seen_until = now;
    }
}
