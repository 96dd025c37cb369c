//! Totals of flows and links, and how they become columns.
//!
//! Totals are read at the end of the warm-up and at the end of the run, and a run returns the difference;
//! only a longest queue is that of the whole run. At the end of the warm-up the largest cwnd is reset, and
//! data that are out of order are recorded as received before.

use crate::columns::{Columns, Table};
use crate::host::Host;
use crate::plan::{self, Plan};
use crate::workload::{Response, Transfer, Workload};
use atm::AtmLink;
use atm::network::AtmNetwork;
use base::Time;
use delays::Delays;
use rows::{CLASSES, LINKS, PORTS, Rows, VCS};
use sim::{HostId, Link, Observer, Waits, World};

mod delays;
mod rows;

/// All totals at one time.
pub(crate) struct Totals {
    at: Time,
    flows: FlowTotals,
    links: LinkTotals,
}

/// Totals of flows at one time.
struct FlowTotals {
    rows: Vec<FlowRow>,
    transfers: Vec<(u64, Transfer)>,
    responses: Vec<(u64, Response)>,
    /// Of the flows whose RTTs are kept. Each sender forgets them when the measured time begins.
    rtts: Delays,
}

/// Totals of links and their parts at one time, for any world with the links of a plan.
pub struct LinkTotals {
    packets: Rows,
    ports: Rows,
    classes: Rows,
    vcs: Rows,
    /// How long packets or cells waited, by link or line. The measured time is known to each link.
    waits: Vec<(u64, Waits)>,
}

struct FlowRow {
    counts: [u64; 12],
    /// Sums of times, ps.
    sums_ps: [u64; 2],
    /// Times for which the sender was limited, ps.
    limited_ps: [u64; 3],
    /// Written before the totals begin, and not delivered by then. Zero for datagrams: those that
    /// have not arrived by then arrive soon or never.
    backlog: u64,
    has_backlog: bool,
    max_cwnd: u64,
    opened: Option<Time>,
    last_delivery: Option<Time>,
}

impl FlowRow {
    fn written(&self) -> u64 {
        self.counts[1]
    }

    fn delivered(&self) -> u64 {
        self.counts[3]
    }
}

/// In the order of [`FlowRow::counts`].
const FLOW_COUNTS: [&str; 12] = [
    "requests",
    "scheduled_bytes",
    "received_bytes",
    "delivered_bytes",
    "segments_sent",
    "segments_retransmitted",
    "timeouts",
    "fast_retransmits",
    "rtt_samples",
    "first_timeouts",
    "delivered_early_bytes",
    "highest_received_bytes",
];

/// In the order of [`FlowRow::sums_ps`]; each with the column that counts its addends. Shown is
/// their mean.
const FLOW_MEANS: [(&str, usize); 2] = [("rtt_mean_s", 8), ("first_rto_mean_s", 9)];

/// In the order of [`FlowRow::limited_ps`].
const FLOW_LIMITS: [&str; 3] = ["cwnd_limited_s", "rwnd_limited_s", "app_limited_s"];

fn flow_row(receiver: &Host, sender: &Host, now: Time) -> FlowRow {
    let (taken, given, limited) = (receiver.totals(), sender.totals(), sender.limited(now));
    let counters = given.counters;
    FlowRow {
        counts: [
            given.writes,
            given.written,
            taken.received,
            taken.delivered,
            counters.segments_sent,
            counters.segments_retransmitted,
            counters.timeouts,
            counters.fast_retransmits,
            counters.rtt_samples,
            counters.first_timeouts,
            taken.delivered_early,
            taken.highest_received,
        ],
        sums_ps: [counters.rtt_ps, counters.first_timeout_ps],
        limited_ps: [limited.cwnd_ps, limited.rwnd_ps, limited.app_ps],
        backlog: 0,
        has_backlog: sender.connection().is_some(),
        max_cwnd: given.max_cwnd,
        opened: receiver.opened().or(sender.opened()),
        last_delivery: receiver.last_delivery(),
    }
}

impl LinkTotals {
    /// The totals at `now`, to which the world of the plan has advanced.
    pub fn of<P, H, O>(plan: &Plan, world: &mut World<H, O>, now: Time) -> Self
    where
        P: Clone + Send,
        H: sim::Host<Payload = P, Component = AtmLink<P>>,
        O: Observer<H>,
    {
        let mut links = Self {
            packets: Rows::new(&LINKS, plan.link_count() as usize),
            ports: Rows::new(&PORTS, 0),
            classes: Rows::new(&CLASSES, 0),
            vcs: Rows::new(&VCS, 0),
            waits: Vec::new(),
        };
        for ((id, link), planned) in (0..).zip(world.links_mut()).zip(plan.each_link()) {
            match link {
                Link::Component(component) => match (&mut **component, planned.link) {
                    (AtmLink::Trunk(trunk), _) => {
                        let cell_time = trunk.cell_time();
                        links.ports.push_port(id, &trunk.counters(now), cell_time);
                        links.waits.extend(trunk.waits().map(|waits| (id, waits.clone())));
                    }
                    (AtmLink::Network(network), plan::Link::Atm(atm)) => links.add_network(network, atm, now),
                    (AtmLink::Network(_), _) => {
                        unreachable!("the plan has a network where the world has one")
                    }
                },
                Link::Fifo(_) | Link::Packets(_) => {
                    let counters = link.packet_counters(now);
                    counters.into_iter().for_each(|counters| links.packets.push_link(id, &counters));
                    links.waits.extend(link.waits().map(|waits| (id, waits.clone())));
                }
            }
        }
        links
    }

