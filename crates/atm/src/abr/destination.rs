//! The destination end system of ABR.
//!
//! Source: ATM Forum TM 4.0 (af-tm-0056.000), destination behaviour, rules 1 to 6.
//!
//! | rule | what | where |
//! |---|---|---|
//! | 1 | remember the EFCI bit of the last data cell | [`AbrDestination::on_data`] |
//! | 2 | turn an FRM around; CI = 1 if EFCI is remembered, which is then forgotten | [`AbrDestination::turn_around`] |
//! | 3, 4 | a newer BRM takes the place of one that has not left yet | the NIC |
//! | 6 | an FRM with CLP = 1 is turned around in-rate | the NIC |
//!
//! Deviations: rule 5 allows a destination to generate BRMs (BN = 1), and rule 2 to lower ER. This one does
//! neither, because it is never congested. A BRM that replaces another keeps the other's CI, as rule 4 says.

use super::RmCell;

/// The destination of one VC.
#[derive(Clone, Copy, Debug, Default)]
pub struct AbrDestination {
    /// EFCI of the last data cell since the last FRM was turned around.
    efci: bool,
}

impl AbrDestination {
    /// A data cell has come, with this EFCI bit.
    pub fn on_data(&mut self, efci: bool) {
        self.efci = efci;
    }

    /// The BRM for an FRM that has come.
    #[must_use]
    pub fn turn_around(&mut self, forward: &RmCell) -> RmCell {
        let efci = std::mem::take(&mut self.efci);
        RmCell { ci: forward.ci || efci, bn: false, ..*forward }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRM: RmCell = RmCell { er: 9.0, ccr: 3.0, mcr: 1.0, ci: false, ni: true, bn: false };

    #[test]
    fn a_turned_cell_keeps_its_rates() {
        assert_eq!(AbrDestination::default().turn_around(&FRM), FRM);
        let congested = RmCell { ci: true, ..FRM };
        assert_eq!(AbrDestination::default().turn_around(&congested), congested);
    }

    #[test]
    fn efci_of_the_last_data_cell_becomes_ci_once() {
        let mut destination = AbrDestination::default();
        destination.on_data(true);
        assert!(destination.turn_around(&FRM).ci);
        assert!(!destination.turn_around(&FRM).ci);
        destination.on_data(true);
        destination.on_data(false);
        assert!(!destination.turn_around(&FRM).ci);
    }
}
