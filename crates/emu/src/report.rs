//! What a run reports beside its tables: what the model did not ask for.

use crate::host::Counts;
use crate::lateness::{Late, Summary};
use crate::tap::Captured;
use serde::Serialize;

/// What a run reports.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    pub(crate) counts: Counts,
    /// From when on a packet was late, us.
    pub(crate) deadline_us: f64,
    /// How long it took, s; shorter than the plan says if it was ended.
    pub(crate) duration_s: f64,
    /// Whether the launcher ended it.
    pub(crate) was_ended: bool,
    /// Buffers for packets, and how often there were too few.
    pub(crate) buffers: usize,
    pub(crate) buffers_grown: u64,
    /// From the arrival at a device to being read.
    pub(crate) read_delay: Summary,
    /// From the arrival at a device to the time at which the network saw it arrive.
    pub(crate) entered_late: Summary,
    /// From the time at which a packet should have left to when it did.
    pub(crate) left_late: Summary,
    /// The latest packets.
    pub(crate) worst: Vec<Late>,
    /// What was captured; none if nothing was to be.
    pub(crate) capture: Option<Captured>,
}
