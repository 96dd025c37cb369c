//! Differential Fair Buffer Allocation: a FIFO that gives each VC room in proportion to its MCR.
//!
//! Source: Goyal, Jain, Fahmy, Vandalore, "Buffer Management for the GFR Service", ATM Forum 98-0405, 1998, as the
//! facts of 002 state it. `X` cells are queued, `Y` of them of the VC; `W` is the MCR of the VCs that have cells
//! queued, `Wi` that of this VC, and its share of the queue is `Bi = X Wi / W`. A new frame is
//!
//! | where | and | |
//! |---|---|---|
//! | `X < L` | | admitted |
//! | `L <= X < H` | CLP is 1 | refused |
//! | `L <= X < H` | CLP is 0, `Y <= Bi` | admitted |
//! | `L <= X < H` | CLP is 0, `Y > Bi` | refused with probability P |
//! | `X >= H` | | refused |
//!
//! `P = (1 - Wi/W) (alpha (Y - Bi)/(X - Bi) + (1 - alpha) (X - L)/(H - L))`.
//!
//! Deviations: the scaling factor Z of the paper is `1 - Wi/W`. W counts the VCs with cells queued and not all that
//! there are, as Na does in Selective Drop. If none of them has an MCR, all have the same weight. P is rounded down to
//! parts in 1e9.
//!
//! | parameter | unit | OSU (as remembered) |
//! |---|---|---|
//! | L | cells | 0.5 K |
//! | H | cells, above L | 0.9 K |
//! | alpha | 1, from 0 to 1 | 0.5 |

use super::{FramePolicy, MILLION, PolicyKind, PortView};

/// Differential Fair Buffer Allocation.
#[derive(Clone, Copy, Debug)]
pub struct Dfba {
    /// Threshold L, cells.
    pub l: u32,
    /// Threshold H, cells.
    pub h: u32,
    /// Weight of the VC's share against that of the queue, parts per million.
    pub alpha_ppm: u32,
}

/// Its row in the table.
pub(super) const KIND: PolicyKind = PolicyKind {
    name: "dfba",
    summary: "above L, refuses frames of VCs above their MCR's share by chance, and tagged ones; all from H on",
    parameters: &["l_cells", "h_cells", "alpha_ppm"],
    make: |p| Box::new(Dfba { l: p[0], h: p[1], alpha_ppm: p[2] }),
};

/// Parts per thousand million of one part per million.
const PPB_OF_PPM: u128 = 1000;

impl Dfba {
    /// By how much `Y` is above `X Wi / W`, times `W`; none if it is not, or the queue is not between the thresholds.
    fn excess(&self, port: &PortView) -> Option<u128> {
        let (weight, weights) = weights(port);
        let load = u128::from(port.vc_queued) * weights;
        let excess = load.checked_sub(u128::from(port.queued) * weight).filter(|&excess| excess > 0);
        excess.filter(|_| (self.l..self.h).contains(&port.queued))
    }
}

/// `Wi` and `W`.
fn weights(port: &PortView) -> (u128, u128) {
    match port.active_mcr {
        0 => (1, u128::from(port.active_vcs)),
        mcrs => (u128::from(port.vc_mcr), u128::from(mcrs)),
    }
}

impl FramePolicy for Dfba {
    fn admits(&self, port: &PortView) -> bool {
        port.queued < self.l || (port.queued < self.h && !port.clp)
    }

    fn counts_vcs(&self) -> bool {
        true
    }

    fn needs_contracts(&self) -> bool {
        true
    }

