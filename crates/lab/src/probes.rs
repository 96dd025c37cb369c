//! Observers that record columns: queues, goodput, cwnd, ACR and the state of senders over time.

use crate::build::{CELL_BITS, initial_acrs};
use crate::columns::Table;
use crate::error::Error;
use crate::host::Host;
use crate::plan::{MOST_ROWS, Plan};
use atm::AtmEvent;
use base::Time;
use sim::{Event, Observer};
use std::collections::BTreeMap;

mod queue;
mod segments;
mod transport;

pub use queue::QueueBins;
pub use segments::SegmentTrace;
pub use transport::TransportBins;

/// A number for each of several objects in each bin of time.
struct Bins<T> {
    bin: Option<Time>,
    /// Empty for an object that is not recorded.
    values: Vec<Vec<T>>,
}

impl<T: Copy> Bins<T> {
    /// `things` is true for each object that is recorded.
    fn new(things: impl Iterator<Item = bool>, bin_ps: Option<u64>, duration_ps: u64, value: T) -> Self {
        let bins = bin_ps.map_or(0, |bin| duration_ps.div_ceil(bin) as usize);
        let values = things.map(|recorded| if recorded { vec![value; bins] } else { Vec::new() });
        let values = if bins == 0 { Vec::new() } else { values.collect() };
        Self { bin: bin_ps.map(Time::from_ps), values }
    }

    fn at(&mut self, thing: usize, at: Time) -> Option<&mut T> {
        let bin = at.div_floor(self.bin?) as usize;
        self.values.get_mut(thing)?.get_mut(bin)
    }

    /// A row for each object and bin: the object's number and the start of the bin. Values are a column in this order.
    fn table(&self, thing: &'static str) -> Table {
        let mut table = Table::default();
        let Some(bin) = self.bin else { return table };
        let rows = || {
            (0..)
                .zip(&self.values)
                .flat_map(|(number, bins)| (0..bins.len() as u64).map(move |at| (number, at)))
        };
        table.integers(thing, rows().map(|(number, _)| number));
        table.reals("time_s", rows().map(|(_, at)| (bin * at).as_secs_f64()));
        table
    }
}

/// As [`Bins::table`], with the values.
fn whole_table(bins: Bins<u64>, thing: &'static str, value: &'static str) -> Table {
    let mut table = bins.table(thing);
    if bins.bin.is_some() {
        table.integers(value, bins.values.into_iter().flatten());
    }
    table
}

/// The ACR of each ABR VC at the end of each bin of time.
pub struct AcrBins {
    /// The last change in each bin, cells/s; nan without one.
    bins: Bins<f64>,
    /// Of each VC at the start, cells/s; none if it is not of ABR.
    initial: Vec<Option<f64>>,
}

impl AcrBins {
    /// As the plan configures it.
    ///
    /// # Errors
    /// If the plan cannot be run.
    pub fn new(plan: &Plan) -> Result<Self, Error> {
        let bin_ps = plan.probes.acr_bin_ps;
        let initial = if bin_ps.is_some() { initial_acrs(plan)? } else { Vec::new() };
        let bins = Bins::new(initial.iter().map(Option::is_some), bin_ps, plan.duration_ps, f64::NAN);
        Ok(Self { bins, initial })
    }

    /// Columns `vc`, `time_s` (start of the bin), `acr_bit_s` (at its end).
    #[must_use]
    pub fn into_table(mut self) -> Table {
        let mut table = self.bins.table("vc");
        for (bins, initial) in self.bins.values.iter_mut().zip(self.initial) {
            let mut last = initial.unwrap_or(f64::NAN);
            for acr in bins {
                last = if acr.is_nan() { last } else { *acr };
                *acr = last * CELL_BITS;
            }
        }
        if self.bins.bin.is_some() {
            table.reals("acr_bit_s", self.bins.values.into_iter().flatten());
        }
        table
    }
}

impl Observer<Host> for AcrBins {
    const FOLLOWS_PACKETS: bool = false;

    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        let Event::Component(_, AtmEvent::Acr { vc, acr }) = event else { return };
        if let Some(last) = self.bins.at(*vc as usize, at) {
            *last = *acr;
        }
    }
}

