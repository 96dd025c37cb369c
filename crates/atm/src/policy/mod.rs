//! Frame policies: when a port refuses a new frame. One file per policy.
//!
//! To add one, see `docs/howto/add-a-frame-policy.md`.

pub(super) mod dfba;
pub(super) mod double_epd;
pub(super) mod epd;
pub(super) mod fba;
pub(super) mod ppd;
pub(super) mod selective_drop;
pub(super) mod tail;

/// The state of the port when the first cell of a frame arrives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortView {
    /// Buffer K, cells.
    pub buffer: u32,
    /// Cells queued, X; the cell being sent counts until it has left.
    pub queued: u32,
    /// Cells of the frame's VC among them, Y.
    pub vc_queued: u32,
    /// VCs with at least one cell queued, Na.
    pub active_vcs: u32,
    /// Whether the frame has cell loss priority 1: it was tagged, or its source set it.
    pub clp: bool,
    /// MCR of the frame's VC, bit/s of whole cells; 0 without a contract.
    pub vc_mcr: u64,
    /// MCRs of the VCs with at least one cell queued, in all.
    pub active_mcr: u64,
}

/// Decides which new frames a port refuses.
pub trait FramePolicy: Send {
    /// Whether the frame whose first cell has arrived is to be admitted.
    fn admits(&self, port: &PortView) -> bool;

    /// Whether the rest of a frame is discarded once one of its cells found the buffer full.
    fn discards_rest(&self) -> bool {
        true
    }

    /// Whether `admits` reads `vc_queued` or `active_vcs`. If not, the port does not count cells by VC,
    /// and both are zero.
    fn counts_vcs(&self) -> bool {
        false
    }

    /// Whether it reads the fields of contracts: `clp`, and the MCRs if it counts VCs. Only ports of an
    /// [`AtmNetwork`](super::network::AtmNetwork) have them; at others they are false and zero, and refusals are not
    /// random.
    fn needs_contracts(&self) -> bool {
        false
    }

    /// The probability of refusing a frame that `admits` accepts, parts in 1e9. Called only if the policy needs
    /// contracts.
    fn refusal_ppb(&self, port: &PortView) -> u32 {
        let _ = port;
        0
    }
}

/// A row of the table of policies: the name in a plan, and how the policy is made.
#[derive(Clone, Copy, Debug)]
pub struct PolicyKind {
    /// Its name in a plan.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Names of its parameters, each ending in its unit: `_cells`, or `_ppm` (1 to a million).
    pub parameters: &'static [&'static str],
    /// Makes the policy from its parameters, in that order.
    pub make: fn(&[u32]) -> Box<dyn FramePolicy>,
}

/// Every policy.
pub static FRAME_POLICIES: &[PolicyKind] =
    &[tail::KIND, ppd::KIND, epd::KIND, selective_drop::KIND, fba::KIND, double_epd::KIND, dfba::KIND];

impl PolicyKind {
    /// The policy of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FRAME_POLICIES.iter().find(|kind| kind.name == name)
    }
}

/// Thresholds scaled by Z are compared as whole numbers, with Z in parts per million.
pub(crate) const MILLION: u64 = 1_000_000;
