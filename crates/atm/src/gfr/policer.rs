//! The policer of a GFR VC at its first switch.
//!
//! Source: TM 4.1, as the facts of 002 state it. Two tests, one after the other:
//!
//! | test | of | fails if |
//! |---|---|---|
//! | conformance | each cell | too early by GCRA(1/PCR, CDVT), beyond MFS cells of its frame, or CLP differs from the first cell |
//! | eligibility | the first cell | [`Fgcra`] says so |
//!
//! A frame that does not conform is cut: the first cell that fails and the rest of the frame are discarded. They fill
//! neither bucket. A frame that conforms and is not eligible passes, and with tagging
//! (GFR.2) all of its cells get CLP 1.
//!
//! Deviation: TM 4.1 lets a network treat the rest of such a frame as it likes; here it is discarded.
//!
//! | parameter | unit |
//! |---|---|
//! | PCR, MCR | bit/s of whole cells |
//! | MBS, MFS | cells |
//! | CDVT | ps |
//! | tagging | yes or no |

use super::bucket::Bucket;
use super::{Fgcra, GfrConfig};
use base::Time;

/// The verdict on a cell. All cells of a frame that conforms have the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It passes with CLP 0; its frame is eligible.
    Eligible,
    /// It passes unchanged; its frame has no guarantee.
    NotEligible,
    /// It passes with CLP 1; its frame has no guarantee.
    Tagged,
    /// It is discarded: it or an earlier cell of its frame did not conform.
    Discarded,
}

/// The conformance and eligibility tests of a VC.
#[derive(Clone, Debug)]
pub struct Policer {
    peak: Bucket,
    /// CDVT, in the bucket's units.
    peak_limit: u128,
    fgcra: Option<Fgcra>,
    mfs_cells: u32,
    tagging: bool,
    /// Cells of the frame that have come; 0 between two frames.
    length: u32,
    /// CLP of its first cell.
    clp: bool,
    /// The verdict on it so far.
    verdict: Verdict,
}

impl Policer {
    /// The tests of a contract, before the first cell.
    #[must_use]
    pub fn new(config: &GfrConfig) -> Self {
        let peak = Bucket::new(config.pcr_bps);
        Self {
            peak_limit: peak.of(config.cdvt),
            peak,
            fgcra: Fgcra::new(config),
            mfs_cells: config.mfs_cells,
            tagging: config.tagging,
            length: 0,
            clp: false,
            verdict: Verdict::NotEligible,
        }
    }

    /// A cell arrives; `last` if it is the last of its frame.
    pub fn cell(&mut self, now: Time, clp: bool, last: bool) -> Verdict {
        let is_first = self.length == 0;
        if is_first {
            self.clp = clp;
            self.verdict = Verdict::NotEligible;
        }
        self.length = self.length.saturating_add(1);
        if self.verdict != Verdict::Discarded {
            self.verdict = self.judge(now, clp, is_first);
        }
        if last {
            self.length = 0;
        }
        self.verdict
    }

    fn judge(&mut self, now: Time, clp: bool, is_first: bool) -> Verdict {
        let conforms = self.peak.content(now) <= self.peak_limit;
        if !conforms || self.length > self.mfs_cells || clp != self.clp {
            return Verdict::Discarded;
        }
        self.peak.pour(now);
        let fgcra = self.fgcra.as_mut();
        if !is_first {
            if let Some(fgcra) = fgcra {
                fgcra.later_cell(now);
            }
            return self.verdict;
        }
        match fgcra.is_some_and(|fgcra| fgcra.first_cell(now, clp)) {
            true => Verdict::Eligible,
            false if self.tagging => Verdict::Tagged,
            false => Verdict::NotEligible,
        }
    }
}

#[cfg(test)]
mod tests;
