//! The ACR of each ABR VC in bins of time.

use super::bins::Bins;
use crate::build::{CELL_BITS, initial_acrs};
use crate::columns::Table;
use crate::error::Error;
use crate::plan::Plan;
use base::Time;

/// The ACR of each ABR VC at the end of each bin of time.
pub(super) struct AcrBins {
    /// The last change in each bin, cells/s; nan without one.
    bins: Bins<f64>,
    /// Of each VC at the start, cells/s; none if it is not of ABR.
    initial: Vec<Option<f64>>,
}

impl AcrBins {
    /// In bins of this width.
    ///
    /// # Errors
    /// If the plan cannot be run.
    pub(super) fn new(plan: &Plan, width_ps: u64) -> Result<Self, Error> {
        let initial = initial_acrs(plan)?;
        let bins = Bins::new(initial.iter().map(Option::is_some), width_ps, plan.duration_ps, f64::NAN);
        Ok(Self { bins, initial })
    }

    /// A source has an ACR, cells/s.
    #[inline(never)]
    pub(super) fn changed(&mut self, at: Time, vc: u32, acr: f64) {
        if let Some(last) = self.bins.at(vc as usize, at) {
            *last = acr;
        }
    }

    /// Columns `vc`, `time_s` (start of the bin), `acr_bit_s` (at its end).
    pub(super) fn table(&self, by: Time) -> Table {
        let mut table = self.bins.table("vc", by);
        let of_one = |(changes, initial): (&[f64], Option<f64>)| {
            let mut last = initial.unwrap_or(f64::NAN);
            let carried = changes.iter().map(move |acr| {
                last = if acr.is_nan() { last } else { *acr };
                last * CELL_BITS
            });
            carried.collect::<Vec<_>>()
        };
        let rates = self.bins.known(by).zip(self.initial.iter().copied()).flat_map(of_one);
        table.reals("acr_bit_s", rates);
        table
    }
}
