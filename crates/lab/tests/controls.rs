//! Congestion controls of another program: a run asks them, and is otherwise the same.

use lab::control::{AckSample, Cause, ConnectionEnd, Control, Controls, Sender, Values};
use lab::{Columns, Plan, Run, Values as Column, run};
use serde_json::{Value, json};
use std::sync::Arc;

const MS: u64 = 1_000_000_000;

/// Two flows over 10 Mbit/s, 20 ms and a queue of 20 packets, for 5 s.
fn plan(flavor: &Value) -> Plan {
    let (presets, _) = lab::flavor_of_code();
    let options: Value = serde_json::from_str(&presets[0]).expect("presets are JSON");
    let link = |from: u32, to: u32| {
        json!({
            "kind": "packets", "from": from, "to": to, "cost": 1, "rate_bps": 10_000_000, "delay_ps": 10 * MS,
            "delay_draw": null, "queue": {"name": "drop_tail", "limit_packets": 20, "limit_bytes": null},
            "impairments": [],
        })
    };
    let flow = json!({"sender": 0, "receiver": 1, "sender_tcp": 0, "receiver_tcp": 0, "workload": 0, "foreground": false});
    let plan = json!({
        "schema": lab::plan::SCHEMA, "duration_ps": 5_000 * MS, "warm_up_ps": 0, "nodes": 2,
        "links": [link(0, 1), link(1, 0)],
        "clock": {"tick_ps": 100 * MS, "phase": {"kind": "uniform", "spread_ps": 0}},
        "tcps": [{
            "flavor": flavor, "options": options, "smss_bytes": 1460, "initial_window_segments": 10,
            "initial_ssthresh_bytes": 1 << 30, "receive_buffer_bytes": 1 << 24, "window_scale": 9,
            "nagle": false, "sws_avoidance": true, "idle_restart": false, "restart_window_segments": null,
            "historic": lab::plan::HistoricTcp::OFF,
        }],
        "workloads": [{"kind": "bulk", "bytes": null, "start_ps": 0, "start_spread_ps": 0}],
        "flows": [flow, flow],
        "probes": {"queue_bin_ps": null, "goodput_bin_ps": null, "cwnd_of": [0, 1], "acr_bin_ps": null, "transport_bin_ps": null},
    });
    Plan::from_json(&plan.to_string()).expect("a plan")
}

fn code() -> Value {
    json!({"python": {"file": "my_tcp.py", "class": "Mine", "text": "class Mine: ..."}})
}

/// Reno by bytes.
#[derive(Default)]
struct Reno {
    acked: u64,
}

impl Control for Reno {
    fn reduces_itself(&self) -> bool {
        false
    }

    fn on_ack(&mut self, values: &mut Values, sender: &Sender, sample: &AckSample) {
        let room = values.ssthresh.saturating_sub(values.cwnd);
        let growth = sample.delivered.min(room);
        values.cwnd += growth;
        if growth < sample.delivered {
            self.acked += sample.delivered - growth;
            let segments = self.acked / values.cwnd;
            self.acked -= segments * values.cwnd;
            values.cwnd += segments * sender.smss;
        }
    }

    fn on_congestion(&mut self, values: &mut Values, sender: &Sender, cause: Cause) {
        self.acked = 0;
        if cause != Cause::RepeatedRto {
            values.ssthresh = (values.cwnd.min(sender.rwnd) / 2).max(2 * sender.smss);
        }
    }
}

/// Makes such a control for every end.
struct Renos;

impl Controls for Renos {
    fn control(&self, end: &ConnectionEnd) -> Box<dyn Control> {
        assert_eq!(end.config, 0);
        assert!(end.flow < 2);
        Box::new(Reno::default())
    }
}

fn controlled(events: u64) -> Columns {
    let controls: Arc<dyn Controls> = Arc::new(Renos);
    let mut run = Run::with_controls(plan(&code()), 7, Some(&controls)).expect("it can be run");
    while run.advance(base::Time::NEVER, events) < 1.0 {}
    run.columns().expect("columns")
}

fn cwnds(columns: &Columns) -> &[u64] {
    let table = &columns.recorded.cwnd;
    match table.columns.iter().find(|column| column.0 == "cwnd_bytes") {
        Some((_, Column::Integers(values))) => values,
        _ => panic!("no such column"),
    }
}

#[test]
fn a_control_outside_gives_what_the_same_one_inside_gives() {
    let inside = run(&plan(&json!("reno_sack")), 7).expect("it can be run");
    let outside = controlled(u64::MAX);
    assert_eq!(format!("{:?}", outside.flows), format!("{:?}", inside.flows));
    assert_eq!(cwnds(&outside), cwnds(&inside));
    assert!(cwnds(&inside).len() > 100, "cwnd moves");
    assert_eq!(cwnds(&controlled(1000)), cwnds(&outside), "whatever the slices");
}

#[test]
fn without_controls_a_plan_with_code_is_refused() {
    let refused = run(&plan(&code()), 7).err().map(|error| error.to_string());
    let reason = "my_tcp.py is a congestion control in Python, which only a simulated run can use";
    assert_eq!(refused.as_deref(), Some(reason));
}
