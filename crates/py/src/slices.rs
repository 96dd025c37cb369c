//! Runs in slices of real time, so that Python can check for signals in between.

use crate::own_tcp::{Classes, Failure};
use crate::{columns_to_dict, invalid, tables_to_dict};
use base::Time;
use lab::Plan;
use lab::control::Controls;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Real time between two checks for signals: Ctrl-C ends a run within it. Taking the interpreter's lock that often
/// costs less than a thousandth of a run.
const SLICE: Duration = Duration::from_millis(25);
/// Real time between two readings of the clock, about: a reading may take a microsecond.
const STEP: Duration = Duration::from_millis(1);
/// Events of the first step: 50 us, or a few ms if an event involves many cells.
const FIRST_EVENTS: u64 = 1024;

/// Calls `advance(events)`, which returns the share of the run that is done and whether to continue. Ends when all is
/// done, when `advance` returns false, or after `wall` of real time. Returns the share that is done.
fn advance_for(wall: Duration, mut advance: impl FnMut(u64) -> (f64, bool)) -> f64 {
    let began = Instant::now();
    let (mut events, mut read) = (FIRST_EVENTS, Duration::ZERO);
    loop {
        let (done, goes_on) = advance(events);
        let elapsed = began.elapsed();
        if done == 1.0 || !goes_on || elapsed >= wall {
            return done;
        }
        if elapsed - read < STEP {
            events *= 2;
        }
        read = elapsed;
    }
}

/// Simulates to the end by `advance(until, events)`, which returns the share that is done; calls `between(share that is
/// done)` after each slice but the last. An exception of a signal handler or of `between` ends it.
pub(crate) fn advance_to_end(
    py: Python<'_>,
    mut advance: impl FnMut(Time, u64) -> f64 + Send,
    between: impl Fn(f64) -> PyResult<()>,
) -> PyResult<()> {
    loop {
        let done = py.detach(|| advance_for(SLICE, |events| (advance(Time::NEVER, events), true)));
        if done == 1.0 {
            return Ok(());
        }
        py.check_signals()?;
        between(done)?;
    }
}

/// Runs a plan (JSON) with a seed. Returns tables by name, each a dict of arrays by column. About 40 times a second
/// it checks for signals, so that Ctrl-C ends it, and calls `on_progress(simulated_s, duration_s)`; an exception of
/// that ends the run too. Raises ValueError if the plan cannot be run.
#[pyfunction]
#[pyo3(signature = (plan, seed, on_progress = None))]
pub(crate) fn run<'py>(
    py: Python<'py>,
    plan: &str,
    seed: u64,
    on_progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (mut run, failure) = new(py, plan, seed, None)?;
    let duration_s = run.duration().as_secs_f64();
    advance_to_end(
        py,
        |until, events| advance(failure.as_deref(), || run.advance(until, events)),
        |done| match on_progress {
            Some(on_progress) => on_progress.call1((done * duration_s, duration_s)).map(drop),
            None => Ok(()),
        },
    )?;
    check(py, failure.as_deref())?;
    let columns = py.detach(|| run.columns()).map_err(invalid)?;
    columns_to_dict(py, columns)
}

/// Simulates a step. If there is code in Python, it has the interpreter's lock during the step, because taking it for each
/// call would cost more than the calls. A run that has failed is done.
pub(crate) fn advance(failure: Option<&Failure>, step: impl FnOnce() -> f64) -> f64 {
    let Some(failure) = failure else { return step() };
    let done = Python::attach(|_| step());
    if failure.has_failed() { 1.0 } else { done }
}

/// Returns the error of a run whose code in Python has failed.
pub(crate) fn check(py: Python<'_>, failure: Option<&Failure>) -> PyResult<()> {
    failure.map_or(Ok(()), |failure| failure.check(py))
}

/// A run, and where its code in Python leaves an exception, if it has any.
fn new(
    py: Python<'_>,
    plan: &str,
    seed: u64,
    make_control: Option<&Bound<'_, PyAny>>,
) -> PyResult<(lab::Run, Option<Arc<Failure>>)> {
    let plan = py.detach(|| Plan::from_json(plan)).map_err(invalid)?;
    let classes = Classes::of(py, &plan, make_control)?;
    let failure = classes.as_ref().map(Classes::failure);
    let controls = classes.map(|classes| Arc::new(classes) as Arc<dyn Controls>);
    let run = py.detach(|| lab::Run::with_controls(plan, seed, controls.as_ref())).map_err(invalid)?;
    Ok((run, failure))
}

