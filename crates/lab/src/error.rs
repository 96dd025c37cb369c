//! Errors in a plan.

/// An error in a plan.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is not a plan.
    #[error("not a plan: {0}")]
    Syntax(#[from] serde_json::Error),
    /// Its schema has another version.
    #[error("the plan has schema {found}; this version reads schema {reads}")]
    Schema {
        /// The plan's.
        found: u32,
        /// This version's.
        reads: u32,
    },
    /// There is no such flavor.
    #[error("no TCP flavor `{0}`; there are {names}", names = flavor_names())]
    Flavor(String),
    /// A TCP of the plan is code, and this program does not execute code.
    #[error("{file} is a congestion control in Python, which only a simulated run can use")]
    Code {
        /// The file of the code.
        file: String,
    },
    /// There is no such queue discipline.
    #[error("no queue discipline `{0}`; there are {names}", names = queue_names())]
    Queue(String),
    /// A queue discipline lacks a parameter, or has one that it does not know.
    #[error("the parameters of the queue discipline `{0}` are: {1}")]
    QueueParameters(&'static str, String),
    /// There is no such frame policy.
    #[error("no frame policy `{0}`; there are {names}", names = policy_names())]
    Policy(String),
    /// A frame policy lacks a parameter, or has one that it does not know.
    #[error("the parameters of `{0}` are: {1}")]
    PolicyParameters(&'static str, String),
    /// A port of a cell link, which has no contracts, has a frame policy that needs them.
    #[error("the frame policy `{0}` needs contracts of VCs, which only ports of an ATM network know")]
    PolicyContracts(String),
    /// A flow cannot reach the other end.
    #[error("flow {0}: no links lead from node {1} to node {2}")]
    NoRoute(usize, u32, u32),
    /// A VC cannot reach the other end.
    #[error("the ATM network: no lines lead from host {0} to host {1}")]
    NoPath(u32, u32),
    /// Another reason why there can be no such ATM network.
    #[error("the ATM network: {0}")]
    Atm(String),
    /// A number makes no sense.
    #[error("plan: {0}")]
    Value(&'static str),
}

fn policy_names() -> String {
    atm::FRAME_POLICIES.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

fn queue_names() -> String {
    sim::queue::disciplines::<()>().iter().map(|row| row.name).collect::<Vec<_>>().join(", ")
}

fn flavor_names() -> String {
    tcp::FLAVORS.iter().map(|flavor| flavor.name).collect::<Vec<_>>().join(", ")
}
