//! All tests that need no program of their own, as one: each program would be linked with the whole
//! laboratory, which takes longer than the tests.

#![allow(clippy::duplicate_mod, reason = "what several files share, each takes in by itself")]

#[path = "atm_contracts.rs"]
mod atm_contracts;
#[path = "atm_network.rs"]
mod atm_network;
#[path = "atm_plans.rs"]
mod atm_plans;
#[path = "capture.rs"]
mod capture;
#[path = "controls.rs"]
mod controls;
#[path = "datagrams.rs"]
mod datagrams;
#[path = "drill_any_script.rs"]
mod drill_any_script;
#[path = "drill_language.rs"]
mod drill_language;
#[path = "drill_run.rs"]
mod drill_run;
#[path = "fuzz_corpus.rs"]
mod fuzz_corpus;
#[path = "groups.rs"]
mod groups;
#[path = "impairments.rs"]
mod impairments;
#[path = "invariants.rs"]
mod invariants;
#[path = "losses.rs"]
mod losses;
#[path = "network.rs"]
mod network;
#[path = "plan_limits.rs"]
mod plan_limits;
#[path = "probe_rows.rs"]
mod probe_rows;
#[path = "probes.rs"]
mod probes;
#[path = "queue_delay.rs"]
mod queue_delay;
#[path = "recovery_properties.rs"]
mod recovery_properties;
#[path = "../examples/run_plan.rs"]
#[allow(dead_code, reason = "its main is for those who run it")]
mod run_plan;
#[path = "segments.rs"]
mod segments;
#[path = "tcp_plans.rs"]
mod tcp_plans;
