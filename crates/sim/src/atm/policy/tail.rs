//! Tail drop: a cell is lost when the buffer is full, whatever frame it belongs to.
//!
//! Source: the plain UBR service, TM 4.0. No parameters.

use super::{FramePolicy, PortView};

/// Tail drop.
#[derive(Clone, Copy, Debug)]
pub struct Tail;

impl FramePolicy for Tail {
    fn admits(&self, _: &PortView) -> bool {
        true
    }

    /// Later cells of a cut frame are carried if they find room, although they are useless.
    fn discards_rest(&self) -> bool {
        false
    }
}
