//! What a VC carries.

use base::Time;

/// The times of cells of a source that is no host.
pub trait CellLaw: Send {
    /// When the next cell is handed to the NIC: never before the time returned last, and
    /// [`Time::NEVER`] if there are no more cells.
    fn next_cell(&mut self) -> Time;
}

/// What a VC carries.
pub enum Cells {
    /// The packets that a host sends.
    Packets,
    /// Nothing but RM cells: the return path of a source that is no host.
    Nothing,
    /// Always a cell from `start` until before `stop`. For ABR only, which has its own rate.
    Greedy {
        /// When the source begins.
        start: Time,
        /// When it ends; [`Time::NEVER`] if it does not.
        stop: Time,
    },
    /// Cells at the times of a law.
    Law(Box<dyn CellLaw>),
}
