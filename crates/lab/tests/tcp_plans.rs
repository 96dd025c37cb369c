//! The TCP of a plan: invalid values, and the growth of cwnd.

use lab::{Columns, Plan, Values, run};
use proptest::prelude::*;
use serde_json::{Value, json};

const MS: u64 = 1_000_000_000;

/// A flow of `bytes` bytes, or without end, over 100 Mbit/s (or another rate) and a round trip of 100 ms, for 3 s.
fn plan(flavor: &str, bytes: Option<u64>) -> Value {
    let presets = lab::flavors().into_iter().find(|each| each.0 == flavor).expect("a flavor").2;
    let mut options: Value = serde_json::from_str(&presets).expect("presets are JSON");
    options["delayed_ack_ps"] = Value::Null;
    let link = |from: u32, to: u32| {
        json!({
            "kind": "packets", "from": from, "to": to, "cost": 1, "rate_bps": 100_000_000, "delay_ps": 50 * MS,
            "delay_draw": null, "queue": {"name": "drop_tail", "limit_packets": 10_000, "limit_bytes": null},
            "impairments": [],
        })
    };
    json!({
        "schema": lab::plan::SCHEMA, "duration_ps": 3_000 * MS, "warm_up_ps": 0, "nodes": 2,
        "links": [link(0, 1), link(1, 0)],
        "clock": {"tick_ps": 100 * MS, "phase": {"kind": "uniform", "spread_ps": 0}},
        "tcps": [{
            "flavor": flavor, "options": options, "smss_bytes": 512, "initial_window_segments": 2,
            "initial_ssthresh_bytes": 1 << 30, "receive_buffer_bytes": 1 << 24, "window_scale": 9,
            "nagle": false, "sws_avoidance": true, "idle_restart": false, "restart_window_segments": null,
            "historic": lab::plan::HistoricTcp::OFF,
        }],
        "workloads": [{"kind": "bulk", "bytes": bytes, "start_ps": 0, "start_spread_ps": 0}],
        "flows": [{"sender": 0, "receiver": 1, "sender_tcp": 0, "receiver_tcp": 0, "workload": 0,
            "foreground": false}],
        "probes": {"queue_bin_ps": null, "goodput_bin_ps": null, "cwnd_of": [0], "acr_bin_ps": null, "transport_bin_ps": null},
    })
}

fn error_of_plan(plan: &Value) -> String {
    Plan::from_json(&plan.to_string()).map_or_else(|error| error.to_string(), |_| "nothing".into())
}

/// The error that a plan with these keys in its TCP gets.
fn error_of(flavor: &str, keys: &[(&str, Value)]) -> String {
    let mut plan = plan(flavor, Some(1));
    for (key, value) in keys {
        match key.strip_prefix("options.") {
            Some(key) => plan["tcps"][0]["options"][key] = value.clone(),
            None => plan["tcps"][0]["historic"][key] = value.clone(),
        }
    }
    error_of_plan(&plan)
}

fn columns(plan: &Value) -> Columns {
    run(&Plan::from_json(&plan.to_string()).expect("a plan"), 1).expect("it can be run")
}

fn max_cwnd(columns: &Columns) -> u64 {
    match columns.flows.columns.iter().find(|column| column.0 == "max_cwnd_bytes") {
        Some((_, Values::Integers(values))) => values[0],
        _ => panic!("no column of the largest cwnd"),
    }
}

/// The largest cwnd in the trace from a time on, its value at that time included.
fn traced(columns: &Columns, from_s: f64) -> u64 {
    let [.., (_, Values::Reals(times)), (_, Values::Integers(cwnd)), _, _] =
        &columns.recorded.cwnd.columns[..]
    else {
        panic!("no trace of cwnd")
    };
    let began = times.partition_point(|time| *time <= from_s).saturating_sub(1);
    *cwnd[began..].iter().max().expect("a row")
}

#[test]
fn every_key_must_stand_there_and_know_its_value() {
    for key in ["cwnd_rounding", "cwnd_ack_batch", "retransmit_wait_ppm"] {
        let mut plan = plan("sack", Some(1));
        plan["tcps"][0]["historic"].as_object_mut().expect("an object").remove(key);
        assert!(error_of_plan(&plan).contains(&format!("missing field `{key}`")), "{key}");
    }
    assert!(error_of("sack", &[("cwnd_rounding", json!("nearest"))]).contains("unknown variant `nearest`"));
    assert!(error_of("sack", &[("cwnd_ack_batch", json!(-1))]).contains("invalid value"));
}

