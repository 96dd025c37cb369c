//! Cells behind the last port: when they arrive at their hosts, and the frames that they complete.

use super::VcCounters;
use base::Time;

/// A data cell that is certain to arrive at its host.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arriving {
    pub(super) at: Time,
    pub(super) vc: u32,
    pub(super) completes: Completed,
}

/// A frame of UBR or GFR that a cell makes whole at the receiver, if it does: its cells, and whether it is eligible. In
/// one number, for there may be many such cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Completed(u32);

impl Completed {
    const ELIGIBLE: u32 = 1 << 31;

    pub(super) fn frame(cells: u32, is_eligible: bool) -> Self {
        Self(cells | if is_eligible { Self::ELIGIBLE } else { 0 })
    }

    /// Frames, eligible frames, and their cells.
    fn counts(self) -> [u64; 3] {
        let cells = self.0 & !Self::ELIGIBLE;
        [u64::from(cells > 0), u64::from(self.0 & Self::ELIGIBLE > 0), u64::from(cells)]
    }

    /// Counts it.
    pub(super) fn add_to(self, counters: &mut VcCounters) {
        let [frames, eligible, cells] = self.counts();
        counters.frames_delivered += frames;
        counters.eligible_delivered += eligible;
        counters.cells_delivered += cells;
    }

    /// Counts it no more.
    pub(super) fn take_from(self, counters: &mut VcCounters) {
        let [frames, eligible, cells] = self.counts();
        counters.frames_delivered -= frames;
        counters.eligible_delivered -= eligible;
        counters.cells_delivered -= cells;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_can_be_taken_back() {
        assert!(size_of::<Arriving>() <= 16);
        let mut counters = VcCounters::default();
        Completed::frame(193, true).add_to(&mut counters);
        Completed::frame(2, false).add_to(&mut counters);
        Completed::default().add_to(&mut counters);
        let counts = |c: &VcCounters| (c.frames_delivered, c.eligible_delivered, c.cells_delivered);
        assert_eq!(counts(&counters), (2, 1, 195));
        Completed::frame(193, true).take_from(&mut counters);
        assert_eq!(counts(&counters), (1, 0, 2));
    }
}
