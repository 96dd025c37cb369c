//! The report of a run beside its tables: effects that are not part of the model.

use crate::host::Counts;
use crate::lateness::{Late, Summary};
use crate::tap::Captured;
use serde::Serialize;

/// The report of a run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    pub(crate) counts: Counts,
    /// The lateness from which a packet counts as late, us.
    pub(crate) deadline_us: f64,
    /// How long it took, s; shorter than the plan says if it was ended.
    pub(crate) duration_s: f64,
    /// Whether the launcher ended it.
    pub(crate) was_ended: bool,
    /// Buffers for packets, and how often there were too few.
    pub(crate) buffers: usize,
    pub(crate) buffers_grown: u64,
    /// Time from the arrival at a device to the read.
    pub(crate) read_delay: Summary,
    /// Time from the arrival at a device to the entry into the network.
    pub(crate) entered_late: Summary,
    /// Time from the due departure of a packet to the real one.
    pub(crate) left_late: Summary,
    /// The latest packets.
    pub(crate) worst: Vec<Late>,
    /// The capture; none if none was requested.
    pub(crate) capture: Option<Captured>,
}
