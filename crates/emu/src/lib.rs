//! The network of a plan in real time: packets of devices enter it, and leave it when they would have arrived.
//!
//! The network is the simulator's own `sim::World`, with the links that `lab` makes of a plan; only
//! the hosts are others: each end of a flow is a device behind which a real TCP works. [`emulate`] is called in a
//! process that a launcher has made for it, with devices, namespaces and priorities as they are to be; the process
//! does nothing else meanwhile. See `docs/adr/0014-emulation.md`.
//!
//! | module | what |
//! |---|---|
//! | `setup`, `control` | what the launcher says: ports and flows; file descriptors, begin and end |
//! | `clock` | real time as the time of a run |
//! | `frames` | buffers, and packets as the network carries them |
//! | `headers` | what of a packet's headers matters, and which flow it belongs to |
//! | `port` | a device: receives and sends |
//! | `host` | an end of a flow, as a host of the world; what is counted on devices |
//! | `driver` | the loop |
//! | `tap` | what passes points of the network, as a pcapng file |
//! | `lateness`, `report` | how late packets were, and what else a run reports |

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

/// Why nothing was emulated.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The plan cannot be run.
    #[error(transparent)]
    Plan(#[from] lab::Error),
    /// The setup is none, or does not fit the plan.
    #[error("setup: {0}")]
    Setup(String),
    /// The system has refused something.
    #[error("{0}: {1}")]
    System(&'static str, std::io::Error),
    /// The launcher has gone, or wants no run.
    #[error("the launcher ended the run before it began")]
    Ended,
    /// This is not Linux.
    #[error("emulation needs Linux: packet sockets, namespaces, TUN")]
    Unsupported,
}

/// What came of a run.
pub struct Emulated {
    /// The tables of links, ports, categories, VCs and queues after the warm-up; the others are empty.
    pub columns: Columns,
    /// JSON: packets that the model did not ask to lose, and how late packets were.
    pub report: String,
}

/// Lets packets through the network of a plan, for its duration. The file descriptors of the ports, and when to
/// begin, come over the standard input, which is a socket.
///
/// # Errors
/// See [`Error`].
pub fn emulate(plan: &str, seed: u64, setup: &str) -> Result<Emulated, Error> {
    let plan = lab::Plan::from_json(plan)?;
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
