//! Instructions of runs of which one probe records something, and of the same runs without. Run with `make bench`, which
//! then prints how much more each takes (`benches/probes.py`).
//!
//! | group | what |
//! |---|---|
//! | `few` | two flows of CUBIC over a dumbbell of 10 links, with losses |
//! | `many` | 100 flows of NewReno over one of 402 links, with losses |
//! | `cells` | TCP over ABR, whose rates ERICA+ controls |
//!
//! `nothing` is the run without. `queue`, `goodput` and `transport` record in bins of 100 ms,
//! `acr` and `queue_of_a_link` in ones of 10 ms. What has a row an event is recorded of all flows, or of the bottleneck.
//! `live` is what the lab in the browser shows while a slider moves.
//!
//! In % of the run without, when this was written, and the most that is allowed:
//!
//! | probe | few | many | cells | at most |
//! |---|---|---|---|---|
//! | `queue` | 2.3 | 5.8 | 4.0 | 8 |
//! | `goodput` | 1.6 | 2.9 | 0.3 | 8 |
//! | `cwnd` | 3.2 | 5.5 | 0.8 | 12 |
//! | `rtt` | 4.8 | 3.4 | 0.5 | |
//! | `states` | 3.6 | 4.7 | 0.7 | |
//! | `transport` | 2.5 | 4.4 | 0.5 | |
//! | `acr` | | | 0.3 | |
//! | `segments` | 13.7 | 21.6 | 3.0 | 30 |
//! | `packets` | 13.2 | 18.4 | | 30 |
//! | `live` | 15.4 | | | |

#![allow(missing_docs, reason = "the macros make items without documentation")]

#[path = "../tests/support/atm.rs"]
mod atm;
#[path = "support/dumbbell.rs"]
mod support;

use gungraun::{library_benchmark, library_benchmark_group, main};
use lab::Plan;
use serde_json::{Value, json};
use std::hint::black_box;
use support::{dumbbell, read};

const MS: u64 = 1_000_000_000;
const SECOND: u64 = 1000 * MS;

/// A plan of which this probe, or the probes of this name, record something.
fn recorded(mut plan: Value, probe: &str) -> Plan {
    let flows: Vec<usize> = (0..plan["flows"].as_array().map_or(0, Vec::len)).collect();
    let queue_of_a_link = json!({"queue_bin_ps": 10 * MS, "queue_of": [0]});
    let probes = match probe {
        "nothing" => json!({}),
        "queue" => json!({"queue_bin_ps": 100 * MS}),
        "queue_of_a_link" => queue_of_a_link,
        "goodput" => json!({"goodput_bin_ps": 100 * MS}),
        "acr" => json!({"acr_bin_ps": 10 * MS}),
        "cwnd" => json!({"cwnd_of": flows}),
        "rtt" => json!({"rtt_of": flows}),
        "states" => json!({"states_of": flows}),
        "transport" => json!({"transport_bin_ps": 100 * MS}),
        "segments" => json!({"segments_of": flows}),
        "segments_in_a_window" => json!({"segments_of": [0], "from_ps": 5 * SECOND, "until_ps": 6 * SECOND}),
        "packets" => json!({"packets_of": [0]}),
        "packets_in_a_window" => json!({"packets_of": [0, 1], "from_ps": 5 * SECOND, "until_ps": 6 * SECOND}),
        "live" => json!({
            "queue_bin_ps": 10 * MS, "queue_of": [0], "goodput_bin_ps": 100 * MS, "cwnd_of": flows, "rtt_of": flows,
            "states_of": flows,
        }),
        _ => panic!("there is no case {probe}"),
    };
    for (key, value) in probes.as_object().expect("a table") {
        plan["probes"][key] = value.clone();
    }
    read(&plan)
}

/// All packets have arrived by then.
fn of_15_seconds(mut plan: Value) -> Value {
    plan["duration_ps"] = json!(15 * SECOND);
    plan
}

fn few(probe: &str) -> Plan {
    recorded(of_15_seconds(dumbbell("cubic", 50, 2)), probe)
}

fn many(probe: &str) -> Plan {
    recorded(of_15_seconds(dumbbell("newreno", 200, 100)), probe)
}

fn cells(probe: &str) -> Plan {
    let mut plan = atm::plan(8, &[atm::abr()], &atm::port(&atm::erica(), 1), &atm::bulk());
    plan["duration_ps"] = json!(SECOND);
    recorded(plan, probe)
}

#[library_benchmark]
#[bench::nothing(few("nothing"))]
#[bench::queue(few("queue"))]
#[bench::queue_of_a_link(few("queue_of_a_link"))]
#[bench::goodput(few("goodput"))]
#[bench::cwnd(few("cwnd"))]
#[bench::rtt(few("rtt"))]
#[bench::states(few("states"))]
#[bench::transport(few("transport"))]
#[bench::segments(few("segments"))]
#[bench::segments_in_a_window(few("segments_in_a_window"))]
#[bench::packets(few("packets"))]
#[bench::packets_in_a_window(few("packets_in_a_window"))]
#[bench::live(few("live"))]
fn of_few(plan: Plan) -> lab::Columns {
    black_box(lab::run(&plan, 1).expect("it can be run"))
}

#[library_benchmark]
#[bench::nothing(many("nothing"))]
#[bench::queue(many("queue"))]
#[bench::queue_of_a_link(many("queue_of_a_link"))]
#[bench::goodput(many("goodput"))]
#[bench::cwnd(many("cwnd"))]
#[bench::rtt(many("rtt"))]
#[bench::states(many("states"))]
#[bench::transport(many("transport"))]
#[bench::segments(many("segments"))]
#[bench::packets(many("packets"))]
fn of_many(plan: Plan) -> lab::Columns {
    black_box(lab::run(&plan, 1).expect("it can be run"))
}

#[library_benchmark]
#[bench::nothing(cells("nothing"))]
#[bench::queue(cells("queue"))]
#[bench::goodput(cells("goodput"))]
#[bench::acr(cells("acr"))]
#[bench::cwnd(cells("cwnd"))]
#[bench::rtt(cells("rtt"))]
#[bench::states(cells("states"))]
#[bench::transport(cells("transport"))]
#[bench::segments(cells("segments"))]
fn of_cells(plan: Plan) -> lab::Columns {
    black_box(lab::run(&plan, 1).expect("it can be run"))
}

library_benchmark_group!(name = probes, benchmarks = [of_few, of_many, of_cells]);
main!(library_benchmark_groups = probes);
