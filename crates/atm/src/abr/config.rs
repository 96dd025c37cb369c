//! The parameters of an ABR virtual channel.
//!
//! Source: ATM Forum TM 4.0 (af-tm-0056.000), the table of ABR parameters; the OSU values as used in
//! Vandalore et al. 1998 (004) and Kalyanaraman 1997.
//!
//! | parameter | unit | what | TM 4.0 | OSU |
//! |---|---|---|---|---|
//! | PCR | cells/s | most that ACR may be | of the line | of the line |
//! | MCR | cells/s | least that ACR is ever set to | 0 | 0 |
//! | ICR | cells/s | ACR at the start and after a long pause | PCR | not stated |
//! | Nrm | cells | an FRM and the Nrm - 1 cells after it | 32 | 32 |
//! | Mrm | cells | least between FRMs that follow by time | 2 | 2 |
//! | Trm | time | after which an FRM follows by time | 100 ms | 100 ms |
//! | RIF | 1 | share of PCR that a BRM may add | 1/16 | 1 |
//! | RDF | 1 | share of ACR that a BRM with CI takes | 1/16 | 1/16 |
//! | ADTF | time | pause after which ACR falls back to ICR | 0.5 s | 0.5 s |
//! | TBE | cells | what may be sent before the first BRM | 16 777 215 | 16 777 215 |
//! | CRM | FRMs | that may be sent without a BRM | TBE / Nrm, rounded up | off |
//! | CDF | 1 | share of ACR that rule 6 takes | 1/16 | 1/16 |
//! | TCR | cells/s | most out-of-rate FRMs | 10 | 10 |
//! | FRTT | time | round trip without queues | of the path | of the path |

use base::Time;

/// Parameters of one VC. Rates are cells/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AbrConfig {
    /// Peak cell rate, above 0.
    pub pcr: f64,
    /// Minimum cell rate, from 0 to `pcr`.
    pub mcr: f64,
    /// Initial cell rate; see [`AbrConfig::effective_icr`].
    pub icr: f64,
    /// Cells from an FRM to the next, that FRM included; at least 2.
    pub nrm: u32,
    /// In-rate cells between FRMs that follow by time.
    pub mrm: u32,
    /// Time between FRMs that follow by time.
    pub trm: Time,
    /// Rate increase factor, above 0 and at most 1.
    pub rif: f64,
    /// Rate decrease factor, above 0 and at most 1.
    pub rdf: f64,
    /// ACR decrease time factor.
    pub adtf: Time,
    /// Transient buffer exposure, cells.
    pub tbe: u32,
    /// FRMs that may be sent without a BRM; none: rule 6 is off.
    pub crm: Option<u32>,
    /// Cutoff decrease factor, from 0 (which turns rule 6 off as well) to 1.
    pub cdf: f64,
    /// Tagged cell rate, above 0.
    pub tcr: f64,
    /// Fixed round-trip time.
    pub frtt: Time,
}

impl AbrConfig {
    /// The defaults of TM 4.0.
    #[must_use]
    pub fn tm40(pcr: f64, frtt: Time) -> Self {
        let (nrm, tbe) = (32, 16_777_215_u32);
        Self {
            pcr,
            mcr: 0.0,
            icr: pcr,
            nrm,
            mrm: 2,
            trm: Time::from_ms(100),
            rif: 1.0 / 16.0,
            rdf: 1.0 / 16.0,
            adtf: Time::from_ms(500),
            tbe,
            crm: Some(tbe.div_ceil(nrm)),
            cdf: 1.0 / 16.0,
            tcr: 10.0,
            frtt,
        }
    }

    /// The values of the OSU studies of ERICA: a BRM sets ACR to its ER at once (RIF = 1), and
    /// ACR does not change while none comes. The studies do not state ICR.
    #[must_use]
    pub fn osu(pcr: f64, icr: f64, frtt: Time) -> Self {
        Self { icr, rif: 1.0, crm: None, ..Self::tm40(pcr, frtt) }
    }

    /// The ICR in effect: at most TBE cells are sent in a round trip, and MCR <= ICR <= PCR.
    #[must_use]
    pub fn effective_icr(&self) -> f64 {
        let exposed = if self.frtt > Time::ZERO {
            f64::from(self.tbe) * PS_PER_S / self.frtt.as_ps() as f64
        } else {
            self.pcr
        };
        self.icr.min(exposed).min(self.pcr).max(self.mcr)
    }
}

/// Picoseconds of a second.
pub(super) const PS_PER_S: f64 = 1e12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crm_of_tm40_is_tbe_over_nrm_rounded_up() {
        // 16 777 215 / 32 = 524 287.97
        assert_eq!(AbrConfig::tm40(1e5, Time::ZERO).crm, Some(524_288));
        assert_eq!(AbrConfig::osu(1e5, 1e4, Time::ZERO).crm, None);
    }

    #[test]
    fn a_small_tbe_limits_icr_and_mcr_does_not_yield() {
        let config = AbrConfig { tbe: 600, ..AbrConfig::tm40(100_000.0, Time::from_ms(30)) };
        // 600 cells / 0.03 s = 20 000 cells/s
        assert_eq!(config.effective_icr(), 20_000.0);
        assert_eq!(AbrConfig { mcr: 25_000.0, ..config }.effective_icr(), 25_000.0);
        assert_eq!(AbrConfig { frtt: Time::ZERO, ..config }.effective_icr(), 100_000.0);
        assert_eq!(AbrConfig { icr: 10_000.0, ..config }.effective_icr(), 10_000.0);
    }
}
