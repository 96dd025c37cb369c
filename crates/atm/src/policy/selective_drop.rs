//! Selective Drop: above a threshold, refuse frames of VCs that hold more than a fair share.
//!
//! Source: 000 section 3.2 (Goyal et al. 1998). A new frame is refused if X > R and
//! Y > Z X / Na. A VC without a cell in the queue is never refused.
//!
//! | parameter | unit | 000 |
//! |---|---|---|
//! | R | cells | 0.8 K |
//! | Z | 1, from 0 (exclusive) to 1 | 0.8 |

use super::{FramePolicy, MILLION, PolicyKind, PortView};

/// Selective Drop.
#[derive(Clone, Copy, Debug)]
pub struct SelectiveDrop {
    /// Threshold R, cells.
    pub r: u32,
    /// Scaling Z, parts per million.
    pub z_ppm: u32,
}

/// Its row in the table.
pub(super) const KIND: PolicyKind = PolicyKind {
    name: "selective_drop",
    summary: "above R, refuses frames of VCs above their share",
    parameters: &["r_cells", "z_ppm"],
    make: |p| Box::new(SelectiveDrop { r: p[0], z_ppm: p[1] }),
};

impl FramePolicy for SelectiveDrop {
    fn admits(&self, port: &PortView) -> bool {
        let load = u64::from(port.vc_queued) * u64::from(port.active_vcs) * MILLION;
        port.queued <= self.r || load <= u64::from(self.z_ppm) * u64::from(port.queued)
    }

    fn counts_vcs(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_a_vc_above_its_share_only_above_r() {
        let policy = SelectiveDrop { r: 80, z_ppm: 800_000 };
        let known = PortView { buffer: 100, active_vcs: 10, ..PortView::default() };
        let view = |queued, vc_queued| PortView { queued, vc_queued, ..known };
        // Z X / Na = 0.8 * 90 / 10 = 7.2
        assert!(policy.admits(&view(90, 7)));
        assert!(!policy.admits(&view(90, 8)));
        assert!(policy.admits(&view(80, 80)));
        assert!(policy.admits(&view(100, 0)));
    }
}
