//! The limits of a plan: values that would cause a division by zero, a run without end, or a link
//! to nowhere.

use super::{CellLink, CwndRounding, Growth, Impairment, Link, Phase, Plan, Queue, SCHEMA, Tcp, Timers};
use crate::error::Error;
use sim::link::PPB;

mod atm;
pub(crate) mod probes;
mod variation;
mod workload;

/// Longest time that a plan may name: sums of a few of them stay far from overflow.
const LONGEST_PS: u64 = 1_000_000_000_000_000_000;
const MOST_NODES: u32 = 5_000_000;
const MOST_FLOWS: u64 = 2_000_000;
const MOST_LINKS: u64 = 10_000_000;
const MOST_TICKS: u64 = 1 << 31;
/// Of SRTT, millionths.
const LONGEST_WAIT_PPM: u32 = 4_000_000;
/// If datagrams left less than a picosecond apart, time would not advance.
const FASTEST_BPS: u64 = 1_000_000_000_000;

/// A rule, and its message.
type Rule = (bool, &'static str);

impl Plan {
    /// Reads a plan from JSON.
    ///
    /// # Errors
    /// If it is not a plan, has another version, or has a number outside of its limits.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let plan: Self = serde_json::from_str(json)?;
        plan.check()?;
        Ok(plan)
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.schema != SCHEMA {
            return Err(Error::Schema { found: self.schema, reads: SCHEMA });
        }
        for link in self.written_links() {
            if let Link::Packets { queue, .. } = link {
                queue.discipline::<()>()?;
            }
        }
        // Whoever goes through all flows or links relies on these.
        for (holds, told) in self.counts() {
            if !holds {
                return Err(Error::Value(told));
            }
        }
        let mut rules = self.own_rules();
        rules.extend(probes::rules(self));
        rules.extend(self.written_links().flat_map(|link| link_rules(link, self)));
        rules.extend(self.tcps.iter().flat_map(|tcp| tcp_rules(tcp, self.clock.tick_ps)));
        rules.extend(self.workloads.iter().flat_map(workload::rules));
        rules.iter().find(|rule| !rule.0).map_or(Ok(()), |rule| Err(Error::Value(rule.1)))
    }

    /// Numbers of nodes, flows and links, and the rules that give each its nodes.
    fn counts(&self) -> [Rule; 6] {
        let of_packets = |link: &Link| matches!(link, Link::Packets { .. });
        let grouped = self.links.iter().flat_map(|part| match part {
            Link::Group { links, .. } => &links[..],
            _ => &[],
        });
        [
            (self.nodes <= MOST_NODES, "`nodes` must be at most 5000000"),
            (self.counted_flows() <= MOST_FLOWS, "there must be at most 2000000 flows"),
            (self.counted_links() <= MOST_LINKS, "there must be at most 10000000 links"),
            (
                self.flows
                    .iter()
                    .all(|group| group.sender.are_below(self.nodes) && group.receiver.are_below(self.nodes)),
                "a flow names an unknown node",
            ),
            (grouped.clone().all(of_packets), "a group of links has links that carry packets only"),
            (
                self.written_links().all(|link| match link {
                    Link::Packets { from, to, delay_draw, .. } => {
                        let draw = delay_draw.is_none_or(|draw| draw.number.are_below(u32::MAX));
                        from.are_below(self.nodes) && to.are_below(self.nodes) && draw
                    }
                    _ => true,
                }),
                "a link names an unknown node",
            ),
        ]
    }

    fn own_rules(&self) -> Vec<Rule> {
        let flows = self.flows.iter();
        let spread_ps = match self.clock.phase {
            Phase::Uniform { spread_ps } => spread_ps,
            Phase::Open {} => 0,
        };
        vec![
            (self.duration_ps > 0, "`duration_ps` must be positive"),
            (self.warm_up_ps < self.duration_ps, "`warm_up_ps` must be below `duration_ps`"),
            times([self.duration_ps, spread_ps, self.clock.tick_ps]),
            (self.clock.tick_ps > 0, "`tick_ps` must be positive"),
            (self.flow_count() > 0 || self.has_cell_source(), "there must be a flow, or a source of cells"),
            (self.each_flow().all(|flow| flow.sender != flow.receiver), "a flow must join two nodes"),
            (self.each_link().all(|link| link.joins_two_nodes()), "a link must join two nodes"),
            (
                flows.clone().all(|flow| flow.sender_tcp.max(flow.receiver_tcp) < self.tcps.len()),
                "a flow names an unknown TCP",
            ),
            (
                flows.clone().all(|flow| flow.workload < self.workloads.len()),
                "a flow names an unknown workload",
            ),
        ]
    }

    fn has_cell_source(&self) -> bool {
        self.links.iter().any(|link| matches!(link, Link::Atm(atm) if !atm.sources.is_empty()))
    }
}

