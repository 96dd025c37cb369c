//! `run(plan, seed) -> columns`.

use crate::build;
use crate::columns::Columns;
use crate::host::Host;
use crate::losses::Losses;
use crate::plan::{Plan, SCHEMA};
use crate::probes::{AcrBins, CwndTrace, GoodputBins, QueueBins};
use crate::totals::Totals;
use base::Time;
use sim::Observer;

/// What is wrong with a plan.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is not a plan.
    #[error("not a plan: {0}")]
    Syntax(#[from] serde_json::Error),
    /// It was made for another version.
    #[error("the plan has schema {0}; this version reads schema {SCHEMA}")]
    Schema(u32),
    /// There is no such flavor.
    #[error("no TCP flavor `{0}`; there are {names}", names = flavor_names())]
    Flavor(String),
    /// There is no such frame policy.
    #[error("no frame policy `{0}`; there are {names}", names = policy_names())]
    Policy(String),
    /// A frame policy lacks a parameter, or has one that it does not know.
    #[error("the parameters of `{0}` are: {1}")]
    PolicyParameters(&'static str, String),
    /// A port of a cell link, which knows no contracts, has a frame policy that needs them.
    #[error("the frame policy `{0}` needs contracts of VCs, which only ports of an ATM network know")]
    PolicyContracts(String),
    /// A flow cannot reach the other end.
    #[error("flow {0}: no links lead from node {1} to node {2}")]
    NoRoute(usize, u32, u32),
    /// A VC cannot reach the other end.
    #[error("the ATM network: no lines lead from host {0} to host {1}")]
    NoPath(u32, u32),
    /// Another reason why there can be no such ATM network.
    #[error("the ATM network: {0}")]
    Atm(String),
    /// A number makes no sense.
    #[error("plan: {0}")]
    Value(&'static str),
}

fn policy_names() -> String {
    atm::FRAME_POLICIES.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

fn flavor_names() -> String {
    tcp::FLAVORS.iter().map(|flavor| flavor.name).collect::<Vec<_>>().join(", ")
}

/// How often a run reports its progress.
const PROGRESS_REPORTS: u64 = 1000;

/// Runs a plan.
///
/// # Errors
/// If the plan cannot be run; see [`Error`].
pub fn run(plan: &Plan, seed: u64) -> Result<Columns, Error> {
    run_with_progress(plan, seed, &mut |_, _| ())
}

/// Runs a plan, and calls `on_progress(simulated_s, duration_s)` 1000 times. The columns are those of [`run`].
///
/// # Errors
/// As [`run`].
pub fn run_with_progress(
    plan: &Plan,
    seed: u64,
    on_progress: &mut impl FnMut(f64, f64),
) -> Result<Columns, Error> {
    plan.check()?;
    let is_recorded = plan.probes != Default::default();
    if !is_recorded && plan.flows.iter().all(|flow| !flow.foreground) {
        // Nobody watches, and nobody costs no time.
        return Ok(run_world(plan, seed, (), on_progress)?.0);
    }
    if !is_recorded {
        return Ok(run_observed(plan, seed, (), on_progress)?.0);
    }
    let of_flows = (GoodputBins::new(plan), CwndTrace::new(plan));
    let of_links = (QueueBins::new(plan), AcrBins::new(plan)?);
    let (mut columns, ((goodput, cwnd), (queue, acr))) =
        run_observed(plan, seed, (of_flows, of_links), on_progress)?;
    columns.queue = queue.into_table();
    columns.goodput = goodput.into_table();
    columns.cwnd = cwnd.into_table()?;
    columns.acr = acr.into_table();
    Ok(columns)
}

/// Runs a plan with an observer, and gives it back. The columns are those of a plan without probes.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_observed<O: Observer<Host>>(
    plan: &Plan,
    seed: u64,
    observer: O,
    on_progress: &mut impl FnMut(f64, f64),
) -> Result<(Columns, O), Error> {
    let (mut columns, (losses, observer)) =
        run_world(plan, seed, (Losses::new(plan), observer), on_progress)?;
    columns.foreground = losses.into_table();
    Ok((columns, observer))
}

/// The totals of a run, and its observer.
fn run_world<O: Observer<Host>>(
    plan: &Plan,
    seed: u64,
    observer: O,
    on_progress: &mut impl FnMut(f64, f64),
) -> Result<(Columns, O), Error> {
    let mut world = build::world(plan, seed, observer)?;
    let (warm_up, end) = (Time::from_ps(plan.warm_up_ps), Time::from_ps(plan.duration_ps));
    let step = Time::from_ps(plan.duration_ps.div_ceil(PROGRESS_REPORTS));
    let mut on_step = |at: Time| on_progress(at.as_secs_f64(), end.as_secs_f64());
    let before = (plan.warm_up_ps > 0).then(|| {
        world.advance_with_progress(warm_up, step, &mut on_step);
        Totals::begin(plan, &mut world, warm_up)
    });
    world.advance_with_progress(end, step, &mut on_step);
    let (totals, observer) = Totals::end(plan, world, end);
    Ok((totals.since(before.as_ref()).into_columns(end - warm_up), observer))
}
