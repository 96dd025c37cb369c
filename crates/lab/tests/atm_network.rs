//! TCP and sources of cells over small ATM networks, end to end.

#[path = "support/atm.rs"]
mod support;

use lab::capture::{Kept, Place, Point, Request};
use lab::{Columns, Table, capture, run};
use serde_json::{Value, json};
use support::*;

fn columns(plan: &Value) -> Columns {
    run(&read(plan), 1).expect("it can be run")
}

fn sum(table: &Table, column: &str) -> u64 {
    whole(table, column).iter().sum()
}

/// A value of the row of the line that carries the data.
fn of_data(table: &Table, id: &str, column: &str) -> f64 {
    let place = whole(table, id).iter().position(|line| *line == DATA).expect("it has a port");
    match table.columns.iter().find(|(name, _)| *name == column).expect("a column") {
        (_, lab::Values::Integers(values)) => values[place] as f64,
        (_, lab::Values::Reals(values)) => values[place],
        _ => panic!("{column} is no column of numbers"),
    }
}

/// Payload that arrives a second if the line is always busy, and this part of its cells are of ABR. Of 32
/// cells one is an FRM and b are BRMs, about the VC back, whose cells are two of ACK for each 12 of data, and a
/// BRM about this VC for each FRM: 31 b = (31 - b) / 6 + 1.
fn abr_payload(part: f64) -> f64 {
    let brms = (31.0 / 6.0 + 1.0) / (31.0 + 1.0 / 6.0);
    part * TRUNK_CELLS * (31.0 - brms) / 32.0 * 512.0 / 12.0
}

fn is_near(found: f64, expected: f64, part: f64) -> bool {
    (found / expected - 1.0).abs() < part
}

/// Two transfers fill the trunk, evenly, and lose nothing. (The network of 004, section 6: 31/32 of 512 bytes
/// in 12 cells.)
#[test]
fn bulk_over_abr_gets_what_the_cells_leave() {
    let mut plan = plan(2, &[abr()], &port(&erica(), 1), &bulk());
    plan["duration_ps"] = json!(20_000 * MS);
    plan["warm_up_ps"] = json!(10_000 * MS);
    let columns = columns(&plan);
    let delivered = whole(&columns.flows, "delivered_bytes");
    let a_second = delivered.iter().sum::<u64>() as f64 / 10.0;
    assert!(is_near(a_second, abr_payload(1.0), 0.01), "{a_second} of {}", abr_payload(1.0));
    assert!(is_near(a_second, 31.0 / 32.0 * TRUNK_CELLS * 512.0 / 12.0, 0.01));
    assert!(is_near(delivered[0] as f64, delivered[1] as f64, 0.02), "{delivered:?}");
    for lost in ["cells_refused", "cells_overflowed", "cells_cut"] {
        assert_eq!(sum(&columns.ports, lost), 0);
    }
    assert_eq!(sum(&columns.classes, "cells_lost") + sum(&columns.flows, "segments_retransmitted"), 0);
    // 500 us are 53 cells.
    let queue = of_data(&columns.classes, "port", "mean_queued");
    assert!((10.0..200.0).contains(&queue), "{queue}");
    assert!(of_data(&columns.ports, "link", "utilisation") > 0.98);
    // The senders' VCs have half of the trunk each.
    let acr = real(&columns.vcs, "mean_acr_bit_s");
    assert!(acr[2..].iter().all(|acr| is_near(*acr, 22.5e6, 0.05)), "{acr:?}");
}

/// VBR takes a third of the trunk, and goes before ABR.
#[test]
fn abr_gets_what_vbr_leaves() {
    let mut plan = plan(2, &[abr(), vbr()], &port(&erica(), 1), &bulk());
    plan["duration_ps"] = json!(20_000 * MS);
    plan["warm_up_ps"] = json!(10_000 * MS);
    plan["links"][0]["sources"] = json!([source(3, 1, 1, &constant(15_000_000))]);
    let columns = columns(&plan);
    let a_second = sum(&columns.flows, "delivered_bytes") as f64 / 10.0;
    assert!(is_near(a_second, abr_payload(2.0 / 3.0), 0.01), "{a_second}");
    let services = whole(&columns.classes, "service");
    // The trunk and one line behind it, there and back.
    assert_eq!(services.iter().filter(|service| **service == 0).count(), 4);
    let vbr = services.iter().position(|service| *service == 0).expect("there is");
    assert!(whole(&columns.classes, "max_queued")[vbr] <= 2);
    // 15e6 / 424 a second for ten of them.
    assert!(whole(&columns.vcs, "cells_sent")[4].abs_diff(353_774) <= 1);
    assert_eq!(whole(&columns.vcs, "rm_sent")[4..], [0, 0]);
}

