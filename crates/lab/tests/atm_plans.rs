//! Invalid plans of ATM networks: each is refused with a correct value, and none makes the laboratory panic
//! or run without end.

#[path = "support/atm.rs"]
mod support;

use lab::{Plan, run};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::*;

/// A plan with everything in it: two flows, of ABR and of GFR, and sources of every kind.
fn full() -> Value {
    let mut plan = plan(2, &[abr(), ubr(), vbr(), gfr(1_000_000)], &port(&erica(), 400), &bulk());
    plan["links"][0]["flow_services"] = json!([0, 3]);
    let exponential = json!({"law": "exponential", "mean_ps": 50 * MS});
    let laws = [
        json!({"kind": "greedy"}),
        constant(1_000_000),
        json!({"kind": "on_off", "rate_bps": 2_000_000, "on": exponential, "off": exponential}),
        json!({"kind": "video", "frame_ps": 40 * MS, "gop": "IPB", "mean_bytes": [5000, 2000, 1000],
            "cv_ppm": 500_000, "correlation_ppm": 800_000}),
    ];
    let sources = [0, 1, 2, 2].into_iter().zip(&laws).map(|(service, law)| source(2, 1, service, law));
    plan["links"][0]["sources"] = sources.collect();
    plan["duration_ps"] = json!(300 * MS);
    plan
}

/// The error that the plan gets after something in the network was changed.
fn told(place: &str, value: &Value) -> String {
    let mut plan = full();
    *at(&mut plan["links"][0], place) = value.clone();
    told_of(&plan)
}

/// The value at a place like `lines.7.to`.
fn at<'a>(value: &'a mut Value, place: &str) -> &'a mut Value {
    place.split('.').fold(value, |within, step| {
        let found = match step.parse::<usize>() {
            Ok(number) => within.get_mut(number),
            Err(_) => within.get_mut(step),
        };
        found.expect("it is there")
    })
}