/// A run of a plan (JSON) with a seed, in slices. The columns are those of `run`, whatever the slices. Any thread may
/// call any method. `make_control(flow)` makes the congestion controls whose code the plan does not contain. Raises ValueError if the plan cannot be run.
#[pyclass(frozen, module = "ackclock._core")]
pub(crate) struct Run {
    /// None after it was stopped or has returned its columns.
    run: Mutex<Option<lab::Run>>,
    failure: Option<Arc<Failure>>,
    is_stopped: AtomicBool,
    duration: Time,
}

#[pymethods]
impl Run {
    #[new]
    #[pyo3(signature = (plan, seed, make_control = None))]
    fn new(py: Python<'_>, plan: &str, seed: u64, make_control: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let (run, failure) = new(py, plan, seed, make_control)?;
        let duration = run.duration();
        Ok(Self { run: Mutex::new(Some(run)), failure, is_stopped: AtomicBool::new(false), duration })
    }

    /// Length of the run, simulated s.
    #[getter]
    fn duration_s(&self) -> f64 {
        self.duration.as_secs_f64()
    }

    /// Simulates for `wall_s` s of real time, or until `until_s` s are simulated if that comes first. Returns the
    /// share of the simulated time that is done, which is 1 at the end only. Signals wait until it returns.
    ///
    /// Raises ValueError if the run was stopped or has returned its columns, and `ackclock.errors.CodeError` if its code in
    /// Python has failed.
    #[pyo3(signature = (wall_s, until_s = None))]
    fn advance(&self, py: Python<'_>, wall_s: f64, until_s: Option<f64>) -> PyResult<f64> {
        let wall = Duration::try_from_secs_f64(wall_s).map_err(invalid)?;
        let until = until_s.map_or(Time::NEVER, |until_s| Time::from_ps((until_s * 1e12) as u64));
        let failure = self.failure.as_deref();
        let done = py.detach(|| {
            let mut guard = self.lock();
            let run = guard.as_mut().ok_or_else(|| invalid("the run is over"))?;
            Ok::<_, PyErr>(advance_for(wall, |events| {
                let done = advance(failure, || run.advance(until, events));
                (done, run.now() < until && !self.is_stopped.load(Ordering::Relaxed))
            }))
        })?;
        check(py, failure)?;
        Ok(done)
    }

    /// Tables by name, each a dict of arrays by column. It returns them once, and only after `advance` has returned 1:
    /// a part of a run has no columns, because its counters may include later events.
    ///
    /// Raises ValueError if the run is not complete, was stopped, or has returned its columns.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = py.detach(|| {
            let mut guard = self.lock();
            match guard.as_ref() {
                None => Err(invalid("the run is over")),
                Some(run) if !run.is_done() => Err(invalid("the run has not come to its end")),
                Some(_) => guard.take().expect("it is there").columns().map_err(invalid),
            }
        })?;
        columns_to_dict(py, columns)
    }

    /// What probes have recorded so far: tables by name, each a dict of arrays by column. Of tables in bins it has the
    /// bins that are over; the rows of the others are the first ones of `columns`, but what becomes of packets that are
    /// under way may change. The run goes on.
    ///
    /// Raises ValueError if the run was stopped or has returned its columns, or a probe recorded more than it may.
    fn recorded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let recorded = py.detach(|| {
            let mut guard = self.lock();
            guard.as_mut().ok_or_else(|| invalid("the run is over"))?.recorded().map_err(invalid)
        })?;
        tables_to_dict(py, recorded.into_tables())
    }

    /// Ends the run and frees its memory. An `advance` in another thread returns within a few ms.
    fn stop(&self, py: Python<'_>) {
        self.is_stopped.store(true, Ordering::Relaxed);
        py.detach(|| *self.lock() = None);
    }
}

impl Run {
    fn lock(&self) -> MutexGuard<'_, Option<lab::Run>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
