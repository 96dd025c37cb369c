//! The windows of chosen senders.

use super::log::{Log, OfFlows};
use crate::columns::Table;
use crate::error::Error;
use crate::plan::Plan;
use base::Time;
use tcp::Connection;

/// Memory of a row.
pub(super) const ROW_BYTES: usize = Log::<[u64; 3]>::row_bytes(6);

const TOO_MANY: &str = "`cwnd_of` gives more than 20000000 rows: name fewer flows in probes.cwnd, or a shorter time in probes.from and probes.until";

/// cwnd, ssthresh and `flight_size` of chosen flows' senders, whenever one of them has changed.
pub(super) struct CwndTrace {
    last: OfFlows<Option<[u64; 3]>>,
    log: Log<[u64; 3]>,
}

impl CwndTrace {
    /// As the plan configures it.
    pub(super) fn new(plan: &Plan) -> Self {
        Self { last: OfFlows::new(plan, &plan.probes.cwnd_of), log: Log::new(plan) }
    }

    /// A sender has acted.
    #[inline]
    pub(super) fn acted(&mut self, at: Time, flow: u32, number: u32, connection: &Connection) {
        let Some(last) = self.last.of(flow, number) else { return };
        let window = connection.window();
        let now = [window.cwnd(), window.ssthresh(), connection.sender().flight_size()];
        if *last != Some(now) {
            *last = Some(now);
            self.log.add(flow, number, at, now);
        }
    }

    /// Columns `flow`, `connection`, `time_s`, `cwnd_bytes`, `ssthresh_bytes`, `flight_size_bytes`.
    pub(super) fn table(&self) -> Result<Table, Error> {
        let mut table = self.log.table(TOO_MANY)?;
        table.integers("cwnd_bytes", self.log.values().map(|its| its[0]));
        table.integers("ssthresh_bytes", self.log.values().map(|its| its[1]));
        table.integers("flight_size_bytes", self.log.values().map(|its| its[2]));
        Ok(table)
    }
}
