//! `run(plan, seed) -> columns`, at once or in slices.

use crate::build;
use crate::columns::Columns;
use crate::error::Error;
use crate::host::Host;
use crate::losses::Losses;
use crate::plan::Plan;
use crate::probes::{AcrBins, CwndTrace, GoodputBins, QueueBins, SegmentTrace, TransportBins};
use crate::totals::Totals;
use base::Time;
use sim::{Observer, World};

/// A run in slices, for callers that show its progress or may stop it: drop it to stop. The columns equal those of
/// [`run`] in every bit, whatever the slices.
pub struct Run {
    plan: Plan,
    state: Box<dyn State>,
    is_done: bool,
}

impl Run {
    /// A run at time zero.
    ///
    /// # Errors
    /// If the plan cannot be run; see [`Error`].
    pub fn new(plan: Plan, seed: u64) -> Result<Self, Error> {
        let state = begin(&plan, seed)?;
        Ok(Self { plan, state, is_done: false })
    }

    /// Simulates the next slice: to the simulated time `until`, that time included, but at most `events` events. An
    /// event takes about 50 ns; one that brings many packets or cells takes longer. Returns the share of the simulated
    /// time that is done; 1 at the end only.
    pub fn advance(&mut self, until: Time, events: u64) -> f64 {
        let done = self.state.advance(&self.plan, until, events);
        self.is_done = done == 1.0;
        done
    }

    /// Whether the run is complete.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The simulated time that it has reached.
    #[must_use]
    pub fn now(&self) -> Time {
        self.state.now()
    }

    /// The simulated time at the end of the run.
    #[must_use]
    pub fn duration(&self) -> Time {
        Time::from_ps(self.plan.duration_ps)
    }

    /// Simulates the rest of the run and returns the columns. A part of a run has none, because counters
    /// of links may already include events up to the end.
    ///
    /// # Errors
    /// If a probe recorded more than it may.
    pub fn columns(mut self) -> Result<Columns, Error> {
        self.advance(Time::NEVER, u64::MAX);
        self.state.columns(&self.plan)
    }
}

/// Runs a plan.
///
/// # Errors
/// If the plan cannot be run; see [`Error`].
pub fn run(plan: &Plan, seed: u64) -> Result<Columns, Error> {
    let mut state = begin(plan, seed)?;
    state.advance(plan, Time::NEVER, u64::MAX);
    state.columns(plan)
}

/// A run with some observer. The plan is always the one with which it began.
trait State: Send {
    fn advance(&mut self, plan: &Plan, until: Time, events: u64) -> f64;
    fn now(&self) -> Time;
    fn columns(self: Box<Self>, plan: &Plan) -> Result<Columns, Error>;
}

/// Starts a run with the observers that the plan needs.
fn begin(plan: &Plan, seed: u64) -> Result<Box<dyn State>, Error> {
    plan.check()?;
    let is_recorded = plan.probes != Default::default();
    if !is_recorded && plan.flows.iter().all(|flow| !flow.foreground) {
        // Without an observer the run is fastest.
        return Ok(Box::new(Observed::new(plan, seed, ())?));
    }
    let losses = Losses::new(plan);
    if !is_recorded {
        return Ok(Box::new(Observed::new(plan, seed, losses)?));
    }
    let of_flows = (GoodputBins::new(plan), (CwndTrace::new(plan), TransportBins::new(plan)));
    let of_links = (QueueBins::new(plan), AcrBins::new(plan)?);
    let segments = SegmentTrace::new(plan);
    Ok(Box::new(Observed::new(plan, seed, ((losses, segments), (of_flows, of_links)))?))
}

impl<O: Recorder> State for Observed<O> {
    fn advance(&mut self, plan: &Plan, until: Time, events: u64) -> f64 {
        self.advance(plan, until, events)
    }

    fn now(&self) -> Time {
        self.world.now()
    }

    fn columns(self: Box<Self>, plan: &Plan) -> Result<Columns, Error> {
        let (mut columns, observer) = self.end(plan);
        observer.record(&mut columns)?;
        Ok(columns)
    }
}

/// A run with an observer.
pub(crate) struct Observed<O> {
    world: World<Host, O>,
    /// The totals at the end of the warm-up; none before, or without one.
    warm: Option<Totals>,
}

impl<O: Observer<Host>> Observed<O> {
    /// A run at time zero. The caller has checked the plan.
    pub(crate) fn new(plan: &Plan, seed: u64, observer: O) -> Result<Self, Error> {
        Ok(Self { world: build::world(plan, seed, observer)?, warm: None })
    }

    /// As [`Run::advance`].
    pub(crate) fn advance(&mut self, plan: &Plan, until: Time, events: u64) -> f64 {
        let (warm_up, end) = (Time::from_ps(plan.warm_up_ps), Time::from_ps(plan.duration_ps));
        if self.warm.is_none() && plan.warm_up_ps > 0 {
            if !self.world.advance_slice(warm_up, until, events) {
                return self.share_of(end);
            }
            self.warm = Some(Totals::begin(plan, &mut self.world, warm_up));
        }
        if self.world.advance_slice(end, until, events) { 1.0 } else { self.share_of(end) }
    }

    /// The share of the time that is done; below 1, since there may be more to do at the end.
    fn share_of(&self, end: Time) -> f64 {
        (self.world.now().as_secs_f64() / end.as_secs_f64()).min(1.0 - f64::EPSILON)
    }

    /// The totals of the complete run, and its observer.
    pub(crate) fn end(self, plan: &Plan) -> (Columns, O) {
        let (warm_up, end) = (Time::from_ps(plan.warm_up_ps), Time::from_ps(plan.duration_ps));
        let (totals, observer) = Totals::end(plan, self.world, end);
        (totals.since(self.warm.as_ref()).into_columns(plan, end - warm_up), observer)
    }
}

/// An observer that adds what it has recorded to the columns.
trait Recorder: Observer<Host> + Send + 'static {
    fn record(self, columns: &mut Columns) -> Result<(), Error>;
}

impl Recorder for () {
    fn record(self, _: &mut Columns) -> Result<(), Error> {
        Ok(())
    }
}

impl<A: Recorder, B: Recorder> Recorder for (A, B) {
    fn record(self, columns: &mut Columns) -> Result<(), Error> {
        self.0.record(columns)?;
        self.1.record(columns)
    }
}

impl Recorder for Losses {
    fn record(self, columns: &mut Columns) -> Result<(), Error> {
        columns.foreground = self.into_table();
        Ok(())
    }
}

impl Recorder for GoodputBins {
    fn record(self, columns: &mut Columns) -> Result<(), Error> {
        columns.goodput = self.into_table();
        Ok(())
    }
}

impl Recorder for TransportBins {
    fn record(self, columns: &mut Columns) -> Result<(), Error> {
        columns.transport = self.into_table()?;
        Ok(())
    }
}

impl Recorder for SegmentTrace {
    fn record(self, columns: &mut Columns) -> Result<(), Error> {
        columns.segments = self.into_table()?;
        Ok(())
    }
}

impl Recorder for CwndTrace {
    fn record(self, columns: &mut Columns) -> Result<(), Error> {
        columns.cwnd = self.into_table()?;
        Ok(())
    }
}

impl Recorder for QueueBins {
    fn record(self, columns: &mut Columns) -> Result<(), Error> {
        columns.queue = self.into_table();
        Ok(())
    }
}

impl Recorder for AcrBins {
    fn record(self, columns: &mut Columns) -> Result<(), Error> {
        columns.acr = self.into_table();
        Ok(())
    }
}
