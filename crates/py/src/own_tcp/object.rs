//! An object of a class of Python as the congestion control of a connection.

use super::class::Class;
use super::failure::{Failure, located, when};
use super::flow::Flow;
use super::sample::Sample;
use super::wrong_value::wrong_value;
use base::Time;
use lab::control::{AckSample, Cause, Control, Sender, Values};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString};
use std::sync::Arc;

const BITS: u64 = 8;
const BYTES: &str = "set it to a number of bytes, 0 or more";
const RATE: &str = "set it to a number of bit/s above 0, or to None";

/// A congestion control whose decisions an object makes. The object is made at its first decision, because an end
/// that sends no data needs none.
pub(super) struct Object {
    class: Arc<Class>,
    failure: Arc<Failure>,
    number: u32,
    seed: u64,
    made: Option<Made>,
    /// When it was called last.
    now: Time,
}

struct Made {
    object: Py<PyAny>,
    flow: Py<Flow>,
    /// What its attributes are.
    values: Values,
}

impl Object {
    pub(super) fn new(class: Arc<Class>, failure: Arc<Failure>, number: u32, seed: u64) -> Self {
        Self { class, failure, number, seed, made: None, now: Time::ZERO }
    }

    /// Calls a method between setting and reading the attributes; an exception ends the run.
    fn decide<R: Default>(
        &mut self,
        values: &mut Values,
        sender: &Sender,
        method: &'static str,
        call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<R>,
    ) -> R {
        if self.failure.has_failed() {
            return R::default();
        }
        self.now = sender.now;
        Python::attach(|py| match self.decided(py, values, sender, method, call) {
            Ok(result) => result,
            Err(error) => {
                self.failure.set(error);
                R::default()
            }
        })
    }

    fn decided<R>(
        &mut self,
        py: Python<'_>,
        values: &mut Values,
        sender: &Sender,
        method: &'static str,
        call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<R>,
    ) -> PyResult<R> {
        let when = || when(sender.now, self.number);
        let made = match &mut self.made {
            Some(made) => made,
            none => none.insert(Made::new(py, &self.class, (self.number, self.seed), values, sender)?),
        };
        let object = made.object.bind(py);
        made.flow.get().update(sender);
        let result =
            write(object, &mut made.values, values).and_then(|()| call(object)).map_err(|error| {
                let function = format!("{}.{method}", self.class.name);
                located(py, &self.class.file, error, Some(&function), &when())
            })?;
        read(object, &mut made.values).map_err(|(attribute, wanted)| {
            wrong_value(&self.class, py, object, (method, attribute), wanted, &when())
        })?;
        *values = made.values;
        Ok(result)
    }

    /// Calls a method that decides nothing.
    fn note(&mut self, method: &'static str, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()>) {
        let Some(made) = self.made.as_ref().filter(|_| !self.failure.has_failed()) else { return };
        Python::attach(|py| {
            if let Err(error) = call(made.object.bind(py)) {
                let function = format!("{}.{method}", self.class.name);
                let when = when(self.now, self.number);
                self.failure.set(located(py, &self.class.file, error, Some(&function), &when));
            }
        });
    }
}

impl Made {
    /// Makes an object, and finds what it wants at the start.
    fn new(
        py: Python<'_>,
        class: &Class,
        (number, seed): (u32, u64),
        values: &mut Values,
        sender: &Sender,
    ) -> PyResult<Self> {
        let when = when(sender.now, number);
        let failed = |error| {
            let function = format!("{}.__init__", class.name);
            located(py, &class.file, error, Some(&function), &when)
        };
        let flow = Bound::new(py, Flow::new(number, seed, values, sender))?;
        let object = class.make.bind(py).call1((&flow,)).map_err(failed)?;
        for (name, value) in [(intern!(py, "cwnd"), values.cwnd), (intern!(py, "ssthresh"), values.ssthresh)]
        {
            if object.getattr_opt(name).map_err(failed)?.is_none() {
                object.setattr(name, value).map_err(failed)?;
            }
        }
        let name = intern!(py, "pacing_rate");
        if object.getattr_opt(name).map_err(failed)?.is_none() {
            object.setattr(name, py.None()).map_err(failed)?;
        }
        read(&object, values).map_err(|(attribute, wanted)| {
            wrong_value(class, py, &object, ("__init__", attribute), wanted, &when)
        })?;
        Ok(Self { object: object.unbind(), flow: flow.unbind(), values: *values })
    }
}

