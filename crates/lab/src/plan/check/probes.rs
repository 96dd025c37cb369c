//! The limits of the probes of a plan.

use super::Rule;
use crate::plan::{Link, Plan, Service};

/// Rows that one probe may record in a run.
pub const MOST_ROWS: u64 = 20_000_000;

pub(super) fn rules(plan: &Plan) -> Vec<Rule> {
    let probes = &plan.probes;
    let flows = plan.flow_count() as usize;
    let [queue, goodput, acr, transport] =
        rows_in_bins(plan).map(|rows| rows.is_none_or(|rows| rows <= u128::from(MOST_ROWS)));
    let all_queues = queues_of(plan);
    let has_queue = |&link: &u32| all_queues.get(link as usize) == Some(&true);
    vec![
        (plan.queue_delays_of.iter().all(has_queue), "`queue_delays_of` names a link that has no queue"),
        (are_there(&plan.delays_of_flows, flows), "`delays_of_flows` names an unknown flow"),
        (are_there(&probes.segments_of, flows), "`segments_of` names an unknown flow"),
        (are_there(&probes.cwnd_of, flows), "`cwnd_of` names an unknown flow"),
        (are_there(&probes.rtt_of, flows), "`rtt_of` names an unknown flow"),
        (are_there(&probes.states_of, flows), "`states_of` names an unknown flow"),
        (are_there(&probes.packets_of, plan.link_count() as usize), "`packets_of` names an unknown link"),
        (probes.queue_of.iter().flatten().all(has_queue), "`queue_of` names a link that has no queue"),
        (probes.queue_bin_ps != Some(0), "`queue_bin_ps` must be positive"),
        (probes.goodput_bin_ps != Some(0), "`goodput_bin_ps` must be positive"),
        (probes.acr_bin_ps != Some(0), "`acr_bin_ps` must be positive"),
        (probes.transport_bin_ps != Some(0), "`transport_bin_ps` must be positive"),
        (queue, "`queue_bin_ps` gives more than 20000000 rows"),
        (goodput, "`goodput_bin_ps` gives more than 20000000 rows"),
        (acr, "`acr_bin_ps` gives more than 20000000 rows"),
        (transport, "`transport_bin_ps` gives more than 20000000 rows"),
    ]
}

/// Rows of the probes queue, goodput, acr and transport, as far as the plan has them: one for each thing in each bin, of
/// transport for each flow with one connection.
pub(crate) fn rows_in_bins(plan: &Plan) -> [Option<u128>; 4] {
    let probes = &plan.probes;
    let rows = |bin_ps: Option<u64>, things: &dyn Fn() -> usize| {
        let bins = plan.duration_ps.div_ceil(bin_ps.filter(|bin| *bin > 0)?);
        Some(u128::from(bins) * things() as u128)
    };
    let flows = || plan.flow_count() as usize;
    let all_queues = || queues_of(plan).iter().filter(|has_queue| **has_queue).count();
    let queues = || probes.queue_of.as_ref().map_or_else(all_queues, Vec::len);
    [
        rows(probes.queue_bin_ps, &queues),
        rows(probes.goodput_bin_ps, &flows),
        rows(probes.acr_bin_ps, &|| abr_vcs(plan)),
        rows(probes.transport_bin_ps, &flows),
    ]
}

fn are_there(numbers: &[u32], things: usize) -> bool {
    numbers.iter().all(|&number| (number as usize) < things)
}

/// For each link, or line of an ATM network, whether it has a queue that can be recorded.
pub(crate) fn queues_of(plan: &Plan) -> Vec<bool> {
    match &plan.links[..] {
        [Link::Atm(atm)] => atm.lines.iter().map(|line| line.port.is_some()).collect(),
        _ => vec![true; plan.link_count() as usize],
    }
}

/// VCs that have an ACR: two of each flow and of each source of cells.
fn abr_vcs(plan: &Plan) -> usize {
    let [Link::Atm(atm)] = &plan.links[..] else { return 0 };
    let is_abr = |service: &usize| matches!(atm.services.get(*service), Some(Service::Abr(_)));
    let of_sources = atm.sources.iter().map(|source| &source.service);
    2 * atm.flow_services.iter().chain(of_sources).filter(|service| is_abr(service)).count()
}