#[test]
fn what_has_no_effect_is_refused() {
    let growth =
        "plan: `cwnd_rounding` must be up and `cwnd_ack_batch` 1 unless congestion avoidance grows by acks";
    let wait = "plan: `retransmit_wait_ppm` must be 0 with a flavor whose fast retransmit cannot wait";
    let by_bytes = ("options.growth", json!("bytes"));
    let (down, none) = (("cwnd_rounding", json!("down")), ("cwnd_rounding", json!("none")));
    let (batch, waits) = (("cwnd_ack_batch", json!(2)), ("retransmit_wait_ppm", json!(1)));
    for (flavor, keys, expected) in [
        ("reno", vec![down.clone()], "nothing"),
        ("reno", vec![none.clone(), batch.clone()], "nothing"),
        ("sack", vec![waits.clone(), down.clone(), batch.clone()], "nothing"),
        ("sack", vec![by_bytes.clone(), waits.clone()], "nothing"),
        ("cubic", vec![], "nothing"),
        ("reno", vec![by_bytes.clone(), down.clone()], growth),
        ("sack", vec![by_bytes.clone(), batch.clone()], growth),
        ("sack", vec![by_bytes, none], growth),
        ("cubic", vec![("options.growth", json!("acks")), down], growth),
        ("cubic", vec![batch], growth),
        ("newreno", vec![waits.clone()], wait),
        ("sack_rfc6675", vec![waits], wait),
        ("sack", vec![("cwnd_ack_batch", json!(0))], "plan: `cwnd_ack_batch` must be positive"),
        (
            "sack",
            vec![("retransmit_wait_ppm", json!(4_000_001))],
            "plan: `retransmit_wait_ppm` must be at most 4000000",
        ),
        ("sack", vec![("retransmit_wait_ppm", json!(4_000_000))], "nothing"),
    ] {
        assert_eq!(error_of(flavor, &keys), expected, "{flavor} {keys:?}");
    }
}

/// Eight flows of 2**61 bytes, as flows without end are written, are one more than 64 bits have room for.
#[test]
fn the_example_sums_flows_without_end() {
    let mut plan = plan("cubic", None);
    plan["nodes"] = json!(16);
    for flow in 1..8 {
        for (from, to) in [(0, 1), (1, 0)] {
            let mut link = plan["links"][0].clone();
            (link["from"], link["to"]) = (json!(2 * flow + from), json!(2 * flow + to));
            plan["links"].as_array_mut().expect("a list").push(link);
        }
        let mut its = plan["flows"][0].clone();
        (its["sender"], its["receiver"]) = (json!(2 * flow), json!(2 * flow + 1));
        plan["flows"].as_array_mut().expect("a list").push(its);
    }
    let mut told = Vec::new();
    crate::run_plan::run_and_sum(&plan.to_string(), 1, &mut told).expect("it runs");
    let told = String::from_utf8(told).expect("text");
    let without_end = format!("sum {}, most {}, rows 8", 1_u128 << 64, 1_u64 << 61);
    assert!(told.contains(&without_end), "{told}");
}

/// Two segments and one for each of ten ACKs.
#[test]
fn the_largest_cwnd_of_slow_start() {
    assert_eq!(max_cwnd(&columns(&plan("reno", Some(5120)))), 2 * 512 + 5120);
}

/// A column of numbers of how senders stand.
fn numbers(columns: &Columns, name: &str) -> Vec<f64> {
    match &columns.recorded.transport.columns.iter().find(|column| column.0 == name).expect("a column").1 {
        Values::Integers(values) => values.iter().map(|&value| value as f64).collect(),
        Values::Reals(values) => values.clone(),
        Values::Words(..) => panic!("{name} is no column of numbers"),
    }
}

