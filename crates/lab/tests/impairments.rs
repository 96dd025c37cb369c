//! Wires of a plan: the packets that an impairment loses, and the delays that a run draws.

use lab::plan::{
    Clock, DelayDraw, Flow, HistoricTcp, Impairment, Link, Phase, Plan, Probes, Queue, SCHEMA, Tcp,
    TcpOptions, Which, Workload,
};
use lab::{Table, Values, run};

const MS: u64 = 1_000_000_000;
const ALWAYS: u32 = 1_000_000_000;

/// A link of 8 Mbit/s, 1 us a byte, and 10 ms.
fn link(from: u32, to: u32) -> Link {
    Link::Packets {
        from: from.into(),
        to: to.into(),
        cost: 1,
        rate_bps: 8_000_000,
        delay_ps: 10 * MS,
        delay_draw: None,
        varies: None,
        queue: Queue::drop_tail(100),
        impairments: vec![],
    }
}

/// A file over these links, from the first of two nodes to the second.
fn plan(links: Vec<Link>, bytes: u64) -> Plan {
    let presets = lab::flavors().into_iter().find(|flavor| flavor.0 == "newreno").expect("a flavor").2;
    let presets: TcpOptions = serde_json::from_str(&presets).expect("presets are options");
    let tcp = Tcp {
        flavor: "newreno".into(),
        options: TcpOptions { delayed_ack_ps: None, ..presets },
        smss_bytes: 960,
        initial_window_segments: 2,
        initial_ssthresh_bytes: 1_000_000,
        receive_buffer_bytes: 65_535,
        receive_buffer_initial_bytes: None,
        window_scale: Some(0),
        nagle: false,
        sws_avoidance: true,
        idle_restart: true,
        restart_window_segments: None,
        historic: HistoricTcp::OFF,
    };
    Plan {
        schema: SCHEMA,
        duration_ps: 100_000 * MS,
        warm_up_ps: 0,
        nodes: 2,
        links,
        clock: Clock { tick_ps: 100 * MS, phase: Phase::Uniform { spread_ps: 0 } },
        tcps: vec![tcp],
        workloads: vec![Workload::Bulk { bytes: Some(bytes), start_ps: 0, start_spread_ps: 0 }],
        flows: vec![
            Flow {
                sender: 0,
                receiver: 1,
                sender_tcp: 0,
                receiver_tcp: 0,
                workload: 0,
                foreground: false,
                dscp: 0,
            }
            .into(),
        ],
        probes: Probes::default(),
        queue_delays_of: vec![0],
        delays_of_flows: Vec::new(),
    }
}

fn whole(table: &Table, column: &str) -> Vec<u64> {
    match table.columns.iter().find(|(name, _)| *name == column) {
        Some((_, Values::Integers(values))) => values.clone(),
        _ => panic!("no column of whole numbers {column}"),
    }
}

fn real(table: &Table, column: &str) -> Vec<f64> {
    match table.columns.iter().find(|(name, _)| *name == column) {
        Some((_, Values::Reals(values))) => values.clone(),
        _ => panic!("no column of real numbers {column}"),
    }
}

/// A file, and this on the link that it goes over, or on the one back.
fn impaired(number: usize, impairment: Impairment, bytes: u64) -> Plan {
    let mut links = vec![link(0, 1), link(1, 0)];
    if let Link::Packets { impairments, .. } = &mut links[number] {
        impairments.push(impairment);
    }
    plan(links, bytes)
}

/// How many packets each link loses, how many it sends, and what is delivered.
fn losses(plan: &Plan, seed: u64) -> ([u64; 2], [u64; 2], u64) {
    let columns = run(plan, seed).unwrap();
    let of_links = |name| whole(&columns.links, name).try_into().expect("two links");
    (of_links("packets_lost"), of_links("packets_sent"), whole(&columns.flows, "delivered_bytes")[0])
}

