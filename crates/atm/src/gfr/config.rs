//! A GFR contract.

use base::Time;

/// The contract of a GFR VC. Rates are of whole cells of 53 bytes.
///
/// | parameter | unit | |
/// |---|---|---|
/// | PCR | bit/s | above 0 |
/// | MCR | bit/s | at most PCR; 0: no frame is eligible |
/// | MBS | cells | at least 1; TM 4.1 wants two frames of MFS or more |
/// | MFS | cells | at least 1 |
/// | CDVT | ps | |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GfrConfig {
    /// Peak cell rate, bit/s.
    pub pcr_bps: u64,
    /// Minimum cell rate, bit/s.
    pub mcr_bps: u64,
    /// Maximum burst size, cells.
    pub mbs_cells: u32,
    /// Maximum frame size, cells.
    pub mfs_cells: u32,
    /// Cell delay variation tolerance, of PCR and of MCR.
    pub cdvt: Time,
    /// Whether the network tags frames that are not eligible (GFR.2).
    pub tagging: bool,
}
