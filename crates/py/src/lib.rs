//! The Python binding: takes a plan, returns columns. No logic.

use applications::{Application, Departures, Ends, ends};
use lab::capture::{Capture, Request};
use lab::control::Controls;
use lab::{Columns, Plan, Table, Values, Words};
use numpy::IntoPyArray;
use own_tcp::{Classes, Flow, Sample, allow_code, code_is_allowed};
use pixels::points_to_draw;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use slices::{Run, advance, advance_to_end, check, run};
use std::collections::BTreeMap;
use std::sync::Arc;

mod applications;
mod own_tcp;
mod pixels;
mod slices;

/// Counts of a point of a capture, by name.
type Counts = BTreeMap<&'static str, u64>;

/// The compiled core of ackclock.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::{
        Application, Departures, Flow, Run, Sample, allow_code, code_is_allowed, points_to_draw, run,
    };
    use super::{
        Arc, Bound, Capture, Classes, Controls, Counts, Ends, Plan, PyBytes, PyDict, PyResult, Python,
        Request, advance, advance_to_end, check, columns_to_dict, ends, invalid, pyfunction,
    };

    /// Runs a plan (JSON) with a seed and captures the packets of a request (JSON); Ctrl-C ends it. Returns the file
    /// and, for each point of the request, a dict of counts.
    /// Raises ValueError if the plan cannot be run, or the request does not fit it.
    #[pyfunction]
    fn capture<'py>(
        py: Python<'py>,
        plan: &str,
        seed: u64,
        request: &str,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<Counts>)> {
        let plan = Plan::from_json(plan).map_err(invalid)?;
        let request = Request::from_json(request).map_err(invalid)?;
        let classes = Classes::of(py, &plan, None)?;
        let failure = classes.as_ref().map(Classes::failure);
        let controls = classes.map(|classes| Arc::new(classes) as Arc<dyn Controls>);
        let capture = || Capture::with_controls(&plan, seed, &request, controls.as_ref());
        let mut capture = py.detach(capture).map_err(invalid)?;
        advance_to_end(
            py,
            |until, events| advance(failure.as_deref(), || capture.advance(until, events)),
            |_| Ok(()),
        )?;
        check(py, failure.as_deref())?;
        let captured = py.detach(|| capture.end());
        let counts = captured.counts.iter().map(|point| point.by_name().into()).collect();
        Ok((PyBytes::new(py, &captured.pcapng), counts))
    }

    /// The applications of each flow of a plan (JSON): the receiver's and the sender's, or None and None and the
    /// departures of the sender's datagrams, with the random numbers of a run with this seed. Raises ValueError
    /// if the plan is invalid.
    #[pyfunction]
    fn applications(plan: &str, seed: u64) -> PyResult<Vec<Ends>> {
        let plan = Plan::from_json(plan).map_err(invalid)?;
        let its = lab::outside::applications(&plan, seed).map_err(invalid)?;
        Ok(its.into_iter().map(ends).collect())
    }

    /// Carries other programs' data through the network of a plan (JSON), in real time. Everything else
    /// comes from a setup (JSON) and over the standard input. Returns tables as `run`, and a report (JSON).
    /// Raises ValueError if it cannot be done.
    #[pyfunction]
    fn emulate<'py>(
        py: Python<'py>,
        plan: &str,
        seed: u64,
        setup: &str,
    ) -> PyResult<(Bound<'py, PyDict>, String)> {
        let emulated = py.detach(|| emu::emulate(plan, seed, setup)).map_err(invalid)?;
        Ok((columns_to_dict(py, emulated.columns)?, emulated.report))
    }

    /// Names and one-line summaries of the TCP flavors, their presets as a plan states them (JSON), and
    /// their properties (JSON).
    #[pyfunction]
    fn flavors() -> Vec<(&'static str, &'static str, String, String)> {
        let rows = lab::flavors().into_iter().zip(lab::flavor_properties());
        rows.map(|((name, summary, presets), properties)| (name, summary, presets, properties)).collect()
    }

    /// The presets of a flavor that is code, in the order of `stacks`, and its properties; see `flavors`.
    #[pyfunction]
    fn flavor_of_code() -> (Vec<String>, String) {
        lab::flavor_of_code()
    }

    /// Names of the stacks whose presets a scenario can ask for, and the presets of each flavor there, in the order of
    /// `flavors` (JSON). The first stack is that of `flavors`.
    #[pyfunction]
    fn stacks() -> Vec<(&'static str, Vec<String>)> {
        lab::stacks()
    }

    /// The queue disciplines and their parameters (JSON).
    #[pyfunction]
    fn queue_disciplines() -> String {
        lab::queue_disciplines()
    }

    /// Names of the frame policies, and of the parameters of each.
    #[pyfunction]
    fn frame_policies() -> Vec<(&'static str, Vec<&'static str>)> {
        lab::frame_policies()
    }

    /// Reads a script and runs it against what the setup (JSON) describes. Returns JSON: problems,
    /// code, names and report. Raises ValueError if the setup is invalid.
    #[pyfunction]
    fn drill(py: Python<'_>, script: &str, setup: &str) -> PyResult<String> {
        py.detach(|| lab::drill::answer(script, setup)).map_err(invalid)
    }

    /// Rows that one probe may record in a run.
    #[pyfunction]
    fn most_probe_rows() -> u64 {
        lab::plan::MOST_ROWS
    }

    /// The probes that a plan (JSON) asks for: of each its name, the rows that it records at most in a run, and the bytes
    /// that a row takes. Raises ValueError if the plan is invalid.
    #[pyfunction]
    fn probe_bounds(plan: &str) -> PyResult<Vec<(&'static str, u64, u64)>> {
        let plan = Plan::from_json(plan).map_err(invalid)?;
        let bounds = lab::probes::bounds(&plan);
        Ok(bounds.into_iter().map(|its| (its.probe, its.rows, its.row_bytes)).collect())
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
    tables_to_dict(py, columns.into_tables())
}

fn tables_to_dict(
    py: Python<'_>,
    tables: impl IntoIterator<Item = (&'static str, Table)>,
) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (name, table) in tables {
        dict.set_item(name, table_to_dict(py, table)?)?;
    }
    Ok(dict)
}

fn table_to_dict(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (name, values) in table.columns {
        match values {
            Values::Integers(values) => dict.set_item(name, values.into_pyarray(py))?,
            Values::Reals(values) => dict.set_item(name, values.into_pyarray(py))?,
            Values::Words(numbers, words) => dict.set_item(name, list_of_words(py, &numbers, &words)?)?,
        }
    }
    Ok(dict)
}

/// A list with one object for each word, however often it stands there; None where there is no word.
fn list_of_words<'py>(
    py: Python<'py>,
    numbers: &[Option<u32>],
    words: &Words,
) -> PyResult<Bound<'py, PyList>> {
    let words: Vec<_> = words.all().iter().map(|word| PyString::new(py, word)).collect();
    let column: Vec<_> = numbers.iter().map(|number| number.map(|at| &words[at as usize])).collect();
    PyList::new(py, column)
}
