//! Losses and loss events of foreground flows: over random scenarios they are those of a count that
//! writes down everything first, and whoever is marked, the run stays the same.

#[path = "support/atm.rs"]
mod atm;
#[path = "support/lossy.rs"]
mod lossy;

use base::Time;
use lab::plan::{
    Clock, Flow, FlowGroup, HistoricTcp, Impairment, Interpolation, Link, Phase, Plan, Probes, Queue, SCHEMA,
    Sizes, Stage, Tcp, TcpOptions, Times, Workload,
};
use lab::{Columns, Host, Table, Values, build, run};
use proptest::prelude::*;
use sim::link::LinkEvent;
use sim::{Event, Observer};

const MS: u64 = 1_000_000_000;

fn tcp(flavor: &str) -> Tcp {
    let presets = lab::flavors().into_iter().find(|each| each.0 == flavor).expect("a flavor").2;
    Tcp {
        flavor: flavor.into(),
        options: serde_json::from_str::<TcpOptions>(&presets).expect("presets are options"),
        smss_bytes: 1000,
        initial_window_segments: 2,
        initial_ssthresh_bytes: 1_000_000,
        receive_buffer_bytes: 60_000,
        receive_buffer_initial_bytes: None,
        window_scale: Some(0),
        nagle: false,
        sws_avoidance: true,
        idle_restart: true,
        restart_window_segments: None,
        historic: HistoricTcp::OFF,
    }
}

fn pages() -> Workload {
    Workload::Pages {
        request_bytes: 80,
        stages: vec![Stage { connections: 1, objects: 1 }, Stage { connections: 3, objects: 2 }],
        sizes: Sizes::Quantiles {
            u_ppb: vec![500_000_000, 1_000_000_000],
            bytes: vec![5_000, 200_000],
            interpolation: Interpolation::Log,
        },
        pause: Times::Uniform { min_ps: 0, max_ps: 100 * MS },
        answers_with_ack: false,
        start_ps: 0,
        start_spread_ps: 100 * MS,
    }
}

/// They are no segments: nothing of them is counted.
fn datagrams() -> Workload {
    Workload::Datagrams {
        rate_bps: 500_000,
        packet_bytes: 1_000,
        on: Some(Times::Exponential { mean_ps: 500 * MS }),
        off: Some(Times::Exponential { mean_ps: 500 * MS }),
        start_ps: 0,
        start_spread_ps: 100 * MS,
    }
}

prop_compose! {
    fn plans()(
        (links, ends) in lossy::networks(),
        flavor in prop::sample::select(lab::flavors()),
        chosen in prop::collection::vec((0usize..2, 0usize..3, any::<bool>()), 1..5),
        warm_up_ps in prop_oneof![Just(0), 0..8_000 * MS],
    ) -> Plan {
        let mut links = links;
        if let Link::Atm(atm) = &mut links[0] {
            atm.flow_services.truncate(chosen.len());
        }
        let flow = |&(end, workload, foreground): &(usize, usize, bool)| {
            let (sender, receiver) = ends[end];
            FlowGroup::from(Flow { sender, receiver, sender_tcp: 0, receiver_tcp: 0, workload, foreground, dscp: 0 })
        };
        Plan {
            schema: SCHEMA,
            duration_ps: 12_000 * MS,
            warm_up_ps,
            nodes: 4,
            links,
            clock: Clock { tick_ps: 100 * MS, phase: Phase::Uniform { spread_ps: 0 } },
            tcps: vec![tcp(flavor.0)],
            workloads: vec![
                Workload::Bulk { bytes: None, start_ps: 0, start_spread_ps: 500 * MS },
                pages(),
                datagrams(),
            ],
            flows: chosen.iter().map(flow).collect(),
            probes: Probes::default(),
            queue_delays_of: vec![0],
            delays_of_flows: Vec::new(),
        }
    }
}

/// What was reported about one connection of one sender, in the order of the reports.
#[derive(Default)]
struct Written {
    /// When, and cwnd and the size of a segment from then on.
    windows: Vec<(Time, u64, u64)>,
    /// When each segment with data or a FIN left.
    sent: Vec<Time>,
    /// When each segment with data was lost.
    losses: Vec<Time>,
}

/// Writes down everything, by sender and connection.
#[derive(Default)]
struct Record(std::collections::BTreeMap<(u32, u32), Written>);

impl Observer<Host> for Record {
    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        match event {
            Event::Acted(id, host) => {
                for (number, connection) in host.connections() {
                    let (window, sender) = (connection.window(), connection.sender());
                    let row = (at, window.cwnd(), sender.smss);
                    self.0.entry((id.0, number)).or_default().windows.push(row);
                }
            }
            Event::Sent(_, packet) => {
                let Some(segment) = packet.payload.segment() else { return };
                if segment.len > 0 || segment.fin {
                    self.0.entry((packet.from.0, packet.flow)).or_default().sent.push(at);
                }
            }
            Event::Link(_, LinkEvent::Dropped(packet, _)) => {
                if packet.payload.segment().is_none_or(|segment| segment.len == 0) {
                    return;
                }
                self.0.entry((packet.from.0, packet.flow)).or_default().losses.push(at);
            }
            _ => {}
        }
    }
}

