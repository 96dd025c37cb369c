//! The ACR of each ABR VC in bins of time.

use super::Told;
use super::bins::Bins;
pub(super) use super::bins::ROW_BYTES;
use crate::build::{CELL_BITS, initial_acrs};
use crate::columns::{Recorded, Table};
use crate::error::Error;
use crate::host::Host;
use crate::plan::Plan;
use crate::recorder::Recorder;
use atm::AtmEvent;
use base::Time;
use sim::{Event, LinkId, Observer};

/// The ACR of each ABR VC at the end of each bin of time.
pub(crate) struct AcrBins {
    /// The last change in each bin, cells/s; nan without one.
    bins: Bins<f64>,
    /// Of each VC at the start, cells/s; none if it is not of ABR.
    initial: Vec<Option<f64>>,
    told: Told,
}

impl AcrBins {
    /// As the plan configures it; none if it does not.
    ///
    /// # Errors
    /// If the plan cannot be run.
    pub(crate) fn of(plan: &Plan) -> Result<Option<Self>, Error> {
        let Some(width_ps) = plan.probes.acr_bin_ps else { return Ok(None) };
        let initial = initial_acrs(plan)?;
        let bins = Bins::new(initial.iter().map(Option::is_some), width_ps, plan.duration_ps, f64::NAN);
        Ok(Some(Self { bins, initial, told: Told::of(plan) }))
    }

    /// A source has an ACR, cells/s.
    #[inline(never)]
    fn changed(&mut self, at: Time, vc: u32, acr: f64) {
        if let Some(last) = self.bins.at(vc as usize, at) {
            *last = acr;
        }
    }

    /// Columns `vc`, `time_s` (start of the bin), `acr_bit_s` (at its end).
    fn table(&self, by: Time) -> Table {
        let mut table = self.bins.table("vc", by);
        let mut rates = Vec::with_capacity(self.bins.rows(by));
        for ((bins, changes), initial) in self.bins.known(by).zip(&self.initial) {
            let mut last = initial.unwrap_or(f64::NAN);
            rates.extend(changes.iter().map(|acr| {
                last = if acr.is_nan() { last } else { *acr };
                last * CELL_BITS
            }));
            rates.resize(rates.len() + bins - changes.len(), last * CELL_BITS);
        }
        table.reals("acr_bit_s", rates);
        table
    }
}

impl Observer<Host> for AcrBins {
    fn follows(&self, _: LinkId) -> bool {
        false
    }

    // Inlined, so that of all other events nothing is left.
    #[inline(always)]
    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        if let Event::Component(_, AtmEvent::Acr { vc, acr }) = *event {
            self.changed(at, vc, acr);
        }
    }
}

impl Recorder for AcrBins {
    fn record(&self, by: Time, tables: &mut Recorded) -> Result<(), Error> {
        tables.acr = self.table(self.told.by(by));
        Ok(())
    }
}
