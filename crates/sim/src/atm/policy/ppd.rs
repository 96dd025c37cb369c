//! Partial Packet Discard: no frame is refused, but the rest of a cut frame is discarded.
//!
//! Source: Romanow and Floyd, "Dynamics of TCP Traffic over ATM Networks", 1995. No parameters.

use super::{FramePolicy, PortView};

/// Partial Packet Discard.
#[derive(Clone, Copy, Debug)]
pub struct Ppd;

impl FramePolicy for Ppd {
    fn admits(&self, _: &PortView) -> bool {
        true
    }
}