    fn add_network<P>(&mut self, network: &mut AtmNetwork<P>, atm: &plan::Atm, now: Time) {
        let counters = network.counters(now);
        let cell_time = |line: u32| Time::from_ps(atm.lines[line as usize].cell_time_ps);
        for (line, port) in &counters.ports {
            self.ports.push_port(u64::from(*line), port, cell_time(*line));
        }
        counters.classes.iter().for_each(|counters| self.classes.push_class(counters));
        (0..).zip(&counters.vcs).for_each(|(vc, counters)| self.vcs.push_vc(vc, counters));
        self.waits.extend(network.waits().map(|(line, waits)| (u64::from(line), waits.clone())));
    }

    /// Leaves what was added since `was`.
    pub fn subtract(&mut self, was: &Self) {
        self.packets.subtract(&was.packets);
        self.ports.subtract(&was.ports);
        self.classes.subtract(&was.classes);
        self.vcs.subtract(&was.vcs);
    }

    /// The tables of links, ports, waiting times, categories and VCs, for totals of this much time; the others are
    /// empty.
    #[must_use]
    pub fn into_columns(self, plan: &Plan, measured: Time) -> Columns {
        let mut of_links = Delays::new(&["link"]);
        let mut of_flows = Delays::new(&["flow", "link"]);
        for (link, waits) in &self.waits {
            of_links.push(&[*link], waits.histogram());
        }
        // Hosts flows .. 2 flows are the senders.
        for &flow in &plan.delays_of_flows {
            for (link, waits) in &self.waits {
                let its = waits.by(HostId(plan.flow_count() + flow));
                its.into_iter().for_each(|its| of_flows.push(&[u64::from(flow), *link], its));
            }
        }
        Columns {
            links: self.packets.into_table(measured),
            ports: self.ports.into_table(measured),
            queue_delays: of_links.statistics(),
            queue_delay_bins: bins(plan, &of_links),
            flow_queue_delays: of_flows.statistics(),
            flow_queue_delay_bins: bins(plan, &of_flows),
            classes: self.classes.into_table(measured),
            vcs: self.vcs.into_table(measured),
            ..Columns::default()
        }
    }
}

impl FlowTotals {
    /// Of the hosts of a plan at `now`: first all receivers, then all senders.
    fn of(hosts: &[Host], now: Time) -> Self {
        let (receivers, senders) = hosts.split_at(hosts.len() / 2);
        let rows = receivers.iter().zip(senders).map(|(receiver, sender)| flow_row(receiver, sender, now));
        let completed = (0..)
            .zip(receivers)
            .flat_map(|(flow, host)| host.transfers().iter().map(move |transfer| (flow, *transfer)));
        let asked = (0..)
            .zip(receivers)
            .flat_map(|(flow, host)| host.responses().iter().map(move |response| (flow, *response)));
        let mut rtts = Delays::new(&["flow"]);
        for (flow, host) in (0..).zip(senders) {
            host.rtts().into_iter().for_each(|its| rtts.push(&[flow], its));
        }
        Self { rows: rows.collect(), transfers: completed.collect(), responses: asked.collect(), rtts }
    }

    /// Leaves what was added since `was`, at `from`.
    fn subtract(&mut self, was: &Self, from: Time) {
        self.transfers.retain(|(_, transfer)| transfer.page_opened >= from);
        self.responses.retain(|(_, response)| response.counts(from));
        for (flow, was) in self.rows.iter_mut().zip(&was.rows) {
            flow.counts.iter_mut().zip(was.counts).for_each(|(count, was)| *count -= was);
            flow.sums_ps.iter_mut().zip(was.sums_ps).for_each(|(sum, was)| *sum -= was);
            flow.limited_ps.iter_mut().zip(was.limited_ps).for_each(|(time, was)| *time -= was);
            if flow.has_backlog {
                flow.backlog = was.written() - was.delivered();
            }
        }
    }
}

impl Totals {
    /// The totals at the end of the warm-up, to which the world of the plan has advanced. Resets the quantities that
    /// are no difference of two totals.
    pub(crate) fn begin<O: Observer<Host>>(plan: &Plan, world: &mut World<Host, O>, now: Time) -> Self {
        let flows = FlowTotals::of(world.hosts(), now);
        world.hosts_mut().iter_mut().for_each(Host::begin_measuring);
        Self { at: now, flows, links: LinkTotals::of(plan, world, now) }
    }

    /// The totals at the end of the run, to which the world of the plan has advanced, and its observer.
    pub(crate) fn end<O: Observer<Host>>(plan: &Plan, mut world: World<Host, O>, now: Time) -> (Self, O) {
        // With many flows, pending events need as much memory as the totals, and hosts more. So each is freed before
        // the next totals are made.
        let flows = FlowTotals::of(&world.stop(), now);
        let links = LinkTotals::of(plan, &mut world, now);
        (Self { at: now, flows, links }, world.into_observer())
    }