/// What carries data goes over the first link, and over the second only what does not; so does the SYN,
/// and the ACK that ends the handshake, over the first.
#[test]
fn an_impairment_sees_the_packets_that_the_plan_names() {
    let all = |of| Impairment::Bernoulli { loss_ppb: ALWAYS, of };
    let (lost, sent, delivered) = losses(&impaired(0, all(Which::Data), 10_000), 1);
    assert!(delivered == 0 && lost[0] > 1 && sent[0] - lost[0] == 2, "{lost:?} {sent:?}");
    let (lost, sent, delivered) = losses(&impaired(0, all(Which::Acks), 10_000), 1);
    assert!(delivered == 0 && lost == [sent[0], 0], "{lost:?} {sent:?}");
    let (lost, _, delivered) = losses(&impaired(1, all(Which::Data), 10_000), 1);
    assert_eq!((lost, delivered), ([0, 0], 10_000));
    for of in [Which::All, Which::Acks] {
        let (lost, sent, _) = losses(&impaired(1, all(of), 10_000), 1);
        assert!(sent[1] > 0 && lost == [0, sent[1]], "{lost:?} {sent:?}");
    }
    let states = |of| Impairment::GilbertElliott {
        good_to_bad_ppb: 50_000_000,
        bad_to_good_ppb: 500_000_000,
        loss_good_ppb: 0,
        loss_bad_ppb: ALWAYS,
        of,
    };
    assert_eq!(losses(&impaired(1, states(Which::Data), 200_000), 1).0, [0, 0]);
    assert!(losses(&impaired(1, states(Which::Acks), 200_000), 1).0[1] > 0);
}

/// Each event loses its full number of packets while there are packets.
#[test]
fn loss_events_take_so_many() {
    let events = |losses| Impairment::LossEvents { rate_ppb: 10_000_000, losses, of: Which::Data };
    for seed in 1..4 {
        let (lost, _, delivered) = losses(&impaired(0, events(4), 500_000), seed);
        assert!(lost[0] > 0 && lost[0].is_multiple_of(4), "{lost:?}");
        assert_eq!(delivered, 500_000);
    }
}

/// With p = 1 an event begins with the first segment that is sent five seconds after the last began, or
/// later: twenty in a hundred seconds. The first is over when its time-out of three seconds is.
#[test]
fn the_two_parameters_are_what_begins_an_event_and_what_is_lost_in_one() {
    let model = |event_ppb, loss_ppb| {
        let span_ps = 5_000 * MS;
        impaired(0, Impairment::TwoParameter { event_ppb, loss_ppb, span_ps, of: Which::Data }, 1 << 40)
    };
    let lost = |event_ppb, loss_ppb| losses(&model(event_ppb, loss_ppb), 1).0[0];
    assert_eq!(lost(ALWAYS, 0), 20);
    assert_eq!(lost(0, ALWAYS), 0);
    let (lost, sent, delivered) = losses(&model(ALWAYS, ALWAYS), 1);
    assert!(delivered == 0 && sent[0] - lost[0] == 2, "{lost:?} {sent:?}");
}

