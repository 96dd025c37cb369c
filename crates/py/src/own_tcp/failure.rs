//! The first exception of a run, and where it came from.

use base::Time;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Whether an object of a run has failed. The run calls none of its objects then, and its driver ends it.
#[derive(Default)]
pub(crate) struct Failure {
    has_failed: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Failure {
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Keeps the first error.
    pub(super) fn set(&self, error: PyErr) {
        if !self.has_failed.swap(true, Ordering::Relaxed) {
            *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }

    /// Returns the error of a run that has failed.
    pub(crate) fn check(&self, py: Python<'_>) -> PyResult<()> {
        if !self.has_failed() {
            return Ok(());
        }
        let guard = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        guard.as_ref().map_or(Ok(()), |error| Err(error.clone_ref(py)))
    }
}

/// An error in the user's code, for the command: `ackclock.errors.CodeError`.
pub(super) fn code_error(py: Python<'_>, message: &str) -> PyErr {
    let class = py.import("ackclock.errors").and_then(|errors| errors.getattr("CodeError"));
    match class.and_then(|class| class.call1((message,))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// An exception of a file's code as an error that names line and function: "my_tcp.py, line 14, in MyControl.on_ack:
/// ZeroDivisionError: division by zero". Ctrl-C stays what it is.
pub(super) fn located(py: Python<'_>, file: &str, error: PyErr, function: Option<&str>, when: &str) -> PyErr {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        return error;
    }
    let place = innermost(py, &error, file).ok().flatten();
    let place = match (place, function) {
        (Some((line, name)), _) if name == "<module>" => format!(", line {line}"),
        (Some((line, name)), _) => format!(", line {line}, in {name}"),
        (None, Some(name)) => format!(", in {name}"),
        (None, None) => String::new(),
    };
    let name = error.get_type(py).name().map_or_else(|_| "error".to_owned(), |name| name.to_string());
    let text = error.value(py).to_string();
    let said = if text.is_empty() { name } else { format!("{name}: {text}") };
    code_error(py, &format!("{file}{place}: {said}{when}"))
}

/// Line and function of the innermost frame in a file.
fn innermost(py: Python<'_>, error: &PyErr, file: &str) -> PyResult<Option<(u64, String)>> {
    let (mut found, mut next) = (None, error.traceback(py).map(Bound::into_any));
    while let Some(traceback) = next {
        let code = traceback.getattr("tb_frame")?.getattr("f_code")?;
        if code.getattr("co_filename")?.to_string() == file {
            found =
                Some((traceback.getattr("tb_lineno")?.extract()?, code.getattr("co_qualname")?.to_string()));
        }
        next = Some(traceback.getattr("tb_next")?).filter(|next| !next.is_none());
    }
    Ok(found)
}

/// When and where in a run, for messages.
pub(super) fn when(now: Time, flow: u32) -> String {
    let seconds = format!("{:.6}", now.as_secs_f64());
    format!(" (at {} s of the simulation, flow {flow})", seconds.trim_end_matches('0').trim_end_matches('.'))
}
