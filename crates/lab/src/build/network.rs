//! Links of the plan -> links of the world, and the routes over them.

use super::{Link, atm as atm_network};
use crate::error::Error;
use crate::host::Content;
use crate::path::{Nominal, Path};
use crate::plan::{self, Plan};
use atm::{AtmLink, CellAccess, CellTrunk, PortConfig};
use base::{Rate, Time};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sim::link::{
    Bernoulli, Duplicate, FifoLink, GilbertElliott, Impairment, Jitter, LossEvents, Mark, Only, PacketLink,
    ScheduledLoss, ScriptedDrops, TwoParameter,
};
use sim::queue::{DropTail, Ends, Fifo, FlowEnd, Make, QueueDiscipline, Setting};
use sim::rng::Streams;
use sim::{Adjacency, Edge, End, HostId, LinkId, NextHop, NodeId, Packet, Routes, Waits};
use std::collections::BTreeMap;

/// The routes over the links of a plan, and the links before and after each link on the routes of its flows.
///
/// # Errors
/// If a flow has no path to its receiver, or none back.
pub(super) fn routes(plan: &Plan) -> Result<(Routes, Vec<Adjacency>), Error> {
    // A link that many nodes share leads to its own extra node, and from there to all its ends.
    let mut points = plan.nodes;
    let mut edges = Vec::new();
    for (id, placed) in (0..).map(LinkId).zip(plan.each_link()) {
        let mut edge = |from, to, cost| {
            edges.push(Edge { from: NodeId(from), to: NodeId(to), cost, link: id });
        };
        match *placed.link {
            plan::Link::Packets { from, to, cost, .. } => edge(placed.number(from), placed.number(to), cost),
            plan::Link::Cells { from_first, to_first, hosts, cost, .. } => {
                (from_first..from_first + hosts).for_each(|from| edge(from, points, cost));
                (to_first..to_first + hosts).for_each(|to| edge(points, to, 1));
                points += 1;
            }
            plan::Link::Atm(ref atm) => {
                let hosts = atm.first..atm.first + atm.hosts;
                hosts.clone().for_each(|from| edge(from, points, 1));
                hosts.for_each(|to| edge(points, to, 1));
                points += 1;
            }
            plan::Link::Group { .. } => unreachable!("the members of a group are no groups"),
        }
    }
    let routes = Routes::shortest(points as usize, &edges);
    let mut adjacency = vec![Observed::default(); plan.link_count() as usize];
    let links = plan.find_links();
    for (number, flow) in plan.each_flow().enumerate() {
        for (from, to) in [(flow.sender, flow.receiver), (flow.receiver, flow.sender)] {
            if !leads((&links, plan.nodes), &routes, (from, to), &mut adjacency) {
                return Err(Error::NoRoute(number, from, to));
            }
        }
    }
    Ok((routes, adjacency.into_iter().map(Observed::adjacency).collect()))
}

