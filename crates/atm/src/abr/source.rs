//! The source end system of ABR.
//!
//! Source: ATM Forum TM 4.0 (af-tm-0056.000), source behaviour, rules 1 to 13.
//!
//! | rule | content | where |
//! |---|---|---|
//! | 1 | MCR <= ACR <= PCR, cells leave at or below ACR | `set_acr`, [`Pace`] |
//! | 2 | ACR begins at ICR, the first cell is an FRM | [`AbrSource::new`], `forward_is_due` |
//! | 3 | the kind of the next cell: FRM, BRM or data | [`AbrSource::next_cell`] |
//! | 4 | these have CLP = 0 | the NIC |
//! | 5, 6 | before an FRM: back to ICR after a pause; less while no BRM comes | `before_forward` |
//! | 7 | CCR is the ACR that results | `forward` |
//! | 8, 9 | the effect of a BRM on ACR | [`AbrSource::on_backward`] |
//! | 10 | the fields of an FRM | `forward` |
//! | 11 | out-of-rate FRMs (CLP = 1), at most TCR | [`AbrSource::out_of_rate`] |
//! | 12 | data cells leave with EFCI = 0 | the NIC |
//! | 13 | use it or lose it: optional, not done | |
//!
//! Deviations and choices:
//! - An FRM is sent only before other cells: a VC with neither data nor a BRM to send sends nothing.
//! - Out-of-rate FRMs are sent only while ACR < TCR.
//! - NI of an FRM is 0, and its ER is PCR.
//! - For the spacing of cells when ACR changes see [`Pace`].
//!
//! Its parameters are those of [`AbrConfig`]. Only + - * / and comparisons, so results are the same on every machine.

use super::config::PS_PER_S;
use super::pace::{Pace, round_up};
use super::{AbrConfig, RmCell};
use base::Time;

/// An in-rate cell that a source sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NextCell {
    /// A forward RM cell.
    Forward(RmCell),
    /// The backward RM cell that waits.
    Backward,
    /// The next data cell.
    Data,
}

/// The source of one VC.
#[derive(Clone, Debug)]
pub struct AbrSource {
    config: AbrConfig,
    icr: f64,
    acr: f64,
    pace: Pace,
    /// When the last in-rate FRM was sent.
    last_forward: Option<Time>,
    /// In-rate cells sent since then.
    since_forward: u32,
    /// Whether a BRM is among them.
    sent_backward: bool,
    /// FRMs sent since the last BRM that a destination turned around.
    unanswered: u32,
    out_of_rate_after: Time,
}

impl AbrSource {
    /// A source that has sent nothing.
    #[must_use]
    pub fn new(config: &AbrConfig) -> Self {
        let icr = config.effective_icr();
        Self {
            config: *config,
            icr,
            acr: icr,
            pace: Pace::new(icr),
            last_forward: None,
            since_forward: 0,
            sent_backward: false,
            unanswered: 0,
            out_of_rate_after: Time::ZERO,
        }
    }

    /// Allowed cell rate, cells/s.
    #[must_use]
    pub fn acr(&self) -> f64 {
        self.acr
    }

    /// The earliest time at which the next in-rate cell may leave; it moves when ACR changes. Before the
    /// first cell, [`Time::ZERO`]; while ACR is 0, [`Time::NEVER`].
    #[must_use]
    pub fn eligible(&self) -> Time {
        self.pace.earned()
    }

    /// The in-rate cell that leaves now (rule 3); none if none waits or none is eligible yet.
    pub fn next_cell(&mut self, now: Time, data_waits: bool, brm_waits: bool) -> Option<NextCell> {
        if now < self.eligible() || !(data_waits || brm_waits) {
            return None;
        }
        if self.forward_is_due(now) {
            self.before_forward(now);
            self.last_forward = Some(now);
            self.since_forward = 0;
            self.sent_backward = false;
            self.unanswered = self.unanswered.saturating_add(1);
            self.pace.spend(now);
            return Some(NextCell::Forward(self.forward()));
        }
        self.since_forward += 1;
        self.pace.spend(now);
        if brm_waits && !(self.sent_backward && data_waits) {
            self.sent_backward = true;
            return Some(NextCell::Backward);
        }
        Some(NextCell::Data)
    }

    /// A BRM has come back (rules 8 and 9).
    pub fn on_backward(&mut self, now: Time, rm: &RmCell) {
        if !rm.bn {
            self.unanswered = 0;
        }
        let AbrConfig { pcr, rif, rdf, .. } = self.config;
        let moved = if rm.ci {
            self.acr - self.acr * rdf
        } else if rm.ni {
            self.acr
        } else {
            (self.acr + rif * pcr).min(pcr)
        };
        self.set_acr(now, moved.min(rm.er));
    }

    /// When the next out-of-rate FRM may leave, if data waits; [`Time::NEVER`] unless ACR < TCR.
    #[must_use]
    pub fn next_out_of_rate(&self) -> Time {
        if self.acr < self.config.tcr { self.out_of_rate_after } else { Time::NEVER }
    }

    /// The out-of-rate FRM that leaves now (rule 11); none if it may not.
    pub fn out_of_rate(&mut self, now: Time) -> Option<RmCell> {
        if now < self.next_out_of_rate() {
            return None;
        }
        self.out_of_rate_after = now.saturating_add(round_up(PS_PER_S / self.config.tcr));
        Some(self.forward())
    }

    /// Rules 2 and 3a.
    fn forward_is_due(&self, now: Time) -> bool {
        let Some(last) = self.last_forward else {
            return true;
        };
        let AbrConfig { nrm, mrm, trm, .. } = self.config;
        self.since_forward + 1 >= nrm || (self.since_forward >= mrm && now - last >= trm)
    }

    /// Rules 5 and 6.
    fn before_forward(&mut self, now: Time) {
        let AbrConfig { adtf, crm, cdf, .. } = self.config;
        let mut acr = self.acr;
        if acr > self.icr && self.last_forward.is_some_and(|last| now - last > adtf) {
            acr = self.icr;
        }
        if crm.is_some_and(|crm| self.unanswered >= crm) {
            acr -= acr * cdf;
        }
        self.set_acr(now, acr);
    }

    /// Rules 7 and 10.
    fn forward(&self) -> RmCell {
        let AbrConfig { pcr, mcr, .. } = self.config;
        RmCell { er: pcr, ccr: self.acr, mcr, ci: false, ni: false, bn: false }
    }

    fn set_acr(&mut self, now: Time, acr: f64) {
        let acr = acr.min(self.config.pcr).max(self.config.mcr);
        if acr != self.acr {
            self.acr = acr;
            self.pace.set_rate(now, acr);
        }
    }
}

#[cfg(test)]
mod tests;
