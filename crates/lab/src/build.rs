//! Plan -> world.
//!
//! Hosts `0..pairs` are the clients, hosts `pairs..2 * pairs` their servers. Link 0 carries what
//! the servers send, link 1 what the clients send.

use crate::host::TcpHost;
use crate::plan::{self, Plan};
use crate::run::Error;
use crate::workload::www;
use rand::RngExt;
use sim::atm::{self, FramePolicy, PolicyKind, PortConfig};
use sim::link::{CellAccess, CellTrunk};
use sim::rng::Streams;
use sim::{HostId, Link, LinkId, Observer, Time, World};
use tcp::recovery::{Deflation, NewRenoParameters, PartialAckTimer};
use tcp::{Config, Connection, Flavor, LossWindow, Segment, TickClock};

/// The link that carries what the servers send.
pub const FORWARD: LinkId = LinkId(0);
/// The link that carries what the clients send.
pub const REVERSE: LinkId = LinkId(1);

/// A world as the plan describes it.
///
/// # Errors
/// If the plan names something that does not exist.
pub fn world<O: Observer<TcpHost>>(plan: &Plan, seed: u64, observer: O) -> Result<World<TcpHost, O>, Error> {
    let config = tcp_config(&plan.tcp)?;
    let streams = Streams::new(seed);
    let pairs = plan.pairs;
    let mut clients = Vec::new();
    let mut servers = Vec::new();
    for pair in 0..pairs {
        let (client, server) = (HostId(pair), HostId(pairs + pair));
        let host = |id: HostId, peer, workload| {
            let clock = tick_clock(&plan.clock, &streams, id);
            let by_open = plan.clock.phase == plan::Phase::Open {};
            TcpHost::new(id, peer, Connection::new(config, clock), workload, by_open)
        };
        let (asks, answers) = applications(plan, &streams, pair);
        clients.push((host(client, server, asks), REVERSE));
        servers.push((host(server, client, answers), FORWARD));
    }
    clients.append(&mut servers);
    Ok(World::new(clients, links(&plan.topology, pairs)?, observer))
}

fn applications(
    plan: &Plan,
    streams: &Streams,
    pair: u32,
) -> (Box<dyn crate::Workload>, Box<dyn crate::Workload>) {
    let plan::Workload::WwwBatches {
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
    } = plan.workload;
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
    let mut rng = streams.named(&format!("traffic/{pair}"));
    let made = model.requests(&mut rng, Time::from_ps(plan.duration_ps));
    (Box::new(www::Client::new(request_bytes, &made)), Box::new(www::Server::new(request_bytes, &made)))
}

fn links(topology: &plan::Topology, pairs: u32) -> Result<Vec<Link<Segment>>, Error> {
    let plan::Topology::AtmDumbbell { access, trunk, forward, reverse } = topology;
    let cell_access =
        CellAccess { cell_time: Time::from_ps(access.cell_time_ps), delay: Time::from_ps(access.delay_ps) };
    let delay = Time::from_ps(trunk.delay_ps);
    let cells = |port: &plan::Port, first| -> Result<_, Error> {
        let config = PortConfig {
            cell_time: Time::from_ps(trunk.cell_time_ps),
            buffer: port.buffer_cells,
            policy: frame_policy(&port.policy)?,
            eom: match port.eom {
                plan::Eom::Keep => atm::Eom::Keep,
                plan::Eom::Drop => atm::Eom::Drop,
            },
        };
        Ok(Link::Cells(CellTrunk::new(config, delay, cell_access, first, pairs as usize)))
    };
    Ok(vec![cells(forward, HostId(pairs))?, cells(reverse, HostId(0))?])
}

fn frame_policy(policy: &plan::FramePolicy) -> Result<Box<dyn FramePolicy>, Error> {
    let kind = PolicyKind::named(&policy.name).ok_or_else(|| Error::Policy(policy.name.clone()))?;
    let value = |name: &&str| policy.parameters.get(*name).copied();
    let values: Option<Vec<u32>> = kind.parameters.iter().map(value).collect();
    match values {
        Some(values) if values.len() == policy.parameters.len() => Ok((kind.make)(&values)),
        _ => Err(Error::PolicyParameters(kind.name, kind.parameters.join(", "))),
    }
}

fn tick_clock(clock: &plan::Clock, streams: &Streams, host: HostId) -> TickClock {
    let tick = Time::from_ps(clock.tick_ps);
    let phase = match clock.phase {
        plan::Phase::Uniform { spread_ps } if spread_ps > 0 => {
            let mut rng = streams.named(&format!("clock/{}", host.0));
            Time::from_ps(rng.random_range(0..spread_ps))
        }
        plan::Phase::Uniform { .. } | plan::Phase::Open {} => Time::ZERO,
    };
    TickClock { tick, phase }
}

fn tcp_config(tcp: &plan::Tcp) -> Result<Config, Error> {
    let flavor = Flavor::named(&tcp.flavor).ok_or_else(|| Error::Flavor(tcp.flavor.clone()))?;
    Ok(Config {
        flavor,
        newreno: newreno(tcp, flavor)?,
        smss: tcp.smss_bytes,
        initial_window: tcp.initial_window_segments,
        initial_ssthresh: tcp.initial_ssthresh_bytes,
        receive_buffer: tcp.receive_buffer_bytes,
        window_scale: tcp.window_scale,
        delayed_ack: tcp.delayed_ack_ps.map(Time::from_ps),
        nagle: tcp.nagle,
        sws_avoidance: tcp.sws_avoidance,
        idle_restart: tcp.idle_restart,
        loss_window: match tcp.loss_window {
            plan::LossWindow::Cwnd => LossWindow::Cwnd,
            plan::LossWindow::FlightSize => LossWindow::FlightSize,
        },
        additive_constant: tcp.additive_constant,
        initial_rto: tcp.initial_rto_ticks,
        min_rto: tcp.min_rto_ticks,
        max_rto: tcp.max_rto_ticks,
    })
}

/// The flavor's own NewReno parameters with those that the plan gives in their place.
fn newreno(tcp: &plan::Tcp, flavor: &Flavor) -> Result<Option<NewRenoParameters>, Error> {
    if tcp.deflation.is_none() && tcp.partial_ack_timer.is_none() {
        return Ok(None);
    }
    let mut parameters = flavor.newreno.ok_or_else(|| Error::NotNewReno(tcp.flavor.clone()))?;
    if let Some(deflation) = tcp.deflation {
        parameters.deflation = match deflation {
            plan::Deflation::Full => Deflation::Full,
            plan::Deflation::Partial => Deflation::Partial,
        };
    }
    if let Some(timer) = tcp.partial_ack_timer {
        parameters.partial_ack_timer = match timer {
            plan::PartialAckTimer::First => PartialAckTimer::First,
            plan::PartialAckTimer::Every => PartialAckTimer::Every,
        };
    }
    Ok(Some(parameters))
}
