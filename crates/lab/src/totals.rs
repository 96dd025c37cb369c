//! Totals of flows and links, and how they become columns.
//!
//! Totals are taken at the end of the warm-up and at the end of the run, and the difference is
//! what is returned; only a longest queue is that of the whole run.

use crate::columns::{Columns, Table};
use crate::host::Host;
use crate::workload::Transfer;
use sim::atm::PortCounters;
use sim::link::PacketCounters;
use sim::{Link, Observer, Time, World};

/// Everything that is counted, at one time.
pub(crate) struct Totals {
    at: Time,
    flows: Vec<FlowRow>,
    links: Vec<Row>,
    ports: Vec<Row>,
    transfers: Vec<(u64, Transfer)>,
}

struct FlowRow {
    counts: [u64; 10],
    /// Sums of times, ps.
    sums_ps: [u64; 2],
    /// Written before the totals begin, and not delivered by then. Of datagrams there is none: what has
    /// not come by then comes soon or never.
    backlog: u64,
    has_backlog: bool,
    opened: Option<Time>,
    last_delivery: Option<Time>,
}

impl FlowRow {
    fn written(&self) -> u64 {
        self.counts[1]
    }

    fn delivered(&self) -> u64 {
        self.counts[3]
    }
}

/// In the order of [`FlowRow::counts`].
const FLOW_COUNTS: [&str; 10] = [
    "requests",
    "scheduled_bytes",
    "received_bytes",
    "delivered_bytes",
    "segments_sent",
    "segments_retransmitted",
    "timeouts",
    "fast_retransmits",
    "rtt_samples",
    "first_timeouts",
];

/// In the order of [`FlowRow::sums_ps`]; each with the column that tells of how many it is the sum. It
/// is shown as their mean.
const FLOW_MEANS: [(&str, usize); 2] = [("rtt_mean_s", 8), ("first_rto_mean_s", 9)];

/// Counts, maxima, and integrals over time of a link.
#[derive(Clone, Default)]
struct Row {
    id: u64,
    counts: Vec<u64>,
    maxima: Vec<u64>,
    integrals_ps: Vec<u128>,
}

/// Names of the columns of a [`Row`]; an integral is shown as an average over time.
struct Names {
    counts: &'static [&'static str],
    maxima: &'static [&'static str],
    averages: &'static [&'static str],
}

const LINKS: Names = Names {
    counts: &[
        "packets_offered",
        "bytes_offered",
        "packets_sent",
        "bytes_sent",
        "packets_dropped",
        "packets_dropped_early",
        "packets_lost",
        "packets_duplicated",
        "packets_marked",
    ],
    maxima: &["max_queue_packets", "max_queue_bytes"],
    averages: &["utilisation", "mean_queue_packets", "mean_queue_bytes"],
};

fn link_row(id: u64, c: &PacketCounters) -> Row {
    Row {
        id,
        counts: vec![
            c.packets_offered,
            c.bytes_offered,
            c.packets_sent,
            c.bytes_sent,
            c.packets_dropped,
            c.packets_dropped_early,
            c.packets_lost,
            c.packets_duplicated,
            c.packets_marked,
        ],
        maxima: vec![c.max_queued_packets, c.max_queued_bytes],
        integrals_ps: vec![u128::from(c.busy.as_ps()), c.queued_packets_ps, c.queued_bytes_ps],
    }
}

const PORTS: Names = Names {
    counts: &[
        "cells_offered",
        "cells_carried",
        "cells_refused",
        "cells_overflowed",
        "cells_cut",
        "frames_offered",
        "frames_delivered",
        "frames_refused",
        "frames_cut",
    ],
    maxima: &["max_queue_cells"],
    averages: &["utilisation", "mean_queue_cells"],
};

fn port_row(id: u64, c: &PortCounters, cell_time: Time) -> Row {
    Row {
        id,
        counts: vec![
            c.cells_offered,
            c.cells_carried,
            c.cells_refused,
            c.cells_overflowed,
            c.cells_cut,
            c.frames_offered,
            c.frames_delivered,
            c.frames_refused,
            c.frames_cut,
        ],
        maxima: vec![u64::from(c.max_queued)],
        integrals_ps: vec![u128::from(c.cells_carried) * u128::from(cell_time.as_ps()), c.queued_ps],
    }
}

fn flow_row(receiver: &Host, sender: &Host) -> FlowRow {
    let (taken, given) = (receiver.totals(), sender.totals());
    let counters = given.counters;
    FlowRow {
        counts: [
            given.writes,
            given.written,
            taken.received,
            taken.delivered,
            counters.segments_sent,
            counters.segments_retransmitted,
            counters.timeouts,
            counters.fast_retransmits,
            counters.rtt_samples,
            counters.first_timeouts,
        ],
        sums_ps: [counters.rtt_ps, counters.first_timeout_ps],
        backlog: 0,
        has_backlog: sender.connection().is_some(),
        opened: receiver.opened().or(sender.opened()),
        last_delivery: receiver.last_delivery(),
    }
}

