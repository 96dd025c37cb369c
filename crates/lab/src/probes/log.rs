//! Rows about connections, one an event.

use crate::by_connection::ByConnection;
use crate::columns::{Table, VALUE_BYTES};
use crate::error::Error;
use crate::plan::{MOST_ROWS, Plan, Probes};
use base::Time;

/// The time in which rows are recorded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    from: Time,
    until: Time,
}

impl Window {
    const WHOLE: Self = Self { from: Time::ZERO, until: Time::NEVER };

    /// As the plan has it.
    pub(super) fn new(probes: &Probes) -> Self {
        Self {
            from: Time::from_ps(probes.from_ps),
            until: probes.until_ps.map_or(Time::NEVER, Time::from_ps),
        }
    }

    #[inline]
    pub(super) fn contains(self, at: Time) -> bool {
        self.from <= at && at < self.until
    }

    /// Whether nothing more is recorded.
    #[inline]
    pub(super) fn is_over(self, at: Time) -> bool {
        at >= self.until
    }
}

/// What is known of the connections of some flows.
#[derive(Default)]
pub(super) struct OfFlows<T>(Vec<Option<ByConnection<T>>>);

impl<T: Default> OfFlows<T> {
    /// Of these flows.
    pub(super) fn new(plan: &Plan, flows: &[u32]) -> Self {
        let mut its: Vec<Option<ByConnection<T>>> = Vec::new();
        its.resize_with(plan.flow_count() as usize, || None);
        flows.iter().for_each(|&flow| its[flow as usize] = Some(ByConnection::default()));
        Self(its)
    }

    /// Whether a flow is one of these.
    #[inline]
    pub(super) fn contains(&self, flow: u32) -> bool {
        self.0[flow as usize].is_some()
    }

    /// That of a connection, if its flow is one of these.
    #[inline]
    pub(super) fn of(&mut self, flow: u32, connection: u32) -> Option<&mut T> {
        Some(self.0[flow as usize].as_mut()?.of(connection))
    }
}

/// Rows about connections, in the order of time.
pub(super) struct Log<V> {
    rows: Vec<(u32, u32, Time, V)>,
    window: Window,
    most_rows: u64,
}

impl<V> Log<V> {
    /// Memory of a row with so many columns, the three of [`Log::table`] included.
    pub(super) const fn row_bytes(columns: usize) -> usize {
        size_of::<(u32, u32, Time, V)>() + columns * VALUE_BYTES
    }

    /// Within the time of the plan.
    pub(super) fn new(plan: &Plan) -> Self {
        Self { rows: Vec::new(), window: Window::new(&plan.probes), most_rows: MOST_ROWS }
    }

    /// At any time.
    pub(super) fn unbounded() -> Self {
        Self { rows: Vec::new(), window: Window::WHOLE, most_rows: MOST_ROWS }
    }

    /// Whether nothing more is recorded.
    #[inline]
    pub(super) fn is_over(&self, at: Time) -> bool {
        self.window.is_over(at)
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds a row. How many there are shows in the run only; one too many says that there were too many.
    #[inline]
    pub(super) fn add(&mut self, flow: u32, connection: u32, at: Time, its: V) {
        if self.window.contains(at) && self.rows.len() as u64 <= self.most_rows {
            self.rows.push((flow, connection, at, its));
        }
    }

    /// The values of a row.
    pub(super) fn get_mut(&mut self, row: usize) -> &mut V {
        &mut self.rows[row].3
    }

    /// The values of all rows.
    pub(super) fn values(&self) -> impl Iterator<Item = &V> {
        self.rows.iter().map(|row| &row.3)
    }

    /// Columns `flow`, `connection`, `time_s`.
    ///
    /// # Errors
    /// This one if there were more rows than may be recorded.
    pub(super) fn table(&self, too_many: &'static str) -> Result<Table, Error> {
        if self.rows.len() as u64 > self.most_rows {
            return Err(Error::Value(too_many));
        }
        let mut table = Table::default();
        table.integers("flow", self.rows.iter().map(|row| u64::from(row.0)));
        table.integers("connection", self.rows.iter().map(|row| u64::from(row.1)));
        table.reals("time_s", self.rows.iter().map(|row| row.2.as_secs_f64()));
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_rows_than_may_be_recorded_are_an_error() {
        let logged = |rows: u64| {
            let mut log = Log { most_rows: 3, ..Log::unbounded() };
            (0..rows).for_each(|at| log.add(0, 0, Time::from_ps(at), ()));
            log.table("too many")
        };
        assert_eq!(logged(3).expect("three may be recorded").columns.len(), 3);
        for rows in [4, 9] {
            assert!(logged(rows).unwrap_err().to_string().ends_with("too many"));
        }
    }

    #[test]
    fn rows_are_those_of_the_time() {
        let window = Window { from: Time::from_ps(2), until: Time::from_ps(5) };
        let mut log = Log { rows: Vec::new(), window, most_rows: 9 };
        (0..9).for_each(|at| log.add(0, 0, Time::from_ps(at), at));
        assert_eq!(log.values().copied().collect::<Vec<_>>(), [2, 3, 4]);
    }
}
