//! The limits of workloads.

use super::{FASTEST_BPS, LONGEST_PS, Rule, times};
use crate::plan::{Adaptation, Arrivals, Sizes, Stage, Times, Workload};
use crate::wire::{DATAGRAM_HEADER_BYTES, MAX_PACKET_BYTES};
use sim::link::PPB;

const MOST_OF_A_STAGE: u32 = 1000;
const MOST_BYTES: u64 = 1 << 40;
const MOST_RUNGS: usize = 100;
const MOST_VIDEO_REQUEST: u32 = 400;

pub(super) fn rules(workload: &Workload) -> Vec<Rule> {
    match workload {
        Workload::Bulk { bytes, start_ps, start_spread_ps } => vec![
            (*bytes != Some(0), "`bytes` must be positive"),
            (bytes.is_none_or(|bytes| bytes <= 1 << 60), "`bytes` must be at most 2**60"),
            times([*start_ps, *start_spread_ps]),
        ],
        Workload::WwwBatches {
            request_bytes,
            period_ps,
            start_spread_ps,
            gap_min_ps,
            gap_max_ps,
            class_ppm,
            first_is_class_0,
            ..
        } => {
            vec![
                (*period_ps > 0, "`period_ps` must be positive"),
                (*request_bytes > 0, "`request_bytes` must be positive"),
                (gap_min_ps <= gap_max_ps, "`gap_min_ps` must not exceed `gap_max_ps`"),
                (
                    class_ppm.iter().map(|&ppm| u64::from(ppm)).sum::<u64>() == 1_000_000,
                    "`class_ppm` must sum to 1000000",
                ),
                (
                    !first_is_class_0 || class_ppm[1..].iter().any(|&ppm| ppm > 0),
                    "`class_ppm` must leave a share to the other classes if the first request is of class 0",
                ),
                times([*period_ps, *start_spread_ps, *gap_max_ps]),
            ]
        }
        Workload::Pages { request_bytes, stages, sizes, pause, start_ps, start_spread_ps, .. } => {
            let most = 1..=MOST_OF_A_STAGE;
            let counts = |stage: &Stage| most.contains(&stage.connections) && most.contains(&stage.objects);
            let mut rules = vec![
                (*request_bytes > 0, "`request_bytes` must be positive"),
                (!stages.is_empty(), "a page must have a stage"),
                (stages.iter().all(counts), "`connections` and `objects` must be 1 to 1000"),
                times([*start_ps, *start_spread_ps]),
            ];
            rules.extend(size_rules(sizes));
            rules.extend(law_rules(pause));
            rules
        }
        Workload::Arrivals { arrivals, sizes, request_bytes, start_ps, .. } => {
            let mut rules =
                vec![(*request_bytes > 0, "`request_bytes` must be positive"), times([*start_ps])];
            rules.extend(size_rules(sizes));
            rules.extend(arrival_rules(arrivals, sizes));
            rules
        }
        Workload::Rpc { request_bytes, sizes, think, closed_loop, start_ps, start_spread_ps } => {
            let mut rules = vec![
                (*request_bytes > 0, "`request_bytes` must be positive"),
                // Else an open loop would make any number of requests at one instant.
                (*closed_loop || mean_ps(think) > 0, "`think` of an open loop must be positive"),
                times([*start_ps, *start_spread_ps]),
            ];
            rules.extend(size_rules(sizes));
            rules.extend(law_rules(think));
            rules
        }
        Workload::Video { .. } => video_rules(workload),
        Workload::Datagrams { rate_bps, packet_bytes, on, off, start_ps, start_spread_ps } => {
            let one = |on: &Times| holds_one(on, *rate_bps, *packet_bytes);
            let mut rules = vec![
                ((1..=FASTEST_BPS).contains(rate_bps), "`rate_bps` must be 1 to 1e12"),
                (
                    (DATAGRAM_HEADER_BYTES..=MAX_PACKET_BYTES).contains(packet_bytes),
                    "`packet_bytes` must be 28 to 65535",
                ),
                (on.is_some() == off.is_some(), "`on` and `off` must be given both or neither"),
                // Shorter ones could go by in any number before the next packet.
                (on.iter().all(one), "the mean of `on` must be at least a packet's time at its rate"),
                times([*start_ps, *start_spread_ps]),
            ];
            rules.extend(on.iter().chain(off).flat_map(law_rules));
            rules
        }
    }
}

