//! `run(plan, seed) -> columns`, at once or in slices.

use crate::build;
use crate::columns::{Columns, Recorded};
use crate::control::Controls;
use crate::error::Error;
use crate::host::Host;
use crate::losses::Losses;
use crate::plan::Plan;
use crate::probes::{AcrBins, AtHosts, PacketTrace, QueueBins, SegmentTrace};
use crate::recorder::Recorder;
use crate::totals::Totals;
use base::Time;
use sim::{Observer, World};
use std::sync::Arc;

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
        Self::with_controls(plan, seed, None)
    }

    /// A run at time zero, with the congestion controls whose code is in the plan.
    ///
    /// # Errors
    /// If the plan cannot be run; see [`Error`].
    pub fn with_controls(plan: Plan, seed: u64, controls: Option<&Arc<dyn Controls>>) -> Result<Self, Error> {
        let state = begin(&plan, seed, controls)?;
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

    /// What probes have recorded so far. Of tables in bins it has those that are over. The
    /// rows of the others are the first ones of [`Run::columns`], but what becomes of packets that are under way may
    /// change.
    ///
    /// # Errors
    /// If a probe recorded more than it may.
    pub fn recorded(&mut self) -> Result<Recorded, Error> {
        // More may happen now.
        let before_end = self.duration().saturating_sub(Time::from_ps(1));
        self.state.recorded(if self.is_done { self.duration() } else { self.now().min(before_end) })
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
    let mut state = begin(plan, seed, None)?;
    state.advance(plan, Time::NEVER, u64::MAX);
    state.columns(plan)
}

/// A run with some observer. The plan is always the one with which it began.
trait State: Send {
    fn advance(&mut self, plan: &Plan, until: Time, events: u64) -> f64;
    fn now(&self) -> Time;
    fn recorded(&mut self, by: Time) -> Result<Recorded, Error>;
    fn columns(self: Box<Self>, plan: &Plan) -> Result<Columns, Error>;
}

/// Starts a run with the observers that the plan needs.
fn begin(plan: &Plan, seed: u64, controls: Option<&Arc<dyn Controls>>) -> Result<Box<dyn State>, Error> {
    plan.check()?;
    let losses = plan.flows.iter().any(|group| group.foreground).then(|| Losses::new(plan));
    let (hosts, queues, acr) = (AtHosts::of(plan), QueueBins::of(plan), AcrBins::of(plan)?);
    let (segments, packets) = (SegmentTrace::of(plan), PacketTrace::of(plan));
    // Each of these is code of its own: an observer that is alone pays for its own events only. Where there are several, each
    // also pays a branch for each of the others.
    match (losses, hosts, queues, acr, segments, packets) {
        (None, None, None, None, None, None) => start(plan, seed, (), controls),
        (Some(losses), None, None, None, None, None) => start(plan, seed, losses, controls),
        (None, Some(hosts), None, None, None, None) => start(plan, seed, hosts, controls),
        (None, None, Some(queues), None, None, None) => start(plan, seed, queues, controls),
        (None, None, None, Some(acr), None, None) => start(plan, seed, acr, controls),
        (None, None, None, None, Some(segments), None) => start(plan, seed, segments, controls),
        (None, None, None, None, None, Some(packets)) => start(plan, seed, packets, controls),
        (losses, hosts, queues, acr, segments, packets) => {
            start(plan, seed, ((losses, hosts), ((queues, acr), (segments, packets))), controls)
        }
    }
}

fn start(
    plan: &Plan,
    seed: u64,
    observer: impl Recorder,
    controls: Option<&Arc<dyn Controls>>,
) -> Result<Box<dyn State>, Error> {
    Ok(Box::new(Observed::new(plan, seed, observer, controls)?))
}

impl<O: Recorder> State for Observed<O> {
    fn advance(&mut self, plan: &Plan, until: Time, events: u64) -> f64 {
        self.advance(plan, until, events)
    }

    fn now(&self) -> Time {
        self.world.now()
    }

    fn recorded(&mut self, by: Time) -> Result<Recorded, Error> {
        self.world.report();
        let mut tables = Recorded::default();
        self.world.observer().record(by, &mut tables)?;
        Ok(tables)
    }

    fn columns(self: Box<Self>, plan: &Plan) -> Result<Columns, Error> {
        let (mut columns, observer) = self.end(plan);
        observer.record(Time::from_ps(plan.duration_ps), &mut columns.recorded)?;
        observer.end(&mut columns);
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
    pub(crate) fn new(
        plan: &Plan,
        seed: u64,
        observer: O,
        controls: Option<&Arc<dyn Controls>>,
    ) -> Result<Self, Error> {
        Ok(Self { world: build::controlled_world(plan, seed, observer, controls)?, warm: None })
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
