//! Plans of small ATM networks: pairs of hosts, a switch on each side, and a trunk of 45 Mbit/s.

#![allow(dead_code, reason = "not every test needs every part")]

use lab::{Plan, Table, Values};
use serde_json::{Value, json};

pub(crate) const MS: u64 = 1_000_000_000;
/// Cells a second on the trunk: 45 Mbit/s of 53 bytes.
pub(crate) const TRUNK_CELLS: f64 = 45e6 / 424.0;
const TRUNK_PS: u64 = 9_422_222;
const ACCESS_PS: u64 = 2_726_337;
/// Of every line: 10 km. ERICA+ comes to rest where a round trip is shorter than the delay that it aims at.
const DELAY_PS: u64 = MS / 20;

/// The line that leads from the senders' switch to the receivers'.
pub(crate) const DATA: u64 = 0;

/// ERICA+ as in 004.
pub(crate) fn erica() -> Value {
    json!({
        "name": "erica", "interval_cells": 500, "interval_ps": 5 * MS, "delta_ppb": 100_000_000,
        "queue_control": {
            "kind": "hyperbolic", "target_delay_ps": MS / 2, "a_ppb": 1_150_000_000, "b_ppb": 1_050_000_000,
            "floor_ppb": 500_000_000,
        },
        "ccr": "field", "load_average": "none", "load_weight_ppb": 200_000_000, "vc_decay_ppb": 0,
        "immediate_fair_share": false, "count_both_directions": false, "limit_jump": true,
    })
}

/// Buffers without limit, but for UBR.
pub(crate) fn port(rate_control: &Value, ubr_buffer_cells: u32) -> Value {
    json!({
        "vbr_buffer_cells": null, "abr_buffer_cells": null, "ubr_buffer_cells": ubr_buffer_cells,
        "ubr_share_ppb": 0, "ubr_queueing": {"name": "fifo"},
        "policy": {"name": "epd", "r_cells": ubr_buffer_cells / 5 * 4}, "eom": "keep",
        "rate_control": rate_control,
    })
}

/// The OSU values, and 10 Mbit/s at the start.
pub(crate) fn abr() -> Value {
    json!({
        "name": "abr", "pcr_bps": 155_520_000, "mcr_bps": 0, "icr_bps": 10_000_000, "nrm": 32, "mrm": 2,
        "trm_ps": 100 * MS, "rif_inverse": 1, "rdf_inverse": 16, "adtf_ps": 500 * MS, "tbe_cells": 16_777_215,
        "crm": null, "cdf_inverse": null, "tcr_cells_s": 10, "frtt_ps": null,
    })
}

pub(crate) fn ubr() -> Value {
    json!({"name": "ubr"})
}

/// MCR in frames of 12 cells, which are tagged beyond it.
pub(crate) fn gfr(mcr_bps: u64) -> Value {
    json!({
        "name": "gfr", "pcr_bps": 155_520_000, "mcr_bps": mcr_bps, "mbs_cells": 24, "mfs_cells": 12,
        "cdvt_ps": 1_000_000, "tagging": true,
    })
}

pub(crate) fn vbr() -> Value {
    json!({"name": "vbr"})
}

/// One transfer without an end a flow, all at once.
pub(crate) fn bulk() -> Value {
    json!({"kind": "bulk", "bytes": null, "start_ps": 0, "start_spread_ps": 0})
}

/// Five small files every 2 s.
pub(crate) fn web(first_alone: bool) -> Value {
    json!({
        "kind": "www_batches", "request_bytes": 128, "period_ps": 2_000 * MS, "period_from": "first_request",
        "start_spread_ps": 2_000 * MS, "requests": "five", "gap_min_ps": 0, "gap_max_ps": 100 * MS,
        "file_index": "uniform", "class_ppm": [200_000, 400_000, 400_000, 0, 0], "first_is_class_0": true,
        "first_alone": first_alone,
    })
}