fn arrival_rules(arrivals: &Arrivals, sizes: &Sizes) -> Vec<Rule> {
    match arrivals {
        Arrivals::Random { gap } => {
            let mut rules = law_rules(gap);
            rules.push((mean_ps(gap) > 0, "the mean of `gap` must be positive"));
            rules
        }
        Arrivals::Listed { at_ps } => {
            let as_many = match sizes {
                Sizes::InTurn { bytes } => bytes.len() == at_ps.len(),
                _ => true,
            };
            vec![
                (
                    at_ps.is_sorted() && at_ps.last().is_some_and(|&last| last <= LONGEST_PS),
                    "`at_ps` must rise",
                ),
                (as_many, "there must be as many sizes as arrivals"),
            ]
        }
    }
}

fn video_rules(workload: &Workload) -> Vec<Rule> {
    let Workload::Video {
        ladder_bps,
        chunk_ps,
        most_ps,
        start_up_ps,
        adaptation,
        request_bytes,
        start_ps,
        start_spread_ps,
    } = workload
    else {
        return vec![];
    };
    let rungs = (1..=MOST_RUNGS).contains(&ladder_bps.len());
    let rises = ladder_bps.is_sorted_by(|low, high| low < high);
    let rates = ladder_bps.iter().all(|rate| (1..=FASTEST_BPS).contains(rate));
    let adapts = match *adaptation {
        Adaptation::Buffer { reservoir_ps, cushion_ps } => {
            reservoir_ps <= LONGEST_PS && (1..=LONGEST_PS).contains(&cushion_ps)
        }
        Adaptation::Rate { chunks, used_ppm } => chunks > 0 && used_ppm > 0,
    };
    vec![
        (rungs && rises && rates, "`ladder_bps` must have 1 to 100 rates that rise, each of 1 to 1e12"),
        (*chunk_ps > 0 && chunk_ps <= most_ps, "`chunk_ps` must be positive and not exceed `most_ps`"),
        (start_up_ps <= most_ps, "`start_up_ps` must not exceed `most_ps`"),
        (adapts, "`cushion_ps`, `chunks` and `used_ppm` must be positive"),
        // With its rung, a request is one segment.
        ((1..=MOST_VIDEO_REQUEST).contains(request_bytes), "`request_bytes` must be 1 to 400"),
        times([*chunk_ps, *most_ps, *start_ps]),
        times([*start_spread_ps]),
    ]
}

/// Whether `bytes` bytes, at this rate, take no longer than the mean of a period.
pub(super) fn holds_one(period: &Times, rate_bps: u64, bytes: u32) -> bool {
    u128::from(mean_ps(period)) * u128::from(rate_bps) >= u128::from(bytes) * 8 * 1_000_000_000_000
}

pub(super) fn law_rules(law: &Times) -> Vec<Rule> {
    match *law {
        Times::Uniform { min_ps, max_ps } => {
            vec![(min_ps <= max_ps, "`min_ps` must not exceed `max_ps`"), times([max_ps])]
        }
        Times::Exponential { mean_ps } => {
            vec![(mean_ps > 0, "`mean_ps` must be positive"), times([mean_ps])]
        }
        Times::Pareto { mean_ps, shape_ppm } => {
            vec![(mean_ps > 0, "`mean_ps` must be positive"), times([mean_ps]), shape_rule(shape_ppm)]
        }
    }
}

fn shape_rule(shape_ppm: u32) -> Rule {
    (shape_ppm > 1_000_000, "`shape_ppm` must be above a million: else there is no mean")
}

fn mean_ps(law: &Times) -> u64 {
    match *law {
        Times::Uniform { min_ps, max_ps } => min_ps / 2 + max_ps / 2,
        Times::Exponential { mean_ps } | Times::Pareto { mean_ps, .. } => mean_ps,
    }
}

