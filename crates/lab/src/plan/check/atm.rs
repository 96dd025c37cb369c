//! The limits of an ATM network in a plan.

use super::workload::{holds_one, law_rules};
use super::{FASTEST_BPS, LONGEST_PS, MOST_NODES, Rule, times};
use crate::plan::{
    Abr, Atm, AtmLine, AtmPort, CellLaw, CellSource, Curves, Erica, Gfr, Plan, QueueControl, RateControl,
    Service, Video,
};
use atm::CELL_BYTES;
use sim::link::PPB;

/// Tables of paths have a place for each switch and point.
const MOST_SWITCHES: u32 = 1000;
const MOST_HOSTS: u32 = 100_000;
/// Time of a cell at 1 Tbit/s, ps: with faster lines simulated time would hardly advance.
const SHORTEST_CELL_PS: u64 = 424;
/// With slower lines the delay of a queue could exceed the range of times.
const LONGEST_CELL_PS: u64 = 1_000_000_000_000;
/// The simulation processes every measurement interval, even of an idle port.
const SHORTEST_INTERVAL_PS: u64 = 1_000_000;
/// It may process every step, too.
const LEAST_STEP_PPB: u32 = 1_000_000;
const MOST_OF_A_GOP: usize = 1000;

/// Checks the network, and its relations to the rest of the plan.
pub(super) fn rules(atm: &Atm, plan: &Plan) -> Vec<Rule> {
    let last = atm.first.checked_add(atm.hosts).filter(|&last| last <= plan.nodes.min(MOST_NODES));
    let is_host = |node: u32| node.checked_sub(atm.first).is_some_and(|host| host < atm.hosts);
    let mut rules = vec![
        (plan.link_count() == 1, "an ATM network must be the plan's one link"),
        ((1..=MOST_HOSTS).contains(&atm.hosts), "`hosts` must be 1 to 100000"),
        (atm.switches <= MOST_SWITCHES, "`switches` must be at most 1000"),
        (last.is_some(), "an ATM network names an unknown node"),
        (
            plan.each_flow().all(|flow| is_host(flow.sender) && is_host(flow.receiver)),
            "a flow names a node outside the ATM network",
        ),
        (
            atm.flow_services.len() == plan.flow_count() as usize,
            "`flow_services` must have as many entries as there are flows",
        ),
        (
            atm.flow_services.iter().all(|&service| service < atm.services.len()),
            "`flow_services` names an unknown service",
        ),
        (has_one_line_a_host(atm), "a host must have one line out at most"),
    ];
    rules.extend(atm.lines.iter().flat_map(|line| line_rules(line, atm)));
    rules.extend(atm.ports.iter().flat_map(port_rules));
    rules.extend(atm.services.iter().flat_map(service_rules));
    rules.extend(atm.sources.iter().flat_map(|source| source_rules(source, atm)));
    rules
}

fn has_one_line_a_host(atm: &Atm) -> bool {
    let mut from: Vec<u32> = atm.lines.iter().map(|line| line.from).filter(|&at| at < atm.hosts).collect();
    from.sort_unstable();
    from.windows(2).all(|pair| pair[0] != pair[1])
}

fn line_rules(line: &AtmLine, atm: &Atm) -> Vec<Rule> {
    // Other rules report it if there are too many of either.
    let points = atm.hosts.saturating_add(atm.switches);
    vec![
        (line.from < points && line.to < points, "a line names an unknown point"),
        (line.from != line.to, "a line must join two points"),
        (line.cost > 0, "`cost` must be positive"),
        (
            (SHORTEST_CELL_PS..=LONGEST_CELL_PS).contains(&line.cell_time_ps),
            "`cell_time_ps` must be 424 to 1e12 (1 Tbit/s to 424 bit/s)",
        ),
        times([line.delay_ps]),
        (
            line.port.is_some() == (line.from >= atm.hosts),
            "a line from a switch must have a `port`, and a line from a host must not",
        ),
        (line.port.is_none_or(|port| port < atm.ports.len()), "a line names an unknown port"),
    ]
}