fn times<const N: usize>(times: [u64; N]) -> Rule {
    (times.into_iter().all(|ps| ps <= LONGEST_PS), "a time must be at most 1e18 ps (eleven days)")
}

fn link_rules(link: &Link, plan: &Plan) -> Vec<Rule> {
    let nodes = plan.nodes;
    let cost = "`cost` must be positive";
    let ends = "a link names an unknown node";
    match link {
        Link::Packets { cost: costs, rate_bps, delay_ps, delay_draw, varies, queue, impairments, .. } => {
            let mut rules = vec![
                (*costs > 0, cost),
                (*rate_bps > 0, "`rate_bps` must be positive"),
                times([*delay_ps, delay_draw.map_or(0, |draw| draw.spread_ps)]),
            ];
            rules.extend(varies.iter().flat_map(|varies| variation::rules(&varies.how)));
            rules.extend(queue_rules(queue));
            rules.extend(impairments.iter().flat_map(impairment_rules));
            rules
        }
        Link::Cells { from_first, to_first, hosts, cost: costs, access, trunk, .. } => {
            let CellLink { cell_time_ps: access_ps, delay_ps: access_delay } = *access;
            let CellLink { cell_time_ps: trunk_ps, delay_ps: trunk_delay } = *trunk;
            let last = from_first.max(to_first).checked_add(*hosts);
            vec![
                (*hosts > 0, "`hosts` must be positive"),
                (last.is_some_and(|last| last <= nodes), ends),
                (*costs > 0, cost),
                (access_ps > 0 && trunk_ps > 0, "`cell_time_ps` must be positive"),
                (access_ps <= trunk_ps, "access links must not be slower than the trunk"),
                times([access_ps, access_delay, trunk_ps, trunk_delay]),
            ]
        }
        Link::Atm(network) => atm::rules(network, plan),
        // Its links have their rules each.
        Link::Group { .. } => vec![],
    }
}

/// Checks the limits of a queue, and the parameters of its discipline.
fn queue_rules(queue: &Queue) -> Vec<Rule> {
    let problem = queue.discipline::<()>().ok().and_then(|(row, values)| (row.check)(&values));
    vec![
        (queue.limit_packets.is_some() || queue.limit_bytes.is_some(), "a queue must have a limit"),
        (queue.limit_packets != Some(0), "`limit_packets` must be positive"),
        (problem.is_none(), problem.unwrap_or_default()),
    ]
}