/// Windows of 1 MB into a buffer of 500 cells: frames are refused, TCP sends again.
#[test]
fn bulk_over_ubr_loses_and_recovers() {
    let mut plan = plan(2, &[ubr()], &port(&json!({"name": "none"}), 500), &bulk());
    for flow in 0..2 {
        plan["flows"][flow]["foreground"] = json!(flow == 1);
    }
    let columns = columns(&plan);
    assert!(sum(&columns.ports, "cells_refused") > 1000);
    assert!(sum(&columns.ports, "frames_refused") > 100);
    assert!(of_data(&columns.ports, "link", "max_queue_cells") <= 500.0);
    let frames = ["frames_refused", "frames_cut"].map(|fate| of_data(&columns.ports, "link", fate) as u64);
    let again = sum(&columns.flows, "segments_retransmitted");
    assert!(again >= frames.iter().sum::<u64>() - 100 && again > 100, "{again} {frames:?}");
    assert!(sum(&columns.flows, "delivered_bytes") > 10_000_000);
    let foreground = &columns.foreground;
    let (lost, events) = (whole(foreground, "segments_lost"), whole(foreground, "loss_events"));
    assert!(whole(foreground, "flow") == [1] && lost[0] > 20 && (1..=lost[0]).contains(&events[0]));
    assert!(real(&columns.vcs, "mean_acr_bit_s").iter().all(|acr| acr.is_nan()));
}

/// Cells that find the buffer full cut frames of ABR, too.
#[test]
fn a_small_abr_buffer_cuts_frames() {
    let mut small = port(&json!({"name": "none"}), 1);
    small["abr_buffer_cells"] = json!(50);
    let mut plan = plan(2, &[abr()], &small, &bulk());
    // Without a rate control, every BRM raises ACR to PCR.
    plan["duration_ps"] = json!(3_000 * MS);
    plan["flows"][0]["foreground"] = json!(true);
    let columns = columns(&plan);
    assert!(of_data(&columns.classes, "port", "cells_lost") > 100.0);
    assert_eq!(of_data(&columns.classes, "port", "max_queued"), 50.0);
    assert!(sum(&columns.foreground, "segments_lost") > 10);
    assert!(sum(&columns.flows, "delivered_bytes") > 100_000);
}

/// A switch that only marks cells keeps the queue about its threshold.
#[test]
fn efci_holds_the_rates_down() {
    let mut plan = plan(2, &[abr()], &port(&json!({"name": "efci", "threshold_cells": 200}), 1), &bulk());
    plan["links"][0]["services"][0]["rif_inverse"] = json!(512);
    let (marked, columns) = (columns(&plan), |plan: &Value| columns(plan));
    plan["links"][0]["ports"][0]["rate_control"] = json!({"name": "none"});
    let queue = |columns: &Columns| of_data(&columns.classes, "port", "max_queued");
    assert!(2.0 * queue(&marked) < queue(&columns(&plan)), "{}", queue(&marked));
    assert!(is_near(sum(&marked.flows, "delivered_bytes") as f64 / 10.0, abr_payload(1.0), 0.2));
}

