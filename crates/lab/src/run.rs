//! `run(plan, seed) -> columns`.

use crate::build::{self, FORWARD, REVERSE};
use crate::columns::{Columns, Table};
use crate::host::TcpHost;
use crate::plan::{Phase, Plan, SCHEMA, Topology, Workload};

use crate::probes::{CwndTrace, QueueBins};
use sim::atm::PortCounters;
use sim::{Link, LinkId, Observer, Time, World};

/// Longest time that a plan may name: sums of a few of them stay far from overflow.
const LONGEST_PS: u64 = 1_000_000_000_000_000_000;

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
    /// A NewReno parameter is given for something else.
    #[error("`deflation` and `partial_ack_timer` are NewReno's; the flavor is `{0}`")]
    NotNewReno(String),
    /// A number makes no sense.
    #[error("plan: {0}")]
    Value(&'static str),
}

fn policy_names() -> String {
    sim::atm::FRAME_POLICIES.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

fn flavor_names() -> String {
    tcp::FLAVORS.iter().map(|flavor| flavor.name).collect::<Vec<_>>().join(", ")
}

/// Runs a plan.
///
/// # Errors
/// If the plan cannot be run; see [`Error`].
pub fn run(plan: &Plan, seed: u64) -> Result<Columns, Error> {
    plan.check()?;
    if plan.probes == Default::default() {
        let (columns, ()) = run_observed(plan, seed, ())?;
        return Ok(columns);
    }
    let probes = (QueueBins::new(plan), CwndTrace::new(plan));
    let (mut columns, (queue, cwnd)) = run_observed(plan, seed, probes)?;
    columns.queue = queue.into_table();
    columns.cwnd = cwnd.into_table();
    Ok(columns)
}

/// Runs a plan with an observer, and gives it back.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_observed<O: Observer<TcpHost>>(
    plan: &Plan,
    seed: u64,
    observer: O,
) -> Result<(Columns, O), Error> {
    let mut world = build::world(plan, seed, observer)?;
    let end = Time::from_ps(plan.duration_ps);
    world.advance_to(end);
    let columns =
        Columns { flows: flows(&world, plan.pairs), ports: ports(&mut world, end), ..Columns::default() };
    Ok((columns, world.into_observer()))
}

fn flows<O: Observer<TcpHost>>(world: &World<TcpHost, O>, pairs: u32) -> Table {
    let (clients, servers) = world.hosts().split_at(pairs as usize);
    let of_client = |f: fn(&TcpHost) -> u64| clients.iter().map(f);
    let of_server = |f: fn(&TcpHost) -> u64| servers.iter().map(f);
    let mut table = Table::default();
    table.integers("pair", 0..u64::from(pairs));
    table.integers("requests", of_server(|host| host.written().1));
    table.integers("scheduled_bytes", of_server(|host| host.written().0));
    table.integers("received_bytes", of_client(|host| host.connection().highest_received()));
    table.integers("delivered_bytes", of_client(|host| host.connection().delivered()));
    table.integers("segments_sent", of_server(|host| host.connection().counters().segments_sent));
    table.integers(
        "segments_retransmitted",
        of_server(|host| host.connection().counters().segments_retransmitted),
    );
    table.integers("timeouts", of_server(|host| host.connection().counters().timeouts));
    table.integers("fast_retransmits", of_server(|host| host.connection().counters().fast_retransmits));
    table
}

fn ports<O: Observer<TcpHost>>(world: &mut World<TcpHost, O>, end: Time) -> Table {
    let counters: Vec<PortCounters> =
        [FORWARD, REVERSE].map(|id| port_counters(world, id, end)).into_iter().collect();
    let column = |f: fn(&PortCounters) -> u64| counters.iter().map(f).collect::<Vec<_>>();
    let mut table = Table::default();
    table.integers("port", 0..counters.len() as u64);
    table.integers("cells_offered", column(|c| c.cells_offered));
    table.integers("cells_carried", column(|c| c.cells_carried));
    table.integers("cells_refused", column(|c| c.cells_refused));
    table.integers("cells_overflowed", column(|c| c.cells_overflowed));
    table.integers("cells_cut", column(|c| c.cells_cut));
    table.integers("frames_offered", column(|c| c.frames_offered));
    table.integers("frames_delivered", column(|c| c.frames_delivered));
    table.integers("frames_refused", column(|c| c.frames_refused));
    table.integers("frames_cut", column(|c| c.frames_cut));
    table.integers("max_queue_cells", column(|c| u64::from(c.max_queued)));
    table.reals("mean_queue_cells", counters.iter().map(|c| c.queued_ps as f64 / end.as_ps() as f64));
    table
}