impl Totals {
    /// The totals at `now`, to which the world has advanced.
    pub(crate) fn of<O: Observer<Host>>(world: &mut World<Host, O>, now: Time) -> Self {
        let (receivers, senders) = world.hosts().split_at(world.hosts().len() / 2);
        let flows =
            receivers.iter().zip(senders).map(|(receiver, sender)| flow_row(receiver, sender)).collect();
        let completed = (0..)
            .zip(receivers)
            .flat_map(|(flow, host)| host.transfers().iter().map(move |transfer| (flow, *transfer)));
        let transfers = completed.collect();
        let (mut links, mut ports) = (Vec::new(), Vec::new());
        for (id, link) in (0..).zip(world.links_mut()) {
            if let Link::Cells(trunk) = link {
                let cell_time = trunk.cell_time();
                ports.push(port_row(id, &trunk.counters(now), cell_time));
            } else if let Some(counters) = link.packet_counters(now) {
                links.push(link_row(id, &counters));
            }
        }
        Self { at: now, flows, links, ports, transfers }
    }

    /// What was added since `before`. Without a warm-up, nothing was before.
    pub(crate) fn since(mut self, before: Option<&Self>) -> Self {
        let Some(before) = before else { return self };
        self.transfers.retain(|(_, transfer)| transfer.page_opened >= before.at);
        for (flow, was) in self.flows.iter_mut().zip(&before.flows) {
            flow.counts.iter_mut().zip(was.counts).for_each(|(count, was)| *count -= was);
            flow.sums_ps.iter_mut().zip(was.sums_ps).for_each(|(sum, was)| *sum -= was);
            if flow.has_backlog {
                flow.backlog = was.written() - was.delivered();
            }
        }
        let links = self.links.iter_mut().zip(&before.links);
        for (row, was) in links.chain(self.ports.iter_mut().zip(&before.ports)) {
            row.counts.iter_mut().zip(&was.counts).for_each(|(count, was)| *count -= was);
            row.integrals_ps.iter_mut().zip(&was.integrals_ps).for_each(|(sum, was)| *sum -= was);
        }
        self
    }

    /// The tables, for totals of this much time.
    pub(crate) fn into_columns(self, measured: Time) -> Columns {
        Columns {
            flows: flow_table(&self.flows),
            links: row_table(&self.links, &LINKS, measured),
            ports: row_table(&self.ports, &PORTS, measured),
            transfers: transfer_table(&self.transfers),
            ..Columns::default()
        }
    }
}

fn flow_table(flows: &[FlowRow]) -> Table {
    let seconds = |time: Option<Time>| time.map_or(f64::NAN, Time::as_secs_f64);
    let mut table = Table::default();
    table.integers("flow", 0..flows.len() as u64);
    for (column, name) in FLOW_COUNTS.into_iter().enumerate() {
        table.integers(name, flows.iter().map(|row| row.counts[column]));
    }
    for (sum, (name, of)) in FLOW_MEANS.into_iter().enumerate() {
        let mean = |row: &FlowRow| mean_s(row.sums_ps[sum], row.counts[of]);
        table.reals(name, flows.iter().map(mean));
    }
    table.integers("backlog_bytes", flows.iter().map(|row| row.backlog));
    table.reals("opened_s", flows.iter().map(|row| seconds(row.opened)));
    table.reals("last_delivery_s", flows.iter().map(|row| seconds(row.last_delivery)));
    table
}

/// The mean of so many times, s; nan of none.
fn mean_s(sum_ps: u64, times: u64) -> f64 {
    if times == 0 { f64::NAN } else { Time::from_ps(sum_ps).as_secs_f64() / times as f64 }
}

/// Empty if there are none.
fn transfer_table(transfers: &[(u64, Transfer)]) -> Table {
    let mut table = Table::default();
    if transfers.is_empty() {
        return table;
    }
    let integers = |of: fn(&Transfer) -> u64| transfers.iter().map(move |(_, transfer)| of(transfer));
    let times =
        |of: fn(&Transfer) -> Time| transfers.iter().map(move |(_, transfer)| of(transfer).as_secs_f64());
    table.integers("flow", transfers.iter().map(|(flow, _)| *flow));
    table.integers("page", integers(|transfer| transfer.page));
    table.integers("stage", integers(|transfer| u64::from(transfer.stage)));
    table.integers("connection", integers(|transfer| u64::from(transfer.connection)));
    table.integers("bytes", integers(|transfer| transfer.bytes));
    table.reals("opened_s", times(|transfer| transfer.opened));
    table.reals("established_s", times(|transfer| transfer.established));
    table.reals("completed_s", times(|transfer| transfer.completed));
    table
}

fn row_table(rows: &[Row], names: &Names, measured: Time) -> Table {
    let mut table = Table::default();
    table.integers("link", rows.iter().map(|row| row.id));
    for (column, name) in names.counts.iter().enumerate() {
        table.integers(name, rows.iter().map(|row| row.counts[column]));
    }
    for (column, name) in names.maxima.iter().enumerate() {
        table.integers(name, rows.iter().map(|row| row.maxima[column]));
    }
    for (column, name) in names.averages.iter().enumerate() {
        let average = |row: &Row| row.integrals_ps[column] as f64 / measured.as_ps() as f64;
        table.reals(name, rows.iter().map(average));
    }
    table
}
