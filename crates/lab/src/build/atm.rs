//! The ATM network of a plan -> the one of the world.
//!
//! Flow f has VC f for what its receiver sends and VC flows + f for what its sender sends, so that a VC has
//! the number of the host that sends into it; a source of cells has two VCs after those, there and back.

use crate::error::Error;
use crate::plan::{self, Plan};
use crate::workload::cells::CellTimes;
use atm::abr::AbrConfig;
use atm::erica::{Averaging, Ccr, Efci, EricaConfig, LoadAverage, QueueControl, RateControlConfig};
use atm::gfr::GfrConfig;
use atm::network::{
    AtmNetwork, Cells, Excess, LineConfig, NetworkConfig, Paths, Service, SwitchPort, UbrQueueing, VcConfig,
};
use atm::{CELL_BYTES, PolicyKind};
use base::Time;
use rand_chacha::ChaCha8Rng;
use sim::rng::Streams;

/// Bits of a cell.
pub(crate) const CELL_BITS: f64 = (8 * CELL_BYTES) as f64;
const PPB: f64 = 1e9;

/// The network of a plan that has one.
///
/// # Errors
/// If a port names a frame policy that does not exist, or no lines lead where a VC goes.
pub(super) fn network<P>(atm: &plan::Atm, plan: &Plan, streams: &Streams) -> Result<AtmNetwork<P>, Error> {
    AtmNetwork::new(config(atm, plan, streams)?).map_err(|error| Error::Atm(error.to_string()))
}

/// The ACR of each VC at the start, cells/s; none of one that is not of ABR. Without a network there is none.
///
/// # Errors
/// If there can be no such network.
pub(crate) fn initial_acrs(plan: &Plan) -> Result<Vec<Option<f64>>, Error> {
    let [plan::Link::Atm(atm)] = &plan.links[..] else { return Ok(Vec::new()) };
    // The initial ACR does not depend on random numbers.
    let config = config(atm, plan, &Streams::new(0))?;
    let initial = |vc: &VcConfig| match &vc.service {
        Service::Abr(abr) => Some(abr.effective_icr()),
        Service::Vbr | Service::Ubr | Service::Gfr(_) => None,
    };
    Ok(config.vcs.iter().map(initial).collect())
}

fn config(atm: &plan::Atm, plan: &Plan, streams: &Streams) -> Result<NetworkConfig, Error> {
    let line = |(number, line)| line_config(number, line, atm, streams);
    let lines = (0..).zip(&atm.lines).map(line).collect::<Result<Vec<_>, Error>>()?;
    let paths = Paths::new(atm.hosts, atm.switches, &lines);
    let makes = Vcs { atm, lines: &lines, paths: &paths };
    let flows = plan.flow_count();
    let (mut vcs, mut senders) = (Vec::new(), Vec::new());
    for ((flow, ends), &service) in (0..).zip(plan.each_flow()).zip(&atm.flow_services) {
        let ends = (ends.receiver - atm.first, ends.sender - atm.first);
        let cells = [Cells::Packets, Cells::Packets];
        let [receiver, sender] = makes.pair(ends, (flow, flows + flow), service, cells)?;
        vcs.push(receiver);
        senders.push(sender);
    }
    vcs.append(&mut senders);
    for (number, source) in (0..).zip(&atm.sources) {
        let first = 2 * (flows + number);
        let cells = [cells_of(source, number, streams), Cells::Nothing];
        vcs.extend(makes.pair((source.from, source.to), (first, first + 1), source.service, cells)?);
    }
    Ok(NetworkConfig { lines, vcs })
}

fn cells_of(source: &plan::CellSource, number: u32, streams: &Streams) -> Cells {
    match CellTimes::new(source, streams.named(&format!("cells/{number}"))) {
        Some(times) => Cells::Law(Box::new(times)),
        None => Cells::Greedy {
            start: Time::from_ps(source.start_ps),
            stop: source.stop_ps.map_or(Time::NEVER, Time::from_ps),
        },
    }
}

/// Makes the VCs.
struct Vcs<'a> {
    atm: &'a plan::Atm,
    lines: &'a [LineConfig],
    paths: &'a Paths,
}