/// A row a bin: what Vegas measures of 100 Mbit/s and 100 ms; Reno measures nothing of it.
#[test]
fn a_sender_is_recorded_once_in_a_bin() {
    for flavor in ["vegas", "reno"] {
        let mut plan = plan(flavor, None);
        let bare = columns(&plan);
        assert!(bare.recorded.transport.columns.is_empty());
        plan["probes"]["transport_bin_ps"] = json!(250 * MS);
        let columns = columns(&plan);
        assert_eq!(format!("{:?}", columns.flows), format!("{:?}", bare.flows));
        let bins: Vec<_> = numbers(&columns, "time_s").iter().map(|time| (time / 0.25).floor()).collect();
        assert_eq!(bins, (0..12).map(f64::from).collect::<Vec<_>>());
        let (rates, rtts) = (numbers(&columns, "delivery_rate_bit_s"), numbers(&columns, "min_rtt_s"));
        assert!(rates[0].is_nan() && rtts[0].is_nan(), "a SYN measures nothing");
        for (rate, rtt) in rates.iter().zip(&rtts).skip(1) {
            let is_measured = (1e4..1e8).contains(rate) && (0.1..0.101).contains(rtt);
            assert!(if flavor == "vegas" { is_measured } else { rate.is_nan() && rtt.is_nan() });
        }
        let in_flight = numbers(&columns, "in_flight_bytes");
        assert!(in_flight[1..].iter().all(|&bytes| 0.0 < bytes && bytes <= max_cwnd(&columns) as f64));
        assert!(numbers(&columns, "pacing_rate_bit_s").iter().all(|rate| rate.is_nan()));
    }
    let mut plan = plan("vegas", None);
    for (bin, problem) in [(0, "must be positive"), (1000, "gives more than 20000000 rows")] {
        plan["probes"]["transport_bin_ps"] = json!(bin);
        assert_eq!(error_of_plan(&plan), format!("plan: `transport_bin_ps` {problem}"));
    }
}

/// A sender that never sent has no window.
#[test]
fn a_flow_that_does_not_begin_has_no_largest_cwnd() {
    let mut plan = plan("reno", Some(5120));
    plan["workloads"][0]["start_ps"] = json!(4_000 * MS);
    assert_eq!(max_cwnd(&columns(&plan)), 0);
}

/// 002 task 6, over a network: 512 * 512 / 262145 in whole bytes is nothing.
#[test]
fn whole_bytes_hold_a_large_window_where_it_is() {
    let grown = |rounding: &str, batch: u32| {
        let mut plan = plan("sack", None);
        let tcp = &mut plan["tcps"][0];
        tcp["initial_ssthresh_bytes"] = json!(262_000);
        tcp["initial_window_segments"] = json!(512);
        let historic = &mut tcp["historic"];
        (historic["cwnd_rounding"], historic["cwnd_ack_batch"]) = (json!(rounding), json!(batch));
        max_cwnd(&columns(&plan))
    };
    assert_eq!(grown("down", 1), 262_145);
    // The window of the SYN lets out 127 segments; 27 flights of 512, 513 ... 538 follow: 14302 ACKs.
    assert_eq!(grown("up", 1), 262_144 + 14_302);
    // Some 14200 ACKs in flights that grow by less; four of them add 3 bytes, eight add 7.
    assert!((10_600..10_700).contains(&(grown("down", 4) - 262_144)));
    assert!((12_400..12_500).contains(&(grown("down", 8) - 262_144)));
    // From d(cwnd) = 262144 / cwnd for each of n ACKs: 262144 * (sqrt(1 + 2n / 262144) - 1) = 13932.
    assert!((13_900..13_950).contains(&(grown("none", 1) - 262_144)));
    assert!((13_900..13_950).contains(&(grown("none", 8) - 262_144)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// It is that of the trace from the end of the warm-up on, but for what Reno's and NewReno's recoveries
    /// inflate it by, and for what proportional rate reduction has not yet taken away at the end of the warm-up.
    #[test]
    fn the_largest_cwnd_is_that_of_the_measured_part(
        flavor in prop::sample::select(lab::flavors()),
        limit_packets in 5u64..60,
        warm_up_ms in prop_oneof![Just(0), 100u64..2900],
        rate_bps in 2_000_000u64..10_000_000,
    ) {
        let mut plan = plan(flavor.0, None);
        plan["links"][0]["queue"]["limit_packets"] = json!(limit_packets);
        plan["links"][0]["rate_bps"] = json!(rate_bps);
        plan["warm_up_ps"] = json!(warm_up_ms * MS);
        let columns = columns(&plan);
        let (largest, traced) = (max_cwnd(&columns), traced(&columns, warm_up_ms as f64 / 1000.0));
        if ["vanilla", "sack", "sack_rfc6675"].contains(&flavor.0) {
            prop_assert_eq!(largest, traced);
        } else {
            prop_assert!(0 < largest && largest <= traced);
        }
    }
}
