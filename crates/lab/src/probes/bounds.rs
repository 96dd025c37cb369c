//! How many rows each probe records at most, and how much memory a row takes.

use super::{acr, cwnd, goodput, packets, queue, rtt, segments, states, transport};
use crate::columns::VALUE_BYTES;
use crate::plan::{MOST_ROWS, Plan, Workload, rows_in_bins};
use base::Time;
use sim::histogram::Histogram;

/// What a row of `delays` takes: a bin of a histogram and its copy, and four columns.
const DELAY_BYTES: usize = 2 * VALUE_BYTES + 4 * VALUE_BYTES;

/// What a probe takes at most in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Name of the probe, as in a scenario.
    pub probe: &'static str,
    /// Rows. A probe that would have more makes the run fail.
    pub rows: u64,
    /// Memory of a row while the run records, and of its values in the columns at the end, bytes.
    pub row_bytes: u64,
}

/// The bounds of the probes that a plan asks for.
#[must_use]
pub fn bounds(plan: &Plan) -> Vec<Bound> {
    let its = &plan.probes;
    let [queue, goodput, acr, transport] = rows_in_bins(plan);
    // Each connection has rows of its own.
    let has_many = !plan.workloads.iter().all(|its| matches!(its, Workload::Bulk { .. }));
    let any = |flows: &[u32]| (!flows.is_empty()).then_some(u128::from(MOST_ROWS));
    let rows = [
        ("queue", queue, queue::ROW_BYTES),
        ("goodput", goodput, goodput::ROW_BYTES),
        ("acr", acr, acr::ROW_BYTES),
        (
            "transport",
            transport.map(|rows| if has_many { MOST_ROWS.into() } else { rows }),
            transport::ROW_BYTES,
        ),
        ("cwnd", any(&its.cwnd_of), cwnd::ROW_BYTES),
        ("rtt", any(&its.rtt_of), rtt::ROW_BYTES),
        ("states", any(&its.states_of), states::ROW_BYTES),
        ("segments", any(&its.segments_of), segments::ROW_BYTES),
        ("packets", any(&its.packets_of), packets::ROW_BYTES),
        ("delays", its.delays.then(|| delays(plan)), DELAY_BYTES),
    ];
    let bound = |(probe, rows, row_bytes): (_, Option<u128>, usize)| {
        let rows = u64::try_from(rows?).unwrap_or(u64::MAX);
        Some(Bound { probe, rows, row_bytes: row_bytes as u64 })
    };
    rows.into_iter().filter_map(bound).collect()
}

/// Bins of all histograms: of each link, of each flow, and of each flow at each link. No time is longer than the run.
fn delays(plan: &Plan) -> u128 {
    let (links, flows) = (plan.queue_delays_of.len() as u128, plan.delays_of_flows.len() as u128);
    let longest = Time::from_ps(plan.duration_ps);
    (links + flows + links * flows) * Histogram::bins_up_to(longest.as_ps()) as u128
}
