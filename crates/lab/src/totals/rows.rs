//! What is counted on links and in what they consist of, and how it becomes tables.

use crate::build::CELL_BITS;
use crate::columns::Table;
use sim::Time;
use sim::atm::PortCounters;
use sim::atm::network::{Category, ClassCounters, VcCounters};
use sim::link::PacketCounters;

/// Counts, maxima, and integrals over time of a thing.
#[derive(Clone, Default)]
pub(super) struct Row {
    ids: Vec<u64>,
    counts: Vec<u64>,
    maxima: Vec<u64>,
    integrals_ps: Vec<u128>,
    /// Sums over time of what has no whole numbers, nan if there is no such thing.
    sums: Vec<f64>,
}

impl Row {
    /// Leaves what was added since `was`; a maximum stays that of the whole run.
    pub(super) fn subtract(&mut self, was: &Self) {
        self.counts.iter_mut().zip(&was.counts).for_each(|(count, was)| *count -= was);
        self.integrals_ps.iter_mut().zip(&was.integrals_ps).for_each(|(sum, was)| *sum -= was);
        self.sums.iter_mut().zip(&was.sums).for_each(|(sum, was)| *sum -= was);
    }
}

/// Names of the columns of a [`Row`]; integrals and sums are shown as averages over time.
pub(super) struct Names {
    ids: &'static [&'static str],
    counts: &'static [&'static str],
    maxima: &'static [&'static str],
    averages: &'static [&'static str],
    /// Averages by the second of sums.
    rates: &'static [&'static str],
}

pub(super) const LINKS: Names = Names {
    ids: &["link"],
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
    rates: &[],
};

pub(super) fn link_row(id: u64, c: &PacketCounters) -> Row {
    Row {
        ids: vec![id],
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
        sums: vec![],
    }
}

pub(super) const PORTS: Names = Names {
    ids: &["link"],
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
    rates: &[],
};

pub(super) fn port_row(id: u64, c: &PortCounters, cell_time: Time) -> Row {
    Row {
        ids: vec![id],
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
        sums: vec![],
    }
}

pub(super) const CLASSES: Names = Names {
    ids: &["port", "service"],
    counts: &["cells_offered", "cells_carried", "cells_lost"],
    maxima: &["max_queued"],
    averages: &["mean_queued"],
    rates: &[],
};

pub(super) fn class_row(c: &ClassCounters) -> Row {
    let service = match c.category {
        Category::Vbr => 0,
        Category::Abr => 1,
        Category::Ubr => 2,
    };
    Row {
        ids: vec![u64::from(c.line), service],
        counts: vec![c.cells_offered, c.cells_carried, c.cells_lost],
        maxima: vec![u64::from(c.max_queued)],
        integrals_ps: vec![c.queued_ps],
        sums: vec![],
    }
}

pub(super) const VCS: Names = Names {
    ids: &["vc"],
    counts: &[
        "cells_sent",
        "cells_received",
        "rm_sent",
        "rm_received",
        "frames",
        "frames_eligible",
        "frames_tagged",
        "frames_delivered",
        "eligible_delivered",
        "cells_delivered",
        "eligible_lost",
    ],
    maxima: &["cells_waiting_max"],
    averages: &[],
    rates: &["mean_acr_bit_s"],
};

pub(super) fn vc_row(vc: u64, c: &VcCounters) -> Row {
    Row {
        ids: vec![vc],
        counts: vec![
            c.cells_sent,
            c.cells_received,
            c.frms_sent,
            c.brms_received,
            c.frames,
            c.frames_eligible,
            c.frames_tagged,
            c.frames_delivered,
            c.eligible_delivered,
            c.cells_delivered,
            c.eligible_lost,
        ],
        maxima: vec![c.max_waiting],
        integrals_ps: vec![],
        sums: vec![c.acr_cells.map_or(f64::NAN, |cells| cells * CELL_BITS)],
    }
}

/// A row a thing, for so much time.
pub(super) fn row_table(rows: &[Row], names: &Names, measured: Time) -> Table {
    let mut table = Table::default();
    for (column, name) in names.ids.iter().enumerate() {
        table.integers(name, rows.iter().map(|row| row.ids[column]));
    }
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
    for (column, name) in names.rates.iter().enumerate() {
        table.reals(name, rows.iter().map(|row| row.sums[column] / measured.as_secs_f64()));
    }
    table
}