impl Written {
    /// Segments lost and loss events after the warm-up.
    fn count(&self, warm_up: Time) -> (u64, u64) {
        let mut losses = self.losses.clone();
        losses.sort_unstable();
        let (mut lost, mut events, mut end) = (0, 0, 0);
        for at in losses {
            let counts = u64::from(at > warm_up || warm_up == Time::ZERO);
            lost += counts;
            let sent = self.sent.iter().filter(|&&left| left <= at).count() as u64;
            if sent >= end {
                events += counts;
                let (_, cwnd, smss) =
                    self.windows.iter().rfind(|row| row.0 <= at).expect("a sender acts first");
                end = sent + (cwnd / smss).max(1);
            }
        }
        (lost, events)
    }
}

/// Rows of flow, segments lost, loss events.
fn by_a_plain_count(plan: &Plan, seed: u64) -> Vec<[u64; 3]> {
    let mut world = build::world(plan, seed, Record::default()).unwrap();
    world.advance_to(Time::from_ps(plan.duration_ps));
    let record = world.into_observer().0;
    let flows = plan.flows.len() as u32;
    let row = |flow: u32| {
        let its = record.iter().filter(|(of, _)| of.0 == flows + flow);
        let counts = its.map(|(_, written)| written.count(Time::from_ps(plan.warm_up_ps)));
        counts.fold([u64::from(flow), 0, 0], |sum, (lost, events)| [sum[0], sum[1] + lost, sum[2] + events])
    };
    (0..flows).filter(|&flow| plan.flows[flow as usize].foreground).map(row).collect()
}

fn integers<'a>(table: &'a Table, name: &str) -> &'a [u64] {
    match table.columns.iter().find(|column| column.0 == name) {
        Some((_, Values::Integers(values))) => values,
        _ => panic!("no whole numbers {name}"),
    }
}

fn reals<'a>(table: &'a Table, name: &str) -> &'a [f64] {
    match table.columns.iter().find(|column| column.0 == name) {
        Some((_, Values::Reals(values))) => values,
        _ => panic!("no real numbers {name}"),
    }
}

fn rows(columns: &Columns) -> Vec<[u64; 3]> {
    let table = &columns.foreground;
    if table.columns.is_empty() {
        return Vec::new();
    }
    let names = ["flow", "segments_lost", "loss_events"];
    assert_eq!(table.columns.iter().map(|column| column.0).collect::<Vec<_>>(), names);
    let [flow, lost, events] = names.map(|name| integers(table, name));
    (0..flow.len()).map(|row| [flow[row], lost[row], events[row]]).collect()
}

/// A file of 200 segments in windows of 8, of whose packets with data these are lost.
fn one_flow(lost: Vec<u64>, warm_up_ps: u64) -> Plan {
    let link = |from: u32, to: u32, impairments| Link::Packets {
        from: from.into(),
        to: to.into(),
        cost: 1,
        rate_bps: 8_000_000,
        delay_ps: 50 * MS,
        delay_draw: None,
        varies: None,
        queue: Queue::drop_tail(1000),
        impairments,
    };
    Plan {
        schema: SCHEMA,
        duration_ps: 5_000 * MS,
        warm_up_ps,
        nodes: 2,
        links: vec![link(0, 1, vec![Impairment::Scripted { lost }]), link(1, 0, vec![])],
        clock: Clock { tick_ps: 100 * MS, phase: Phase::Uniform { spread_ps: 0 } },
        tcps: vec![Tcp { receive_buffer_bytes: 8_000, ..tcp("newreno") }],
        workloads: vec![Workload::Bulk { bytes: Some(200_000), start_ps: 0, start_spread_ps: 0 }],
        flows: vec![
            Flow {
                sender: 0,
                receiver: 1,
                sender_tcp: 0,
                receiver_tcp: 0,
                workload: 0,
                foreground: true,
                dscp: 0,
            }
            .into(),
        ],
        probes: Probes::default(),
        queue_delays_of: vec![0],
        delays_of_flows: Vec::new(),
    }
}

/// The receiver has room for 8 segments, so from the 15th on the sender has 8 of them out; cwnd holds
/// more than that by then, and less than 50.
#[test]
fn losses_of_one_window_are_one_event_worked_out_by_hand() {
    let events = |lost: &[u64]| rows(&run(&one_flow(lost.to_vec(), 0), 1).unwrap());
    assert_eq!(events(&[]), [[0, 0, 0]]);
    assert_eq!(events(&[40]), [[0, 1, 1]]);
    assert_eq!(events(&[40, 43, 47]), [[0, 3, 1]]);
    assert_eq!(events(&[40, 47, 100]), [[0, 3, 2]]);
}

