//! Puts TCP endpoints and traffic into a network.
//!
//! [`run`] is a pure function: the same plan and seed give the same columns, whoever asks and
//! whatever is recorded.
//!
//! | module | what |
//! |---|---|
//! | [`plan`], [`columns`] | what goes in, what comes out |
//! | [`host`] | a TCP endpoint and its application as a host of the network |
//! | [`workload`] | what applications do: one file per model |
//! | [`build`] | plan -> world |
//! | [`probes`], [`trace`] | observers: queue and cwnd over time; a trace that a person can read |

pub mod build;
pub mod columns;
pub mod host;
pub mod plan;
pub mod probes;
mod run;
mod totals;
pub mod trace;
pub mod workload;

pub use columns::{Columns, Table, Values};
pub use host::TcpHost;
pub use plan::Plan;
pub use run::{Error, run};
pub use workload::{Step, View, Workload};

/// Names and one-line summaries of the TCP flavors that a plan can ask for.
#[must_use]
pub fn flavors() -> Vec<(&'static str, &'static str)> {
    tcp::FLAVORS.iter().map(|flavor| (flavor.name, flavor.summary)).collect()
}

/// Names of the frame policies that a plan can ask for, and of the parameters of each.
#[must_use]
pub fn frame_policies() -> Vec<(&'static str, Vec<&'static str>)> {
    sim::atm::FRAME_POLICIES.iter().map(|policy| (policy.name, policy.parameters.to_vec())).collect()
}
