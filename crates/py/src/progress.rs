//! How far a run is, for those who ask while it goes on.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The seconds of a run that are simulated, and those that will be; both 0 before it begins. Any thread may
/// ask at any time.
#[pyclass(frozen, module = "ackclock._core")]
#[derive(Default)]
pub(crate) struct Progress {
    simulated_s: AtomicU64,
    duration_s: AtomicU64,
}

#[pymethods]
impl Progress {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Sets both.
    pub(crate) fn set(&self, simulated_s: f64, duration_s: f64) {
        self.simulated_s.store(simulated_s.to_bits(), Ordering::Relaxed);
        self.duration_s.store(duration_s.to_bits(), Ordering::Relaxed);
    }

    /// Both.
    fn seconds(&self) -> (f64, f64) {
        let read = |seconds: &AtomicU64| f64::from_bits(seconds.load(Ordering::Relaxed));
        (read(&self.simulated_s), read(&self.duration_s))
    }
}
