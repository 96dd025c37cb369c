//! The counters of an ATM network.

use super::Category;
use crate::port::PortCounters;

/// Totals since the start.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkCounters {
    /// For each line with a port its number and the totals of all categories. Frames, and cells refused and cut, are
    /// those of UBR and GFR; cells of the other categories that were lost have overflowed.
    pub ports: Vec<(u32, PortCounters)>,
    /// For each line with a port, each category that has a VC there.
    pub classes: Vec<ClassCounters>,
    /// For each VC.
    pub vcs: Vec<VcCounters>,
}

/// Totals of a category at a port, RM cells among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassCounters {
    /// Number of the line.
    pub line: u32,
    /// The category.
    pub category: Category,
    /// Cells that arrived.
    pub cells_offered: u64,
    /// Cells that have left.
    pub cells_carried: u64,
    /// Cells that were lost.
    pub cells_lost: u64,
    /// Cells queued now, including the one being sent.
    pub queued: u32,
    /// The most cells that were queued.
    pub max_queued: u32,
    /// Cells in the queue, integrated over time: cells x ps.
    pub queued_ps: u128,
}

/// Totals of a VC. Cells are data unless RM cells are named.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VcCounters {
    /// Cells that have begun to leave the NIC.
    pub cells_sent: u64,
    /// Cells that have come to the far end.
    pub cells_received: u64,
    /// Cells that were lost, at any port.
    pub cells_lost: u64,
    /// Of UBR and GFR: frames whose last cell has come to the first switch.
    pub frames: u64,
    /// Those of GFR that conformed and were eligible for MCR.
    pub frames_eligible: u64,
    /// Those of GFR that conformed and were tagged.
    pub frames_tagged: u64,
    /// Of UBR and GFR: frames that have come to the far end whole.
    pub frames_delivered: u64,
    /// Eligible frames among them.
    pub eligible_delivered: u64,
    /// Cells of the frames that have come whole.
    pub cells_delivered: u64,
    /// Eligible frames of which a port refused or lost a cell, or which the receiver joined to the remains of another;
    /// counted when their last cells arrive there.
    pub eligible_lost: u64,
    /// Forward RM cells of the VC sent.
    pub frms_sent: u64,
    /// Backward RM cells of the VC that have come back.
    pub brms_received: u64,
    /// Backward RM cells of the peer sent, which travel on this VC.
    pub brms_sent: u64,
    /// The most cells that were waiting in the NIC.
    pub max_waiting: u64,
    /// ACR, integrated over time: cells. None if the VC is not ABR.
    pub acr_cells: Option<f64>,
}
