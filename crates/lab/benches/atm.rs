//! Instructions of cells over a small ATM network, with all that they cause. Run with `make bench`.
//!
//! Each case keeps a trunk of 45 Mbit/s busy for a second: about 100,000 cells, each of which crosses three
//! lines, and a fifth as many on the way back. With TCP, 12 of them are a data packet and 2 an ACK. Making the
//! world hardly counts beside that, so a cell takes a hundred-thousandth of what is shown.

#![allow(missing_docs, reason = "the macros make items without documentation")]

#[path = "../tests/support/atm.rs"]
mod support;

use gungraun::{library_benchmark, library_benchmark_group, main};
use lab::Plan;
use serde_json::{Value, json};
use std::hint::black_box;
use support::{MS, abr, bulk, constant, erica, gfr, greedy, plan, port, read, source, ubr, vbr};

fn a_second(mut plan: Value) -> Plan {
    plan["duration_ps"] = json!(1_000 * MS);
    read(&plan)
}

/// Transfers over ABR, whose rates ERICA+ controls.
fn tcp_over_abr() -> Plan {
    a_second(plan(8, &[abr()], &port(&erica(), 1), &bulk()))
}

/// Beside a source of VBR, which is on half of the time.
fn tcp_beside_vbr() -> Plan {
    let mut plan = plan(8, &[abr(), vbr()], &port(&erica(), 1), &bulk());
    let turns = json!({"law": "exponential", "mean_ps": 20 * MS});
    let law = json!({"kind": "on_off", "rate_bps": 20_000_000, "on": turns, "off": turns});
    plan["links"][0]["sources"] = json!([source(8, 0, 1, &law)]);
    a_second(plan)
}

/// Into a buffer of 1000 cells with EPD.
fn tcp_over_ubr() -> Plan {
    a_second(plan(8, &[ubr()], &port(&json!({"name": "none"}), 1000), &bulk()))
}

/// With contracts for half of the trunk: policed, tagged, and let in by DFBA.
fn tcp_over_gfr() -> Plan {
    let mut port = port(&json!({"name": "none"}), 1000);
    port["policy"] = json!({"name": "dfba", "l_cells": 500, "h_cells": 900, "alpha_ppm": 500_000});
    a_second(plan(8, &[gfr(2_800_000)], &port, &bulk()))
}

/// In queues of their own, half of the line guaranteed beside VBR that would take most of it.
fn tcp_in_queues_for_vcs() -> Plan {
    let mut port = port(&json!({"name": "none"}), 1000);
    port["policy"] = json!({"name": "double_epd", "l_cells": 500, "h_cells": 900});
    port["ubr_queueing"] = json!({"name": "per_vc", "excess": "equal"});
    port["ubr_share_ppb"] = json!(500_000_000);
    let mut plan = plan(8, &[gfr(2_800_000), vbr()], &port, &bulk());
    plan["links"][0]["sources"] = json!([source(8, 0, 1, &constant(40_000_000))]);
    a_second(plan)
}

/// ABR sources that always have a cell, without TCP.
fn cells_alone() -> Plan {
    a_second(greedy(8))
}

#[library_benchmark]
#[bench::cells_alone(cells_alone())]
#[bench::tcp_over_abr(tcp_over_abr())]
#[bench::tcp_beside_vbr(tcp_beside_vbr())]
#[bench::tcp_over_ubr(tcp_over_ubr())]
#[bench::tcp_over_gfr(tcp_over_gfr())]
#[bench::tcp_in_queues_for_vcs(tcp_in_queues_for_vcs())]
fn cells(plan: Plan) -> lab::Columns {
    black_box(lab::run(&plan, 1).expect("it can be run"))
}

library_benchmark_group!(name = network, benchmarks = cells);
main!(library_benchmark_groups = network);
