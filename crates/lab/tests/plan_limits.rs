//! Limits of a plan: rows of probes, and classes of files.

#[path = "support/atm.rs"]
mod support;

use lab::Plan;
use lab::plan::MOST_ROWS;
use proptest::prelude::*;
use serde_json::{Value, json};
use support::*;

/// Two flows of ABR over an ATM network with ten lines, six of them from a switch port.
fn network(probe: &str, bin_ps: u64, duration_ps: u64) -> Value {
    let mut plan = plan(2, &[abr()], &port(&erica(), 400), &bulk());
    plan["probes"][probe] = json!(bin_ps);
    plan["duration_ps"] = json!(duration_ps);
    plan
}

/// Two flows over `links` links between two nodes.
fn packets(links: u64, bin_ps: u64, duration_ps: u64) -> Value {
    let mut plan = network("queue_bin_ps", bin_ps, duration_ps);
    let link = |at: u64| {
        json!({
            "kind": "packets", "from": at % 2, "to": (at + 1) % 2, "cost": 1, "rate_bps": 1_000_000, "delay_ps": 0,
            "delay_draw": null, "queue": {"name": "drop_tail", "limit_packets": 10, "limit_bytes": null},
            "impairments": [],
        })
    };
    plan["links"] = (0..links).map(link).collect();
    plan
}

fn told_of(plan: &Value) -> String {
    Plan::from_json(&plan.to_string()).map_or_else(|error| error.to_string(), |_| "nothing".into())
}

#[test]
fn a_thousand_pairs_in_microseconds_are_refused() {
    let told = told_of(&packets(4002, 1_000_000, 10_000 * MS));
    assert_eq!(told, "plan: `queue_bin_ps` gives more than 20000000 rows");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, failure_persistence: None, ..ProptestConfig::default() })]

    /// A plan is refused exactly if its objects times its bins, the last one begun, are too many.
    #[test]
    fn rows_are_things_times_bins(
        bin_ps in 1u64..1_000_000,
        things in 1u64..40,
        more in 0u64..2,
    ) {
        let bins = MOST_ROWS / things + more;
        let expected = if bins * things > MOST_ROWS { "gives more than 20000000 rows" } else { "nothing" };
        prop_assert!(told_of(&packets(things, bin_ps, bins * bin_ps)).ends_with(expected));
        prop_assert!(told_of(&packets(things, bin_ps, (bins - 1) * bin_ps + 1)).ends_with(expected));
    }

    #[test]
    fn every_probe_has_its_limit(
        (probe, things) in prop::sample::select(vec![("queue_bin_ps", 6u64), ("goodput_bin_ps", 2), ("acr_bin_ps", 4)]),
        bin_ps in 1u64..1_000_000,
    ) {
        let most = MOST_ROWS / things;
        prop_assert_eq!(told_of(&network(probe, bin_ps, most * bin_ps)), "nothing");
        let expected = format!("plan: `{probe}` gives more than 20000000 rows");
        prop_assert_eq!(told_of(&network(probe, bin_ps, most * bin_ps + 1)), expected);
    }
}

/// If the first request is of class 0, the other classes need a probability above zero.
#[test]
fn something_must_be_left_to_the_other_classes() {
    let told = |class_ppm: Value, first_is_class_0: bool| {
        let mut workload = web(false);
        (workload["class_ppm"], workload["first_is_class_0"]) = (class_ppm, json!(first_is_class_0));
        let plan = plan(1, &[abr()], &port(&erica(), 400), &workload);
        Plan::from_json(&plan.to_string())
            .and_then(|plan| lab::run(&plan, 1))
            .err()
            .map(|error| error.to_string())
    };
    let all = json!([1_000_000, 0, 0, 0, 0]);
    assert!(
        told(all.clone(), true).expect("there is no other class").contains("`class_ppm` must leave a share")
    );
    assert_eq!(told(all, false), None);
    assert_eq!(told(json!([999_999, 0, 0, 0, 1]), true), None);
}
