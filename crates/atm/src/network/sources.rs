//! What a VC carries.

use base::Time;

/// When a source that is no host makes cells.
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
    /// A cell at any time from `start` until before `stop`. For ABR only, which has a rate of its own.
    Greedy {
        /// When the source begins.
        start: Time,
        /// When it ends; [`Time::NEVER`] if it does not.
        stop: Time,
    },
    /// Cells that are made when a law says so.
    Law(Box<dyn CellLaw>),
}
