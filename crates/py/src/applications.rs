//! Applications of a plan for programs with their own connections.

use crate::list_of_words;
use lab::outside::{self, NextStep, Seen};
use lab::{Columns, Table, Values};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// One end of a flow: an application that decides what to do on its connections. Times are in ps from the
/// start of the run.
#[pyclass(unsendable, module = "ackclock._core")]
pub struct Application(outside::Application);

#[pymethods]
impl Application {
    /// When it starts; None: it listens for connections of its peer.
    #[getter]
    fn starts_at(&self) -> Option<u64> {
        self.0.starts_at()
    }

    /// Whether it never reacts to arrivals on a connection.
    #[getter]
    fn ignores_events(&self) -> bool {
        self.0.ignores_events()
    }

    /// Returns its next action; poll it until it waits.
    ///
    /// `seen` is the connection on which something arrived, or else the newest: number, when it was opened
    /// or None, when established or None, bytes written and delivered, whether it is closed, whether its peer's
    /// direction has ended.
    ///
    /// Returns ("open", connection, 0), ("write", connection, bytes), ("close", connection, 0), or
    /// ("wait", time or None, 0).
    fn next(&mut self, now: u64, seen: Seen) -> NextStep {
        self.0.next(now, seen)
    }

    /// The tables "transfers" and "responses" of a client of this flow, without what it had begun before a time;
    /// each a dict of lists by column.
    fn fetched<'py>(&self, py: Python<'py>, flow: u64, since: u64) -> PyResult<Bound<'py, PyDict>> {
        let Columns { transfers, responses, .. } = self.0.fetched(flow, since);
        let tables = PyDict::new(py);
        tables.set_item("transfers", lists_by_column(py, transfers)?)?;
        tables.set_item("responses", lists_by_column(py, responses)?)?;
        Ok(tables)
    }
}

/// The times at which the datagrams of a source leave, ps from the start of the run.
#[pyclass(unsendable, module = "ackclock._core")]
pub struct Departures(outside::Departures);

#[pymethods]
impl Departures {
    /// Length of a datagram with its headers, bytes.
    #[getter]
    fn packet_bytes(&self) -> u32 {
        self.0.packet_bytes()
    }

    /// The next time; None if there is no other.
    fn next(&mut self) -> Option<u64> {
        self.0.next()
    }
}

/// The receiver's application, the sender's, and the departures of the sender's datagrams.
pub(crate) type Ends = (Option<Application>, Option<Application>, Option<Departures>);

/// The ends of a flow.
pub(crate) fn ends(its: outside::Ends) -> Ends {
    (its.receiver.map(Application), its.sender.map(Application), its.departures.map(Departures))
}

fn lists_by_column(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (name, values) in table.columns {
        match values {
            Values::Integers(values) => dict.set_item(name, values)?,
            Values::Reals(values) => dict.set_item(name, values)?,
            Values::Words(numbers, words) => dict.set_item(name, list_of_words(py, &numbers, &words)?)?,
        }
    }
    Ok(dict)
}