fn told_of(plan: &Value) -> String {
    match Plan::from_json(&plan.to_string()).and_then(|plan| run(&plan, 1)) {
        Ok(_) => "nothing".into(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_full_plan_runs() {
    assert_eq!(told_of(&full()), "nothing");
    assert_eq!(told_of(&greedy(2)), "nothing");
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let erica = "ports.0.rate_control";
    let control = "ports.0.rate_control.queue_control";
    let curve = |kind: &str, a: u32, b: u32, floor: u32| json!({"kind": kind, "target_delay_ps": MS, "a_ppb": a, "b_ppb": b, "floor_ppb": floor});
    let video = "sources.3.law";
    let late = json!(2_000_000_000_000_000_000_u64);
    let a_time = "a time must be at most 1e18 ps (eleven days)";
    for (place, value, expected) in [
        ("hosts", json!(0), "`hosts` must be 1 to 100000"),
        ("first", json!(1), "an ATM network names an unknown node"),
        ("first", json!(u32::MAX), "an ATM network names an unknown node"),
        ("hosts", json!(3), "a flow names a node outside the ATM network"),
        ("switches", json!(1001), "`switches` must be at most 1000"),
        ("switches", json!(1), "a line names an unknown point"),
        ("flow_services", json!([0]), "`flow_services` must have as many entries as there are flows"),
        ("flow_services.1", json!(4), "`flow_services` names an unknown service"),
        ("lines.2.from", json!(1), "a host must have one line out at most"),
        ("lines.2.to", json!(6), "a line names an unknown point"),
        ("lines.2.to", json!(0), "a line must join two points"),
        ("lines.0.cost", json!(0), "`cost` must be positive"),
        ("lines.0.cell_time_ps", json!(0), "`cell_time_ps` must be 424 to 1e12 (1 Tbit/s to 424 bit/s)"),
        ("lines.0.delay_ps", late.clone(), a_time),
        (
            "lines.0.port",
            json!(null),
            "a line from a switch must have a `port`, and a line from a host must not",
        ),
        (
            "lines.2.port",
            json!(0),
            "a line from a switch must have a `port`, and a line from a host must not",
        ),
        ("lines.0.port", json!(1), "a line names an unknown port"),
        ("ports.0.vbr_buffer_cells", json!(0), "a buffer must have room for a cell"),
        ("ports.0.ubr_buffer_cells", json!(0), "a buffer must have room for a cell"),
        ("ports.0.ubr_share_ppb", json!(1_000_000_001), "`ubr_share_ppb` must be at most 1e9"),
        (
            "ports.0.policy",
            json!({"name": "double_epd", "l_cells": 91, "h_cells": 90}),
            "`l_cells` must be at most `h_cells`",
        ),
        (
            "ports.0.policy",
            json!({"name": "dfba", "l_cells": 50, "h_cells": 90, "alpha_ppm": 1_000_001}),
            "`alpha_ppm` must be at most 1e6",
        ),
        (&format!("{erica}.interval_cells"), json!(0), "`interval_cells` must be positive"),
        (
            &format!("{erica}.interval_ps"),
            json!(999_999),
            "`interval_ps` must be 1e6 to 1e18 (at least a microsecond)",
        ),
        (&format!("{erica}.load_weight_ppb"), json!(0), "`load_weight_ppb` must be positive and at most 1e9"),
        (&format!("{erica}.vc_decay_ppb"), json!(1_000_000_000), "`vc_decay_ppb` must be below 1e9"),
        (
            control,
            json!({"kind": "constant", "target_ppb": 0}),
            "`target_ppb` must be positive and at most 1e9",
        ),
        (control, curve("hyperbolic", 1_000_000_000, 1_050_000_000, 1), "`a_ppb` must be above 1e9"),
        (control, curve("inverse_hyperbolic", 1_100_000_000, 999_999_999, 1), "`b_ppb` must be at least 1e9"),
        (
            control,
            curve("hyperbolic", 1_100_000_000, 1_000_000_000, 0),
            "`floor_ppb` must be positive and at most 1e9",
        ),
        (
            &format!("{control}.target_delay_ps"),
            json!(0),
            "`target_delay_ps` must be positive and at most 1e18",
        ),
        (
            control,
            json!({"kind": "step", "target_delay_ps": MS, "a_ppb": 2_000_000_000_u32, "b_ppb": 1_050_000_000,
                "step_ppb": 999_999, "floor_ppb": 1}),
            "`step_ppb` must be at least 1e6",
        ),
        ("services.0.pcr_bps", json!(0), "`pcr_bps` must be 1 to 1e12"),
        ("services.0.mcr_bps", json!(200_000_000), "`mcr_bps` and `icr_bps` must not exceed `pcr_bps`"),
        ("services.0.icr_bps", json!(200_000_000), "`mcr_bps` and `icr_bps` must not exceed `pcr_bps`"),
        ("services.0.nrm", json!(31), "`nrm` must be a power of two from 2 to 256"),
        (
            "services.0.rdf_inverse",
            json!(3),
            "`rif_inverse`, `rdf_inverse` and `cdf_inverse` must be powers of two, at most 32768",
        ),
        ("services.0.trm_ps", json!(0), "`trm_ps` must be positive"),
        ("services.0.tbe_cells", json!(0), "`tbe_cells` must be positive"),
        ("services.0.crm", json!(0), "`crm` must be positive"),
        ("services.0.tcr_cells_s", json!(0), "`tcr_cells_s` must be positive"),
        ("services.0.frtt_ps", json!(0), "`frtt_ps` must be positive"),
        ("services.0.adtf_ps", late.clone(), a_time),
        ("services.3.pcr_bps", json!(0), "`pcr_bps` must be 1 to 1e12"),
        ("services.3.mcr_bps", json!(155_520_001), "`mcr_bps` must not exceed `pcr_bps`"),
        ("services.3.mbs_cells", json!(0), "`mbs_cells` must be positive"),
        ("services.3.mfs_cells", json!(0), "`mfs_cells` must be positive"),
        ("services.3.cdvt_ps", late.clone(), a_time),
        ("sources.0.to", json!(4), "a cell source names an unknown host"),
        ("sources.0.to", json!(2), "a cell source must join two hosts"),
        ("sources.0.service", json!(4), "a cell source names an unknown service"),
        ("sources.0.service", json!(1), "a greedy cell source must be of ABR"),
        ("sources.0.stop_ps", json!(0), "`stop_ps` must be above `start_ps`"),
        ("sources.0.start_ps", late, a_time),
        ("sources.1.law.rate_bps", json!(0), "`rate_bps` must be 1 to 1e12"),
        (
            "sources.2.law.rate_bps",
            json!(1000),
            "the mean of `on` must be at least a cell's time at its rate",
        ),
        ("sources.2.law.off.mean_ps", json!(0), "`mean_ps` must be positive"),
        (&format!("{video}.frame_ps"), json!(423), "`frame_ps` must be at least 424"),
        (&format!("{video}.gop"), json!(""), "`gop` must be 1 to 1000 letters I, P, B"),
        (&format!("{video}.gop"), json!("IPb"), "`gop` must be 1 to 1000 letters I, P, B"),
        (&format!("{video}.mean_bytes.1"), json!(0), "`mean_bytes` must be 1 to 2**40"),
        (&format!("{video}.correlation_ppm"), json!(1_000_000), "`correlation_ppm` must be below a million"),
    ] {
        assert_eq!(told(place, &value), format!("plan: {expected}"), "{place} {value}");
    }
}

/// What names something else of the plan.
#[test]
fn networks_that_lead_nowhere_are_refused() {
    let policy = json!({"name": "red"});
    assert!(told("ports.0.policy", &policy).starts_with("no frame policy `red`; there are tail, "));
    assert_eq!(told("ports.0.policy", &json!({"name": "epd"})), "the parameters of `epd` are: r_cells");
    // Host 2 has no line in; hosts do not pass cells on.
    assert_eq!(told("lines.7.to", &json!(0)), "the ATM network: no lines lead from host 0 to host 2");
    assert_eq!(told("lines.0.from", &json!(4)), "plan: a line must join two points");
    let none = json!([]);
    assert_eq!(told("lines", &none), "the ATM network: no lines lead from host 0 to host 2");
    let mut plan = full();
    let second = plan["links"][0].clone();
    plan["links"].as_array_mut().expect("links").push(second);
    assert_eq!(told_of(&plan), "plan: an ATM network must be the plan's one link");
    let mut plan = full();
    (plan["flows"], plan["links"][0]["flow_services"], plan["links"][0]["sources"]) =
        (none.clone(), none.clone(), none);
    assert_eq!(told_of(&plan), "plan: there must be a flow, or a source of cells");
    let mut plan = full();
    plan["probes"]["acr_bin_ps"] = json!(0);
    assert_eq!(told_of(&plan), "plan: `acr_bin_ps` must be positive");
    plan["probes"].as_object_mut().expect("an object").remove("acr_bin_ps");
    assert!(told_of(&plan).starts_with("not a plan: missing field `acr_bin_ps`"));
}

/// Contracts that a line cannot carry, and ports without contracts.
#[test]
fn contracts_that_cannot_be_kept_are_refused() {
    let promised = "the ATM network: line 0: the MCRs of the GFR VCs on it are more than its rate";
    assert_eq!(told("services.3.mcr_bps", &json!(45_001_000)), promised);
    assert_eq!(told("services.3.mcr_bps", &json!(45_000_000)), "nothing");
    let queueing = told("ports.0.ubr_queueing", &json!({"name": "per_vc", "excess": "none"}));
    assert!(queueing.starts_with("not a plan: unknown variant `none`, expected `equal` or `proportional`"));
    let mut plan = full();
    let policy = json!({"name": "double_epd", "l_cells": 50, "h_cells": 90});
    let line = json!({"cell_time_ps": 9_422_222, "delay_ps": MS});
    let port = json!({"buffer_cells": 100, "policy": policy, "eom": "keep"});
    let cells = |from: u32, to: u32| {
        json!({"kind": "cells", "from_first": from, "to_first": to, "hosts": 2, "cost": 1,
        "access": line, "trunk": line, "port": port})
    };
    plan["links"] = json!([cells(2, 0), cells(0, 2)]);
    let expected =
        "the frame policy `double_epd` needs contracts of VCs, which only ports of an ATM network know";
    assert_eq!(told_of(&plan), expected);
}

/// BRMs of an ABR VC that come back by another path would not get a rate.
#[test]
fn an_abr_vc_comes_back_as_it_goes() {
    let mut plan = full();
    let network = &mut plan["links"][0];
    network["switches"] = json!(3);
    network["lines"][1]["to"] = json!(6);
    for host in [2, 3] {
        let mut detour = network["lines"][0].clone();
        (detour["from"], detour["to"]) = (json!(6), json!(host));
        network["lines"].as_array_mut().expect("lines").push(detour);
    }
    // What the receivers send goes by switches 4 and 6, and what comes to them by 5 and 4.
    let expected = "the ATM network: VC 0: the way back does not pass switch 6, which gives rates to the VC";
    assert_eq!(told_of(&plan), expected);
    plan["links"][0]["flow_services"] = json!([1, 1]);
    plan["links"][0]["sources"] = json!([]);
    assert_eq!(told_of(&plan), "nothing");
}

/// Where numbers stand.
fn numbers(value: &Value, place: String, found: &mut Vec<String>) {
    match value {
        Value::Object(entries) => {
            entries.iter().for_each(|(key, value)| numbers(value, format!("{place}.{key}"), found));
        }
        Value::Array(entries) => {
            (0..).zip(entries).for_each(|(at, value)| numbers(value, format!("{place}.{at}"), found));
        }
        Value::Number(_) | Value::Null => found.push(place),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// A few milliseconds of a plan in which any numbers are any others: refused, or run to its end.
    #[test]
    fn no_number_breaks_a_run(
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(vec![
            0_u64, 1, 2, 3, 7, 31, 64, 256, 423, 424, 1000, 65_536, 999_999_999, 1_000_000_000, 1_500_000_000,
            u64::from(u32::MAX), 1_000_000_000_000, 1_000_000_000_000_000, 1_000_000_000_000_000_000, u64::MAX,
        ])), 1..4),
        seed: u64,
    ) {
        let mut plan = full();
        plan["duration_ps"] = json!(20 * MS);
        let mut found = Vec::new();
        numbers(&plan["links"], String::new(), &mut found);
        for (place, value) in changes {
            *at(&mut plan, &format!("links{}", place.get(&found))) = json!(value);
        }
        if let Ok(plan) = Plan::from_json(&plan.to_string()) {
            let _ = run(&plan, seed);
        }
    }
}
