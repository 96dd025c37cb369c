//! Congestion controls whose code is in the plan, for a program that can run it.

use crate::error::Error;
use crate::plan::Plan;

pub use tcp::Sender;
pub use tcp::congestion::outside::{Control, Values};
pub use tcp::congestion::{AckSample, Cause, Phase};
pub use tcp::transmit_queue::{PathSample, RateSample};

/// Makes the congestion controls whose code is in a plan.
pub trait Controls: Send + Sync {
    /// The control of an end of a connection.
    fn control(&self, end: &ConnectionEnd) -> Box<dyn Control>;
}

/// An end of a connection whose congestion control is outside.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionEnd {
    /// Its TCP: an index of the plan's `tcps`.
    pub config: usize,
    /// Number of its flow.
    pub flow: u32,
    /// For the random choices of its congestion control.
    pub seed: u64,
}

/// Refuses a plan with code: this program cannot execute code.
///
/// # Errors
/// If a TCP of a flow is code.
pub fn refuse_code(plan: &Plan) -> Result<(), Error> {
    match plan.codes().flatten().next() {
        Some(code) => Err(Error::Code { file: code.file.clone() }),
        None => Ok(()),
    }
}
