//! An ACK as an object gets it.

use base::Time;
use lab::control::{AckSample, PathSample, Phase, RateSample};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

const BITS: u64 = 8;

/// An ACK: times are in s, data in bytes, rates in bit/s. It stays as it is, so you can keep it.
#[pyclass(frozen, module = "ackclock._core")]
pub(crate) struct Sample {
    now: Time,
    phase: Phase,
    srtt: Option<Time>,
    rtt: Option<Time>,
    path: Option<PathSample>,
    /// Whether the ACK reports a mark of congestion (ECE).
    #[pyo3(get)]
    ece: bool,
    /// Bytes that it acknowledges cumulatively; 0 for a duplicate ACK.
    #[pyo3(get)]
    acked: u64,
    /// Bytes that it newly acknowledges or SACKs.
    #[pyo3(get)]
    delivered: u64,
    /// Bytes of those that were marked, if the receiver counts them.
    #[pyo3(get)]
    marked: u64,
    /// Bytes in the network now.
    #[pyo3(get)]
    in_flight: u64,
    /// Bytes found to be lost since the last ACK.
    #[pyo3(get)]
    lost: u64,
    /// Bytes that are selectively acknowledged.
    #[pyo3(get)]
    sacked: u64,
}

impl Sample {
    pub(super) fn of(ack: &AckSample) -> Self {
        let queue = ack.queue.copied().unwrap_or_default();
        Self {
            now: ack.now,
            phase: ack.phase,
            srtt: ack.srtt,
            rtt: ack.rtt,
            path: queue.path,
            ece: ack.ece,
            acked: ack.acked,
            delivered: ack.delivered,
            marked: ack.marked,
            in_flight: ack.in_flight,
            lost: queue.lost,
            sacked: queue.sacked,
        }
    }

    fn rate(&self) -> Option<RateSample> {
        self.path?.rate
    }
}

#[pymethods]
impl Sample {
    /// Simulated time, s.
    #[getter]
    fn now(&self) -> f64 {
        self.now.as_secs_f64()
    }

    /// "open", "entered", "recovery", "exit" or "repaired": what the ACK means for a recovery.
    #[getter]
    fn phase<'py>(&self, py: Python<'py>) -> &Bound<'py, PyString> {
        match self.phase {
            Phase::Open => intern!(py, "open"),
            Phase::Entered => intern!(py, "entered"),
            Phase::Recovery => intern!(py, "recovery"),
            Phase::Exit => intern!(py, "exit"),
            Phase::Repaired => intern!(py, "repaired"),
        }
    }

    /// Smoothed RTT, s; None before the first sample.
    #[getter]
    fn srtt(&self) -> Option<f64> {
        self.srtt.map(Time::as_secs_f64)
    }

    /// RTT of the segment sent last of those that the ACK delivers, s; None if that was sent twice.
    #[getter]
    fn rtt(&self) -> Option<f64> {
        self.rtt.map(Time::as_secs_f64)
    }

    /// Smallest RTT so far, s; None before the first sample.
    #[getter]
    fn min_rtt(&self) -> Option<f64> {
        self.path?.min_rtt.if_ever().map(Time::as_secs_f64)
    }

    /// Rate at which data were delivered while a segment was in flight, bit/s; None if the ACK gives no valid sample.
    #[getter]
    fn delivery_rate(&self) -> Option<u64> {
        self.rate().map(|rate| rate.bytes_per_second() * BITS)
    }

    /// Whether the application limited that rate.
    #[getter]
    fn is_app_limited(&self) -> bool {
        self.rate().is_some_and(|rate| rate.is_app_limited)
    }

    /// Bytes delivered since the start of the connection.
    #[getter]
    fn total_delivered(&self) -> u64 {
        self.path.map_or(0, |path| path.delivered)
    }

    /// Bytes found to be lost since the start of the connection.
    #[getter]
    fn total_lost(&self) -> u64 {
        self.path.map_or(0, |path| path.lost)
    }

    /// Number of round trips so far.
    #[getter]
    fn round(&self) -> u64 {
        self.path.map_or(0, |path| path.round)
    }

    /// Whether a round trip ends with the ACK.
    #[getter]
    fn round_start(&self) -> bool {
        self.path.is_some_and(|path| path.round_start)
    }

    fn __repr__(&self) -> String {
        format!("<sample at {} s: {} bytes acknowledged>", self.now(), self.acked)
    }
}