impl Vcs<'_> {
    /// VCs of a service between two hosts, there and back, and their numbers.
    fn pair(
        &self,
        (from, to): (u32, u32),
        numbers: (u32, u32),
        service: usize,
        cells: [Cells; 2],
    ) -> Result<[VcConfig; 2], Error> {
        let (there, back) = (self.path(from, to)?, self.path(to, from)?);
        let round_trip = there.iter().chain(&back).fold(Time::ZERO, |sum, &line| {
            let line = &self.lines[line as usize];
            sum.saturating_add(line.cell_time).saturating_add(line.delay)
        });
        let [first, second] = cells;
        let vc =
            |path, peer, cells| VcConfig { path, peer, service: self.service(service, round_trip), cells };
        Ok([vc(there, numbers.1, first), vc(back, numbers.0, second)])
    }

    fn path(&self, from: u32, to: u32) -> Result<Vec<u32>, Error> {
        self.paths.find(from, to).ok_or(Error::NoPath(from, to))
    }

    fn service(&self, service: usize, round_trip: Time) -> Service {
        match &self.atm.services[service] {
            plan::Service::Vbr {} => Service::Vbr,
            plan::Service::Ubr {} => Service::Ubr,
            plan::Service::Gfr(gfr) => Service::Gfr(gfr_config(gfr)),
            plan::Service::Abr(abr) => Service::Abr(abr_config(abr, round_trip)),
        }
    }
}

fn gfr_config(gfr: &plan::Gfr) -> GfrConfig {
    let plan::Gfr { pcr_bps, mcr_bps, mbs_cells, mfs_cells, cdvt_ps, tagging } = *gfr;
    GfrConfig { pcr_bps, mcr_bps, mbs_cells, mfs_cells, cdvt: Time::from_ps(cdvt_ps), tagging }
}

fn abr_config(abr: &plan::Abr, round_trip: Time) -> AbrConfig {
    let cells = |bps: u64| bps as f64 / CELL_BITS;
    AbrConfig {
        pcr: cells(abr.pcr_bps),
        mcr: cells(abr.mcr_bps),
        icr: cells(abr.icr_bps),
        nrm: abr.nrm,
        mrm: abr.mrm,
        trm: Time::from_ps(abr.trm_ps),
        rif: 1.0 / f64::from(abr.rif_inverse),
        rdf: 1.0 / f64::from(abr.rdf_inverse),
        adtf: Time::from_ps(abr.adtf_ps),
        tbe: abr.tbe_cells,
        crm: abr.crm,
        cdf: abr.cdf_inverse.map_or(0.0, |inverse| 1.0 / f64::from(inverse)),
        tcr: f64::from(abr.tcr_cells_s),
        frtt: abr.frtt_ps.map_or(round_trip, Time::from_ps),
    }
}

fn line_config(
    number: u32,
    line: &plan::AtmLine,
    atm: &plan::Atm,
    streams: &Streams,
) -> Result<LineConfig, Error> {
    let port = |port: usize| switch_port(&atm.ports[port], streams.named(&format!("dfba/{number}")));
    Ok(LineConfig {
        from: line.from,
        to: line.to,
        cell_time: Time::from_ps(line.cell_time_ps),
        delay: Time::from_ps(line.delay_ps),
        cost: line.cost,
        port: line.port.map(port).transpose()?,
    })
}

/// A port; its frame policy draws random numbers from `draws`.
fn switch_port(port: &plan::AtmPort, draws: ChaCha8Rng) -> Result<SwitchPort, Error> {
    Ok(SwitchPort {
        vbr_buffer: port.vbr_buffer_cells,
        abr_buffer: port.abr_buffer_cells,
        ubr_buffer: port.ubr_buffer_cells,
        ubr_share_ppb: port.ubr_share_ppb,
        ubr_queueing: match port.ubr_queueing {
            plan::UbrQueueing::Fifo {} => UbrQueueing::Fifo,
            plan::UbrQueueing::PerVc { excess: plan::Excess::Equal } => UbrQueueing::PerVc(Excess::Equal),
            plan::UbrQueueing::PerVc { excess: plan::Excess::Proportional } => {
                UbrQueueing::PerVc(Excess::Proportional)
            }
        },
        policy: frame_policy(&port.policy)?,
        draws,
        eom: eom(port.eom),
        rate_control: match port.rate_control {
            plan::RateControl::None {} => RateControlConfig::None,
            plan::RateControl::Efci { threshold_cells } => {
                RateControlConfig::Efci(Efci { threshold: threshold_cells })
            }
            plan::RateControl::Erica(ref erica) => RateControlConfig::Erica(erica_config(erica)),
        },
    })
}