/// Everything that clients request early enough arrives in order; sending the first request of a batch alone has an
/// effect.
#[test]
fn web_clients_get_their_files() {
    for (first_alone, service) in [(true, abr()), (false, abr()), (true, ubr())] {
        let mut plan = plan(4, &[service], &port(&erica(), 20_000), &web(first_alone));
        plan["warm_up_ps"] = json!(4_000 * MS);
        let responses = columns(&plan).responses;
        let [flows, batches, requests] = ["flow", "batch", "request"].map(|name| whole(&responses, name));
        let [asked, came] = ["requested_s", "completed_s"].map(|name| real(&responses, name));
        assert!(flows.is_sorted() && asked.iter().all(|at| *at >= 4.0));
        // Three batches of each client begin from 4 s on, but for the last requests of some.
        assert!((50..=60).contains(&flows.len()), "{}", flows.len());
        let mut after_the_first = 0;
        for (row, request) in requests.iter().enumerate() {
            assert!(asked[row] > 9.0 || came[row] > asked[row] + 0.000_3, "an RTT at least");
            let same_batch = row > 0 && (flows[row], batches[row]) == (flows[row - 1], batches[row - 1]);
            assert_eq!(same_batch, *request > 0);
            if same_batch {
                assert!(came[row].is_nan() || came[row] >= came[row - 1]);
                assert!(asked[row] >= asked[row - 1]);
                let first = row - *request as usize;
                after_the_first += usize::from(asked[row] >= came[first]);
            }
        }
        let others = requests.iter().filter(|request| **request > 0).count();
        assert!((after_the_first == others) == first_alone, "{after_the_first} {others}");
    }
}

/// The results depend on plan and seed only; probes change nothing.
#[test]
fn observers_change_nothing() {
    let mut plan = plan(3, &[abr(), vbr()], &port(&erica(), 1), &web(true));
    plan["duration_ps"] = json!(4_000 * MS);
    let turns = json!({"kind": "on_off", "rate_bps": 20_000_000, "on": {"law": "exponential", "mean_ps": 50 * MS},
        "off": {"law": "exponential", "mean_ps": 50 * MS}});
    plan["links"][0]["sources"] = json!([source(3, 0, 1, &turns)]);
    let bare = columns(&plan);
    let text = |table: &Table| format!("{table:?}");
    assert_eq!(format!("{bare:?}"), format!("{:?}", columns(&plan)));
    let other = run(&read(&plan), 2).expect("it can be run");
    assert_ne!(bare.ports, other.ports);
    plan["probes"] = json!({
        "queue_bin_ps": 10 * MS, "goodput_bin_ps": 70 * MS, "cwnd_of": [0], "acr_bin_ps": 30 * MS,
        "transport_bin_ps": 50 * MS,
    });
    plan["flows"][1]["foreground"] = json!(true);
    let watched = columns(&plan);
    assert_eq!(text(&bare.flows), text(&watched.flows));
    assert_eq!(text(&bare.vcs), text(&watched.vcs));
    assert_eq!(text(&bare.responses), text(&watched.responses));
    assert_eq!((&bare.ports, &bare.classes), (&watched.ports, &watched.classes));
    // A row a line with a port and bin: the trunk both ways, and to six hosts.
    let lines = whole(&watched.recorded.queue, "link");
    let mut ids = lines.clone();
    ids.dedup();
    assert_eq!(ids, whole(&watched.ports, "link"));
    assert_eq!(ids, [0, 1, 3, 5, 7, 9, 11, 13]);
    assert_eq!(lines.len(), 8 * 400);
    let lengths = whole(&watched.recorded.queue, "max_length");
    for (place, line) in ids.iter().enumerate() {
        let most = (0..lines.len()).filter(|row| lines[*row] == *line).map(|row| lengths[row]).max();
        assert_eq!(most, Some(whole(&watched.ports, "max_queue_cells")[place]));
    }
}

/// Totals after the warm-up are those of the whole run less those of its beginning.
#[test]
fn the_warm_up_is_left_out() {
    let of = |duration_ps: u64, warm_up_ps: u64| {
        let mut plan = plan(2, &[abr(), ubr()], &port(&erica(), 400), &bulk());
        (plan["duration_ps"], plan["warm_up_ps"]) = (json!(duration_ps), json!(warm_up_ps));
        plan["links"][0]["flow_services"] = json!([0, 1]);
        columns(&plan)
    };
    let (all, first, rest) = (of(3_000 * MS, 0), of(1_000 * MS, 0), of(3_000 * MS, 1_000 * MS));
    let counts = [
        ("ports", ["cells_offered", "cells_carried", "frames_offered", "frames_refused"].as_slice()),
        ("classes", &["cells_offered", "cells_carried", "cells_lost"]),
        ("vcs", &["cells_sent", "cells_received", "rm_sent", "rm_received"]),
    ];
    for (name, columns) in counts {
        let table = |columns: &Columns| {
            let tables = columns.clone().into_tables();
            tables.into_iter().find(|table| table.0 == name).expect("a table").1
        };
        for column in columns {
            let [all, first, rest] = [&all, &first, &rest].map(|run| whole(&table(run), column));
            let difference: Vec<u64> = all.iter().zip(&first).map(|(all, first)| all - first).collect();
            assert_eq!(difference, rest, "{name}.{column}");
        }
    }
    let [all, first, rest] = [&all, &first, &rest].map(|run| real(&run.vcs, "mean_acr_bit_s"));
    for vc in [0, 2] {
        assert!(is_near((3.0 * all[vc] - first[vc]) / 2.0, rest[vc], 1e-9));
        assert!(all[vc + 1].is_nan() && rest[vc + 1].is_nan());
    }
}