    /// The difference to `before`; without a warm-up, the whole.
    pub(crate) fn since(mut self, before: Option<&Self>) -> Self {
        let Some(before) = before else { return self };
        self.flows.subtract(&before.flows, before.at);
        self.links.subtract(&before.links);
        self
    }

    /// The tables, for totals of this much time.
    pub(crate) fn into_columns(self, plan: &Plan, measured: Time) -> Columns {
        Columns {
            rtts: self.flows.rtts.statistics(),
            rtt_bins: bins(plan, &self.flows.rtts),
            flows: flow_table(&self.flows.rows),
            transfers: transfer_table(&self.flows.transfers),
            responses: response_table(&self.flows.responses),
            ..self.links.into_columns(plan, measured)
        }
    }
}

/// The tables of pages and of responses for one client of a flow, without what it had begun before `from`, chunks of
/// video excepted; the others are empty.
pub(crate) fn fetched(flow: u64, client: &dyn Workload, from: Time) -> Columns {
    let transfers = client.transfers().iter().filter(|transfer| transfer.page_opened >= from);
    let responses = client.responses().iter().filter(|response| response.counts(from));
    Columns {
        transfers: transfer_table(&transfers.map(|transfer| (flow, *transfer)).collect::<Vec<_>>()),
        responses: response_table(&responses.map(|response| (flow, *response)).collect::<Vec<_>>()),
        ..Columns::default()
    }
}

/// The histograms of some delays; empty if they are not recorded.
fn bins(plan: &Plan, delays: &Delays) -> Table {
    if plan.probes.delays { delays.bins() } else { Table::default() }
}

fn flow_table(flows: &[FlowRow]) -> Table {
    let seconds = |time: Option<Time>| time.map_or(f64::NAN, Time::as_secs_f64);
    let mut table = Table::default();
    table.integers("flow", 0..flows.len() as u64);
    for (column, name) in FLOW_COUNTS.into_iter().enumerate() {
        table.integers(name, flows.iter().map(|row| row.counts[column]));
    }
    for (sum, (name, of)) in FLOW_MEANS.into_iter().enumerate() {
        let mean = |row: &FlowRow| mean_s(row.sums_ps[sum], row.counts[of]);
        table.reals(name, flows.iter().map(mean));
    }
    for (time, name) in FLOW_LIMITS.into_iter().enumerate() {
        table.reals(name, flows.iter().map(|row| Time::from_ps(row.limited_ps[time]).as_secs_f64()));
    }
    table.integers("backlog_bytes", flows.iter().map(|row| row.backlog));
    table.integers("max_cwnd_bytes", flows.iter().map(|row| row.max_cwnd));
    table.reals("opened_s", flows.iter().map(|row| seconds(row.opened)));
    table.reals("last_delivery_s", flows.iter().map(|row| seconds(row.last_delivery)));
    table
}

/// The mean of `count` times, s; nan if there are none.
fn mean_s(sum_ps: u64, times: u64) -> f64 {
    if times == 0 { f64::NAN } else { Time::from_ps(sum_ps).as_secs_f64() / times as f64 }
}

/// Empty if there are none.
fn transfer_table(transfers: &[(u64, Transfer)]) -> Table {
    let mut table = Table::default();
    if transfers.is_empty() {
        return table;
    }
    let integers = |of: fn(&Transfer) -> u64| transfers.iter().map(move |(_, transfer)| of(transfer));
    let times =
        |of: fn(&Transfer) -> Time| transfers.iter().map(move |(_, transfer)| of(transfer).as_secs_f64());
    table.integers("flow", transfers.iter().map(|(flow, _)| *flow));
    table.integers("page", integers(|transfer| transfer.page));
    table.integers("stage", integers(|transfer| u64::from(transfer.stage)));
    table.integers("connection", integers(|transfer| u64::from(transfer.connection)));
    table.integers("bytes", integers(|transfer| transfer.bytes));
    table.reals("opened_s", times(|transfer| transfer.opened));
    table.reals("established_s", times(|transfer| transfer.established));
    table.reals("completed_s", times(|transfer| transfer.completed));
    table
}

/// Empty if there are none.
fn response_table(responses: &[(u64, Response)]) -> Table {
    let mut table = Table::default();
    if responses.is_empty() {
        return table;
    }
    let integers = |of: fn(&Response) -> u64| responses.iter().map(move |(_, response)| of(response));
    let completed = |(_, response): &(u64, Response)| response.completed.map_or(f64::NAN, Time::as_secs_f64);
    table.integers("flow", responses.iter().map(|(flow, _)| *flow));
    table.integers("batch", integers(|response| response.batch));
    table.integers("request", integers(|response| u64::from(response.request)));
    table.integers("bytes", integers(|response| response.bytes));
    table.reals("requested_s", responses.iter().map(|(_, response)| response.requested.as_secs_f64()));
    table.reals("completed_s", responses.iter().map(completed));
    table
}