fn port_counters<O: Observer<TcpHost>>(world: &mut World<TcpHost, O>, id: LinkId, end: Time) -> PortCounters {
    match &mut world.links_mut()[id.0 as usize] {
        Link::Cells(trunk) => trunk.counters(end),
        Link::Packets(_) => PortCounters::default(),
    }
}

impl Plan {
    /// Reads a plan from JSON.
    ///
    /// # Errors
    /// If it is not one, or one of another version, or has a number that makes no sense.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let plan: Self = serde_json::from_str(json)?;
        plan.check()?;
        Ok(plan)
    }

    /// Every time in the plan, the longest time-out included.
    fn times(&self) -> [u64; 11] {
        let Topology::AtmDumbbell { access, trunk, .. } = &self.topology;
        let Workload::WwwBatches { period_ps, start_spread_ps, gap_max_ps, .. } = self.workload;
        let phase_ps = match self.clock.phase {
            Phase::Uniform { spread_ps } => spread_ps,
            Phase::Open {} => 0,
        };
        let longest_rto_ps = self.clock.tick_ps.saturating_mul(u64::from(self.tcp.max_rto_ticks));
        [
            self.duration_ps,
            access.cell_time_ps,
            access.delay_ps,
            trunk.cell_time_ps,
            trunk.delay_ps,
            phase_ps,
            longest_rto_ps,
            self.tcp.delayed_ack_ps.unwrap_or(0),
            period_ps,
            start_spread_ps,
            gap_max_ps,
        ]
    }

    /// What would otherwise end in a division by zero or a run without end.
    fn check(&self) -> Result<(), Error> {
        let Topology::AtmDumbbell { access, trunk, .. } = &self.topology;
        let Workload::WwwBatches { request_bytes, period_ps, gap_min_ps, gap_max_ps, class_ppm, .. } =
            &self.workload;
        let rules = [
            (self.duration_ps > 0, "`duration_ps` must be positive"),
            (
                self.times().into_iter().all(|ps| ps <= LONGEST_PS),
                "a time must be at most 1e18 ps (eleven days)",
            ),
            (
                self.tcp.receive_buffer_bytes <= u64::from(u32::MAX),
                "`receive_buffer_bytes` must be below 4 GiB",
            ),
            ((1..=1_000_000).contains(&self.pairs), "`pairs` must be from 1 to 1000000"),
            (self.clock.tick_ps > 0, "`tick_ps` must be positive"),
            (access.cell_time_ps > 0 && trunk.cell_time_ps > 0, "`cell_time_ps` must be positive"),
            (access.cell_time_ps <= trunk.cell_time_ps, "access links must not be slower than the trunk"),
            (self.tcp.smss_bytes > 0, "`smss_bytes` must be positive"),
            (self.tcp.initial_window_segments > 0, "`initial_window_segments` must be positive"),
            (self.tcp.min_rto_ticks > 0 && self.tcp.initial_rto_ticks > 0, "time-outs must be positive"),
            (
                self.tcp.min_rto_ticks <= self.tcp.max_rto_ticks,
                "`min_rto_ticks` must not exceed `max_rto_ticks`",
            ),
            (*period_ps > 0, "`period_ps` must be positive"),
            (*request_bytes > 0, "`request_bytes` must be positive"),
            (gap_min_ps <= gap_max_ps, "`gap_min_ps` must not exceed `gap_max_ps`"),
            (
                class_ppm.iter().map(|&ppm| u64::from(ppm)).sum::<u64>() == 1_000_000,
                "`class_ppm` must sum to 1000000",
            ),
            (
                self.probes.cwnd_of.iter().all(|&pair| pair < self.pairs),
                "`cwnd_of` names a pair that is not there",
            ),
            (self.probes.queue_bin_ps != Some(0), "`queue_bin_ps` must be positive"),
        ];
        if self.schema != SCHEMA {
            return Err(Error::Schema(self.schema));
        }
        rules.iter().find(|rule| !rule.0).map_or(Ok(()), |rule| Err(Error::Value(rule.1)))
    }
}