fn tcp(flavor: &str) -> Value {
    let presets = lab::flavors().into_iter().find(|each| each.0 == flavor).expect("a flavor").2;
    let mut options: Value = serde_json::from_str(&presets).expect("presets are JSON");
    options["delayed_ack_ps"] = Value::Null;
    options["min_rto_ps"] = json!(200 * MS);
    options["ssthresh_from"] = json!("flight_size");
    json!({
        "flavor": flavor, "options": options, "smss_bytes": 512, "initial_window_segments": 1,
        "initial_ssthresh_bytes": 65_536, "receive_buffer_bytes": 1 << 20, "window_scale": 5, "nagle": false,
        "sws_avoidance": true, "idle_restart": false, "restart_window_segments": null,
        "historic": lab::plan::HistoricTcp::OFF,
    })
}

fn line(from: u32, to: u32, cell_time_ps: u64, port: Option<u32>) -> Value {
    json!({"from": from, "to": to, "cell_time_ps": cell_time_ps, "delay_ps": DELAY_PS, "cost": 1, "port": port})
}

/// Receivers `0..pairs` and senders `pairs..2 pairs`, all of the first of these services; 10 s.
pub(crate) fn plan(pairs: u32, services: &[Value], port: &Value, workload: &Value) -> Value {
    let hosts = 2 * pairs;
    let (near, far) = (hosts, hosts + 1);
    let mut lines = vec![line(far, near, TRUNK_PS, Some(0)), line(near, far, TRUNK_PS, Some(0))];
    for host in 0..hosts {
        let switch = if host < pairs { near } else { far };
        lines.push(line(host, switch, ACCESS_PS, None));
        lines.push(line(switch, host, ACCESS_PS, Some(0)));
    }
    let flow = |pair| {
        json!({"sender": pairs + pair, "receiver": pair, "sender_tcp": 0, "receiver_tcp": 0, "workload": 0,
            "foreground": false})
    };
    let network = json!({
        "kind": "atm", "first": 0, "hosts": hosts, "switches": 2, "lines": lines, "ports": [port],
        "services": services, "flow_services": vec![0; pairs as usize], "sources": [],
    });
    json!({
        "schema": lab::plan::SCHEMA, "duration_ps": 10_000 * MS, "warm_up_ps": 0, "nodes": hosts,
        "links": [network], "flows": (0..pairs).map(flow).collect::<Vec<_>>(), "tcps": [tcp("newreno")],
        "clock": {"tick_ps": 100 * MS, "phase": {"kind": "uniform", "spread_ps": 100 * MS}},
        "workloads": [workload],
        "probes": {"queue_bin_ps": null, "goodput_bin_ps": null, "cwnd_of": [], "acr_bin_ps": null, "transport_bin_ps": null},
    })
}

/// A source of cells, beside flows or without them.
pub(crate) fn source(from: u32, to: u32, service: usize, law: &Value) -> Value {
    json!({"from": from, "to": to, "service": service, "start_ps": 0, "stop_ps": null, "law": law})
}

/// Cells at a constant rate.
pub(crate) fn constant(rate_bps: u64) -> Value {
    json!({"kind": "constant", "rate_bps": rate_bps})
}

/// A plan whose flows have become sources that always have a cell.
pub(crate) fn greedy(pairs: u32) -> Value {
    let mut plan = plan(pairs, &[abr()], &port(&erica(), 1), &bulk());
    let law = json!({"kind": "greedy"});
    plan["links"][0]["sources"] = (0..pairs).map(|pair| source(pairs + pair, pair, 0, &law)).collect();
    for emptied in ["flows", "tcps", "workloads"] {
        plan[emptied] = json!([]);
    }
    plan["links"][0]["flow_services"] = json!([]);
    plan
}

pub(crate) fn read(plan: &Value) -> Plan {
    Plan::from_json(&plan.to_string()).expect("a plan")
}

pub(crate) fn whole(table: &Table, column: &str) -> Vec<u64> {
    match table.columns.iter().find(|(name, _)| *name == column) {
        Some((_, Values::Integers(values))) => values.clone(),
        _ => panic!("no column of whole numbers {column}"),
    }
}

pub(crate) fn real(table: &Table, column: &str) -> Vec<f64> {
    match table.columns.iter().find(|(name, _)| *name == column) {
        Some((_, Values::Reals(values))) => values.clone(),
        _ => panic!("no column of real numbers {column}"),
    }
}