fn size_rules(sizes: &Sizes) -> Vec<Rule> {
    let are_sizes =
        |bytes: &[u64]| !bytes.is_empty() && bytes.iter().all(|each| (1..=MOST_BYTES).contains(each));
    match sizes {
        Sizes::Fixed { bytes } => vec![(are_sizes(&[*bytes]), "a size must be 1 to 2**40 bytes")],
        Sizes::InTurn { bytes } => vec![(are_sizes(bytes), "there must be sizes, each of 1 to 2**40 bytes")],
        Sizes::Pareto { mean_bytes, shape_ppm } => {
            vec![(are_sizes(&[*mean_bytes]), "`mean_bytes` must be 1 to 2**40"), shape_rule(*shape_ppm)]
        }
        Sizes::Quantiles { u_ppb, bytes, .. } => {
            let rises = u_ppb.windows(2).all(|pair| pair[0] < pair[1]) && u_ppb.last() == Some(&PPB);
            let rule = rises && u_ppb.len() == bytes.len() && are_sizes(bytes);
            vec![(rule, "`u_ppb` must rise to 1e9, with a size of 1 to 2**40 bytes for each")]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The first rule that a workload with these changes breaks; none if it is right.
    fn broken(workload: &Value, changes: &[(&str, Value)]) -> Option<&'static str> {
        let mut changed = workload.clone();
        for (key, value) in changes {
            *key.split('.').fold(&mut changed, |table, key| &mut table[key]) = value.clone();
        }
        let workload: Workload = serde_json::from_value(changed).expect("a workload");
        rules(&workload).into_iter().find(|rule| !rule.0).map(|rule| rule.1)
    }

    #[test]
    fn arrivals_have_a_gap_or_times_with_as_many_sizes() {
        let random = json!({
            "kind": "arrivals", "arrivals": {"kind": "random", "gap": {"law": "exponential", "mean_ps": 5}},
            "sizes": {"law": "fixed", "bytes": 1}, "request_bytes": 80, "answers_with_ack": true, "start_ps": 0,
        });
        assert_eq!(broken(&random, &[]), None);
        assert!(broken(&random, &[("arrivals.gap.mean_ps", json!(0))]).is_some());
        let mut listed = random;
        listed["arrivals"] = json!({"kind": "listed", "at_ps": [1, 1, 3]});
        assert_eq!(broken(&listed, &[]), None);
        assert_eq!(broken(&listed, &[("arrivals.at_ps", json!([2, 1]))]), Some("`at_ps` must rise"));
        assert_eq!(broken(&listed, &[("arrivals.at_ps", json!([]))]), Some("`at_ps` must rise"));
        let two = json!({"law": "in_turn", "bytes": [1, 2]});
        assert_eq!(broken(&listed, &[("sizes", two)]), Some("there must be as many sizes as arrivals"));
    }

    #[test]
    fn only_a_closed_loop_needs_no_think_time() {
        let calls = json!({
            "kind": "rpc", "request_bytes": 1, "sizes": {"law": "fixed", "bytes": 1},
            "think": {"law": "uniform", "min_ps": 0, "max_ps": 0}, "closed_loop": true, "start_ps": 0,
            "start_spread_ps": 0,
        });
        assert_eq!(broken(&calls, &[]), None);
        let open = [("closed_loop", json!(false))];
        assert_eq!(broken(&calls, &open), Some("`think` of an open loop must be positive"));
    }

    #[test]
    fn a_video_has_rates_that_rise_and_a_buffer_for_a_chunk() {
        let video = json!({
            "kind": "video", "ladder_bps": [1, 2], "chunk_ps": 4, "most_ps": 8, "start_up_ps": 8,
            "adaptation": {"by": "buffer", "reservoir_ps": 0, "cushion_ps": 1}, "request_bytes": 400, "start_ps": 0,
            "start_spread_ps": 0,
        });
        assert_eq!(broken(&video, &[]), None);
        for change in [
            ("ladder_bps", json!([2, 2])),
            ("ladder_bps", json!([])),
            ("chunk_ps", json!(9)),
            ("chunk_ps", json!(0)),
            ("start_up_ps", json!(9)),
            ("adaptation.cushion_ps", json!(0)),
            ("adaptation", json!({"by": "rate", "chunks": 0, "used_ppm": 1})),
            ("request_bytes", json!(401)),
        ] {
            assert!(broken(&video, std::slice::from_ref(&change)).is_some(), "{change:?}");
        }
    }
}