fn impairment_rules(impairment: &Impairment) -> Vec<Rule> {
    let probabilities = |ppb: &[u32]| (ppb.iter().all(|&ppb| ppb <= PPB), "a probability is at most 1e9 ppb");
    let is_width = |ps: u64| (1..=LONGEST_PS).contains(&ps);
    match *impairment {
        Impairment::Bernoulli { loss_ppb, .. } => vec![probabilities(&[loss_ppb])],
        Impairment::GilbertElliott {
            good_to_bad_ppb, bad_to_good_ppb, loss_good_ppb, loss_bad_ppb, ..
        } => {
            vec![probabilities(&[good_to_bad_ppb, bad_to_good_ppb, loss_good_ppb, loss_bad_ppb])]
        }
        Impairment::LossEvents { rate_ppb, losses, .. } => {
            vec![probabilities(&[rate_ppb]), (losses > 0, "`losses` must be positive")]
        }
        Impairment::TwoParameter { event_ppb, loss_ppb, span_ps, .. } => vec![
            probabilities(&[event_ppb, loss_ppb]),
            (is_width(span_ps), "`span_ps` must be positive and at most 1e18"),
        ],
        Impairment::Duplicate { ppb } | Impairment::Mark { ppb } => vec![probabilities(&[ppb])],
        Impairment::Jitter { spread_ps } => {
            vec![(is_width(spread_ps), "`spread_ps` must be positive and at most 1e18")]
        }
        Impairment::Scripted { .. } => vec![],
    }
}

fn tcp_rules(tcp: &Tcp, tick_ps: u64) -> Vec<Rule> {
    let (options, historic) = (&tcp.options, &tcp.historic);
    // Another rule reports a flavor that does not exist.
    let ignores = |key| tcp.flavor.row().is_some_and(|flavor| flavor.ignores(key));
    let grows_by_acks = options.growth == Growth::Acks && !ignores("cwnd_ack_batch");
    let grows_as_ever = historic.cwnd_rounding == CwndRounding::Up && historic.cwnd_ack_batch <= 1;
    let whole_ticks = |ps: u64| {
        // Another rule reports a clock without a tick.
        options.timers == Timers::Fine
            || tick_ps == 0
            || (ps.is_multiple_of(tick_ps) && ps / tick_ps <= MOST_TICKS)
    };
    vec![
        (tcp.receive_buffer_bytes <= u64::from(u32::MAX), "`receive_buffer_bytes` must be below 4 GiB"),
        (
            tcp.receive_buffer_initial_bytes
                .is_none_or(|at_first| (1..=tcp.receive_buffer_bytes).contains(&at_first)),
            "`receive_buffer_initial_bytes` must be positive and not exceed `receive_buffer_bytes`",
        ),
        (tcp.smss_bytes > 0, "`smss_bytes` must be positive"),
        (tcp.initial_window_segments > 0, "`initial_window_segments` must be positive"),
        (tcp.restart_window_segments != Some(0), "`restart_window_segments` must be positive"),
        (historic.cwnd_ack_batch > 0, "`cwnd_ack_batch` must be positive"),
        (
            grows_by_acks || grows_as_ever,
            "`cwnd_rounding` must be up and `cwnd_ack_batch` 1 unless congestion avoidance grows by acks",
        ),
        (
            historic.retransmit_wait_ppm == 0 || !ignores("retransmit_wait"),
            "`retransmit_wait_ppm` must be 0 with a flavor whose fast retransmit cannot wait",
        ),
        (historic.retransmit_wait_ppm <= LONGEST_WAIT_PPM, "`retransmit_wait_ppm` must be at most 4000000"),
        (options.min_rto_ps > 0 && options.initial_rto_ps > 0, "time-outs must be positive"),
        (options.min_rto_ps <= options.max_rto_ps, "`min_rto_ps` must not exceed `max_rto_ps`"),
        (
            [options.initial_rto_ps, options.min_rto_ps, options.max_rto_ps].into_iter().all(whole_ticks),
            "time-outs must be whole ticks, at most 2**31",
        ),
        ((1..=4).contains(&options.sack_blocks), "`sack_blocks` must be 1 to 4"),
        (options.growth_limit_segments != Some(0), "`growth_limit_segments` must be positive"),
        (options.delayed_ack_ps != Some(0), "`delayed_ack_ps` must be positive"),
        (options.ack_every > 0, "`ack_every` must be positive"),
        ((1..1_000_000).contains(&options.cubic_beta_ppm), "`cubic_beta_ppm` must be below a million"),
        times([options.max_rto_ps, options.delayed_ack_ps.unwrap_or(0)]),
    ]
}