    fn refusal_ppb(&self, port: &PortView) -> u32 {
        let Some(excess) = self.excess(port) else { return 0 };
        let (weight, weights) = weights(port);
        let (alpha, queued) = (u128::from(self.alpha_ppm), u128::from(port.queued));
        // With Z = (W - Wi)/W the first term is (Y W - X Wi)/(X W): nothing is divided by X - Bi.
        let by_vc = alpha * excess * PPB_OF_PPM / (queued * weights);
        let rest = u128::from(MILLION).saturating_sub(alpha) * weights.saturating_sub(weight);
        let by_queue =
            rest * u128::from(port.queued - self.l) * PPB_OF_PPM / (weights * u128::from(self.h - self.l));
        (by_vc + by_queue) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::super::selective_drop::SelectiveDrop;
    use super::*;
    use proptest::prelude::*;

    const DFBA: Dfba = Dfba { l: 50, h: 90, alpha_ppm: 500_000 };

    /// VCs of MCR 1, 2 and 5 Mbit/s have cells queued.
    fn view(queued: u32, mcr: u64, vc_queued: u32) -> PortView {
        let (vc_mcr, active_mcr) = (mcr * 1_000_000, 8_000_000);
        PortView { buffer: 100, queued, vc_queued, active_vcs: 3, clp: false, vc_mcr, active_mcr }
    }

    #[test]
    fn the_regions() {
        let tagged = |queued| PortView { clp: true, ..view(queued, 1, 1) };
        assert!(DFBA.admits(&tagged(49)) && !DFBA.admits(&tagged(50)));
        assert!(DFBA.admits(&view(89, 1, 80)) && !DFBA.admits(&view(90, 5, 0)));
        assert_eq!(DFBA.refusal_ppb(&view(49, 1, 49)), 0);
    }

    /// X = 64: the shares are 8, 16 and 40 cells, and (X - L)/(H - L) = 14/40 = 0.35.
    #[test]
    fn probabilities_by_hand() {
        for (mcr, vc_queued, ppb) in [
            (1, 8, 0),
            (2, 16, 0),
            (5, 40, 0),
            // 7/8 (0.5 (15 - 8)/(64 - 8) + 0.5 0.35) = 0.4375 (0.125 + 0.35)
            (1, 15, 207_812_500),
            // 3/4 (0.5 (40 - 16)/(64 - 16) + 0.5 0.35) = 0.375 (0.5 + 0.35)
            (2, 40, 318_750_000),
            // 3/8 (0.5 (46 - 40)/(64 - 40) + 0.5 0.35) = 0.1875 (0.25 + 0.35)
            (5, 46, 112_500_000),
            // A VC without an MCR has no share: 0.5 32/64 + 0.5 0.35
            (0, 32, 425_000_000),
        ] {
            assert_eq!(DFBA.refusal_ppb(&view(64, mcr, vc_queued)), ppb, "{mcr} {vc_queued}");
        }
        let alone = PortView { active_mcr: 1_000_000, ..view(64, 1, 64) };
        assert_eq!(DFBA.refusal_ppb(&alone), 0);
    }

    proptest! {
        /// With equal MCRs, or none, the VCs that it may refuse between the thresholds are those that Selective Drop
        /// refuses with Z = 1; with P = 1 the two are one.
        #[test]
        fn with_equal_mcrs_it_has_selective_drops_shape(
            l in 1u32..500,
            above in 1u32..500,
            queued in 0u32..1100,
            part in 0u32..=100,
            active_vcs in 1u32..20,
            mcr in prop_oneof![Just(0), 1u64..1_000_000_000],
        ) {
            let h = l + above;
            let vc_queued = queued * part / 100;
            let known = PortView { buffer: 2000, queued, vc_queued, active_vcs, ..PortView::default() };
            let port = PortView { vc_mcr: mcr, active_mcr: mcr * u64::from(active_vcs), ..known };
            let dfba = Dfba { l, h, alpha_ppm: 500_000 };
            let selective_drop = SelectiveDrop { r: l - 1, z_ppm: 1_000_000 };
            let refused = dfba.excess(&port).is_some();
            prop_assert_eq!(dfba.admits(&port), queued < h);
            prop_assert_eq!(refused, queued < h && !selective_drop.admits(&port));
            prop_assert!(refused || dfba.refusal_ppb(&port) == 0);
        }

        /// It is one, and grows with the VC's cells and with the queue.
        #[test]
        fn the_probability_is_one_and_grows(
            (l, above, alpha_ppm) in (0u32..100, 1u32..100, 0u32..=1_000_000),
            queued in 1u32..200,
            vc_queued in 0u32..200,
            mcr in 0u64..=1_000_000_000_000,
            others in 0u64..=1_000_000_000_000,
        ) {
            let dfba = Dfba { l, h: l + above, alpha_ppm };
            let vc_queued = vc_queued.min(queued);
            let (vc_mcr, active_mcr) = (mcr, mcr + others);
            let at = |vc_queued| {
                let port = PortView { queued, vc_queued, active_vcs: 2, vc_mcr, active_mcr, ..PortView::default() };
                dfba.refusal_ppb(&port)
            };
            prop_assert!(at(vc_queued) <= 1_000_000_000);
            prop_assert!(vc_queued == 0 || at(vc_queued - 1) <= at(vc_queued));
        }
    }
}