/// Whether the last cell of a cut frame is kept.
/// The frame policy of a port.
pub(super) fn frame_policy(policy: &plan::FramePolicy) -> Result<Box<dyn atm::FramePolicy>, Error> {
    let kind = PolicyKind::named(&policy.name).ok_or_else(|| Error::Policy(policy.name.clone()))?;
    let value = |name: &&str| policy.parameters.get(*name).copied();
    let values: Option<Vec<u32>> = kind.parameters.iter().map(value).collect();
    match values {
        Some(values) if values.len() == policy.parameters.len() => Ok((kind.make)(&values)),
        _ => Err(Error::PolicyParameters(kind.name, kind.parameters.join(", "))),
    }
}

pub(super) fn eom(eom: plan::Eom) -> atm::Eom {
    match eom {
        plan::Eom::Keep => atm::Eom::Keep,
        plan::Eom::Drop => atm::Eom::Drop,
    }
}

fn erica_config(erica: &plan::Erica) -> EricaConfig {
    let weight = part(erica.load_weight_ppb);
    EricaConfig {
        interval_cells: erica.interval_cells,
        interval: Time::from_ps(erica.interval_ps),
        delta: part(erica.delta_ppb),
        queue_control: queue_control(&erica.queue_control),
        ccr: match erica.ccr {
            plan::Ccr::Field => Ccr::Field,
            plan::Ccr::Measured => Ccr::Measured,
        },
        averaging: Averaging {
            load: match erica.load_average {
                plan::LoadAverage::None => LoadAverage::None,
                plan::LoadAverage::Ratio => LoadAverage::Ratio(weight),
                plan::LoadAverage::Parts => LoadAverage::Parts(weight),
            },
            vc_decay: part(erica.vc_decay_ppb),
            immediate_fair_share: erica.immediate_fair_share,
            count_both_directions: erica.count_both_directions,
        },
        limit_jump: erica.limit_jump,
    }
}

fn queue_control(control: &plan::QueueControl) -> QueueControl {
    match *control {
        plan::QueueControl::Constant { target_ppb } => QueueControl::Constant { target: part(target_ppb) },
        plan::QueueControl::Hyperbolic(curves) => {
            let (target_delay, a, b, floor) = parts(curves);
            QueueControl::Hyperbolic { target_delay, a, b, floor }
        }
        plan::QueueControl::InverseHyperbolic(curves) => {
            let (target_delay, a, b, floor) = parts(curves);
            QueueControl::InverseHyperbolic { target_delay, a, b, floor }
        }
        plan::QueueControl::Linear { target_delay_ps, slope_under_ppb, slope_over_ppb, floor_ppb } => {
            QueueControl::Linear {
                target_delay: Time::from_ps(target_delay_ps),
                under: part(slope_under_ppb),
                over: part(slope_over_ppb),
                floor: part(floor_ppb),
            }
        }
        plan::QueueControl::Step { target_delay_ps, a_ppb, b_ppb, step_ppb, floor_ppb } => {
            QueueControl::Step {
                target_delay: Time::from_ps(target_delay_ps),
                a: part(a_ppb),
                b: part(b_ppb),
                step: part(step_ppb),
                floor: part(floor_ppb),
            }
        }
    }
}

fn parts(curves: plan::Curves) -> (Time, f64, f64, f64) {
    let plan::Curves { target_delay_ps, a_ppb, b_ppb, floor_ppb } = curves;
    (Time::from_ps(target_delay_ps), part(a_ppb), part(b_ppb), part(floor_ppb))
}

fn part(ppb: u32) -> f64 {
    f64::from(ppb) / PPB
}
