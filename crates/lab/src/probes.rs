//! Observers that record columns: queues, goodput and cwnd over time.

use crate::columns::Table;
use crate::host::Host;
use crate::plan::Plan;
use sim::link::LinkEvent;
use sim::{Event, Observer, Time};
use std::collections::BTreeMap;

/// A number for each of several things in each bin of time.
struct Bins {
    bin: Option<Time>,
    values: Vec<Vec<u64>>,
}

impl Bins {
    fn new(things: usize, bin_ps: Option<u64>, duration_ps: u64) -> Self {
        let bins = bin_ps.map_or(0, |bin| duration_ps.div_ceil(bin) as usize);
        let things = if bins == 0 { 0 } else { things };
        Self { bin: bin_ps.map(Time::from_ps), values: vec![vec![0; bins]; things] }
    }

    fn at(&mut self, thing: usize, at: Time) -> Option<&mut u64> {
        let bin = at.div_floor(self.bin?) as usize;
        self.values.get_mut(thing)?.get_mut(bin)
    }

    /// A row a thing and bin: its number, the start of the bin, the value.
    fn into_table(self, thing: &'static str, value: &'static str) -> Table {
        let mut table = Table::default();
        let Some(bin) = self.bin else { return table };
        let (things, bins) = (self.values.len() as u64, self.values.first().map_or(0, Vec::len) as u64);
        table.integers(thing, (0..things).flat_map(|number| (0..bins).map(move |_| number)));
        table.reals("time_s", (0..things).flat_map(|_| (0..bins).map(|at| (bin * at).as_secs_f64())));
        table.integers(value, self.values.into_iter().flatten());
        table
    }
}

/// The longest queue of each link in each bin of time: of packets as an arriving one left it, of
/// cells as the first cell of an arriving frame found it.
pub struct QueueBins(Bins);

impl QueueBins {
    /// As the plan asks for.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Self(Bins::new(plan.links.len(), plan.probes.queue_bin_ps, plan.duration_ps))
    }

    /// Columns `link`, `time_s` (start of the bin), `max_length` (packets or cells).
    #[must_use]
    pub fn into_table(self) -> Table {
        self.0.into_table("link", "max_length")
    }
}

impl Observer<Host> for QueueBins {
    const FOLLOWS_PACKETS: bool = false;

    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        let (link, length) = match event {
            Event::Link(link, LinkEvent::FrameDecided { queued, .. }) => (link, u64::from(*queued)),
            Event::Link(link, LinkEvent::Queued { packets }) => (link, *packets),
            _ => return,
        };
        if let Some(longest) = self.0.at(link.0 as usize, at) {
            *longest = length.max(*longest);
        }
    }
}

/// What each receiver was given in order, in each bin of time.
pub struct GoodputBins {
    bins: Bins,
    /// What each had at its last look.
    delivered: Vec<u64>,
}

impl GoodputBins {
    /// As the plan asks for.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let flows = plan.flows.len();
        let bins = Bins::new(flows, plan.probes.goodput_bin_ps, plan.duration_ps);
        Self { bins, delivered: vec![0; flows] }
    }

    /// Columns `flow`, `time_s` (start of the bin), `delivered_bytes`.
    #[must_use]
    pub fn into_table(self) -> Table {
        self.bins.into_table("flow", "delivered_bytes")
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
}

impl CwndTrace {
    /// As the plan asks for.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let mut last = vec![None; plan.flows.len()];
        for &flow in &plan.probes.cwnd_of {
            last[flow as usize] = Some(BTreeMap::new());
        }
        Self { flows: plan.flows.len() as u32, last, rows: Vec::new() }
    }

    /// Columns `flow`, `connection`, `time_s`, `cwnd_bytes`, `ssthresh_bytes`, `flight_size_bytes`.
    #[must_use]
    pub fn into_table(self) -> Table {
        let mut table = Table::default();
        if self.last.iter().all(Option::is_none) {
            return table;
        }
        let value = |index: usize| self.rows.iter().map(move |row| row.3[index]);
        table.integers("flow", self.rows.iter().map(|row| u64::from(row.0)));
        table.integers("connection", self.rows.iter().map(|row| u64::from(row.1)));
        table.reals("time_s", self.rows.iter().map(|row| row.2.as_secs_f64()));
        table.integers("cwnd_bytes", value(0));
        table.integers("ssthresh_bytes", value(1));
        table.integers("flight_size_bytes", value(2));
        table
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
            let now = [window.cwnd, window.ssthresh, window.flight_size()];
            if last.insert(number, now) != Some(now) {
                self.rows.push((flow, number, at, now));
            }
        }
    }
}