fn port_rules(port: &AtmPort) -> Vec<Rule> {
    let buffers = [port.vbr_buffer_cells, port.abr_buffer_cells, port.ubr_buffer_cells];
    let mut rules = vec![
        (!buffers.contains(&Some(0)), "a buffer must have room for a cell"),
        (port.ubr_share_ppb <= PPB, "`ubr_share_ppb` must be at most 1e9"),
    ];
    let of_policy = |name: &str| port.policy.parameters.get(name).copied();
    if let (Some(l_cells), Some(h_cells)) = (of_policy("l_cells"), of_policy("h_cells")) {
        rules.push((l_cells <= h_cells, "`l_cells` must be at most `h_cells`"));
    }
    if let Some(alpha_ppm) = of_policy("alpha_ppm") {
        rules.push((alpha_ppm <= 1_000_000, "`alpha_ppm` must be at most 1e6"));
    }
    if let RateControl::Erica(erica) = &port.rate_control {
        rules.extend(erica_rules(erica));
    }
    rules
}

fn erica_rules(erica: &Erica) -> Vec<Rule> {
    let mut rules = vec![
        (erica.interval_cells > 0, "`interval_cells` must be positive"),
        (
            (SHORTEST_INTERVAL_PS..=LONGEST_PS).contains(&erica.interval_ps),
            "`interval_ps` must be 1e6 to 1e18 (at least a microsecond)",
        ),
        ((1..=PPB).contains(&erica.load_weight_ppb), "`load_weight_ppb` must be positive and at most 1e9"),
        (erica.vc_decay_ppb < PPB, "`vc_decay_ppb` must be below 1e9"),
    ];
    let target =
        |ps: u64| ((1..=LONGEST_PS).contains(&ps), "`target_delay_ps` must be positive and at most 1e18");
    let floor = |ppb: u32| ((1..=PPB).contains(&ppb), "`floor_ppb` must be positive and at most 1e9");
    let a = |ppb: u32| (ppb > PPB, "`a_ppb` must be above 1e9");
    let b = |ppb: u32| (ppb >= PPB, "`b_ppb` must be at least 1e9");
    match erica.queue_control {
        QueueControl::Constant { target_ppb } => {
            rules.push(((1..=PPB).contains(&target_ppb), "`target_ppb` must be positive and at most 1e9"));
        }
        QueueControl::Hyperbolic(curves) | QueueControl::InverseHyperbolic(curves) => {
            let Curves { target_delay_ps, a_ppb, b_ppb, floor_ppb } = curves;
            rules.extend([target(target_delay_ps), a(a_ppb), b(b_ppb), floor(floor_ppb)]);
        }
        QueueControl::Linear { target_delay_ps, floor_ppb, .. } => {
            rules.extend([target(target_delay_ps), floor(floor_ppb)]);
        }
        QueueControl::Step { target_delay_ps, a_ppb, b_ppb, step_ppb, floor_ppb } => {
            rules.extend([target(target_delay_ps), a(a_ppb), b(b_ppb), floor(floor_ppb)]);
            rules.push((step_ppb >= LEAST_STEP_PPB, "`step_ppb` must be at least 1e6"));
        }
    }
    rules
}

fn service_rules(service: &Service) -> Vec<Rule> {
    match service {
        Service::Abr(abr) => abr_rules(abr),
        Service::Gfr(gfr) => gfr_rules(gfr),
        Service::Ubr {} | Service::Vbr {} => vec![],
    }
}

fn gfr_rules(gfr: &Gfr) -> Vec<Rule> {
    let Gfr { pcr_bps, mcr_bps, mbs_cells, mfs_cells, cdvt_ps, tagging: _ } = *gfr;
    vec![
        ((1..=FASTEST_BPS).contains(&pcr_bps), "`pcr_bps` must be 1 to 1e12"),
        (mcr_bps <= pcr_bps, "`mcr_bps` must not exceed `pcr_bps`"),
        (mfs_cells > 0, "`mfs_cells` must be positive"),
        (mbs_cells > 0, "`mbs_cells` must be positive"),
        times([cdvt_ps]),
    ]
}

