//! The decisions of a port about the cells of a frame, one after the other.
//!
//! Source: Romanow and Floyd 1995; 000 section 3. At its first cell a frame is
//! admitted or refused as a whole. A cell that finds the buffer full cuts it; its later cells are discarded if the
//! policy says so, except that the last one may be kept so that the receiver sees where the next frame begins.

use super::policy::{FramePolicy, PortView};
use super::port::Eom;

/// A frame that passes a port: its state after the cells that have arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FrameState {
    progress: Progress,
    /// Cells queued so far.
    pub(super) carried: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Progress {
    /// No cell of the frame has arrived.
    #[default]
    Fresh,
    /// Every cell so far was queued.
    Whole,
    Refused,
    /// A cell was lost.
    Cut,
}

/// What becomes of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Queued,
    /// Its frame was refused.
    Refused,
    /// It found the buffer full.
    Overflowed,
    /// Its frame had been cut.
    Cut,
}

impl FrameState {
    /// Whether the next cell is the frame's first.
    pub(super) fn is_fresh(&self) -> bool {
        self.progress == Progress::Fresh
    }

    /// Whether the policy refused the frame.
    pub(super) fn is_refused(&self) -> bool {
        self.progress == Progress::Refused
    }

    /// Whether every cell so far was queued.
    pub(super) fn is_whole(&self) -> bool {
        self.progress == Progress::Whole
    }

    /// The first cell of the frame arrives: admits or refuses the whole frame.
    #[inline]
    pub(super) fn decide(&mut self, admitted: bool) {
        self.progress = if admitted { Progress::Whole } else { Progress::Refused };
    }

    /// The next cell has arrived at a port whose state is `view`; the last one if `last`.
    pub(super) fn cell(
        &mut self,
        last: bool,
        policy: &dyn FramePolicy,
        eom: Eom,
        view: &PortView,
    ) -> Verdict {
        if self.is_fresh() {
            self.decide(policy.admits(view));
        }
        self.next(last, policy, eom, view)
    }

    /// The next cell arrives, of a frame that was admitted or refused.
    #[inline]
    pub(super) fn next(
        &mut self,
        last: bool,
        policy: &dyn FramePolicy,
        eom: Eom,
        view: &PortView,
    ) -> Verdict {
        let is_spared = self.is_spared(last, eom);
        match self.progress {
            Progress::Refused => Verdict::Refused,
            Progress::Cut if policy.discards_rest() && !is_spared => Verdict::Cut,
            _ => self.enter(view),
        }
    }

    /// The next cell arrives, and its frame does not conform to the contract: discards it, whatever the policy.
    pub(super) fn police(&mut self, last: bool, eom: Eom, view: &PortView) -> Verdict {
        match self.progress {
            Progress::Refused => Verdict::Refused,
            Progress::Cut if self.is_spared(last, eom) => self.enter(view),
            _ => {
                self.progress = Progress::Cut;
                Verdict::Cut
            }
        }
    }

    /// Whether the cell is carried even if its frame has been cut.
    fn is_spared(&self, last: bool, eom: Eom) -> bool {
        last && eom == Eom::Keep && self.carried > 0
    }

    fn enter(&mut self, view: &PortView) -> Verdict {
        if view.queued >= view.buffer {
            self.progress = Progress::Cut;
            return Verdict::Overflowed;
        }
        self.carried += 1;
        Verdict::Queued
    }
}
