//! Instructions of data packets over a dumbbell, with all that they cause. Run with `make bench`.
//!
//! A data packet crosses three links, and its ACK three on the way back; at the ends TCP takes both in. Each
//! case sends about 10 000 data packets, beside which making the world and the handshakes hardly
//! count: a packet takes a ten-thousandth of what is shown.

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

fn link(from: u32, to: u32, rate_bps: u64, delay_ms: u64, limit_packets: u64) -> Value {
    json!({
        "kind": "packets", "from": from, "to": to, "cost": 1,
        "rate_bps": rate_bps, "delay_ps": delay_ms * 1_000_000_000, "delay_draw": null,
        "queue": {"name": "drop_tail", "limit_packets": limit_packets, "limit_bytes": null},
        "impairments": [],
    })
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
fn plan(flavor: &str, limit: u64) -> Plan {
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
    Plan::from_json(&plan.to_string()).expect("a plan")
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
fn packets(plan: Plan) -> lab::Columns {
    black_box(lab::run(&plan, 1).expect("it can be run"))
}

library_benchmark_group!(name = dumbbell, benchmarks = packets);
main!(library_benchmark_groups = dumbbell);
