//! Types that both ports share: their frames, their reports and their counters.

use super::policy::FramePolicy;
use base::Time;

/// An output port of an ATM switch: one FIFO, one server.
pub struct PortConfig {
    /// Time to send a cell.
    pub cell_time: Time,
    /// Buffer K, cells; the cell being sent counts until it has left.
    pub buffer: u32,
    /// Decides which new frames are refused.
    pub policy: Box<dyn FramePolicy>,
    /// Whether the last cell of a cut frame is kept.
    pub eom: Eom,
}

/// The fate of the last cell (end of message) of a frame that has lost a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eom {
    /// Queued if there is room and an earlier cell of the frame was queued, so that the receiver sees
    /// where the next frame begins.
    Keep,
    /// Discarded with the remaining cells of the frame.
    Drop,
}

/// A frame at the entrance of a port: `cells` cells, the first of which arrives at `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<T> {
    /// Its virtual channel. Each VC has its own access link, which sets the spacing.
    pub vc: u32,
    /// When its first cell can arrive at the earliest; later if the access link is busy.
    pub first: Time,
    /// Its length, cells; at least one.
    pub cells: u32,
    /// The owner's name for it.
    pub tag: T,
}

/// What became of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Carried whole; its last cell leaves the port at this time.
    Carried(Time),
    /// Refused at its first cell by the policy.
    Refused,
    /// Lost cells to a full buffer; its other cells are useless.
    Cut,
    /// Carried whole but useless: the receiver joins it to the remains of an earlier frame whose last
    /// cell was lost.
    Joined,
}

/// What a port reports to its owner, in the order in which it happens.
pub trait PortEvents<T> {
    /// The first cell of a frame has arrived at `at` and found `queued` cells.
    fn decided(&mut self, at: Time, vc: u32, queued: u32, admitted: bool) {
        let _ = (at, vc, queued, admitted);
    }
    /// The last cell of a frame has arrived at `at`, and so the frame's fate is known.
    fn finished(&mut self, at: Time, tag: T, fate: Fate);
}

/// Totals since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortCounters {
    /// Cells that arrived.
    pub cells_offered: u64,
    /// Cells that have left.
    pub cells_carried: u64,
    /// For how long the cell that is being sent has been; 0 if there is none.
    pub sending: Time,
    /// Cells of refused frames.
    pub cells_refused: u64,
    /// Cells that found the buffer full.
    pub cells_overflowed: u64,
    /// Cells discarded because their frame had been cut.
    pub cells_cut: u64,
    /// Frames whose last cell has arrived.
    pub frames_offered: u64,
    /// Frames carried whole and of use to the receiver.
    pub frames_delivered: u64,
    /// Frames refused by the policy.
    pub frames_refused: u64,
    /// Frames cut by overflow, and frames joined to the remains of one.
    pub frames_cut: u64,
    /// The most cells that were queued.
    pub max_queued: u32,
    /// Cells in the queue, integrated over time: cells x ps.
    pub queued_ps: u128,
}

impl PortCounters {
    /// Counts the fate of a frame.
    pub(crate) fn frame(&mut self, fate: Fate) {
        self.frames_offered += 1;
        *match fate {
            Fate::Carried(_) => &mut self.frames_delivered,
            Fate::Refused => &mut self.frames_refused,
            Fate::Cut | Fate::Joined => &mut self.frames_cut,
        } += 1;
    }
}

/// The receiver's view of one VC: cells wait for the next EOM cell, and one AAL5 check covers
/// all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reassembly {
    remains: bool,
}

impl Reassembly {
    /// The fate of a frame that has lost cells, of which `carried` were queued, the last if
    /// `eom`.
    pub fn cut(&mut self, carried: u32, eom: bool) -> Fate {
        self.remains = !eom && (self.remains || carried > 0);
        Fate::Cut
    }

    /// The fate of a frame that was carried whole and leaves at `out`.
    pub fn whole(&mut self, out: Time) -> Fate {
        if std::mem::take(&mut self.remains) { Fate::Joined } else { Fate::Carried(out) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remains_without_an_eom_spoil_the_next_frame_only() {
        let mut vc = Reassembly::default();
        assert_eq!(vc.cut(3, false), Fate::Cut);
        assert_eq!(vc.whole(Time::ZERO), Fate::Joined);
        assert_eq!(vc.whole(Time::ZERO), Fate::Carried(Time::ZERO));
    }

    #[test]
    fn an_eom_or_no_cell_at_all_leaves_nothing_behind() {
        let mut vc = Reassembly::default();
        vc.cut(3, true);
        vc.cut(0, false);
        assert_eq!(vc.whole(Time::ZERO), Fate::Carried(Time::ZERO));
    }
}
