//! What an object knows of its connection.

use lab::control::{Sender, Values};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// One end of a connection, of which some values change in the course of the run. Data are in bytes.
#[pyclass(frozen, module = "ackclock._core")]
pub(crate) struct Flow {
    /// Number of the flow, counted from 0.
    #[pyo3(get)]
    number: u32,
    /// Bytes of data in a full segment.
    #[pyo3(get)]
    mss: u64,
    /// cwnd at the start, bytes.
    #[pyo3(get)]
    initial_window: u64,
    seed: u64,
    random: PyOnceLock<Py<PyAny>>,
    now_ps: AtomicU64,
    rwnd: AtomicU64,
    max_rwnd: AtomicU64,
    flight_size: AtomicU64,
}

impl Flow {
    pub(super) fn new(number: u32, seed: u64, values: &Values, sender: &Sender) -> Self {
        let flow = Self {
            number,
            mss: sender.smss,
            initial_window: values.cwnd,
            seed,
            random: PyOnceLock::new(),
            now_ps: AtomicU64::default(),
            rwnd: AtomicU64::default(),
            max_rwnd: AtomicU64::default(),
            flight_size: AtomicU64::default(),
        };
        flow.update(sender);
        flow
    }

    /// What changes; an object reads it in its own methods only, which one thread at a time calls.
    pub(super) fn update(&self, sender: &Sender) {
        self.now_ps.store(sender.now.as_ps(), Ordering::Relaxed);
        self.rwnd.store(sender.rwnd, Ordering::Relaxed);
        self.max_rwnd.store(sender.max_rwnd, Ordering::Relaxed);
        self.flight_size.store(sender.flight_size(), Ordering::Relaxed);
    }
}

#[pymethods]
impl Flow {
    /// A `random.Random` whose numbers depend on the seed of the run and on the flow only.
    #[getter]
    fn random<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        let made = self.random.get_or_try_init(py, || -> PyResult<_> {
            let class = py.import(intern!(py, "random"))?.getattr(intern!(py, "Random"))?;
            Ok(class.call1((self.seed,))?.unbind())
        })?;
        Ok(made.bind(py))
    }

    /// Simulated time, s.
    #[getter]
    fn now(&self) -> f64 {
        base::Time::from_ps(self.now_ps.load(Ordering::Relaxed)).as_secs_f64()
    }

    /// The window that the receiver has advertised last, bytes.
    #[getter]
    fn rwnd(&self) -> u64 {
        self.rwnd.load(Ordering::Relaxed)
    }

    /// The largest window that the receiver can advertise, bytes; cwnd does not grow beyond it.
    #[getter]
    fn max_rwnd(&self) -> u64 {
        self.max_rwnd.load(Ordering::Relaxed)
    }

    /// Bytes sent and not yet acknowledged.
    #[getter]
    fn flight_size(&self) -> u64 {
        self.flight_size.load(Ordering::Relaxed)
    }

    fn __repr__(&self) -> String {
        format!("<flow {}>", self.number)
    }
}
