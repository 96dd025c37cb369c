//! F-GCRA: which frames are within a minimum cell rate.
//!
//! Source: TM 4.1, as the facts of 002 state it. F-GCRA(T, L) with `T = 1/MCR` and `L = tau + CDVT`, where
//! `tau = (MBS - 1)(1/MCR - 1/PCR)`. X is the bucket, LCT the time when it was last filled.
//!
//! | cell at t | `X' = X - (t - LCT)`, and then |
//! |---|---|
//! | first of a frame, CLP 1 or X' > L | the frame is not eligible |
//! | first of a frame, else | the frame is eligible; `X = max(0, X') + T`, `LCT = t` |
//! | later, of an eligible frame | `X = max(0, X') + T`, `LCT = t` |
//! | later, of another frame | nothing |
//!
//! So the eligible cells of any time t are at most `1 + L/T + t/T` and what one frame has beside its first cell: MFS at
//! most for frames that conform.
//!
//! Deviations: none. X' and L are compared exactly: both are counted in ps x bit/s of MCR, L rounded down, which is the
//! same for whole numbers.
//!
//! | parameter | unit |
//! |---|---|
//! | PCR, MCR | bit/s of whole cells, `0 < MCR <= PCR` |
//! | MBS | cells |
//! | CDVT | ps |

use super::GfrConfig;
use super::bucket::{Bucket, CELL};
use base::Time;

/// The frame-based GCRA of a VC.
#[derive(Clone, Debug)]
pub struct Fgcra {
    bucket: Bucket,
    /// L, ps x bit/s.
    limit: u128,
    /// Whether the frame that passes is eligible.
    is_eligible: bool,
}

impl Fgcra {
    /// The test of a contract; none if its MCR is 0, so that no frame is eligible.
    #[must_use]
    pub fn new(config: &GfrConfig) -> Option<Self> {
        let GfrConfig { pcr_bps, mcr_bps, mbs_cells, cdvt, .. } = *config;
        let bucket = Bucket::new(mcr_bps);
        let spare = u128::from(pcr_bps.saturating_sub(mcr_bps));
        let tau = u128::from(mbs_cells.saturating_sub(1)) * CELL * spare / u128::from(pcr_bps.max(1));
        let limit = tau + bucket.of(cdvt);
        (mcr_bps > 0).then_some(Self { bucket, limit, is_eligible: false })
    }

    /// The first cell of a frame arrives; returns whether the frame is eligible.
    pub fn first_cell(&mut self, now: Time, clp: bool) -> bool {
        self.is_eligible = !clp && self.bucket.content(now) <= self.limit;
        self.later_cell(now);
        self.is_eligible
    }

    /// A later cell of the frame arrives.
    pub fn later_cell(&mut self, now: Time) {
        if self.is_eligible {
            self.bucket.pour(now);
        }
    }
}

#[cfg(test)]
mod tests;