/// The receiver has room for one segment, so all that is lost is the first, again and again, a time-out
/// after each. cwnd holds two segments at the first loss and one after a time-out: the first event ends
/// at three segments sent, the second at four.
#[test]
fn what_is_lost_again_begins_an_event_once_a_window_has_been_sent() {
    let events = |lost: &[u64]| {
        let mut plan = one_flow(lost.to_vec(), 0);
        plan.duration_ps = 60_000 * MS;
        plan.tcps[0].receive_buffer_bytes = 1_000;
        rows(&run(&plan, 1).unwrap())
    };
    assert_eq!(events(&[1, 2]), [[0, 2, 1]]);
    assert_eq!(events(&[1, 2, 3]), [[0, 3, 2]]);
    assert_eq!(events(&[1, 2, 3, 4]), [[0, 4, 3]]);
}

#[test]
fn an_event_of_the_warm_up_is_none_after_it() {
    // Each of the transfer's windows takes a little more than 100 ms: the 40th leaves after 0.7 s.
    let after = |ms: u64| rows(&run(&one_flow(vec![40, 48, 100], ms * MS), 1).unwrap())[0];
    assert_eq!((after(500), after(5_000 - 1)), ([0, 3, 2], [0, 0, 0]));
    let between: Vec<[u64; 3]> = (5..50).map(|tenths| after(100 * tenths)).collect();
    assert!(between.contains(&[0, 2, 1]), "the 40th before, the 48th after");
    assert!(between.is_sorted_by(|one, next| one >= next));
}

/// One segment at a time: 1040 bytes at 1 us a byte, 40 bytes back, and 50 ms each way. The 20th is lost
/// twice, the 30th once, after a time-out each.
#[test]
fn flows_tell_their_rtt_and_first_time_outs() {
    let mut plan = one_flow(vec![20, 21, 30], 1_000 * MS);
    plan.duration_ps = 20_000 * MS;
    plan.tcps[0].receive_buffer_bytes = 1_000;
    plan.tcps[0].options.delayed_ack_ps = None;
    let flows = run(&plan, 1).unwrap().flows;
    let real = |name| reals(&flows, name)[0];
    assert_eq!(integers(&flows, "timeouts"), [3]);
    assert_eq!(integers(&flows, "first_timeouts"), [2]);
    assert!((real("rtt_mean_s") - 0.101_08).abs() < 1e-12);
    assert_eq!(real("first_rto_mean_s"), 1.0);
    let silent = run(&Plan { warm_up_ps: plan.duration_ps - 1, ..plan }, 1).unwrap().flows;
    assert_eq!((integers(&silent, "rtt_samples")[0], integers(&silent, "first_timeouts")[0]), (0, 0));
    assert!(reals(&silent, "rtt_mean_s")[0].is_nan() && reals(&silent, "first_rto_mean_s")[0].is_nan());
}

#[test]
fn a_flow_of_the_background_has_no_row() {
    let mut plan = one_flow(vec![9], 0);
    plan.flows.push(FlowGroup { foreground: false, ..plan.flows[0].clone() });
    plan.flows.rotate_left(1);
    assert_eq!(integers(&run(&plan, 1).unwrap().foreground, "flow"), [1]);
    plan.flows.pop();
    assert!(run(&plan, 1).unwrap().foreground.columns.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn events_are_those_of_a_plain_count(plan in plans(), seed: u64) {
        prop_assert_eq!(rows(&run(&plan, seed).unwrap()), by_a_plain_count(&plan, seed));
    }

    /// To look at a flow changes nothing, and probes do not change what is seen.
    #[test]
    fn the_foreground_changes_nothing(plan in plans(), seed: u64) {
        let marked = |foreground| {
            let flows = plan.flows.iter().map(|flow| FlowGroup { foreground, ..flow.clone() });
            Plan { flows: flows.collect(), ..plan.clone() }
        };
        let (watched, bare) = (run(&marked(true), seed).unwrap(), run(&marked(false), seed).unwrap());
        prop_assert_eq!(format!("{:?}", watched.flows), format!("{:?}", bare.flows));
        prop_assert_eq!(&watched.links, &bare.links);
        prop_assert_eq!(&watched.ports, &bare.ports);
        prop_assert_eq!(&watched.transfers, &bare.transfers);
        let probes = Probes { queue_bin_ps: Some(100 * MS), cwnd_of: vec![0], ..Probes::default() };
        let recorded = run(&Plan { probes, ..marked(true) }, seed).unwrap();
        prop_assert_eq!(&watched.foreground, &recorded.foreground);
        prop_assert!(!recorded.recorded.queue.columns.is_empty());
    }
}
