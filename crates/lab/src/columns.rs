//! What a run returns: named columns of numbers, units in the names.

/// The values of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole numbers.
    Integers(Vec<u64>),
    /// Real numbers.
    Reals(Vec<f64>),
}

/// One table: columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns, in the order in which they are shown.
    pub columns: Vec<(&'static str, Values)>,
}

impl Table {
    /// Appends a column of whole numbers.
    pub fn integers(&mut self, name: &'static str, values: impl IntoIterator<Item = u64>) {
        self.columns.push((name, Values::Integers(values.into_iter().collect())));
    }

    /// Appends a column of real numbers.
    pub fn reals(&mut self, name: &'static str, values: impl IntoIterator<Item = f64>) {
        self.columns.push((name, Values::Reals(values.into_iter().collect())));
    }
}

/// Everything that a run returns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// One row a pair: what was scheduled, what arrived, how the sender fared.
    pub flows: Table,
    /// One row a port (0 forward, 1 reverse): cells and frames by fate, queue.
    pub ports: Table,
    /// One row a bin and port: longest and mean queue. Empty unless asked for.
    pub queue: Table,
    /// One row a change: cwnd, ssthresh, `flight_size` of the chosen servers. Empty unless asked for.
    pub cwnd: Table,
}