/// Bytes delivered to each receiver in order, in each bin of time.
pub struct GoodputBins {
    bins: Bins<u64>,
    /// Bytes delivered to each at its last event.
    delivered: Vec<u64>,
}

impl GoodputBins {
    /// As the plan configures it.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let flows = plan.flows.len();
        let all = std::iter::repeat_n(true, flows);
        let bins = Bins::new(all, plan.probes.goodput_bin_ps, plan.duration_ps, 0);
        Self { bins, delivered: vec![0; flows] }
    }

    /// Columns `flow`, `time_s` (start of the bin), `delivered_bytes`.
    #[must_use]
    pub fn into_table(self) -> Table {
        whole_table(self.bins, "flow", "delivered_bytes")
    }
}

impl Observer<Host> for GoodputBins {
    const FOLLOWS_PACKETS: bool = false;

    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        // Hosts 0 .. flows are the receivers.
        let Event::Acted(id, host) = event else { return };
        let Some(before) = self.delivered.get_mut(id.0 as usize) else { return };
        let delivered = host.totals().delivered;
        if let Some(bytes) = self.bins.at(id.0 as usize, at) {
            *bytes += delivered - *before;
        }
        *before = delivered;
    }
}

/// cwnd, ssthresh and `flight_size` of chosen flows' senders, whenever one of them has changed.
pub struct CwndTrace {
    flows: u32,
    /// For each flow, the last values of each of its connections if it is watched.
    last: Vec<Option<BTreeMap<u32, [u64; 3]>>>,
    rows: Vec<(u32, u32, Time, [u64; 3])>,
    most_rows: u64,
}

impl CwndTrace {
    /// As the plan configures it.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let mut last = vec![None; plan.flows.len()];
        for &flow in &plan.probes.cwnd_of {
            last[flow as usize] = Some(BTreeMap::new());
        }
        Self { flows: plan.flows.len() as u32, last, rows: Vec::new(), most_rows: MOST_ROWS }
    }

    /// Columns `flow`, `connection`, `time_s`, `cwnd_bytes`, `ssthresh_bytes`, `flight_size_bytes`.
    ///
    /// # Errors
    /// If there were more changes than may be recorded.
    pub fn into_table(self) -> Result<Table, Error> {
        let mut table = Table::default();
        if self.last.iter().all(Option::is_none) {
            return Ok(table);
        }
        if self.rows.len() as u64 > self.most_rows {
            return Err(Error::Value(
                "`cwnd_of` gives more than 20000000 rows: name fewer flows in probes.cwnd, or write a shorter duration",
            ));
        }
        let value = |index: usize| self.rows.iter().map(move |row| row.3[index]);
        table.integers("flow", self.rows.iter().map(|row| u64::from(row.0)));
        table.integers("connection", self.rows.iter().map(|row| u64::from(row.1)));
        table.reals("time_s", self.rows.iter().map(|row| row.2.as_secs_f64()));
        table.integers("cwnd_bytes", value(0));
        table.integers("ssthresh_bytes", value(1));
        table.integers("flight_size_bytes", value(2));
        Ok(table)
    }
}

impl Observer<Host> for CwndTrace {
    const FOLLOWS_PACKETS: bool = false;

    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        // Hosts flows .. 2 flows are the senders.
        let Event::Acted(id, host) = event else { return };
        let Some(flow) = id.0.checked_sub(self.flows) else { return };
        let Some(last) = &mut self.last[flow as usize] else { return };
        for (number, connection) in host.connections() {
            let window = connection.window();
            let now = [window.cwnd(), window.ssthresh(), connection.sender().flight_size()];
            // How many changes there are shows in the run only; one too many says that.
            if last.insert(number, now) != Some(now) && self.rows.len() as u64 <= self.most_rows {
                self.rows.push((flow, number, at, now));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_changes_than_may_be_recorded_are_an_error() {
        let traced = |rows: u32| {
            let row = |at| (0, 0, Time::from_ps(at), [1, 1, 1]);
            let rows = (0..u64::from(rows)).map(row).collect();
            CwndTrace { flows: 1, last: vec![Some(BTreeMap::new())], rows, most_rows: 3 }.into_table()
        };
        assert_eq!(traced(3).expect("three may be recorded").columns.len(), 6);
        assert!(traced(4).unwrap_err().to_string().contains("`cwnd_of` gives more than"));
    }
}
