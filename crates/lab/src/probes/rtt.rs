//! The RTTs that chosen senders measure.

use super::log::{Log, OfFlows};
use crate::columns::Table;
use crate::error::Error;
use crate::plan::Plan;
use base::Time;
use tcp::Connection;

/// Memory of a row.
pub(super) const ROW_BYTES: usize = Log::<Sample>::row_bytes(6);

const TOO_MANY: &str = "`rtt_of` gives more than 20000000 rows: name fewer flows in probes.rtt, or a shorter time in probes.from and probes.until";

/// A sample, and what the estimator then says.
struct Sample {
    rtt: Time,
    smoothed: Time,
    rto: Time,
}

/// Each RTT that chosen flows' senders measure.
pub(super) struct RttTrace {
    /// How many each connection has measured, and their sum, ps.
    measured: OfFlows<(u64, u64)>,
    log: Log<Sample>,
}

impl RttTrace {
    /// As the plan configures it.
    pub(super) fn new(plan: &Plan) -> Self {
        Self { measured: OfFlows::new(plan, &plan.probes.rtt_of), log: Log::new(plan) }
    }

    /// A sender has acted.
    #[inline]
    pub(super) fn acted(&mut self, at: Time, flow: u32, number: u32, connection: &Connection) {
        let Some(before) = self.measured.of(flow, number) else { return };
        let counters = connection.counters();
        if counters.rtt_samples > before.0 {
            debug_assert_eq!(
                counters.rtt_samples,
                before.0 + 1,
                "what a host does at once gives one RTT at most"
            );
            let rtt = Time::from_ps(counters.rtt_ps - before.1);
            *before = (counters.rtt_samples, counters.rtt_ps);
            let smoothed = connection.sender().srtt.unwrap_or(rtt);
            self.log.add(flow, number, at, Sample { rtt, smoothed, rto: connection.rto() });
        }
    }

    /// Columns `flow`, `connection`, `time_s`, `rtt_s` (the sample), `srtt_s`, `rto_s` (both after it).
    pub(super) fn table(&self) -> Result<Table, Error> {
        let mut table = self.log.table(TOO_MANY)?;
        let times = |of: fn(&Sample) -> Time| self.log.values().map(move |its| of(its).as_secs_f64());
        table.reals("rtt_s", times(|its| its.rtt));
        table.reals("srtt_s", times(|its| its.smoothed));
        table.reals("rto_s", times(|its| its.rto));
        Ok(table)
    }
}
