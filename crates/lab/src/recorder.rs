//! Observers that add what they have recorded to the columns of a run.

use crate::columns::{Columns, Recorded};
use crate::error::Error;
use crate::host::Host;
use base::Time;
use sim::Observer;

/// An observer that adds what it has recorded to the columns.
pub(crate) trait Recorder: Observer<Host> + Send + 'static {
    /// Adds the tables over time of what has happened by a time, before which nothing more will happen.
    fn record(&self, _: Time, _: &mut Recorded) -> Result<(), Error> {
        Ok(())
    }

    /// Adds what is known at the end only.
    fn end(self, _: &mut Columns)
    where
        Self: Sized,
    {
    }
}

impl Recorder for () {}

impl<R: Recorder> Recorder for Option<R> {
    fn record(&self, by: Time, tables: &mut Recorded) -> Result<(), Error> {
        self.as_ref().map_or(Ok(()), |its| its.record(by, tables))
    }

    fn end(self, columns: &mut Columns) {
        self.into_iter().for_each(|its| its.end(columns));
    }
}

impl<A: Recorder, B: Recorder> Recorder for (A, B) {
    fn record(&self, by: Time, tables: &mut Recorded) -> Result<(), Error> {
        self.0.record(by, tables)?;
        self.1.record(by, tables)
    }

    fn end(self, columns: &mut Columns) {
        self.0.end(columns);
        self.1.end(columns);
    }
}
