//! The resource management (RM) cell.
//!
//! Source: ATM Forum TM 4.0 (af-tm-0056.000), the fields of the RM cell that control a rate.
//!
//! Deviations:
//! - Rates are real numbers. On the line ER, CCR and MCR have 16 bits (a mantissa of 9), which
//!   rounds a rate by up to 0.2 %.
//! - Direction (DIR) and CLP belong to the cell that carries the contents.
//! - QL and SN are left out: nothing reads them.

/// The contents of an RM cell. Rates are cells/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RmCell {
    /// Explicit rate: the most that the source may send; switches reduce it.
    pub er: f64,
    /// Current cell rate: the source's ACR when it sent the cell.
    pub ccr: f64,
    /// Minimum cell rate of the VC.
    pub mcr: f64,
    /// Congestion indication: the source reduces its ACR.
    pub ci: bool,
    /// No increase: the source does not raise its ACR.
    pub ni: bool,
    /// Backward explicit congestion notification: a switch or destination made the cell, not a
    /// source.
    pub bn: bool,
}
