//! Totals of links and their parts, and their tables.

use crate::build::CELL_BITS;
use crate::columns::Table;
use atm::PortCounters;
use atm::network::{Category, ClassCounters, VcCounters};
use base::Time;
use sim::link::PacketCounters;
use std::ops::SubAssign;

/// Counts, maxima, and integrals over time of objects of one kind, stored by column: with many links, storage by row
/// would take twice the memory.
pub(super) struct Rows {
    names: &'static Names,
    ids: Vec<Vec<u64>>,
    counts: Vec<Vec<u64>>,
    maxima: Vec<Vec<u64>>,
    integrals_ps: Vec<Vec<u128>>,
    sums: Vec<Vec<f64>>,
}

/// The totals of one object, in the order of the [`Names`] of its kind.
struct Row<'a> {
    ids: &'a [u64],
    counts: &'a [u64],
    maxima: &'a [u64],
    integrals_ps: &'a [u128],
    /// Sums over time of floating-point quantities; nan if there are none.
    sums: &'a [f64],
}

fn columns<T>(names: &[&str], capacity: usize) -> Vec<Vec<T>> {
    names.iter().map(|_| Vec::with_capacity(capacity)).collect()
}

fn append<T: Copy>(columns: &mut [Vec<T>], row: &[T]) {
    debug_assert_eq!(columns.len(), row.len(), "a value for each name");
    columns.iter_mut().zip(row).for_each(|(column, value)| column.push(*value));
}

fn subtract<T: Copy + SubAssign>(columns: &mut [Vec<T>], were: &[Vec<T>]) {
    for (column, were) in columns.iter_mut().zip(were) {
        column.iter_mut().zip(were).for_each(|(value, was)| *value -= *was);
    }
}

impl Rows {
    /// No rows yet, with room for this many.
    pub(super) fn new(names: &'static Names, capacity: usize) -> Self {
        Self {
            names,
            ids: columns(names.ids, capacity),
            counts: columns(names.counts, capacity),
            maxima: columns(names.maxima, capacity),
            integrals_ps: columns(names.averages, capacity),
            sums: columns(names.rates, capacity),
        }
    }

    fn push(&mut self, row: &Row) {
        append(&mut self.ids, row.ids);
        append(&mut self.counts, row.counts);
        append(&mut self.maxima, row.maxima);
        append(&mut self.integrals_ps, row.integrals_ps);
        append(&mut self.sums, row.sums);
    }

    /// Leaves what was added since `was`; a maximum stays that of the whole run.
    pub(super) fn subtract(&mut self, was: &Self) {
        subtract(&mut self.counts, &was.counts);
        subtract(&mut self.integrals_ps, &was.integrals_ps);
        subtract(&mut self.sums, &was.sums);
    }

    /// The table, for totals of this much time.
    pub(super) fn into_table(self, measured: Time) -> Table {
        let names = self.names;
        let mut table = Table::default();
        let whole = [(names.ids, self.ids), (names.counts, self.counts), (names.maxima, self.maxima)];
        for (names, columns) in whole {
            names.iter().zip(columns).for_each(|(name, column)| table.integers(name, column));
        }
        for (name, integrals) in names.averages.iter().zip(self.integrals_ps) {
            let average = |integral: u128| integral as f64 / measured.as_ps() as f64;
            table.reals(name, integrals.into_iter().map(average));
        }
        for (name, sums) in names.rates.iter().zip(self.sums) {
            table.reals(name, sums.into_iter().map(|sum| sum / measured.as_secs_f64()));
        }
        table
    }
}

/// Names of the columns of [`Rows`]; integrals and sums are shown as averages over time.
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

impl Rows {
    pub(super) fn push_link(&mut self, id: u64, c: &PacketCounters) {
        self.push(&Row {
            ids: &[id],
            counts: &[
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
            maxima: &[c.max_queued_packets, c.max_queued_bytes],
            integrals_ps: &[u128::from(c.busy.as_ps()), c.queued_packets_ps, c.queued_bytes_ps],
            sums: &[],
        });
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
    averages: &["utilisation", "carried_share", "mean_queue_cells"],
    rates: &[],
};

impl Rows {
    pub(super) fn push_port(&mut self, id: u64, c: &PortCounters, cell_time: Time) {
        let carried = u128::from(c.cells_carried) * u128::from(cell_time.as_ps());
        self.push(&Row {
            ids: &[id],
            counts: &[
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
            maxima: &[u64::from(c.max_queued)],
            integrals_ps: &[carried + u128::from(c.sending.as_ps()), carried, c.queued_ps],
            sums: &[],
        });
    }
}

pub(super) const CLASSES: Names = Names {
    ids: &["port", "service"],
    counts: &["cells_offered", "cells_carried", "cells_lost"],
    maxima: &["max_queued"],
    averages: &["mean_queued"],
    rates: &[],
};

impl Rows {
    pub(super) fn push_class(&mut self, c: &ClassCounters) {
        let service = match c.category {
            Category::Vbr => 0,
            Category::Abr => 1,
            Category::Ubr => 2,
        };
        self.push(&Row {
            ids: &[u64::from(c.line), service],
            counts: &[c.cells_offered, c.cells_carried, c.cells_lost],
            maxima: &[u64::from(c.max_queued)],
            integrals_ps: &[c.queued_ps],
            sums: &[],
        });
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

impl Rows {
    pub(super) fn push_vc(&mut self, vc: u64, c: &VcCounters) {
        self.push(&Row {
            ids: &[vc],
            counts: &[
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
            maxima: &[c.max_waiting],
            integrals_ps: &[],
            sums: &[c.acr_cells.map_or(f64::NAN, |cells| cells * CELL_BITS)],
        });
    }
}
