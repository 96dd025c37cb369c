//! The network of a plan in real time: packets enter it from devices, and leave to devices when they arrive.
//!
//! The network is the simulator's own `sim::World`, with the links that `lab` makes of a plan; only the hosts differ:
//! each end of a flow is a device with a real TCP behind it. A launcher starts a process for [`emulate`] and sets up
//! its devices, namespaces and priorities; the process does nothing else meanwhile. See `docs/adr/0014-emulation.md`.
//!
//! | module | what |
//! |---|---|
//! | `setup`, `control` | messages of the launcher: ports and flows; file descriptors, start and end |
//! | `clock` | real time as the time of a run |
//! | `frames` | buffers, and packets in the network |
//! | `headers` | header fields of a packet, and its flow |
//! | `port` | a device: receives and sends |
//! | `host` | an end of a flow, as a host of the world; the counters of devices |
//! | `driver` | the loop |
//! | `tap` | packets at points of the network, as a pcapng file |
//! | `lateness`, `report` | how late packets were, and the rest of the report |

#[cfg(target_os = "linux")]
mod clock;
#[cfg(target_os = "linux")]
mod control;
#[cfg(target_os = "linux")]
mod driver;
#[cfg(target_os = "linux")]
mod frames;
#[cfg(target_os = "linux")]
mod headers;
#[cfg(target_os = "linux")]
mod host;
#[cfg(target_os = "linux")]
mod lateness;
#[cfg(target_os = "linux")]
mod port;
#[cfg(target_os = "linux")]
mod report;
mod setup;
#[cfg(target_os = "linux")]
mod tap;

pub use setup::{Capture, Ethernet, Flow, Port, Setup};

use lab::Columns;

/// Why an emulation failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The plan cannot be run.
    #[error(transparent)]
    Plan(#[from] lab::Error),
    /// The setup is invalid, or does not fit the plan.
    #[error("setup: {0}")]
    Setup(String),
    /// The system has refused something.
    #[error("{0}: {1}")]
    System(&'static str, std::io::Error),
    /// The launcher has gone, or has ended the run.
    #[error("the launcher ended the run before it began")]
    Ended,
    /// This is not Linux.
    #[error("emulation needs Linux: packet sockets, namespaces, TUN")]
    Unsupported,
}

/// The results of a run.
pub struct Emulated {
    /// The tables of links, ports, categories, VCs and queues after the warm-up; the others are empty.
    pub columns: Columns,
    /// JSON: losses outside of the model, and how late packets were.
    pub report: String,
}

/// Carries packets through the network of a plan, for its duration. The file descriptors of the ports and the start
/// time come over standard input, which is a socket.
///
/// # Errors
/// See [`Error`].
pub fn emulate(plan: &str, seed: u64, setup: &str) -> Result<Emulated, Error> {
    let plan = lab::Plan::from_json(plan)?;
    lab::control::refuse_code(&plan)?;
    let setup = Setup::from_json(setup)?;
    setup.check(&plan)?;
    emulate_checked(&plan, seed, &setup)
}

#[cfg(target_os = "linux")]
fn emulate_checked(plan: &lab::Plan, seed: u64, setup: &Setup) -> Result<Emulated, Error> {
    driver::emulate(plan, seed, setup, &std::io::stdin())
}

#[cfg(not(target_os = "linux"))]
fn emulate_checked(_: &lab::Plan, _: u64, _: &Setup) -> Result<Emulated, Error> {
    Err(Error::Unsupported)
}