#[test]
fn an_impairment_that_makes_no_sense_is_refused() {
    let of = Which::All;
    let probability = "a probability is at most 1e9 ppb";
    let span = "`span_ps` must be positive and at most 1e18";
    let more = ALWAYS + 1;
    let two_parameter =
        |event_ppb, loss_ppb, span_ps| Impairment::TwoParameter { event_ppb, loss_ppb, span_ps, of };
    for (impairment, expected) in [
        (Impairment::Bernoulli { loss_ppb: more, of }, probability),
        (Impairment::LossEvents { rate_ppb: more, losses: 1, of }, probability),
        (Impairment::LossEvents { rate_ppb: 1, losses: 0, of }, "`losses` must be positive"),
        (two_parameter(more, 1, MS), probability),
        (two_parameter(1, more, MS), probability),
        (two_parameter(1, 1, 0), span),
        (two_parameter(1, 1, 1_000_000_000_000_000_001), span),
    ] {
        let plan = impaired(0, impairment, 1000);
        assert_eq!(run(&plan, 1).unwrap_err().to_string(), format!("plan: {expected}"));
    }
    for (written, is_one) in [
        (r#"{"kind": "loss_events", "rate_ppb": 500000, "losses": 5, "of": "data"}"#, true),
        (r#"{"kind": "loss_events", "rate_ppb": 500000, "losses": 5}"#, false),
        (r#"{"kind": "two_parameter", "event_ppb": 1, "loss_ppb": 2, "span_ps": 3, "of": "acks"}"#, true),
        (r#"{"kind": "two_parameter", "event_ppb": 1, "loss_ppb": 2, "span_ps": 3, "of": "syns"}"#, false),
        (r#"{"kind": "bernoulli", "loss_ppb": 1}"#, false),
    ] {
        assert_eq!(serde_json::from_str::<Impairment>(written).is_ok(), is_one, "{written}");
    }
}

/// Two nodes whose links draw delays of these numbers and spreads.
fn drawn(draws: [Option<(u32, u64)>; 2]) -> Plan {
    let mut links = vec![link(0, 1), link(1, 0)];
    for (link, draw) in links.iter_mut().zip(draws) {
        if let Link::Packets { delay_draw, .. } = link {
            *delay_draw = draw.map(|(number, spread_ps)| DelayDraw { number: number.into(), spread_ps });
        }
    }
    plan(links, 960)
}

/// How much later the only segment arrives than without a draw, in ms: what the first link draws counts
/// twice, for the SYN and for the segment, and what the second draws once.
fn later(draws: [Option<(u32, u64)>; 2], seed: u64) -> f64 {
    let done = real(&run(&drawn(draws), seed).unwrap().flows, "last_delivery_s")[0];
    1e3 * done - (2.0 * (10.0 + 0.048) + 11.0)
}

#[test]
fn a_delay_is_drawn_for_each_number_and_run() {
    let draw = |number, spread_ms| Some((number, spread_ms * MS));
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    close(later([None, None], 1), 0.0);
    close(later([draw(7, 0), None], 1), 0.0);
    let share = |number, seed| later([None, draw(number, 100)], seed) / 100.0;
    let (seven, eight) = (share(7, 1), share(8, 1));
    assert!((seven - eight).abs() > 1e-3 && (seven - share(7, 2)).abs() > 1e-3);
    // Links with one number share the draw, whatever their spreads are.
    close(later([draw(7, 100), draw(7, 100)], 1), 300.0 * seven);
    close(later([draw(7, 50), draw(7, 200)], 1), 300.0 * seven);
    close(later([draw(7, 100), draw(8, 100)], 1), 200.0 * seven + 100.0 * eight);
    // A standard deviation of the mean of 400 is 0.0144.
    let shares: Vec<f64> = (0..400).map(|seed| share(7, seed)).collect();
    assert!(shares.iter().all(|share| (0.0..1.0).contains(share)));
    let mean = shares.iter().sum::<f64>() / 400.0;
    assert!((mean - 0.5).abs() < 0.058, "{mean}");
}

#[test]
fn a_draw_must_be_stated_and_at_most_eleven_days() {
    let plan = drawn([Some((0, 1_000_000_000_000_000_001)), None]);
    let expected = "plan: a time must be at most 1e18 ps (eleven days)";
    assert_eq!(run(&plan, 1).unwrap_err().to_string(), expected);
    let json = serde_json::to_value(link(0, 1)).unwrap();
    assert!(serde_json::from_value::<Link>(json.clone()).is_ok());
    let mut without = json;
    assert!(without.as_object_mut().unwrap().remove("delay_draw").is_some());
    assert!(serde_json::from_value::<Link>(without).is_err());
}