/// Three sources that always have a cell, and no TCP.
#[test]
fn sources_need_no_flow() {
    let mut plan = greedy(3);
    plan["links"][0]["sources"][2]["start_ps"] = json!(2_000 * MS);
    plan["links"][0]["sources"][2]["stop_ps"] = json!(3_000 * MS);
    plan["duration_ps"] = json!(4_000 * MS);
    plan["probes"]["acr_bin_ps"] = json!(500 * MS);
    let columns = columns(&plan);
    assert_eq!(whole(&columns.flows, "flow").len(), 0);
    let (vcs, acrs) = (whole(&columns.recorded.acr, "vc"), real(&columns.recorded.acr, "acr_bit_s"));
    assert_eq!((vcs.len(), real(&columns.recorded.acr, "time_s")[9]), (6 * 8, 0.5));
    // Before it starts it has its ICR; then shares of a half, a third, a half; each way back has RM cells only.
    let acr = |source: usize, bin: usize| acrs[2 * source * 8 + bin];
    assert_eq!(acr(2, 0), 10e6);
    for (bin, share) in [(2, 2.0), (3, 2.0), (5, 3.0), (7, 2.0)] {
        for source in 0..2 {
            assert!(is_near(acr(source, bin), 45e6 / share, 0.05), "{bin} {}", acr(source, bin));
        }
    }
    let sent = whole(&columns.vcs, "cells_sent");
    assert!(sent[1] + sent[3] + sent[5] == 0 && sent[0] > sent[4]);
    let rms = whole(&columns.vcs, "rm_received");
    assert!(rms[0].abs_diff(sent[0] / 31) < 200 && rms[0] > 1000);
}

/// TBE in a round trip is a limit at the start.
#[test]
fn acr_begins_where_tbe_allows() {
    let mut plan = greedy(1);
    plan["links"][0]["services"][0]["tbe_cells"] = json!(3);
    plan["probes"]["acr_bin_ps"] = json!(MS / 10);
    plan["duration_ps"] = json!(2 * MS);
    let acrs = real(&columns(&plan).recorded.acr, "acr_bit_s");
    // There and back three lines of 50 us, two cells of 2.7 us and one of 9.4 us, for 3 cells.
    let expected = 3.0 * 424.0 / (300e-6 + 2.0 * (9_422_222e-12 + 2.0 * 2_726_337e-12));
    assert!(is_near(acrs[0], expected, 1e-12), "{} {expected}", acrs[0]);
}

#[test]
fn the_hosts_of_a_network_can_be_captured() {
    let mut plan = plan(1, &[ubr()], &port(&json!({"name": "none"}), 100), &bulk());
    plan["duration_ps"] = json!(2_000 * MS);
    let plan = read(&plan);
    let place = |name: &str, place| Point { name: name.into(), place };
    let request = Request {
        title: "a test".into(),
        links: vec!["the ATM network".into()],
        points: vec![place("sender", Place::Node(1)), place("receiver", Place::Node(0))],
        kept: Kept::Headers,
    };
    let captured = capture(&plan, 1, &request).expect("it can be captured");
    let [sender, receiver] = [0, 1].map(|point| captured.counts[point]);
    assert!(sender.lost > 10 && sender.retransmissions >= sender.lost / 2 && receiver.packets > 1000);
    let text = String::from_utf8_lossy(&captured.pcapng).into_owned();
    assert!(text.contains("frame refused by a port's policy: the ATM network at "));
    assert_eq!(
        format!("{:?}", captured.columns.flows),
        format!("{:?}", run(&plan, 1).expect("it runs").flows)
    );
}
