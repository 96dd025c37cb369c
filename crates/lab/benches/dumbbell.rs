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
//!
//! The cases of `probes` are two flows of CUBIC, of which probes record something: what a probe costs is the difference
//! to `nothing`. `live` is what the lab in the browser shows while a slider moves. A probe of a flow or of a link took 3 to 7 %
//! more than nothing when this was written, `queues` (of all links) 14, `segments` 16, `packets` 10, `live` 16 %. None may take
//! more than 30 %: a probe must not make a live picture slow.

#![allow(missing_docs, reason = "the macros make items without documentation")]

use gungraun::{library_benchmark, library_benchmark_group, main};
use lab::Plan;
use serde_json::{Value, json};
use std::hint::black_box;

const SEGMENT: u64 = 1460;
/// Data packets of all flows together.
const PACKETS: u64 = 10_000;
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
fn discipline(name: &str, limit_packets: u64, changes: &[(&str, u64)]) -> Value {
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

/// Transfers of equal size over 10 Mbit/s, with RTTs from 24 ms on and so many packets of buffer.
fn dumbbell(flavor: &str, limit: u64, number: u32) -> Value {
    let (far, near) = (2 * number, 2 * number + 1);
    let mut links = vec![link(far, near, 10_000_000, 10, limit), link(near, far, 10_000_000, 10, 1000)];
    let mut flows = Vec::new();
    for flow in 0..number {
        let (receiver, sender) = (flow, number + flow);
        for (host, router) in [(receiver, near), (sender, far)] {
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
        "schema": lab::plan::SCHEMA, "duration_ps": 60_000_000_000_000_u64, "warm_up_ps": 0, "nodes": near + 1,
        "links": links, "flows": flows, "tcps": [tcp(flavor)],
        "clock": {"tick_ps": 1_000_000_000, "phase": {"kind": "uniform", "spread_ps": 1_000_000_000}},
        "workloads": [{"kind": "bulk", "bytes": PACKETS / u64::from(number) * SEGMENT, "start_ps": 0, "start_spread_ps": 1_000_000_000_000_u64}],
        "probes": {"queue_bin_ps": null, "goodput_bin_ps": null, "cwnd_of": [], "acr_bin_ps": null, "transport_bin_ps": null},
    });
    plan
}

fn read(plan: &Value) -> Plan {
    Plan::from_json(&plan.to_string()).expect("a plan")
}

/// Through drop-tail with so many packets of buffer.
fn plan(flavor: &str, limit: u64) -> Plan {
    read(&dumbbell(flavor, limit, 10))
}

/// NewReno through another discipline, with its defaults but for these parameters.
fn through(name: &str, changes: &[(&str, u64)]) -> Plan {
    let mut plan = dumbbell("newreno", 1000, 10);
    plan["links"][0]["queue"] = discipline(name, 1000, changes);
    read(&plan)
}

/// Two flows of CUBIC with losses, of which these probes record something.
fn recorded(probes: &[(&str, Value)]) -> Plan {
    let mut plan = dumbbell("cubic", 50, 2);
    for (key, value) in probes {
        plan["probes"][key] = value.clone();
    }
    read(&plan)
}

fn cwnd() -> (&'static str, Value) {
    ("cwnd_of", json!([0, 1]))
}

fn rtt() -> (&'static str, Value) {
    ("rtt_of", json!([0, 1]))
}

fn states() -> (&'static str, Value) {
    ("states_of", json!([0, 1]))
}

fn goodput() -> (&'static str, Value) {
    ("goodput_bin_ps", json!(SECOND / 10))
}

fn queue() -> [(&'static str, Value); 2] {
    [("queue_bin_ps", json!(SECOND / 100)), ("queue_of", json!([0]))]
}

fn live() -> Vec<(&'static str, Value)> {
    queue().into_iter().chain([cwnd(), rtt(), states(), goodput()]).collect()
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

#[library_benchmark]
#[bench::nothing(recorded(&[]))]
#[bench::cwnd(recorded(&[cwnd()]))]
#[bench::rtt(recorded(&[rtt()]))]
#[bench::states(recorded(&[states()]))]
#[bench::goodput(recorded(&[goodput()]))]
#[bench::queue_of_a_link(recorded(&queue()))]
#[bench::queues(recorded(&queue()[..1]))]
#[bench::live(recorded(&live()))]
#[bench::transport(recorded(&[("transport_bin_ps", json!(SECOND / 100))]))]
#[bench::segments(recorded(&[("segments_of", json!([0, 1]))]))]
#[bench::segments_in_a_window(recorded(&[
    ("segments_of", json!([0])), ("from_ps", json!(5 * SECOND)), ("until_ps", json!(6 * SECOND)),
]))]
#[bench::packets(recorded(&[("packets_of", json!([0]))]))]
#[bench::packets_in_a_window(recorded(&[
    ("packets_of", json!([0, 1])), ("from_ps", json!(5 * SECOND)), ("until_ps", json!(6 * SECOND)),
]))]
fn probes(plan: Plan) -> lab::Columns {
    black_box(lab::run(&plan, 1).expect("it can be run"))
}

library_benchmark_group!(name = dumbbell, benchmarks = [packets, probes]);
main!(library_benchmark_groups = dumbbell);
