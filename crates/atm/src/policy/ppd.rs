//! Partial Packet Discard: no frame is refused, but the rest of a cut frame is discarded.
//!
//! Source: Romanow and Floyd, "Dynamics of TCP Traffic over ATM Networks", 1995. No parameters.

use super::{FramePolicy, PolicyKind, PortView};

/// Partial Packet Discard.
#[derive(Clone, Copy, Debug)]
pub struct Ppd;

/// Its row in the table.
pub(super) const KIND: PolicyKind = PolicyKind {
    name: "ppd",
    summary: "the rest of a cut frame is discarded",
    parameters: &[],
    make: |_| Box::new(Ppd),
};

impl FramePolicy for Ppd {
    fn admits(&self, _: &PortView) -> bool {
        true
    }
}
