//! Tail drop: a cell is lost when the buffer is full, whatever frame it belongs to.
//!
//! Source: the plain UBR service, TM 4.0. No parameters.

use super::{FramePolicy, PolicyKind, PortView};

/// Tail drop.
#[derive(Clone, Copy, Debug)]
pub struct Tail;

/// Its row in the table.
pub(super) const KIND: PolicyKind = PolicyKind {
    name: "tail",
    summary: "a cell is lost when the buffer is full",
    parameters: &[],
    make: |_| Box::new(Tail),
};

impl FramePolicy for Tail {
    fn admits(&self, _: &PortView) -> bool {
        true
    }

    /// Later cells of a cut frame are carried if they find room, although they are useless.
    fn discards_rest(&self) -> bool {
        false
    }
}
