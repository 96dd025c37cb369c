//! Early Packet Discard with two thresholds: tagged frames are refused above the lower one.
//!
//! Source: the switch of the GFR contributions (ATM Forum 98-0406) that has a queue for each VC; 002 task 4a
//! ("two thresholds are necessary for CLP0 guarantees"). The room between the thresholds is kept for frames with
//! CLP 0. Without contracts no frame has CLP 1, and this is EPD at H.
//!
//! | parameter | unit | OSU (as remembered) |
//! |---|---|---|
//! | L | cells | 0.5 K |
//! | H | cells, at least L | 0.9 K |

use super::{FramePolicy, PolicyKind, PortView};

/// EPD with two thresholds.
#[derive(Clone, Copy, Debug)]
pub struct DoubleEpd {
    /// Threshold L of frames with CLP 1, cells.
    pub l: u32,
    /// Threshold H of all frames, cells.
    pub h: u32,
}

/// Its row in the table.
pub(super) const KIND: PolicyKind = PolicyKind {
    name: "double_epd",
    summary: "tagged frames are refused above L, all above H",
    parameters: &["l_cells", "h_cells"],
    make: |p| Box::new(DoubleEpd { l: p[0], h: p[1] }),
};

impl FramePolicy for DoubleEpd {
    fn admits(&self, port: &PortView) -> bool {
        port.queued <= self.h && !(port.clp && port.queued > self.l)
    }

    fn needs_contracts(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_priority_has_its_threshold() {
        let policy = DoubleEpd { l: 50, h: 90 };
        let admits = |queued, clp| policy.admits(&PortView { queued, clp, ..PortView::default() });
        assert!(admits(50, true) && !admits(51, true));
        assert!(admits(90, false) && !admits(91, false));
    }
}
