//! Instructions of data packets over a dumbbell, with all that they cause. Run with `make bench`.
//!
//! A data packet crosses three links, and its ACK three on the way back; at the ends TCP takes both in. Each
//! case sends about 10 000 data packets, beside which making the world and the handshakes hardly
//! count: a packet takes a ten-thousandth of what is shown.
//!
//! Cases with the name of a queue discipline are NewReno's through it. Those without a loss have the load of
//! `newreno_without_a_loss`, packet by packet, because their targets are never reached; the others lose about as
//! many packets as `newreno_with_losses`. A packet through FQ-CoDel must take at most 1.6 times as many instructions as
//! one through drop-tail.

#![allow(missing_docs, reason = "the macros make items without documentation")]

use gungraun::{library_benchmark, library_benchmark_group, main};
use lab::Plan;
use serde_json::{Value, json};
use std::hint::black_box;

const FLOWS: u32 = 10;
const SEGMENT: u64 = 1460;
const BYTES: u64 = 1000 * SEGMENT;
const FAR: u32 = 2 * FLOWS;
const NEAR: u32 = FAR + 1;
const SECOND: u64 = 1_000_000_000_000;

fn link(from: u32, to: u32, rate_bps: u64, delay_ms: u64, limit_packets: u64) -> Value {
    json!({
        "kind": "packets", "from": from, "to": to, "cost": 1,
        "rate_bps": rate_bps, "delay_ps": delay_ms * 1_000_000_000, "delay_draw": null,
        "queue": {"name": "drop_tail", "limit_packets": limit_packets, "limit_bytes": null},
        "impairments": [],
    })
}

/// A discipline with its defaults, but for these parameters.
fn queue(name: &str, limit_packets: u64, changes: &[(&str, u64)]) -> Value {
    let rows: Vec<Value> = serde_json::from_str(&lab::queue_disciplines()).expect("rows are JSON");
    let row = rows.iter().find(|row| row["name"] == name).expect("a discipline");
    let mut queue = json!({"name": name, "limit_packets": limit_packets, "limit_bytes": null});
    for parameter in row["parameters"].as_array().expect("a list") {
        let default = &parameter["default"];
        let value = match (parameter["unit"].as_str(), default.as_u64()) {
            (Some("flag"), Some(flag)) => json!(flag == 1),
            (Some("word"), Some(place)) => parameter["words"][place as usize].clone(),
            (_, Some(number)) => json!(number),
            (_, None) => Value::Null,
        };
        queue[parameter["key"].as_str().expect("a key")] = value;
    }
    for &(key, value) in changes {
        assert!(!queue[key].is_null(), "{key}");
        queue[key] = json!(value);
    }
    queue
}

fn tcp(flavor: &str) -> Value {
    let presets = lab::flavors().into_iter().find(|(name, ..)| *name == flavor).expect("a flavor").2;
    let mut options: Value = serde_json::from_str(&presets).expect("presets are JSON");
    options["delayed_ack_ps"] = Value::Null;
    json!({
        "flavor": flavor, "options": options, "smss_bytes": SEGMENT, "initial_window_segments": 1,
        "initial_ssthresh_bytes": 1_u64 << 62, "receive_buffer_bytes": 44 * SEGMENT, "window_scale": null,
        "nagle": false, "sws_avoidance": true, "idle_restart": false, "restart_window_segments": null,
        "historic": lab::plan::HistoricTcp::OFF,
    })
}

/// Transfers of 1000 segments each over 10 Mbit/s, with RTTs from 24 ms on and so many packets of buffer.
fn dumbbell(flavor: &str, limit: u64) -> Value {
    let mut links = vec![link(FAR, NEAR, 10_000_000, 10, limit), link(NEAR, FAR, 10_000_000, 10, 1000)];
    let mut flows = Vec::new();
    for flow in 0..FLOWS {
        let (receiver, sender) = (flow, FLOWS + flow);
        for (host, router) in [(receiver, NEAR), (sender, FAR)] {
            let delay_ms = 1 + u64::from(flow);
            links.push(link(host, router, 100_000_000, delay_ms, 1000));
            links.push(link(router, host, 100_000_000, delay_ms, 1000));
        }
        flows.push(json!({
            "sender": sender, "receiver": receiver, "sender_tcp": 0, "receiver_tcp": 0, "workload": 0,
            "foreground": false,
        }));
    }
    let plan = json!({
        "schema": lab::plan::SCHEMA, "duration_ps": 60_000_000_000_000_u64, "warm_up_ps": 0, "nodes": NEAR + 1,
        "links": links, "flows": flows, "tcps": [tcp(flavor)],
        "clock": {"tick_ps": 1_000_000_000, "phase": {"kind": "uniform", "spread_ps": 1_000_000_000}},
        "workloads": [{"kind": "bulk", "bytes": BYTES, "start_ps": 0, "start_spread_ps": 1_000_000_000_000_u64}],
        "probes": {"queue_bin_ps": null, "goodput_bin_ps": null, "cwnd_of": [], "acr_bin_ps": null, "transport_bin_ps": null},
    });
    plan
}

fn read(plan: &Value) -> Plan {
    Plan::from_json(&plan.to_string()).expect("a plan")
}

/// Through drop-tail with so many packets of buffer.
fn plan(flavor: &str, limit: u64) -> Plan {
    read(&dumbbell(flavor, limit))
}

/// NewReno through another discipline, with its defaults but for these parameters.
fn through(discipline: &str, changes: &[(&str, u64)]) -> Plan {
    let mut plan = dumbbell("newreno", 1000);
    plan["links"][0]["queue"] = queue(discipline, 1000, changes);
    read(&plan)
}

#[library_benchmark]
#[bench::newreno_without_a_loss(plan("newreno", 1000))]
#[bench::newreno_with_losses(plan("newreno", 50))]
#[bench::sack_with_losses(plan("sack", 50))]
#[bench::cubic_without_a_loss(plan("cubic", 1000))]
#[bench::cubic_with_losses(plan("cubic", 50))]
#[bench::bbr_without_a_loss(plan("bbr", 1000))]
#[bench::bbr_with_losses(plan("bbr", 50))]
#[bench::bbr3_without_a_loss(plan("bbr3", 1000))]
#[bench::prague_without_a_loss(plan("prague", 1000))]
#[bench::codel_without_a_loss(through("codel", &[("target_ps", SECOND), ("interval_ps", SECOND)]))]
#[bench::codel_with_losses(through("codel", &[]))]
#[bench::fq_codel_without_a_loss(through("fq_codel", &[("target_ps", SECOND), ("interval_ps", SECOND)]))]
#[bench::fq_codel_with_losses(through("fq_codel", &[]))]
#[bench::pie_without_a_loss(through("pie", &[("target_ps", SECOND)]))]
#[bench::cake_without_a_loss(through("cake", &[("rtt_ps", 20 * SECOND)]))]
#[bench::dualpi2_without_a_loss(through("dualpi2", &[("target_ps", SECOND)]))]
#[bench::fq_without_a_loss(through("fq", &[]))]
#[bench::drr_without_a_loss(through("drr", &[]))]
fn packets(plan: Plan) -> lab::Columns {
    black_box(lab::run(&plan, 1).expect("it can be run"))
}

library_benchmark_group!(name = dumbbell, benchmarks = packets);
main!(library_benchmark_groups = dumbbell);
