//! Links of the plan -> links of the world, and the routes over them.

use crate::host::Payload;
use crate::plan::{self, Plan};
use crate::run::Error;
use sim::atm::{self, PolicyKind, PortConfig};
use sim::link::{
    Bernoulli, CellAccess, CellTrunk, Duplicate, GilbertElliott, Impairment, Jitter, Mark, PacketLink,
    ScriptedDrops,
};
use sim::queue::{DropTail, QueueDiscipline, Red, RedConfig};
use sim::rng::Streams;
use sim::{Edge, End, Link, LinkId, NodeId, Packet, Rate, Routes, Time};
use tcp::Ecn;

/// The routes over the links of a plan.
///
/// # Errors
/// If a flow has no way there, or none back.
pub(super) fn routes(plan: &Plan) -> Result<Routes, Error> {
    // A link that many nodes share leads to a point of its own, and from there to all its ends.
    let mut points = plan.nodes;
    let mut edges = Vec::new();
    for (id, link) in (0..).map(LinkId).zip(&plan.links) {
        let mut edge = |from, to, cost| {
            edges.push(Edge { from: NodeId(from), to: NodeId(to), cost, link: id });
        };
        match *link {
            plan::Link::Packets { from, to, cost, .. } => edge(from, to, cost),
            plan::Link::Cells { from_first, to_first, hosts, cost, .. } => {
                (from_first..from_first + hosts).for_each(|from| edge(from, points, cost));
                (to_first..to_first + hosts).for_each(|to| edge(points, to, 1));
                points += 1;
            }
        }
    }
    let routes = Routes::shortest(points as usize, &edges);
    for (number, flow) in plan.flows.iter().enumerate() {
        for (from, to) in [(flow.sender, flow.receiver), (flow.receiver, flow.sender)] {
            if !leads(plan, &routes, from, to) {
                return Err(Error::NoRoute(number, from, to));
            }
        }
    }
    Ok(routes)
}

fn leads(plan: &Plan, routes: &Routes, from: u32, to: u32) -> bool {
    let mut at = from;
    // A way visits no node twice.
    for _ in 0..plan.nodes {
        match routes.next(NodeId(at), NodeId(to)).map(|link| &plan.links[link.0 as usize]) {
            None => return false,
            Some(plan::Link::Packets { to: end, .. }) if *end == to => return true,
            Some(plan::Link::Packets { to: end, .. }) => at = *end,
            Some(plan::Link::Cells { to_first, hosts, .. }) => {
                return (*to_first..to_first + hosts).contains(&to);
            }
        }
    }
    false
}

/// The links, and where each ends.
///
/// # Errors
/// If a port names a frame policy that does not exist.
pub(super) fn links(plan: &Plan, streams: &Streams) -> Result<Vec<(Link<Payload>, End)>, Error> {
    (0..).zip(&plan.links).map(|(id, link)| make(plan, streams, id, link)).collect()
}

fn make(plan: &Plan, streams: &Streams, id: u32, link: &plan::Link) -> Result<(Link<Payload>, End), Error> {
    match link {
        plan::Link::Packets { to, rate_bps, delay_ps, queue, impairments, .. } => {
            let rate = Rate::from_bps(*rate_bps);
            let queue = discipline(queue, rate, streams, id);
            let line = (0..).zip(impairments).map(|(number, each)| impairment(each, streams, id, number));
            let delay = Time::from_ps(*delay_ps);
            let link = PacketLink::new(rate, delay, queue, line.collect());
            Ok((Link::Packets(link), End::Node(NodeId(*to))))
        }
        plan::Link::Cells { from_first, hosts, access, trunk, port, .. } => {
            let config = PortConfig {
                cell_time: Time::from_ps(trunk.cell_time_ps),
                buffer: port.buffer_cells,
                policy: frame_policy(&port.policy)?,
                eom: match port.eom {
                    plan::Eom::Keep => atm::Eom::Keep,
                    plan::Eom::Drop => atm::Eom::Drop,
                },
            };
            let access = CellAccess {
                cell_time: Time::from_ps(access.cell_time_ps),
                delay: Time::from_ps(access.delay_ps),
            };
            let vcs = nodes_of_hosts(plan).map(|node| node.wrapping_sub(*from_first)).collect();
            let delay = Time::from_ps(trunk.delay_ps);
            let trunk = CellTrunk::new(config, delay, access, *hosts as usize, vcs);
            Ok((Link::Cells(trunk), End::Addressee))
        }
    }
}