/// The links before and after a link on all routes; none stands for a host.
#[derive(Clone, Copy, Default)]
struct Observed {
    from: Seen,
    to: Seen,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Seen {
    #[default]
    Nothing,
    One(Option<LinkId>),
    Several,
}

impl Seen {
    fn see(&mut self, link: Option<LinkId>) {
        *self = if matches!(*self, Self::Nothing) || *self == Self::One(link) {
            Self::One(link)
        } else {
            Self::Several
        };
    }
}

impl Observed {
    fn adjacency(self) -> Adjacency {
        let next_hop = match self.to {
            Seen::One(Some(link)) => NextHop::Link(link),
            Seen::One(None) => NextHop::Hosts,
            Seen::Nothing | Seen::Several => NextHop::Routed,
        };
        Adjacency { single_upstream: matches!(self.from, Seen::One(Some(_))), next_hop }
    }
}

/// Whether links lead from a node to another. Notes which come before and after each other.
fn leads(
    (links, nodes): (&plan::LinksByNumber<'_>, u32),
    routes: &Routes,
    (from, to): (u32, u32),
    adjacency: &mut [Observed],
) -> bool {
    let (mut at, mut before) = (from, None);
    // A route visits no node twice.
    for _ in 0..nodes {
        let Some(link) = routes.next(NodeId(at), NodeId(to)) else { return false };
        adjacency[link.0 as usize].from.see(before);
        if let Some(LinkId(before)) = before.replace(link) {
            adjacency[before as usize].to.see(Some(link));
        }
        let placed = links.get(link.0);
        let is_there = match placed.link {
            plan::Link::Packets { to: end, .. } => {
                at = placed.number(*end);
                at == to
            }
            plan::Link::Cells { to_first, hosts, .. } if (*to_first..to_first + hosts).contains(&to) => true,
            plan::Link::Cells { .. } | plan::Link::Group { .. } => return false,
            // Its hosts are all that flows name; whether lines lead there is for the network to say.
            plan::Link::Atm(_) => true,
        };
        if is_there {
            adjacency[link.0 as usize].to.see(None);
            return true;
        }
    }
    false
}

/// The links, and where each ends.
///
/// # Errors
/// If a port names a frame policy that does not exist.
pub(super) fn links<P: Content>(plan: &Plan, streams: &Streams) -> Result<Vec<(Link<P>, End)>, Error> {
    let dscps = plan.each_flow().map(|flow| flow.dscp).cycle();
    let ends = plan.nodes_of_hosts().zip(dscps).map(|(node, dscp)| FlowEnd { node: NodeId(node), dscp });
    let ends = Ends::new(ends);
    let each = (0..).zip(plan.each_link()).map(|(id, link)| make(plan, streams, &ends, id, link));
    let mut links = each.collect::<Result<Vec<_>, Error>>()?;
    for &number in &plan.queue_delays_of {
        measure_waits(plan, number, &mut links);
    }
    Ok(links)
}

/// Measures waiting times on a link, or on a line of the ATM network, which is the only link then.
fn measure_waits<P: Content>(plan: &Plan, number: u32, links: &mut [(Link<P>, End)]) {
    // Hosts flows .. 2 flows are the senders.
    let senders = plan.delays_of_flows.iter().map(|flow| HostId(plan.flow_count() + flow));
    let waits =
        Waits::between(Time::from_ps(plan.warm_up_ps), Time::from_ps(plan.duration_ps)).of_hosts(senders);
    if let [(Link::Component(component), _)] = links
        && let AtmLink::Network(network) = &mut **component
    {
        return network.measure_waits(number, waits);
    }
    match &mut links[number as usize].0 {
        Link::Component(component) => {
            if let AtmLink::Trunk(trunk) = &mut **component {
                trunk.measure_waits(waits);
            }
        }
        link => link.measure_waits(waits),
    }
}

fn make<P: Content>(
    plan: &Plan,
    streams: &Streams,
    ends: &Ends,
    id: u32,
    placed: plan::PlacedLink<'_>,
) -> Result<(Link<P>, End), Error> {
    match placed.link {
        plan::Link::Packets { to, rate_bps, delay_ps, delay_draw, varies, queue, impairments, .. } => {
            let rate = Rate::from_bps(*rate_bps);
            let delay =
                Time::from_ps(*delay_ps) + delay_draw.map_or(Time::ZERO, |draw| drawn(placed, draw, streams));
            let path = varies.as_ref().map(|varies| {
                let nominal = Nominal { rate: *rate_bps, delay };
                let rng = streams.named(&format!("path/{}", varies.number));
                Path::new(&varies.how, nominal, rng, Time::from_ps(plan.duration_ps))
            });
            let wire = (0..).zip(impairments);
            let wire: Vec<_> = wire.map(|(number, each)| impairment(each, streams, id, number)).collect();
            let setting = || Setting {
                rate,
                limits: limits(queue),
                ecn: P::ecn,
                mark: P::mark,
                rng: streams.named(&format!("queue/{id}")),
                ends: ends.clone(),
            };
            let link = match path {
                None => packet_link(LinkId(id), queue, rate, delay, wire, setting)?,
                Some(path) => {
                    let losses = streams.named(&format!("path_loss/{id}"));
                    changing_link(LinkId(id), queue, path, wire, losses, setting)?
                }
            };
            Ok((link, End::Node(NodeId(placed.number(*to)))))
        }
        plan::Link::Cells { from_first, hosts, access, trunk, port, .. } => {
            let config = PortConfig {
                cell_time: Time::from_ps(trunk.cell_time_ps),
                buffer: port.buffer_cells,
                policy: policy_without_contracts(&port.policy)?,
                eom: atm_network::eom(port.eom),
            };
            let access = CellAccess {
                cell_time: Time::from_ps(access.cell_time_ps),
                delay: Time::from_ps(access.delay_ps),
            };
            let vcs = plan.nodes_of_hosts().map(|node| node.wrapping_sub(*from_first)).collect();
            let delay = Time::from_ps(trunk.delay_ps);
            let trunk = CellTrunk::new(config, delay, access, *hosts as usize, vcs);
            Ok((trunk.into(), End::Addressee))
        }
        plan::Link::Atm(atm) => Ok((atm_network::network(atm, plan, streams)?.into(), End::Addressee)),
        plan::Link::Group { .. } => unreachable!("the members of a group are no groups"),
    }
}

/// The delay that a run draws. Every link starts the stream at its beginning, so links with the same
/// number draw the same. The draw does not depend on the spread, so all points of a sweep over the spread share it.
fn drawn(placed: plan::PlacedLink<'_>, draw: plan::DelayDraw, streams: &Streams) -> Time {
    let uniform = streams.named(&format!("delay/{}", placed.number(draw.number))).next_u64();
    Time::from_ps(((u128::from(uniform) * u128::from(draw.spread_ps)) >> 64) as u64)
}

/// A link of packets: a `FifoLink` if its queue decides at arrival and its wire only loses packets.
fn packet_link<P: Content>(
    id: LinkId,
    queue: &plan::Queue,
    rate: Rate,
    delay: Time,
    wire: Vec<Box<dyn Impairment<P>>>,
    setting: impl Fn() -> Setting<P>,
) -> Result<Link<P>, Error> {
    let (row, values) = queue.discipline()?;
    let only_loses = wire.iter().all(|each| each.only_loses());
    let fused = |link: FifoLink<P>, wire| Link::Fifo(link.with_impairments(wire));
    let plain =
        |queue, wire| Link::Packets(Box::new(PacketLink::new(id, queue, Box::new(rate), delay, wire)));
    Ok(match row.make {
        Make::Limits if only_loses => fused(FifoLink::drop_tail(rate, delay, limits(queue)), wire),
        Make::Limits => plain(Box::new(Fifo::new(limits(queue))), wire),
        Make::AtArrival(make) if only_loses => {
            fused(FifoLink::new(rate, delay, make(&values, &setting())), wire)
        }
        Make::AtArrival(make) => plain(Box::new(Fifo::new(make(&values, &setting()))), wire),
        Make::Queue(make) => plain(make(&values, &setting()), wire),
    })
}

/// A link whose rate, delay or loss changes. Its own loss comes after the impairments.
fn changing_link<P: Content>(
    id: LinkId,
    queue: &plan::Queue,
    path: Path,
    mut wire: Vec<Box<dyn Impairment<P>>>,
    losses: ChaCha8Rng,
    setting: impl Fn() -> Setting<P>,
) -> Result<Link<P>, Error> {
    let (row, values) = queue.discipline()?;
    let queue: Box<dyn QueueDiscipline<P>> = match row.make {
        Make::Limits => Box::new(Fifo::new(limits(queue))),
        Make::AtArrival(make) => Box::new(Fifo::new(make(&values, &setting()))),
        Make::Queue(make) => make(&values, &setting()),
    };
    if let Some(loss_ppb) = path.loss_ppb {
        wire.push(Box::new(ScheduledLoss::new(loss_ppb, losses)));
    }
    Ok(Link::Packets(Box::new(PacketLink::new(id, queue, path.service, path.delay, wire))))
}

fn limits(queue: &plan::Queue) -> DropTail {
    DropTail::new(queue.limit_packets.map(|limit| limit as usize), queue.limit_bytes)
}

fn impairment<P: Content>(
    impairment: &plan::Impairment,
    streams: &Streams,
    link: u32,
    number: u32,
) -> Box<dyn Impairment<P>> {
    let rng = streams.named(&format!("impairment/{link}/{number}"));
    match *impairment {
        plan::Impairment::Bernoulli { loss_ppb, of } => only(of, Bernoulli::new(loss_ppb, rng)),
        plan::Impairment::GilbertElliott {
            good_to_bad_ppb,
            bad_to_good_ppb,
            loss_good_ppb,
            loss_bad_ppb,
            of,
        } => {
            let (leave, loss) = ([good_to_bad_ppb, bad_to_good_ppb], [loss_good_ppb, loss_bad_ppb]);
            only(of, GilbertElliott::new(leave, loss, rng))
        }
        plan::Impairment::LossEvents { rate_ppb, losses, of } => {
            only(of, LossEvents::new(rate_ppb, losses, rng))
        }
        plan::Impairment::TwoParameter { event_ppb, loss_ppb, span_ps, of } => {
            only(of, TwoParameter::new(event_ppb, loss_ppb, Time::from_ps(span_ps), rng))
        }
        plan::Impairment::Scripted { ref lost } => Box::new(ScriptedDrops::new(has_data::<P>, lost.clone())),
        plan::Impairment::Jitter { spread_ps } => Box::new(Jitter::new(Time::from_ps(spread_ps), rng)),
        plan::Impairment::Duplicate { ppb } => Box::new(Duplicate::new(ppb, rng)),
        plan::Impairment::Mark { ppb } => Box::new(Mark::new(ppb, P::mark, rng)),
    }
}

fn only<P: Content>(of: plan::Which, impairment: impl Impairment<P> + 'static) -> Box<dyn Impairment<P>> {
    match of {
        plan::Which::All => Box::new(impairment),
        plan::Which::Data => Box::new(Only::new(has_data::<P>, impairment)),
        plan::Which::NewData => {
            let mut sent = HighestSent::default();
            let is_new = move |packet: &Packet<P>| has_data(packet) && sent.is_new(packet);
            Box::new(Only::new(is_new, impairment))
        }
        plan::Which::Acks => Box::new(Only::new(|packet: &Packet<P>| !has_data(packet), impairment)),
    }
}

fn has_data<P: Content>(packet: &Packet<P>) -> bool {
    packet.payload.has_data()
}

/// The highest position that each flow has sent so far.
#[derive(Default)]
struct HighestSent {
    /// The position of the last flow: consecutive packets of a link are mostly of the same flow.
    last: Option<((HostId, u32), u64)>,
    others: BTreeMap<(HostId, u32), u64>,
}

impl HighestSent {
    /// Whether a packet has data beyond what its flow has sent before.
    fn is_new<P: Content>(&mut self, packet: &Packet<P>) -> bool {
        let Some(its_end) = packet.payload.stream_end() else { return true };
        let flow = (packet.from, packet.flow);
        if self.last.is_none_or(|last| last.0 != flow) {
            self.others.extend(self.last);
            self.last = Some((flow, self.others.get(&flow).copied().unwrap_or_default()));
        }
        let end = self.last.as_mut().map(|last| &mut last.1).expect("there is one now");
        let is_new = its_end > *end;
        *end = its_end.max(*end);
        is_new
    }
}

/// The frame policy of a port that knows no contracts.
fn policy_without_contracts(policy: &plan::FramePolicy) -> Result<Box<dyn atm::FramePolicy>, Error> {
    let made = atm_network::frame_policy(policy)?;
    if made.needs_contracts() { Err(Error::PolicyContracts(policy.name.clone())) } else { Ok(made) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Payload;
    use sim::PacketId;
    use tcp::Segment;

    /// Of two connections of a host and one of another, in turn; 100 bytes each, from there on.
    #[test]
    fn each_connection_has_its_own_end_of_what_was_new() {
        let mut sent = HighestSent::default();
        let mut is_new = |from, flow, seq| {
            let payload = Payload::Segment(Segment { seq, len: 100, ..Segment::default() });
            let (id, from, to) = (PacketId::sent(0), HostId(from), HostId(9));
            sent.is_new(&Packet { id, from, to, flow, bytes: 140, payload })
        };
        assert!(is_new(1, 0, 1) && is_new(1, 0, 101) && !is_new(1, 0, 101));
        assert!(is_new(1, 1, 1) && is_new(2, 0, 1));
        assert!(!is_new(1, 0, 101) && !is_new(1, 1, 1) && !is_new(2, 0, 1));
        assert!(is_new(1, 0, 151), "a part of it is");
    }
}
