//! Dumbbells for benches.

use lab::Plan;
use serde_json::{Value, json};

const SEGMENT: u64 = 1460;
/// Data packets of all flows together.
const PACKETS: u64 = 10_000;

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

/// Transfers of equal size over 10 Mbit/s, with RTTs from 24 ms on and so many packets of buffer.
pub(crate) fn dumbbell(flavor: &str, limit: u64, number: u32) -> Value {
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

/// The plan.
pub(crate) fn read(plan: &Value) -> Plan {
    Plan::from_json(&plan.to_string()).expect("a plan")
}
