//! Observers that record columns: queue and cwnd over time.

use crate::columns::Table;
use crate::host::TcpHost;
use crate::plan::Plan;
use sim::link::LinkEvent;
use sim::{Event, Observer, Time};

/// The longest queue in each bin of time, as the first cells of frames found it.
pub struct QueueBins {
    bin: Option<Time>,
    /// For each port, the longest queue in each bin.
    longest: [Vec<u64>; 2],
}

impl QueueBins {
    /// As the plan asks for.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let bins = plan.probes.queue_bin_ps.map_or(0, |bin| plan.duration_ps.div_ceil(bin) as usize);
        let bin = plan.probes.queue_bin_ps.map(Time::from_ps);
        Self { bin, longest: [vec![0; bins], vec![0; bins]] }
    }

    /// Columns `port`, `time_s` (start of the bin), `max_cells`.
    #[must_use]
    pub fn into_table(self) -> Table {
        let mut table = Table::default();
        let Some(bin) = self.bin else { return table };
        let bins = self.longest[0].len() as u64;
        table.integers("port", (0..2).flat_map(|port| (0..bins).map(move |_| port)));
        table.reals("time_s", (0..2).flat_map(|_| (0..bins).map(|at| (bin * at).as_secs_f64())));
        table.integers("max_cells", self.longest.into_iter().flatten());
        table
    }
}

impl Observer<TcpHost> for QueueBins {
    fn on(&mut self, at: Time, event: &Event<'_, TcpHost>) {
        let (Some(bin), Event::Link(link, LinkEvent::FrameDecided { queued, .. })) = (self.bin, event) else {
            return;
        };
        if let Some(longest) = self.longest[link.0 as usize].get_mut(at.div_floor(bin) as usize) {
            *longest = (*longest).max(u64::from(*queued));
        }
    }
}

/// cwnd, ssthresh and `flight_size` of chosen servers, whenever one of them has changed.
pub struct CwndTrace {
    pairs: u32,
    of: Vec<u32>,
    rows: Vec<(u32, Time, [u64; 3])>,
}

impl CwndTrace {
    /// As the plan asks for.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Self { pairs: plan.pairs, of: plan.probes.cwnd_of.clone(), rows: Vec::new() }
    }

    /// Columns `pair`, `time_s`, `cwnd_bytes`, `ssthresh_bytes`, `flight_size_bytes`.
    #[must_use]
    pub fn into_table(self) -> Table {
        let mut table = Table::default();
        if self.of.is_empty() {
            return table;
        }
        let value = |index: usize| self.rows.iter().map(move |row| row.2[index]);
        table.integers("pair", self.rows.iter().map(|row| u64::from(row.0)));
        table.reals("time_s", self.rows.iter().map(|row| row.1.as_secs_f64()));
        table.integers("cwnd_bytes", value(0));
        table.integers("ssthresh_bytes", value(1));
        table.integers("flight_size_bytes", value(2));
        table
    }
}

impl Observer<TcpHost> for CwndTrace {
    fn on(&mut self, at: Time, event: &Event<'_, TcpHost>) {
        let Event::Acted(id, host) = event else {
            return;
        };
        let Some(pair) = id.0.checked_sub(self.pairs).filter(|pair| self.of.contains(pair)) else {
            return;
        };
        let window = host.connection().window();
        let now = [window.cwnd, window.ssthresh, window.flight_size()];
        let last = self.rows.iter().rev().find(|row| row.0 == pair);
        if last.is_none_or(|row| row.2 != now) {
            self.rows.push((pair, at, now));
        }
    }
}
