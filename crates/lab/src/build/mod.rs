//! Plan -> world.
//!
//! Each flow has two hosts: with `n` flows, hosts `0..n` are the receivers and hosts `n..2n` the
//! senders, each at its flow's node. The stream `congestion/<host>` has the number from which congestion control at a host makes
//! its random choices.

use crate::control::{ConnectionEnd, Controls, refuse_code};
use crate::error::Error;
use crate::host::{Content, DatagramHost, Host, TcpHost};
use crate::plan::{self, Plan};
use ::atm::AtmLink;
use applications::{Application, Applications};
use base::Time;
use rand::{Rng, RngExt};
use sim::rng::Streams;
use sim::{Adjacency, End, HostId, NodeId, Observer, Routes, World};
use std::collections::BTreeSet;
use std::sync::Arc;
use tcp::{Config, TickClock};

mod applications;
mod atm;
mod network;
mod tcp_config;

pub use applications::Pair;
pub(crate) use atm::{CELL_BITS, initial_acrs};
pub(crate) use tcp_config::{STACKS, Stack, config as tcp_config, stated};

/// A link of a plan's world.
pub type Link<P> = sim::Link<P, AtmLink<P>>;

/// The network of a plan, for packets with any content.
pub struct Network<P> {
    /// Its links, and where each ends.
    pub links: Vec<(Link<P>, End)>,
    /// Routes from each flow's sender to its receiver and back.
    pub routes: Routes,
    /// The links before and after each link.
    pub adjacency: Vec<Adjacency>,
}

/// The network of a plan, with the random numbers of every run with this seed.
///
/// # Errors
/// If the plan names something that does not exist, or a flow has no path.
pub fn network<P: Content>(plan: &Plan, seed: u64) -> Result<Network<P>, Error> {
    let streams = Streams::new(seed);
    let (routes, adjacency) = network::routes(plan)?;
    Ok(Network { links: network::links(plan, &streams)?, routes, adjacency })
}

/// The applications at the ends of each flow, with the random numbers of every run with this seed.
///
/// # Errors
/// If a number of the plan makes no sense.
pub fn applications(plan: &Plan, seed: u64) -> Result<Vec<Pair>, Error> {
    plan.check()?;
    Ok(Applications::new(plan, &Streams::new(seed)).of_flows().collect())
}

/// A world as the plan describes it.
///
/// # Errors
/// If the plan names something that does not exist, a flow has no path, or a TCP has its code in the plan.
pub fn world<O: Observer<Host>>(plan: &Plan, seed: u64, observer: O) -> Result<World<Host, O>, Error> {
    controlled_world(plan, seed, observer, None)
}

/// A world as the plan describes it, with the congestion controls whose code is in the plan.
///
/// # Errors
/// If the plan names something that does not exist, a flow has no path, or a TCP has its code in the plan and there are no
/// `controls`.
pub(crate) fn controlled_world<O: Observer<Host>>(
    plan: &Plan,
    seed: u64,
    observer: O,
    controls: Option<&Arc<dyn Controls>>,
) -> Result<World<Host, O>, Error> {
    if controls.is_none() {
        refuse_code(plan)?;
    }
    let streams = Streams::new(seed);
    let tcps = plan
        .tcps
        .iter()
        .map(tcp_config::config)
        .collect::<Result<Vec<Config>, Error>>()?
        .into_iter()
        .map(Arc::new)
        .collect::<Vec<_>>();
    let Network { links, routes, adjacency } = network(plan, seed)?;
    let flows = plan.flow_count();
    let duplicates = plan.written_links().any(plan::Link::duplicates);
    let mut applications = Applications::new(plan, &streams);
    let (takers, givers): (Vec<_>, Vec<_>) = applications.of_flows().map(Pair::ends).unzip();
    let keeping: BTreeSet<u32> = plan.delays_of_flows.iter().map(|flow| flows + flow).collect();
    let keeps_rtts = |number: u32| keeping.contains(&number);
    // Each host is made in its final place: with many hosts, a copy would need half of the memory of a run again.
    let host = |number, peer, node, tcp: usize, application| {
        let host = match application {
            Application::Tcp(workload) => {
                let endpoint = (Arc::clone(&tcps[tcp]), tick_clock(&plan.clock, &streams, node));
                let by_open = plan.clock.phase == plan::Phase::Open {};
                let choices = streams.named(&format!("congestion/{number}")).next_u64();
                let host = TcpHost::new(peer, endpoint, workload, by_open).choosing_by(choices);
                let host = match controls {
                    Some(controls) if plan.tcps[tcp].flavor.code().is_some() => {
                        let (controls, flow) = (Arc::clone(controls), number % flows);
                        host.controlled_by(Arc::new(move |seed| {
                            controls.control(&ConnectionEnd { config: tcp, flow, seed })
                        }))
                    }
                    _ => host,
                };
                Host::Tcp(if keeps_rtts(number) { host.keeping_rtts() } else { host })
            }
            Application::Datagrams(source) => Host::Datagrams(DatagramHost::new(peer, source, duplicates)),
        };
        (host, NodeId(node))
    };
    let receivers = (0..).zip(plan.each_flow()).zip(takers).map(|((number, flow), takes)| {
        host(number, HostId(flows + number), flow.receiver, flow.receiver_tcp, takes)
    });
    let senders = (0..).zip(plan.each_flow()).zip(givers).map(|((number, flow), gives)| {
        host(flows + number, HostId(number), flow.sender, flow.sender_tcp, gives)
    });
    Ok(World::new(receivers.chain(senders), links, routes, observer).with_adjacency(&adjacency))
}

fn tick_clock(clock: &plan::Clock, streams: &Streams, node: u32) -> TickClock {
    let tick = Time::from_ps(clock.tick_ps);
    let phase = match clock.phase {
        plan::Phase::Uniform { spread_ps } if spread_ps > 0 => {
            let mut rng = streams.named(&format!("clock/{node}"));
            Time::from_ps(rng.random_range(0..spread_ps))
        }
        plan::Phase::Uniform { .. } | plan::Phase::Open {} => Time::ZERO,
    };
    TickClock { tick, phase }
}
