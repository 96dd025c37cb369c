//! Guaranteed rate: a share of the line for UBR and GFR, before VBR and ABR.
//!
//! Source: ATM Forum 97-0424, 1997; 002 task 4b. Those documents state the share and leave the scheduler open. Here a
//! cell is due one time of a cell at the guaranteed rate after the last one was due, as in the GCRA: `TAT = min(TAT, t)
//! + T` when a cell begins to leave at t, where T is the time of a cell over the share, and `TAT = max(TAT, t)` when a
//! cell comes at t and none waits. While `TAT <= t` the class goes first; else last.
//!
//! So in any time t in which cells wait, `t/T - 2` or more begin to leave: cells sent beyond the guarantee are not
//! deducted from it, and unused rate is not saved for later.
//!
//! | parameter | unit |
//! |---|---|
//! | share | parts in 1e9 of the line |

use base::Time;
use sim::link::PPB;

/// When the class is to go first. Times are counted in ps x share, in which T is a whole number.
#[derive(Clone, Copy, Debug)]
pub(super) struct GuaranteedRate {
    share_ppb: u128,
    /// T.
    interval: u128,
    /// TAT.
    due: u128,
}

impl GuaranteedRate {
    /// For a line with this cell time; none without a share.
    pub(super) fn new(share_ppb: u32, cell_time: Time) -> Option<Self> {
        let interval = u128::from(cell_time.as_ps()) * u128::from(PPB);
        (share_ppb > 0).then_some(Self { share_ppb: u128::from(share_ppb), interval, due: 0 })
    }

    /// A cell has arrived, and none was waiting.
    pub(super) fn begin(&mut self, now: Time) {
        self.due = self.due.max(self.scaled(now));
    }

    /// Whether the next cell goes first.
    pub(super) fn is_due(&self, now: Time) -> bool {
        self.due <= self.scaled(now)
    }

    /// A cell begins to leave.
    pub(super) fn served(&mut self, now: Time) {
        self.due = self.due.min(self.scaled(now)) + self.interval;
    }

    fn scaled(&self, time: Time) -> u128 {
        u128::from(time.as_ps()) * self.share_ppb
    }
}
