//! The network interface of a host: many VCs on one line.
//!
//! | category | when a cell may leave | which one first |
//! |---|---|---|
//! | VBR | as soon as it waits | frames in the order in which they came |
//! | ABR | as its source allows | the VC that was allowed first; of those at one time the one with the smaller number |
//! | UBR | as soon as it waits | frames in the order in which they came |
//!
//! VBR goes before ABR, and ABR before UBR. A cell that is being sent is not interrupted. There is no limit to
//! what waits.

use std::collections::VecDeque;

use base::Time;

/// The NIC at the beginning of a line.
#[derive(Debug, Default)]
pub(super) struct Nic {
    /// Until when a cell is being sent.
    pub(super) busy_until: Time,
    /// Frames of VBR.
    pub(super) vbr: Batches,
    /// ABR VCs that may send.
    pub(super) ready: VecDeque<u32>,
    /// Frames of UBR.
    pub(super) ubr: Batches,
}

impl Nic {
    /// Whether an ABR VC that may send now can do so at once.
    #[inline]
    pub(super) fn is_free(&self, now: Time) -> bool {
        self.busy_until <= now && self.ready.is_empty() && self.vbr.is_empty()
    }

    /// Whether something waits that may leave when the line is free.
    #[inline]
    pub(super) fn has_next(&self) -> bool {
        !(self.ready.is_empty() && self.vbr.is_empty() && self.ubr.is_empty())
    }
}

/// Cells of several VCs, first come first served.
#[derive(Debug, Default)]
pub(super) struct Batches {
    /// A VC, and how many cells of it are next.
    batches: VecDeque<(u32, u32)>,
}

impl Batches {
    pub(super) fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// Puts cells of a VC at the end.
    pub(super) fn push(&mut self, vc: u32, cells: u32) {
        match self.batches.back_mut().filter(|last| last.0 == vc) {
            Some(last) if last.1 <= u32::MAX - cells => last.1 += cells,
            _ => self.batches.push_back((vc, cells)),
        }
    }

    /// Takes the VC of the first cell out.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let first = self.batches.front_mut()?;
        let vc = first.0;
        first.1 -= 1;
        if first.1 == 0 {
            self.batches.pop_front();
        }
        Some(vc)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_out_as_they_went_in() {
        let mut batches = Batches::default();
        for (vc, cells) in [(7, 2), (7, 1), (3, 1), (7, 1)] {
            batches.push(vc, cells);
        }
        let out: Vec<u32> = std::iter::from_fn(|| batches.pop()).collect();
        assert_eq!(out, [7, 7, 7, 3, 7]);
        assert!(batches.is_empty());
    }
}
