//! The Python binding: takes a plan, returns columns. No logic.

use lab::{Columns, Plan, Table, Values};
use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The compiled core of ackclock.
#[pymodule]
mod _core {
    use super::{Bound, Plan, PyDict, PyResult, Python, columns_to_dict, invalid, pyfunction};

    /// Runs a plan (JSON) with a seed. Returns tables by name, each a dict of arrays by column.
    /// Raises ValueError if the plan cannot be run.
    #[pyfunction]
    fn run<'py>(py: Python<'py>, plan: &str, seed: u64) -> PyResult<Bound<'py, PyDict>> {
        let plan = Plan::from_json(plan).map_err(invalid)?;
        let columns = py.detach(|| lab::run(&plan, seed)).map_err(invalid)?;
        columns_to_dict(py, columns)
    }

    /// Names and one-line summaries of the TCP flavors.
    #[pyfunction]
    fn flavors() -> Vec<(&'static str, &'static str)> {
        lab::flavors()
    }

    /// Names of the frame policies, and of the parameters of each.
    #[pyfunction]
    fn frame_policies() -> Vec<(&'static str, Vec<&'static str>)> {
        lab::frame_policies()
    }

    /// Version of the plan schema that this core reads.
    #[pyfunction]
    fn schema() -> u32 {
        lab::plan::SCHEMA
    }
}

fn invalid(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn columns_to_dict(py: Python<'_>, columns: Columns) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    for (name, table) in columns.into_tables() {
        tables.set_item(name, table_to_dict(py, table)?)?;
    }
    Ok(tables)
}

fn table_to_dict(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (name, values) in table.columns {
        match values {
            Values::Integers(values) => dict.set_item(name, values.into_pyarray(py))?,
            Values::Reals(values) => dict.set_item(name, values.into_pyarray(py))?,
        }
    }
    Ok(dict)
}
