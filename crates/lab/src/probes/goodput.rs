//! Bytes delivered in bins of time.

pub(super) use super::bins::ROW_BYTES;
use super::bins::{Bins, whole_table};
use crate::columns::Table;
use crate::host::Host;
use crate::plan::Plan;
use base::Time;

/// Bytes delivered to each receiver in order, in each bin of time.
pub(super) struct GoodputBins {
    bins: Bins<u64>,
    /// Bytes delivered to each at its last event.
    delivered: Vec<u64>,
}

impl GoodputBins {
    /// In bins of this width.
    pub(super) fn new(plan: &Plan, width_ps: u64) -> Self {
        let flows = plan.flow_count() as usize;
        let all = std::iter::repeat_n(true, flows);
        Self { bins: Bins::new(all, width_ps, plan.duration_ps, 0), delivered: vec![0; flows] }
    }

    /// The receiver of a flow has acted.
    #[inline(never)]
    pub(super) fn acted(&mut self, at: Time, flow: u32, receiver: &Host) {
        let before = &mut self.delivered[flow as usize];
        let delivered = receiver.delivered();
        let added = delivered - std::mem::replace(before, delivered);
        if added > 0
            && let Some(bytes) = self.bins.at(flow as usize, at)
        {
            *bytes += added;
        }
    }

    /// Columns `flow`, `time_s` (start of the bin), `delivered_bytes`.
    pub(super) fn table(&self, by: Time) -> Table {
        whole_table(&self.bins, "flow", "delivered_bytes", by)
    }
}
