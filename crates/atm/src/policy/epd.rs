//! Early Packet Discard: new frames are refused while the queue is above a threshold.
//!
//! Source: Romanow and Floyd 1995; 000 section 3.1. Cells of frames in progress are queued while
//! there is room. If one overflows, the rest of its frame is discarded (PPD).
//!
//! | parameter | unit | 000 |
//! |---|---|---|
//! | R | cells | 0.8 K |

use super::{FramePolicy, PolicyKind, PortView};

/// Early Packet Discard.
#[derive(Clone, Copy, Debug)]
pub struct Epd {
    /// Threshold R, cells.
    pub r: u32,
}

/// Its row in the table.
pub(super) const KIND: PolicyKind = PolicyKind {
    name: "epd",
    summary: "new frames are refused above R",
    parameters: &["r_cells"],
    make: |p| Box::new(Epd { r: p[0] }),
};

impl FramePolicy for Epd {
    fn admits(&self, port: &PortView) -> bool {
        port.queued <= self.r
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_above_r_and_not_at_r() {
        let at = |queued| PortView { buffer: 100, queued, active_vcs: 1, ..PortView::default() };
        let epd = Epd { r: 80 };
        assert!(epd.admits(&at(80)));
        assert!(!epd.admits(&at(81)));
    }
}
