//! The classic comparison of Fall and Floyd (1996): one, two, three and four losses in a window.
//!
//! A sender of 60 segments, a receiver, 8 Mbit/s, 100 ms there and back, an ACK for every segment,
//! ticks of 100 ms, time-outs of at least 1 s. The segments from number 18 on are lost; cwnd is then
//! 16 segments or more. Golden traces of shorter transfers, with what else may happen to a
//! connection, are in `golden.rs`.

// The hosts and the path of the golden traces.
#[path = "../interop/application.rs"]
#[allow(dead_code, reason = "not every test needs every part")]
mod application;
#[path = "../interop/codec.rs"]
#[allow(dead_code, reason = "as above")]
mod codec;
#[path = "../interop/host.rs"]
#[allow(dead_code, reason = "as above")]
mod host;
#[path = "../interop/network.rs"]
#[allow(dead_code, reason = "as above")]
mod network;
#[path = "../interop/smoltcp_stack.rs"]
#[allow(dead_code, reason = "as above")]
mod smoltcp_stack;
#[path = "../interop/stack.rs"]
#[allow(dead_code, reason = "as above")]
mod stack;
#[path = "../support/mod.rs"]
mod support;

mod annotated;
mod golden;
mod policies;
mod rack;
mod waits;

use base::Time;
use support::{Outcome, config, transfer};
use tcp::options::NewRenoParameters;
use tcp::{Config, FLAVORS, Flavor};

const FIRST_LOST: u64 = 18;

fn lossy(config: Config, losses: u64) -> Outcome {
    transfer(config, (FIRST_LOST..FIRST_LOST + losses).collect(), vec![])
}

fn run(flavor: &str, losses: u64) -> Outcome {
    lossy(config(Flavor::named(flavor).expect("a flavor"), None), losses)
}

#[test]
fn every_flavor_recovers_from_every_number_of_losses() {
    for flavor in FLAVORS {
        for losses in 0..=16 {
            lossy(config(flavor, None), losses);
        }
    }
}

#[test]
fn vanilla_waits_for_the_timer_whatever_is_lost() {
    for losses in 1..=4 {
        let counters = run("vanilla", losses).counters;
        assert!(counters.timeouts >= 1 && counters.fast_retransmits == 0);
    }
}

#[test]
fn one_loss_costs_reno_newreno_and_sack_no_timeout() {
    for flavor in ["reno", "newreno", "newreno_hoe", "sack"] {
        let counters = run(flavor, 1).counters;
        assert_eq!((counters.timeouts, counters.fast_retransmits), (0, 1), "{flavor}");
        assert_eq!(counters.segments_retransmitted, 1, "{flavor}");
    }
}

#[test]
fn reno_halves_twice_for_two_losses_and_times_out_for_more() {
    assert_eq!(run("reno", 2).counters.fast_retransmits, 2);
    for losses in 3..=4 {
        assert!(run("reno", losses).counters.timeouts >= 1, "{losses}");
    }
}

#[test]
fn newreno_and_sack_need_no_timeout_for_up_to_four_losses() {
    for flavor in ["newreno", "newreno_hoe", "sack"] {
        for losses in 1..=4 {
            let counters = run(flavor, losses).counters;
            assert_eq!((counters.timeouts, counters.fast_retransmits), (0, 1), "{flavor} {losses}");
            assert_eq!(counters.segments_retransmitted, losses, "{flavor} {losses}");
        }
    }
}

/// One round trip for each further loss, where SACK needs the same few for all.
#[test]
fn newreno_repairs_one_loss_a_round_trip_and_sack_all_at_once() {
    let recovery = |flavor, losses| {
        let trace = run(flavor, losses).trace;
        let time = |line: &str| line.split_whitespace().next().unwrap().parse::<f64>().unwrap();
        let inside: Vec<f64> = trace.lines().filter(|line| line.ends_with("in recovery")).map(time).collect();
        let after =
            trace.lines().map(time).zip(trace.lines()).find(|(at, line)| {
                *at > inside[0] && line.contains("cwnd") && !line.ends_with("in recovery")
            });
        ((after.expect("recovery ends").0 - inside[0]) / 0.102).round() as u64
    };
    for losses in 1..=4 {
        assert_eq!(recovery("newreno_hoe", losses), losses, "NewReno, {losses}");
        assert!(recovery("sack", losses) <= 2, "SACK, {losses}");
    }
}

#[test]
fn the_flavors_differ() {
    let done = |flavor| run(flavor, 3).done;
    assert!(done("sack") < done("newreno_hoe"));
    assert!(done("newreno_hoe") + Time::from_secs(1) < done("reno"));
    // Two halvings and then a time-out leave Reno no better off than vanilla.
    assert!(done("reno") >= done("vanilla"));
}

/// The two extremes of RFC 6582's timer: with twelve losses the impatient sender times out.
#[test]
fn the_impatient_timer_gives_up_on_many_losses() {
    let flavor = Flavor::named("newreno").expect("a flavor");
    let with = |timer| NewRenoParameters { partial_ack_timer: timer, ..NewRenoParameters::RFC6582 };
    use tcp::options::PartialAckTimer::{Every, First};
    assert!(lossy(config(flavor, Some(with(First))), 12).counters.timeouts > 0);
    assert_eq!(lossy(config(flavor, Some(with(Every))), 12).counters.timeouts, 0);
}
