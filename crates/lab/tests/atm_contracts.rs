//! Guaranteed rate, GFR contracts and queues for VCs under TCP, end to end.

#[path = "support/atm.rs"]
mod support;

use lab::{Columns, run};
use serde_json::{Value, json};
use support::*;

fn columns(plan: &Value, seed: u64) -> Columns {
    run(&read(plan), seed).expect("it can be run")
}

/// Frame counters of VCs.
const FRAMES: [&str; 7] = [
    "frames",
    "frames_eligible",
    "frames_tagged",
    "frames_delivered",
    "eligible_delivered",
    "cells_delivered",
    "eligible_lost",
];

/// A transfer for each of these services, over a port that is changed.
fn transfers(services: &[Value], change: impl Fn(&mut Value)) -> Value {
    let mut changed = port(&json!({"name": "none"}), 600);
    change(&mut changed);
    let mut plan = plan(services.len() as u32, services, &changed, &bulk());
    plan["links"][0]["flow_services"] = json!((0..services.len()).collect::<Vec<_>>());
    plan["tcps"][0]["initial_ssthresh_bytes"] = json!(20_000);
    plan["duration_ps"] = json!(4_000 * MS);
    plan["warm_up_ps"] = json!(1_000 * MS);
    plan
}

fn dfba() -> Value {
    json!({"name": "dfba", "l_cells": 300, "h_cells": 540, "alpha_ppm": 500_000})
}

/// VBR would take all of the trunk. UBR gets what is guaranteed: nothing, or a fifth.
#[test]
fn a_guaranteed_rate_is_what_ubr_gets_beside_vbr() {
    for (share_ppb, least, most) in [(0, 0.0, 0.0), (200_000_000, 0.15, 0.2001)] {
        let mut plan = transfers(&[ubr(), ubr(), vbr()], |port| port["ubr_share_ppb"] = json!(share_ppb));
        plan["links"][0]["flow_services"] = json!([0, 0, 0]);
        plan["links"][0]["sources"] = json!([source(3, 0, 2, &constant(50_000_000))]);
        let columns = columns(&plan, 1);
        let (lines, services) = (whole(&columns.classes, "port"), whole(&columns.classes, "service"));
        let row = (0..lines.len()).find(|&row| (lines[row], services[row]) == (DATA, 2)).expect("UBR");
        let carried = whole(&columns.classes, "cells_carried")[row] as f64 / 3.0 / TRUNK_CELLS;
        assert!((least..=most).contains(&carried), "{share_ppb}: {carried}");
        // Work conserving: the trunk is as busy as it was.
        let trunk = whole(&columns.ports, "link").iter().position(|&line| line == DATA).expect("the trunk");
        assert!(real(&columns.ports, "utilisation")[trunk] > 0.9999);
    }
}

/// With a queue each, four TCPs have their MCRs of 20, 10, 5 and 2 of 45 Mbit/s, and what is left in equal parts or in
/// proportion. The data travel on VCs 4 to 7.
#[test]
fn queues_for_vcs_give_each_its_mcr() {
    let mcrs = [20_000_000, 10_000_000, 5_000_000, 2_000_000];
    for excess in ["equal", "proportional"] {
        let plan = transfers(&mcrs.map(gfr), |port| {
            port["ubr_queueing"] = json!({"name": "per_vc", "excess": excess});
            port["ubr_buffer_cells"] = json!(4000);
            port["policy"] = json!({"name": "double_epd", "l_cells": 2000, "h_cells": 3600});
        });
        let cells = whole(&columns(&plan, 1).vcs, "cells_delivered");
        let rates: Vec<f64> = cells[4..].iter().map(|&cells| cells as f64 * 424.0 / 3.0).collect();
        for (rate, mcr) in rates.iter().zip(mcrs) {
            assert!(*rate > 0.97 * mcr as f64, "{excess} {rates:?}");
        }
        assert!(rates.iter().sum::<f64>() > 0.95 * 45e6, "{rates:?}");
    }
}

/// What is counted of frames, with DFBA on one queue.
#[test]
fn frames_are_counted_where_they_enter_and_where_they_leave() {
    let mut plan = transfers(&[gfr(20_000_000), gfr(2_000_000), ubr(), abr()], |port| {
        (port["policy"], port["ubr_share_ppb"]) = (dfba(), json!(800_000_000));
    });
    plan["warm_up_ps"] = json!(0);
    let columns = columns(&plan, 1);
    let [frames, eligible, tagged, delivered, eligible_delivered, cells, lost] =
        FRAMES.map(|name| whole(&columns.vcs, name));
    for vc in 0..8 {
        let counted =
            (frames[vc], eligible[vc], tagged[vc], delivered[vc], eligible_delivered[vc], cells[vc]);
        match vc % 4 {
            // A frame is eligible or tagged, if it conforms; those of TCP do.
            0 | 1 => {
                assert_eq!(eligible[vc] + tagged[vc], frames[vc], "{counted:?}");
                assert!(eligible[vc] > 0 && eligible_delivered[vc] <= delivered[vc]);
                // The others are under way.
                let known = eligible_delivered[vc] + lost[vc];
                assert!((known..known + 100).contains(&eligible[vc]), "{counted:?} {}", lost[vc]);
            }
            2 => assert!(frames[vc] > 0 && eligible[vc] + tagged[vc] + eligible_delivered[vc] == 0),
            _ => assert_eq!(counted, (0, 0, 0, 0, 0, 0)),
        }
        // Data are 12 cells, ACKs and SYNs 2.
        let most = delivered[vc] * if vc < 4 { 2 } else { 12 };
        assert!((most.saturating_sub(30)..=most).contains(&cells[vc]), "{counted:?}");
        assert!(delivered[vc] <= frames[vc]);
    }
    assert_eq!(lost[2] + lost[3] + lost[6] + lost[7], 0);
    assert!(tagged[4] + tagged[5] > 100 && delivered[4] > delivered[5]);
}

/// DFBA draws from its own stream: its draws depend on the seed alone.
#[test]
fn chance_is_the_seeds() {
    let mut plan = transfers(&[gfr(20_000_000), gfr(2_000_000), ubr()], |port| port["policy"] = dfba());
    plan["duration_ps"] = json!(1_500 * MS);
    let text = |seed| format!("{:?}", columns(&plan, seed).ports);
    assert_eq!(text(1), text(1));
    assert_ne!(text(1), text(2));
}

/// Totals after the warm-up are those of the whole run less those of its beginning.
#[test]
fn the_warm_up_is_left_out() {
    let of = |duration_ps: u64, warm_up_ps: u64| {
        // EPD, which ignores eligibility.
        let mut plan = transfers(&[gfr(20_000_000), ubr()], |_| {});
        (plan["duration_ps"], plan["warm_up_ps"]) = (json!(duration_ps), json!(warm_up_ps));
        columns(&plan, 1)
    };
    let (all, first, rest) = (of(3_000 * MS, 0), of(1_000 * MS, 0), of(3_000 * MS, 1_000 * MS));
    for column in FRAMES {
        let [all, first, rest] = [&all, &first, &rest].map(|run| whole(&run.vcs, column));
        let difference: Vec<u64> = all.iter().zip(&first).map(|(all, first)| all - first).collect();
        assert_eq!(difference, rest, "{column}");
        assert!(rest.iter().sum::<u64>() > 0, "{column}");
    }
}
