//! Our TCP and smoltcp's in one simulated network: the same drop lists for both, and random
//! scenarios. The results are in `docs/validation/peers.md`.
//!
//! A random scenario that fails is named by its seed; this prints all that happened in it:
//!
//! ```text
//! ACKCLOCK_SEED=130 cargo test --package ackclock-lab --test interop one_scenario -- --ignored --nocapture
//! ```

mod application;
mod codec;
mod differences;
mod draw;
mod host;
mod network;
mod ours;
mod page;
mod results;
mod run;
mod scenario;
mod smoltcp_stack;
mod stack;
mod trace;
mod transfer;

use base::Time;
use results::Results;
use smoltcp_stack::{Smoltcp, SmoltcpConfig};

/// Scenarios of a test run, and of `make validate`.
const SCENARIOS: u64 = 10_000;
const MANY_SCENARIOS: u64 = 1_000_000;

fn succeed(results: &Results) {
    let failures = &results.failures;
    for failure in failures {
        println!("seed {}: {:?}", failure.seed, failure.verdict);
    }
    if let Some(first) = failures.first() {
        panic!("{} scenarios failed; the first is\n{}", failures.len(), run::trace(first.seed));
    }
}

/// Every byte is delivered in order, both ends close, and it does not take for ever.
#[test]
fn random_scenarios_end_well() {
    succeed(&Results::of(0..SCENARIOS));
}

/// Its generator of initial sequence numbers is run backwards; a new version may have another one.
#[test]
fn smoltcp_begins_with_the_number_it_is_given() {
    for isn in [0, 1, 77, u32::MAX - 20_000, u32::MAX] {
        let config = SmoltcpConfig {
            mss: 1000,
            receive_buffer: 60_000,
            send_buffer: 60_000,
            delayed_ack: None,
            nagle: true,
            isn,
            peer_isn: 0,
        };
        let mut stack = Smoltcp::new(&config);
        stack.connect(Time::ZERO);
        let syn = stack.poll(Time::ZERO).expect("a SYN");
        assert!(syn.syn && syn.seq == 0, "{isn}: {syn}");
    }
}

#[test]
fn a_seed_decides_a_scenario() {
    for seed in [1, 2, 3] {
        assert_eq!(run::trace(seed), run::trace(seed));
    }
}

/// Prints the scenario of the seed `ACKCLOCK_SEED`.
#[test]
#[ignore = "prints what ACKCLOCK_SEED asks for"]
fn one_scenario() {
    let seed = std::env::var("ACKCLOCK_SEED").expect("ACKCLOCK_SEED is set");
    println!("{}", run::trace(seed.parse().expect("ACKCLOCK_SEED is a whole number")));
}

/// Writes the page's tables and the file of the random scenarios.
#[test]
#[ignore = "writes docs/validation; part of make validate"]
fn write_the_page() {
    let page = std::fs::read_to_string(page::path()).expect("the page is there");
    std::fs::write(page::path(), page::filled(&page)).expect("the page can be written");
    let (few, many) = (Results::of(0..SCENARIOS), Results::of(0..MANY_SCENARIOS));
    let file = page::path().with_file_name("peers-random.txt");
    std::fs::write(file, results::file(&few, &many)).expect("the file can be written");
    succeed(&many);
}