/// Where each host stands, by its number.
fn nodes_of_hosts(plan: &Plan) -> impl Iterator<Item = u32> {
    let receivers = plan.flows.iter().map(|flow| flow.receiver);
    receivers.chain(plan.flows.iter().map(|flow| flow.sender))
}

fn discipline(
    queue: &plan::Queue,
    rate: Rate,
    streams: &Streams,
    link: u32,
) -> Box<dyn QueueDiscipline<Payload>> {
    let fifo = |limit_packets: Option<u64>, limit_bytes| {
        DropTail::new(limit_packets.map(|limit| limit as usize), limit_bytes)
    };
    match *queue {
        plan::Queue::DropTail { limit_packets, limit_bytes } => Box::new(fifo(limit_packets, limit_bytes)),
        plan::Queue::Red {
            limit_packets,
            limit_bytes,
            min_thresh_ppm,
            max_thresh_ppm,
            max_p_ppb,
            weight_ppb,
            gentle,
            adaptive,
            ecn,
            mean_packet_bytes,
        } => {
            let config = RedConfig {
                min_thresh: min_thresh_ppm as f64 / 1e6,
                max_thresh: max_thresh_ppm as f64 / 1e6,
                max_p: f64::from(max_p_ppb) / 1e9,
                weight: f64::from(weight_ppb) / 1e9,
                gentle,
                adaptive,
                mean_packet: rate.time_for(u64::from(mean_packet_bytes)),
            };
            let mark: fn(&mut Payload) -> bool = if ecn { mark } else { |_| false };
            let rng = streams.named(&format!("queue/{link}"));
            Box::new(Red::new(config, fifo(limit_packets, limit_bytes), mark, rng))
        }
    }
}

fn impairment(
    impairment: &plan::Impairment,
    streams: &Streams,
    link: u32,
    number: u32,
) -> Box<dyn Impairment<Payload>> {
    let rng = streams.named(&format!("impairment/{link}/{number}"));
    match *impairment {
        plan::Impairment::Bernoulli { loss_ppb } => Box::new(Bernoulli::new(loss_ppb, rng)),
        plan::Impairment::GilbertElliott {
            good_to_bad_ppb,
            bad_to_good_ppb,
            loss_good_ppb,
            loss_bad_ppb,
        } => Box::new(GilbertElliott::new(
            [good_to_bad_ppb, bad_to_good_ppb],
            [loss_good_ppb, loss_bad_ppb],
            rng,
        )),
        plan::Impairment::Scripted { ref lost } => {
            Box::new(ScriptedDrops::new(|packet: &Packet<Payload>| packet.payload.len > 0, lost.clone()))
        }
        plan::Impairment::Jitter { spread_ps } => Box::new(Jitter::new(Time::from_ps(spread_ps), rng)),
        plan::Impairment::Duplicate { ppb } => Box::new(Duplicate::new(ppb, rng)),
        plan::Impairment::Mark { ppb } => Box::new(Mark::new(ppb, mark, rng)),
    }
}

/// Marks a segment that is ECN-capable (RFC 3168, section 5).
fn mark(segment: &mut Payload) -> bool {
    let capable = segment.ecn != Ecn::NotEct;
    if capable {
        segment.ecn = Ecn::Ce;
    }
    capable
}

fn frame_policy(policy: &plan::FramePolicy) -> Result<Box<dyn atm::FramePolicy>, Error> {
    let kind = PolicyKind::named(&policy.name).ok_or_else(|| Error::Policy(policy.name.clone()))?;
    let value = |name: &&str| policy.parameters.get(*name).copied();
    let values: Option<Vec<u32>> = kind.parameters.iter().map(value).collect();
    match values {
        Some(values) if values.len() == policy.parameters.len() => Ok((kind.make)(&values)),
        _ => Err(Error::PolicyParameters(kind.name, kind.parameters.join(", "))),
    }
}
