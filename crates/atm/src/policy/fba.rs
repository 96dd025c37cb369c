//! Fair Buffer Allocation: Selective Drop whose allowance shrinks as the buffer fills.
//!
//! Source: Heinanen and Kilkki, "A fair buffer allocation scheme", 1995, as cited by the UBR+
//! studies. A new frame is refused if X > R and Y > Z (1 + (K - X)/(X - R)) X / Na.
//!
//! | parameter | unit | UBR+ studies |
//! |---|---|---|
//! | R | cells | 0.5 K to 0.9 K |
//! | Z | 1, from 0 (exclusive) to 1 | 0.8 |

use super::{FramePolicy, MILLION, PolicyKind, PortView};

/// Fair Buffer Allocation.
#[derive(Clone, Copy, Debug)]
pub struct Fba {
    /// Threshold R, cells.
    pub r: u32,
    /// Scaling Z, parts per million.
    pub z_ppm: u32,
}

/// Its row in the table.
pub(super) const KIND: PolicyKind = PolicyKind {
    name: "fba",
    summary: "Selective Drop whose allowance shrinks as the buffer fills",
    parameters: &["r_cells", "z_ppm"],
    make: |p| Box::new(Fba { r: p[0], z_ppm: p[1] }),
};

impl FramePolicy for Fba {
    fn admits(&self, port: &PortView) -> bool {
        if port.queued <= self.r {
            return true;
        }
        // 1 + (K - X)/(X - R) = (K - R)/(X - R); multiplied out, so that it stays exact.
        let load = u128::from(port.vc_queued)
            * u128::from(port.active_vcs)
            * u128::from(port.queued - self.r)
            * u128::from(MILLION);
        let allowed = u128::from(self.z_ppm) * u128::from(port.buffer - self.r) * u128::from(port.queued);
        load <= allowed
    }

    fn counts_vcs(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allowance_shrinks_to_selective_drops_at_a_full_buffer() {
        let policy = Fba { r: 80, z_ppm: 800_000 };
        let known = PortView { buffer: 100, active_vcs: 10, ..PortView::default() };
        let view = |queued, vc_queued| PortView { queued, vc_queued, ..known };
        // X = 90: Z (20/10) 90 / 10 = 14.4;  X = 100: Z (20/20) 100 / 10 = 8
        assert!(policy.admits(&view(90, 14)) && !policy.admits(&view(90, 15)));
        assert!(policy.admits(&view(100, 8)) && !policy.admits(&view(100, 9)));
        assert!(policy.admits(&view(80, 80)));
    }
}
