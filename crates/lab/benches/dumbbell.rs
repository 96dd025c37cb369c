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

#[path = "support/dumbbell.rs"]
mod support;

use gungraun::{library_benchmark, library_benchmark_group, main};
use lab::Plan;
use serde_json::{Value, json};
use std::hint::black_box;
use support::{dumbbell, read};

const SECOND: u64 = 1_000_000_000_000;

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
