//! Self-clocked fair queueing: a queue for each VC, and a server that shares its rate by weight.
//!
//! Source: Golestani, "A Self-Clocked Fair Queueing Scheme for Broadband Applications", INFOCOM 1994. A cell that
//! arrives on VC i gets the tag `F = max(F of the cell of i before it, v) + 1/w_i`, where v is the tag of the cell that
//! was served last; the cell with the smallest tag is served next. Of two VCs i and j that wait all the time, the one
//! is never ahead of the other by more than `1/w_i + 1/w_j` of their normalised service.
//!
//! Deviations: of equal tags the VC with the smaller number goes first. Tags are whole numbers: 1/w is `2^40
//! w_max / w` rounded down, which is precise enough. They are not reset when the queues are empty: all tags are then
//! at most v, and `max` has the same effect.
//!
//! | parameter | unit |
//! |---|---|
//! | weights w | any, only their ratios count |

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::CELL_BYTES;
use base::Time;

/// How VCs share the rate that the MCRs leave, while all VCs have cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Equally: `w = MCR + (line - sum of MCRs) / number of VCs`.
    Equal,
    /// In proportion to the MCRs: `w = MCR`.
    Proportional,
}

/// Queues of VCs.
#[derive(Debug)]
pub(super) struct Scfq<T> {
    vcs: Vec<Vc<T>>,
    /// The tags of the first cells of the queues that are not empty, with their VCs.
    heads: BinaryHeap<Reverse<(u128, u32)>>,
    /// v.
    virtual_time: u128,
}

#[derive(Debug)]
struct Vc<T> {
    cells: VecDeque<T>,
    /// 1/w.
    increment: u128,
    /// The tag of the first cell; if there is none, of the last that was taken. Those behind it follow in steps of 1/w:
    /// a cell that finds another of its VC is given a tag above v.
    tag: u128,
}

impl<T> Scfq<T> {
    /// Empty queues of VCs with these weights, which are above zero.
    pub(super) fn new(weights: &[u128]) -> Self {
        let vc = |increment| Vc { cells: VecDeque::new(), increment, tag: 0 };
        let vcs = increments(weights).into_iter().map(vc).collect();
        Self { vcs, heads: BinaryHeap::new(), virtual_time: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// A cell of a VC comes.
    pub(super) fn push(&mut self, vc: u32, cell: T) {
        let at = &mut self.vcs[vc as usize];
        if at.cells.is_empty() {
            at.tag = at.tag.max(self.virtual_time) + at.increment;
            self.heads.push(Reverse((at.tag, vc)));
        }
        at.cells.push_back(cell);
    }

    /// Removes the next cell, and returns it with its VC.
    pub(super) fn pop(&mut self) -> Option<(u32, T)> {
        let Reverse((tag, vc)) = self.heads.pop()?;
        self.virtual_time = tag;
        let at = &mut self.vcs[vc as usize];
        let cell = at.cells.pop_front()?;
        if !at.cells.is_empty() {
            at.tag += at.increment;
            self.heads.push(Reverse((at.tag, vc)));
        }
        Some((vc, cell))
    }

    /// All cells, VC by VC.
    pub(super) fn cells(&self) -> impl Iterator<Item = &T> {
        self.vcs.iter().flat_map(|vc| &vc.cells)
    }
}

/// `2^40 w_max / w` of each weight.
fn increments(weights: &[u128]) -> Vec<u128> {
    let most = weights.iter().copied().max().unwrap_or(1);
    // So that 2^40 w_max is below 2^128. A line of 1 Tbit/s is less than 2^32 times as fast as a cell a second.
    let cut = (u128::BITS - most.leading_zeros()).saturating_sub(80);
    weights.iter().map(|weight| ((most >> cut) << 40) / (weight >> cut).max(1)).collect()
}

/// The weights of VCs with these MCRs, bit/s, on a line that takes so long for a cell. None weighs less than a
/// cell a second.
pub(super) fn weights(excess: Excess, mcrs: &[u64], cell_time: Time) -> Vec<u128> {
    const CELL_BITS: u128 = 8 * CELL_BYTES as u128;
    const PS_PER_S: u128 = 1_000_000_000_000;
    match excess {
        Excess::Proportional => mcrs.iter().map(|&mcr| u128::from(mcr).max(CELL_BITS)).collect(),
        Excess::Equal => {
            // All times the number of VCs and the time of a cell, which makes whole numbers of them.
            let (vcs, cell_ps) = (mcrs.len() as u128, u128::from(cell_time.as_ps()));
            let promised = mcrs.iter().map(|&mcr| u128::from(mcr)).sum::<u128>() * cell_ps;
            let left = (CELL_BITS * PS_PER_S).saturating_sub(promised);
            let weight = |&mcr: &u64| (vcs * cell_ps * u128::from(mcr) + left).max(vcs * cell_ps * CELL_BITS);
            mcrs.iter().map(weight).collect()
        }
    }
}

#[cfg(test)]
mod tests;
