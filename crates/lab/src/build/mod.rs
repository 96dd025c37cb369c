//! Plan -> world.
//!
//! Each flow has two hosts: with `n` flows, hosts `0..n` are the receivers and hosts `n..2n` the
//! senders, each standing at its flow's node.

use crate::host::TcpHost;
use crate::plan::{self, Plan};
use crate::run::Error;
use crate::workload::{bulk, www};
use rand::RngExt;
use sim::rng::Streams;
use sim::{HostId, NodeId, Observer, Time, World};
use tcp::{Config, Connection, TickClock};

mod network;
mod tcp_config;

pub(crate) use tcp_config::{config as tcp_config, presets};

/// A world as the plan describes it.
///
/// # Errors
/// If the plan names something that does not exist, or a flow has no way.
pub fn world<O: Observer<TcpHost>>(plan: &Plan, seed: u64, observer: O) -> Result<World<TcpHost, O>, Error> {
    let streams = Streams::new(seed);
    let tcps = plan.tcps.iter().map(tcp_config::config).collect::<Result<Vec<Config>, Error>>()?;
    let routes = network::routes(plan)?;
    let links = network::links(plan, &streams)?;
    let flows = plan.flows.len() as u32;
    let mut receivers = Vec::new();
    let mut senders = Vec::new();
    for (number, flow) in (0..).zip(&plan.flows) {
        let (receiver, sender) = (HostId(number), HostId(flows + number));
        let host = |id, peer, node, tcp: usize, workload| {
            let connection = Connection::new(tcps[tcp], tick_clock(&plan.clock, &streams, node));
            let by_open = plan.clock.phase == plan::Phase::Open {};
            (TcpHost::new(id, peer, connection, workload, by_open), NodeId(node))
        };
        let (takes, gives) = applications(plan, &streams, number, flow);
        receivers.push(host(receiver, sender, flow.receiver, flow.receiver_tcp, takes));
        senders.push(host(sender, receiver, flow.sender, flow.sender_tcp, gives));
    }
    receivers.append(&mut senders);
    Ok(World::new(receivers, links, routes, observer))
}

/// The receiver's and the sender's. What is random in them comes from the flow's own stream.
fn applications(
    plan: &Plan,
    streams: &Streams,
    number: u32,
    flow: &plan::Flow,
) -> (Box<dyn crate::Workload>, Box<dyn crate::Workload>) {
    let mut rng = streams.named(&format!("traffic/{number}"));
    match plan.workloads[flow.workload] {
        plan::Workload::Bulk { bytes, start_ps, start_spread_ps } => {
            let after = if start_spread_ps == 0 { 0 } else { rng.random_range(0..start_spread_ps) };
            let opens_at = Time::from_ps(start_ps + after);
            (Box::new(bulk::Sink::new(bytes)), Box::new(bulk::Source::new(bytes, opens_at)))
        }
        plan::Workload::WwwBatches {
            request_bytes,
            period_ps,
            period_from,
            start_spread_ps,
            requests,
            gap_min_ps,
            gap_max_ps,
            file_index,
            class_ppm,
            first_is_class_0,
        } => {
            let request_bytes = u64::from(request_bytes);
            let model = www::WwwBatches {
                request_bytes,
                period: Time::from_ps(period_ps),
                period_from,
                start_spread: Time::from_ps(start_spread_ps),
                requests,
                gap: (Time::from_ps(gap_min_ps), Time::from_ps(gap_max_ps)),
                file_index,
                class_ppm,
                first_is_class_0,
            };
            let made = model.requests(&mut rng, Time::from_ps(plan.duration_ps));
            let client = www::Client::new(request_bytes, &made);
            (Box::new(client), Box::new(www::Server::new(request_bytes, &made)))
        }
    }
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