fn abr_rules(abr: &Abr) -> Vec<Rule> {
    let Abr { pcr_bps, mcr_bps, icr_bps, nrm, rif_inverse, rdf_inverse, cdf_inverse, frtt_ps, .. } = *abr;
    let is_inverse = |inverse: u32| inverse.is_power_of_two() && inverse <= 1 << 15;
    vec![
        ((1..=FASTEST_BPS).contains(&pcr_bps), "`pcr_bps` must be 1 to 1e12"),
        (mcr_bps <= pcr_bps && icr_bps <= pcr_bps, "`mcr_bps` and `icr_bps` must not exceed `pcr_bps`"),
        (nrm.is_power_of_two() && (2..=256).contains(&nrm), "`nrm` must be a power of two from 2 to 256"),
        (
            is_inverse(rif_inverse) && is_inverse(rdf_inverse) && cdf_inverse.is_none_or(is_inverse),
            "`rif_inverse`, `rdf_inverse` and `cdf_inverse` must be powers of two, at most 32768",
        ),
        (abr.trm_ps > 0, "`trm_ps` must be positive"),
        (abr.tbe_cells > 0, "`tbe_cells` must be positive"),
        (abr.crm != Some(0), "`crm` must be positive"),
        (abr.tcr_cells_s > 0, "`tcr_cells_s` must be positive"),
        (frtt_ps != Some(0), "`frtt_ps` must be positive"),
        times([abr.trm_ps, abr.adtf_ps, frtt_ps.unwrap_or(0)]),
    ]
}

fn source_rules(source: &CellSource, atm: &Atm) -> Vec<Rule> {
    let service = atm.services.get(source.service);
    let stop_ps = source.stop_ps.unwrap_or(LONGEST_PS);
    let mut rules = vec![
        (source.from < atm.hosts && source.to < atm.hosts, "a cell source names an unknown host"),
        (source.from != source.to, "a cell source must join two hosts"),
        (service.is_some(), "a cell source names an unknown service"),
        times([source.start_ps, stop_ps]),
        (source.stop_ps.is_none_or(|stop| source.start_ps < stop), "`stop_ps` must be above `start_ps`"),
    ];
    let rate = |bps: u64| ((1..=FASTEST_BPS).contains(&bps), "`rate_bps` must be 1 to 1e12");
    match &source.law {
        CellLaw::Greedy {} => {
            let is_abr = service.is_none_or(|service| matches!(service, Service::Abr(_)));
            rules.push((is_abr, "a greedy cell source must be of ABR"));
        }
        CellLaw::Constant { rate_bps } => rules.push(rate(*rate_bps)),
        CellLaw::OnOff { rate_bps, on, off } => {
            let one = holds_one(on, *rate_bps, CELL_BYTES);
            rules.extend([
                rate(*rate_bps),
                (one, "the mean of `on` must be at least a cell's time at its rate"),
            ]);
            rules.extend([on, off].into_iter().flat_map(law_rules));
        }
        CellLaw::Video(video) => rules.extend(video_rules(video)),
    }
    rules
}

fn video_rules(video: &Video) -> Vec<Rule> {
    let is_gop = (1..=MOST_OF_A_GOP).contains(&video.gop.len())
        && video.gop.chars().all(|kind| matches!(kind, 'I' | 'P' | 'B'));
    vec![
        (video.frame_ps >= SHORTEST_CELL_PS, "`frame_ps` must be at least 424"),
        times([video.frame_ps]),
        (is_gop, "`gop` must be 1 to 1000 letters I, P, B"),
        (
            video.mean_bytes.iter().all(|bytes| (1..=1 << 40).contains(bytes)),
            "`mean_bytes` must be 1 to 2**40",
        ),
        (video.correlation_ppm < 1_000_000, "`correlation_ppm` must be below a million"),
    ]
}
