//! Rate control at a switch port: the measurement of arriving cells, and the rates that are written into
//! the backward RM cells.
//!
//! One file an algorithm; ERICA's is [`erica`](Erica), with its [queue control](QueueControl) and its
//! [averaging](Averaging) in files of their own. To add one, see `docs/howto/add-a-rate-control.md`.

mod averaging;
mod efci;
#[allow(clippy::module_inception, reason = "the algorithm is called as the family is")]
mod erica;
mod queue_control;

pub use averaging::{Averaging, LoadAverage};
pub use efci::Efci;
pub use erica::{Ccr, Erica, EricaConfig};
pub use queue_control::QueueControl;

use super::abr::RmCell;
use base::Time;

/// The state of the port that a rate control may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PortQueue {
    /// ABR cells queued.
    pub abr_cells: u32,
    /// Rate of the line, cells/s.
    pub cell_rate: f64,
}

/// Rate control of one output port.
///
/// It sees every ABR cell that enters the port, and the BRMs that pass the switch in the other direction
/// on behalf of the VCs that leave through the port. VCs are numbered by the port, from 0.
///
/// The port calls in the order of time. At a cell that ends the interval it calls [`arrival`], then
/// [`end_interval`], and if the cell is an FRM then [`forward_rm`]. If an interval ends by time, the port calls
/// [`end_interval`] before it reports anything that happens at that time or later. That call may come late, as
/// long as `now` and `queue` are those of the interval's end.
///
/// [`arrival`]: RateControl::arrival
/// [`end_interval`]: RateControl::end_interval
/// [`forward_rm`]: RateControl::forward_rm
pub trait RateControl: Send {
    /// A cell of VC `vc`, data or RM, enters the port. Returns whether the interval ends with it.
    fn arrival(&mut self, now: Time, vc: u32) -> bool {
        let _ = (now, vc);
        false
    }

    /// A cell of a category that is served before ABR enters the port.
    fn other_arrival(&mut self, now: Time) {
        let _ = now;
    }

    /// An FRM of VC `vc` enters the port.
    fn forward_rm(&mut self, now: Time, vc: u32, rm: &RmCell) {
        let _ = (now, vc, rm);
    }

    /// A BRM passes that goes to the source of VC `vc`: may reduce its ER and set CI and NI.
    fn backward_rm(&mut self, now: Time, vc: u32, rm: &mut RmCell, queue: &PortQueue) {
        let _ = (now, vc, rm, queue);
    }

    /// Whether a data cell that enters now gets its EFCI bit set.
    fn marks(&self, queue: &PortQueue) -> bool {
        let _ = queue;
        false
    }

    /// When the measurement interval ends, if no cell ends it before; [`Time::NEVER`] without intervals.
    fn interval_end(&self) -> Time {
        Time::NEVER
    }

    /// The interval ends.
    fn end_interval(&mut self, now: Time, queue: &PortQueue) {
        let _ = (now, queue);
    }
}

/// The rate control of a port.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateControlConfig {
    /// Nothing.
    None,
    /// Marks data cells while its queue is long.
    Efci(Efci),
    /// ERICA, or ERICA+ with a queue control that is not constant.
    Erica(EricaConfig),
}

impl RateControlConfig {
    /// Makes the rate control of a port with `vcs` VCs; none if it does nothing.
    #[must_use]
    pub fn make(&self, vcs: usize) -> Option<Box<dyn RateControl>> {
        match *self {
            Self::None => None,
            Self::Efci(efci) => Some(Box::new(efci)),
            Self::Erica(config) => Some(Box::new(Erica::new(config, vcs))),
        }
    }
}