/// Sets the attributes that have changed outside of the object.
fn write(object: &Bound<'_, PyAny>, its: &mut Values, values: &Values) -> PyResult<()> {
    let py = object.py();
    if its.cwnd != values.cwnd {
        object.setattr(intern!(py, "cwnd"), values.cwnd)?;
    }
    if its.ssthresh != values.ssthresh {
        object.setattr(intern!(py, "ssthresh"), values.ssthresh)?;
    }
    *its = *values;
    Ok(())
}

/// Reads the attributes. The error is the name of a wrong one, and what it should be.
fn read(object: &Bound<'_, PyAny>, values: &mut Values) -> Result<(), (&'static str, &'static str)> {
    let py = object.py();
    let bytes = |value: PyResult<Bound<'_, PyAny>>| value.ok().and_then(|value| whole(&value));
    values.cwnd = bytes(object.getattr(intern!(py, "cwnd"))).ok_or(("cwnd", BYTES))?;
    values.ssthresh = bytes(object.getattr(intern!(py, "ssthresh"))).ok_or(("ssthresh", BYTES))?;
    let rate = object.getattr(intern!(py, "pacing_rate")).map_err(|_| ("pacing_rate", RATE))?;
    values.pacing_rate = if rate.is_none() {
        None
    } else {
        Some(whole(&rate).filter(|&rate| rate > 0).ok_or(("pacing_rate", RATE))?.div_ceil(BITS))
    };
    Ok(())
}

/// A number that is not negative, rounded down; one that is too large is the largest.
fn whole(value: &Bound<'_, PyAny>) -> Option<u64> {
    if let Ok(real) = value.cast::<PyFloat>() {
        let real = real.value();
        return (real >= 0.0).then_some(real as u64);
    }
    match value.extract::<u64>() {
        Ok(whole) => Some(whole),
        Err(_) => value.gt(u64::MAX).is_ok_and(|beyond| beyond).then_some(u64::MAX),
    }
}

fn word<'a, 'py>(py: Python<'py>, cause: Cause) -> &'a Bound<'py, PyString> {
    match cause {
        Cause::Loss => intern!(py, "loss"),
        Cause::Rto => intern!(py, "rto"),
        Cause::RepeatedRto => intern!(py, "repeated_rto"),
        Cause::Ecn => intern!(py, "ecn"),
    }
}

impl Control for Object {
    fn reduces_itself(&self) -> bool {
        self.class.reduces_itself
    }

    fn begin(&mut self, values: &mut Values, sender: &Sender) {
        self.decide(values, sender, "__init__", |_| Ok(()));
    }

    fn on_ack(&mut self, values: &mut Values, sender: &Sender, sample: &AckSample) {
        self.decide(values, sender, "on_ack", |object| {
            let py = object.py();
            let sample = Bound::new(py, Sample::of(sample))?;
            object.call_method1(intern!(py, "on_ack"), (sample,)).map(drop)
        });
    }

    fn on_congestion(&mut self, values: &mut Values, sender: &Sender, cause: Cause) {
        self.decide(values, sender, "on_congestion", |object| {
            let py = object.py();
            object.call_method1(intern!(py, "on_congestion"), (word(py, cause),)).map(drop)
        });
    }

    fn save(&mut self) {
        if self.class.has.save {
            self.note("save", |object| object.call_method0(intern!(object.py(), "save")).map(drop));
        }
    }

    fn on_spurious(&mut self, values: &mut Values, sender: &Sender, cause: Cause) -> bool {
        self.class.has.on_spurious
            && self.decide(values, sender, "on_spurious", |object| {
                let py = object.py();
                object.call_method1(intern!(py, "on_spurious"), (word(py, cause),))?.is_truthy()
            })
    }

    fn on_unlimited(&mut self, now: Time) {
        if self.class.has.on_unlimited {
            self.now = now;
            self.note("on_unlimited", |object| {
                object.call_method1(intern!(object.py(), "on_unlimited"), (now.as_secs_f64(),)).map(drop)
            });
        }
    }
}
