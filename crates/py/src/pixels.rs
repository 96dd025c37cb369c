//! Curves with no more points than a picture can show.

use crate::invalid;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// Numbers of the points of a curve that a picture with so many columns of pixels can show, from `begin` to `end` of `x`,
/// which ascends. Raises TypeError of arrays that are not of float64 or have gaps in memory, and ValueError if they differ
/// in length.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "arguments from Python")]
pub(crate) fn points_to_draw<'py>(
    py: Python<'py>,
    x: PyReadonlyArray1<'py, f64>,
    y: PyReadonlyArray1<'py, f64>,
    begin: f64,
    end: f64,
    columns: usize,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let points =
        lab::pixels::points_to_draw(x.as_slice()?, y.as_slice()?, begin, end, columns).map_err(invalid)?;
    Ok(points.into_pyarray(py))
}
